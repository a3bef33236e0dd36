"""The two implementations of what is taken of a row of logits, against each other and against float64."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from workings.fast import compiled, kernel

WIDTHS = (1, 2, 31, 32, 33, 255, 256, 257, 600, 4096)


def _logits(columns: int, seed: int, masked: bool) -> torch.Tensor:
    numbers = torch.Generator().manual_seed(seed)
    logits = torch.randn(7, columns, generator=numbers) * 5
    if masked:
        logits.masked_fill_(torch.rand(7, columns, generator=numbers) < 0.4, -torch.inf)
        logits[3] = -torch.inf
    return logits


@pytest.mark.parametrize(("columns", "masked"), list(itertools.product(WIDTHS, [False, True])))
@pytest.mark.parametrize("top", [0, 1, 8])
@pytest.mark.parametrize("take", [kernel.rows_of_logits, compiled.rows_of_logits], ids=["reference", "compiled"])
def test_rows(take: kernel.RowsOf, columns: int, top: int, masked: bool) -> None:
    logits = _logits(columns, columns + top, masked)
    wide = logits.double()
    largest = wide.amax(-1)
    below = wide - torch.where(largest == -torch.inf, 0, largest)[:, None]
    powers = below.exp()
    found = take(logits.clone(), torch.empty_like(logits), top, masked)
    assert torch.equal(found.largest.double(), largest)
    u = 2.0**-24
    # the difference is up to 50 here, e^x four units, 256 terms are added up: 310u; moments have one product more
    torch.testing.assert_close(found.powers.double(), powers, rtol=60 * u, atol=1e-37)
    torch.testing.assert_close(found.total, powers.sum(-1), rtol=320 * u, atol=1e-30)
    moment = (powers * torch.where(powers == 0, 0, below)).sum(-1)
    torch.testing.assert_close(found.moment, moment, rtol=320 * u, atol=1e-30)
    count = min(top, columns)
    assert torch.equal(found.top.double(), wide.topk(count).values)
    sure = found.top > -torch.inf
    assert torch.equal(wide.gather(1, found.keys.clamp(0, columns - 1))[sure], found.top.double()[sure])


def test_e_to_a_power_within_four_units() -> None:
    t = np.linspace(-87, 0, 400_001, dtype=np.float32)
    found = np.array([compiled.power(each) for each in t[::7]], np.float64)
    right = np.exp(t[::7].astype(np.float64))
    assert np.max(np.abs(found / right - 1)) < 4 * 2.0**-24


def test_the_reference_is_chosen_where_nothing_is_compiled() -> None:
    cpu = torch.device("cpu")
    assert kernel.choose(cpu, torch.float64) == (kernel.rows_of_logits, kernel.mass_at)
    assert kernel.choose(torch.device("cuda"), torch.float32) == (kernel.rows_of_logits, kernel.mass_at)
    assert kernel.choose(cpu, torch.float32) == (compiled.rows_of_logits, compiled.mass_at)


@pytest.mark.parametrize("take", [kernel.rows_of_logits, compiled.rows_of_logits], ids=["reference", "compiled"])
@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
def test_a_row_with_nan_or_infinity_says_so(take: kernel.RowsOf, bad: float) -> None:
    logits = _logits(300, 1, masked=False)
    logits[2, 77] = bad
    found = take(logits, torch.empty_like(logits), 3, False)
    assert found.total[2].isnan()
    assert found.total[[0, 1, 3, 4, 5, 6]].isfinite().all()


@pytest.mark.parametrize("take", [kernel.rows_of_logits, compiled.rows_of_logits], ids=["reference", "compiled"])
@pytest.mark.parametrize("columns", [1, 31, 257, 600])
def test_distances(take: kernel.RowsOf, columns: int) -> None:
    """Two heads of three rows, and one row with nothing allowed."""
    logits = _logits(columns, 5, masked=True)[1:]
    found = take(logits.clone(), torch.empty_like(logits), 2, True, kernel.Own(columns - 4, 3))
    own = torch.tensor([columns - 4, columns - 3, columns - 2] * 2)[:, None]
    far = (torch.arange(columns) - own).abs()
    assert found.distance is not None
    expected = (found.powers.double() * far).sum(-1)
    torch.testing.assert_close(found.distance, expected, rtol=260 * 2.0**-24, atol=0)  # 256 terms and a product


@pytest.mark.parametrize("take", [kernel.mass_at, compiled.mass_at], ids=["reference", "compiled"])
@pytest.mark.parametrize("columns", [1, 6, 40])
@pytest.mark.parametrize("around", [kernel.Around(-3, 2, 2), kernel.Around(2, 4, 0), kernel.Around(38, 3, 3)])
def test_mass_at_columns_and_around_them(take: kernel.MassAt, columns: int, around: kernel.Around) -> None:
    """Columns outside count for nothing, to the left and to the right."""
    powers = torch.rand(2, 5, columns, generator=torch.Generator().manual_seed(columns))
    places = torch.tensor([[-1, 0, 5], [0, 1, 6], [3, -7, 39], [40, 2, 2], [5, 39, 41]])
    single, near = take(powers, places, around)
    for head, row in itertools.product(range(2), range(5)):
        here = powers[head, row].tolist()
        wanted = [here[place] if 0 <= place < columns else 0.0 for place in places[row].tolist()]
        assert single[head, row].tolist() == wanted
        own = around.first + row
        kept = sum(here[max(0, own - around.left) : max(0, own + around.right + 1)])
        assert float(near[head, row]) == pytest.approx(kept, rel=8 * 2.0**-53)
    assert take(powers, places, kernel.Around(0, 0, 0))[0].equal(single)


@pytest.mark.parametrize("columns", [64, 100, 1000, 3000])
def test_the_largest_of_rows_that_are_hard_to_sort(columns: int) -> None:
    """Rising, falling, equal, and with few that are allowed."""
    steps = torch.arange(columns, dtype=torch.float32)
    few = torch.where(steps % 97 == 5, steps / columns, -torch.inf)
    logits = torch.stack([steps, -steps, torch.zeros(columns), steps % 7, few]) / columns
    found = compiled.rows_of_logits(logits.clone(), torch.empty_like(logits), 8, True)
    assert torch.equal(found.top, logits.topk(8).values)
    sure = found.top > -torch.inf
    assert torch.equal(logits.gather(1, found.keys)[sure], found.top[sure])
    for keys, some in zip(found.keys, sure, strict=True):
        assert len(set(keys[some].tolist())) == int(some.sum())

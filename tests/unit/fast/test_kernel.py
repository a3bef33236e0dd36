"""The two implementations of what is taken of a row of logits, against each other and against float64."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from workings.fast import compiled, kernel
from workings.fast.logits import Band, Place

WIDTHS = (1, 2, 31, 32, 33, 255, 256, 257, 600, 4096)
BOTH = pytest.mark.parametrize("take", [kernel.rows_of_logits, compiled.rows_of_logits], ids=["reference", "compiled"])
FREE = Band(0, None, None)


def _logits(columns: int, seed: int, masked: bool) -> torch.Tensor:
    numbers = torch.Generator().manual_seed(seed)
    logits = torch.randn(7, columns, generator=numbers) * 5
    if masked:
        logits.masked_fill_(torch.rand(7, columns, generator=numbers) < 0.4, -torch.inf)
        logits[3] = -torch.inf
    return logits


def _taken(
    take: kernel.RowsOf, logits: torch.Tensor, top: int, masked: bool, band: Band = FREE, heads: int = 1, far: int = 0
) -> tuple[torch.Tensor, kernel.Rows]:
    """The powers, and the rows of the place alone: the third and later of four heads, the second and later queries.

    Args:
        far: whether distances are wanted.
    """
    rows = len(logits) // heads
    at = Place(1, range(2, 2 + heads), range(1, 1 + rows), range(10, 10 + logits.shape[1]))
    shape = (2, 2 + heads, 2 + rows)

    def full(*more: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
        return torch.full((*shape, *more), -7, dtype=dtype)

    def none(*more: int) -> torch.Tensor:
        return torch.full((*shape, *more), -torch.inf)

    into = kernel.Rows(none(), full(), full(), none(top), full(top, dtype=torch.int64), full() if far else None)
    strip = kernel.Strip(logits.clone(), at, band)
    powers = take(strip, torch.empty_like(logits), into, masked)
    here = (1, slice(2, None), slice(1, 1 + rows))
    for tensor in (into.total, into.moment):
        assert int((tensor != -7).sum()) == len(logits)  # nothing else was touched
    count = min(top, logits.shape[1])
    return powers, kernel.Rows(
        into.largest[here].flatten(),
        into.total[here].flatten(),
        into.moment[here].flatten(),
        into.top[here].flatten(0, 1)[:, :count],
        into.keys[here].flatten(0, 1)[:, :count] - 10,
        None if into.distance is None else into.distance[here].flatten(),
    )


@pytest.mark.parametrize(("columns", "masked"), list(itertools.product(WIDTHS, [False, True])))
@pytest.mark.parametrize("top", [0, 1, 8])
@BOTH
def test_rows(take: kernel.RowsOf, columns: int, top: int, masked: bool) -> None:
    logits = _logits(columns, columns + top, masked)
    wide = logits.double()
    largest = wide.amax(-1)
    below = wide - torch.where(largest == -torch.inf, 0, largest)[:, None]
    powers = below.exp()
    found_powers, found = _taken(take, logits, top, masked)
    assert torch.equal(found.largest.double(), largest)
    u = 2.0**-24
    # the difference is up to 50 here, e^x four units, 256 terms are added up: 310u; moments have one product more
    torch.testing.assert_close(found_powers.double(), powers, rtol=60 * u, atol=1e-37)
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


@BOTH
@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
def test_a_row_with_nan_or_infinity_says_so(take: kernel.RowsOf, bad: float) -> None:
    logits = _logits(300, 1, masked=False)
    logits[2, 77] = bad
    _, found = _taken(take, logits, 3, False)
    assert found.total[2].isnan()
    assert found.total[[0, 1, 3, 4, 5, 6]].isfinite().all()


@BOTH
@pytest.mark.parametrize("columns", [1, 31, 257, 600])
def test_distances(take: kernel.RowsOf, columns: int) -> None:
    """Two heads of three rows, and one row with nothing allowed."""
    logits = _logits(columns, 5, masked=True)[1:]
    powers, found = _taken(take, logits, 2, True, Band(columns - 4, None, None), heads=2, far=True)
    own = torch.tensor([columns - 4, columns - 3, columns - 2] * 2)[:, None]
    far = (torch.arange(columns) - own).abs()
    assert found.distance is not None
    expected = (powers.double() * far).sum(-1)
    torch.testing.assert_close(found.distance, expected, rtol=260 * 2.0**-24, atol=0)  # 256 terms and a product


@BOTH
@pytest.mark.parametrize(("left", "right"), [(None, 0), (0, 0), (4, 0), (2, 3), (None, 2), (300, 1), (3, None)])
@pytest.mark.parametrize("own", [-9, -1, 0, 5, 290, 298, 320])
def test_outside_the_band_lies_nothing(take: kernel.RowsOf, left: int | None, right: int | None, own: int) -> None:
    """Two heads of three rows; what a row may not look at is NaN."""
    logits, columns = _logits(300, 8, masked=False)[:6], torch.arange(300)
    first = torch.tensor([own, own + 1, own + 2] * 2)[:, None]
    allowed = torch.ones(6, 300, dtype=torch.bool)
    if left is not None:
        allowed &= columns >= first - left
    if right is not None:
        allowed &= columns <= first + right
    hidden = torch.where(allowed, logits, torch.nan)
    powers, found = _taken(take, hidden, 3, False, Band(own, left, right), heads=2, far=True)
    seen = torch.where(allowed, logits, -torch.inf)
    expected_powers, expected = _taken(kernel.rows_of_logits, seen, 3, True, FREE._replace(own=own), heads=2, far=True)
    assert torch.equal(found.largest, expected.largest)
    assert torch.equal(found.top, expected.top)
    assert torch.equal(found.keys[found.top > -torch.inf], expected.keys[found.top > -torch.inf])
    # two exponentials of 4 units each, and 256 terms added up in another order; a distance has one product more
    torch.testing.assert_close(powers, expected_powers, rtol=8 * 2.0**-24, atol=0)
    assert found.distance is not None
    assert expected.distance is not None
    for one, other in (
        (found.total, expected.total),
        (found.moment, expected.moment),
        (found.distance, expected.distance),
    ):
        torch.testing.assert_close(one, other, rtol=530 * 2.0**-24, atol=0)


@pytest.mark.parametrize("take", [kernel.mass_at, compiled.mass_at], ids=["reference", "compiled"])
@pytest.mark.parametrize("columns", [1, 6, 40])
@pytest.mark.parametrize(("own", "near"), [(-3, 2), (2, 4), (38, 3), (0, 0)])
def test_mass_at_keys_and_around_them(take: kernel.MassAt, columns: int, own: int, near: int) -> None:
    """Keys outside count for nothing, to the left and to the right."""
    powers = torch.rand(2, 5, columns, generator=torch.Generator().manual_seed(columns))
    places = torch.tensor([[-1, 0, 5], [0, 1, 6], [3, -7, 39], [40, 2, 2], [5, 39, 41]])
    at = Place(1, range(1, 3), range(1, 6), range(10, 10 + columns))
    keys = torch.cat((places[:1], places)) + 10
    into = kernel.Masses(keys, torch.full((2, 3, 6, 3), -1.0).double(), near, torch.full((2, 3, 6), -1.0).double())
    take(kernel.Strip(powers.view(10, columns), at, Band(own, None, None)), into)
    for head, row in itertools.product(range(2), range(5)):
        here = powers[head, row].tolist()
        wanted = [here[place] if 0 <= place < columns else 0.0 for place in places[row].tolist()]
        assert into.single[1, 1 + head, 1 + row].tolist() == wanted
        kept = sum(here[max(0, own + row - near) : max(0, own + row + near + 1)]) if near else -1
        assert float(into.around[1, 1 + head, 1 + row]) == pytest.approx(kept, rel=8 * 2.0**-53)
    assert int((into.single != -1).sum()) == 30


@pytest.mark.parametrize("columns", [64, 100, 1000, 3000])
def test_the_largest_of_rows_that_are_hard_to_sort(columns: int) -> None:
    """Rising, falling, equal, and with few that are allowed."""
    steps = torch.arange(columns, dtype=torch.float32)
    few = torch.where(steps % 97 == 5, steps / columns, -torch.inf)
    logits = torch.stack([steps, -steps, torch.zeros(columns), steps % 7, few]) / columns
    _, found = _taken(compiled.rows_of_logits, logits, 8, True)
    assert torch.equal(found.top, logits.topk(8).values)
    sure = found.top > -torch.inf
    assert torch.equal(logits.gather(1, found.keys)[sure], found.top[sure])
    for keys, some in zip(found.keys, sure, strict=True):
        assert len(set(keys[some].tolist())) == int(some.sum())

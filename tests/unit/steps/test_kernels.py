"""What a kernel takes and no example says: bands, tables per head, conventions for a row with nothing allowed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workings.arrays.rules import Floats
from workings.arrays.run import Arrays
from workings.steps.build import build
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec, Mask
from workings.terms.address import Name


def _kernel(mask: Mask, queries: int = 2, keys: int = 4, **changes: object) -> tuple[Recipe, list[list[float]]]:
    spec = replace(AttentionSpec(mask=mask, softmax="shifted"), **changes)  # type: ignore[arg-type]
    shapes = {Name("Q"): (queries, 1), Name("K"): (keys, 1)}
    table = [[[1, 0, 1, 1]] * queries]
    recipe = build(
        spec, BlockSpec(), shapes, {"token": queries, "key": keys, "past": 0}, {"allowed": table}, cross=True
    )
    given = {Name("Q"): [[1]] * queries, Name("K"): [[1]] * keys}
    return recipe, Arrays(recipe, given).array(Name("weight")).tolist()


@pytest.mark.parametrize(
    ("mask", "looks"),
    [
        (Mask("band"), [(0, 1, 2, 3), (0, 1, 2, 3)]),
        (Mask("band", right=0), [(0, 1, 2), (0, 1, 2, 3)]),
        (Mask("band", right=0, top_left=True), [(0,), (0, 1)]),
        (Mask("band", left=1, right=0), [(1, 2), (2, 3)]),
        (Mask("band", left=0, right=1, top_left=True), [(0, 1), (1, 2)]),
        (Mask("band", right=0, table=True), [(0, 2), (0, 2, 3)]),
    ],
)
def test_band_leaves_the_keys_around_the_querys_own(mask: Mask, looks: list[tuple[int, ...]]) -> None:
    _, weights = _kernel(mask)
    assert [tuple(j for j, w in enumerate(row) if w) for row in weights] == looks


@pytest.mark.parametrize(("convention", "weights"), [("zero", [0, 0]), ("uniform", [0.5, 0.5]), ("nan", [None, None])])
def test_a_row_with_nothing_allowed_follows_its_convention(convention: str, weights: list[float | None]) -> None:
    _, found = _kernel(Mask("band", right=0), queries=3, keys=2, fully_masked=convention)
    assert [None if w != w else w for w in found[0]] == weights
    assert found[2] == [0.5, 0.5]


def test_log_sum_exp_to_base_two() -> None:
    recipe, _ = _kernel(Mask(), lse_base="2")
    given = {Name("Q"): [[0]] * 2, Name("K"): [[0]] * 4}
    assert Arrays(recipe, given).array(Name("lse")).tolist() == [2, 2]


class _Halves:
    """A matrix kept in half precision, read a block of rows at a time."""

    def __init__(self, values: object) -> None:
        self._held = np.asarray(values, np.float16)
        self.shape = self._held.shape
        self.read: list[tuple[int, int]] = []

    def rows(self, start: int, stop: int) -> Floats:
        self.read.append((start, stop))
        return self._held[start:stop].astype(np.float64)


def test_a_stored_array_is_read_by_rows_and_wins_over_its_step() -> None:
    recipe, _ = _kernel(Mask())
    given = {Name("Q"): [[1]] * 2, Name("K"): [[1]] * 4}
    score = _Halves([[0, 0, 0, 0], [0, 0, 0, np.inf]])
    arrays = Arrays(recipe, given, block_rows=1, stored={Name("score"): score})
    assert arrays.array(Name("weight"))[0].tolist() == [0.25] * 4
    assert score.read[:2] == [(0, 1), (1, 2)]
    np.testing.assert_array_equal(arrays.array(Name("score"))[1], [0, 0, 0, np.inf])

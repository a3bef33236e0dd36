"""The array form against the exact engine, cell by cell, within a running error bound (tests/support/bounds.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

from tests.support.bounds import DIGITS, Bounds
from tests.support.recipes import Example, all_indices, examples
from workings.arrays.run import Arrays
from workings.exact.run import Exact
from workings.examples import library
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name

LAYERS = 3  # after that many layers with norms, a first-order bound has outgrown every number of encoder-six


def _check(recipe: Recipe, bounds: Bounds, name: Name, values: Any, first_row: int = 0) -> None:
    for index in all_indices(values.shape):
        place = (index[0] + first_row, *index[1:]) if index else ()
        true, error = bounds.cell(Address(name, place))
        seen, where = mpf(float(values[index])), f"{name}{place}"
        if mp.isinf(true):
            assert seen == true, where
        else:
            # three layers of norms in float32 can outgrow any first-order bound; in float64 none may
            assert mp.isfinite(error) or values.dtype == np.float32, where
            assert abs(seen - true) <= error, where


@pytest.mark.parametrize(
    ("dtype", "unit"), [(np.float64, 2.0**-53), (np.float32, 2.0**-24)], ids=["float64", "float32"]
)
@given(example=examples(), block_rows=st.integers(1, 4))
def test_every_array_keeps_its_bound(dtype: Any, unit: float, example: Example, block_rows: int) -> None:
    recipe = example.recipe()
    arrays = Arrays(recipe, example.arrays(), dtype, block_rows)
    with mp.workdps(DIGITS):
        bounds = Bounds(recipe, example.exact(recipe), unit)
        for op in recipe.ops:
            values = arrays.array(op.name)
            assert values.shape == op.shape
            assert values.dtype == dtype
            _check(recipe, bounds, op.name, values)


@pytest.mark.parametrize("name", library.names())
def test_every_built_in_example_keeps_its_bound(name: str) -> None:
    example = library.load(name)
    recipe, engine = example.recipe(), Exact(example.recipe(), example.values())
    given_arrays = {}
    with mp.workdps(DIGITS):
        bounds = Bounds(recipe, engine, 2.0**-53)
        for array, cells in example.given.items():
            given_arrays[array] = np.empty(cells.shape)
            for index in all_indices(cells.shape):
                given_arrays[array][index] = float(bounds.cell(Address(array, index)).value)
        arrays = Arrays(recipe, given_arrays)
        for op in recipe.ops:
            if (op.name.layer or 0) < LAYERS:
                _check(recipe, bounds, op.name, arrays.array(op.name))


@given(example=examples(), data=st.data())
def test_a_block_of_rows_keeps_the_same_bound(example: Example, data: st.DataObject) -> None:
    recipe = example.recipe()
    op = data.draw(st.sampled_from(recipe.ops))
    start = data.draw(st.integers(0, op.shape[0]))
    stop = data.draw(st.integers(start, op.shape[0]))
    with mp.workdps(DIGITS):
        bounds = Bounds(recipe, example.exact(recipe), 2.0**-53)
        rows = Arrays(recipe, example.arrays()).rows(op.name, start, stop)
        assert rows.shape == (stop - start, *op.shape[1:])
        _check(recipe, bounds, op.name, rows, start)

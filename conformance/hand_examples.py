"""The library mpmath at 50 digits: every number of the built-in examples, worked exactly and in float64."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
from mpmath import mp, mpf

from conformance.row import Comparison, Outcome, Row, row
from tests.support.bounds import Bounds, to_mpf
from tests.support.oracle import DIGITS, Oracle
from tests.support.recipes import Example as Told
from workings.arrays.run import Arrays
from workings.exact.run import Exact
from workings.examples import library
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name
from workings.terms.numbers import Value

BITS = 256
SURE = 10.0**-40
EXACT = "10⁻⁴⁰ of a number, or of 1 where it is smaller: mpmath's 50 digits, less ten for what its roundings add up to"
FLOAT64 = (
    "for each number a running error bound of its operations in float64, at 50 digits (`tests/support/bounds.py`); "
    "in the later layers of `encoder-six` it grows beyond all numbers, and those are not judged"
)


class Worked:
    """One built-in example, three ways."""

    def __init__(self, name: str) -> None:
        example = library.load(name)
        self.recipe: Recipe = example.recipe()
        self.exact = Exact(self.recipe, example.values())
        given: dict[Name, dict[tuple[int, ...], Fraction | None]] = {}
        shapes = {array: cells.shape for array, cells in example.given.items()}
        for array, shape in shapes.items():
            given[array] = {index: _middle(self.exact.value(array, index)) for index in np.ndindex(shape)}
        sizes = self.recipe.sizes
        known = {axis: sizes[axis] for axis in ("token", "key", "past")}
        tables = dict(self.recipe.tables)
        told = Told(self.recipe.spec, self.recipe.block, known, self.recipe.cross, tables, given, shapes)
        self.oracle = Oracle(told).out
        values = {name: np.empty(shape) for name, shape in shapes.items()}
        for array, cells in given.items():
            for index, cell in cells.items():
                values[array][index] = -np.inf if cell is None else float(cell)
        self.arrays = Arrays(self.recipe, values)


def _middle(value: Value) -> Fraction | None:
    """A value to more digits than mpmath works with; None for minus infinity."""
    if value.infinite:
        return None
    low, high = (value.exact,) * 2 if value.exact is not None else value.bounds(BITS)
    middle: Fraction = (low + high) / 2
    return middle


def _at(nested: Any, index: tuple[int, ...]) -> Any:
    for place in index:
        nested = nested[place]
    return nested


_worked = cache(Worked)


def exactly(name: str) -> Outcome:
    """Every number of the exact engine."""
    worked, compared = _worked(name), Comparison(name, "exact")
    with mp.workdps(DIGITS):
        for op in worked.recipe.ops:
            expected = worked.oracle[str(op.name)]
            off = np.zeros(op.shape)
            for index in np.ndindex(op.shape):
                wanted, middle = _at(expected, index), _middle(worked.exact.value(op.name, index))
                if middle is None or mp.isinf(wanted):
                    off[index] = 0.0 if middle is None and wanted == mpf("-inf") else np.inf
                else:
                    off[index] = float(abs(to_mpf(middle) - wanted) / max(1, abs(wanted)))
            compared.add(str(op.name), off, np.zeros(op.shape), SURE)
    return compared.outcome()


def in_float64(name: str) -> Outcome:
    """Every number of the array form; where the bound is infinite, nothing is judged."""
    worked, compared = _worked(name), Comparison(name, "float64")
    bounds = Bounds(worked.recipe, worked.exact, 2.0**-53)
    with mp.workdps(DIGITS):
        for op in worked.recipe.ops:
            off, bound = np.zeros(op.shape), np.zeros(op.shape)
            values = worked.arrays.array(op.name)
            for index in np.ndindex(op.shape):
                wanted, found = _at(worked.oracle[str(op.name)], index), float(values[index])
                same = mp.isinf(wanted) and found == -np.inf
                off[index] = 0.0 if same else float(abs(mpf(found) - wanted))
                bound[index] = float(bounds.cell(Address(op.name, index)).error)
            compared.add(str(op.name), off, np.zeros(op.shape), bound)
    return compared.outcome()


def run() -> list[Row]:
    """All built-in examples, both ways."""
    suite = f"mpmath {mpmath.__version__}, built-in examples"
    return [
        row(suite, "exact engine, every number", EXACT, map(exactly, library.names())),
        row(
            suite, "array form in float64, every number with a finite bound", FLOAT64, map(in_float64, library.names())
        ),
    ]

"""Declared steps put together by hand, in float64, with how far another's arithmetic may be from each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from mpmath import mp  # type: ignore[import-untyped]

from tests.support.bounds import DIGITS, Bounds
from workings.arrays.run import Arrays
from workings.exact.run import Exact
from workings.steps.language import MINUS_INFINITY, Const, Expr
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.steps.step import Array, Op, Step
from workings.terms.address import Address, Name

Floats = npt.NDArray[np.float64]
# Where a formula has one operation a library may have two, a reciprocal and a product in place of a quotient: so twice
# the unit roundoff, and what a product of two such factors adds. Our own float64 is in that of float32; of two results
# in float64 each has its own.
UNITS = {"float32": 2.0**-23 * (1 + 2.0**-20), "float64": 2 * 2.0**-52 * (1 + 2.0**-50)}


def tolerance(dtype: str) -> str:
    """How far apart two numbers may be, in words."""
    return (
        f"for each number a running error bound of the formula's operations in {dtype}, each counted twice, worked at "
        "50 digits (`tests/support/bounds.py`)"
    )


def recipe_of(
    steps: Sequence[tuple[Step, Mapping[str, str]]],
    given: Mapping[str, tuple[tuple[str, ...], Any]],
    lengths: Mapping[str, int],
) -> Recipe:
    """A recipe of these steps alone.

    Args:
        steps: each with the arrays that its formal names mean, where these are others.
        given: axes and values of the arrays that they start from.
        lengths: what a formula reads and no axis has.
    """
    sizes = {"heads": 1, "kv_heads": 1, "layers": 1, **lengths}
    for axes, values in given.values():
        sizes |= dict(zip(axes, np.shape(values), strict=True))
    ops = tuple(
        Op(
            Name(step.name),
            step,
            step.axes,
            tuple(sizes[axis] for axis in step.axes),
            {formal: Name(actual) for formal, actual in reads.items()},
        )
        for step, reads in steps
    )
    arrays = {Name(name): Array(Name(name), axes, np.shape(values)) for name, (axes, values) in given.items()}
    return Recipe(ops, arrays, sizes, {}, AttentionSpec(), BlockSpec())


class Declared:
    """Steps over given arrays: their values, and the bound of each; ``dtype`` is what the other side works in."""

    def __init__(
        self,
        steps: Sequence[tuple[Step, Mapping[str, str]]],
        given: Mapping[str, tuple[tuple[str, ...], Any]],
        dtype: str = "float32",
        lengths: Mapping[str, int] | None = None,
    ) -> None:
        self.recipe = recipe_of(steps, given, lengths or {})
        values = {Name(name): np.asarray(numbers, np.float64) for name, (_, numbers) in given.items()}
        self._arrays = Arrays(self.recipe, values)
        exact = Exact(self.recipe, {name: _cells(of) for name, of in values.items()})
        self._bounds = Bounds(self.recipe, exact, UNITS[dtype])

    def array(self, name: str) -> tuple[Floats, Floats]:
        """An array, and how far from it the same worked by another may be."""
        values: Floats = np.asarray(self._arrays.array(Name(name)), np.float64)
        bound: Floats = np.zeros(values.shape)
        with mp.workdps(DIGITS):
            for index in np.ndindex(values.shape):
                bound[index] = float(self._bounds.cell(Address(Name(name), index)).error)
        return values, bound


def _cells(values: Floats) -> dict[tuple[int, ...], Expr]:
    return {
        index: Const(Fraction(float(values[index]))) if np.isfinite(values[index]) else MINUS_INFINITY
        for index in np.ndindex(values.shape)
    }

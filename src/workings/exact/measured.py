"""Cells that another engine measured, each with a bound of its error: formulas over them are worked in balls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from flint import arb

from workings.exact import values
from workings.exact.run import Exact
from workings.exact.values import Held
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name
from workings.terms.errors import OutsideDomain

Measure = Callable[[Name, tuple[int, ...]], tuple[float, float]]


class _Cells(Mapping[tuple[int, ...], Held]):
    """The cells of one array, measured when they are asked for."""

    def __init__(self, name: Name, measure: Measure) -> None:
        self.name, self.measure = name, measure

    def __getitem__(self, index: tuple[int, ...]) -> Held:
        value, bound = self.measure(self.name, index)
        if math.isnan(value) or math.isnan(bound):
            raise OutsideDomain(address=str(Address(self.name, index)), operation="")
        if math.isinf(value):
            return values.infinity(-1 if value < 0 else 1)
        if bound == 0:
            return values.rational(Fraction(value))
        return arb(value, bound)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        raise TypeError("cells are measured one at a time")

    def __len__(self) -> int:
        raise TypeError("cells are measured one at a time")


class Measured(Exact):
    """An engine over measured cells.

    Args:
        recipe: the steps.
        measure: a cell as a double, and how far the true value may lie from it; 0 where it is the number itself.
    """

    def __init__(self, recipe: Recipe, measure: Measure) -> None:
        super().__init__(recipe, {})
        self._measure = measure

    def cells(self, name: Name, bits: int) -> Mapping[tuple[int, ...], Held]:  # type: ignore[override]
        """The cells of an array; asking for more bits narrows nothing."""
        return _Cells(name, self._measure)

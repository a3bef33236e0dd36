"""Given doubles worked in balls from the first step on: no closed forms, so that long rows are quick."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

from workings.exact.run import Cells, Exact
from workings.steps.recipe import Recipe
from workings.terms.address import Name


class Balls(Exact):
    """An engine over doubles, each the exact centre of a ball without radius.

    Args:
        doubles: for every given array its cells by index.
    """

    def __init__(self, recipe: Recipe, doubles: Mapping[Name, Mapping[tuple[int, ...], float]]) -> None:
        super().__init__(recipe, {})
        self._doubles = doubles

    def _compute(self, name: Name, bits: int) -> Cells:
        if self.recipe.op(name) is not None:
            return super()._compute(name, bits)
        return {index: arb(value) for index, value in self._doubles[name].items()}

"""Finds the causes of wrong numbers: each altered recipe is run, and named only if it gives all of them.

The engine is handed in: the search asks for cells of altered recipes and knows neither numbers nor digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from workings.checking.causes.cause import Cause, Rows, Within
from workings.checking.causes.registry import CAUSES
from workings.steps.recipe import Recipe
from workings.terms.address import Address
from workings.terms.errors import WorkingsError
from workings.terms.numbers import Value

Cells = Callable[[Address], Value]
Fits = Callable[[Value], bool]
Ranges = Callable[[Address], Value | None]


class Engine(Protocol):
    """Runs altered recipes, or says None where nothing that was altered reaches the step."""

    def of(self, altered: Recipe) -> Cells | None:
        """The cells of the step; one may have no value, which is an error of ours."""

    def ranges(self, altered: Recipe) -> Ranges | None:
        """The same where the recipe gives ranges; None for one without bounds."""


def find_causes(
    recipe: Recipe,
    engine: Engine,
    wrong: Mapping[Address, Fits],
    rows: Rows | None = None,
    causes: Iterable[Cause] = CAUSES,
) -> list[Cause]:
    """Every cause that gives all the wrong numbers of one step; an empty list where no known slip does.

    Args:
        recipe: the steps as they are declared, with what was printed before as given where that is carried on.
        engine: runs the altered recipes.
        wrong: the wrong numbers of the step, each with the question whether a value is what was printed.
        rows: the same numbers as rows, for causes that are seen in them alone.
    """
    if not wrong:
        return []
    outside = _Outside(recipe, engine, wrong)
    found = []
    for cause in causes:
        if cause.pattern is not None:
            if rows is not None and rows.wrong and cause.pattern(rows):
                found.append(cause)
        elif cause.changes is not None and not (cause.within and all(map(outside.holds, cause.within))):
            for altered in cause.changes(recipe):
                if altered is not None and altered is not recipe and _gives(engine.of(altered), wrong):
                    found.append(cause)
                    break
    return found


class _Outside:
    """Which recipes of ranges a wrong number surely lies outside of; each is worked once."""

    def __init__(self, recipe: Recipe, engine: Engine, wrong: Mapping[Address, Fits]) -> None:
        self._recipe, self._engine, self._wrong = recipe, engine, wrong
        self._known: dict[Within, bool] = {}

    def holds(self, within: Within) -> bool:
        known = self._known.get(within)
        if known is None:
            known = self._known[within] = self._rules_out(within(self._recipe))
        return known

    def _rules_out(self, widened: Recipe | None) -> bool:
        cells = None if widened is None or widened is self._recipe else self._engine.ranges(widened)
        if cells is None:
            return False
        for address, fits in self._wrong.items():
            value = cells(address)
            if value is None:
                return False
            if not fits(value):
                return True
        return False


def _gives(cells: Cells | None, wrong: Mapping[Address, Fits]) -> bool:
    """Whether a recipe gives every wrong number; the first that it does not give settles it."""
    if cells is None:
        return False
    try:
        return all(fits(cells(address)) for address, fits in wrong.items())
    except WorkingsError:  # a cell without a value is no number that anyone printed
        return False

"""What a cause is: an id, a title in each language, and a recipe altered, or a pattern that printed rows show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from workings.steps.recipe import Recipe

Within = Callable[[Recipe], Recipe | None]


class Rows(Protocol):
    """Rows of one printed array beside the true ones; their maker says what counts as equal."""

    @property
    def wrong(self) -> list[int]:
        """Indices of the rows that hold wrong numbers."""

    @property
    def count(self) -> int:
        """How many rows there are."""

    def parts(self, row: int) -> list[list[float]]:
        """The terms that a row of weighted sums is made of, key by key; empty for any other array."""

    def printed(self, row: int) -> list[float]: ...

    def true(self, row: int) -> list[float]: ...

    def half(self, row: int) -> list[float]:
        """How far each printed number of a row may be from a value that it still stands for."""


@dataclass(frozen=True)
class Cause:
    """One known slip.

    Attributes:
        id: the kind of fault, with ``:variant`` where it has several.
        title: what went wrong, in each language.
        changes: every recipe that has this slip in it; none where it does not apply.
        pattern: whether wrong rows show it, where it is seen in the numbers alone.
        loses: whether it is a way to come by NaN from numbers, which says more of NaN than any way from NaN to NaN.
        across: whether its formulas read whole columns, so that no block of rows can be made by itself.
        within: recipes of ranges; what an altered recipe gives lies within what one of these gives. Several causes
            share them, and all are ruled out at once where a number lies outside.
    """

    id: str
    title: Mapping[str, str]
    changes: Callable[[Recipe], Iterator[Recipe | None]] | None = None
    pattern: Callable[[Rows], bool] | None = None
    loses: bool = False
    across: bool = False
    within: Sequence[Within] = ()

    def recipes(self, recipe: Recipe) -> Iterator[Recipe]:
        """The altered recipes."""
        return filter(None, () if self.changes is None else self.changes(recipe))

"""The scores of a recorded model's heads as a user holds them: a table that can be sorted by any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from workings.api.shown import Shown
from workings.terms import arguments
from workings.terms.errors import UnknownChoice
from workings.terms.model_errors import NotRecorded

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.scores import HeadScores
    from workings.explaining.tree import Document


class Scores(Shown):
    """The scores of heads, a row each: ``run.scores.by("induction")[0].address``.

    What each score is stands in ``workings.models.scores`` and in the table as it is shown.
    """

    def __init__(self, name: str, heads: list[HeadScores], view: View) -> None:
        self._name, self._heads, self._view = name, heads, view

    @property
    def names(self) -> tuple[str, ...]:
        """Which scores there are."""
        from workings.explaining.scores import names_of

        return tuple(names_of(self._heads))

    def by(self, score: str, *, least_first: bool = False) -> Scores:
        """The same heads, those with the largest score first; heads without it last. Raises ``UnknownChoice``."""
        from workings.explaining.scores import ranked
        from workings.models.scores import SCORES

        if str(score) not in SCORES:
            raise UnknownChoice(seen=str(score), choices=list(SCORES))
        return Scores(self._name, ranked(self._heads, score, least_first=least_first), self._view)

    def first(self, count: int) -> Scores:
        """The first so many of them. Raises ``BadCount``."""
        return Scores(self._name, self._heads[: arguments.count("count", count)], self._view)

    def __len__(self) -> int:
        return len(self._heads)

    def __iter__(self) -> Iterator[HeadScores]:
        return iter(self._heads)

    @overload
    def __getitem__(self, which: SupportsIndex | str) -> HeadScores: ...
    @overload
    def __getitem__(self, which: slice) -> Scores: ...
    def __getitem__(self, which: SupportsIndex | str | slice) -> HeadScores | Scores:
        """By place in the table, or by address; a slice is a table.

        Raises ``ArgumentForm``, ``IndexOutside``, or ``NotRecorded`` where there is no such head.
        """
        if isinstance(which, slice):
            return Scores(self._name, self._heads[arguments.part("head", which)], self._view)
        if not isinstance(which, str):
            return self._heads[arguments.place("scores", "head", len(self), which)]
        for head in self._heads:
            if head.address == which:
                return head
        raise NotRecorded(address=which, known=[head.address for head in self._heads])

    def document(self) -> Document:
        """A table of all of them, and what they mean."""
        from workings.explaining.scores import table
        from workings.explaining.tree import Code, Text

        return table(self._heads, Text("models.scores.title", {"name": Code(self._name)}))

    def data(self) -> dict[str, Any]:
        """``workings.scores/1``."""
        from workings.models.scores import SCORES

        def plain(numbers: Mapping[str, float | None]) -> dict[str, float | None]:
            return {name: numbers.get(name) for name in self.names}

        heads = [{"address": one.address, "scores": plain(one.scores), "bounds": plain(one.bounds)} for one in self]
        formulas = {name: SCORES[name].formula for name in self.names}
        return {"schema": "workings.scores/1", "model": self._name, "formulas": formulas, "heads": heads}

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Scores {self._name!r}: {len(self)} heads, {', '.join(self.names) or 'none'}>"

"""The trace a user holds: every array and number by its name, and the whole of it explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from workings.api.above import above
from workings.api.array import Array
from workings.api.number import Number, is_unsettled
from workings.api.opening import placed, trace_of
from workings.api.view import View
from workings.api.worked import WorkedArrays
from workings.terms import arguments
from workings.terms.errors import BadAddress

if TYPE_CHECKING:
    from workings.examples.example import Example
    from workings.explaining.tree import Document
    from workings.explaining.worked import Arrays
    from workings.traces import trace as traces


class Trace(WorkedArrays):
    """A worked example. Reading it draws nothing; ``explain`` says how it is to be told."""

    def __init__(self, example: Example, trace: traces.Trace, view: View, source: Any = None) -> None:
        self._example = example
        self._trace = trace
        self._view = view
        self._source = source  # what it was opened from

    # --- its numbers ---

    def __getitem__(self, name: str) -> Any:
        """``trace["weight"]`` is an ``Array``, ``trace["weight[2,0]"]`` a ``Number``, with ``:`` a list of them.

        Raises ``BadAddress``, ``UnknownArray``, ``WrongIndexCount``, ``IndexOutside``, ``UnknownToken`` or
        ``TokenNotUnique``.
        """
        with placed(self._example):
            found, index = self._trace.find(name)
            array = Array(self._trace, found, self._view)
            return array if array.shape and "[" not in name else array.pick(index)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def names(self) -> list[str]:
        """All its arrays: given ones first, then in order of computation."""
        return [str(name) for name in self._trace.recipe.names()]

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its words, in order."""
        return self._trace.labels("token")

    @property
    def title(self) -> str:
        """Its title in the language of the view."""
        title = self._trace.source.title
        return title.get(self._view.language) or next(iter(title.values()), "")

    def array(self, name: str) -> Array:
        """One array by its name alone; raises ``BadAddress`` or ``UnknownArray``."""
        if "[" in arguments.address(name):
            raise BadAddress(text=name, position=name.index("["))
        with placed(self._example):
            found, _ = self._trace.find(name)
            return Array(self._trace, found, self._view)

    def number(self, address: str) -> Number:
        """One number by its address; raises as ``trace[…]`` does, and ``WholeRowNotCell``."""
        with placed(self._example):
            return Number(self._trace, self._trace.cell(address), self._view)

    def unsure(self) -> list[str]:
        """Addresses of numbers whose printed digits 4,096 bits do not settle."""
        with placed(self._example):
            told = self._told()
            cells = (address for name in told.recipe.names() for address in told.cells(name))
            return [str(address) for address in cells if is_unsettled(told.value(address))]

    # --- how it is told ---

    def explain(
        self,
        *,
        show: str | None = None,
        token: str | None = None,
        lang: str | None = None,
        precision: str | int | None = None,
        carry: int | None = None,
    ) -> Trace:
        """The same trace told another way; what is not named stays as it is.

        Args:
            show: whose arithmetic is written out: ``cell``, ``row``, ``all`` or ``auto``.
            token: the word whose row is followed, ``它`` or ``它#2``.
            lang: ``en`` or ``zh``.
            precision: decimals shown, ``auto`` or ``exact``.
            carry: decimals to which every result is rounded and carried on, as on paper.
        """
        view = self._view.changed(show=show, token=token, lang=lang, precision=precision, carry=carry)
        return Trace(self._example, self._trace, view, self._source)

    def widget(self) -> Any:
        """The page of the example, to step through and to change, in a notebook.

        Raises ``MissingExtra`` without the packages of ``workings[jupyter]``.
        """
        return above("web.widget").example_of(self._source, self._view)

    def document(self) -> Document:
        """Every step, as a display tree."""
        from workings.explaining.options import Options
        from workings.explaining.walk import explain

        view = self._view
        truth = None if view.carry is None else self._trace
        with placed(self._example):
            return explain(self._told(), Options(view.show, view.token, view.digits, truth, view.carry))

    def arrays(self) -> Arrays:
        """Every matrix of the explanation, with what stands behind its numbers."""
        from workings.explaining.worked import behind

        with placed(self._example):
            return behind(self.document(), self._told(), self._view.digits, self._view.carry)

    def data(self) -> dict[str, Any]:
        """``workings.trace/1``."""
        from workings.explaining.data import trace_data

        with placed(self._example):
            return trace_data(self._told(), self._view.language)

    def _told(self) -> traces.Trace:
        """The exact trace, or the one whose results are rounded and carried on."""
        return self._trace if self._view.carry is None else trace_of(self._example, self._view.carry)

    def __repr__(self) -> str:
        return f"<Trace {self.title!r}: {len(self.tokens)} tokens, {len(self)} arrays>"

"""One array of a trace: its shape, the words along it, and its numbers by index or by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from workings.api.number import Number
from workings.api.worked import WorkedArrays
from workings.terms.address import Address, TokenIndex, resolve
from workings.terms.arguments import part, whole
from workings.terms.errors import WrongIndexCount

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.tree import Document
    from workings.explaining.worked import Arrays
    from workings.terms.address import IndexItem, Name
    from workings.traces.trace import Trace

Item = SupportsIndex | str | slice
INDEX, EXAMPLES = "index", ("0", "-1", '"it"', '"it#2"', "2:5")
LONGEST_OCCURRENCE = 9  # digits


class Array(WorkedArrays):
    """An array of numbers. Indices count from 0; a word may stand for one, ``"它#2"`` for its second occurrence."""

    def __init__(self, trace: Trace, name: Name, view: View) -> None:
        self._trace = trace
        self._name = name
        self._view = view
        self._array = trace.array(name)

    @property
    def address(self) -> str:
        """Its name anywhere: ``L0.H1.weight``."""
        return str(self._name)

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of its axes, outermost first."""
        return self._array.axes

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of its axes."""
        return self._array.shape

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The words along each axis; empty where an axis has none."""
        return tuple(self._trace.labels(axis) for axis in self.axes)

    def values(self) -> Any:
        """All its numbers, as nested lists."""
        return self[()]

    def __getitem__(self, index: Item | tuple[Item, ...]) -> Any:
        """A ``Number``, or nested lists of them where an axis is left out or sliced.

        Raises ``WrongIndexCount``, ``IndexOutside``, ``ArgumentForm``, ``UnknownToken`` or ``TokenNotUnique``.
        """
        items = index if isinstance(index, tuple) else (index,)
        if len(items) > len(self.shape):
            raise WrongIndexCount(address=self.address, axes=list(self.axes), seen=len(items))
        written = [index_item(item, words) for item, words in zip(items, self.labels, strict=False)]
        written += [slice(None)] * (len(self.shape) - len(items))
        return self.pick(resolve(self._name, written, self.axes, self.shape, self.labels))

    def pick(self, index: Sequence[int | slice], before: tuple[int, ...] = ()) -> Any:
        """What stands at an index that is resolved already."""
        if not index:
            return self._number(Address(self._name, before))
        first, rest = index[0], index[1:]
        if isinstance(first, int):
            return self.pick(rest, (*before, first))
        size = self.shape[len(before)]
        return [self.pick(rest, (*before, place)) for place in range(*first.indices(size))]

    def _number(self, address: Address) -> Number:
        return Number(self._trace, address, self._view)

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 1

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        return f"<Array {self.address}: {' × '.join(self.axes)} = {' × '.join(map(str, self.shape))}>"

    def explain(self, *, lang: str | None = None, precision: str | int | None = None) -> Self:
        """The same array told another way."""
        out = copy(self)
        out._view = self._view.changed(lang=lang, precision=precision)
        return out

    def document(self) -> Document:
        """The whole array as it is printed."""
        from workings.explaining.matrices import matrix
        from workings.explaining.numbers import Numbers
        from workings.explaining.tree import Code, Document

        return Document(Code(self.address), (matrix(Numbers(self._trace, self._view.digits), self._name),))

    def arrays(self) -> Arrays:
        """The array, with what stands behind its numbers."""
        from workings.explaining.worked import behind

        return behind(self.document(), self._trace, self._view.digits)

    def data(self) -> dict[str, Any]:
        """Its entry in ``workings.trace/1``."""
        from workings.explaining.data import array_data

        return array_data(self._trace, self._array)


def index_item(item: Item, words: Sequence[str]) -> IndexItem:
    """An index as an address has it; ``它#2`` names the second one, unless that is a word itself.

    Raises ``ArgumentForm``.
    """
    if isinstance(item, slice):
        return part(INDEX, item)
    if not isinstance(item, str):
        return whole(INDEX, item, *EXAMPLES)
    token, mark, occurrence = item.rpartition("#")
    numbered = occurrence.isdecimal() and occurrence.isascii() and len(occurrence) <= LONGEST_OCCURRENCE
    if mark and item not in words and numbered:
        return TokenIndex(token, int(occurrence))
    return TokenIndex(item)

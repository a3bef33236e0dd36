"""Addresses: one name for one number, in hand examples, documents, dumps and models.

``[enc.|dec.|text.|vision.][cross.][L<n>.][H<n>.|G<n>.]name[index]``, zero-based; a
prefix stands only where there are several. ``text.`` and ``vision.`` are the stacks of a model that reads both.
``grad.`` is how much the loss changes with a number, ``updated.`` a weight after one step of training.
``G<n>`` is a group of query heads that share one key and one value head (grouped-query attention,
Ainslie et al. 2023). A token may stand for an index: ``weight["它","小猫"]``; one that occurs more than once needs
``"它"#2`` (counted from 1). ``:`` stands for a whole axis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from workings.terms import arguments
from workings.terms.errors import (
    BadAddress,
    IndexOutside,
    TokenNotUnique,
    UnknownToken,
    WholeRowNotCell,
    WrongIndexCount,
)
from workings.terms.records import record


class Name(NamedTuple):  # names and addresses are tuples: every look-up of a cell asks for their hashes
    """The name of a whole array: where it stands, and what it is called."""

    name: str
    layer: int | None = None
    head: int | None = None
    group: int | None = None
    part: str = ""
    cross: bool = False

    def __str__(self) -> str:
        prefix = f"{self.part}." if self.part else ""
        prefix += "cross." if self.cross else ""
        prefix += f"L{self.layer}." if self.layer is not None else ""
        prefix += f"H{self.head}." if self.head is not None else ""
        prefix += f"G{self.group}." if self.group is not None else ""
        return prefix + self.name

    def called(self, name: str) -> Name:
        """Another array at the same place."""
        return self._replace(name=name)


class Address(NamedTuple):
    """The name of one number."""

    array: Name
    index: tuple[int, ...] = ()  # type: ignore[assignment]  # no place in the tuple

    def __str__(self) -> str:
        return f"{self.array}[{','.join(map(str, self.index))}]" if self.index else str(self.array)


@record
class TokenIndex:
    """A token that stands for an index; ``occurrence`` counts from 1, 0 when none was written."""

    token: str
    occurrence: int = 0


WHOLE = slice(None)
IndexItem = int | slice | TokenIndex

_PREFIX = re.compile(
    r"(?:(enc|dec|text|vision|grad|updated)\.)?(cross\.)?(?:L(\d{1,6})\.)?(?:H(\d{1,6})\.)?(?:G(\d{1,6})\.)?([A-Za-z_]\w*)"
)
_ITEM = re.compile(r"""\s*(?:(-?\d{1,12})|(:)|"((?:[^"\\]|\\.)*)"(?:#(\d{1,9}))?)\s*""", re.DOTALL)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def parse_address(text: str) -> tuple[Name, tuple[IndexItem, ...]]:
    """Read an address as it is written. The index may hold tokens and ``:``; ``resolve`` turns it into numbers.

    Raises ``BadAddress`` with the position (from 0) of the first character that does not fit.
    """
    start = _PREFIX.match(arguments.address(text))
    if start is None:
        raise BadAddress(text=text, position=0)
    part, cross, layer, head, group, name = start.groups()
    array = Name(name, _number(layer), _number(head), _number(group), part or "", bool(cross))
    position = start.end()
    if position == len(text):
        return array, ()
    if text[position] != "[":
        raise BadAddress(text=text, position=position)
    items: list[IndexItem] = []
    while text[position : position + 1] in ("[", ","):
        item = _ITEM.match(text, position + 1)
        if item is None:
            raise BadAddress(text=text, position=position + 1)
        number, whole, token, occurrence = item.groups()
        if number is not None:
            items.append(int(number))
        elif whole is not None:
            items.append(WHOLE)
        else:
            items.append(TokenIndex(re.sub(r"\\(.)", r"\1", token), int(occurrence or 0)))
        position = item.end()
    if text[position:] != "]":
        raise BadAddress(text=text, position=position)
    return array, tuple(items)


def _position(item: TokenIndex, labels: Sequence[str]) -> int:
    found = [i for i, label in enumerate(labels) if label == item.token]
    if not found:
        raise UnknownToken(token=item.token, known=list(labels))
    if item.occurrence == 0 and len(found) > 1:
        raise TokenNotUnique(token=item.token, positions=found)
    if item.occurrence > len(found):
        raise TokenNotUnique(token=item.token, positions=found)
    return found[max(item.occurrence, 1) - 1]


def resolve(
    array: Name, items: Sequence[IndexItem], axes: Sequence[str], shape: Sequence[int], labels: Sequence[Sequence[str]]
) -> tuple[int | slice, ...]:
    """Numbers for a written index, checked against the array.

    ``labels`` holds, per axis, the tokens along it (empty where the axis has none). Raises ``WrongIndexCount``,
    ``IndexOutside``, ``UnknownToken`` or ``TokenNotUnique``.
    """
    if len(items) != len(shape):
        raise WrongIndexCount(address=str(array), axes=list(axes), seen=len(items))
    out: list[int | slice] = []
    for item, axis, size, tokens in zip(items, axes, shape, labels, strict=True):
        if isinstance(item, TokenIndex):
            out.append(_position(item, tokens))
        elif isinstance(item, slice):
            out.append(item)
        elif -size <= item < size:
            out.append(item % size)
        else:
            raise IndexOutside(address=str(array), axis=axis, size=size, seen=item)
    return tuple(out)


def cell_address(array: Name, index: Sequence[int | slice]) -> Address:
    """The address of one number; raises ``WholeRowNotCell`` where ``:`` stands for an axis."""
    numbers = [i for i in index if isinstance(i, int)]
    if len(numbers) != len(index):
        shown = ",".join(":" if isinstance(i, slice) else str(i) for i in index)
        raise WholeRowNotCell(address=f"{array}[{shown}]")
    return Address(array, tuple(numbers))

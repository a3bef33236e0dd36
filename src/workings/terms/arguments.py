"""Arguments of public functions: each as it is meant, or an error of ours that says how it is written."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

from workings.terms.errors import ArgumentForm, BadAddress, BadCount, IndexOutside

LARGEST = 2**63 - 1
PLACES = ("0", "-1", "slice(2, 5)")


def whole(name: str, given: Any, *examples: str) -> int:
    """A whole number; a truth value is none. Raises ``ArgumentForm``."""
    try:
        number = None if type(given) is bool else operator.index(given)
        if number is None or abs(number) > LARGEST:
            raise TypeError
        return number
    except (TypeError, RuntimeError):  # the latter of tensors that are no single number
        raise ArgumentForm(name=name, seen=repr(given), examples=list(examples or PLACES[:2])) from None


def count(name: str, given: Any, least: int = 0) -> int:
    """So many, ``least`` or more. Raises ``BadCount``."""
    try:
        number = whole(name, given)
    except ArgumentForm:
        if isinstance(given, int) and given > LARGEST:
            raise
        raise BadCount(name=name, seen=repr(given), least=least) from None
    if number < least:
        raise BadCount(name=name, seen=number, least=least)
    return number


def place(address: str, axis: str, size: int, given: Any) -> int:
    """A place along an axis, from its end where it is negative. Raises ``ArgumentForm`` or ``IndexOutside``."""
    number = whole(axis, given)
    if not -size <= number < size:
        raise IndexOutside(address=address, axis=axis, size=size, seen=number)
    return number % size


def part(name: str, given: slice) -> slice:
    """A part of an axis, its ends whole numbers. Raises ``ArgumentForm``."""
    ends = [None if end is None else whole(name, end, *PLACES) for end in (given.start, given.stop, given.step)]
    if ends[2] == 0:
        raise ArgumentForm(name=name, seen=repr(given), examples=list(PLACES))
    return slice(*ends)


def stretch(address: str, axis: str, size: int, given: Any) -> range:
    """Neighbouring places along an axis: a range, a slice or one place. Raises ``ArgumentForm`` or ``IndexOutside``."""
    if isinstance(given, slice):
        found = range(*part(axis, given).indices(size))
    elif isinstance(given, range):
        found = given
    else:
        one = place(address, axis, size, given)
        found = range(one, one + 1)
    if found.step != 1:
        raise ArgumentForm(name=axis, seen=repr(given), examples=["range(0, 256)", *PLACES])
    if found and not 0 <= found[0] <= found[-1] < size:
        raise IndexOutside(address=address, axis=axis, size=size, seen=found)
    return found if found else range(0)


def path(name: str, given: Any) -> str:
    """Where a file or a folder lies. Raises ``ArgumentForm``."""
    try:
        found = os.fspath(given)
    except TypeError:
        found = b""
    if not isinstance(found, str):
        raise ArgumentForm(name=name, seen=repr(given), examples=['"recording"', 'Path("recording")'])
    return found


def names(name: str, table: Mapping[Any, Any], *examples: str) -> None:
    """Raises ``ArgumentForm`` where something in a table stands under what is no text."""
    for key in table:
        if not isinstance(key, str):
            raise ArgumentForm(name=name, seen=repr(key), examples=[repr(example) for example in examples])


def places(name: str, given: Any) -> list[int] | None:
    """Some whole numbers, one at least, or None for all. Raises ``ArgumentForm``."""
    if given is None:
        return None
    examples = ["[0, 5]", "range(3)"]
    try:
        found = [] if isinstance(given, (str, bytes, Mapping)) else list(given)
    except TypeError:
        found = []
    if not found:
        raise ArgumentForm(name=name, seen=repr(given), examples=examples)
    return [whole(name, one, *examples) for one in found]


def text(name: str, given: Any) -> str | None:
    """A text, or None for none. Raises ``ArgumentForm``."""
    if given is not None and not isinstance(given, str):
        raise ArgumentForm(name=name, seen=repr(given), examples=['"The cat ate."'])
    return given


def address(given: Any) -> str:
    """An address as it is written. Raises ``BadAddress`` for what is no text."""
    if not isinstance(given, str):
        raise BadAddress(text=repr(given), position=0)
    return given

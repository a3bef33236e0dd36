"""Single fields of an example: texts, numbers, choices, tables and matrices, each checked as it is read."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from workings.examples.fields import HOMES
from workings.examples.limits import MAX_NUMBER_CHARACTERS, within
from workings.examples.parse import Written
from workings.examples.place import LONGEST_SHOWN, Place, inert
from workings.steps.language import Const, Expr, Infinity, Log, Mul, Sqrt
from workings.steps.literal import Literal, read_literal
from workings.terms.errors import (
    MisplacedField,
    MissingField,
    NotFinite,
    NotPositive,
    NotUnicode,
    RaggedMatrix,
    UnknownChoice,
    UnknownField,
    WorkingsError,
    WrongType,
)

_ORDINARY = (Written, str, float)
_MAX_BITS = 1300  # about 400 decimal digits
_read_literal = lru_cache(maxsize=4096)(read_literal)

Cells = dict[tuple[int, ...], Literal]


def describe(value: Any) -> str:
    """A value as a message shows it: short, of any type, and free of sentences."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Written):
        return inert(value)
    if isinstance(value, str):
        return f'"{inert(value)}"'
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _MAX_BITS else f"2^{value.bit_length() - 1}…"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{…}" if value else "{}"
    if isinstance(value, (list, tuple)):
        return f"[…] × {len(value)}" if value else "[]"
    return type(value).__name__


def wrong_type(value: Any, expected: str, place: Place) -> NoReturn:
    """Raises ``WrongType``; ``expected`` is a key of the words: ``table``, ``text``, ``number`` …."""
    raise WrongType(seen=describe(value), expected=expected).at(str(place))


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that look most like one, or all of them (at most 40) where none does."""
    names = list(known)
    close = difflib.get_close_matches(name, names[:500], n=3) if len(name) <= LONGEST_SHOWN else []
    return close or names[:40]


def table(value: Any, place: Place, known: Sequence[str] | None = None) -> Mapping[str, Any]:
    """A table whose keys are all known; None for any keys."""
    if not isinstance(value, Mapping):
        wrong_type(value, "table", place)
    for key in value:
        if not isinstance(key, str):
            wrong_type(key, "text", place)
        if known is not None and key not in known and key in HOMES:
            raise MisplacedField(field=inert(key), home=HOMES[key]).at(str(place / key))
        if known is not None and key not in known:
            raise UnknownField(field=inert(key), known=nearest(key, known)).at(str(place / key))
        unicode(key, place)
    return value


def require(value: Mapping[str, Any], key: str, why: str, place: Place) -> Any:
    """A field that must be there."""
    if key not in value:
        raise MissingField(field=key, why=why).at(str(place / key))
    return value[key]


def unicode(value: str, place: Place) -> str:
    """A text that can be written as UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        start = max(error.start - 20, 0)
        raise NotUnicode(seen=inert(value[start : error.start + 20])).at(str(place)) from None
    return value


def text(value: Any, place: Place) -> str:
    """A text that is not a number."""
    if not isinstance(value, str) or isinstance(value, Written):
        wrong_type(value, "text", place)
    return unicode(value, place)


def texts(value: Any, place: Place) -> tuple[str, ...]:
    """A list of texts."""
    items = plain_list(value)
    if items is None:
        wrong_type(value, "list-of-texts", place)
    return tuple(text(item, place / i) for i, item in enumerate(items))


def plain_list(value: Any) -> Sequence[Any] | None:
    """A list, a tuple, or an array of numpy or torch as one; None for anything else."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return value if isinstance(value, (list, tuple)) else None


def choice(value: Any, choices: Sequence[str], place: Place) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise UnknownChoice(seen=describe(value), choices=list(choices)).at(str(place))
    return value


def flag(value: Any, place: Place) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        wrong_type(value, "true-or-false", place)
    return value


def number(value: Any, place: Place, *, infinite: bool = False) -> Literal:
    """A number as its author wrote it; minus infinity only where ``infinite`` allows it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Fraction, Decimal)):
        wrong_type(value, "number", place)
    try:
        literal = _literal(value, place)
        if isinstance(literal.value, Infinity) and not infinite:
            raise NotFinite(seen=literal.text)
    except WorkingsError as error:
        if error.values.get("seen") is not None and isinstance(value, str):
            error.values["seen"] = inert(value)
        raise error.at(str(place)) from None
    return literal


@lru_cache(maxsize=8192)
def _plain(written: str) -> Literal | None:
    """A number of an ordinary length, read without a place; None for what ``number`` has to look at.

    Kept by its text: as a key, −0.0 would be 0.0.
    """
    if len(written) > MAX_NUMBER_CHARACTERS:
        return None
    try:
        return read_literal(written)
    except WorkingsError:
        return None


def _cell(item: Any, place: Place, index: tuple[int, ...], infinite: bool) -> Literal:
    """``number``, without building the place of a cell that is fine: there may be half a million of them."""
    if type(item) in _ORDINARY:
        literal = _plain(repr(item) if isinstance(item, float) else str(item))
        if literal is not None and not isinstance(literal.value, Infinity):
            return literal
    return number(item, Place(place.source, (*place.parts, *index)), infinite=infinite)


def _literal(value: str | float | Fraction | Decimal, place: Place) -> Literal:
    if isinstance(value, int):
        within(
            "number", len(str(value)) if value.bit_length() <= _MAX_BITS else value.bit_length() * 3 // 10, 400, place
        )
        return Literal(str(value), Const(value))
    if isinstance(value, Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        within("number", bits * 3 // 10, MAX_NUMBER_CHARACTERS, place)
        return Literal(str(value), Const(value))
    written = value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
    within("number", len(written), MAX_NUMBER_CHARACTERS, place)
    return _read_literal(str(written))


def whole(value: Any, place: Place, low: int, high: int, what: str) -> int:
    """A whole number from ``low`` to ``high``; above that ``TooLarge`` with ``what``."""
    literal = number(value, place)
    if isinstance(value, str) and not isinstance(value, Written):
        wrong_type(value, "whole-number", place)
    read = literal.value
    if not isinstance(read, Const) or Fraction(read.value).denominator != 1:
        wrong_type(value, "whole-number", place)
    found = int(read.value)
    if found < low:
        wrong_type(value, "positive-whole-number" if low > 0 else "whole-number", place)
    return within(what, found, high, place)


def sign(value: Expr) -> int:
    """The sign of a written number: -1, 0 or 1."""
    if isinstance(value, Const):
        return (value.value > 0) - (value.value < 0)
    if isinstance(value, Infinity):
        return value.sign
    if isinstance(value, Mul):
        return sign(value.left) * sign(value.right)
    if isinstance(value, Sqrt):
        return sign(value.arg)
    if isinstance(value, Log) and isinstance(value.arg, Const):
        return sign(Const(value.arg.value - 1))
    raise TypeError(f"not a written number: {value}")


def positive(value: Any, place: Place, *, zero: bool = False) -> Literal:
    """A number above 0, or above or at it."""
    literal = number(value, place)
    if sign(literal.value) < (0 if zero else 1):
        raise NotPositive(seen=inert(literal.text), least="zero" if zero else "above-zero").at(str(place))
    return literal


def depth(value: Any) -> int:
    """How deep lists are nested, along their first elements; at most 5."""
    found = 0
    items = plain_list(value)
    while items is not None and found < 5:
        found += 1
        items = plain_list(items[0]) if items else None
    return found


def vector(value: Any, place: Place, *, infinite: bool = False) -> tuple[tuple[int, ...], Cells]:
    """Shape and cells of a list of numbers."""
    items = plain_list(value)
    if not items:
        wrong_type(value, "list-of-numbers", place)
    return (len(items),), {(i,): _cell(item, place, (i,), infinite) for i, item in enumerate(items)}


def matrix(value: Any, place: Place, *, infinite: bool = False) -> tuple[tuple[int, ...], Cells]:
    """Shape and cells of a list of rows of numbers, all as long as the first."""
    rows = plain_list(value)
    if not rows:
        wrong_type(value, "matrix", place)
    cells: Cells = {}
    width = 0
    for i, row in enumerate(rows):
        items = plain_list(row)
        if not items:
            wrong_type(row, "row", place / i)
        width = width or len(items)
        if len(items) != width:
            raise RaggedMatrix(row=i, seen=len(items), expected=width).at(str(place / i))
        for j, item in enumerate(items):
            cells[i, j] = _cell(item, place, (i, j), infinite)
    return (len(rows), width), cells


def is_seed(value: Any) -> bool:
    """Whether ``{seed = n}`` stands where an array may stand."""
    return isinstance(value, Mapping) and set(value) == {"seed"} and plain_list(value["seed"]) is None


def seed(value: Mapping[str, Any], place: Place) -> int:
    """The seed of ``{seed = n}``."""
    found = value["seed"]
    if isinstance(found, bool) or not re.fullmatch(r"[1-9]\d{0,9}", str(found)[:11]) or int(found) >= 2**31 - 1:
        wrong_type(found, "seed", place / "seed")
    return int(found)

"""JSON by the contract: keys as they are given, a row of a matrix on one line, nothing a terminal obeys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

STEP = "  "


def draw(data: Mapping[str, Any]) -> str:
    """The document as UTF-8 text that any reader of JSON understands, with a line feed at its end.

    Characters stand as themselves, save those that are invisible, turn the line or cannot be encoded (lone
    surrogates); these are escaped, which leaves their value as it is. Raises ``ValueError`` for NaN and infinities.
    """
    return "".join(_escaped(c) if _is_unsafe(c) else c for c in _value(data, "")) + "\n"


def _value(value: Any, indent: str) -> str:
    inner = indent + STEP
    if isinstance(value, Mapping) and value:
        entries = (f"{inner}{_scalar(str(key))}: {_value(item, inner)}" for key, item in value.items())
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    if _is_list(value) and any(isinstance(item, Mapping) or _is_list(item) for item in value):
        return "[\n" + ",\n".join(inner + _value(item, inner) for item in value) + f"\n{indent}]"
    if _is_list(value):
        return f"[{', '.join(map(_scalar, value))}]"
    return _scalar(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _is_unsafe(character: str) -> bool:
    return character > "~" and (
        "\x7f" <= character <= "\x9f"
        or "\u200b" <= character <= "\u200f"
        or "\u2028" <= character <= "\u202e"
        or "\u2060" <= character <= "\u2069"
        or "\ud800" <= character <= "\udfff"
        or character == "\ufeff"
    )


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}"

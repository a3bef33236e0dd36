"""Where in a file a field stands, so that an error can name file, line and field."""

from __future__ import annotations

import re
from dataclasses import field

from workings.terms.records import record

LONGEST_SHOWN = 60
_LONGEST_SEARCHED = 200
_TABLES = ("inputs", "attention", "block", "claims")
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*[A-Za-z_][\w.-]*[ \t]*\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|#[^\n]*|[\[\]{},]', re.DOTALL)


def inert(text: str) -> str:
    """A text cut to a length for messages, with everything that does not print as an escape."""
    cut = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


@record
class Source:
    """A text that was read: where from, and whether it is ``toml`` or ``json`` (empty for Python data)."""

    path: str = ""
    text: str = field(default="", repr=False)
    kind: str = ""


@record
class Place:
    """A field: the keys and indices that lead to it. ``str`` gives ``file.toml, line 7, [inputs].Q[1]``."""

    source: Source
    parts: tuple[str | int, ...] = ()

    def __truediv__(self, part: str | int) -> Place:
        return Place(self.source, (*self.parts, part))

    @property
    def name(self) -> str:
        """The field without its file: ``[inputs].Q[1]``."""
        shown = ""
        for depth, part in enumerate(self.parts):
            if isinstance(part, int):
                shown += f"[{part}]"
            elif depth == 0:
                shown = f"[{part}]" if part in _TABLES else "[[layer]]" if part == "layer" else _key(part)
            else:
                shown += f".{_key(part)}"
        return shown

    @property
    def line(self) -> int | None:
        """The line of the field, or of the nearest table around it that the text shows; None where there is none."""
        position = _position(self.source, self.parts) if self.source.kind and self.parts else None
        return None if position is None else self.source.text.count("\n", 0, position) + 1

    def __str__(self) -> str:
        line = self.line
        parts = (inert(self.source.path), f"line {line}" if line else "", self.name)
        return ", ".join(part for part in parts if part)


def _key(part: str) -> str:
    return part if re.fullmatch(r"[\w-]{1,60}", part) else f'"{inert(part)}"'


def _position(source: Source, parts: tuple[str | int, ...]) -> int | None:
    """The offset of a field; as far along its path as the text can be followed."""
    text, start, end = source.text, 0, len(source.text)
    found: int | None = None
    if source.kind == "toml":
        header = _toml_header(text, parts)
        if header is not None:
            (found, start), used = header
            after = _HEADER.search(text, start)
            end = after.start() if after else end
            parts = parts[used:]
        else:
            first = _HEADER.search(text)
            end = first.start() if first else end
    for part in parts:
        if isinstance(part, int):
            at = _element(text, start, end, part)
        else:
            at = _key_position(source.kind, text, part, start, end)
        if at is None:
            break
        found = at[0]
        start = at[1]
    return found


def _toml_header(text: str, parts: tuple[str | int, ...]) -> tuple[tuple[int, int], int] | None:
    """Begin and end of the header line of the innermost table on the path, and how many parts it stands for."""
    first = parts[0]
    if isinstance(first, int):
        return None
    if len(parts) > 1 and isinstance(parts[1], int):
        pattern = rf"^[ \t]*\[\[[ \t]*{re.escape(first)}[ \t]*\]\]"
        for count, match in enumerate(re.finditer(pattern, text, re.MULTILINE)):
            if count == parts[1]:
                return match.span(), 2
        return None
    names = [part for part in parts if isinstance(part, str)]
    for used in range(min(len(names), 3), 0, -1):
        if any(len(name) > _LONGEST_SEARCHED for name in names[:used]):
            continue
        dotted = r"[ \t]*\.[ \t]*".join(map(re.escape, names[:used]))
        single = re.search(rf"^[ \t]*\[[ \t]*{dotted}[ \t]*\]", text, re.MULTILINE)
        if single is not None:
            return single.span(), used
    return None


def _key_position(kind: str, text: str, key: str, start: int, end: int) -> tuple[int, int] | None:
    if len(key) > _LONGEST_SEARCHED:
        return None
    name = re.escape(key)
    if kind == "json":
        patterns = [rf'"{name}"\s*:']
    else:
        quoted = rf"(?:{name}|\"{name}\"|'{name}')(?=[ \t]*[=.])"
        patterns = [rf"^[ \t]*{quoted}", rf"(?:[{{,.][ \t]*){quoted}"]
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(text, start, end)
        if match is not None:
            return match.span()
    return None


def _element(text: str, start: int, end: int, index: int) -> tuple[int, int] | None:
    """The offset of an element of the list that opens after ``start``."""
    depth = seen = 0
    for match in _PIECE.finditer(text, start, end):
        piece = match[0]
        if piece == "," and depth == 1:
            seen += 1
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
        if depth == 0 and piece in "]}":
            return None
        if seen == index and (depth == 1 or (depth == 2 and piece in "[{")) and piece in "[{,":
            after = re.compile(r"[\s,]*").match(text, match.end() if depth == 1 else match.start())
            place = after.end() if after else match.end()
            return place, place
    return None

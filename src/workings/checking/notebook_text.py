"""Where the characters of a notebook's cells stand in its file: the text of JSON strings, escape by escape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

BLANK = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()
ESCAPE, UNICODE_ESCAPE = 2, 6
PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


@dataclass
class CellText:
    """A text as a notebook holds it: its characters, and where in the file each of them begins and ends."""

    text: str
    places: list[tuple[int, int]]

    def slice(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the file a stretch of the text stands."""
        return self.places[start][0], self.places[stop - 1][1]

    def __add__(self, other: CellText) -> CellText:
        return CellText(self.text + other.text, self.places + other.places)

    def stripped(self) -> CellText:
        """Without line feeds at the end."""
        text = self.text.rstrip("\n")
        return CellText(text, self.places[: len(text)])


NOTHING = CellText("", [])


def cell_texts(raw: str) -> list[CellText]:
    """The texts of the cells of a notebook that has been read before, put together as the reader does it."""
    top = dict(_members(raw, _next(raw, 0)))
    if "cells" not in top:
        return []
    return [_cell(raw, at) for at in _elements(raw, top["cells"])]


def _cell(raw: str, at: int) -> CellText:
    members = dict(_members(raw, at))
    text = _joined(raw, members.get("source"))
    if _string(raw, members.get("cell_type")) != "code":
        return text
    outputs = [_output(raw, each) for each in _elements(raw, members.get("outputs"))]
    shown = [each.stripped() for each in outputs if each.text]
    if not shown:
        return text
    output = shown[0]
    for each in shown[1:]:
        output = output + _joint(output) + each
    text = text.stripped()
    return text + _joint(text) + output


def _output(raw: str, at: int) -> CellText:
    members = dict(_members(raw, at))
    text = _joined(raw, members.get("text"))
    if text.text:
        return text
    return _joined(raw, dict(_members(raw, members.get("data"))).get("text/plain"))


def _joint(before: CellText) -> CellText:
    """A line feed that stands nowhere in the file."""
    at = before.places[-1][1] if before.places else 0
    return CellText("\n", [(at, at)])


def _joined(raw: str, at: int | None) -> CellText:
    """A text held whole or line by line."""
    if at is None or raw[at] not in '"[':
        return NOTHING
    text: list[str] = []
    places: list[tuple[int, int]] = []
    for start in [at] if raw[at] == '"' else [each for each in _elements(raw, at) if raw[each] == '"']:
        part, end = DECODER.raw_decode(raw, start)
        text.append(part.encode("utf-8", "replace").decode("utf-8"))
        places += _characters(raw, start + 1, end - 1)
    return CellText("".join(text), places)


def _characters(raw: str, at: int, stop: int) -> Iterator[tuple[int, int]]:
    while at < stop:
        width = 1
        if raw[at] == "\\":
            pair = PAIR.match(raw, at, stop)
            width = 2 * UNICODE_ESCAPE if pair else UNICODE_ESCAPE if raw[at + 1] == "u" else ESCAPE
        yield at, at + width
        at += width


# --- just enough of JSON to know where things stand -------------------------------------------------------------------


def _next(raw: str, at: int) -> int:
    found = BLANK.match(raw, at)
    return found.end() if found else at


def _skip(raw: str, at: int) -> int:
    """The end of the value that begins at an offset."""
    return DECODER.raw_decode(raw, at)[1]


def _string(raw: str, at: int | None) -> str:
    return str(DECODER.raw_decode(raw, at)[0]) if at is not None and raw[at] == '"' else ""


def _members(raw: str, at: int | None) -> Iterator[tuple[str, int]]:
    """The keys of an object, each with the offset of its value; nothing where there is no object."""
    if at is None or raw[at] != "{":
        return
    at = _next(raw, at + 1)
    while raw[at] != "}":
        key, at = DECODER.raw_decode(raw, at)
        value = _next(raw, _next(raw, at) + 1)
        yield str(key), value
        at = _after(raw, value)


def _elements(raw: str, at: int | None) -> Iterator[int]:
    """The offsets of the values of a list; nothing where there is no list."""
    if at is None or raw[at] != "[":
        return
    at = _next(raw, at + 1)
    while raw[at] != "]":
        yield at
        at = _after(raw, at)


def _after(raw: str, value: int) -> int:
    """Behind a value and its comma."""
    at = _next(raw, _skip(raw, value))
    return _next(raw, at + 1) if raw[at] == "," else at

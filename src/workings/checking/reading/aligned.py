"""Tables in plain text whose columns stand under one another, two spaces or more between them.

Told by their head, whose first cell names both axes (``query \\\\ key``), or by a line that ends in a colon over lines
of words and one number each.
"""

from __future__ import annotations

import re

from workings.checking.paper import Run
from workings.checking.reading.weave import run_of, strip

HEAD = re.compile(r"[ \t]*\S.{0,60}? \\ \S+(?:[ ]{2,}\S.*)$")
CELL = re.compile(r"\S+(?: \S+)*")
NAMED = re.compile(r"[ \t]+\S+(?: \S+){0,5} {2,}[-−+]?[0-9][0-9.,]*(?: ?%)?[ \t]*$")
MOST_ROWS = 1_000


def rows_at(flat: str, position: int, stop: int, cell: int | None) -> tuple[int, tuple[tuple[Run, ...], ...]] | None:
    """The rows of a table that begins on a line, and where it ends; None where none begins."""
    lines = _lines(flat, position, stop)
    if not lines:
        return None
    first = flat[slice(*lines[0])]
    if HEAD.match(first):
        if len(lines) < 2:
            return None
    elif (
        not NAMED.match(first)
        or not _under_colon(flat, position)
        or not all(NAMED.match(flat[slice(*line)]) for line in lines)
    ):
        return None
    margin = len(first) - len(first.lstrip())
    return lines[-1][1], tuple(_cells(flat, line, margin, cell) for line in lines)


def _lines(flat: str, position: int, stop: int) -> list[tuple[int, int]]:
    """The lines up to the next blank one."""
    lines: list[tuple[int, int]] = []
    while position < stop and len(lines) < MOST_ROWS:
        end = flat.find("\n", position, stop)
        end = stop if end < 0 else end
        if not flat[position:end].strip():
            break
        lines.append((position, end))
        position = end + 1
    return lines


def _cells(flat: str, line: tuple[int, int], margin: int, cell: int | None) -> tuple[Run, ...]:
    """The cells of a line; what begins far behind the margin has no label before it."""
    parts = [(found.start(), found.end()) for found in CELL.finditer(flat, *line)]
    if parts and parts[0][0] - line[0] > margin:
        parts.insert(0, (line[0], line[0]))
    return tuple(strip(run_of(flat, start, end, cell)) for start, end in parts)


def _under_colon(flat: str, position: int) -> bool:
    before = flat[flat.rfind("\n", 0, max(0, position - 1)) + 1 : max(0, position - 1)].rstrip()
    return before.endswith((":", "："))

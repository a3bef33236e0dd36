"""A document as it was read: its text, cut into pieces of one kind each, every character's place kept."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from workings.terms.records import record

TAG = re.compile(r"<[^<>]*>")


class Place(NamedTuple):
    """Where a character stands in the document: line and column from 1; the cell of a notebook from 0."""

    line: int
    column: int
    cell: int | None = None


@record
class Run:
    """Text freed from markup, with the offset in the source of each of its characters.

    ``offsets`` has one entry more than the text: the end. ``wide`` holds, by its offset, where the source of a
    character ends that took several to write there (an entity, a percent-encoded sign).
    """

    text: str
    offsets: Sequence[int]
    cell: int | None = None
    wide: Mapping[int, int] = field(default_factory=dict, repr=False, compare=False)

    def slice(self, start: int, stop: int) -> Run:
        """A part of the run."""
        return Run(self.text[start:stop], self.offsets[start : stop + 1], self.cell, self.wide)

    def end(self, stop: int) -> int:
        """Where, in the source, the character before an offset of the text ends."""
        at = self.offsets[stop - 1]
        return self.wide.get(at, at + 1)


KINDS = ("heading", "prose", "maths", "code", "table", "mark")


@record
class Piece:
    """A stretch of a document.

    Attributes:
        kind: one of ``KINDS``. ``prose`` may hold inline mathematics between U+E000 and U+E001; ``mark`` is a
            comment of the format that begins with ``workings:``, its text what follows.
        run: the text; empty for a table.
        rows: the cells of a table, the heading row first.
    """

    kind: str
    run: Run
    rows: tuple[tuple[Run, ...], ...] = ()


@dataclass(frozen=True)
class Paper:
    """A whole document.

    ``sources`` holds the text itself: one, or one per cell of a notebook.
    """

    name: str
    kind: str
    sources: tuple[str, ...]
    pieces: tuple[Piece, ...]

    def place(self, cell: int | None, offset: int) -> Place:
        """Line and column of a source offset."""
        starts = _line_starts(self.sources[cell or 0])
        line = bisect_right(starts, offset)
        return Place(line, offset - starts[line - 1] + 1, cell)

    def said(self, cell: int | None, start: int, stop: int) -> str:
        """What stands between two source offsets, without the tags of a web page."""
        text = self.sources[cell or 0][start:stop]
        return " ".join(TAG.sub(" ", text).split()) if self.kind == "html" else text

    def said_around(self, cell: int | None, offset: int) -> tuple[str, int]:
        """The text around a source offset, freed from markup, and the offset in it."""
        at = bisect_right(self._pieces, (cell or 0, offset), key=_begin) - 1
        run = self._pieces[at].run if at >= 0 else None
        if run is None or run.cell != cell or offset >= run.offsets[-1]:
            return self.sources[cell or 0], offset
        return run.text, bisect_left(run.offsets, offset)

    @cached_property
    def _pieces(self) -> list[Piece]:
        """The pieces with a text, in the order of their sources."""
        return sorted((piece for piece in self.pieces if piece.run.text), key=_begin)


def _begin(piece: Piece) -> tuple[int, int]:
    return piece.run.cell or 0, piece.run.offsets[0]


@lru_cache(8)
def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]

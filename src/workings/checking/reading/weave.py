"""Builds a ``Run`` out of parts of another, so that every character keeps its offset in the source."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from workings.checking.paper import Run

OPEN, CLOSE = "\ue000", "\ue001"  # around inline mathematics


def level(source: str) -> str:
    """A text of the same length whose lines end in a newline, free of signs that have a meaning in a ``Run``."""
    text = source.replace("\r\n", " \n").replace("\r", "\n").replace("\ufeff", " ")
    return text.replace(OPEN, " ").replace(CLOSE, " ").replace("\x0b", " ").replace("\x0c", " ")


def run_of(source: str, start: int, stop: int, cell: int | None = None) -> Run:
    """A stretch of a levelled source."""
    return Run(source[start:stop], range(start, stop + 1), cell)


class Weaver:
    """Collects characters with their offsets."""

    def __init__(self, cell: int | None = None, wide: Mapping[int, int] | None = None) -> None:
        self.cell = cell
        self._wide: dict[int, int] = wide if isinstance(wide, dict) else {}
        self._texts: list[str] = []
        self._offsets = array("q")
        self.end = 0

    def copy(self, run: Run, start: int, stop: int) -> None:
        """A part of a run, unchanged."""
        if start < stop:
            self._texts.append(run.text[start:stop])
            self._offsets.extend(run.offsets[start:stop])
            self.end = run.offsets[stop]

    def put(self, text: str, offset: int, end: int | None = None) -> None:
        """A text that stands for what the source holds at one offset."""
        if text:
            self._texts.append(text)
            self._offsets.extend([offset] * len(text))
        if end is not None and len(text) == 1 and end - offset > 1:
            self._wide[offset] = end
        self.end = offset if end is None else end

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def last(self) -> str:
        """The last character; empty at the beginning."""
        return self._texts[-1][-1:] if self._texts else ""

    def cut_back(self, sign: str) -> bool:
        """Puts a space in the place of a sign that was collected last, spaces aside; whether there was one."""
        at = next((at for at in range(len(self._texts) - 1, -1, -1) if self._texts[at].strip()), -1)
        if at < 0 or self._texts[at] != sign:
            return False
        self._texts[at] = " " * len(sign)
        return True

    def run(self) -> Run:
        """What was collected."""
        offsets = array("q", self._offsets)
        offsets.append(max(self.end, offsets[-1] if offsets else 0))
        return Run("".join(self._texts), offsets, self.cell, self._wide)


def strip(run: Run) -> Run:
    """The run without white space at either end."""
    text = run.text
    start = len(text) - len(text.lstrip())
    return run.slice(start, max(start, len(text.rstrip())))


def lines_of(run: Run) -> list[Run]:
    """The lines of a run, without their ends."""
    lines, start = [], 0
    while True:
        stop = run.text.find("\n", start)
        if stop < 0:
            lines.append(run.slice(start, len(run.text)))
            return lines
        lines.append(run.slice(start, stop))
        start = stop + 1

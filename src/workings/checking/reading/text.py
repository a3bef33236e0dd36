"""Blocks of plain text and of Markdown's paragraphs: headings, fences, pipe tables, displayed mathematics, marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workings.checking.paper import Piece, Run
from workings.checking.reading.aligned import rows_at
from workings.checking.reading.inline import ONLY_NUMBERS, freed, unescaped
from workings.checking.reading.weave import level, run_of, strip

MARK = re.compile(r"[ \t>]*(?:#+|//+|%+|<!--|/\*+|\*|--+|;+)[ \t]*workings:[ \t]*([^\n]*?)[ \t]*(?:-->|\*/)?[ \t]*$")
FENCE = re.compile(r"[ \t>]*(?:[-*+•][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})[ \t]*([^`\n]*)$")
HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+([^\n]*?)(?:[ \t]+#+)?[ \t]*$")
DELIMITER_ROW = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
RULE = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}|-{3,}|─{3,}|═{3,})[ \t]*$")
DISPLAY_ENVIRONMENT = (
    r"equation|align|alignat|aligned|gather|gathered|multline|eqnarray|displaymath|math|flalign|split|dmath"
)
DISPLAY = re.compile(r"\$\$|\\\[|\\begin\{(" + DISPLAY_ENVIRONMENT + r")(\*?)\}")
PLAIN_FENCES = frozenset(("text", "txt", "plain", "plaintext"))
MATHS_FENCES = frozenset(("math", "latex", "tex", "katex"))


def read(source: str, code: bool = False) -> list[Piece]:
    """The pieces of a plain text; of source code if so told."""
    flat = level(source)
    if code:
        return list(code_pieces(flat, 0, len(flat)))
    return list(Blocks(flat, aligned=True).pieces(0, len(flat)))


def code_pieces(flat: str, start: int, stop: int, cell: int | None = None) -> Iterator[Piece]:
    """A stretch of code: the marks among its comments, and what stands between them."""
    begin = position = start
    while position < stop:
        end = _line_end(flat, position, stop)
        found = MARK.match(flat[position:end])
        if found:
            yield from _nonempty("code", unescaped(run_of(flat, begin, position, cell)))
            yield mark(flat, position, found, cell)
            begin = end
        position = end + 1
    yield from _nonempty("code", unescaped(run_of(flat, begin, stop, cell)))


def mark(flat: str, line: int, found: re.Match[str], cell: int | None) -> Piece:
    """A mark found on a line."""
    return Piece("mark", run_of(flat, line + found.start(1), line + found.end(1), cell))


def _nonempty(kind: str, run: Run) -> Iterator[Piece]:
    if run.text.strip():
        yield Piece(kind, run)


def _line_end(flat: str, position: int, stop: int) -> int:
    end = flat.find("\n", position, stop)
    return stop if end < 0 else end


class Blocks:
    """Cuts a stretch of text into pieces, line by line; a display may begin and end amid a line."""

    def __init__(self, flat: str, cell: int | None = None, fences: bool = True, aligned: bool = False) -> None:
        self.flat, self.cell, self.fences, self.aligned = flat, cell, fences, aligned
        self._none_after: dict[str, int] = {}  # a closing sign: it does not occur from this offset on

    def pieces(self, start: int, stop: int) -> Iterator[Piece]:
        """The pieces between two offsets, in reading order."""
        flat, position, paragraph = self.flat, start, start
        while position < stop:
            end = _line_end(flat, position, stop)
            line = flat[position:end]
            whole = position == start or flat[position - 1] == "\n"
            taken, made = self._block(line, position, end, stop) if whole else (None, [])
            if taken is None:
                display = self._display(line, position, stop)
                if display is None:
                    position = end + 1
                    continue
                first, inner, outer, taken = display
                yield from self._prose(paragraph, first)
                made = [Piece("maths", strip(run_of(flat, inner, outer, self.cell)))]
            else:
                yield from self._prose(paragraph, position)
            yield from made
            position = paragraph = taken
        yield from self._prose(paragraph, stop)

    def _block(self, line: str, position: int, end: int, stop: int) -> tuple[int | None, list[Piece]]:
        """A block that a line begins: where it ends, and its pieces."""
        if not line.strip():
            return end + 1, []
        found = MARK.match(line)
        if found:
            return end + 1, [mark(self.flat, position, found, self.cell)]
        found = FENCE.match(line) if self.fences else None
        if found:
            return self._fence(found, end, stop)
        found = HEADING.match(line)
        if found:
            return end + 1, [self.heading(position + found.start(2), position + found.end(2))]
        if RULE.match(line):
            return end + 1, []
        if "|" in line and DELIMITER_ROW.match(self.flat[end + 1 : _line_end(self.flat, end + 1, stop)]):
            return self._table(position, stop)
        table = rows_at(self.flat, position, stop, self.cell) if self.aligned else None
        if table is not None:
            taken, rows = table
            freed_rows = tuple(tuple(freed(run) for run in row) for row in rows)
            return taken, [Piece("table", run_of(self.flat, taken, taken, self.cell), freed_rows)]
        return None, []

    def heading(self, start: int, stop: int) -> Piece:
        """A heading, from the text between two offsets."""
        return Piece("heading", strip(freed(run_of(self.flat, start, stop, self.cell))))

    def _prose(self, start: int, stop: int) -> Iterator[Piece]:
        if self.flat[start:stop].strip():
            run = freed(run_of(self.flat, start, stop, self.cell))
            if run.text.strip():
                yield Piece("prose", run)

    def _fence(self, found: re.Match[str], end: int, stop: int) -> tuple[int, list[Piece]]:
        sign, info = found[1], found[2].strip().lower()
        close = re.compile(r"^[ \t>]*" + re.escape(sign) + r"+[ \t]*$", re.MULTILINE)
        begin = min(end + 1, stop)
        last = close.search(self.flat, begin, stop)
        inner, outer = (last.start(), last.end()) if last else (stop, stop)
        return outer + 1, self.fenced(begin, inner, info)

    def fenced(self, start: int, stop: int, info: str) -> list[Piece]:
        """The content of a fence: mathematics where its language says so, else code."""
        if info in MATHS_FENCES:
            return list(_nonempty("maths", run_of(self.flat, start, stop, self.cell)))
        if info in PLAIN_FENCES:
            return list(_nonempty("prose", run_of(self.flat, start, stop, self.cell)))
        return list(code_pieces(self.flat, start, stop, self.cell))

    def _table(self, position: int, stop: int) -> tuple[int, list[Piece]]:
        rows, number = [], 0
        while position < stop:
            end = _line_end(self.flat, position, stop)
            line = run_of(self.flat, position, end, self.cell)
            if "|" not in line.text or (number > 1 and MARK.match(line.text)):
                break
            if number != 1:
                rows.append(tuple(strip(freed(cell)) for cell in split_row(line)))
            number, position = number + 1, end + 1
        return position, [Piece("table", run_of(self.flat, position, position, self.cell), tuple(rows))]

    def _display(self, line: str, position: int, stop: int) -> tuple[int, int, int, int] | None:
        """The first display that begins on a line: where it and its inside begin and end."""
        if line.lstrip().startswith("|"):
            return None
        for found in DISPLAY.finditer(line):
            start, inner = position + found.start(), position + found.end()
            if found.start() and line[found.start() - 1] == "\\":
                continue
            close = closer(found)
            outer = self._find(close, inner, stop)
            if outer < 0 or (close == "\\]" and _is_list(line[: found.start()], self.flat[inner:outer])):
                continue
            if found[1]:
                return start, start, outer + len(close), outer + len(close)
            return start, inner, outer, outer + len(close)
        return None

    def _find(self, close: str, start: int, stop: int) -> int:
        if start >= self._none_after.get(close, stop + 1):
            return -1
        found = self.flat.find(close, start, stop)
        if found < 0:
            self._none_after[close] = start
        return found


def closer(opened: re.Match[str]) -> str:
    """What ends a display that ``DISPLAY`` found."""
    if opened[1]:
        return f"\\end{{{opened[1]}{opened[2]}}}"
    return "$$" if opened[0] == "$$" else "\\]"


def _is_list(before: str, inside: str) -> bool:
    r"""Whether ``\[ … \]`` is a list with escaped brackets."""
    if not ONLY_NUMBERS.match(inside):
        return False
    return "," in inside or "\\[" in inside or bool(before.strip())


def split_row(line: Run) -> list[Run]:
    """The cells of a row of a pipe table; bars escaped or in mathematics or in code do not part cells."""
    cells, start, i, text = [], 0, 0, line.text
    close = ""
    while i < len(text):
        c = text[i]
        if c == "\\" and text[i + 1 : i + 2] in ("(", ")"):
            close = "\\)" if text[i + 1] == "(" and not close else ("" if close == "\\)" else close)
            i += 2
            continue
        if c == "\\":
            i += 2
            continue
        if c in "$`":
            if close == c:
                close = ""
            elif not close and text.find(c, i + 1) > 0:
                close = c
        elif c == "|" and not close:
            cells.append(line.slice(start, i))
            start = i + 1
        i += 1
    cells.append(line.slice(start, len(text)))
    if cells and not cells[0].text.strip(" \t>"):
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1].text.strip():
        cells = cells[:-1]
    return cells

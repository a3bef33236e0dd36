"""Matrices and tables as LaTeX: numbers aligned on their point, and nothing wider than the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from workings.explaining.tree import Blank, Cell, Inline, Matrix, Table
from workings.render.inert import inert
from workings.render.inline import cell_text, label, runs, sentence
from workings.render.latex_text import breakable, escaped, measured, number
from workings.render.layout import has_point_place, is_numeric
from workings.render.words import Words

Draw = Callable[[Inline], str]
# How a table is set, from the roomiest way on: its size, that size in em, and the room between two columns.
SIZES = (("", 1.0, 1.2), ("\\small", 0.9, 0.8), ("\\footnotesize", 0.8, 0.6), ("\\scriptsize", 0.7, 0.4))
WIDEST_LABEL, WIDEST_HEAD, LEAST_NOTE = 12.0, 10.0, 8.0
ARROW = 1.5
MOST_ROWS = 36
BLANK, BLANK_EM = "\\workingsblank", 7.0
ROW_END = " \\tabularnewline"


def matrix_parts(matrix: Matrix, words: Words, draw: Draw, room: float) -> Iterator[str]:
    """A matrix as one table, or as several where it is wider or longer than a page."""
    columns = [
        [*(cells[place] for cells in matrix.cells)]
        for place in range(max(map(len, matrix.cells), default=len(matrix.columns)))
    ]
    heads = [label(column, words) for column in matrix.columns] or [""] * len(columns)
    widths = [
        max(min(measured(head), WIDEST_HEAD), *(_width(cell) for cell in column), 0)
        for head, column in zip(heads, columns, strict=True)
    ]
    names = [label(row, words) for row in matrix.rows]
    corner = " \\ ".join(part for part in matrix.corner if part) if matrix.columns else ""
    named = min(max(map(measured, [corner, *names]), default=0), WIDEST_LABEL)
    noted = LEAST_NOTE if matrix.row_notes else 0.0
    size, em, gap = next((s for s in SIZES if _total(widths, named + noted, s) <= room), SIZES[-1])
    for first, stop in _groups(widths, room / em - named - noted - 2 * gap / em, gap / em):
        last = stop == len(columns)
        used = named + sum(widths[first:stop]) + (stop - first + 1) * gap / em
        setting = _Setting(matrix, words, draw, first, stop, corner, named, room / em - used - gap if last else 0.0)
        for start in range(0, max(len(matrix.rows), 1), MOST_ROWS):
            lines = setting.lines(start, min(start + MOST_ROWS, len(matrix.rows)))
            yield _table(setting.kinds(), lines, size, gap)


def _total(widths: Sequence[float], others: float, size: tuple[str, float, float]) -> float:
    _, em, gap = size
    return (sum(widths) + others) * em + (len(widths) + 2) * gap


def _groups(widths: Sequence[float], room: float, gap: float) -> Iterator[tuple[int, int]]:
    """Columns in groups that fit; a column wider than the page stands alone."""
    first, used = 0, 0.0
    for place, width in enumerate(widths):
        if place > first and used + width + gap > room:
            yield first, place
            first, used = place, 0.0
        used += width + gap
    yield first, len(widths)


class _Setting:
    """The lines of a matrix for some of its columns; ``note`` is the room for notes on rows."""

    def __init__(
        self,
        matrix: Matrix,
        words: Words,
        draw: Draw,
        first: int,
        stop: int,
        corner: str,
        named: float,
        note: float,
    ) -> None:
        self.matrix, self.words, self.draw = matrix, words, draw
        self.places = range(first, stop)
        self.corner, self.named = corner, named
        self.note = max(note, LEAST_NOTE) if matrix.row_notes and note else 0.0
        self.after = {place: _after([row[place] for row in matrix.cells]) for place in self.places}

    def kinds(self) -> str:
        """How each column is set."""
        long = any(measured(label(row, self.words)) > WIDEST_LABEL for row in self.matrix.rows)
        first = f"p{{{self.named:.0f}em}}" if long else "l"
        return f"{first}|{'r' * len(self.places)}" + self._note_kind()

    def _note_kind(self) -> str:
        if not self.note:
            return ""
        widest = max(measured(label(note, self.words)) for note in self.matrix.row_notes) + ARROW
        return "l" if widest <= self.note else f"p{{{self.note:.0f}em}}"

    def lines(self, start: int, stop: int) -> Iterator[str]:
        """Heading lines, and the rows from ``start`` up to ``stop``."""
        matrix = self.matrix
        empty = [""] if self.note else []
        if matrix.columns:
            heads = [self._head(matrix.columns[place]) for place in self.places]
            yield " & ".join([escaped(self.corner), *heads, *empty]) + ROW_END + ("" if matrix.column_notes else RULE)
        if matrix.column_notes:
            notes = [self._head(matrix.column_notes[place], noted=True) for place in self.places]
            yield " & ".join(["", *notes, *empty]) + ROW_END + RULE
        for place in range(start, stop):
            cells = [_cell(matrix.cells[place][at], self.after[at]) for at in self.places]
            ragged = "\\raggedright " if self._note_kind()[:1] == "p" else ""
            note = [f"{ragged}$\\leftarrow$ {self.draw(matrix.row_notes[place])}"] if self.note else []
            yield " & ".join([self._label(matrix.rows[place]), *cells, *note]) + ROW_END

    def _head(self, head: Inline, *, noted: bool = False) -> str:
        drawn = self._label(head)
        if noted:
            drawn = self.words.sentence("target.column-note", {"note": drawn})
        if measured(label(head, self.words)) > WIDEST_HEAD:
            return f"\\parbox[t]{{{WIDEST_HEAD:.0f}em}}{{\\raggedright {drawn}\\strut}}"
        return drawn

    def _label(self, item: Inline) -> str:
        chinese = self.words.lang == "zh"
        return "".join(breakable(text, chinese=chinese) for _, text in runs(item, self.words))


RULE = " \\hline"


def _width(cell: Cell) -> float:
    """How wide a number, or the place for one, is in em."""
    return BLANK_EM if isinstance(cell, Blank) else measured(inert(cell))


def _after(column: Sequence[Cell]) -> str:
    """The longest of what stands from the point on in a column of numbers."""
    numbers = [cell for cell in column if isinstance(cell, str) and has_point_place(cell)]
    return max((cell[len(cell.partition(".")[0]) :] for cell in numbers), key=len, default="")


def _cell(cell: Cell, after: str) -> str:
    """A number whose point stands below those of its column; or a place for one."""
    if isinstance(cell, Blank):
        return cell_text(cell) if cell.repeated else f"{BLANK}{{{cell.number}}}{{}}"
    own = cell[len(cell.partition(".")[0]) :]
    missing = after[len(own) :] if has_point_place(cell) else ""
    padding = f"\\hphantom{{{missing}}}" if missing else ""
    return f"${number(inert(cell))}{padding}$"


def table_lines(table: Table, words: Words, draw: Draw, room: float) -> str:
    """A table of inline parts; columns of words share the room that is left to them."""
    texts = [[sentence(row[place], words) for row in (table.header, *table.rows)] for place in range(len(table.header))]
    widths = [max(map(measured, column)) for column in texts]
    size, em, gap = next((s for s in SIZES[:3] if _total(widths, 0, s) <= room), SIZES[2])
    shares = _shares(widths, room / em - (len(widths) + 1) * gap / em)
    kinds = [
        "r" if is_numeric(table, place) else "l" if widths[place] <= share else f"p{{{share:.1f}em}}"
        for place, share in enumerate(shares)
    ]
    rows = (table.header, *table.rows)
    lines: list[str] = []
    for row in rows:
        cells = [
            f"\\raggedright {draw(cell)}" if kind.startswith("p") else draw(cell)
            for cell, kind in zip(row, kinds, strict=True)
        ]
        lines.append(" & ".join(cells) + ROW_END + ("" if lines else RULE))
    parts = (lines[start : start + MOST_ROWS] for start in range(0, len(lines), MOST_ROWS))
    return "\n\n".join(_table("".join(kinds), iter(part), size, gap) for part in parts)


def _shares(widths: Sequence[float], room: float) -> list[float]:
    """The room for each column: what it wants where that is less than its share, the rest for the others."""
    shares, left, wanting = [0.0] * len(widths), room, sorted(range(len(widths)), key=lambda place: widths[place])
    for done, place in enumerate(wanting):
        shares[place] = min(widths[place], left / (len(widths) - done))
        left -= shares[place]
    return shares


def _table(kinds: str, lines: Iterator[str], size: str, gap: float) -> str:
    start = f"{{{size}\\setlength{{\\tabcolsep}}{{{gap / 2:.1f}em}}%\n" if size else ""
    body = "\n".join(lines)
    return (
        f"\\noindent{start and ' '}{start}\\begin{{tabular}}{{{kinds}}}\n{body}\n\\end{{tabular}}{'}' if size else ''}"
    )

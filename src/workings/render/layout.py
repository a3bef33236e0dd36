"""Columns of text: numbers aligned on their decimal point, labels by the width they take on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workings.explaining.tree import Matrix, Number, Table
from workings.render.inert import display_width, inert, pad_left, pad_right
from workings.render.inline import cell_text, label, sentence
from workings.render.words import Words

NOTE_MARK = "← "
GAP = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix ready to be put together: every text of a column is padded to the column's width.

    Attributes:
        labels: the corner, an empty label where there are notes on columns, and one label per row.
        columns: for each column its heading, its note where there are notes on columns, and its cells.
        notes: what stands after each line; empty where nothing does.
        headings: how many lines stand above the cells.
    """

    labels: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    headings: int

    def lines(self, first: int = 0, last: int | None = None) -> list[tuple[str, tuple[str, ...], str]]:
        """(label, cells, note) of every line, for the columns from ``first`` up to ``last``."""
        columns = self.columns[first:last]
        return [
            (name, tuple(column[place] for column in columns), self.notes[place])
            for place, name in enumerate(self.labels)
        ]


def caption(matrix: Matrix, words: Words) -> str:
    """What a matrix is: its symbol and its name in the contract."""
    address = inert(matrix.address)
    if matrix.symbol in ("", matrix.address):
        return words.sentence("target.caption.plain", {"address": address})
    return words.sentence("target.caption", {"symbol": inert(matrix.symbol), "address": address})


def matrix_grid(matrix: Matrix, words: Words) -> Grid:
    """A matrix in padded columns."""
    row_labels = [label(row, words) for row in matrix.rows]
    corners = [corner for corner in matrix.corner if corner]
    headings: list[list[str]] = []
    names: list[str] = []
    if matrix.columns:
        headings.append([label(column, words) for column in matrix.columns])
        names.append(" \\ ".join(corners))
    if matrix.column_notes:
        notes = (label(note, words) for note in matrix.column_notes)
        headings.append([words.sentence("target.column-note", {"note": note}) for note in notes])
        names.append("")
    count = max((len(row) for row in matrix.cells), default=len(matrix.columns))
    columns = []
    for place in range(count):
        cells = align([cell_text(row[place]) for row in matrix.cells])
        columns.append(_padded([*(heading[place] for heading in headings), *cells]))
    names += row_labels
    width = max(map(display_width, names), default=0)
    beside = [""] * len(headings) + (
        [NOTE_MARK + label(note, words) for note in matrix.row_notes] if matrix.row_notes else [""] * len(row_labels)
    )
    return Grid(tuple(pad_right(name, width) for name in names), tuple(columns), tuple(beside), len(headings))


def align(cells: Sequence[str]) -> list[str]:
    """Numbers of one column, padded so that their points stand below each other.

    Whole numbers end where the point of the others stands. What has no place for a point (``−∞``, a fraction, a power
    of ten) ends where the column ends.
    """
    plain = [cell for cell in cells if has_point_place(cell)]
    after = max((len(cell.partition(".")[2]) + ("." in cell) for cell in plain), default=0)
    padded = [
        cell + " " * (after - len(cell.partition(".")[2]) - ("." in cell)) if has_point_place(cell) else cell
        for cell in map(inert, cells)
    ]
    return list(_padded(padded))


def table_columns(table: Table, words: Words) -> list[tuple[str, ...]]:
    """The columns of a table, heading first; a column that holds nothing but numbers is aligned as such."""
    columns = []
    for place, heading in enumerate(table.header):
        cells = [row[place] for row in table.rows]
        texts = [sentence(cell, words) for cell in cells]
        title = sentence(heading, words)
        if is_numeric(table, place):
            columns.append(_padded([title, *align(texts)]))
        else:
            width = max(map(display_width, [title, *texts]))
            columns.append(tuple(pad_right(text, width) for text in (title, *texts)))
    return columns


def is_numeric(table: Table, place: int) -> bool:
    """Whether a column of a table holds nothing but numbers."""
    cells = [row[place] for row in table.rows]
    return bool(cells) and all(isinstance(cell, (Number, int)) for cell in cells)


def _padded(texts: Sequence[str]) -> tuple[str, ...]:
    width = max(map(display_width, texts), default=0)
    return tuple(pad_left(text, width) for text in texts)


def has_point_place(cell: str) -> bool:
    """Whether a number is digits with at most one point, so that its place among others is known."""
    return cell.removeprefix("−").replace(".", "", 1).isdecimal()

"""The display tree: what is to be seen, as frozen data: message keys and numbers, never sentences or markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from workings.steps.language import Expr
from workings.terms.records import record


@record
class Token:
    """A user's word. Targets draw it inert, whatever it holds."""

    text: str


@record
class Code:
    """A name or address of the contract: ``score[2,0]``, ``d_k``, a file name."""

    text: str


@record
class Number:
    """A number as printed."""

    text: str


@record
class Named:
    """A name that its declaration gives in each language."""

    by_language: Mapping[str, str]


@record
class Items:
    """Several inline parts, listed with the language's comma."""

    parts: tuple[Inline, ...]


@record
class Text:
    """A sentence by its key, with the inline parts that stand in it."""

    key: str
    args: Mapping[str, Inline] = field(default_factory=dict)


@record
class Link:
    """An inline part that leads to another place of the page, where the target has such places.

    Attributes:
        to: the name of that place.
        name: what this place itself is called; empty where nothing leads here.
    """

    text: Inline
    to: str
    name: str = ""


Inline = Token | Code | Number | Named | Items | Text | Link | int


@record
class Heading:
    """A heading of level 1 (the document), 2 (a part: a layer, a head, a group of steps) or 3 (one step)."""

    level: int
    text: Inline
    address: str = ""


@record
class Paragraph:
    """Sentences that stand together."""

    sentences: tuple[Inline, ...]


@record
class Blank:
    """A place for an answer, by its number; ``repeated`` where a cell only repeats what is to be written elsewhere."""

    number: int
    repeated: bool = False


Cell = str | Blank


@record
class Matrix:
    """A whole array with the words along its rows and columns.

    Attributes:
        symbol: how formulas write it.
        address: its name in the contract.
        corner: names of the row and column axes.
        rows, columns: labels (empty ``columns`` for an array with one axis: one value per row).
        cells: printed numbers, or blanks, row by row.
        row_notes, column_notes: meanings shown beside; empty or one per row or column.
        formula: the formula of one cell where the numbers are not the array's own.
    """

    symbol: str
    address: str
    corner: tuple[str, str]
    rows: tuple[Inline, ...]
    columns: tuple[Inline, ...]
    cells: tuple[tuple[Cell, ...], ...]
    row_notes: tuple[Inline, ...] = ()
    column_notes: tuple[Inline, ...] = ()
    formula: Expr | None = None


@record
class Equation:
    """``left = formula ≈ number``: a chain of (relation, expression).

    ``label`` names the tokens the line is about; ``address`` the cell. Expressions hold only ``Printed``, ``Symbol``,
    ``Const`` and operators (and ``Sum``/``Max`` over an axis letter in a general formula).
    """

    label: tuple[Inline, ...]
    address: str
    left: Expr | None
    chain: tuple[tuple[str, Expr], ...]


@record
class Table:
    """A table of inline parts with a heading row."""

    header: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]


@record
class Hidden:
    """A mark for programs, ``workings: …``, that readers do not see where the target can hide it. Plain ASCII."""

    text: str


@record
class PageBreak:
    """What follows begins a page of its own."""


@record
class Line:
    """A line of a plot: its kind, its name, and its values, each with what is printed of it; one value is a level."""

    kind: str
    name: Inline
    values: tuple[tuple[float, str], ...]


@record
class Panel:
    """A part of a plot with a title of its own; its first line is what it is about."""

    title: Inline
    lines: tuple[Line, ...]


@record
class Plot:
    """Shares from 0 to 1 through time, in panels side by side.

    Attributes:
        across: what ``steps`` count.
        panels: each with the same kinds of lines, under the same names.
        columns: how many panels belong side by side; where there is no room, a part of them that fills whole rows.
    """

    title: Inline
    across: Inline
    steps: tuple[int, ...]
    panels: tuple[Panel, ...]
    columns: int


Block = Heading | Paragraph | Matrix | Equation | Table | Plot | Hidden | PageBreak


@record
class Document:
    """Everything to be drawn, in reading order."""

    title: Inline
    blocks: tuple[Block, ...]


@record
class Mark:
    """A stretch of a text that something is said of.

    Attributes:
        start, stop: offsets in the text.
        kind: what it is marked as; each kind has a sign and a word of its own, under ``mark.<kind>``.
        name: what the place is called, where something leads to it.
        to: the place that it leads to; empty for none.
        note: what is said of it.
        quiet: whether its word is for listeners only, because its sign says enough to the eye.
    """

    start: int
    stop: int
    kind: str
    name: str = ""
    to: str = ""
    note: Inline | None = None
    quiet: bool = False


@record
class Passage:
    """A text of the user's, shown as it stands, with marks in it; ``label`` tells it from its neighbours."""

    text: str
    marks: tuple[Mark, ...]
    label: Inline | None = None


@record
class Beside:
    """A text and what is said about it, to be seen side by side."""

    passages: tuple[Passage, ...]
    said: Document


@record
class Spread:
    """Several texts, each beside what is said about it."""

    title: Inline
    parts: tuple[Beside, ...]

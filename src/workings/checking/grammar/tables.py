"""Tables: one row per token or one column per token, cells that are numbers, vectors, chains or words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from workings.checking.grammar.cursor import Unparsed
from workings.checking.grammar.expression import Parser
from workings.checking.grammar.labels import plain, unquoted
from workings.checking.grammar.scan import Found, has_numbers
from workings.checking.grammar.tokens import tokens
from workings.checking.grammar.walk import scan_text
from workings.checking.notation import Call, Link, Mat, Neg, Node, Num, Op, Span, Sym, Unread
from workings.checking.paper import Piece, Run
from workings.checking.vocabulary import array_of_words

CROSSED = re.compile(r"[\\\\/→↓←|]|^(?:quer|查询)", re.IGNORECASE)  # in the corner: "query \\ key"
AXES = re.compile(r"\S\s*\\+\s*\S")  # one axis, a backslash, the other
WORDS = re.compile(r"\\\s*(?:token|query|key|word)$")  # an axis of words along the columns: K may be one

KEYS_DOWN = re.compile(
    r"\W*(?:keys?|键)\s*(?:\\+|↓\s*[\\/|,]?)\s*(?:quer(?:y|ies)|查询)\W*", re.IGNORECASE
)  # in the corner
TOTAL = re.compile(r"[\s*_]*(?:sums?|totals?|column sums?|Σ|∑|合计|总计|总和|求和|和)[\s*_]*$", re.IGNORECASE)
DIGIT = re.compile(r"[0-9]")

Item = tuple[str, Found | Unread]


class _Cell:
    """A cell as it was read: its words, and the value it consists of, if it is one."""

    def __init__(self, run: Run, head: bool) -> None:
        self.run = run
        self.words = unquoted(plain(run.text))
        self.found = [] if head or not re.search(r"[0-9½⅓⅔¼¾∞]|\\infty", run.text) else scan_text(run)
        self.value: Node | None = None
        if len(self.found) == 1 and isinstance(self.found[0], Found):
            links = self.found[0].links
            before = run.text[: self.found[0].at].strip("\ue000 *{")
            if len(links) == 1 and not before:
                self.value = links[0].node
        elif not self.found or (len(self.found) == 1 and isinstance(self.found[0], Unread)):
            self.value = _whole(run)


def _whole(run: Run) -> Node | None:
    """A whole number alone in its cell, which running text would take for a count."""
    if len(run.text) > 200 or not re.search(r"[0-9∞]|infty", run.text):
        return None
    items = [token for token in tokens(run, False) if token.kind not in ("mopen", "mclose", "nl")]
    parser = Parser(run, items)
    try:
        return parser.whole(0, len(items)) if items else None
    except Unparsed:
        return None


def scan_table(piece: Piece) -> list[Item]:
    """What a table says, each with its label."""
    if len(piece.rows) == 1 and len(piece.rows[0]) == 2:  # one row of a column: what it is of, and the number
        word, only = plain(piece.rows[0][0].text), _Cell(piece.rows[0][1], False)
        if only.value is not None and not word[-1:].isdecimal():
            return _one_cell(only, word, "")
    if len(piece.rows) < 2 or sum(len(cell.text) for row in piece.rows for cell in row) > 200_000:
        return [(plain(cell.text), found) for row in piece.rows for cell in row for found in scan_text(cell)]
    width = max(len(row) for row in piece.rows)
    head = piece.rows[0]
    titled = not all(_is_value(_Cell(cell, False).value) for cell in head[1:]) or len(head) < 2 or _counted(piece.rows)
    heads = [_Cell(cell, True) for cell in head] if titled else []
    headed = any(cell.words for cell in heads)  # else whole numbers at the left are no labels
    below = piece.rows[_head_rows(piece) if titled else 0 :]
    totals = below[-1] if titled and len(below) > 2 and below[-1] and TOTAL.match(below[-1][0].text) else ()
    rows = [[_Cell(cell, False) for cell in row] for row in (below[:-1] if totals else below)]
    named = (
        all(not row or row[0].value is None or (headed and _is_label(row[0].words)) for row in rows)
        or len({len(row) for row in rows}) > 1
    )
    named = named and width > 1
    numeric = [
        column
        for column in range(1 if named else 0, width)
        if rows and all(len(row) > column and row[column].value is not None for row in rows)
    ]
    made: list[Item] = []
    labels = tuple(row[0].words if row else "" for row in rows)
    titles = [cell.words for cell in heads] + [""] * (width - len(heads))
    if numeric:
        made += _columns(piece, rows, numeric, labels if named else (), titles, heads)
    for row, label in zip(rows, labels, strict=True):
        for column, cell in enumerate(row):
            if column in numeric or (named and column == 0 and _is_label(cell.words)):
                continue
            made += _one_cell(cell, label if column else "", titles[column])
    return made + [("", Unread(cell.text, "no-binding", _span(cell))) for cell in totals if DIGIT.search(cell.text)]


def _head_rows(piece: Piece) -> int:
    """How many rows the head has: one that says nothing of a row, and holds no number, belongs to it (units)."""
    second = piece.rows[1]
    units = not second[0].text.strip() and not any(re.search(r"[0-9]", cell.text) for cell in second)
    return 2 if units and len(piece.rows) > 2 else 1


def _counted(rows: Sequence[tuple[Run, ...]]) -> bool:
    """Whether the heads of columns are the places along an axis, counted: under a corner that names both axes, or an
    empty one over words.
    """
    head, *below = rows
    corner, places = plain(head[0].text), [plain(cell.text) for cell in head[1:]]
    words = not corner and all(row and re.search(r"[^\W\d]", row[0].text) for row in below)
    if not (words or CROSSED.search(corner)) or not all(place.isdecimal() for place in places):
        return False
    first = int(places[0][:6])  # not 0 where a wide table goes on
    return (not words or first < 2) and places == [str(first + number) for number in range(len(places))]


def _is_value(node: Node | None) -> bool:
    """Whether a cell holds a number, and not a name such as ``v1``."""
    return node is not None and has_numbers(node)


def _is_label(words: str) -> bool:
    """Whether the first cell of a row names it: words, or a whole number (``0``, ``1 (am)``)."""
    return (
        bool(re.match(r"[0-9]{1,3}(?:\s*\(|$)", words))
        or not re.search(r"[0-9]", words)
        or not re.match(r"[-−+]?[0-9.]", words)
    )


def _one_cell(cell: _Cell, label: str, title: str) -> list[Item]:
    said = " ".join(part for part in (label, title) if part)
    if cell.value is not None:
        span = _span(cell.run)
        return [(said, Found((Link("", cell.value),), span, (0, 0), 0))]
    return [(said, found) for found in cell.found]


def _span(run: Run) -> Span:
    return Span(run.offsets[0], run.end(len(run.text)) if run.text else run.offsets[0], run.cell)


def _columns(
    piece: Piece,
    rows: list[list[_Cell]],
    numeric: list[int],
    labels: tuple[str, ...],
    titles: list[str],
    heads: list[_Cell],
) -> list[Item]:
    """The columns of values: as one matrix, as one row, or column by column."""
    values = [[_value(row[column]) for column in numeric] for row in rows]
    chosen = tuple(titles[column] for column in numeric)
    flat = all(not isinstance(value, Mat) for row in values for value in row)
    if not flat:
        return [
            item
            for at, column in enumerate(numeric)
            for item in _vectors(rows, column, values, at, labels, titles, heads)
        ]
    cells = [[row[column] for column in numeric] for row in rows]
    both = bool(AXES.search(titles[0])) and _crossed(titles[0], chosen, labels)  # "token \\ d_k", not one word
    if len(numeric) > 1 and len(rows) == 1 and not both:
        return [_row(cells[0], values[0], labels[0] if labels else "", chosen)]
    if both or (len(numeric) > 1 and (not labels or _alike(chosen, labels) or _crossed(titles[0], chosen, labels))):
        span = _around(cells)
        mat = Mat(tuple(tuple(row) for row in values), span, row_labels=labels, column_labels=chosen)
        if KEYS_DOWN.fullmatch(titles[0]) and len(labels) == len(rows):
            turned = tuple(zip(*mat.rows, strict=True))  # as every other: a row for each query
            mat = replace(mat, rows=turned, row_labels=chosen, column_labels=labels)
        return [(titles[0] if labels and not both else "", Found((Link("", mat),), span, (0, 0), 0))]
    if len(numeric) > 1 and _row_wise(cells):
        return [_row(row, value, label, chosen) for row, value, label in zip(cells, values, labels, strict=True)]
    made: list[Item] = []
    for at, column in enumerate(numeric):
        span = _around([[row[at]] for row in cells])
        mat = Mat((tuple(row[at] for row in values),), span, True, (), labels)
        head = heads[column] if column < len(heads) else None
        formulas = (
            _formulas(head, heads[0].words, [row[0].run for row in rows]) if head is not None and labels else None
        )
        links = (*((Link("", formulas),) if formulas is not None else _named(head)), Link("", mat))
        made.append((titles[column], Found(_related(links), span, (0, 0), 0)))
    return made


def _formulas(head: _Cell, titled: str, labels: list[Run]) -> Mat | None:
    """The formula that heads a column, row by row, of the number that labels the row.

    ``sin(pos)`` beside a column titled "Position" whose rows are ``0 (I)``, ``1 (am)`` …
    """
    items = [token for token in tokens(head.run, False) if token.kind not in ("mopen", "mclose", "nl")]
    if not items or len(items) > 60 or len(head.run.text) > 200:
        return None
    parser = Parser(head.run, items)
    try:
        node = parser.whole(0, len(items))
    except Unparsed:
        return None
    free = {symbol.name for symbol in _symbols(node)}
    if isinstance(node, Sym) or len(free) != 1 or not titled.lower().startswith(min(free).lower()):
        return None
    made: list[Node] = []
    for run in labels:
        number = re.match(r"\W*([0-9]{1,6})(?![0-9.,%])", run.text)
        if number is None:
            return None
        start, stop = number.span(1)
        span = Span(run.offsets[start], run.end(stop), run.cell)
        made.append(_put(node, Num(number[1], Fraction(int(number[1])), Fraction(0), span)))
    return Mat((tuple(made),), node.span, True)


def _symbols(node: Node) -> list[Sym]:
    if isinstance(node, Sym):
        return [node]
    parts = (node.left, node.right) if isinstance(node, Op) else node.args if isinstance(node, Call) else ()
    if isinstance(node, Neg):
        parts = (node.arg,)
    return [symbol for part in parts for symbol in _symbols(part)]


def _put(node: Node, value: Num) -> Node:
    """A formula with a number for its only name."""
    if isinstance(node, Sym):
        return value
    if isinstance(node, Op):
        return replace(node, left=_put(node.left, value), right=_put(node.right, value))
    if isinstance(node, Neg):
        return replace(node, arg=_put(node.arg, value))
    if isinstance(node, Call):
        return replace(node, args=tuple(_put(argument, value) for argument in node.args))
    return node


def _value(cell: _Cell) -> Node:
    if cell.value is None:
        raise AssertionError
    return cell.value


def _row(cells: list[_Cell], values: list[Node], label: str, titles: tuple[str, ...]) -> Item:
    span = _around([cells])
    mat = Mat((tuple(values),), span, True, (), titles)
    return label, Found((Link("", mat),), span, (0, 0), 0)


def _vectors(
    rows: list[list[_Cell]],
    column: int,
    values: list[list[Node]],
    at: int,
    labels: tuple[str, ...],
    titles: list[str],
    heads: list[_Cell],
) -> list[Item]:
    """A column of vectors: a matrix with a row for each label, or one statement for each row that names a quantity."""
    mats = [row[at] for row in values]
    quantity = any("\ue000" in row[0].run.text for row in rows) and bool(labels)
    lengths = {len(mat.rows[0]) if isinstance(mat, Mat) and len(mat.rows) == 1 else 0 for mat in mats}
    if quantity or len(lengths) > 1 or 0 in lengths or len(rows) == 1:
        made: list[Item] = []
        for row, mat, label in zip(rows, mats, labels or [""] * len(rows), strict=True):
            links = (*(_named(row[0]) if quantity else ()), Link("", mat))
            made.append((label or titles[column], Found(_related(links), mat.span, (0, 0), 0)))
        return made
    span = _around([[row[column]] for row in rows])
    joined = Mat(tuple(mat.rows[0] for mat in mats if isinstance(mat, Mat)), span, row_labels=labels)
    links = (*_named(heads[column] if column < len(heads) else None), Link("", joined))
    return [(titles[column], Found(_related(links), span, (0, 0), 0))]


def _related(links: tuple[Link, ...]) -> tuple[Link, ...]:
    return links if len(links) == 1 else (links[0], Link(":=", links[1].node))


def _named(cell: _Cell | None) -> tuple[Link, ...]:
    """The name in a heading or in a label: its only inline mathematics."""
    if cell is None or cell.run.text.count("\ue000") != 1 or len(cell.run.text) > 200:
        return ()
    start, stop = cell.run.text.index("\ue000") + 1, cell.run.text.find("\ue001")
    inside = cell.run.slice(start, max(start, stop))
    items = tokens(inside, True)
    parser = Parser(inside, items)
    try:
        node = parser.whole(0, len(items)) if items else None
    except Unparsed:
        return ()
    return (Link("", node),) if node is not None and not has_numbers(node) else ()


def _around(cells: list[list[_Cell]]) -> Span:
    spans = [_span(cell.run) for row in cells for cell in row]
    return Span(min(span.start for span in spans), max(span.stop for span in spans), spans[0].cell)


def _alike(titles: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    """Whether column heads name the same kind of thing as one another or as the rows: tokens, or numbered places."""
    if set(titles) & set(labels) - {""}:
        return True
    stems = {re.sub(r"[0-9₀-₉]+|[_{}()\[\]\s]", "", title).lower() for title in titles}
    return len(stems) == 1 and all(re.search(r"[0-9₀-₉]", title) for title in titles)


def _crossed(corner: str, titles: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    """Whether columns and rows are both words of the example, under a corner that names neither or both of them."""
    words = [*titles, *labels]
    if not all(words) or (corner and not CROSSED.search(corner)):
        return False
    if any("\ue000" in word for word in words):
        return False
    return bool(WORDS.search(corner)) or all(array_of_words(word) is None for word in words)


def _row_wise(cells: list[list[_Cell]]) -> bool:
    """Whether each row, and not each column, is written in one manner."""
    signs = [[_manner(cell.run.text) for cell in row] for row in cells]
    by_row = all(len(set(row)) == 1 for row in signs)
    by_column = all(len({row[at] for row in signs}) == 1 for at in range(len(signs[0])))
    return by_row and not by_column


def _manner(text: str) -> tuple[bool, bool]:
    return "%" in text or "％" in text, "." in text

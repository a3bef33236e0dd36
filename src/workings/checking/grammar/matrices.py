"""Matrices, vectors and tuples: brackets of every kind, LaTeX environments, prints with spaces only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workings.checking.grammar.cursor import Unparsed
from workings.checking.grammar.tokens import Token
from workings.checking.notation import Link, Mat, Node

if TYPE_CHECKING:
    from workings.checking.grammar.expression import Parser

MAX_BATCHES = 6
_EMPTY = ("nl", "quad")
_PLAIN = ("num", "vulgar")


def parts(parser: Parser, first: int, last: int, *kinds: str) -> Iterator[tuple[int, int]]:
    """The slices between separators that stand in no inner brackets; an empty last one is left out."""
    items, pairs = parser.items, parser.pairs
    begin = at = first
    while at < last:
        if at in pairs and pairs[at] < last:
            at = pairs[at] + 1
            continue
        if items[at].kind in kinds:
            yield begin, at
            begin = at + 1
        at += 1
    if begin < last and (items[begin].kind != "nl" or any(token.kind != "nl" for token in items[begin:last])):
        yield begin, last


def separators(parser: Parser, first: int, last: int) -> set[str]:
    """The kinds of token that stand in no inner brackets."""
    items, pairs = parser.items, parser.pairs
    kinds, at = set(), first
    while at < last:
        kinds.add(items[at].kind)
        at = pairs[at] + 1 if at in pairs and pairs[at] < last else at + 1
    return kinds


def bracketed(parser: Parser, first: int, close: int) -> Node:
    """What stands in brackets: a group, a vector, or a matrix."""
    sign = parser.items[first].text
    inner = trimmed(parser, first + 1, close)
    if inner[0] >= inner[1]:
        raise Unparsed("not-parsed", first)
    group = parser.items[inner[0]]
    if group.maths and group.text == "{" and parser.pairs.get(inner[0]) == inner[1] - 1:
        within = separators(parser, inner[0] + 1, inner[1] - 1)
        if within <= {"num", "op"}:
            inner = inner[0] + 1, inner[1] - 1  # ``({-1})``: the braces of LaTeX hold a number together
    kinds = separators(parser, *inner)
    if "ell" in kinds and not _decimal_ellipsis(parser, *inner):
        raise Unparsed("ellipsis-matrix", first)
    if "begin" in kinds and sign in "[({" and parser.pairs.get(inner[0]) == inner[1] - 1:
        return labelled(parser, parser.whole(*inner), first, close)
    if sign == "{" and "comma" not in kinds:
        return parser.whole(*inner)
    rows = _nested(parser, inner, kinds, 0)
    if rows is not None:
        return matrix(parser, rows, first, close)
    if "row" in kinds or "semi" in kinds:
        rows = [cells(parser, *row) for row in parts(parser, *inner, "row", "semi")]
        return matrix(parser, rows, first, close)
    if "comma" in kinds:
        row = [_item(parser, *cell) for cell in parts(parser, *inner, "comma") if not _blank(parser, cell)]
        return Mat((tuple(row),), parser.span(first, close + 1), flat=True)
    lines = [row for row in (spaced(parser, *line) for line in parts(parser, *inner, "nl")) if row]
    if sign != "(" or _vector_of_numbers(parser, lines):
        if len(lines) > 1:
            return matrix(parser, [_read_cells(parser, row) for row in lines], first, close)
        if lines and len(lines[0]) > 1 and (sign != "{"):
            return Mat((tuple(_read_cells(parser, lines[0])),), parser.span(first, close + 1), flat=True)
    node = parser.whole(*inner)
    if sign in "[┌" and not _group_goes_on(parser, close):
        return Mat(((node,),), parser.span(first, close + 1), flat=True)
    return node


def _item(parser: Parser, first: int, last: int) -> Node:
    """An entry of a list; of a chain (``[0.22/1.41 = 0.16, …]``) its last member, the chain being noted beside."""
    alone = last - first == 1
    if alone or "rel" not in separators(parser, first, last) or parser.items[first].kind == "rel":
        return parser.whole(first, last)
    links: list[Link] = []

    def chain() -> Node:
        links.extend(parser.chain())
        return links[-1].node

    node = parser.within(first, last, chain)
    parser.beside.append((links, first, last))
    return node


def _nested(parser: Parser, inner: tuple[int, int], kinds: set[str], depth: int) -> list[list[Node]] | None:
    """Rows that stand in brackets of their own: ``[[1, 0], [0, 1]]``, with commas, spaces or line ends between."""
    if not kinds <= {"open", "comma", "nl", "close"}:
        return None
    if depth > MAX_BATCHES:
        raise Unparsed("too-deep", inner[0])
    children, at = [], inner[0]
    while at < inner[1]:
        token = parser.items[at]
        if token.kind in ("comma", "nl"):
            at += 1
            continue
        if at not in parser.pairs or token.text not in "[({":
            return None
        children.append(trimmed(parser, at + 1, parser.pairs[at]))
        at = parser.pairs[at] + 1
    shaped = _shaped(parser, children)
    if shaped is not None:
        return shaped
    for (begin, stop), alone in zip(children, [len(children) == 1] * len(children), strict=True):
        inside = separators(parser, begin, stop)
        if alone and "open" in inside and (deeper := _nested(parser, (begin, stop), inside, depth + 1)):
            return deeper  # a batch of one
        if parser.items[begin - 1].text == "(" and "comma" not in inside and len(spaced(parser, begin, stop)) < 2:
            return None
    return [cells(parser, *child) for child in children] or None


def _shaped(parser: Parser, children: list[tuple[int, int]]) -> list[list[Node]] | None:
    """Rows of a list that is followed by its shape: ``({1, 0, 0, 1}, {1, 2, 2})``."""
    if len(children) != 2 or any(parser.items[begin - 1].text != "{" for begin, _ in children):
        return None
    sizes = [parser.items[at].text for at in range(*children[1]) if parser.items[at].kind != "comma"]
    if not all(size.isdecimal() and len(size) < 7 for size in sizes):
        return None
    values = cells(parser, *children[0])
    width, total = int(sizes[-1]) if sizes else 0, 1
    for size in sizes:
        total *= int(size)
    if not width or total != len(values) or len(sizes) < 2:
        return None
    return [values[at : at + width] for at in range(0, total, width)]


def cells(parser: Parser, first: int, last: int) -> list[Node]:
    """The cells of a row: between ``&``, between commas, or apart by spaces."""
    kinds = separators(parser, first, last)
    if "ell" in kinds and not _decimal_ellipsis(parser, first, last):
        raise Unparsed("ellipsis-matrix", first)
    if "amp" in kinds:
        return [parser.whole(*cell) for cell in parts(parser, first, last, "amp")]
    if "comma" in kinds:
        found = [cell for cell in parts(parser, first, last, "comma") if not _blank(parser, cell)]
        return [_item(parser, *cell) for cell in found]
    return _read_cells(parser, spaced(parser, first, last))


def _read_cells(parser: Parser, slices: list[tuple[int, int]]) -> list[Node]:
    return [parser.whole(*cell) for cell in slices]


def spaced(parser: Parser, first: int, last: int) -> list[tuple[int, int]]:
    """The slices that spaces part: between the end of an operand and the begin of another, signs counted in."""
    made, begin, at = [], first, first
    while at < last:
        step = parser.pairs[at] + 1 if at in parser.pairs and parser.pairs[at] < last else at + 1
        if at > begin and parser.items[at].kind in ("nl",):
            made.append((begin, at))
            begin = at + 1
        elif at > begin and parser.items[at].gap and _ends(parser.items[at - 1]) and _begins(parser, at, last):
            made.append((begin, at))
            begin = at
        at = step
    made.append((begin, last))
    return [cell for cell in made if not _blank(parser, cell)]


def _ends(token: Token) -> bool:
    return (
        token.kind in ("num", "close", "end", "vulgar", "ell", "sup", "sub")
        or token.text in ("%", "°", "∞")
        or token.kind == "name"
    )


def _begins(parser: Parser, at: int, last: int) -> bool:
    token = parser.items[at]
    if token.kind in ("num", "vulgar", "name", "open", "begin", "text", "cmd"):
        return True
    following = parser.items[at + 1] if at + 1 < last else None
    return token.text in ("-", "+") and following is not None and not following.gap


def matrix(parser: Parser, rows: list[list[Node]], first: int, close: int) -> Mat:
    """A matrix of rows that are all of one length."""
    rows = [row for row in rows if row]
    if not rows:
        raise Unparsed("not-parsed", first)
    if len({len(row) for row in rows}) > 1:
        raise Unparsed("ragged", first)
    return Mat(tuple(tuple(row) for row in rows), parser.span(first, close + 1))


def environment(parser: Parser, first: int, close: int) -> Node:
    """A LaTeX matrix, with the matrix of row labels that may stand beside it."""
    if "ell" in separators(parser, first + 1, close) and not _decimal_ellipsis(parser, first + 1, close):
        raise Unparsed("ellipsis-matrix", first)
    slices = [
        list(parts(parser, *row, "amp")) for row in parts(parser, first + 1, close, "row") if not _blank(parser, row)
    ]
    rows = []
    for row in slices:
        filled = [cell for cell in row if not _blank(parser, cell)]
        if len(filled) == 1 and len(row) == 1 and _listed(parser, *filled[0]):
            rows.append(cells(parser, *filled[0]))
        else:
            rows.append(_read_cells(parser, filled))
    return labelled(parser, matrix(parser, rows, first, close), first, close)


def labelled(parser: Parser, node: Node, first: int, close: int) -> Node:
    """A matrix with the labels of its rows, if a matrix of labels stands right beside it."""
    if not isinstance(node, Mat) or node.row_labels:
        return node
    labels = row_labels(parser, len(node.rows))
    return Mat(node.rows, parser.span(first, close + 1), node.flat, labels) if labels else node


def row_labels(parser: Parser, count: int) -> tuple[str, ...]:
    r"""The labels in a matrix right beside (``\leftarrow \text{Time}``), which is passed over; else none."""
    at = parser.at
    while at < parser.end and parser.items[at].kind == "nl":
        at += 1
    if at >= parser.end or parser.items[at].kind != "begin" or at not in parser.pairs:
        return ()
    close = parser.pairs[at]
    inside = parser.items[at + 1 : close]
    arrow = any(token.kind == "larrow" for token in inside)
    if not arrow and any(token.kind not in ("text", "word", "row", "nl", "punct", "amp") for token in inside):
        return ()
    labels = []
    for begin, stop in parts(parser, at + 1, close, "row"):
        said = [token.text for token in parser.items[begin:stop] if token.kind not in ("larrow", "nl", "amp")]
        labels.append(" ".join(said).strip())
    if len(labels) != count:
        return ()
    parser.at = close + 1
    return tuple(labels)


def trimmed(parser: Parser, first: int, last: int) -> tuple[int, int]:
    """The slice without line ends at its ends."""
    while first < last and parser.items[first].kind == "nl":
        first += 1
    while last > first and parser.items[last - 1].kind == "nl":
        last -= 1
    return first, last


def _blank(parser: Parser, cell: tuple[int, int]) -> bool:
    inside = parser.items[cell[0] : cell[1]]
    return not inside or (inside[0].kind in _EMPTY and all(token.kind in _EMPTY for token in inside))


def _decimal_ellipsis(parser: Parser, first: int, last: int) -> bool:
    """Whether every ellipsis follows the digits of a number with a point."""
    for at in range(first, last):
        if parser.items[at].kind == "ell" and (
            at == first or "." not in parser.items[at - 1].text or parser.items[at].gap
        ):
            return False
    return True


def _listed(parser: Parser, first: int, last: int) -> bool:
    """Whether a row without ``&`` is a list all the same: with commas, or of plain numbers."""
    return "comma" in separators(parser, first, last) or _vector_of_numbers(parser, [spaced(parser, first, last)])


def _vector_of_numbers(parser: Parser, lines: list[list[tuple[int, int]]]) -> bool:
    """Whether everything is a plain number, two at least: ``(1 0 1)`` is a vector."""
    slices = [cell for line in lines for cell in line]
    return len(slices) > 1 and all(
        parser.items[cell[1] - 1].kind in _PLAIN and cell[1] - cell[0] <= 2 for cell in slices
    )


def _group_goes_on(parser: Parser, close: int) -> bool:
    """Whether an operator behind square brackets around one expression says that they are no vector."""
    at = close + 1
    if at >= parser.end:
        return False
    token = parser.items[at]
    return token.kind == "op" and token.text in ("/", "^", "÷", "**")

"""Tables whose cells the lines below them work out, each labelled with its row and its column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workings.checking.notation import Mat, Num, Span, Statement, Unread
from workings.checking.setting import number_rows, pure

PARTS = re.compile(r"\s*[,，]\s*")
AXIS = re.compile(r"^\w+\s*=\s*")  # ``d_k=0`` is column 0
QUOTES = "\"'“”‘’「」『』`"


@dataclass(slots=True)
class _Table:
    heading: str
    cells: dict[tuple[str, ...], Num]
    unread: Unread


class Below:
    """The tables of a document that nothing but the lines below them tells the worth of."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []
        self._told: set[Span] = set()

    def keep(self, statement: Statement, unread: Unread) -> None:
        """A table that was not understood otherwise."""
        node = statement.links[-1].node
        if len(statement.links) > 1 or not pure(node):
            return
        if isinstance(node, Mat):
            cells = dict(_labelled(node))
            if len(cells) == sum(map(len, node.rows)):
                self._tables.append(_Table(statement.heading, cells, unread))
        elif isinstance(node, Num) and statement.kind == "table" and statement.label:
            self._tables.append(_Table(statement.heading, {_place(statement.label): node}, unread))

    def told(self, statement: Statement) -> Num | None:
        """The number in the last table under the same heading that a statement works out, by its label.

        None too where the two differ by no more than their rounding: an equality of rounded numbers tells no more.
        """
        table = self._tables[-1] if self._tables else None
        if table is None or table.heading != statement.heading or not statement.label:
            return None
        number = table.cells.get(_place(statement.label))
        results = [link.node for link in statement.links if isinstance(link.node, Num)]
        if number is None or not results or number.infinite or number.span in self._told:
            return None
        off = [abs(number.value - result.value) for result in results]
        if 0 not in off and any(gap <= number.half + it.half for gap, it in zip(off, results, strict=True)):
            return None
        self._told.add(number.span)
        return number

    def left(self, unread: Iterable[Unread]) -> Iterator[Unread]:
        """What was not understood, without the numbers of tables that lines below them told the worth of."""
        tables = {id(table.unread): table for table in self._tables}
        for item in unread:
            table = tables.get(id(item))
            rest = () if table is None else [n.text for n in table.cells.values() if n.span not in self._told]
            if table is None:
                yield item
            elif rest:
                yield Unread(" ".join(rest), item.why, item.span)


def _labelled(node: Mat) -> Iterator[tuple[tuple[str, ...], Num]]:
    """The numbers of a table by what labels them: row and column, or the one that there is."""
    for i, row in enumerate(number_rows(node)):
        for j, number in enumerate(row):
            both = node.row_labels[i : i + 1] + node.column_labels[j : j + 1]
            if all(both) and both:
                yield tuple(map(_bare, both)), number


def _place(label: str) -> tuple[str, ...]:
    return tuple(_bare(AXIS.sub("", part) if at else part) for at, part in enumerate(PARTS.split(label)))


def _bare(label: str) -> str:
    return label.strip(QUOTES + " ")

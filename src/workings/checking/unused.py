"""Named matrices that nothing in a document tells the worth of: no step's cells, and no part of an expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workings.checking.notation import Mat, Num, Statement, Sym, Unread, nodes
from workings.checking.vocabulary import STEPS, array_of
from workings.traces.trace import Trace

AXES = (("query", "key"), ("query", "d_v"))  # of what attention works out
DIGITS = "0123456789"  # ``weights1`` are those of a head
MOST_LETTERS = 3  # of names written as a product: ``wV``


class Unused:
    """The names of one document whose numbers were taken as they stand.

    Args:
        trace: without one, any matrix may be given but one that is named like a step.
    """

    def __init__(self, trace: Trace | None) -> None:
        sizes = {} if trace is None else trace.recipe.sizes
        self._shapes = {(sizes[rows], sizes[columns]) for rows, columns in AXES if rows in sizes and columns in sizes}
        self._named: list[tuple[str, Unread]] = []

    def keep(self, statement: Statement) -> None:
        """A name and its numbers, if they may be those of a step: by the name, or by the shape."""
        first, last = statement.links[0].node, statement.links[-1]
        if isinstance(first, Sym) and isinstance(last.node, Num) and array_of(first.name, first.index)[0] in STEPS:
            self._named.append((_indexed(first), Unread(last.node.text, "no-binding", last.node.span)))
        if not isinstance(first, Sym) or not isinstance(last.node, Mat):
            return
        shape = len(last.node.rows), len(last.node.rows[0])
        row = last.relation == ":=" and shape in {(1, columns) for _, columns in self._shapes}
        if shape in self._shapes or row or array_of(first.name.rstrip(DIGITS), first.index)[0] in STEPS:
            text = " ".join(number.text for row_ in last.node.numbers or [] for number in row_)
            self._named.append((first.name, Unread(text, "no-binding", last.node.span)))

    def left(self, statements: Iterable[Statement]) -> Iterator[Unread]:
        """The numbers of those that no expression of the document uses."""
        if not self._named:
            return
        used = {name for statement in statements for name in _used(statement)}
        letters = {letter for name in used if len(name) <= MOST_LETTERS for letter in name}
        yield from (unread for name, unread in self._named if name not in used and name not in letters)


def _used(statement: Statement) -> Iterator[str]:
    """The names in a chain's expressions; those that it gives a value to stand alone at its begin."""
    members = [link.node for link in statement.links]
    while members and isinstance(members[0], Sym):
        members.pop(0)
    for part in (part for node in members for part in nodes(node)):
        if isinstance(part, Sym):
            yield part.name
            yield _indexed(part)


def _indexed(symbol: Sym) -> str:
    return "_".join((symbol.name, *symbol.index))

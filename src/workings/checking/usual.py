"""The usual operation behind a step's name, on what the document itself worked out before.

Where a document names a step (``A``, "attention weights", 指数) without saying how it is worked out, and its inputs
make no recipe, the step is the usual one on the latest numbers of the step before: scaled scores are the scores over
the divisor, weights are the softmax of the rows of the scaled scores, an output is the weights times V.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from workings.checking.grids import Grid, NotAGrid, Reader
from workings.checking.naming import Names
from workings.checking.notation import Call, Link, Mat, Node, Op, Span, Sym
from workings.checking.rewriting import under_softmax
from workings.checking.vocabulary import STEPS, array_of_name
from workings.steps.language import Add, Const, Div, Exp, Expr, Sqrt

ROOT = re.compile(r"sqrt\((.+)\)")
NOWHERE = Span(0, 0)


class Usual:
    """Steps that the document has worked out, and those that follow from them.

    Args:
        divisor: what the scores are divided by, as the setting says it.
        cell: a cell of the document's own for an expression.
        head: the number behind the names, where it is that of a head with inputs of its own.
    """

    def __init__(
        self, names: Names, reader: Reader, divisor: str, cell: Callable[[Expr], Expr], head: tuple[str, ...] = ()
    ) -> None:
        self._names, self._reader, self._divisor, self._cell, self._head = names, reader, divisor, cell, head
        self._heads: dict[tuple[str, ...], Usual] = {}
        self._steps: dict[str, Grid] = {}
        self._rows: dict[str, str] = {}

    def of(self, node: Node, rows: int) -> Usual:
        """The steps that a matrix is one of: those of a head, where its name has a number as theirs have."""
        head = tuple(item for item in node.index if item.strip("^()").isdigit()) if isinstance(node, Sym) else ()
        if not head or rows == 1:
            return self
        if head not in self._heads:
            self._heads[head] = Usual(self._names, self._reader, self._divisor, self._cell, head)
        return self._heads[head]

    def keep(self, step: str | None, grid: Grid, row: str = "") -> None:
        """The latest numbers of a step; the steps after it are worked out anew.

        Args:
            row: what the document calls the row that these are; empty for a whole matrix, or where it does not say.
        """
        if step not in STEPS or grid.scalar is not None:
            return
        known = self._steps.get(step)
        if known is not None and (grid.shape[0] < known.shape[0] or grid.rows == known.rows):
            return  # a row of it
        self._steps[step] = grid
        self._rows[step] = row
        for later in STEPS[STEPS.index(step) + 1 :]:
            self._steps.pop(later, None)
            self._rows.pop(later, None)

    def is_row(self, step: str) -> bool:
        """Whether a step is known by a row alone that was printed, with words of its own before it."""
        return bool(self._rows.get(step)) and len(self._steps[step].rows) == 1

    def row(self, step: str) -> str:
        """Which row the numbers of a step are, or those that it follows from; empty where nothing says so."""
        return next((self._rows[name] for name in reversed(STEPS[: STEPS.index(step) + 1]) if name in self._rows), "")

    def grid(self, step: str) -> Grid | None:
        """A step as it was printed, or as it follows; None where what it follows from is not there."""
        known = self._steps.get(step)
        if known is not None:
            return known
        made = self._made(step)
        if made is not None:
            made = self._steps[step] = made.map(self._cell)
        return made

    def _made(self, step: str) -> Grid | None:
        if step == "score":
            return self._product("Q", "K")
        if step == "scaled":
            return self._scaled()
        if step == "exp":
            logits = self._logits()
            return None if logits is None else logits.map(Exp)
        if step == "exp_sum":
            powers = self.grid("exp")
            return None if powers is None else Grid(tuple((Add(*row),) for row in powers.rows))
        if step == "weight":
            return self._weights()
        if step in ("output", "head_output"):
            weights, values = self.grid("weight"), self._named("V")
            return None if weights is None or values is None else self._read(weights, values)
        return None

    def _logits(self) -> Grid | None:
        for step in ("masked", "scaled"):
            if step in self._steps:
                return self._steps[step]
        return self.grid("scaled")

    def _scaled(self) -> Grid | None:
        scores = self.grid("score")
        divisor = self._dividing()
        if scores is None or divisor is None:
            return None
        return scores if self._divisor == "1" else scores.map(lambda cell: Div(cell, divisor))

    def _dividing(self) -> Expr | None:
        if self._divisor == "sqrt(d_k)":
            keys = self._named("K") or self._named("Q")
            return None if keys is None else Sqrt(Const(keys.shape[1]))
        try:
            found = ROOT.fullmatch(self._divisor)
            return Sqrt(Const(Fraction(found[1]))) if found else Const(Fraction(self._divisor))
        except ValueError:
            return None

    def _weights(self) -> Grid | None:
        powers = self.grid("exp")
        if powers is None:
            return None
        sums = self._steps.get("exp_sum")
        rows = []
        for place, row in enumerate(powers.rows):
            total = sums.rows[place][0] if sums is not None and sums.shape == (len(powers.rows), 1) else Add(*row)
            rows.append(tuple(Div(cell, total, if_zero=0) for cell in row))
        return Grid(tuple(rows), powers.flat)

    def _named(self, name: str) -> Grid | None:
        found = self._names.value(Sym(name, self._head, NOWHERE))
        return None if found is None or (self._head and found.shape[0] == 1) else found

    def _product(self, left: str, right: str) -> Grid | None:
        first, second = self._named(left), self._named(right)
        if first is None or second is None or first.shape[1] != second.shape[1]:
            return None
        return self._read(first, second.transposed())

    def _read(self, left: Grid, right: Grid) -> Grid | None:
        try:
            return self._reader.product(left, right)
        except NotAGrid:
            return None


def step_of(links: tuple[Link, ...]) -> str | None:
    """The step that an expression at the begin of a chain works out: ``S / √2``, ``Q Kᵀ``, ``softmax(S)``."""
    node: Node = links[0].node
    if isinstance(node, Op) and node.op == "/":
        return "scaled" if _is_score(node.left) else None
    if under_softmax(node) is not None:
        return "weight"
    if isinstance(node, Op):
        return "score" if _is_score(node) else None
    return "exp" if isinstance(node, Call) and node.name == "exp" and _holds_names(node.args) else None


def _holds_names(nodes: tuple[Node, ...]) -> bool:
    return any(isinstance(node, Sym) for node in nodes)


def _is_score(node: Node) -> bool:
    if isinstance(node, Sym):
        return array_of_name(node.name) == "score"
    if isinstance(node, Op) and node.op == "*":
        right = node.right
        return isinstance(right, Call) and right.name == "transpose" and not isinstance(right.args[0], Mat)
    return False

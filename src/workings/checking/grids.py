"""A document's mathematics as grids of cell formulas: matrices of expressions over what the document has named."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from workings.checking.notation import Call, Mat, Neg, Node, Num, Op, Sym
from workings.checking.rewriting import under_sigma, under_softmax
from workings.steps.language import (
    Add,
    Cell,
    Const,
    Cos,
    Div,
    Exp,
    Expr,
    Infinity,
    Larger,
    Log,
    Mul,
    Pow,
    Printed,
    Sigmoid,
    Sin,
    Sqrt,
    Sub,
    Tanh,
)
from workings.terms.records import record

MOST_CELLS = 65_536
NORMED = re.compile(r"layer_?norm_(\w+)", re.IGNORECASE)
MOST_LETTERS = 3
SCORES = ("score", "scaled", "masked")
FUNCTIONS = {"exp": Exp, "ln": Log, "log": Log, "sqrt": Sqrt, "tanh": Tanh, "sin": Sin, "cos": Cos, "sigmoid": Sigmoid}


@record
class Grid:
    """Rows of expressions; a single number is 1 × 1. ``flat`` marks a list, which may be a row or a column."""

    rows: tuple[tuple[Expr, ...], ...]
    flat: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    @property
    def scalar(self) -> Expr | None:
        """The only cell, if there is just one."""
        return self.rows[0][0] if len(self.rows) == 1 and len(self.rows[0]) == 1 else None

    def transposed(self) -> Grid:
        return Grid(tuple(zip(*self.rows, strict=True)), self.flat)

    def map(self, change: Callable[[Expr], Expr]) -> Grid:
        return Grid(tuple([tuple(map(change, row)) for row in self.rows]), self.flat)


class NotAGrid(Exception):
    """An expression that gives no matrix: a name without a value, or shapes that do not fit."""


class Reader:
    """Turns nodes into grids.

    Args:
        named: the grid that a name stands for at this point of the document; None for none.
        lift: what an expression is once its operands are known: the recipe's cell it works out, or itself.
        adds_no_epsilon: whether the document says that its layer norm adds no epsilon; else none is worked out.
    """

    def __init__(
        self,
        named: Callable[[Sym], Grid | None],
        lift: Callable[[Expr], Expr],
        adds_no_epsilon: Callable[[], bool] = lambda: False,
    ) -> None:
        self._adds_no_epsilon = adds_no_epsilon
        self._named = named
        self._lift = lift
        self.numbers: dict[int, tuple[Expr, Num]] = {}  # where each written number came from, by identity

    def grid(self, node: Node) -> Grid:
        """The grid of a node. Raises ``NotAGrid``."""
        if isinstance(node, Num):
            cell = number(node)
            self.numbers[id(cell)] = (cell, node)
            return Grid(((cell,),))
        if isinstance(node, Sym):
            return self._value(node)
        if isinstance(node, Mat):
            return self._matrix(node)
        if isinstance(node, Neg):
            return self.grid(node.arg).map(_negative)
        if isinstance(node, Op):
            if node.op == "+":
                return self._sum([self.grid(term) for term in _added(node)])
            if (inner := under_sigma(node)) is not None and self._named(Sym("σ", (), node.span)) is None:
                return self._sigma(node, inner)
            return self._operation(node.op, self.grid(node.left), self.grid(node.right))
        return self._call(node)

    def _value(self, symbol: Sym) -> Grid:
        """What a name stands for; a few letters without a value of their own are a product: ``wV``."""
        found = self._named(symbol)
        if found is not None:
            return found
        normed = NORMED.fullmatch(symbol.name)
        inner = self._named(Sym(normed[1], symbol.index, symbol.span)) if normed else None
        if inner is not None:  # ``layer_norm_z``: a function's name and what it is applied to
            return self._normed(inner)
        letters = symbol.name
        if symbol.index or not 1 < len(letters) <= MOST_LETTERS or not letters.isalpha():
            raise NotAGrid(letters)
        factors = [self._named(Sym(letter, (), symbol.span)) for letter in letters]
        product = factors[0]
        for factor in factors[1:]:
            if product is None or factor is None:
                raise NotAGrid(letters)
            product = self._product(product, factor)
        if product is None:
            raise NotAGrid(letters)
        return product

    def _normed(self, grid: Grid) -> Grid:
        """The layer norm of each row, its deviation taken over n."""
        if not self._adds_no_epsilon():
            raise NotAGrid("epsilon")
        rows = []
        for row in grid.rows:
            count = Const(len(row))
            mean = Div(Add(*row), count)
            off = [Sub(cell, mean) for cell in row]
            deviation = Sqrt(Div(Add(*(Mul(item, item) for item in off)), count))
            rows.append(tuple(Div(item, deviation) for item in off))
        return Grid(tuple(rows), grid.flat)

    def _sum(self, terms: list[Grid]) -> Grid:
        """All terms at once, so that no part of a sum is taken for a whole."""
        total = terms[0]
        for term in terms[1:]:
            total = self._operation("+", total, term)
        return total.map(self._lift)

    def _matrix(self, node: Mat) -> Grid:
        rows = tuple(tuple(self._cell(cell) for cell in row) for row in node.rows)
        if not rows or any(len(row) != len(rows[0]) for row in rows) or not rows[0]:
            raise NotAGrid("ragged")
        return Grid(rows, node.flat)

    def _cell(self, node: Node) -> Expr:
        scalar = self.grid(node).scalar
        if scalar is None:
            raise NotAGrid("nested")
        return scalar

    def _sigma(self, node: Node, inner: Node) -> Grid:
        """``σ(z)``: the sigmoid, but of rows of scores the softmax, which is written so too."""
        argument = self.grid(inner)
        scores = under_softmax(node) is not None or all(_is_score(cell) for row in argument.rows for cell in row)
        if scores and argument.shape[1] > 1:
            return self._softmaxed(argument)
        return argument.map(lambda cell: self._lift(Sigmoid(cell)))

    def _softmaxed(self, grid: Grid) -> Grid:
        return Grid(tuple(self._softmax(row) for row in grid.rows), grid.flat)

    def _operation(self, op: str, left: Grid, right: Grid) -> Grid:
        if op == "*":
            return self._product(left, right)
        kinds: dict[str, Callable[[Expr, Expr], Expr]] = {"+": Add, "-": Sub, "/": Div, "^": Pow}
        make = kinds[op]
        (r, c), (r2, c2) = left.shape, right.shape
        rows, columns = max(r, r2), max(c, c2)
        if r not in (1, rows) or r2 not in (1, rows) or c not in (1, columns) or c2 not in (1, columns):
            raise NotAGrid("shapes")
        lift = self._lift if op != "+" else _as_it_is
        return Grid(
            tuple(
                tuple(lift(make(left.rows[i % r][j % c], right.rows[i % r2][j % c2])) for j in range(columns))
                for i in range(rows)
            ),
            left.flat or right.flat,
        )

    def product(self, left: Grid, right: Grid) -> Grid:
        """Two grids multiplied. Raises ``NotAGrid``."""
        return self._product(left, right)

    def _product(self, left: Grid, right: Grid) -> Grid:
        if left.scalar is not None:
            return self._scaled(left.scalar, right, Mul)
        if right.scalar is not None:
            return self._scaled(right.scalar, left, lambda factor, cell: Mul(cell, factor))
        if left.shape[1] != right.shape[0]:
            left, right = self._fitted(left, right)
        columns = right.transposed().rows
        if len(left.rows) * len(columns) * left.shape[1] > MOST_CELLS:
            raise NotAGrid("size")
        return Grid(tuple(tuple(self._lift(_dot(row, column)) for column in columns) for row in left.rows))

    def _scaled(self, factor: Expr, grid: Grid, make: Callable[[Expr, Expr], Expr]) -> Grid:
        return grid.map(lambda cell: self._lift(make(factor, cell)))

    def _fitted(self, left: Grid, right: Grid) -> tuple[Grid, Grid]:
        """Two lists multiply as a dot product; a list beside a matrix turns the way that fits."""
        if right.flat and left.shape[1] == right.shape[1]:
            return left, right.transposed()
        if left.flat and left.shape[0] == right.shape[0]:
            return left.transposed(), right
        raise NotAGrid("shapes")

    def _call(self, node: Call) -> Grid:
        arguments = [self.grid(argument) for argument in node.args]
        if not arguments:
            raise NotAGrid(node.name)
        if node.name == "transpose":
            return arguments[0].transposed()
        if node.name == "layernorm":
            return self._normed(arguments[0])
        if node.name in ("softmax", "sum") and len(arguments) == 2 and _is_zero(arguments[1]) and not arguments[0].flat:
            turned = self._softmaxed if node.name == "softmax" else self._summed
            return turned(arguments[0].transposed()).transposed()  # along the first axis
        if node.name == "softmax":
            return self._softmaxed(arguments[0])
        if node.name == "concat":
            if len({len(argument.rows) for argument in arguments}) > 1:
                raise NotAGrid("shapes")
            rows = zip(*(argument.rows for argument in arguments), strict=True)
            return Grid(tuple(tuple(cell for part in row for cell in part) for row in rows))
        if node.name == "sum":
            return self._summed(arguments[0])
        if node.name == "relu":
            return arguments[0].map(lambda cell: self._lift(Larger(Const(0), cell)))
        if node.name == "max":
            cells = [cell for argument in arguments for row in argument.rows for cell in row]
            return Grid(((self._lift(Larger(*cells)),),))
        function = FUNCTIONS.get(node.name)
        if function is None or not arguments:
            raise NotAGrid(node.name)
        return arguments[0].map(lambda cell: self._lift(function(cell)))

    def _summed(self, grid: Grid) -> Grid:
        return Grid(tuple((self._lift(Add(*row)),) for row in grid.rows))

    def _softmax(self, row: tuple[Expr, ...]) -> tuple[Expr, ...]:
        exponentials = [self._lift(Exp(cell)) for cell in row]
        total = self._lift(Add(*exponentials))
        return tuple(self._lift(Div(exponential, total, if_zero=0)) for exponential in exponentials)


def _is_zero(grid: Grid) -> bool:
    cell = grid.scalar
    return isinstance(cell, (Const, Printed)) and cell.value == 0


def _is_score(cell: Expr) -> bool:
    return isinstance(cell, Cell) and cell.address.array.name in SCORES


def number(node: Num) -> Expr:
    """A printed number as an expression."""
    if node.infinite:
        return Infinity(node.infinite)
    return Printed(node.text, node.value)


def _added(node: Node) -> list[Node]:
    """The terms of a sum, however deep it nests to the left."""
    terms: list[Node] = []
    while isinstance(node, Op) and node.op == "+":
        terms.append(node.right)
        node = node.left
    return [node, *reversed(terms)]


def _as_it_is(expression: Expr) -> Expr:
    return expression


def _negative(cell: Expr) -> Expr:
    if isinstance(cell, Infinity):
        return Infinity(-cell.sign)
    if isinstance(cell, Printed) and cell.value is not None:
        return Printed(f"-{cell.text}", -cell.value)
    return Mul(Const(Fraction(-1)), cell)


def _dot(row: tuple[Expr, ...], column: tuple[Expr, ...]) -> Expr:
    products = [Mul(a, b) for a, b in zip(row, column, strict=True)]
    return products[0] if len(products) == 1 else Add(*products)

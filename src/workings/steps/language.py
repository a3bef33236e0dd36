"""The two small languages in which every step is declared.

*Index* language: an axis (a string), an integer, ``Size(axis)``, ``Lookup`` in a table of integers, ``Calc``
(+ - * // % |-|) and ``Compare``. It is resolved before a cell is written, so it never shows in a cell's arithmetic.

*Value* language: everything under ``Expr``. Minus infinity is a value: exp(-inf) = 0, ln 0 = -inf, -inf minus or
plus anything is -inf, and 0 times anything is 0, so that what is masked never reaches a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter, is_, itemgetter
from typing import Any, NamedTuple

from workings.terms.address import Address
from workings.terms.records import record

Scope = Mapping[str, int]


# --- index language ----------------------------------------------------------------------------------------------


@record
class Size:
    """The length of an axis; in the value language, that length as a number."""

    axis: str


@record
class Calc:
    """``left op right`` with op one of + - * // % and |-|, the distance between two indices."""

    op: str
    left: Index
    right: Index


@dataclass(frozen=True, slots=True, init=False)
class Lookup:
    """A cell of a table of integers that comes with the recipe: ``position[token]``, ``allowed[query, key]``."""

    table: str
    index: tuple[Index, ...]

    def __init__(self, table: str, *index: Index) -> None:
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "index", index)


Index = str | int | Size | Calc | Lookup


def index_axes(item: Index) -> frozenset[str]:
    """The axes that an index depends on."""
    if isinstance(item, str):
        return frozenset((item,))
    if isinstance(item, Calc):
        return index_axes(item.left) | index_axes(item.right)
    if isinstance(item, Lookup):
        return frozenset[str]().union(*(index_axes(part) for part in item.index))
    return frozenset()


@record
class Compare:
    """``left op right`` with op one of < <= == >= >."""

    op: str
    left: Index
    right: Index


@record
class Both:
    """Two conditions that hold together."""

    first: Condition
    second: Condition


Condition = Compare | Both


def condition_axes(condition: Condition) -> frozenset[str]:
    """The axes that a condition depends on."""
    if isinstance(condition, Both):
        return condition_axes(condition.first) | condition_axes(condition.second)
    return index_axes(condition.left) | index_axes(condition.right)


CALCULATE: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "|-|": lambda a, b: abs(a - b),
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


class Tables:
    """Resolves the index language: sizes of axes, and the tables that ``Lookup`` reads."""

    __slots__ = ("sizes", "tables")

    def __init__(self, sizes: Mapping[str, int], tables: Mapping[str, Any]) -> None:
        self.sizes = sizes
        self.tables = tables

    def index(self, item: Index, scope: Mapping[str, Any]) -> Any:
        """The number an index stands for; with arrays in ``scope``, the array of numbers."""
        if isinstance(item, str):
            return scope[item]
        if isinstance(item, int):
            return item
        if isinstance(item, Size):
            return self.sizes[item.axis]
        if isinstance(item, Calc):
            return CALCULATE[item.op](self.index(item.left, scope), self.index(item.right, scope))
        table = self.tables[item.table]
        places = tuple(self.index(i, scope) for i in item.index)
        if all(isinstance(p, int) for p in places):
            for place in places:
                table = table[place]
            return table
        return self.look_up_arrays(table, places)

    def compiled(self, item: Index) -> Callable[[Mapping[str, int]], int]:
        """``index`` as a function of the scope, for an index that is asked for many times."""
        if isinstance(item, str):
            return itemgetter(item)
        if isinstance(item, Calc):
            calculate, left, right = CALCULATE[item.op], self.compiled(item.left), self.compiled(item.right)
            return lambda scope: int(calculate(left(scope), right(scope)))
        if isinstance(item, Lookup):
            return lambda scope: int(self.index(item, scope))
        number = int(self.index(item, {}))
        return lambda scope: number

    def look_up_arrays(self, table: Any, places: tuple[Any, ...]) -> Any:
        """Overridden by the array form."""
        raise TypeError("a table is looked up with integers")

    def holds(self, condition: Condition, scope: Mapping[str, Any]) -> Any:
        """Whether a condition holds at ``scope``."""
        if isinstance(condition, Both):
            return self.holds(condition.first, scope) & self.holds(condition.second, scope)
        return COMPARE[condition.op](self.index(condition.left, scope), self.index(condition.right, scope))


# --- value language ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, init=False)
class At:
    """A cell of a named array. ``head`` names another head than the one the formula stands in."""

    name: str
    index: tuple[Index, ...]
    head: Index | None

    def __init__(self, name: str, *index: Index, head: Index | None = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "head", head)


@record
class Const:
    """A rational number, written out as it stands."""

    value: Fraction | int


@record
class Infinity:
    """Plus (1) or minus (-1) infinity."""

    sign: int


MINUS_INFINITY = Infinity(-1)


@record
class Pi:
    """π, to as many digits as are asked for."""


@record
class Number:
    """An index as a number: a position, a distance."""

    index: Index


@record
class Sum:
    axis: str
    body: Expr


@record
class Max:
    axis: str
    body: Expr


@dataclass(frozen=True, slots=True, init=False)
class Add:
    terms: tuple[Expr, ...]

    def __init__(self, *terms: Expr) -> None:
        object.__setattr__(self, "terms", terms)


@dataclass(frozen=True, slots=True, init=False)
class Larger:
    """The largest of several values."""

    terms: tuple[Expr, ...]

    def __init__(self, *terms: Expr) -> None:
        object.__setattr__(self, "terms", terms)


@record
class Sub:
    left: Expr
    right: Expr


@record
class Mul:
    left: Expr
    right: Expr


@record
class Div:
    """A quotient. ``if_zero`` is the declared convention for a divisor of 0 (a softmax row with nothing allowed)."""

    left: Expr
    right: Expr
    if_zero: int | None = None


@record
class Pow:
    base: Expr
    exponent: Expr


@record
class Unary:
    """A function of one value; the classes below name them."""

    arg: Expr


class Exp(Unary):
    __slots__ = ()


class Log(Unary):
    __slots__ = ()


class Sqrt(Unary):
    __slots__ = ()


class Tanh(Unary):
    __slots__ = ()


class Erf(Unary):
    __slots__ = ()


class Sin(Unary):
    __slots__ = ()


class Cos(Unary):
    __slots__ = ()


class Sigmoid(Unary):
    __slots__ = ()


@record
class Round:
    """Rounded to a floating-point format: ``float16``, ``bfloat16``, ``float32`` or ``float64``.

    ``ANY_NARROW`` in its place is read by the search for causes alone.
    """

    dtype: str
    arg: Expr


@record
class If:
    condition: Condition
    then: Expr
    otherwise: Expr


# --- leaves of a formula that has been resolved for one cell, or is to be read by people ----------------------------


class Cell(NamedTuple):
    """One cell by its address, after the index language has been resolved."""

    address: Address


@record
class Printed:
    """A number as it is printed: its text, and the rational that the text stands for (None for an infinity)."""

    text: str
    value: Fraction | None


@record
class Symbol:
    """A named array or constant in a general formula, with the letters of its indices."""

    text: str
    index: tuple[str, ...] = ()


Expr = (
    At
    | Const
    | Infinity
    | Pi
    | Number
    | Size
    | Sum
    | Max
    | Add
    | Larger
    | Sub
    | Mul
    | Div
    | Pow
    | Unary
    | Round
    | If
    | Cell
    | Printed
    | Symbol
)


def absolute(node: Expr) -> Expr:
    """|x|, as the larger one of x and 0 − x."""
    return Larger(node, Sub(Const(0), node))


def of_absolute(node: Expr) -> Expr | None:
    """The x of an |x|, or None where the node is something else."""
    if isinstance(node, Larger) and len(node.terms) == 2:
        first, second = node.terms
        if isinstance(second, Sub) and second.left == Const(0) and second.right == first:
            return first
    return None


class _Parts(dict[type, Callable[[Any], tuple["Expr", ...]]]):
    """How to read what stands directly under a node of one kind; looked up, since every walk asks for each node."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Expr, ...]]:
        read = self[kind] = self._of(kind)
        return read

    def _of(self, kind: type) -> Callable[[Any], tuple[Expr, ...]]:
        if issubclass(kind, (Add, Larger)):
            return attrgetter("terms")
        if issubclass(kind, (Sub, Mul, Div)):
            return attrgetter("left", "right")
        if issubclass(kind, (Sum, Max)):
            return lambda node: (node.body,)
        if issubclass(kind, Pow):
            return attrgetter("base", "exponent")
        if issubclass(kind, (Unary, Round)):
            return lambda node: (node.arg,)
        if issubclass(kind, If):
            return attrgetter("then", "otherwise")
        return lambda node: ()


_PARTS = _Parts()


def children(node: Expr) -> tuple[Expr, ...]:
    """The expressions directly under a node."""
    return _PARTS[type(node)](node)


def walk(node: Expr) -> Iterator[Expr]:
    """The node and everything under it, in the order in which they are written."""
    ahead = [node]
    while ahead:
        current = ahead.pop()
        yield current
        ahead += reversed(_PARTS[type(current)](current))


def leaves(node: Expr) -> list[Expr]:
    """Everything under a node with nothing under it, in the order in which it is written."""
    found: list[Expr] = []
    ahead = [node]
    while ahead:
        current = ahead.pop()
        below = () if type(current) is Cell else _PARTS[type(current)](current)
        if below:
            ahead += below
        else:
            found.append(current)
    found.reverse()
    return found


def cells_of(node: Expr) -> list[Address]:
    """The addresses of the cells in a resolved formula, in its order, each once."""
    found: list[Address] = []
    ahead = [node]
    while ahead:
        current = ahead.pop()
        if type(current) is Cell:
            found.append(current.address)
        else:
            ahead += _PARTS[type(current)](current)
    found.reverse()
    return list(dict.fromkeys(found))


def terms_of(node: Expr) -> list[Expr]:
    """The terms of a sum, those of sums within it among them; of anything else, itself."""
    if not isinstance(node, Add):
        return [node]
    found: list[Expr] = []
    for term in node.terms:
        if isinstance(term, Add):
            found += terms_of(term)
        else:
            found.append(term)
    return found


def rebuild(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The node with ``change`` applied to each expression directly under it; the node itself where none changes."""
    below = children(node)
    if not below:
        return node
    changed = [change(child) for child in below]
    return node if all(map(is_, changed, below)) else with_children(node, changed)


def with_children(node: Expr, below: Sequence[Expr]) -> Expr:
    """The node with other expressions directly under it, as many as it has."""
    kind: Callable[..., Expr] = type(node)
    if isinstance(node, (Sum, Max)):
        return kind(node.axis, *below)
    if isinstance(node, Div):
        return kind(*below, node.if_zero)
    if isinstance(node, Round):
        return kind(node.dtype, *below)
    return kind(node.condition, *below) if isinstance(node, If) else kind(*below)

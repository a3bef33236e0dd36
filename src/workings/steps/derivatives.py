"""Derivatives of the value language: what an expression passes back to each cell that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from workings.steps.language import (
    Add,
    At,
    Both,
    Calc,
    Compare,
    Condition,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    If,
    Index,
    Log,
    Lookup,
    Max,
    Mul,
    Number,
    Pi,
    Pow,
    Round,
    Sigmoid,
    Sin,
    Size,
    Sqrt,
    Sub,
    Sum,
    Tanh,
    rebuild,
    walk,
)
from workings.steps.language import Larger as Largest
from workings.terms.errors import FieldConflict

ONE, TWO, ZERO = Const(1), Const(2), Const(0)


class Passed(NamedTuple):
    """What comes back to one place that reads a cell: the place, the expression, and the axes summed over around it."""

    at: At
    passed: Expr
    summed: tuple[str, ...]


def differentiated(formula: Expr, own: Expr, handed: Expr, name: str) -> Iterator[Passed]:
    """What a formula passes back.

    Args:
        own: the formula's own cell; where a derivative is made of the value itself, it stands for it.
        handed: what the cell was handed: its own gradient.
        name: of the step, for the error.

    Raises ``FieldConflict`` where it has no derivative.
    """
    yield from _Chain(formula, own, name).back(formula, handed, ())


def times(left: Expr, right: Expr) -> Expr:
    """A product, without a factor 1."""
    if left == ONE:
        return right
    return left if right == ONE else Mul(left, right)


def minus(node: Expr) -> Expr:
    """The same with the other sign."""
    if isinstance(node, If):
        return If(node.condition, minus(node.then), minus(node.otherwise))
    return Const(-node.value) if isinstance(node, Const) else Sub(ZERO, node)


OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def where(condition: Condition, node: Expr) -> Expr:
    """The expression where a condition holds, else 0; with the conditions that it has already."""
    if isinstance(node, If) and node.otherwise == ZERO:
        return If(Both(condition, node.condition), node.then, ZERO)
    return If(condition, node, ZERO)


def elsewhere(condition: Condition, node: Expr) -> Expr:
    """The expression where a condition does not hold, else 0."""
    if isinstance(condition, Compare) and condition.op in OPPOSITE:
        return where(Compare(OPPOSITE[condition.op], condition.left, condition.right), node)
    return If(condition, ZERO, node)


class _Chain:
    """The chain rule along one formula."""

    def __init__(self, formula: Expr, own: Expr, name: str) -> None:
        self.formula, self.own, self.name = formula, own, name

    def back(self, node: Expr, handed: Expr, summed: tuple[str, ...]) -> Iterator[Passed]:
        if isinstance(node, At):
            yield Passed(node, handed, summed)
        elif isinstance(node, Sum):
            yield from self.back(node.body, handed, (*summed, node.axis))
        elif isinstance(node, If):
            yield from self.back(node.then, where(node.condition, handed), summed)
            yield from self.back(node.otherwise, elsewhere(node.condition, handed), summed)
        else:
            for part, share in self._shares(node, handed):
                yield from self.back(part, share, summed)

    def _shares(self, node: Expr, handed: Expr) -> list[tuple[Expr, Expr]]:
        """Each expression directly under a node with what comes back to it; where it was handed 0, that is 0."""
        if isinstance(handed, If) and handed.otherwise == ZERO:
            return [(part, where(handed.condition, share)) for part, share in self._shares(node, handed.then)]
        if isinstance(handed, If) and handed.then == ZERO:
            return [(part, elsewhere(handed.condition, share)) for part, share in self._shares(node, handed.otherwise)]
        value = self.own if node is self.formula else node
        match node:
            case Add():
                return [(term, handed) for term in node.terms]
            case Sub():
                return [(node.left, handed), (node.right, minus(handed))]
            case Mul():
                return [(node.left, times(handed, node.right)), (node.right, times(handed, node.left))]
            case Div():
                back = minus(Div(times(handed, value), node.right))
                return [(node.left, Div(handed, node.right)), (node.right, back)]
            case Pow(base=base, exponent=Const(value=power)):
                less = base if power == 2 else Pow(base, Const(power - 1))
                return [(base, times(handed, Mul(Const(power), less)))]
            case _:
                return self._of_function(node, value, handed)

    def _of_function(self, node: Expr, value: Expr, handed: Expr) -> list[tuple[Expr, Expr]]:
        match node:
            case Exp():
                return [(node.arg, times(handed, value))]
            case Log():
                return [(node.arg, Div(handed, node.arg))]
            case Sqrt():
                return [(node.arg, Div(handed, Mul(TWO, value)))]
            case Tanh():
                return [(node.arg, times(handed, Sub(ONE, Mul(value, value))))]
            case Sigmoid():
                return [(node.arg, times(handed, Mul(value, Sub(ONE, value))))]
            case Sin():
                return [(node.arg, times(handed, Cos(node.arg)))]
            case Cos():
                return [(node.arg, minus(times(handed, Sin(node.arg))))]
            case Erf():
                bell = Exp(minus(Mul(node.arg, node.arg)))
                return [(node.arg, times(handed, Mul(Div(TWO, Sqrt(Pi())), bell)))]
            case Max() | Largest() | Round() | Pow():
                if any(isinstance(below, At) for below in walk(node)):
                    raise FieldConflict(field="learn", other=self.name, why="no-derivative")
                return []
            case _:
                return []


# --- other indices ---------------------------------------------------------------------------------------------------


def mapped(node: Expr, places: Mapping[str, Index], named: Callable[[At], Expr] = lambda node: node) -> Expr:
    """An expression with other indices in place of axes, and each ``At`` put through ``named``."""
    if isinstance(node, At):
        head = None if node.head is None else mapped_index(node.head, places)
        return named(At(node.name, *(mapped_index(item, places) for item in node.index), head=head))
    if isinstance(node, Number):
        return Number(mapped_index(node.index, places))
    if isinstance(node, If):
        parts = (mapped(node.then, places, named), mapped(node.otherwise, places, named))
        return If(mapped_condition(node.condition, places), *parts)
    if isinstance(node, (Size, Sum, Max)):
        other = places.get(node.axis, node.axis)
        axis = other if isinstance(other, str) else node.axis
        return Size(axis) if isinstance(node, Size) else type(node)(axis, mapped(node.body, places, named))
    return rebuild(node, lambda below: mapped(below, places, named))


def mapped_index(item: Index, places: Mapping[str, Index]) -> Index:
    """An index with others in place of axes."""
    if isinstance(item, str):
        return places.get(item, item)
    if isinstance(item, Calc):
        return Calc(item.op, mapped_index(item.left, places), mapped_index(item.right, places))
    if isinstance(item, Lookup):
        return Lookup(item.table, *(mapped_index(part, places) for part in item.index))
    if isinstance(item, Size):
        other = places.get(item.axis, item.axis)
        return Size(other) if isinstance(other, str) else item
    return item


def mapped_condition(condition: Condition, places: Mapping[str, Index]) -> Condition:
    """A condition with other indices in place of axes."""
    if isinstance(condition, Both):
        return Both(mapped_condition(condition.first, places), mapped_condition(condition.second, places))
    return Compare(condition.op, mapped_index(condition.left, places), mapped_index(condition.right, places))

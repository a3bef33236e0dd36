"""One cell at a time: a formula turned into a function of the index scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flint import arb, fmpq

from workings.exact import floats, values
from workings.exact.values import Endless, Held, NeedMoreBits
from workings.steps import language as lang
from workings.steps.language import Expr, Index, Tables, index_axes
from workings.terms.address import Address
from workings.terms.numbers import ANY_NARROW

Cell = Callable[[dict[str, int]], Held]
Reader = Callable[[lang.At], Cell]
Known = dict[int, tuple[Expr, Cell]]  # by the identity of an expression, which is kept alive


class Operations(NamedTuple):
    """What the function of a formula computes with."""

    hold: Callable[[Held], Held]
    add: Callable[[Held, Held], Held]
    total: Callable[[Sequence[Held]], Held]
    subtract: Callable[[Held, Held], Held]
    multiply: Callable[[Held, Held], Held]
    divide: Callable[[Held, Held, int | None], Held]
    power: Callable[[Held, Held], Held]
    largest: Callable[[Sequence[Held]], Held]


CLOSED = Operations(
    lambda held: held,
    values.add,
    values.total,
    values.subtract,
    values.multiply,
    values.divide,
    values.power,
    values.largest,
)
"""Closed forms as long as there are any."""


def no_array(at: lang.At) -> Cell:
    """The reader of a formula that reads no array."""
    raise TypeError(f"a formula without a place reads no array: {at!r}")


def compile_cell(
    node: Expr,
    tables: Tables,
    read: Reader,
    cells: Callable[[Address], Held] | None = None,
    *,
    changing: bool = False,
    operations: Operations = CLOSED,
    known: Known | None = None,
) -> Cell:
    """A function that computes the formula at a scope; ``read`` makes the function of an ``At``.

    ``cells`` gives the values of a formula that is resolved already, by address.

    Good for one working precision: what several cells share (√d_k, the root of a row's variance) is computed once,
    unless it is made from arrays that are ``changing``. ``known`` has the functions of parts of other formulas that
    mean the same here, and gets those of this one.
    """
    return _Compiler(tables, read, cells, changing, operations, known).cell(node)


class _Compiler:
    """What the function of a formula is made with."""

    __slots__ = ("cells", "changing", "known", "operations", "read", "tables")

    def __init__(
        self,
        tables: Tables,
        read: Reader,
        cells: Callable[[Address], Held] | None,
        changing: bool,
        operations: Operations,
        known: Known | None,
    ) -> None:
        self.tables, self.read, self.cells, self.changing, self.operations = tables, read, cells, changing, operations
        self.known = known

    def cell(self, node: Expr) -> Cell:
        """The function of a part of the formula."""
        if self.known is None:
            return self._made(node)
        found = self.known.get(id(node))
        if found is None:
            found = self.known[id(node)] = node, self._made(node)
        return found[1]

    def _made(self, node: Expr) -> Cell:
        make = _MAKE.get(type(node))
        if make is None:
            raise TypeError(f"not a value: {node!r}")
        return make(node, self)


def _read(node: lang.At, inside: _Compiler) -> Cell:
    return inside.read(node)


def _known(node: lang.Cell, inside: _Compiler) -> Cell:
    cells, address = inside.cells, node.address
    if cells is None:
        raise TypeError(f"not a value: {node!r}")
    return lambda scope: cells(address)


def _always(held: Held, inside: _Compiler) -> Cell:
    held = inside.operations.hold(held)
    return lambda scope: held


def _sum(node: lang.Sum, inside: _Compiler) -> Cell:
    terms, total = _along(node, inside), inside.operations.total
    return lambda scope: total(terms(scope))


def _max(node: lang.Max, inside: _Compiler) -> Cell:
    terms, largest = _along(node, inside), inside.operations.largest
    return lambda scope: largest(terms(scope))


def _along(node: lang.Sum | lang.Max, inside: _Compiler) -> Callable[[dict[str, int]], list[Held]]:
    """The values along an axis."""
    axis, body, size = node.axis, inside.cell(node.body), inside.tables.sizes[node.axis]

    def all_values(scope: dict[str, int]) -> list[Held]:
        within = dict(scope)
        out = []
        for within[axis] in range(size):
            out.append(body(within))
        return out

    return all_values


def _add(node: lang.Add, inside: _Compiler) -> Cell:
    add = inside.operations.add
    first, *others = map(inside.cell, node.terms)

    def cell(scope: dict[str, int]) -> Held:
        total = first(scope)
        for term in others:
            total = add(total, term(scope))
        return total

    return cell


def _larger(node: lang.Larger, inside: _Compiler) -> Cell:
    terms, largest = [inside.cell(term) for term in node.terms], inside.operations.largest
    return lambda scope: largest([term(scope) for term in terms])


def _subtract(node: lang.Sub, inside: _Compiler) -> Cell:
    left, right, subtract = inside.cell(node.left), inside.cell(node.right), inside.operations.subtract
    return lambda scope: subtract(left(scope), right(scope))


def _multiply(node: lang.Mul, inside: _Compiler) -> Cell:
    left, right, multiply = inside.cell(node.left), inside.cell(node.right), inside.operations.multiply
    return lambda scope: multiply(left(scope), right(scope))


def _divide(node: lang.Div, inside: _Compiler) -> Cell:
    top, bottom, if_zero = inside.cell(node.left), inside.cell(node.right), node.if_zero
    divide = inside.operations.divide
    return lambda scope: divide(top(scope), bottom(scope), if_zero)


def _power(node: lang.Pow, inside: _Compiler) -> Cell:
    base, exponent, power = inside.cell(node.base), inside.cell(node.exponent), inside.operations.power
    return lambda scope: power(base(scope), exponent(scope))


def _if(node: lang.If, inside: _Compiler) -> Cell:
    tables, condition = inside.tables, node.condition
    then, otherwise = inside.cell(node.then), inside.cell(node.otherwise)
    return lambda scope: then(scope) if tables.holds(condition, scope) else otherwise(scope)


def _rounded(node: lang.Round, inside: _Compiler) -> Cell:
    dtype, argument, hold = node.dtype, inside.cell(node.arg), inside.operations.hold
    return lambda scope: hold(round_to(dtype, argument(scope)))


def _number(node: lang.Number, inside: _Compiler) -> Cell:
    index, hold = inside.tables.compiled(node.index), inside.operations.hold
    return lambda scope: hold(fmpq(index(scope)))


def _size(node: lang.Size, inside: _Compiler) -> Cell:
    return _always(fmpq(inside.tables.sizes[node.axis]), inside)


def _infinity(node: lang.Infinity, inside: _Compiler) -> Cell:
    return _always(values.infinity(node.sign), inside)


def _pi(node: lang.Pi, inside: _Compiler) -> Cell:
    return _always(arb.pi(), inside)


def _constant(node: lang.Const, inside: _Compiler) -> Cell:
    return _always(values.rational(node.value), inside)


def _printed(node: lang.Printed, inside: _Compiler) -> Cell:
    return _always(values.of_print(node), inside)


def _unary(node: lang.Unary, inside: _Compiler) -> Cell:
    """A function of one value; where it depends on one axis at most, each of its values is computed once."""
    function, argument, axes = values.UNARY[type(node)], inside.cell(node.arg), _axes(node.arg, inside)
    if len(axes) > 1:
        return lambda scope: function(argument(scope))
    axis = next(iter(axes), None)
    known: dict[int, Held] = {}

    def cell(scope: dict[str, int]) -> Held:
        place = -1 if axis is None else scope[axis]
        held = known.get(place)
        if held is None:
            held = known[place] = function(argument(scope))
        return held

    return cell


def _axes(node: Expr, inside: _Compiler) -> frozenset[str]:
    """The axes that a value may depend on; more than one where that is not known, or an array may change."""
    if inside.cells is not None:  # a resolved formula is worked once
        return frozenset(("", "any"))
    items: list[Index] = []
    for part in lang.walk(node):
        if isinstance(part, (lang.If, lang.Sum, lang.Max)) or (inside.changing and isinstance(part, lang.At)):
            return frozenset(("", "any"))
        if isinstance(part, lang.At):
            items += part.index if part.head is None else (*part.index, part.head)
        elif isinstance(part, lang.Number):
            items.append(part.index)
    return frozenset[str]().union(*map(index_axes, items))


_MAKE: Mapping[type, Callable[[Any, _Compiler], Cell]] = {
    lang.At: _read,
    lang.Cell: _known,
    lang.Sum: _sum,
    lang.Max: _max,
    lang.Add: _add,
    lang.Larger: _larger,
    lang.Sub: _subtract,
    lang.Mul: _multiply,
    lang.Div: _divide,
    lang.Pow: _power,
    lang.If: _if,
    lang.Round: _rounded,
    lang.Number: _number,
    lang.Size: _size,
    lang.Infinity: _infinity,
    lang.Pi: _pi,
    lang.Const: _constant,
    lang.Printed: _printed,
    **dict.fromkeys(values.UNARY, _unary),
}


def round_to(dtype: str, value: Held) -> Held:
    """The nearest number of a floating-point format. Raises ``NeedMoreBits`` where a ball straddles two."""
    if isinstance(value, Endless):
        return value
    if dtype == ANY_NARROW:
        near = floats.narrowed(finite(value))
        if near is None:
            raise NeedMoreBits
        return near
    if isinstance(value, fmpq):
        rounded = floats.round_rational(dtype, value)
    else:
        ball = finite(value)
        quick = floats.round_ball(dtype, ball)
        if quick is not None:
            return quick
        low, high = (floats.round_rational(dtype, end) for end in floats.ends(ball))
        if low != high:
            raise NeedMoreBits
        rounded = low
    return values.infinity(rounded) if isinstance(rounded, int) else rounded


def finite(value: Held) -> arb:
    """The ball of a value, or ``NeedMoreBits`` where it is not finite at this precision."""
    ball = values.ball(value)
    if not ball.is_finite():
        raise NeedMoreBits
    return ball

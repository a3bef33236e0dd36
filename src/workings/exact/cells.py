"""One cell at a time: a formula turned into a function of the index scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import arb, fmpq

from workings.exact import floats, values
from workings.exact.values import Endless, Held, NeedMoreBits
from workings.steps import language as lang
from workings.steps.language import Expr, Index, Tables, index_axes
from workings.terms.address import Address

Cell = Callable[[dict[str, int]], Held]
Reader = Callable[[lang.At], Cell]


def compile_index(item: Index, tables: Tables) -> Callable[[Mapping[str, int]], int]:
    """A function of the scope for one index."""
    if isinstance(item, str):
        return lambda scope: scope[item]
    if isinstance(item, lang.Calc):
        calculate = lang.CALCULATE[item.op]
        left, right = compile_index(item.left, tables), compile_index(item.right, tables)
        return lambda scope: int(calculate(left(scope), right(scope)))
    if isinstance(item, lang.Lookup):
        return lambda scope: int(tables.index(item, scope))
    number = int(tables.index(item, {}))
    return lambda scope: number


def compile_cell(node: Expr, tables: Tables, read: Reader, cells: Callable[[Address], Held] | None = None) -> Cell:
    """A function that computes the formula at a scope; ``read`` makes the function of an ``At``.

    ``cells`` gives the values of a formula that is resolved already, by address.

    Good for one working precision: what several cells share (√d_k, the root of a row's variance) is computed once.
    """

    def inner(child: Expr) -> Cell:
        return compile_cell(child, tables, read, cells)

    if isinstance(node, lang.At):
        return read(node)
    if isinstance(node, lang.Cell) and cells is not None:
        known = cells(node.address)
        return lambda scope: known
    if isinstance(node, (lang.Sum, lang.Max)):
        return _over_axis(node, inner(node.body), tables.sizes[node.axis])
    if isinstance(node, lang.Add):
        return _chain([inner(term) for term in node.terms], values.add)
    if isinstance(node, lang.Larger):
        terms = [inner(term) for term in node.terms]
        return lambda scope: values.largest([term(scope) for term in terms])
    if isinstance(node, lang.Div):
        top, bottom, if_zero = inner(node.left), inner(node.right), node.if_zero
        return lambda scope: values.divide(top(scope), bottom(scope), if_zero)
    if isinstance(node, (lang.Sub, lang.Mul, lang.Pow)):
        return _binary(node, inner)
    if isinstance(node, lang.Unary):
        return _unary(node, inner(node.arg))
    if isinstance(node, lang.If):
        condition, then, otherwise = node.condition, inner(node.then), inner(node.otherwise)
        return lambda scope: then(scope) if tables.holds(condition, scope) else otherwise(scope)
    if isinstance(node, lang.Round):
        dtype, argument = node.dtype, inner(node.arg)
        return lambda scope: round_to(dtype, argument(scope))
    return _leaf(node, tables)


def _leaf(node: Expr, tables: Tables) -> Cell:
    if isinstance(node, lang.Number):
        index = compile_index(node.index, tables)
        return lambda scope: fmpq(index(scope))
    if isinstance(node, lang.Size):
        size = fmpq(tables.sizes[node.axis])
        return lambda scope: size
    if isinstance(node, lang.Infinity):
        infinite = values.infinity(node.sign)
        return lambda scope: infinite
    if isinstance(node, (lang.Const, lang.Printed)) and node.value is not None:
        constant = values.rational(node.value)
        return lambda scope: constant
    if isinstance(node, lang.Printed):
        printed = values.infinity(1 if node.text == "∞" else -1)
        return lambda scope: printed
    raise TypeError(f"not a value: {node!r}")


def _binary(node: lang.Sub | lang.Mul | lang.Pow, inner: Callable[[Expr], Cell]) -> Cell:
    if isinstance(node, lang.Pow):
        base, exponent = inner(node.base), inner(node.exponent)
        return lambda scope: values.power(base(scope), exponent(scope))
    function = values.subtract if isinstance(node, lang.Sub) else values.multiply
    left, right = inner(node.left), inner(node.right)
    return lambda scope: function(left(scope), right(scope))


def _axes(node: Expr) -> frozenset[str]:
    """The axes that a value may depend on."""
    if any(isinstance(part, (lang.If, lang.Sum, lang.Max)) for part in lang.walk(node)):
        return frozenset(("", "any"))
    items: list[Index] = []
    for part in lang.walk(node):
        if isinstance(part, lang.At):
            items += [*part.index, *(() if part.head is None else (part.head,))]
        elif isinstance(part, lang.Number):
            items.append(part.index)
    return frozenset[str]().union(*map(index_axes, items))


def _unary(node: lang.Unary, argument: Cell) -> Cell:
    """A function of one value; where it depends on one axis at most, each of its values is computed once."""
    function, axes = values.UNARY[type(node)], _axes(node.arg)
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


def _chain(terms: list[Cell], function: Callable[[Held, Held], Held]) -> Cell:
    def cell(scope: dict[str, int]) -> Held:
        total = terms[0](scope)
        for term in terms[1:]:
            total = function(total, term(scope))
        return total

    return cell


def _over_axis(node: lang.Sum | lang.Max, body: Cell, size: int) -> Cell:
    axis = node.axis

    def all_values(scope: dict[str, int]) -> list[Held]:
        inside = dict(scope)
        out = []
        for inside[axis] in range(size):
            out.append(body(inside))
        return out

    if isinstance(node, lang.Max):
        return lambda scope: values.largest(all_values(scope))

    return lambda scope: values.total(all_values(scope))


def round_to(dtype: str, value: Held) -> Held:
    """The nearest number of a floating-point format. Raises ``NeedMoreBits`` where a ball straddles two."""
    if isinstance(value, Endless):
        return value
    if isinstance(value, fmpq):
        rounded = floats.round_rational(dtype, value)
    else:
        low, high = (floats.round_rational(dtype, end) for end in floats.ends(finite(value)))
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

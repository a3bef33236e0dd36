"""Ranges of values through a formula: what a result may be when each operand may be anything between two bounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx, fmpq

from workings.exact import floats, values
from workings.exact.cells import compile_cell
from workings.exact.run import Exact
from workings.exact.values import Endless, Held
from workings.steps.language import Add, Cell, Expr, Tables, walk
from workings.terms.address import Address
from workings.terms.errors import WorkingsError
from workings.terms.numbers import MAX_BITS, Infinite, Rational, Value

BITS = 192
LONGEST_RATIONAL = 2 * MAX_BITS
WIDEST = (-(Fraction(10) ** 30), Fraction(10) ** 30)  # bounds of what has no value
_NO_TABLES = Tables({}, {})


class Span:
    """A number, or all numbers between two bounds; ``held`` is None where the formula gives nothing finite."""

    __slots__ = ("held",)

    def __init__(self, held: Held | None) -> None:
        self.held = held

    @property
    def infinite(self) -> int:
        """-1 or 1 for an infinity, else 0."""
        return self.held.sign if isinstance(self.held, Endless) else 0

    def ends(self) -> tuple[Fraction, Fraction] | None:
        """Rational bounds, or None where there are none."""
        if isinstance(self.held, fmpq):
            exact = values.fraction(self.held)
            return exact, exact
        if self.held is None or isinstance(self.held, Endless):
            return None
        with ctx.workprec(BITS):
            ball = values.ball(self.held)
            if not ball.is_finite() or floats.is_beyond_reach(ball):
                return None
            low, high = floats.ends(ball)
        return values.fraction(low), values.fraction(high)


NOTHING = Span(None)


def of(engine: object, address: Address, bits: int) -> Span:
    """A cell of an exact run as the engine holds it, closed forms included; nothing for another engine."""
    return Span(engine.at_bits(address.array, address.index, bits)) if isinstance(engine, Exact) else NOTHING


def value(held: Callable[[int], Span]) -> Value:
    """A value that is worked out again at each precision; one that gives nothing finite is as wide as can be."""
    first = held(BITS)
    if first.infinite:
        return Infinite(first.infinite)
    if isinstance(first.held, fmpq):
        return Rational(values.fraction(first.held))
    return _Worked(held)


class _Worked:
    """An irrational value of a formula."""

    exact: Fraction | None = None
    infinite = 0

    def __init__(self, held: Callable[[int], Span]) -> None:
        self._held = held

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        return self._held(bits).ends() or WIDEST


def between(low: Fraction, high: Fraction) -> Span:
    """All numbers from ``low`` to ``high``."""
    if low == high:
        return Span(values.rational(low))
    with ctx.workprec(BITS):
        middle, radius = values.rational((low + high) / 2), values.rational((high - low) / 2)
        return Span(arb(middle) + arb(0, arb(radius).upper()))


def infinite(sign: int) -> Span:
    """Minus or plus infinity."""
    return Span(values.infinity(sign))


def apply(formula: Expr, leaf: Callable[[Address], Span], bits: int = BITS) -> Span:
    """The range of a resolved formula whose cells range over ``leaf``.

    A number divided by a sum that it is itself a term of (a softmax) is taken at its monotone corners.
    """
    if any(leaf(node.address).held is None for node in walk(formula) if isinstance(node, Cell)):
        return Span(None)
    with ctx.workprec(bits):
        try:
            return Span(_sized(_held(formula, leaf)))
        except (WorkingsError, values.NeedMoreBits):
            return Span(None)


def _sized(held: Held) -> Held:
    """A rational that has grown longer than any precision goes on as a ball: squared again and again it never ends."""
    return arb(held) if isinstance(held, fmpq) and held.height_bits() > LONGEST_RATIONAL else held


def share(top: Expr, terms: list[Expr], leaf: Callable[[Address], Span]) -> Span:
    """The range of ``top`` ÷ the sum of ``terms``, where ``top`` is one of them: its monotone corners."""
    others = list(terms)
    others.remove(top)
    mine = apply(top, leaf).ends()
    rest = apply(Add(*others), leaf).ends() if others else (Fraction(0), Fraction(0))
    if mine is None or rest is None or mine[0] < 0 or rest[0] < 0 or mine[1] + rest[1] <= 0:
        return Span(None)
    low = mine[0] / (mine[0] + rest[1]) if mine[0] + rest[1] else Fraction(0)
    high = mine[1] / (mine[1] + rest[0]) if mine[1] + rest[0] else Fraction(1)
    return between(low, high)


def _held(formula: Expr, leaf: Callable[[Address], Span]) -> Held:
    """The formula at the leaves' values, each cell read once."""
    held: dict[Address, Held] = {}
    for node in walk(formula):
        if isinstance(node, Cell) and node.address not in held:
            found = leaf(node.address).held
            held[node.address] = values.ZERO if found is None else found

    return compile_cell(formula, _NO_TABLES, _no_array, held.__getitem__)({})


def _no_array(at: object) -> Callable[[dict[str, int]], Held]:
    raise TypeError("a resolved formula reads no array")

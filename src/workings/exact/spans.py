"""Ranges of values through a formula: what a result may be when each operand may be anything between two bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, fmpq

from workings.exact import floats, values
from workings.exact.cells import compile_cell
from workings.exact.run import Computed, Exact
from workings.exact.values import Endless, Held, Precision
from workings.steps.language import Cell, Expr, Tables, cells_of
from workings.terms.address import Address
from workings.terms.errors import WorkingsError
from workings.terms.numbers import MAX_BITS, MIN_BITS, Infinite, Rational, Value

BITS = 2 * MIN_BITS  # one precision for all that is compared: the engine works whole arrays at each
FAR_BELOW = Fraction(1, 2 ** (BITS - 16))
LONGEST_RATIONAL = 2 * MAX_BITS
WIDEST = (-(Fraction(10) ** 30), Fraction(10) ** 30)  # bounds of what has no value
_NO_TABLES = Tables({}, {})


class Span:
    """A number, or all numbers between two bounds: as the engine holds it or by its ends, either made when asked for.

    Args:
        held: None where a formula gives nothing finite, or where the ends are known.
        ends: rational bounds.
    """

    __slots__ = ("_ends", "_held")

    def __init__(self, held: Held | None, ends: tuple[Fraction, Fraction] | None = None) -> None:
        self._held, self._ends = held, ends

    @property
    def held(self) -> Held | None:
        """What formulas compute with."""
        if self._held is None and self._ends is not None:
            low, high = map(values.rational, self._ends)
            if low == high:
                self._held = low
            else:
                with Precision(BITS):
                    self._held = arb(low).union(arb(high))
        return self._held

    @property
    def infinite(self) -> int:
        """-1 or 1 for an infinity, else 0."""
        return self._held.sign if isinstance(self._held, Endless) else 0

    def ends(self) -> tuple[Fraction, Fraction] | None:
        """Rational bounds, or None where there are none."""
        if self._ends is None:
            self._ends = _ends(self._held)
        return self._ends


def _ends(held: Held | None) -> tuple[Fraction, Fraction] | None:
    if isinstance(held, fmpq):
        exact = values.fraction(held)
        return exact, exact
    if held is None or isinstance(held, Endless):
        return None
    with Precision(BITS):
        ball = values.ball(held)
        return floats.bounds_within_reach(ball) if ball.is_finite() else None


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
        return self._held(max(bits, BITS)).ends() or WIDEST

    def ball(self, bits: int) -> arb | None:
        """A finite ball around it; None where there is none."""
        held = self._held(max(bits, BITS)).held
        return held if isinstance(held, arb) and held.is_finite() else None


def lies_between(value: Value, low: Fraction, high: Fraction, bits: int) -> bool | None:
    """Whether a value surely lies between two numbers or at one of them; None where that many bits do not tell."""
    ball = value.ball(bits) if isinstance(value, (Computed, _Worked)) else None
    if ball is None:
        least, most = value.bounds(bits)
        return (low <= least and most <= high) or (None if least <= high and low <= most else False)
    with Precision(bits):
        bottom = arb(values.rational(low))
        top = bottom if high is low else arb(values.rational(high))
    return (bottom <= ball <= top) or (False if ball < bottom or top < ball else None)


def may_lie_between(value: Value, low: Fraction, high: Fraction) -> bool:
    """Whether a value may lie between two numbers, as far as ``BITS`` tell; fewer settle nearly all."""
    inside = lies_between(value, low, high, MIN_BITS)
    return inside or (inside is None and lies_between(value, low, high, BITS) is not False)


def between(low: Fraction, high: Fraction) -> Span:
    """All numbers from ``low`` to ``high``."""
    return Span(None, (low, high))


def infinite(sign: int) -> Span:
    """Minus or plus infinity."""
    return Span(values.infinity(sign))


class Formula:
    """A resolved formula, read once for all the ranges that it is worked with.

    Attributes:
        cells: the cells that it is made from, in its order, each once.
    """

    __slots__ = ("_held", "_work", "cells", "node")

    def __init__(self, node: Expr) -> None:
        self.node, self.cells = node, cells_of(node)
        self._held: dict[Address, Held] = {}
        self._work: Callable[[dict[str, int]], Held] | None = None

    def apply(self, ranges: Mapping[Address, Span], bits: int = BITS) -> Span:
        """Its range where its cells have these ranges."""
        if isinstance(self.node, Cell):
            return ranges[self.node.address]
        for address in self.cells:
            held = ranges[address].held
            if held is None:
                return NOTHING
            self._held[address] = held
        if self._work is None:
            self._work = compile_cell(self.node, _NO_TABLES, _no_array, self._held.__getitem__)
        with Precision(bits):
            try:
                return Span(_sized(self._work({})))
            except (WorkingsError, values.NeedMoreBits):
                return NOTHING


def _sized(held: Held) -> Held:
    """A rational that has grown longer than any precision goes on as a ball: squared again and again it never ends."""
    return arb(held) if isinstance(held, fmpq) and held.height_bits() > LONGEST_RATIONAL else held


def share(part: Span, whole: Span) -> Span:
    """The range of a ÷ s, where s is a sum of numbers from 0 on and a one of its terms: its monotone corners."""
    mine, total = part.ends(), whole.ends()
    if mine is None or total is None:
        return NOTHING
    unsure = Fraction(0) if isinstance(whole.held, fmpq) else total[1] * FAR_BELOW  # what adding up in balls has lost
    rest = total[0] - mine[0] - unsure, total[1] - mine[1] + unsure
    if mine[0] < 0 or rest[0] < -2 * unsure or total[1] <= 0:
        return NOTHING
    least, most = max(rest[0], Fraction(0)), max(rest[1], Fraction(0))
    low = mine[0] / (mine[0] + most) if mine[0] + most else Fraction(0)
    high = mine[1] / (mine[1] + least) if mine[1] + least else Fraction(1)
    return between(low, high)


def _no_array(at: object) -> Callable[[dict[str, int]], Held]:
    raise TypeError("a resolved formula reads no array")

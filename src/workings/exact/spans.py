"""Ranges of values through a formula: what a result may be when each operand may be anything between two bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, fmpq

from workings.exact import floats, values
from workings.exact.forms import Form
from workings.exact.resolved import work
from workings.exact.run import Computed, Exact, Ratio
from workings.exact.values import ONE, ZERO, Endless, Held, Precision
from workings.steps.language import Cell, Expr, cells_of
from workings.terms.address import Address
from workings.terms.errors import WorkingsError
from workings.terms.numbers import MAX_BITS, MIN_BITS, Infinite, Value

BITS = 2 * MIN_BITS  # one precision for all that is compared: the engine works whole arrays at each
FAR_BELOW = fmpq(1, 2 ** (BITS - 16))
LONGEST_RATIONAL = 2 * MAX_BITS
WIDEST = (-(Fraction(10) ** 30), Fraction(10) ** 30)  # bounds of what has no value


Ends = tuple[fmpq, fmpq]
"""Two bounds."""


class Span:
    """A number, or all numbers between two bounds: as the engine holds it or by its ends, either made when asked for.

    Args:
        held: None where a formula gives nothing finite, or where the ends are known.
    """

    __slots__ = ("_ends", "_held")

    def __init__(self, held: Held | None, ends: Ends | None = None) -> None:
        self._held, self._ends = held, ends

    @property
    def held(self) -> Held | None:
        """What formulas compute with."""
        if self._held is None and self._ends is not None:
            low, high = self._ends
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

    def ends(self) -> Ends | None:
        """Its bounds, or None where there are none."""
        if self._ends is None:
            self._ends = _ends(self._held)
        return self._ends

    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The same as Python holds them."""
        ends = self.ends()
        return None if ends is None else (values.fraction(ends[0]), values.fraction(ends[1]))


def _ends(held: Held | None) -> Ends | None:
    if isinstance(held, fmpq):
        return held, held
    if held is None or isinstance(held, Endless):
        return None
    with Precision(BITS):
        ball = values.ball(held)
        return floats.ends_within_reach(ball) if ball.is_finite() else None


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
        return Ratio(first.held)
    return _Worked(held)


class _Worked:
    """An irrational value of a formula."""

    exact: Fraction | None = None
    infinite = 0

    def __init__(self, held: Callable[[int], Span]) -> None:
        self._held = held

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        found = self.ball(bits)
        if found is None:
            return self._held(max(bits, BITS)).bounds() or WIDEST
        with Precision(max(bits, BITS)):
            near = floats.ends_within_reach(found)
        return WIDEST if near is None else (values.fraction(near[0]), values.fraction(near[1]))

    def ball(self, bits: int) -> arb | None:
        """A finite ball around it; None where there is none."""
        bits = max(bits, BITS)
        held = self._held(bits).held
        if isinstance(held, Form):
            with Precision(bits):
                held = held.ball(bits)
        return held if isinstance(held, arb) and held.is_finite() else None


def rational_of(value: Value) -> fmpq | None:
    """A rational value as flint holds it; None for any other."""
    if isinstance(value, Ratio):
        return value.held
    exact = value.exact
    return None if exact is None else values.rational(exact)


def ball(value: Value, bits: int) -> arb | None:
    """A finite ball around a value; None for a rational one, and where there is none."""
    return value.ball(bits) if isinstance(value, (Computed, _Worked)) else None


def of_value(value: Value) -> Span:
    """A value as it is known with ``BITS`` bits."""
    if value.infinite:
        return infinite(value.infinite)
    exact = rational_of(value)
    if exact is not None:
        return point(exact)
    found = ball(value, BITS)
    if found is not None:
        return Span(found)
    bounds = value.bounds(BITS)
    return NOTHING if bounds is WIDEST else between(*map(values.rational, bounds))


def nearly(value: Value) -> float:
    """A value as a float, where its last digits do not matter; beyond all floats the infinity on its side."""
    if value.infinite:
        return float("inf") * value.infinite
    found = ball(value, BITS)
    if found is not None:
        return float(found)
    low, high = value.bounds(BITS)
    middle = (low + high) / 2
    try:
        return float(middle)
    except OverflowError:
        return float("inf") if middle > 0 else float("-inf")


def ends_of(value: Value, bits: int) -> Ends:
    """Bounds of a finite value, worked with so many bits."""
    exact = rational_of(value)
    if exact is not None:
        return exact, exact
    found = ball(value, bits)
    if found is not None:
        with Precision(bits):
            near = floats.ends_within_reach(found)
        if near is not None:
            return near
    low, high = value.bounds(bits)
    return values.rational(low), values.rational(high)


def lies_between(value: Value, low: fmpq, high: fmpq, bits: int) -> bool | None:
    """Whether a value surely lies between two numbers or at one of them; None where that many bits do not tell."""
    around = ball(value, bits)
    if around is None:
        least, most = ends_of(value, bits)
        return (low <= least and most <= high) or (None if least <= high and low <= most else False)
    with Precision(bits):
        bottom = arb(low)
        top = bottom if high is low else arb(high)
    return (bottom <= around <= top) or (False if around < bottom or top < around else None)


def may_lie_between(value: Value, low: fmpq, high: fmpq) -> bool:
    """Whether a value may lie between two numbers, as far as ``BITS`` tell; fewer settle nearly all."""
    inside = lies_between(value, low, high, MIN_BITS)
    return inside or (inside is None and lies_between(value, low, high, BITS) is not False)


def around(value: Fraction, half: Fraction) -> Ends:
    """From half a unit below a number to half a unit above it."""
    middle, off = values.rational(value), values.rational(half)
    return middle - off, middle + off


def between(low: fmpq, high: fmpq) -> Span:
    """All numbers from ``low`` to ``high``."""
    return Span(None, (low, high))


def point(number: fmpq) -> Span:
    """One number alone."""
    return Span(number, (number, number))


def infinite(sign: int) -> Span:
    """Minus or plus infinity."""
    return Span(values.infinity(sign))


class Formula:
    """A resolved formula, read once for all the ranges that it is worked with.

    Attributes:
        cells: the cells that it is made from, in its order, each once.
    """

    __slots__ = ("cells", "node")

    def __init__(self, node: Expr) -> None:
        self.node, self.cells = node, cells_of(node)

    def apply(self, ranges: Mapping[Address, Span], bits: int = BITS) -> Span:
        """Its range where its cells have these ranges."""
        if isinstance(self.node, Cell):
            return ranges[self.node.address]
        cells: dict[Address, Held] = {}
        for address in self.cells:
            held = ranges[address].held
            if held is None:
                return NOTHING
            cells[address] = held
        with Precision(bits):
            try:
                return Span(_sized(work(self.node, cells)))
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
    unsure = ZERO if isinstance(whole.held, fmpq) else total[1] * FAR_BELOW  # what adding up in balls has lost
    rest = total[0] - mine[0] - unsure, total[1] - mine[1] + unsure
    if mine[0] < ZERO or rest[0] < -unsure - unsure or total[1] <= ZERO:
        return NOTHING
    least, most = max(rest[0], ZERO), max(rest[1], ZERO)
    low = mine[0] / (mine[0] + most) if mine[0] + most != ZERO else ZERO
    high = mine[1] / (mine[1] + least) if mine[1] + least != ZERO else ONE
    return between(low, high)

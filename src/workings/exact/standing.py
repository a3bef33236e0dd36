"""Where a printed number stands to a value: equal to it, what it rounds to, cut from it, or none of these.

In rationals and balls all along: few bits settle nearly every number, and 4,096 leave open what is a tie.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from flint import arb

from workings.exact import spans, values
from workings.exact.spans import Span
from workings.exact.values import ZERO
from workings.terms.numbers import MIN_BITS, PRECISIONS, Value


class Where(Enum):
    """Equal to a value, within what rounds to the same digits, or elsewhere."""

    EQUAL = "equal"
    INSIDE = "inside"
    OUTSIDE = "outside"


class Standing:
    """A printed number, and what it may stand for: rounded, or, before an ellipsis, cut.

    Args:
        half: half a unit of its last place; 0 for a whole number.
        cut: whether an ellipsis follows its digits.
    """

    __slots__ = ("half", "high", "low", "value")

    def __init__(self, value: Fraction, half: Fraction, *, cut: bool) -> None:
        self.value, self.half = values.rational(value), values.rational(half)
        self.low, self.high = self.value - self.half, self.value + self.half
        if cut and self.value > ZERO:
            self.high += self.half
        elif cut:
            self.low -= self.half

    def beside(self, value: Value) -> tuple[Where, bool]:
        """Where it stands to a finite value, and whether that is a tie which 4,096 bits did not settle."""
        exact = spans.rational_of(value)
        if exact is not None:
            if exact == self.value:
                return Where.EQUAL, False
            return (Where.INSIDE if self.half != ZERO and self.low <= exact <= self.high else Where.OUTSIDE), False
        found = self._at_first_sight(value)
        if found is not None:
            return found, False
        if all(spans.lies_between(value, self.value, self.value, bits) is not False for bits in PRECISIONS):
            return Where.EQUAL, True
        return self._at_length(value)

    def equals(self, value: Value) -> bool:
        """Whether it is a value that is rational."""
        exact = spans.rational_of(value)
        return exact is not None and exact == self.value

    def _at_first_sight(self, value: Value) -> Where | None:
        """What the fewest bits tell; None where they do not."""
        ball = spans.ball(value, MIN_BITS)
        if ball is None:
            return None
        middle, low, high = arb(self.value), arb(self.low), arb(self.high)  # at any precision, a ball around each
        if not (ball < middle or middle < ball):
            return None
        if ball < low or high < ball or self.half == ZERO:
            return Where.OUTSIDE
        return Where.INSIDE if low <= ball <= high else None

    def _at_length(self, value: Value) -> tuple[Where, bool]:
        if self.half != ZERO:
            for bits in PRECISIONS:
                inside = spans.lies_between(value, self.low, self.high, bits)
                if inside is not None:
                    return (Where.INSIDE if inside else Where.OUTSIDE), False
            return Where.INSIDE, True
        return Where.OUTSIDE, False

    def meets(self, span: Span) -> bool:
        """Whether any number of a range is what it may stand for."""
        ends = span.ends()
        return ends is not None and ends[0] <= self.high and self.low <= ends[1]

    def is_cut_of(self, value: Value) -> bool:
        """Whether a value cut toward zero at its last place gives it."""
        if self.value == ZERO:
            return False
        low, high = self._cut_range()
        for bits in PRECISIONS:
            ends = spans.ends_of(value, bits)
            if self.is_cut_of_all(ends):
                return True
            if ends[1] < low or high < ends[0]:
                return False
        return False

    def is_cut_of_all(self, ends: spans.Ends | None) -> bool:
        """Whether all between two bounds is cut to it; a cut that leaves nothing is none."""
        if ends is None or self.value == ZERO:
            return False
        low, high = self._cut_range()
        return low <= ends[0] and ends[1] < high if self.value > ZERO else low < ends[0] and ends[1] <= high

    def _cut_range(self) -> spans.Ends:
        unit = self.half + self.half
        return (self.value, self.value + unit) if self.value > ZERO else (self.value - unit, self.value)

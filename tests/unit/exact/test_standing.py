"""Where a number stands to a value, against the same rules in Python's rationals with all 4,096 bits at once."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from workings.exact import spans
from workings.exact.spans import Formula
from workings.exact.standing import Standing, Where
from workings.exact.values import rational
from workings.steps.language import Add, Const, Mul, Sqrt
from workings.terms.numbers import MAX_BITS, Rational, Value

UNSETTLED = 1_300  # decimals: 4,096 bits are 1,233


def near(middle: Fraction, off: Fraction, *, irrational: bool) -> Value:
    """A value a little off a number."""
    if not irrational:
        return Rational(middle + off)
    formula = Formula(Add(Const(middle), Mul(Const(off), Sqrt(Const(2)))))
    return spans.value(lambda bits: formula.apply({}, bits))


@st.composite
def prints(draw: st.DrawFn) -> tuple[Fraction, Fraction]:
    """A printed number and half a unit of its last place."""
    places = draw(st.integers(0, 4))
    whole = draw(st.booleans()) and places == 0
    return Fraction(draw(st.integers(-300, 300)), 10**places), Fraction(0 if whole else 1, 2 * 10**places)


offsets = st.builds(
    lambda sign, places: sign * Fraction(1, 10**places),
    st.sampled_from((-1, 0, 1)),
    st.sampled_from((1, 3, 5, 18, 20, 40, 100, 700, UNSETTLED)),
)


def by_the_rules(bounds: tuple[Fraction, Fraction], low: Fraction, number: Fraction, high: Fraction) -> Where:
    least, most = bounds
    if least <= number <= most:
        return Where.EQUAL
    if low == high or most < low or high < least:
        return Where.OUTSIDE
    return Where.INSIDE


@given(prints(), st.integers(-3, 3), offsets, st.booleans(), st.booleans())
@example((Fraction(1, 8), Fraction(1, 2000)), 0, Fraction(1, 10**UNSETTLED), True, False)
@example((Fraction(1, 8), Fraction(1, 2000)), 1, Fraction(1, 10**UNSETTLED), True, False)
def test_equal_inside_or_outside(
    printed: tuple[Fraction, Fraction], halves: int, off: Fraction, irrational: bool, cut: bool
) -> None:
    number, half = printed
    value = near(number + halves * half, off, irrational=irrational)
    low, high = number - half, number + half
    if cut:
        low, high = (low, high + half) if number > 0 else (low - half, high)
    where, tie = Standing(number, half, cut=cut).beside(value)
    bounds = value.bounds(MAX_BITS)
    assert where is by_the_rules(bounds, low, number, high)
    assert tie == (bounds[0] != bounds[1] and any(bounds[0] <= edge <= bounds[1] for edge in (low, number, high)))


@given(prints(), st.integers(-3, 3), offsets, st.booleans())
def test_cut_toward_zero(printed: tuple[Fraction, Fraction], halves: int, off: Fraction, irrational: bool) -> None:
    number, half = printed
    value = near(number + halves * half, off, irrational=irrational)
    least, most = value.bounds(MAX_BITS)
    unit = 2 * half
    if number > 0:
        cut = number <= least and most < number + unit
    else:
        cut = number < 0 and number - unit < least and most <= number
    standing = Standing(number, half, cut=False)
    assert standing.is_cut_of(value) == cut
    assert standing.is_cut_of_all((rational(least), rational(most))) == cut


@given(prints(), st.integers(-3, 3), offsets, st.integers(0, 3))
def test_meets(printed: tuple[Fraction, Fraction], halves: int, off: Fraction, wide: int) -> None:
    number, half = printed
    low = number + halves * half + off
    high = low + wide * half
    met = low <= number + half and number - half <= high
    assert Standing(number, half, cut=False).meets(spans.between(rational(low), rational(high))) == met

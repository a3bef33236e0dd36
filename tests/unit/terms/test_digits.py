"""Digits: sure ones only, nearest, and written the way people and programs read them."""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.terms import digits
from workings.terms.digits import (
    AUTO,
    NOTHING,
    Precision,
    json_digits,
    magnitude,
    nearest_decimal,
    ratio,
    round_value,
    show,
    sure_digits,
)
from workings.terms.numbers import Infinite, Rational, Value


class Root:
    """√n, by whole-number arithmetic."""

    infinite = 0
    exact = None

    def __init__(self, n: Fraction) -> None:
        self.n = n
        self.asked: list[int] = []

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        self.asked.append(bits)
        scaled = isqrt(self.n.numerator * 4**bits // self.n.denominator)
        return Fraction(scaled - 1, 2**bits), Fraction(scaled + 1, 2**bits)


@pytest.mark.parametrize(
    ("value", "places", "rounded"),
    [("0.125", 2, "0.13"), ("-0.125", 2, "-0.13"), ("0.1249", 2, "0.12"), ("1250", -2, "1300"), ("0", 3, "0")],
)
def test_nearest_with_ties_away_from_zero(value: str, places: int, rounded: str) -> None:
    assert nearest_decimal(Fraction(value), places) == Fraction(rounded)


def test_more_bits_are_asked_for_until_the_digits_are_sure() -> None:
    root = Root(Fraction(2))
    assert round_value(root, 30).value == Fraction("1.414213562373095048801688724210")
    assert root.asked == [64, 128]


def test_what_4096_bits_do_not_settle_is_a_tie() -> None:
    rounded = round_value(Root(Fraction(1, 64)), 2)  # exactly 0.125, but known by bounds only
    assert rounded.tie
    assert rounded.value in (Fraction("0.12"), Fraction("0.13"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 10), "0.1"),
        (Fraction(-23, 25), "-0.92"),
        (Fraction(10), "10"),
        (Fraction(1, 3), "0.333333333333"),
        (Fraction(2, 3), "0.666666666667"),
        (Fraction(200, 3), "66.6666666667"),
        (Fraction(1, 2**39), "0.000000000001818989403545856475830078125"),
        (Fraction(1, 3) / 10**50, "3.33333333333e-51"),
        (Fraction("9.99999999999999e-45") + Fraction(1, 3) / 10**80, "1.00000000000e-44"),
        (Fraction(0), "0"),
    ],
)
def test_digits_for_programs(value: Fraction, text: str) -> None:
    assert json_digits(Rational(value)) == text


def test_infinities_for_programs_and_people() -> None:
    assert json_digits(Infinite(-1)) == "-inf"
    assert show(Infinite(-1)).text == "−∞"
    with pytest.raises(ValueError, match="no bounds"):
        Infinite(1).bounds(64)


@pytest.mark.parametrize(
    ("value", "precision", "text"),
    [
        (Fraction(1, 2), AUTO, "0.5"),
        (Fraction(-1, 3), AUTO, "−0.3333"),
        (Fraction(1, 1500), AUTO, "0.0006667"),
        (Fraction(1, 3 * 10**7), AUTO, "3.333×10⁻⁸"),
        (Fraction(-1, 3 * 10**7), AUTO, "−3.333×10⁻⁸"),
        (Fraction(10**15 - 1), AUTO, "999999999999999"),
        (Fraction(10**15), AUTO, "1×10¹⁵"),
        (Fraction(-12, 10) * 10**18, AUTO, "−1.2×10¹⁸"),
        (Fraction(123456789 * 10**12 + 1), AUTO, "1.235×10²⁰"),
        (Fraction(10**30, 3), AUTO, "3.333×10²⁹"),
        (Fraction(99999 * 10**12), AUTO, "1.0000×10¹⁷"),
        (Fraction(10**30, 3), Precision(places=1), "333333333333333333333333333333.3"),
        (Fraction(1, 3), Precision(places=2), "0.33"),
        (Fraction(1, 4), Precision(places=6), "0.25"),
    ],
)
def test_digits_for_people(value: Fraction, precision: Precision, text: str) -> None:
    assert show(Rational(value), precision).text == text


@given(st.fractions(-(10**6), 10**6), st.integers(0, 12))
def test_rounding_is_within_half_a_unit(value: Fraction, places: int) -> None:
    assert abs(nearest_decimal(value, places) - value) <= Fraction(1, 2 * 10**places)


@given(st.fractions(-(10**6), 10**6), st.integers(0, 12))
def test_what_is_written_is_read_back(value: Fraction, places: int) -> None:
    rounded = nearest_decimal(value, places)
    assert Fraction(digits.write(rounded, places)) == rounded


@given(st.fractions().filter(lambda value: value != 0))
def test_people_never_see_a_machine_exponent(value: Fraction) -> None:
    assert "e" not in show(Rational(value)).text


class Around:
    """A value known to lie as near to a rational as the working precision says."""

    infinite = 0
    exact = None

    def __init__(self, middle: Fraction) -> None:
        self.middle = middle
        self.asked: list[int] = []

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        self.asked.append(bits)
        return self.middle - Fraction(1, 2**bits), self.middle + Fraction(1, 2**bits)


def test_people_see_0_without_4096_bits_and_programs_do_not() -> None:
    zero = Around(Fraction(0))
    assert show(zero).text == "0"
    assert not show(zero).is_exact
    assert max(zero.asked) == 256
    assert json_digits(zero) == "0"
    assert max(zero.asked) == 4096


def test_what_is_surely_not_0_is_shown_however_small() -> None:
    tiny = Fraction(1, 3) * NOTHING / 10**40
    assert show(Around(tiny)).text == "0"  # its bounds lie on either side of 0 where they are narrow enough
    assert json_digits(Around(tiny)) == "3.33333333333e-101"
    assert show(Rational(tiny)).text == "3.333×10⁻¹⁰¹"


@pytest.mark.parametrize("power", [-30, -1, 0, 3])
def test_a_power_of_ten_known_by_bounds_only_needs_few_bits(power: int) -> None:
    ten = Around(Fraction(10) ** power)
    assert magnitude(ten) == power
    assert max(ten.asked) <= 512
    assert Fraction(json_digits(ten)) == Fraction(10) ** power


@pytest.mark.parametrize(
    ("value", "sure"),
    [
        (Rational(Fraction(1, 3)), None),
        (Infinite(-1), None),
        (Root(Fraction(2)), 12),
        (Around(Fraction("0.1234567890125")), 11),
        (Around(Fraction("0.1299999999995")), 11),
        (Around(Fraction(0)), 0),
    ],
)
def test_how_many_printed_digits_are_sure(value: Value, sure: int | None) -> None:
    assert sure_digits(value) == sure


def test_a_ratio_has_as_many_digits_as_it_needs() -> None:
    assert ratio(Fraction(-23, 25)) == "-23/25"
    assert ratio(Fraction(7)) == "7"
    long = ratio(Fraction(10**5000 + 1, 3 * 10**4400))
    assert len(long) == 5001 + 1 + 4401

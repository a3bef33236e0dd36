"""Rounding to floating-point formats, exactly: what a kernel's dtype would have kept of a number."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, fmpq, fmpz

from workings.terms.numbers import FORMATS, NARROW

LONGEST_MANTISSA, SURE_BITS = 24, 45  # so that a ball's middle, as a double, is known far better than it is rounded
NEAR_TIE = 2.0**-16


def round_rational(dtype: str, value: fmpq) -> fmpq | int:
    """The nearest number of the format, ties to even; 1 or -1 where it overflows to an infinity."""
    precision, smallest, largest = FORMATS[dtype]
    if value == 0:
        return fmpq(0)
    top, bottom = abs(int(value.p)), int(value.q)  # whole numbers all the way: quicker than rationals
    exponent = top.bit_length() - bottom.bit_length()
    if _raised(bottom, exponent) > _raised(top, -exponent):
        exponent -= 1
    unit = max(exponent, smallest) - precision + 1
    whole, rest = divmod(_raised(top, -unit), divisor := _raised(bottom, unit))
    if 2 * rest > divisor or (2 * rest == divisor and whole % 2):
        whole += 1
    sign = 1 if value > 0 else -1
    if whole.bit_length() + unit > largest + 1:
        return sign
    return fmpq(sign * _raised(whole, unit), _raised(1, -unit))


def round_ball(dtype: str, value: arb) -> fmpq | None:
    """The same for all numbers of a ball, worked in doubles; None where these do not surely tell."""
    precision, smallest, largest = FORMATS[dtype]
    if precision > LONGEST_MANTISSA or value.rel_accuracy_bits() < SURE_BITS:
        return None
    mantissa, exponent = math.frexp(float(value))
    if not smallest < exponent < largest:
        return None
    scaled = math.ldexp(abs(mantissa), precision)  # off by less than 2^(24 - 44)
    whole = int(scaled)
    if abs(scaled - whole - 0.5) < NEAR_TIE:
        return None
    nearest = math.ldexp(round(scaled), exponent - precision)
    return fmpq(*math.copysign(nearest, mantissa).as_integer_ratio())


_WIDEST_STEP = arb(1, 2.0 ** -min(FORMATS[dtype][0] for dtype in NARROW))
_SMALLEST_STEP = arb(0, max(2.0 ** (FORMATS[dtype][1] - FORMATS[dtype][0]) for dtype in NARROW))
_FURTHEST = 2 ** min(FORMATS[dtype][2] for dtype in NARROW)  # no narrow type has its infinity below twice this


def narrowed(value: arb) -> arb | None:
    """A range that holds the value of a ball, and what it is rounded to in any narrow type; None far up.

    Rounding to p bits is off by at most 2^-p of a number, and among those too small for p bits by half their step.
    """
    return value * _WIDEST_STEP + _SMALLEST_STEP if abs(value) < _FURTHEST else None


def _raised(number: int, power: int) -> int:
    """The number times a power of two, or the number itself where the power is negative."""
    return number << power if power > 0 else number


FURTHEST_EXPONENT = 100_000  # of two; nobody prints such a number


def ends(value: arb) -> tuple[fmpq, fmpq]:
    """Rational bounds of a finite ball."""
    return _dyadic(value.lower()), _dyadic(value.upper())


def bounds(value: arb) -> tuple[Fraction, Fraction]:
    """The same bounds as Python holds them."""
    return _fraction(*value.lower().mid().man_exp()), _fraction(*value.upper().mid().man_exp())


def ends_within_reach(value: arb) -> tuple[fmpq, fmpq] | None:
    """Rational bounds, or None where an end has an exponent that no rational is made of."""
    low, high = value.lower().mid().man_exp(), value.upper().mid().man_exp()
    if max(abs(low[1]), abs(high[1])) > FURTHEST_EXPONENT:
        return None
    return _ratio(*low), _ratio(*high)


def _fraction(mantissa: fmpz, exponent: fmpz) -> Fraction:
    shift = int(exponent)
    return Fraction(int(mantissa) << shift) if shift >= 0 else Fraction(int(mantissa), 1 << -shift)


def _dyadic(point: arb) -> fmpq:
    return _ratio(*point.mid().man_exp())


def _ratio(mantissa: fmpz, exponent: fmpz) -> fmpq:
    shift = int(exponent)
    return fmpq(mantissa << shift) if shift >= 0 else fmpq(mantissa, 1 << -shift)

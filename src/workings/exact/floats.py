"""Rounding to floating-point formats, exactly: what a kernel's dtype would have kept of a number."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from workings.terms.numbers import FORMATS


def round_rational(dtype: str, value: fmpq) -> fmpq | int:
    """The nearest number of the format, ties to even; 1 or -1 where it overflows to an infinity."""
    precision, smallest, largest = FORMATS[dtype]
    if value == 0:
        return fmpq(0)
    size = abs(value)
    exponent = int(size.p).bit_length() - int(size.q).bit_length()
    if fmpq(2) ** exponent > size:
        exponent -= 1
    if fmpq(2) ** (exponent + 1) <= size:
        exponent += 1
    unit = fmpq(2) ** (max(exponent, smallest) - precision + 1)
    quotient = size / unit
    whole = int(quotient.floor())
    rest = quotient - whole
    if rest > fmpq(1, 2) or (rest == fmpq(1, 2) and whole % 2):
        whole += 1
    result = whole * unit
    sign = 1 if value > 0 else -1
    return sign if result >= fmpq(2) ** (largest + 1) else sign * result


FURTHEST_EXPONENT = 100_000  # of two; nobody prints such a number


def ends(value: arb) -> tuple[fmpq, fmpq]:
    """Rational bounds of a finite ball."""
    return _dyadic(value.lower()), _dyadic(value.upper())


def bounds(value: arb) -> tuple[Fraction, Fraction]:
    """The same bounds as Python holds them."""
    return _fraction(value.lower()), _fraction(value.upper())


def _fraction(point: arb) -> Fraction:
    mantissa, exponent = map(int, point.mid().man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def is_beyond_reach(value: arb) -> bool:
    """Whether an end of a ball has an exponent that no rational is made of."""
    return any(abs(int(end.mid().man_exp()[1])) > FURTHEST_EXPONENT for end in (value.lower(), value.upper()))


def _dyadic(point: arb) -> fmpq:
    mantissa, exponent = point.mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)

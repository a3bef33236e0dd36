"""A printed number: its text, the rational it stands for, and half a unit of its last place."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache, lru_cache

from workings.checking.notation import Num, Span

_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:\{,\}[0-9]{3})+(?:\.|$)")  # else a comma in braces is a decimal one
MAX_DIGITS = 400
MOST_NUMBERS = 64  # kept as they were read: the same ones stand again and again
MAX_EXPONENT = 400
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾", "0123456789+-()")


def superscript(text: str) -> str:
    """Unicode superscripts as usual signs; a raised point too."""
    return text.translate(_SUPERSCRIPTS).replace("·", ".").replace("˙", ".")


def number(
    digits: str,
    text: str,
    span: Span,
    *,
    percent: bool = False,
    ellipsis: bool = False,
    negative: bool = False,
    power: int | None = None,
) -> Num | None:
    """A number from its levelled digits; None if it is longer than anybody prints.

    ``power`` is the exponent of a ``× 10^n`` behind the digits.
    """
    read = _read(digits, percent, power or 0)
    if read is None:
        return None
    value, half = read
    return Num(text, -value if negative else value, half, span, ellipsis)


@lru_cache(MOST_NUMBERS)
def _read(digits: str, percent: bool, power: int) -> tuple[Fraction, Fraction] | None:
    """The rational that digits stand for and half a unit of their last place."""
    comma = "" if "{,}" not in digits or _GROUPED.match(digits) else "."
    plain = digits.replace("{,}", comma).replace(",", "").replace("_", "").lower()
    mantissa, _, exponent = plain.partition("e")
    whole, _, decimals = mantissa.partition(".")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 5:
        return None
    shift = int(exponent or 0) + power
    if abs(shift) > MAX_EXPONENT:
        return None
    places = len(decimals) - shift + (2 if percent else 0)
    scaled = int((whole + decimals) or "0")
    value = Fraction(scaled, 10**places) if places >= 0 else Fraction(scaled * 10**-places)
    whole_number = not decimals and shift >= 0 and not percent
    return value, Fraction(0) if whole_number else _half(places)


@cache
def _half(places: int) -> Fraction:
    """Half a unit of a decimal place."""
    return Fraction(10**-places, 2) if places < 0 else Fraction(1, 2 * 10**places)


def vulgar(sign: str, text: str, span: Span) -> Num:
    """½, ⅓ …"""
    top, _, bottom = unicodedata.normalize("NFKC", sign).partition("\u2044")
    return Num(text, Fraction(int(top), int(bottom)), Fraction(0), span)

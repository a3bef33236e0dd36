"""Kinds of number: what every engine hands out, whatever it computed with."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

MAX_BITS = 4096
MIN_BITS = 64
PRECISIONS = tuple(MIN_BITS << doubled for doubled in range((MAX_BITS // MIN_BITS).bit_length()))
"""The working precisions in turn; few bits settle nearly all."""

# precision in bits, smallest normal exponent, largest exponent (IEEE 754; bfloat16 as in Kalamkar et al. 2019)
FORMATS = {
    "float16": (11, -14, 15),
    "bfloat16": (8, -126, 127),
    "float32": (24, -126, 127),
    "float64": (53, -1022, 1023),
}


NARROW = ("bfloat16", "float16")
ANY_NARROW = "any narrow type"
"""In place of a format: what any narrow one, or none, would make of a number, as one range."""


class Value(Protocol):
    """A number known exactly, or between bounds that can be narrowed by asking for more bits."""

    @property
    def exact(self) -> Fraction | None:
        """The value, where it is rational."""

    @property
    def infinite(self) -> int:
        """-1 for minus infinity, 1 for plus infinity, else 0."""

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals that surely enclose the value, computed with ``bits`` bits of working precision."""


class Rational:
    """A value that is a rational number."""

    __slots__ = ("_value",)
    infinite = 0

    def __init__(self, value: Fraction) -> None:
        self._value = value

    @property
    def exact(self) -> Fraction | None:
        return self._value

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        return self._value, self._value


class Infinite:
    """Minus or plus infinity."""

    __slots__ = ("infinite",)
    exact: Fraction | None = None

    def __init__(self, sign: int) -> None:
        self.infinite = sign

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        raise ValueError("an infinite value has no bounds")


def nearest_float(value: Value) -> float:
    """The double nearest to a value, ties to even; what 4,096 bits leave open is taken at the middle."""
    if value.infinite:
        return math.copysign(math.inf, value.infinite)
    bits = MIN_BITS
    while True:
        low, high = value.bounds(bits)
        down, up = _float(low), _float(high)
        if down == up or bits >= MAX_BITS:
            return down if down == up else _float((low + high) / 2)
        bits *= 2


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf

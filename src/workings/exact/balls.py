"""What formulas compute with in balls alone: quick, and only to rule out; what has no value here needs more bits."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul, sub
from typing import Any

from flint import arb

from workings.exact import values
from workings.exact.cells import Operations
from workings.exact.values import Endless, Held, NeedMoreBits
from workings.terms.errors import DivideByZero

ZERO = arb(0)


def hold(held: Held) -> arb:
    """A value as a ball; an infinity as one without a radius, from which rules of its own may make no value."""
    return arb("inf") * held.sign if isinstance(held, Endless) else values.ball(held)


def _divide(a: Any, b: Any, if_zero: int | None) -> arb:
    if b == 0:
        if if_zero is None:
            raise DivideByZero(address="")
        return arb(if_zero)
    quotient: arb = a / b
    return quotient


def _power(base: Held, exponent: Held) -> arb:
    """Which exponents are whole is not seen in balls."""
    raise NeedMoreBits


def _total(terms: Sequence[Any]) -> arb:
    return sum(terms, ZERO)


def _largest(terms: Sequence[Any]) -> arb:
    best: arb = terms[0]
    for term in terms[1:]:
        best = best.max(term)
    return best


BALLS = Operations(hold, add, _total, sub, mul, _divide, _power, _largest)

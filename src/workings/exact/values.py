"""Arithmetic over the kinds of number the exact engine holds: rationals, closed forms, balls and infinities.

The working precision is flint's context, which ``run.py`` sets around every computation and nobody else touches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq

from workings.exact import forms
from workings.exact.forms import Form
from workings.steps import language
from workings.terms.errors import DivideByZero, OutsideDomain


class _Infinity:
    """Minus or plus infinity, as a value with stated rules."""

    __slots__ = ("sign",)

    def __init__(self, sign: int) -> None:
        self.sign = sign


MINUS_INFINITY, PLUS_INFINITY = _Infinity(-1), _Infinity(1)
Held = fmpq | Form | arb | _Infinity
ZERO, ONE = fmpq(0), fmpq(1)


def infinity(sign: int) -> _Infinity:
    return MINUS_INFINITY if sign < 0 else PLUS_INFINITY


def rational(value: Fraction | int) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def ball(value: Held) -> arb:
    """The enclosure of a finite value at the working precision."""
    if type(value) is arb:
        return value
    if isinstance(value, Form):
        return value.ball(ctx.prec)
    return arb(value)


def _closed(result: Form | fmpq | None, fallback: Callable[[], arb]) -> Held:
    return fallback() if result is None else result


def add(a: Held, b: Held) -> Held:
    if type(a) is arb and type(b) is arb:
        return a + b
    for x in (a, b):
        if isinstance(x, _Infinity):
            return x
    if type(a) is arb or type(b) is arb:
        return ball(a) + ball(b)
    if type(a) is fmpq and type(b) is fmpq:
        return a + b
    return _closed(forms.add(a, b), lambda: ball(a) + ball(b))


def negate(a: Held) -> Held:
    if isinstance(a, _Infinity):
        return infinity(-a.sign)
    return forms.negate(a) if isinstance(a, Form) else -a


def subtract(a: Held, b: Held) -> Held:
    """a - b; a cell minus itself is exactly 0, and minus infinity minus anything is minus infinity."""
    if isinstance(a, _Infinity):
        return a
    return ZERO if a is b else add(a, negate(b))


def multiply(a: Held, b: Held) -> Held:
    """a · b; 0 times anything is 0, so that what is masked never reaches a result."""
    if type(a) is arb and type(b) is arb:
        return a * b
    for x in (a, b):
        if type(x) is fmpq and x == 0:
            return ZERO
    if isinstance(a, _Infinity) or isinstance(b, _Infinity):
        return infinity(_sign(a) * _sign(b))
    if type(a) is arb or type(b) is arb:
        return ball(a) * ball(b)
    if type(a) is fmpq and type(b) is fmpq:
        return a * b
    return _closed(forms.multiply(a, b), lambda: ball(a) * ball(b))


def divide(a: Held, b: Held, if_zero: int | None = None) -> Held:
    """a ÷ b. Raises ``DivideByZero`` unless a convention for a divisor of 0 is declared."""
    if type(b) is fmpq and b == 0:
        if if_zero is None:
            raise DivideByZero(address="")
        return fmpq(if_zero)
    if type(a) is fmpq and a == 0:
        return ZERO
    if isinstance(b, _Infinity):
        return ZERO
    if isinstance(a, _Infinity):
        return infinity(a.sign * _sign(b))
    if type(a) is arb or type(b) is arb:
        return ball(a) / ball(b)
    if type(a) is fmpq and type(b) is fmpq:
        return a / b
    return _closed(forms.divide(a, b), lambda: ball(a) / ball(b))


def _sign(a: Held) -> int:
    if isinstance(a, _Infinity):
        return a.sign
    if type(a) is arb:
        return 1 if a > 0 else -1
    return forms.sign(a, ball) or 0


def power(base: Held, exponent: Held) -> Held:
    """base ^ exponent: exact for whole exponents and rational bases, e^(x·ln base) otherwise."""
    if type(exponent) is fmpq and exponent.q == 1 and abs(exponent.p) <= 1024 and not isinstance(base, _Infinity):
        whole = int(exponent.p)
        if type(base) is arb:
            return base**whole
        if type(base) is fmpq:
            if base == 0 and whole < 0:
                raise DivideByZero(address="")
            return base**whole
        if 0 <= whole <= 2:
            return ONE if whole == 0 else base if whole == 1 else multiply(base, base)
    if type(exponent) is fmpq and exponent.q == 2 and type(base) is fmpq and base > 0:
        return multiply(power(base, fmpq(exponent.p - 1) / 2), square_root(base))
    return exponential(multiply(exponent, logarithm(base)))


def exponential(a: Held) -> Held:
    if isinstance(a, _Infinity):
        return ZERO if a.sign < 0 else PLUS_INFINITY
    if type(a) is arb:
        return a.exp()
    return _closed(forms.exponential(a), lambda: ball(a).exp())


def logarithm(a: Held) -> Held:
    if isinstance(a, _Infinity):
        if a.sign < 0:
            raise OutsideDomain(address="", operation="ln")
        return a
    if type(a) is arb:
        return a.log()
    if type(a) is fmpq and a == 0:
        return MINUS_INFINITY
    if forms.sign(a, ball) == -1:
        raise OutsideDomain(address="", operation="ln")
    return _closed(forms.logarithm(a), lambda: ball(a).log())


def square_root(a: Held) -> Held:
    if isinstance(a, _Infinity):
        raise OutsideDomain(address="", operation="√")
    if type(a) is fmpq:
        if a < 0:
            raise OutsideDomain(address="", operation="√")
        return _closed(forms.square_root(a), lambda: arb(a).sqrt())
    return ball(a).sqrt()


def largest(values: Sequence[Held]) -> Held:
    """The largest value, as the very object it was, so that subtracting it from itself is exactly 0."""
    best = values[0]
    for value in values[1:]:
        if value is best or (isinstance(value, _Infinity) and value.sign < 0):
            continue
        if isinstance(best, _Infinity):
            best = value if best.sign < 0 else best
            continue
        if isinstance(value, _Infinity):
            return value
        difference = subtract(value, best)
        above = forms.sign(difference, ball) if not isinstance(difference, (arb, _Infinity)) else _ball_sign(difference)
        if above is None:
            best = ball(best).max(ball(value))
        elif above > 0:
            best = value
    return best


def _ball_sign(value: Held) -> int | None:
    return 1 if value > 0 else -1 if value < 0 else None


def _odd(function: Callable[[arb], arb]) -> Callable[[Held], Held]:
    """A function with f(0) = 0 and values -1 and 1 at the infinities."""

    def apply(a: Held) -> Held:
        if isinstance(a, _Infinity):
            return fmpq(a.sign)
        if type(a) is fmpq and a == 0:
            return ZERO
        return function(ball(a))

    return apply


def _wave(function: Callable[[arb], arb], at_zero: int, name: str) -> Callable[[Held], Held]:
    def apply(a: Held) -> Held:
        if isinstance(a, _Infinity):
            raise OutsideDomain(address="", operation=name)
        if type(a) is fmpq and a == 0:
            return fmpq(at_zero)
        return function(ball(a))

    return apply


def _sigmoid(a: Held) -> Held:
    if isinstance(a, _Infinity):
        return ONE if a.sign > 0 else ZERO
    if type(a) is fmpq and a == 0:
        return fmpq(1, 2)
    return 1 / (1 + (-ball(a)).exp())


UNARY: dict[type[language.Unary], Callable[[Held], Held]] = {
    language.Exp: exponential,
    language.Log: logarithm,
    language.Sqrt: square_root,
    language.Tanh: _odd(arb.tanh),
    language.Erf: _odd(arb.erf),
    language.Sin: _wave(arb.sin, 0, "sin"),
    language.Cos: _wave(arb.cos, 1, "cos"),
    language.Sigmoid: _sigmoid,
}

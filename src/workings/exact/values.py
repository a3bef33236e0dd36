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
from workings.terms.errors import DivideByZero, ExponentTooLarge, OutsideDomain


class Endless:
    """Minus or plus infinity, as a value with stated rules."""

    __slots__ = ("sign",)

    def __init__(self, sign: int) -> None:
        self.sign = sign


MINUS_INFINITY, PLUS_INFINITY = Endless(-1), Endless(1)
Held = fmpq | Form | arb | Endless
ZERO, ONE = fmpq(0), fmpq(1)
MAX_POWER = 1024
MOST_EXPONENT, LEAST_EXPONENT = 9_900, -100_000  # e^9900 has 4,300 digits
FAR_ABOVE, FAR_BELOW = arb(MOST_EXPONENT), arb(LEAST_EXPONENT)


class NeedMoreBits(Exception):
    """The working precision does not decide; the caller doubles it."""


class Precision:
    """So many bits as the working precision of a block; ``ctx.workprec`` takes twice as long to do it."""

    __slots__ = ("_before", "_bits")

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        self._before, ctx.prec = ctx.prec, self._bits

    def __exit__(self, *_: object) -> None:
        ctx.prec = self._before


def infinity(sign: int) -> Endless:
    """Minus infinity for a negative sign, else plus infinity."""
    return MINUS_INFINITY if sign < 0 else PLUS_INFINITY


def rational(value: Fraction | int) -> fmpq:
    """A rational as flint holds it."""
    return fmpq(*value.as_integer_ratio())


def of_print(node: language.Printed) -> Held:
    """A printed number as it stands."""
    if node.value is not None:
        return rational(node.value)
    return infinity(1 if node.text == "∞" else -1)


def fraction(value: fmpq) -> Fraction:
    """A rational as Python holds it."""
    return Fraction(int(value.p), int(value.q))


def ball(value: Held) -> arb:
    """The enclosure of a finite value at the working precision."""
    if isinstance(value, arb):
        return value
    if isinstance(value, Form):
        return value.ball(ctx.prec)
    if isinstance(value, Endless):
        raise TypeError("an infinity has no ball")
    return arb(value)


def _closed(result: Form | fmpq | None, fallback: Callable[[], arb]) -> Held:
    return fallback() if result is None else result


def add(a: Held, b: Held) -> Held:
    """a + b; minus infinity plus anything is minus infinity."""
    if isinstance(a, arb) and isinstance(b, arb):
        return a + b
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a + b
    if isinstance(a, Endless) or isinstance(b, Endless):
        return MINUS_INFINITY if a is MINUS_INFINITY or b is MINUS_INFINITY else PLUS_INFINITY
    if isinstance(a, arb) or isinstance(b, arb):
        return ball(a) + ball(b)
    return _closed(forms.add(a, b), lambda: ball(a) + ball(b))


def total(terms: Sequence[Held]) -> Held:
    """The sum; closed forms are gathered at once, so that a long row costs no more than its terms."""
    if any(isinstance(term, Form) for term in terms):
        closed = [term for term in terms if isinstance(term, (fmpq, Form))]
        if len(closed) == len(terms):
            return _closed(forms.total(closed), lambda: sum(map(ball, closed), arb(0)))
    result: Held = ZERO
    for term in terms:
        result = add(result, term)
    return result


def negate(a: Held) -> Held:
    """-a."""
    if isinstance(a, Endless):
        return infinity(-a.sign)
    return forms.negate(a) if isinstance(a, Form) else -a


def subtract(a: Held, b: Held) -> Held:
    """a - b; a cell minus itself is exactly 0, and minus infinity minus anything is minus infinity."""
    if isinstance(a, Endless):
        return a
    return ZERO if a is b else add(a, negate(b))


def multiply(a: Held, b: Held) -> Held:
    """a · b; 0 times anything is 0, so that what is masked never reaches a result."""
    if isinstance(a, arb) and isinstance(b, arb):
        return a * b
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a * b
    if (isinstance(a, fmpq) and a == ZERO) or (isinstance(b, fmpq) and b == ZERO):
        return ZERO
    if isinstance(a, Endless) or isinstance(b, Endless):
        return infinity(_sign(a) * _sign(b))
    if isinstance(a, arb) or isinstance(b, arb):
        return ball(a) * ball(b)
    return _closed(forms.multiply(a, b), lambda: ball(a) * ball(b))


def divide(a: Held, b: Held, if_zero: int | None = None) -> Held:
    """a ÷ b. Raises ``DivideByZero`` unless a convention for a divisor of 0 is declared."""
    if isinstance(b, fmpq) and b == ZERO:
        if if_zero is None:
            raise DivideByZero(address="")
        return fmpq(if_zero)
    if isinstance(a, fmpq) and a == ZERO:
        return ZERO
    if isinstance(b, Endless):
        return ZERO
    if isinstance(a, Endless):
        return infinity(a.sign * _sign(b))
    if isinstance(a, arb) or isinstance(b, arb):
        return ball(a) / ball(b)
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a / b
    return _closed(forms.divide(a, b), lambda: ball(a) / ball(b))


def _sign(a: Held) -> int:
    if isinstance(a, Endless):
        return a.sign
    found = _ball_sign(a) if isinstance(a, arb) else forms.sign(a, ball)
    if found is None:
        raise NeedMoreBits
    return found


def power(base: Held, exponent: Held) -> Held:
    """base ^ exponent: exact where it is rational, repeated multiplication for whole exponents, else e^(x·ln base)."""
    if isinstance(exponent, fmpq) and exponent.q == 1 and abs(exponent.p) <= MAX_POWER:
        return _whole_power(base, int(exponent.p))
    if isinstance(base, fmpq) and isinstance(exponent, fmpq):
        if base == ZERO and exponent < ZERO:
            raise DivideByZero(address="")
        found = forms.rational_power(base, exponent)
        if found is not None:
            return found
        if exponent.q == 2 and base > ZERO and abs(exponent.p) <= MAX_POWER:
            return multiply(_whole_power(base, (int(exponent.p) - 1) // 2), square_root(base))
    return exponential(multiply(exponent, logarithm(base)))


def _whole_power(base: Held, exponent: int) -> Held:
    if exponent < 0:
        return divide(ONE, _whole_power(base, -exponent))
    if isinstance(base, fmpq):
        return base**exponent
    out: Held = ONE  # flint's own power has no value where a ball of either sign is raised
    for bit in f"{exponent:b}":
        out = multiply(out, out)
        out = multiply(out, base) if bit == "1" else out
    return out


def exponential(a: Held) -> Held:
    """e^a; 0 for minus infinity, a ball at 0 far below what is printed. Raises ``ExponentTooLarge`` far above."""
    if isinstance(a, Endless):
        return ZERO if a.sign < 0 else PLUS_INFINITY
    size = ball(a)
    if size > FAR_ABOVE:
        raise ExponentTooLarge(address="", limit=MOST_EXPONENT)
    if size < FAR_BELOW:
        return arb(0, FAR_BELOW.exp().upper())
    if isinstance(a, arb):
        return a.exp()
    return _closed(forms.exponential(a), lambda: ball(a).exp())


def logarithm(a: Held) -> Held:
    """ln a; minus infinity for 0. Raises ``OutsideDomain`` below 0."""
    if isinstance(a, Endless):
        if a.sign < 0:
            raise OutsideDomain(address="", operation="ln")
        return a
    if isinstance(a, arb):
        return a.log()
    if isinstance(a, fmpq) and a == ZERO:
        return MINUS_INFINITY
    if forms.sign(a, ball) == -1:
        raise OutsideDomain(address="", operation="ln")
    return _closed(forms.logarithm(a), lambda: ball(a).log())


def square_root(a: Held) -> Held:
    """√a. Raises ``OutsideDomain`` below 0."""
    if isinstance(a, Endless):
        raise OutsideDomain(address="", operation="√")
    if isinstance(a, fmpq):
        if a < ZERO:
            raise OutsideDomain(address="", operation="√")
        return _closed(forms.square_root(a), lambda: arb(a).sqrt())
    if isinstance(a, Form) and forms.sign(a, ball) == -1:
        raise OutsideDomain(address="", operation="√")
    return ball(a).sqrt()


def largest(values: Sequence[Held]) -> Held:
    """The largest value, as the very object it was, so that subtracting it from itself is exactly 0."""
    best = values[0]
    for value in values[1:]:
        if value is best or (isinstance(value, Endless) and value.sign < 0):
            continue
        if isinstance(best, Endless):
            best = value if best.sign < 0 else best
            continue
        if isinstance(value, Endless):
            return value
        difference = subtract(value, best)
        above = _ball_sign(difference) if isinstance(difference, (arb, Endless)) else forms.sign(difference, ball)
        if above is None:
            best = ball(best).max(ball(value))
        elif above > 0:
            best = value
    return best


def _ball_sign(value: arb | Endless) -> int | None:
    if isinstance(value, Endless):
        return value.sign
    return 1 if value > 0 else -1 if value < 0 else None


def _odd(function: Callable[[arb], arb]) -> Callable[[Held], Held]:
    """A function with f(0) = 0 and values -1 and 1 at the infinities."""

    def apply(a: Held) -> Held:
        if isinstance(a, Endless):
            return fmpq(a.sign)
        if isinstance(a, fmpq) and a == ZERO:
            return ZERO
        return function(ball(a))

    return apply


def _wave(function: Callable[[arb], arb], at_zero: int, name: str) -> Callable[[Held], Held]:
    def apply(a: Held) -> Held:
        if isinstance(a, Endless):
            raise OutsideDomain(address="", operation=name)
        if isinstance(a, fmpq) and a == ZERO:
            return fmpq(at_zero)
        return function(ball(a))

    return apply


def _sigmoid(a: Held) -> Held:
    if isinstance(a, Endless):
        return ONE if a.sign > 0 else ZERO
    if isinstance(a, fmpq) and a == ZERO:
        return fmpq(1, 2)
    size = ball(a)
    if size < FAR_BELOW:
        return exponential(size)
    return arb(1) / (arb(1) + (-size).exp())


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

"""Closed forms: sums of rational multiples of √n, ln a and e^x, kept so that ties cancel before any rounding.

A score divided by √d_k stays rational × √d_k, equal scores give equal exponents, and equal exponents give an exact
1/n. Whatever no longer fits a closed form becomes a ball; nothing is lost but the tie.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flint import arb, fmpq, fmpz


class Monomial(NamedTuple):
    """√n · ln a · e^x; each is positive unless a < 1."""

    root: int
    log: fmpq | None = None
    exponent: Form | fmpq | None = None

    def __hash__(self) -> int:
        root, log, exponent = self
        return hash(root) if log is None and exponent is None else hash((root, _hashed(log), _hashed(exponent)))


def _hashed(part: Form | fmpq | None) -> object:
    """The numerator of a rational: its own hash goes by way of Python's fractions, which takes ten times as long."""
    return int(part.p) if isinstance(part, fmpq) else part


ONE = Monomial(1)
_ZERO = fmpq(0)
MAX_TERMS = 64
MAX_FACTORED = 10**12


class Form:
    """A sum of monomials with rational coefficients, at least one of them not rational."""

    __slots__ = ("_ball", "_hash", "terms")

    def __init__(self, terms: dict[Monomial, fmpq]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._ball: tuple[int, arb] = (0, arb(0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset([(monomial, _hashed(number)) for monomial, number in self.terms.items()]))
        return self._hash

    def ball(self, bits: int) -> arb:
        """The enclosure at the working precision ``bits`` (which the caller has set)."""
        if self._ball[0] != bits:
            total = arb(0)
            for monomial, coefficient in self.terms.items():
                total += _monomial_ball(monomial, bits) * coefficient
            self._ball = (bits, total)
        return self._ball[1]


def _monomial_ball(monomial: Monomial, bits: int) -> arb:
    root, log, exponent = monomial
    power = None if exponent is None else (exponent.ball(bits) if isinstance(exponent, Form) else arb(exponent)).exp()
    if power is not None and root == 1 and log is None:
        return power
    value = arb(1) if power is None else power
    if root != 1:
        value *= arb(root).sqrt()
    if log is not None:
        value *= arb(log).log()
    return value


def make(terms: dict[Monomial, fmpq]) -> Form | fmpq | None:
    """A rational where only a rational is left, a form, or None where it has grown too long."""
    kept = terms if all(terms.values()) else {monomial: number for monomial, number in terms.items() if number != _ZERO}
    if not kept:
        return _ZERO
    if len(kept) == 1 and ONE in kept:
        return kept[ONE]
    return Form(kept) if len(kept) <= MAX_TERMS else None


def terms_of(value: Form | fmpq) -> dict[Monomial, fmpq]:
    """The coefficients by monomial; a rational is a multiple of 1."""
    return value.terms if isinstance(value, Form) else {ONE: value}


def add(a: Form | fmpq, b: Form | fmpq) -> Form | fmpq | None:
    """a + b, or None where it has grown too long."""
    return total((a, b))


def total(values: Sequence[Form | fmpq]) -> Form | fmpq | None:
    """The sum of all, or None where it has grown too long."""
    out = dict(terms_of(values[0])) if values else {}
    for value in values[1:]:
        for monomial, coefficient in terms_of(value).items():
            out[monomial] = out.get(monomial, _ZERO) + coefficient
    return make(out)


def negate(a: Form | fmpq) -> Form | fmpq:
    """-a."""
    return Form({m: -c for m, c in a.terms.items()}) if isinstance(a, Form) else -a


def _times(a: Monomial, b: Monomial) -> tuple[Monomial, fmpq] | None:
    if a[1] is not None and b[1] is not None:
        return None
    common = math.gcd(a[0], b[0])
    root = (a[0] // common) * (b[0] // common)
    exponent = a[2] if b[2] is None else b[2]
    factor = fmpq(common)
    if a[2] is not None and b[2] is not None:
        total = add(a[2], b[2])
        if total is None:
            return None
        exponent = None if not isinstance(total, Form) and total == _ZERO else total
    return Monomial(root, a[1] if b[1] is None else b[1], exponent), factor


def multiply(a: Form | fmpq, b: Form | fmpq) -> Form | fmpq | None:
    """a · b, or None where it has no closed form of this kind or has grown too long."""
    left, right = terms_of(a), terms_of(b)
    if len(left) * len(right) > MAX_TERMS:
        return None
    out: dict[Monomial, fmpq] = {}
    for x, cx in left.items():
        for y, cy in right.items():
            product = _times(x, y)
            if product is None:
                return None
            monomial, factor = product
            out[monomial] = out.get(monomial, _ZERO) + cx * cy * factor
    return make(out)


def divide(a: Form | fmpq, b: Form | fmpq) -> Form | fmpq | None:
    """a ÷ b where b is one monomial, or a is a rational multiple of b; b is not 0."""
    top, bottom = terms_of(a), terms_of(b)
    if top.keys() == bottom.keys():
        ratios = {top[m] / bottom[m] for m in top}
        if len(ratios) == 1:
            return ratios.pop()
    if len(bottom) != 1:
        return None
    ((root, log, exponent), coefficient) = next(iter(bottom.items()))
    if log is not None:
        return None
    inverse = Monomial(root, None, None if exponent is None else negate(exponent))
    return multiply(a, Form({inverse: 1 / (coefficient * root)}) if inverse != ONE else 1 / coefficient)


def square_root(a: fmpq) -> Form | fmpq | None:
    """√a as rational × √n with n free of squares; None where a is too large to factor at sight."""
    if a == _ZERO:
        return _ZERO
    inside = int(a.p) * int(a.q)
    whole = math.isqrt(inside)
    if whole * whole == inside:
        return fmpq(whole) / a.q
    if inside > MAX_FACTORED:
        return None
    outside = math.prod(int(prime) ** (power // 2) for prime, power in fmpz(inside).factor())
    return Form({Monomial(inside // outside**2): fmpq(outside) / a.q})


def rational_power(base: fmpq, exponent: fmpq) -> fmpq | None:
    """base ^ exponent for a positive base where it is rational, else None."""
    if base <= _ZERO or exponent.q > MAX_TERMS or abs(exponent.p) > MAX_TERMS:
        return None
    degree = int(exponent.q)
    top, bottom = base.p.root(degree), base.q.root(degree)
    return fmpq(top, bottom) ** int(exponent.p) if top**degree == base.p and bottom**degree == base.q else None


def exponential(a: Form | fmpq) -> Form | fmpq | None:
    """e^a, with e^(n·ln b) = b^n taken out where that is rational."""
    if not isinstance(a, Form):
        return fmpq(1) if a == _ZERO else Form({Monomial(1, None, a): fmpq(1)})
    factor, rest = fmpq(1), dict[Monomial, fmpq]()
    for monomial, coefficient in a.terms.items():
        root, log, exponent = monomial
        found = rational_power(log, coefficient) if log is not None and root == 1 and exponent is None else None
        if found is None:
            rest[monomial] = coefficient
        else:
            factor *= found
    remaining = make(rest)
    if remaining is None:
        return None
    if not isinstance(remaining, Form) and remaining == _ZERO:
        return factor
    return Form({Monomial(1, None, remaining): factor})


def logarithm(a: Form | fmpq) -> Form | fmpq | None:
    """ln a for a positive rational or a single c·e^x."""
    if not isinstance(a, Form):
        return fmpq(0) if a == 1 else Form({Monomial(1, a): fmpq(1)})
    if len(a.terms) != 1:
        return None
    ((root, log, exponent), coefficient) = next(iter(a.terms.items()))
    if root != 1 or log is not None or exponent is None or coefficient <= _ZERO:
        return None
    outside = logarithm(coefficient)
    return None if outside is None else add(outside, exponent)


def sign(a: Form | fmpq, ball: Callable[[Form], arb]) -> int | None:
    """-1, 0 or 1; None where the precision at hand does not decide."""
    if not isinstance(a, Form):
        return int(a > _ZERO) - int(a < _ZERO)
    if len(a.terms) == 1:
        ((_, log, _), coefficient) = next(iter(a.terms.items()))
        positive = (coefficient > _ZERO) == (log is None or log > 1)
        return 1 if positive else -1
    value = ball(a)
    return 1 if value > 0 else -1 if value < 0 else None

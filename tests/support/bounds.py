"""How far a floating-point run may stray from the truth: a running error bound, cell by cell.

Standard model (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 2.2 and 3.3): with unit
roundoff u every operation gives fl(x op y) = (x op y)(1 + d), |d| ≤ u; a function is taken to be good to 4 units in
the last place, that is |d| ≤ 8u (what numpy's own tests hold its float32 and float64 functions to). For true
operands x, y known with errors at most a, b:

    x + y   a + b + u|x + y|, n terms in any order: Σaᵢ + γₙ Σ(|xᵢ| + aᵢ), γₙ = nu/(1 - nu)
    x · y   (|x|b + |y|a + ab)(1 + u) + u|xy|
    x ÷ y   (a + |x/y|b) / (|y| - b) · (1 + u) + u|x/y|, without bound where b ≥ |y|
    f(x)    the slope of f over [x - a, x + a] times a, plus 8u|f(x)| and the same share of the first part

All is worked at 50 digits, so what the bound itself loses does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from mpmath import mp, mpf  # type: ignore[import-untyped]

from workings.exact.run import Exact
from workings.steps import language as lang
from workings.steps.expand import Expansion
from workings.steps.language import Expr
from workings.steps.recipe import Recipe
from workings.terms.address import Address

DIGITS = 50
BITS = 192
FUNCTION = 8


class Bounded(NamedTuple):
    """A true value, and how far the computed one may be from it."""

    value: Any
    error: Any


def to_mpf(value: Fraction) -> Any:
    return mpf(value.numerator) / value.denominator


class Bounds:
    """Error bounds of every cell of a recipe, for one unit roundoff."""

    def __init__(self, recipe: Recipe, engine: Exact, unit: float) -> None:
        self.recipe, self.engine, self.unit = recipe, engine, mpf(unit)
        self.expansion = Expansion(recipe)
        self._known: dict[Address, Bounded] = {}

    def cell(self, address: Address) -> Bounded:
        """The true value of a cell, and how far the array form may be from it."""
        known = self._known.get(address)
        if known is None:
            formula = self.expansion.cell(address)
            value = self._true(address)
            error = self.unit * abs(value) if formula is None else self.of(formula).error
            known = self._known[address] = Bounded(value, error if mp.isfinite(value) else mpf(0))
        return known

    def _true(self, address: Address) -> Any:
        value = self.engine.value(address.array, address.index)
        if value.infinite:
            return mpf("-inf")
        if value.exact is not None:
            return to_mpf(value.exact)
        low, high = value.bounds(BITS)
        return to_mpf((low + high) / 2)

    def of(self, node: Expr) -> Bounded:
        """The bound of a resolved formula."""
        value, error = self._of(node)
        return Bounded(value, mpf("inf") if mp.isnan(error) else error)  # 0 times no bound is no bound

    def _of(self, node: Expr) -> Bounded:
        u = self.unit
        if isinstance(node, lang.Cell):
            return self.cell(node.address)
        if isinstance(node, lang.Const):
            value = to_mpf(Fraction(node.value))
            return Bounded(value, u * abs(value))
        if isinstance(node, lang.Pi):
            return Bounded(+mp.pi, u * mp.pi)
        if isinstance(node, lang.Infinity):
            return Bounded(mpf("-inf"), mpf(0))
        if isinstance(node, (lang.Add, lang.Larger)):
            parts = [self.of(term) for term in node.terms]
            if isinstance(node, lang.Larger):
                return Bounded(max(part.value for part in parts), max(part.error for part in parts))
            return self._sum(parts)
        if isinstance(node, lang.Sub):
            left, right = self.of(node.left), self.of(node.right)
            return left if mp.isinf(left.value) else self._sum([left, Bounded(-right.value, right.error)])
        if isinstance(node, lang.Mul):
            return self._product(self.of(node.left), self.of(node.right))
        if isinstance(node, lang.Div):
            return self._quotient(self.of(node.left), self.of(node.right), node.if_zero)
        if isinstance(node, lang.Pow):
            return self._power(self.of(node.base), self.of(node.exponent))
        if isinstance(node, lang.Unary):
            return self._function(node, self.of(node.arg))
        raise TypeError(f"no bound for {node!r}")

    def _sum(self, parts: list[Bounded]) -> Bounded:
        total = sum((part.value for part in parts), mpf(0))
        n = len(parts)
        gamma = n * self.unit / (1 - n * self.unit)
        return Bounded(total, sum(e + gamma * (abs(v) + e) for v, e in parts))

    def _product(self, x: Bounded, y: Bounded) -> Bounded:
        if (x.value == 0 and x.error == 0) or (y.value == 0 and y.error == 0):
            return Bounded(mpf(0), mpf(0))
        value = x.value * y.value
        spread = abs(x.value) * y.error + abs(y.value) * x.error + x.error * y.error
        return Bounded(value, spread * (1 + self.unit) + self.unit * abs(value))

    def _quotient(self, x: Bounded, y: Bounded, if_zero: int | None) -> Bounded:
        if y.value == 0 and y.error == 0 and if_zero is not None:
            return Bounded(mpf(if_zero), mpf(0))
        if y.error >= abs(y.value):
            return Bounded(mpf(0), mpf("inf"))
        value = x.value / y.value
        spread = (x.error + abs(value) * y.error) / (abs(y.value) - y.error)
        return Bounded(value, spread * (1 + self.unit) + self.unit * abs(value))

    def _power(self, base: Bounded, exponent: Bounded) -> Bounded:
        if exponent.value in (2, 3):
            square = self._product(base, base)
            return square if exponent.value == 2 else self._product(square, base)
        value = mp.power(base.value, exponent.value)  # base^exponent = e^(exponent·ln base), base > 0
        relative = abs(exponent.value) * base.error / (base.value - base.error)
        relative += exponent.error * abs(mp.log(base.value))
        return Bounded(value, value * (mp.expm1(2 * relative) + FUNCTION * self.unit))

    def _function(self, node: lang.Unary, x: Bounded) -> Bounded:
        function, slope = FUNCTIONS[type(node)]
        if mp.isinf(x.value) or (isinstance(node, lang.Log) and x.value == 0):
            return Bounded(mpf(0) if isinstance(node, lang.Exp) else mpf("-inf"), mpf(0))
        value = function(x.value)
        spread = mpf(0) if x.error == 0 else x.error * slope(x.value, x.error)
        return Bounded(value, spread + FUNCTION * self.unit * (abs(value) + spread))


def _above_zero(slope: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """The steepest slope of a function that flattens to the right, without bound where the error reaches 0."""
    return lambda x, error: slope(x - error) if x > error else mpf("inf")


# function, and the steepest slope within the error around a value
FUNCTIONS: dict[type[lang.Unary], tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    lang.Exp: (mp.exp, lambda x, error: mp.exp(x + error)),
    lang.Log: (mp.log, _above_zero(lambda x: 1 / x)),
    lang.Sqrt: (mp.sqrt, _above_zero(lambda x: 1 / (2 * mp.sqrt(x)))),
    lang.Tanh: (mp.tanh, lambda x, error: mpf(1)),
    lang.Erf: (mp.erf, lambda x, error: 2 / mp.sqrt(mp.pi)),
    lang.Sin: (mp.sin, lambda x, error: mpf(1)),
    lang.Cos: (mp.cos, lambda x, error: mpf(1)),
    lang.Sigmoid: (lambda x: 1 / (1 + mp.exp(-x)), lambda x, error: mpf(1) / 4),
}

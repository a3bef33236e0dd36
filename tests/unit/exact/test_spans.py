"""Where a value surely lies, by its ball or by its bounds, and formulas read once for several ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from workings.exact import spans
from workings.exact.balls import BALLS, hold
from workings.exact.spans import Formula, Span
from workings.exact.values import MINUS_INFINITY, Held, rational
from workings.steps.language import Add, Cell, Const, Expr, Mul, Sqrt
from workings.terms.address import Address, Name
from workings.terms.errors import DivideByZero
from workings.terms.numbers import MIN_BITS, Rational, Value

LEFT, RIGHT = Address(Name("a"), (0,)), Address(Name("a"), (1,))


def worked(node: Expr) -> Value:
    return spans.value(lambda bits: Formula(node).apply({}, bits))


@pytest.mark.parametrize("value", [worked(Sqrt(Const(2))), Rational(Fraction(14142, 10000))])
def test_inside_or_outside(value: Value) -> None:
    one, two = rational(1), rational(2)
    assert spans.lies_between(value, one, two, MIN_BITS) is True
    assert spans.lies_between(value, rational(Fraction(3, 2)), two, MIN_BITS) is False
    assert not spans.may_lie_between(value, one, rational(Fraction(7, 5)))


def test_what_bits_do_not_tell() -> None:
    both = worked(Mul(Add(Sqrt(Const(2)), Sqrt(Const(3))), Add(Sqrt(Const(2)), Sqrt(Const(3)))))  # 5 + 2√6
    near = rational(Fraction(98989794855663561963945681494117827839318949613133402568653851, 10**61))
    assert spans.lies_between(both, near, near, MIN_BITS) is None
    assert spans.may_lie_between(both, near, near)


def test_a_formula_is_worked_with_several_ranges() -> None:
    formula = Formula(Add(Cell(LEFT), Mul(Cell(RIGHT), Cell(LEFT))))
    assert formula.cells == [LEFT, RIGHT]
    for a, b in ((1, 2), (3, 5)):
        given = {LEFT: Span(rational(a)), RIGHT: Span(rational(b))}
        assert formula.apply(given).bounds() == (Fraction(a + a * b),) * 2


def test_balls_divide_by_zero_as_declared() -> None:
    zero: Held = hold(rational(0))
    assert BALLS.divide(hold(rational(1)), zero, 0) == 0
    with pytest.raises(DivideByZero):
        BALLS.divide(hold(rational(1)), zero, None)
    assert not hold(MINUS_INFINITY).is_finite()

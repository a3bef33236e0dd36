"""Ties that are removed structurally, bits that are asked for, and what has no value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.support.effort import effort
from workings.exact import floats
from workings.exact.run import Exact
from workings.steps.build import build
from workings.steps.language import (
    MINUS_INFINITY,
    Add,
    Const,
    Div,
    Exp,
    Expr,
    Larger,
    Log,
    Mul,
    Pow,
    Printed,
    Round,
    Sigmoid,
    Sqrt,
    Sub,
    Tanh,
)
from workings.steps.literal import read_literal
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Name
from workings.terms.digits import json_digits, magnitude, round_value, write
from workings.terms.errors import DivideByZero, ExponentTooLarge, OutsideDomain
from workings.terms.numbers import MAX_BITS, MIN_BITS, Rational, Value

ONE, TWO, THREE = Const(1), Const(2), Const(3)


def _attention(
    q: list[list[str]], k: list[list[str]], spec: AttentionSpec | None = None, carry: int | None = None, **extra: str
) -> tuple[Recipe, Exact]:
    """Attention over given Q, K, V = K."""
    rows = {Name("Q"): q, Name("K"): k, Name("V"): k}
    shapes: dict[Name, tuple[int, ...]] = {name: (len(m), len(m[0])) for name, m in rows.items()}
    cells: dict[Name, dict[tuple[int, ...], Expr]] = {
        name: {(i, j): read_literal(text).value for i, row in enumerate(m) for j, text in enumerate(row)}
        for name, m in rows.items()
    }
    for name, text in extra.items():
        shapes[Name(name)], cells[Name(name)] = (), {(): read_literal(text).value}
    known = {"token": len(q), "key": len(k), "past": 0}
    recipe = build(spec or AttentionSpec(), BlockSpec(), shapes, known, {}, cross=True)
    return recipe, Exact(recipe, cells, carry)


def _evaluate(formula: Expr) -> Value:
    return _attention([["1"]], [["1"]])[1].evaluate(formula)


@pytest.mark.parametrize("keys", [3, 7])
@pytest.mark.parametrize("divisor", ["sqrt(2)", "sqrt(3)", "1.7"])
@pytest.mark.parametrize("softmax", ["plain", "shifted"])
def test_equal_scores_give_exact_equal_weights(keys: int, divisor: str, softmax: str) -> None:
    spec = AttentionSpec(softmax=softmax, divide_by=read_literal(divisor))
    _, engine = _attention([["0.3", "0.7"]], [["0.2", "0.9"]] * keys, spec, divide_by=divisor)
    assert engine.value(Name("weight"), (0, 0)).exact == Fraction(1, keys)


def test_weights_of_logarithms_are_rational() -> None:
    _, engine = _attention([["1"]], [["ln(2)"], ["ln(3)"], ["0"]])
    weights = [engine.value(Name("weight"), (0, j)).exact for j in range(3)]
    assert weights == [Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)]


def test_the_largest_score_shifted_has_exponential_one() -> None:
    _, engine = _attention([["1", "2"]], [["0.3", "0.1"], ["0.9", "0.4"]], AttentionSpec(softmax="shifted"))
    assert engine.value(Name("exp_shifted"), (0, 1)).exact == 1


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (Sub(Sqrt(TWO), Sqrt(TWO)), 0),
        (Sub(Exp(Sqrt(TWO)), Exp(Sqrt(TWO))), 0),
        (Exp(Log(TWO)), 2),
        (Exp(Mul(Const(Fraction(1, 2)), Log(Const(4)))), 2),
        (Exp(Const(0)), 1),
        (Sqrt(Const(Fraction(9, 16))), Fraction(3, 4)),
        (Mul(Sqrt(TWO), Sqrt(Const(8))), 4),
        (Div(Sqrt(Const(12)), Sqrt(THREE)), 2),
        (Pow(Const(10000), Const(Fraction(1, 4))), 10),
        (Pow(Sqrt(TWO), Const(-4)), Fraction(1, 4)),
        (Pow(Sub(Const(0), Sqrt(TWO)), Const(4)), 4),
        (Pow(Const(0), Const(Fraction(1, 2))), 0),
        (Exp(MINUS_INFINITY), 0),
        (Mul(Const(0), MINUS_INFINITY), 0),
        (Div(ONE, Exp(MINUS_INFINITY), if_zero=5), 5),
        (Sigmoid(Const(0)), Fraction(1, 2)),
        (Tanh(MINUS_INFINITY), -1),
        (Larger(Const(0), Sub(Const(1), Sqrt(TWO))), 0),
        (Round("float32", Const(Fraction(1, 10))), Fraction(float(np.float32(0.1)))),
        (Round("bfloat16", Exp(ONE)), Fraction("2.71875")),
    ],
)
def test_exact(formula: Expr, expected: Fraction) -> None:
    assert _evaluate(formula).exact == expected


@pytest.mark.parametrize(
    ("formula", "sign"),
    [
        (Add(MINUS_INFINITY, Printed("∞", None)), -1),
        (Add(Printed("∞", None), MINUS_INFINITY), -1),
        (Sub(MINUS_INFINITY, MINUS_INFINITY), -1),
        (Log(Const(0)), -1),
        (Add(ONE, MINUS_INFINITY), -1),
        (Mul(MINUS_INFINITY, Sub(ONE, Exp(ONE))), 1),
        (Mul(Sub(Exp(Const(Fraction(1, 10**40))), ONE), MINUS_INFINITY), -1),
    ],
)
def test_infinite(formula: Expr, sign: int) -> None:
    assert _evaluate(formula).infinite == sign


def test_cancellation_takes_the_bits_it_needs() -> None:
    tiny = _evaluate(Sub(Exp(Const(Fraction(1, 10**30))), ONE))
    assert magnitude(tiny) == -30
    low, high = tiny.bounds(64)
    assert low < 0 < high or high - low > Fraction(1, 10**30)
    assert round_value(tiny, 60).value == Fraction(1, 10**30) + Fraction(1, 2 * 10**60) + Fraction(1, 2 * 10**60)


def test_a_ball_of_either_sign_has_a_square() -> None:
    zero = Sub(Div(Tanh(ONE), THREE), Mul(Tanh(ONE), Const(Fraction(1, 3))))
    value = _evaluate(Add(ONE, Pow(zero, TWO)))
    assert round_value(value, 30).value == 1


class _Straddling:
    """A value that no number of bits tells from a half."""

    exact = None
    infinite = 0

    def __init__(self) -> None:
        self.asked: list[int] = []

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        self.asked.append(bits)
        return Fraction(1, 2) - Fraction(1, 2**bits), Fraction(1, 2) + Fraction(1, 2**bits)


def test_what_still_straddles_at_4096_bits_is_a_tie() -> None:
    value = _Straddling()
    rounded = round_value(value, 0)
    assert rounded.tie
    assert rounded.value == 1
    assert value.asked == [64 * 2**i for i in range(7)]
    assert (value.asked[0], value.asked[-1]) == (MIN_BITS, MAX_BITS)


@pytest.mark.parametrize(
    ("formula", "error"),
    [
        (Sqrt(Const(-1)), OutsideDomain),
        (Sqrt(Sub(ONE, Sqrt(TWO))), OutsideDomain),
        (Log(Const(-1)), OutsideDomain),
        (Log(MINUS_INFINITY), OutsideDomain),
        (Exp(Const(10**9)), ExponentTooLarge),
        (Exp(Mul(Const(10**9), Sqrt(TWO))), ExponentTooLarge),
        (Div(ONE, Const(0)), DivideByZero),
        (Pow(Const(0), Const(-1)), DivideByZero),
        (Pow(Const(0), Const(Fraction(-1, 2))), DivideByZero),
    ],
)
def test_what_has_no_value(formula: Expr, error: type[Exception]) -> None:
    with pytest.raises(error):
        _evaluate(formula)


def test_powers_of_e_far_below_what_is_printed() -> None:
    assert json_digits(_evaluate(Exp(Const(-20_000)))) == "1.28932360839e-8686"
    for formula in (Exp(Const(-(10**9))), Exp(Const(Fraction(-(10**300)))), Sigmoid(Const(-(10**9)))):
        value = _evaluate(formula)
        assert magnitude(value) is None
        assert json_digits(value) == "0"


@pytest.mark.parametrize(("value", "power"), [("1", 0), ("9.99", 0), ("10", 1), ("0.1", -1), ("0.0999", -2)])
def test_the_power_of_ten_of_the_first_digit(value: str, power: int) -> None:
    for shift in (0, 7, 5000, -5000):
        assert magnitude(Rational(Fraction(value) * Fraction(10) ** shift)) == power + shift


def test_more_digits_than_python_turns_into_text() -> None:
    assert write(Fraction(10**9000 + 7), 0) == f"1{'0' * 8999}7"


def test_an_error_names_the_cell() -> None:
    spec = AttentionSpec(divide_by=read_literal("0"))
    _, engine = _attention([["1"]], [["1"], ["2"]], spec, divide_by="0")
    with pytest.raises(DivideByZero) as caught:
        engine.value(Name("weight"), (0, 0))
    assert caught.value.values == {"address": "scaled[0,0]"}


def test_hand_mode_is_a_pupils_arithmetic() -> None:
    q, k = [["0.9", "0.1"]], [["1.0", "0.2"], ["0.3", "0.8"]]
    spec = AttentionSpec(divide_by=read_literal("1.4"))
    _, engine = _attention(q, k, spec, carry=2, divide_by="1.4")

    def carried(value: Fraction) -> Fraction:
        return Fraction(int(abs(value) * 100 + Fraction(1, 2)), 100) * (1 if value >= 0 else -1)

    keys = [[Fraction(x) for x in row] for row in k]
    score = [carried(sum((Fraction(x) * y for x, y in zip(q[0], row, strict=True)), Fraction(0))) for row in keys]
    scaled = [carried(s / Fraction("1.4")) for s in score]
    e = [carried(Fraction(float(np.exp(float(s))))) for s in scaled]
    total = carried(Fraction(sum(e)))
    weight = [carried(x / total) for x in e]
    output = [carried(weight[0] * keys[0][j] + weight[1] * keys[1][j]) for j in range(2)]
    for name, expected in (("score", score), ("scaled", scaled), ("exp", e), ("weight", weight), ("output", output)):
        assert [engine.value(Name(name), (0, j)).exact for j in range(2)] == expected, name


def _as_float(rounded: fmpq | int) -> float:
    return rounded * np.inf if isinstance(rounded, int) else int(rounded.p) / int(rounded.q)


@pytest.mark.parametrize(("dtype", "kind"), [("float16", np.float16), ("float32", np.float32), ("float64", np.float64)])
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_to_a_format_is_numpys(dtype: str, kind: Any, value: float) -> None:
    with np.errstate(over="ignore"):
        assert _as_float(floats.round_rational(dtype, fmpq(*value.as_integer_ratio()))) == float(kind(value))


@given(st.fractions())
def test_rounding_a_rational_to_float64_is_pythons(value: Fraction) -> None:
    assert _as_float(floats.round_rational("float64", fmpq(value.numerator, value.denominator))) == float(value)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_rounding_to_bfloat16_is_that_of_the_bits(value: float) -> None:
    bits = int(np.float32(value).view(np.uint32))
    kept = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    rounded = floats.round_rational("bfloat16", fmpq(*value.as_integer_ratio()))
    assert _as_float(rounded) == float(np.uint32(kept).view(np.float32))


@pytest.mark.parametrize("row", [["1", "1"], ["sqrt(2)", "sqrt(2)"]])
def test_a_cell_without_a_value_is_named_where_it_arises(row: list[str]) -> None:
    one = [["1", "0"], ["0", "1"]]
    rows = {"X": [row, ["2", "3"]], "W_Q": one, "W_K": one, "W_V": [["1", "1"], ["1", "1"]]}
    shapes: dict[Name, tuple[int, ...]] = {Name(name): (2, 2) for name in rows}
    cells: dict[Name, dict[tuple[int, ...], Expr]] = {
        Name(name): {(i, j): read_literal(m[i][j]).value for i in range(2) for j in range(2)}
        for name, m in rows.items()
    }
    shapes[Name("eps")], cells[Name("eps")] = (), {(): Const(0)}
    around = BlockSpec(norm="post-layer", layers=3)
    recipe = build(AttentionSpec(), around, shapes, {"token": 2, "key": 2, "past": 0}, {})
    with pytest.raises(OutsideDomain, match=r"L0\.norm1\["):
        Exact(recipe, cells).value(Name("weight", 2), (1, 0))


def test_a_root_is_factored_at_once() -> None:
    quotient = Div(Sqrt(Const(4 * 249999999967)), Sqrt(Const(249999999967)))
    assert effort(lambda: _evaluate(quotient)) < 10_000  # trial division takes hundreds of thousands of calls
    assert _evaluate(quotient).exact == 2
    assert _evaluate(Div(Sqrt(Const(45)), Sqrt(Const(5)))).exact == 3


def test_a_long_sum_keeps_its_closed_form() -> None:
    terms = [Sqrt(Const(n)) for n in (2, 3, 5)] * 40
    assert _evaluate(Div(Add(*terms), Add(*terms))).exact == 1

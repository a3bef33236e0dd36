"""Expressions as a line: exact strings."""

from fractions import Fraction

import pytest

from workings.render.maths import draw_chain, draw_expression
from workings.steps.language import (
    MINUS_INFINITY,
    Add,
    Cell,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    Infinity,
    Larger,
    Log,
    Max,
    Mul,
    Number,
    Pi,
    Pow,
    Printed,
    Round,
    Sigmoid,
    Sin,
    Sqrt,
    Sub,
    Sum,
    Symbol,
    Tanh,
)
from workings.terms.address import Address, Name


def p(text: str) -> Printed:
    return Printed(text, None)


A, B, C = p("1.5"), p("2"), p("3")
NEGATIVE, SMALL, SMALL_NEGATIVE, SHARE = p("−0.2"), p("1.2×10⁻⁵"), p("−1.2×10⁻⁵"), p("23/25")
Q, K, S = Symbol("Q", ("i", "d")), Symbol("K", ("j", "d")), Symbol("S", ("i", "j"))

LINES: list[tuple[Expr, str]] = [
    # sums
    (Add(A, B, C), "1.5 + 2 + 3"),
    (Add(p("0.5"), NEGATIVE), "0.5 + (−0.2)"),
    (Add(NEGATIVE, A), "−0.2 + 1.5"),
    (Add(A), "1.5"),
    (Add(), "0"),
    (Add(A, Add(B, C)), "1.5 + (2 + 3)"),
    (Add(Add(A, B), C), "1.5 + 2 + 3"),
    (Add(A, Sub(B, C)), "1.5 + (2 − 3)"),
    (Add(A, Mul(NEGATIVE, B)), "1.5 + (−0.2) × 2"),
    (Sub(A, NEGATIVE), "1.5 − (−0.2)"),
    (Sub(Sub(A, B), C), "1.5 − 2 − 3"),
    (Sub(A, Sub(B, C)), "1.5 − (2 − 3)"),
    (Sub(A, Add(NEGATIVE, B)), "1.5 − (−0.2 + 2)"),
    # products and quotients
    (Add(Mul(p("0.9"), p("1.0")), Mul(p("0.1"), p("0.2"))), "0.9 × 1.0 + 0.1 × 0.2"),
    (Mul(B, p("−1")), "2 × (−1)"),
    (Mul(p("−1"), B), "−1 × 2"),
    (Mul(Mul(A, B), C), "1.5 × 2 × 3"),
    (Mul(A, Mul(B, C)), "1.5 × (2 × 3)"),
    (Mul(Add(A, B), C), "(1.5 + 2) × 3"),
    (Div(Div(A, B), C), "1.5 ÷ 2 ÷ 3"),
    (Div(A, Div(B, C)), "1.5 ÷ (2 ÷ 3)"),
    (Div(A, Mul(B, C)), "1.5 ÷ (2 × 3)"),
    (Div(A, Sqrt(B)), "1.5 ÷ √2"),
    (Div(A, Exp(B)), "1.5 ÷ e^2"),
    # powers of e, roots and powers
    (Exp(p("0.65")), "e^0.65"),
    (Exp(p("−0.3")), "e^(−0.3)"),
    (Exp(Sub(A, B)), "e^(1.5 − 2)"),
    (Exp(SMALL), "e^(1.2×10⁻⁵)"),
    (Exp(SHARE), "e^(23/25)"),
    (Exp(S), "e^(S[i,j])"),
    (Exp(MINUS_INFINITY), "e^(−∞)"),
    (Sqrt(B), "√2"),
    (Sqrt(Add(A, B)), "√(1.5 + 2)"),
    (Sqrt(Symbol("d_k")), "√d_k"),
    (Sqrt(Sqrt(B)), "√(√2)"),
    (Pow(Sub(A, B), Const(2)), "(1.5 − 2)²"),
    (Pow(NEGATIVE, Const(2)), "(−0.2)²"),
    (Pow(Sqrt(B), Const(2)), "(√2)²"),
    (Pow(Exp(A), Const(2)), "(e^1.5)²"),
    (Pow(Q, Const(2)), "Q[i,d]²"),
    (Pow(B, C), "2^3"),
    (Pow(B, p("−8")), "2^(−8)"),
    (Pow(Pow(B, C), C), "(2^3)^3"),
    (Pow(SMALL, C), "(1.2×10⁻⁵)^3"),
    # forms of numbers
    (SMALL, "1.2×10⁻⁵"),
    (Mul(SMALL, B), "(1.2×10⁻⁵) × 2"),
    (Mul(B, SMALL_NEGATIVE), "2 × (−1.2×10⁻⁵)"),
    (Add(SMALL, SMALL), "1.2×10⁻⁵ + 1.2×10⁻⁵"),
    (Add(A, SMALL_NEGATIVE), "1.5 + (−1.2×10⁻⁵)"),
    (SHARE, "23/25"),
    (Add(SHARE, SHARE), "(23/25) + (23/25)"),
    (Mul(A, SHARE), "1.5 × (23/25)"),
    (Div(p("−1/3"), B), "(−1/3) ÷ 2"),
    (p("40.3 %"), "40.3 %"),
    (p("-3"), "−3"),
    (Const(-3), "−3"),
    (Const(Fraction(1, 2)), "0.5"),
    (Const(Fraction(-2, 3)), "−2/3"),
    (Infinity(1), "∞"),
    (Pi(), "π"),
    (Sqrt(Div(Const(2), Pi())), "√(2 ÷ π)"),
    (Add(A, MINUS_INFINITY), "1.5 + (−∞)"),
    # functions
    (Log(p("4.76")), "ln(4.76)"),
    (Tanh(Div(A, B)), "tanh(1.5 ÷ 2)"),
    (Erf(NEGATIVE), "erf(−0.2)"),
    (Sin(A), "sin(1.5)"),
    (Cos(A), "cos(1.5)"),
    (Sigmoid(A), "σ(1.5)"),
    (Larger(A, NEGATIVE, Add(B, C)), "max(1.5, −0.2, 2 + 3)"),
    (Larger(A), "1.5"),
    (Round("float16", Mul(A, B)), "float16(1.5 × 2)"),
    (Mul(A, Tanh(B)), "1.5 × tanh(2)"),
    # general formulas
    (Sum("d", Mul(Q, K)), "Σ_d Q[i,d] × K[j,d]"),
    (Add(Sum("d", Mul(Q, K)), Symbol("b", ("j",))), "(Σ_d Q[i,d] × K[j,d]) + b[j]"),
    (Div(Exp(S), Sum("j", Exp(S))), "e^(S[i,j]) ÷ (Σ_j e^(S[i,j]))"),
    (Sum("d", Sub(Q, K)), "Σ_d (Q[i,d] − K[j,d])"),
    (Max("j", S), "max_j S[i,j]"),
    (Cell(Address(Name("score", 3), (2, 0))), "L3.score[2,0]"),
]


@pytest.mark.parametrize(("expression", "line"), LINES, ids=[line for _, line in LINES])
def test_expression(expression: Expr, line: str) -> None:
    assert draw_expression(expression) == line


def test_chain() -> None:
    chain = (("=", Add(A, B)), ("≈", p("3.5")))
    assert draw_chain(S, chain) == "S[i,j] = 1.5 + 2 ≈ 3.5"
    assert draw_chain(None, chain) == "1.5 + 2 ≈ 3.5"


def test_an_index_left_in_a_line_is_a_defect() -> None:
    with pytest.raises(TypeError, match="Number"):
        draw_expression(Number("query"))

"""MathML: exact strings, brackets and pieces."""

import pytest

from workings.render.mathml import draw_chain, draw_name
from workings.steps.language import Add, Div, Exp, Expr, Larger, Log, Mul, Pow, Printed, Sqrt, Sum, Symbol


def p(text: str) -> Printed:
    return Printed(text, None)


EXPRESSIONS: list[tuple[Expr, str]] = [
    (Div(p("0.92"), Sqrt(p("2"))), "<mfrac><mn>0.92</mn><msqrt><mn>2</mn></msqrt></mfrac>"),
    (Mul(p("2"), Div(p("1"), p("3"))), "<mn>2</mn><mo>×</mo><mfrac><mn>1</mn><mn>3</mn></mfrac>"),
    (Exp(p("−0.3")), "<msup><mi>e</mi><mn>−0.3</mn></msup>"),
    (
        Mul(p("2"), p("−1")),
        '<mn>2</mn><mo>×</mo><mrow><mo stretchy="false">(</mo><mn>−1</mn><mo stretchy="false">)</mo></mrow>',
    ),
    (Sum("d", Symbol("Q")), "<mrow><munder><mo>Σ</mo><mi>d</mi></munder><mi>Q</mi></mrow>"),
    (Symbol("W_Q"), "<msub><mi>W</mi><mi>Q</mi></msub>"),
    (Symbol("σ²₁"), "<msubsup><mi>σ</mi><mn>1</mn><mn>2</mn></msubsup>"),
    (
        p("−1.2×10⁻⁵"),
        "<mrow><mn>−1.2</mn><mo>×</mo><msup><mn>10</mn><mn>−5</mn></msup></mrow>",
    ),
    (
        Larger(p("0"), p("2")),
        "<mrow><mi>max</mi><mo>&#x2061;</mo>"
        '<mrow><mo stretchy="false">(</mo><mn>0</mn><mo>,</mo><mn>2</mn><mo stretchy="false">)</mo></mrow></mrow>',
    ),
    (Symbol("<b>"), "<mrow><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo></mrow>"),
]


@pytest.mark.parametrize(("expression", "drawn"), EXPRESSIONS, ids=[drawn for _, drawn in EXPRESSIONS])
def test_expression(expression: Expr, drawn: str) -> None:
    assert draw_chain(None, [("=", expression)]) == f'<math displaystyle="true">{drawn}</math>'


def test_brackets_grow_with_a_fraction_and_only_then() -> None:
    tall = draw_chain(None, [("=", Pow(Div(p("1"), p("3")), p("2")))])
    assert "<mo>(</mo>" in tall
    assert "<mo>(</mo>" not in draw_chain(None, [("=", Log(p("2")))])


def test_a_line_may_break_at_its_relations_and_within_long_sums() -> None:
    assert draw_chain(Symbol("S"), [("=", Add(p("1"), p("2"))), ("=", p("3"))]).count("<math") == 3
    terms = [Mul(p("0.1234"), p("5.6789")) for _ in range(6)]
    drawn = draw_chain(None, [("=", Add(*terms)), ("≈", p("4"))])
    assert drawn.count("<math") > 3
    assert '<math displaystyle="true"><mo form="infix">+</mo>' in drawn


def test_brackets_too_wide_for_a_line_are_opened() -> None:
    wide = Add(*(p("0.123456789") for _ in range(9)))
    drawn = draw_chain(None, [("=", Mul(wide, p("2")))])
    assert drawn.count('form="prefix"') == drawn.count('form="postfix"') == 1


def test_a_name_alone() -> None:
    assert draw_name("S′") == "<math><mrow><mi>S</mi><mo>′</mo></mrow></math>"

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workings as w
from workings.api.number import significant
from workings.terms.errors import BadCount
from workings.terms.numbers import Infinite, Rational, nearest_float


def _value(score: object) -> Rational | Infinite:
    return Infinite(-1) if score == "-inf" else Rational(Fraction(str(score)))


def test_a_number_prints_its_sure_digits() -> None:
    number = w.explain("kitten")["weight"][2, 0]
    assert str(number) == f"{number}" == "0.402653153134"
    assert repr(number) == "weight[2,0] = 0.402653153134"
    assert number.digits(20) == "0.40265315313379300117"
    assert number.digits(1) == "0.4"
    assert float(number) == 0.402653153133793
    assert f"{number:.3f}" == "0.403"
    assert number.exact is None
    assert not number.is_unsure
    with pytest.raises(BadCount, match="digits"):
        number.digits(0)


def test_a_rational_number_ends() -> None:
    number = w.explain("kitten")["score"][2, 0]
    assert (str(number), number.exact) == ("0.92", Fraction(23, 25))


def test_where_a_number_comes_from_and_goes() -> None:
    trace = w.explain("kitten")
    number = trace["weight"][2, 0]
    assert number.address == "weight[2,0]"
    assert [str(source) for source in number.inputs] == ["1.91657212472", "4.75985872656"]
    assert [source.address for source in number.inputs] == ["exp[2,0]", "exp_sum[2]"]
    assert number.used_by == ["head_output[2,0]", "head_output[2,1]"]
    assert trace["Q"][2, 0].inputs == []


def test_arithmetic_is_a_line_in_either_language() -> None:
    score = w.explain("kitten")["score"][2, 0]
    assert score.arithmetic() == score.arithmetic("zh") == "0.9 × 1.0 + 0.1 × 0.2 = 0.9 + 0.02 = 0.92"
    assert score.formula == "S[i,j] = Σ_d Q[i,d] × K[j,d]"
    given = w.explain("kitten")["Q"][2, 0]
    assert (given.arithmetic(), given.formula) == ("", "")
    assert w.explain("kitten", precision=8)["scaled"][2, 0].arithmetic() == "0.92 ÷ √2 ≈ 0.65053824"
    assert score.explain(lang="zh", precision="exact").to_text() != score.to_text()


def test_a_number_in_a_notebook() -> None:
    bundle = w.explain("kitten")["weight"][2, 0]._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/markdown", "text/latex", "text/html"}
    assert "<h1" in bundle["text/html"]
    assert "<html" not in bundle["text/html"]
    assert "\\documentclass" not in bundle["text/latex"]
    assert "0.402653153134" in bundle["text/plain"]
    assert "`weight[2,0]`" in bundle["text/markdown"]


@given(st.fractions())
def test_a_float_is_the_nearest_one(exact: Fraction) -> None:
    assert nearest_float(Rational(exact)) == exact.numerator / exact.denominator


def test_floats_at_the_edges() -> None:
    assert nearest_float(Infinite(-1)) == -math.inf
    assert nearest_float(Infinite(1)) == math.inf
    assert nearest_float(Rational(Fraction(10**400))) == math.inf
    assert nearest_float(Rational(Fraction(-(10**400)))) == -math.inf
    assert nearest_float(Rational(Fraction(1, 10**400))) == 0.0


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 40))
def test_significant_digits_are_correctly_rounded(number: float, count: int) -> None:
    exact = Fraction(number)
    text = significant(Rational(exact), count)
    if exact == 0:
        assert text == "0"
        return
    digits = text.lstrip("-").partition("e")[0].replace(".", "").lstrip("0")
    unit = Fraction(10) ** (len(str(int(abs(exact)))) + 400)
    assert abs(Fraction(text) - exact) * 2 <= abs(Fraction(text)) * Fraction(10) ** (1 - count) <= unit
    assert len(digits) == count or digits.rstrip("0") == "" or abs(exact) >= 10**count


@pytest.mark.parametrize(
    ("exact", "count", "text"),
    [
        ("9.996", 3, "10.0"),
        ("0.09996", 3, "0.100"),
        ("12345", 2, "12000"),
        ("-0.5", 3, "-0.500"),
        ("1e-30", 3, "1.00e-30"),
        ("9.999e-30", 2, "1.0e-29"),
        ("-inf", 5, "-inf"),
        ("0", 5, "0"),
        ("0.25", 1, "0.3"),
        ("-0.25", 1, "-0.3"),
    ],
)
def test_significant_digits(exact: str, count: int, text: str) -> None:
    assert significant(_value(exact), count) == text

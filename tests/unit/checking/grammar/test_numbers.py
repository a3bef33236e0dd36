"""Every form in which a number is printed: its text, value and half unit."""

from fractions import Fraction

import pytest

from tests.support.statements import numbers, said
from workings.checking.grammar import statements
from workings.checking.notation import Num, Statement
from workings.checking.reading import paper_from_text


def only(text: str) -> Num:
    found = statements(paper_from_text(f"x = {text}" if "$" not in text else text, "text"))
    assert len(found) == 1
    assert isinstance(found[0], Statement)
    (number,) = numbers(found[0])
    return number


FORMS = [
    ("0.40", "0.40", "0.40", "0.005"),
    ("3", "3", "3", "0"),
    (".5", ".5", "0.5", "0.05"),
    ("-0.3", "-0.3", "-0.3", "0.05"),
    ("\u22120.3", "\u22120.3", "-0.3", "0.05"),
    ("１．５", "１．５", "1.5", "0.05"),
    ("40.3%", "40.3%", "0.403", "0.0005"),
    ("40.3 %", "40.3 %", "0.403", "0.0005"),
    ("40%", "40%", "0.40", "0.005"),
    ("40.3％", "40.3％", "0.403", "0.0005"),
    (r"$x = 28.4\%$", r"28.4\%", "0.284", "0.0005"),
    ("1/6", "1/6", "1/6", "0"),
    (r"$x = \frac13$", r"\frac13", "1/3", "0"),
    (r"$x = \frac{2}{3}$", r"\frac{2}{3}", "2/3", "0"),
    ("½", "½", "1/2", "0"),
    ("6.3379e-02", "6.3379e-02", "0.063379", "0.0000005"),
    ("3.0×10⁻⁵", "3.0×10⁻⁵", "0.000030", "0.0000005"),
    (r"$x = 3.0 \times 10^{-5}$", r"3.0 \times 10^{-5}", "0.000030", "0.0000005"),
    ("2×10^-3", "2×10^-3", "0.002", "0.0005"),
    ("2·10^4", "2·10^4", "20000", "0"),
    (r"$x = 10{,}000$", "10{,}000", "10000", "0"),
    (r"$x = 0{,}667$", "0{,}667", "0.667", "0.0005"),
    (r"$x = 3{,}53$", "3{,}53", "3.53", "0.005"),
    ("10,000", "10,000", "10000", "0"),
    ("1,234.5", "1,234.5", "1234.5", "0.05"),
    ("1,234,567", "1,234,567", "1234567", "0"),
    ("0.1f", "0.1", "0.1", "0.05"),
]


@pytest.mark.parametrize(("text", "printed", "value", "half"), FORMS)
def test_form(text: str, printed: str, value: str, half: str) -> None:
    number = only(text)
    assert (number.text, number.value, number.half) == (printed, Fraction(value), Fraction(half))


def test_bare_point_in_a_print_is_a_whole_number() -> None:
    (number,) = [
        n for item in statements(paper_from_text("[2.]", "text")) if isinstance(item, Statement) for n in numbers(item)
    ]
    assert (number.text, number.value, number.half) == ("2.", Fraction(2), Fraction(0))


@pytest.mark.parametrize("text", ["0.135335...", "0.135335…", r"$x = 0.135335\ldots$"])
def test_ellipsis(text: str) -> None:
    number = only(text)
    assert (number.text, number.ellipsis) == ("0.135335", True)


@pytest.mark.parametrize(("text", "sign"), [("-∞", -1), ("∞", 1), (r"$x=-\infty$", -1), ("-inf", -1)])
def test_infinity(text: str, sign: int) -> None:
    assert only(text).infinite == sign


CHAINS = [
    ("e^0.650 ≈ 1.916", ["exp(0.650) ≈ 1.916"]),
    ("e^{0.5} ~ 1.6 ≃ 1.65", ["exp(0.5) ≈ 1.6 ≈ 1.65"]),
    ("e² ≈ 7.389", ["exp(²) ≈ 7.389"]),
    ("exp(1.5) = 4.48", ["exp(1.5) = 4.48"]),
    ("sin(45°) = 0.7071", ["sin(deg(45)) = 0.7071"]),
    ("1(0)+0(1) = 0", ["{{1 * 0} + {0 * 1}} = 0"]),
    ("0.9×1.0 + 0.1*0.2 = 0.92", ["{{0.9 * 1.0} + {0.1 * 0.2}} = 0.92"]),
    ("√2 ≈ 1.414", ["sqrt(2) ≈ 1.414"]),
    ("2^3 = 2**3 = 8", ["{2 ^ 3} = {2 ^ 3} = 8"]),
    ("-2^2 = 4", ["-{2 ^ 2} = 4"]),
    ("8 / 2 / 4 = 1.0", ["{8 / 2 / 4} = 1.0"]),
    ("8.0 / 2 / 4 = 1.0", ["{{8.0 / 2} / 4} = 1.0"]),
    ("p = 0.185... ≈ 1.203438…", ["p = 0.185… ≈ 1.203438…"]),
    ("1 - 0.5 - 0.25 = 0.25", ["{{1 - 0.5} - 0.25} = 0.25"]),
]


@pytest.mark.parametrize(("source", "expected"), CHAINS)
def test_chain(source: str, expected: list[str]) -> None:
    assert said(source) == expected


@pytest.mark.parametrize(
    ("text", "chains"),
    [
        ("1×2+2×1 = 5，1×0+2×3 = 6", ["= 5", "= 6"]),
        ("112 / 8 = 13，96 / 8 = 12", ["= 13", "= 12"]),
        ("112 / 8 = 14，100 / 8 = 13", ["= 14", "= 13"]),
        ("2 / 2 = 1，\\frac{6}{2} = 3", ["= 1", "= 3"]),
        ("２×５００ = １，０００", ["= １，０００"]),
        ("2 × 500 = 1，000", ["= 1，000"]),
        ("2 × 500 = 1,000", ["= 1,000"]),
    ],
)
def test_a_full_width_comma_parts_numbers_but_for_groups_of_three(text: str, chains: list[str]) -> None:
    found = [item for item in statements(paper_from_text(text, "text")) if isinstance(item, Statement)]
    results = [item.links[-1] for item in found]
    assert [f"{link.relation} {link.node.text}" for link in results if isinstance(link.node, Num)] == chains

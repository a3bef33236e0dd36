"""Labels, headings, marks, numbers in sentences, and what is left alone or said to be unread."""

import pytest

from tests.support.statements import said
from workings.checking.grammar import REASONS, statements
from workings.checking.notation import Statement, Unread
from workings.checking.reading import paper_from_text


def found(text: str, kind: str = "markdown") -> list[Statement]:
    return [item for item in statements(paper_from_text(text, kind)) if isinstance(item, Statement)]


def test_several_spans_of_a_sentence() -> None:
    text = "输入 $[1.76,0]$。 $e^{1.76}\\approx 5.8$, $e^0=1$。总和 $6.8$。权重 $\\approx [0.85,0.15]$"
    assert said(text) == ["输入: (1.76 0)", "exp(1.76) ≈ 5.8", "exp(0) = 1", "总和: 6.8", "权重: ≈ (0.85 0.15)"]


def test_label_before_a_chain() -> None:
    assert said("- cat vs dog: $2×1+0×0=2$") == ["cat vs dog: {{2 * 1} + {0 * 0}} = 2"]
    assert said("the new vector of “cat” = $[8.8, 2.45]$") == ["the new vector of “cat”: = (8.8 2.45)"]
    assert said("它·猫 = 0.92 最高") == ["它·猫: = 0.92"]


def test_words_with_a_product_sign_between_them_begin_a_chain() -> None:
    assert said("- runs · fox = 2·1 + 1·1 = 4") == ["{runs * fox} = {{2 * 1} + {1 * 1}} = 4"]
    assert said("so Time × Machine = 0.4") == ["so: {Time * Machine} = 0.4"]
    assert said("a · bullet and words · more words, 0.4 = 2/5") == ["a · bullet and words · more words: 0.4 = 2/5"]


def test_inline_mathematics_goes_on_in_text() -> None:
    assert said("×V: 40% × $[10, 0]$ → so it goes") == ["×V: {40% * (10 0)}"]


def test_numbers_in_sentences() -> None:
    assert said("The cat looks 50% at the dog, 28.4\\% at itself.") == [
        "The cat looks 50% at the dog, 28.4\\% at itself: 50%",
        "The cat looks 50% at the dog, 28.4\\% at itself: 28.4\\%",
    ]
    assert said("变成约 40% 权重") == ["变成约: ≈ 40%"]


def test_counts_shapes_years_and_addresses_are_no_claims() -> None:
    assert said("1. first\n2. second\n\n第 3 行, 4 x 3, 2 维, row 2, in 2017, see https://a.b/1.5 and v1.2.3") == []


def test_unread_with_a_reason() -> None:
    assert said("$0.5 < 0.7$") == ["!no-equality 0.5 < 0.7"]
    assert said("it became the 10, they say") == ["!bare-integer 10"]
    assert said("$[1, 2; 3]$")[0].startswith("!ragged")
    assert said("$" + "(" * 60 + "1.5" + ")" * 60 + "$")[0].startswith("!too-deep")
    assert said("1.5 " * 60_000)[0].startswith("!too-long")
    for text in ("$0.5 < 0.7$", "the 10, they"):
        for item in statements(paper_from_text(text, "text")):
            assert isinstance(item, Unread)
            assert item.why in REASONS


def test_headings() -> None:
    (first, second) = found("# Steps\n\n## Scores\n\n1. Scaling:\n\n$a=1.5$\n\n## Weights\n\n$b=2.5$")
    assert (first.heading, first.above) == ("Scaling", ("Scores",))
    assert (second.heading, second.above) == ("Weights", ())
    (item,) = found("第三阶段：算分\n\n得分矩阵 (S)：\n\n$S=[1, 2]$", "text")
    assert (item.label, item.heading, item.above) == ("得分矩阵 (S)", "得分矩阵 (S)", ("第三阶段：算分",))


def test_display_takes_the_line_before_as_its_label() -> None:
    (item,) = found("对「它」：\n\\[ e^{0.65} \\approx 1.916 \\]", "text")
    assert (item.label, item.kind) == ("对「它」", "maths")


def test_marks() -> None:
    text = (
        "<!-- workings: bind S = score -->\nS = [1, 2]\n\n<!-- workings: not-a-claim -->\nA = [0.4, 0.6]\n\nB = 1.5\n\n"
        "<!-- workings: ignore -->\nC = 1.5\n\nD = 2.5\n<!-- workings: end -->\nE = 3.5"
    )
    items = found(text)
    assert [(item.claimed, item.bind) for item in items] == [
        *((True, "score"), (False, ""), (True, "")),
        *((False, ""), (False, ""), (True, "")),
    ]


def test_marks_in_latex_and_text() -> None:
    (item,) = found("The row $a = 0.4$. % workings: not-a-claim\n", "latex")
    assert not item.claimed
    (first, second) = found("# workings: not-a-claim\na = 0.4\n\nb = 0.5", "text")
    assert (first.claimed, second.claimed) == (False, True)


@pytest.mark.parametrize(
    ("text", "chains"),
    [
        (r"$A=\mathrm{softmax}(\cdot) = [0.4, 0.6]$", ["A = softmax(·) = (0.4 0.6)"]),
        (r"$A=\operatorname{softmax}\left(\ldots\right) = [0.4, 0.6]$", ["A = softmax(…) = (0.4 0.6)"]),
        (r"$S = \underbrace{QK^T}_{\text{scores}} = 3$", ["S = {Q * transpose(K)} = 3"]),
        (r"$\underbrace{[0.4, 0.6]}_{A}$", ["A = (0.4 0.6)"]),
        (r"$S = \underbrace{[0.4, 0.6]}_{S}$", ["S = (0.4 0.6)"]),
        (
            r"$\underbrace{[0.4, 0.6]}_{A} \underbrace{[[1], [2]]}_{V} = 1.6$",
            ["A = (0.4 0.6)", "V = [1; 2]", "{(0.4 0.6) * [1; 2]} = 1.6"],
        ),
        ("S/sqrt(2) = 2.83", ["{S / sqrt(2)} = 2.83"]),
        ("S/2 = 2.83", ["{S / 2} = 2.83"]),
    ],
)
def test_forms_of_formulas(text: str, chains: list[str]) -> None:
    assert said(text) == chains

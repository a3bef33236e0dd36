"""What is said of a filled-in worksheet, in both languages."""

from __future__ import annotations

import pytest

import workings as w
from tests.support.sheets import filled, marked
from workings.api.checking import Report

STEPS = ["scaled", "exp"]
SAID = {
    "en": [
        "Blanks: 18; answered: 4 (2 wrong, 1 following an earlier wrong number and 1 truncated).",
        "cut off, not rounded",
        "right arithmetic on an earlier wrong answer",
        "0.5 in line ",
        "Each of these slips gives exactly the wrong numbers",
        "Still empty (14): (3)",
    ],
    "zh": [
        "共 18 个空，已填 4 个：错误 2 个、跟着前面的错数走 1 个和截断 1 个。",
        "截断了，没有舍入",
        "算法对，但用了前面的错答案",
        "列的 0.5 是错的，应为 0.7。",
        "下面每个失误都恰好得出这些错数",
        "还空着 14 个：(3)",
    ],
}


def judged(lang: str) -> Report:
    """The first two numbers divided by d_k, e to the first of them, and one number cut off."""
    sheet = w.worksheet("kitten", blanks=18, steps=STEPS, lang=lang)
    answers = {"scaled[0,0]": "0.5", "scaled[0,1]": "0.05", "exp[0,0]": "1.6487", "exp[2,1]": "1.143"}
    return marked(filled(sheet, answers), lang=lang)


@pytest.mark.parametrize("lang", SAID)
def test_what_is_said(lang: str) -> None:
    text = judged(lang).to_text()
    assert [sentence for sentence in SAID[lang] if sentence not in text] == []


@pytest.mark.parametrize("lang", SAID)
def test_an_empty_sheet_is_no_mistake(lang: str) -> None:
    sheet = w.worksheet("kitten", blanks=3, lang=lang)
    report = marked(filled(sheet, {}), lang=lang)
    said = {"en": "none of them is answered yet", "zh": "一个都还没填"}
    assert said[lang] in report.to_text()
    assert (
        marked(filled(sheet, sheet.answers), lang=lang)
        .to_text()
        .count({"en": "Everything is right.", "zh": "全部正确。"}[lang])
        == 1
    )


def test_an_answer_is_marked_where_it_stands() -> None:
    first, *_ = w.worksheet("kitten").answers
    sheet = w.worksheet("kitten", lang="en")
    report = marked(filled(sheet, {first: "17.5"}))
    (claim,) = report.claims
    assert report._judged.paper.sources[0][slice(*claim.number.span[:2])] == "17.5"


@pytest.mark.parametrize(
    ("lang", "said", "marked_as"),
    [
        ("en", "with fewer digits than asked for (2): (1) and (3)", "right, with too few digits"),
        ("zh", "位数不够的有 2 个：(1) 和 (3)", "数值对，位数不够"),
    ],
)
def test_too_few_digits_are_remarked(lang: str, said: str, marked_as: str) -> None:
    """A right number with fewer digits than asked for; a number that ends, or a fraction, never has too few."""
    sheet = w.worksheet("kitten", blanks=4, seed=1, lang=lang)
    answers = dict(zip(sheet.answers, ["0.7", "4.4163", "24 %", "ln(4.86204)"], strict=True))
    report = marked(filled(sheet, answers), lang=lang)
    assert said in report.to_text()
    assert report.to_text().count(marked_as) == 2
    assert report.counts["wrong"] == 0
    assert report.data()["too_few_digits"] == [1, 3]
    whole = marked(filled(sheet, sheet.answers), lang=lang).to_text()
    assert marked_as not in whole


@pytest.mark.parametrize("lang", SAID)
def test_an_answer_that_cannot_be_read_is_no_empty_blank(lang: str) -> None:
    sheet = w.worksheet("kitten", blanks=2, seed=1, lang=lang)
    first, second = sheet.answers
    none, unread = {
        "en": ("none of them is answered yet", "Answered, but not understood (1): (1)."),
        "zh": ("一个都还没填", "填了但没读懂的有 1 个：(1)。"),
    }[lang]
    alone = marked(filled(sheet, {first: "many"}), lang=lang).to_text()
    assert none not in alone
    assert unread in alone
    assert unread in marked(filled(sheet, {first: "many", second: sheet.answers[second]}), lang=lang).to_text()

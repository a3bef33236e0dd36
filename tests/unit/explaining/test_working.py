"""Any number of a judged document can be asked for its working: what it stands for, and the arithmetic behind it."""

from __future__ import annotations

import pytest

import workings as w
from workings.api.checking import check_text
from workings.explaining.verdicts import place_name
from workings.render.text import draw
from workings.render.words import Words

TEXT = """\
Q = [[1, 0], [0, 1]]
K = [[1, 2], [3, 4]]
QK^T = [[1, 3], [2, 5]]
1/3 = 0.33
e^{0.5} = 1.65 and roughly 7 of them
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_number_of_a_page_of_ours(lang: str) -> None:
    report = check_text(w.explain("kitten").to_markdown(), "kitten.md", lang=lang)
    assert len(report.claims) > 40
    for claim in report.claims:
        found = report.working(place_name(claim.place))
        assert found is not None
        text = draw(found, Words(lang))
        assert claim.number.text in text
        assert claim.address is None or str(claim.address) in text


def test_a_wrong_number_with_its_arithmetic() -> None:
    report = check_text(TEXT, "notes.txt", lang="en")
    wrong = report.first_wrong
    assert wrong is not None
    found = report.working(place_name(wrong.place))
    assert found is not None
    text = draw(found, Words("en"))
    assert "5 in line 3, column 21: ✗ wrong." in text
    assert "It stands for score[1,1]" in text
    assert "Worked without rounding, it is 4." in text
    assert "0 × 3 + 1 × 4 = 0 + 4 = 4" in text


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("score[1,1] (row 2 and column 2)", "row 2, column 2: 0 × 3 + 1 × 4", "K[1,0]   row 2 and d_k=0")),
        ("zh", ("score[1,1]（第 2 行和第 2 列）", "第 2 行，第 2 列：0 × 3 + 1 × 4", "K[1,0]  第 2 行和 d_k=0")),
    ],
)
def test_words_that_the_document_does_not_name_are_rows_and_columns(lang: str, said: tuple[str, ...]) -> None:
    found = check_text(TEXT, "notes.txt", lang=lang).working("p3-21")
    assert found is not None
    text = draw(found, Words(lang))
    assert [part for part in said if part not in text] == []
    assert "·" not in text


def test_queries_and_keys_are_counted_apart() -> None:
    text = "Q = [[1, 0]]\nK = [[1, 2], [3, 4], [5, 6]]\nQK^T = [[1, 3, 4]]\n"
    found = check_text(text, "notes.txt", lang="en").working("p3-16")
    assert found is not None
    assert "row 1, column 3: 1 × 5 + 0 × 6" in draw(found, Words("en"))


def test_an_equality_and_what_is_no_number() -> None:
    report = check_text(TEXT, "notes.txt", lang="en")
    third = report.working("p4-7")
    assert third is not None
    assert "0.33 in line 4, column 7: ✓ correctly rounded." in draw(third, Words("en"))
    assert report.working("p99-1") is None
    assert report.working("") is None
    places = [report._judged.paper.place(item.span.cell, item.span.start) for item in report._judged.unread]
    for place in places:
        assert report.working(place_name(place)) is not None

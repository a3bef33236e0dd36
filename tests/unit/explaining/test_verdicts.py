"""The report on a checked document: what is said first, what is folded, and what is only counted."""

from pathlib import Path

import pytest

import workings as w
from tests.documents.agreement import document, numbers
from workings.checking.grammar import REASONS
from workings.render.words import LANGUAGES, Words

GIVEN = """# Attention
Q = [[1, 0], [0, 1]]
K = [[1, 2], [3, 1]]
V = [[10, 0], [0, 10]]
"""


def report(tmp_path: Path, text: str, lang: str = "en") -> str:
    path = tmp_path / "notes.md"
    path.write_text(GIVEN + text, encoding="utf-8")
    return w.check(path, lang=lang).to_text()


def test_the_first_wrong_number_comes_with_its_value_and_arithmetic(tmp_path: Path) -> None:
    said = report(tmp_path, "S = QK^T = [[1, 4], [2, 1]]\n")
    assert "Printed numbers checked: 4 (1 wrong and 3 exact)." in said
    assert "4 in line 5, column 17, is wrong; 3 is right." in said
    assert "It stands for score[0,1] (row 1 and column 2)." in said
    assert "row 1, column 2: 1 × 3 + 0 × 1 = 3 + 0 = 3" in said
    assert "No known slip gives this number." in said


def test_wrong_numbers_of_one_step_are_one_block_with_one_cause(tmp_path: Path) -> None:
    said = report(tmp_path, "S = QK^T = [[1, 2], [3, 1]]\n")
    assert said.count("Each of these slips gives exactly the wrong numbers: “K was not transposed”, ") == 1
    assert "Wrong in the same step (1):" in said
    assert said.count("is right") == 1


def test_followers_are_folded_line_by_line(tmp_path: Path) -> None:
    text = "S = QK^T = [[1, 4], [2, 1]]\n\n$4/\\sqrt{2} = 2.83$\n\n$S/\\sqrt{2} = [[0.71, 2.83], [1.41, 0.71]]$\n"
    said = report(tmp_path, text)
    assert "Right arithmetic on wrong numbers (2): line 7 (2.83) and line 9 (2.83)." in said


def test_a_document_without_claims_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.md"
    path.write_text("Nothing here but words, in 2017.\n", encoding="utf-8")
    assert "No number was found that could be checked" in w.check(path, lang="en").to_text()
    assert "没有找到可以检查的数" in w.check(path, lang="zh").to_text()


def test_a_declared_divisor_is_said_to_have_moved_the_result(tmp_path: Path) -> None:
    text = "Scaled = S/1.4 = [[0.71, 2.14], [1.43, 0.71]]\n"
    said = report(tmp_path, text)
    assert "The document divides by 1.4; numbers made with the true √2 were accepted as well." in said
    assert "With 1.4, output of row 2 is (6.7135, 3.2865)" in said
    assert "; with √2 it is (6.6976, 3.3024)." in said


def test_two_prints_that_exclude_each_other_are_named(tmp_path: Path) -> None:
    said = report(tmp_path, "S = QK^T = [[1, 3], [2, 1]]\n\nS = [[1, 3], [2, 5]]\n")
    assert "score[1,1] (row 2 and column 2) is 1 in line 5 and 5 in line 7." in said


def test_a_tie_is_said_to_be_one(tmp_path: Path) -> None:
    said = report(tmp_path, "$\\cos(1)^2 + \\sin(1)^2 = 1$\n")
    assert "Equal as far as 4,096 bits tell (1), and taken in the document’s favour: line 5 (1)." in said


def test_whole_numbers_that_nothing_names_are_only_counted(tmp_path: Path) -> None:
    said = report(tmp_path, "S = QK^T = [[1, 3], [2, 1]]\n\n大量掺进了「小猫」的 10，也带一点「吃」\n")
    assert "Whole numbers that nothing names, passed over:" in said
    assert "a whole number that nothing names" not in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_a_sentence(lang: str) -> None:
    words = Words(lang)
    assert [reason for reason in (*REASONS, "no-binding") if f"check.why.{reason}" not in words] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", numbers())
def test_every_published_document_is_told_in_every_language(number: str, lang: str) -> None:
    told = w.check(document(number), lang=lang)
    assert told.to_text()
    assert told.to_markdown().count("```") % 2 == 0

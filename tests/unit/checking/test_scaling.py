"""What a document that does not say whether it divides by √d_k is judged by."""

import pytest

from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.explaining.judged import report_data
from workings.explaining.verdicts import explain_report
from workings.render.targets import draw

GIVEN = "Q = [[1,2],[3,0]], K = [[2,1],[0,3]], V = [[1,1],[2,0]]\n\nS = [[4, 6], [6, 0]]\n\n"
ROOTED = "A = [[0.20, 0.80], [0.99, 0.01]]\n\nO = [[1.80, 0.20], [1.01, 0.99]]\n"
BARE = "A = [[0.12, 0.88], [1.00, 0.00]]\n\nO = [[1.88, 0.12], [1.00, 1.00]]\n"
NEITHER = "A = [[0.40, 0.60], [0.90, 0.10]]\n"


def judged(text: str) -> Report:
    paper = paper_from_text(text, name="a.md")
    return check(paper, statements(paper))


def wrong(text: str) -> list[str]:
    return [str(claim.address) for claim in judged(text).claims if claim.verdict.value in ("wrong", "follows")]


@pytest.mark.parametrize("size", ["", "d_k = 2\n\n"])
@pytest.mark.parametrize("weights", [ROOTED, BARE])
def test_either_reading_is_right_where_nothing_says_which(size: str, weights: str) -> None:
    assert wrong(size + GIVEN + weights) == []


def test_what_the_document_says_stays_what_it_says() -> None:
    assert "weight[0,0]" in wrong("The scores are not scaled.\n\n" + GIVEN + ROOTED)
    assert "weight[0,0]" in wrong("The scores are scaled.\n\n" + GIVEN + BARE)
    assert len(wrong(GIVEN + "A = softmax(S) = " + ROOTED[4:])) == 3


def test_where_neither_is_right_the_usual_one_for_its_words_stays() -> None:
    assert judged(GIVEN + NEITHER).assumed == "1"
    assert judged("d_k = 2\n\n" + GIVEN + NEITHER).assumed == "sqrt(d_k)"
    assert wrong(GIVEN + NEITHER) == [f"weight[{row},{column}]" for row in (0, 1) for column in (0, 1)]


def test_a_slip_beside_weights_that_are_right_is_still_found() -> None:
    assert wrong(GIVEN + ROOTED.replace("1.80", "1.70")) == ["output[0,0]"]
    assert wrong(GIVEN + ROOTED.replace("0.99, 0.01", "0.96, 0.01")) == ["weight[1,0]"]


def test_nothing_is_said_of_scaling_where_no_number_depends_on_it() -> None:
    report = judged(GIVEN.replace("[6, 0]", "[6, 1]"))
    assert [str(claim.address) for claim in report.claims if claim.verdict.value == "wrong"] == ["score[1,1]"]
    assert report.assumed == ""


def test_the_report_says_which_reading_was_taken() -> None:
    report = judged(GIVEN + ROOTED)
    assert report_data(report)["assumed_divisor"] == "sqrt(d_k)"
    page = draw(explain_report(report), "text", "en")
    assert "does not say whether it divides the scores by √2. It is checked as one that does." in page
    assert "这里按除以 √2 核对" in draw(explain_report(report), "text", "zh")
    given = judged("S = [[4, 6], [6, 0]], V = [[1,1],[2,0]]\n\nA = [[0.12, 0.98], [1.00, 0.00]]\n")
    assert "It is checked as one that does not." in draw(explain_report(given), "text", "en")
    assert report_data(judged(GIVEN + BARE))["assumed_divisor"] is None

"""Arithmetic written beside a result that is bound to a cell: the operands and the equality are judged as well."""

from pathlib import Path

import pytest

import workings as w
from workings.api.checking import Report
from workings.explaining.printed import right_digits

HEAD = "Q = [[0.9, 0.1]], K = [[1.0, 0.2], [0.1, 1.0]]\n\n"
FIXED = {
    "q_1 · k_1 = 0.2×1.0 + 0.1×0.2 = 0.92": "q_1 · k_1 = 0.9×1.0 + 0.1×0.2 = 0.92",
    "q_1 · k_1 = 0.1×0.2 + 0.2×1.0 = 0.92": "q_1 · k_1 = 0.1×0.2 + 0.9×1.0 = 0.92",
    "q_1 · k_1 = 1.0×0.2 + 0.2×0.1 = 0.92": "q_1 · k_1 = 1.0×0.9 + 0.2×0.1 = 0.92",
    "q_1 · k_1 = 0.2×1.0 + 0.1×0.2 = 0.22": "q_1 · k_1 = 0.9×1.0 + 0.1×0.2 = 0.92",
    "$$\\begin{aligned}\nq_1\\cdot k_1 &= 0.2\\times 1.0 + 0.1\\times 0.2 = 0.92 \\\\\n\\end{aligned}$$": (
        "$$\\begin{aligned}\nq_1\\cdot k_1 &= 0.9\\times 1.0 + 0.1\\times 0.2 = 0.92 \\\\\n\\end{aligned}$$"
    ),
}


def checked(folder: Path, text: str) -> Report:
    path = folder / "a.md"
    path.write_text(HEAD + text + "\n", encoding="utf-8")
    return w.check(path)


def wrong(report: Report) -> list[str]:
    return [f"{claim.number.text} {claim.address}" for claim in report.claims if claim.verdict.value == "wrong"]


@pytest.mark.parametrize("text", FIXED)
def test_a_number_put_in_for_a_cell_that_it_is_not_is_wrong_and_is_put_right(text: str, tmp_path: Path) -> None:
    first = checked(tmp_path, text)
    assert first.first_wrong is not None
    assert str(first.first_wrong.address) in ("Q[0,0]", "K[0,1]")
    patch = first.fix().splitlines()
    assert [line[1:] for line in patch if line.startswith("+") and line[1:2] != "+"] == [
        line for line in FIXED[text].splitlines() if line not in text.splitlines()
    ]
    again = checked(tmp_path, FIXED[text])
    assert not wrong(again)
    assert any(claim.verdict.value == "exact" for claim in again.claims)


GIVEN = "Q = [[1,2],[3,0]], K = [[2,1],[0,3]], V = [[1,1],[2,0]]\n\nQ Kᵀ / √2 = [[2.83, 4.24], [4.24, 0]]\n\n"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("S_12/√2 = 8/1.41 = 4.24", "8 score[0,1]"),
        ("O_2 = A_2 V = [0.986, 0.014]·[[1, 1], [2, 1]] = [1.014, 0.986]", "1 V[1,1]"),
    ],
)
def test_a_number_put_in_is_judged_in_quotients_and_matrices(text: str, cell: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(GIVEN + text + "\n", encoding="utf-8")
    assert wrong(w.check(path)) == [cell]


RIGHT = """
q_1·k_1 = 1·2 + 2·1 = 2 + 2 = 4

q_1·k_2 = (1)(0) + (2)(3) = 6

q_2·k_1 = 3×2 = 6

S_11/√2 = 4/1.41 = 2.83, S_12/√2 = 6/1.4 ≈ 4.24

A_11 = e^2.83/(e^2.83 + e^4.24) = 16.9/(16.9 + 69.4) = 0.196

A_12 = 1/(1 + e^{-1.41}) = 0.804

O_1 = 0.196·[1, 1] + 0.804·[2, 0] = [0.196 + 1.608, 0.196] = [1.804, 0.196]

O_1 = 0.2·[1, 1] + 0.8·[2, 0] ≈ [1.80, 0.20]

O_1 = 20%·[1, 1] + 80%·[2, 0] = [1.8, 0.2]

O_2 = A_2 V = [0.986, 0.014]·[[1, 1], [2, 0]] = [0.986·1 + 0.014·2, 0.986·1] = [1.014, 0.986]
"""


def test_right_arithmetic_in_every_form_raises_no_alarm(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(GIVEN + RIGHT, encoding="utf-8")
    report = w.check(path)
    assert len(report.claims) > 20
    assert not wrong(report)


@pytest.mark.parametrize(
    ("text", "gives"),
    [("q_1 · k_2 = 0.9×0.1 = 0.19", "0.09"), ("q_1 · k_2 = 0.1 × 0.1 × 3 + 0.2 = 0.19", "0.23")],
)
def test_a_right_result_of_other_arithmetic_is_wrong_as_an_equality(text: str, gives: str, tmp_path: Path) -> None:
    report = checked(tmp_path, text)
    assert wrong(report) == ["0.19 None"]
    claim = report.first_wrong
    assert claim is not None
    assert claim.expression in text
    assert claim.judgement is not None
    assert right_digits(claim) == gives
    assert report.fix() == ""  # which of the numbers is meant cannot be told


def test_operands_rounded_as_they_were_printed_are_right(tmp_path: Path) -> None:
    text = "S = [[0.92, 0.19]]\n\nS/√2 = [[0.65, 0.13]]\n\ne^0.65 = 1.92, e^0.13 = 1.14\n\nA_11 = 1.92/3.06 = 0.626"
    assert not wrong(checked(tmp_path, text))


def test_terms_left_out_make_no_equality(tmp_path: Path) -> None:
    assert not wrong(checked(tmp_path, "q_1 · k_1 = 0.9×1.0 + … = 0.92"))


VECTORS = "Output = 0.403·[10, 0] + 0.240·[0, 10] + 0.357·[1, 1] = [{}, 0] + [0, 2.40] + [0.357, 0.357] = [{}, 2.757]"


@pytest.mark.parametrize(
    ("part", "result", "verdicts"),
    [
        ("4.03", "4.387", {}),
        ("4.06", "4.387", {"4.06": "wrong"}),
        ("4.06", "4.417", {"4.06": "wrong", "4.417": "follows"}),
        ("4.03", "4.378", {"4.378": "wrong"}),
    ],
)
def test_lists_inside_a_chain_are_judged(part: str, result: str, verdicts: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(VECTORS.format(part, result), encoding="utf-8")
    claims = w.check(path).claims
    assert len(claims) == 8
    off = {claim.number.text: claim.verdict.value for claim in claims if claim.verdict.value in ("wrong", "follows")}
    assert off == verdicts


def test_a_matrix_put_in_for_a_name_is_judged_where_it_is_turned(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    head = "Q = [[1, 2], [3, 0]], K = [[2, 1], [0, 3]]\n\n"
    path.write_text(head + "S = Q·Kᵀ = [[1, 2], [3, 0]]·[[2, 0], [2, 3]] = [[4, 6], [6, 0]]\n", encoding="utf-8")
    assert wrong(w.check(path)) == ["2 K[0,1]"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("- runs · fox = 2·1 + 1·1 = 4", "4"),
        ("Time × Machine = 0.2×1 + 0.1×1 = 0.4", "0.4"),
        ("- red · fox = 2·1 + 1·1 = 4", "4"),
        ("runs · fox = 4/2 = 3", "3"),
    ],
)
def test_arithmetic_behind_words_that_are_multiplied_is_judged(text: str, number: str, tmp_path: Path) -> None:
    assert wrong(checked(tmp_path, text)) == [f"{number} None"]

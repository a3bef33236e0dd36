"""Causes of wrong numbers in documents: each slip worked by hand here, and none on the right numbers."""

import math
from collections.abc import Callable

import pytest

from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text

Matrix = list[list[float]]
Q: Matrix = [[1, 2, 0], [0, 1, 1], [2, 0, 1]]
K: Matrix = [[1, 0, 1], [0.5, 1, 0], [0, 2, 1]]
V: Matrix = [[1, 0], [0, 1], [2, 2]]
ROOT = math.sqrt(3)


def product(left: Matrix, right: Matrix) -> Matrix:
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in turned(right)] for row in left]


def turned(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def times(matrix: Matrix, factor: float) -> Matrix:
    return [[cell * factor for cell in row] for row in matrix]


def shares(matrix: Matrix, power: Callable[[float], float] = math.exp) -> Matrix:
    return [[power(cell) / sum(map(power, row)) for cell in row] for row in matrix]


def causal(matrix: Matrix, shift: int = 0) -> Matrix:
    return [[cell if j <= i + shift else -math.inf for j, cell in enumerate(row)] for i, row in enumerate(matrix)]


SCORES = product(Q, turned(K))
SCALED = times(SCORES, 1 / ROOT)
WEIGHTS = shares(SCALED)
RIGHT = {"S = QK^T": SCORES, "Scaled scores": SCALED, "Attention weights": WEIGHTS, "Output": product(WEIGHTS, V)}
HALF = [[WEIGHTS[i][j] if j <= i else 0 for j in range(3)] for i in range(3)]
SLIPS = [
    ("scale:missing", "Scaled scores", SCORES, False),
    ("scale:d_k", "Scaled scores", times(SCORES, 1 / 3), False),
    ("scale:twice", "Scaled scores", times(SCORES, 1 / 3), False),
    ("scale:multiplied", "Scaled scores", times(SCORES, ROOT), False),
    ("declared-constant", "Scaled scores", times(SCORES, 1 / 1.7), False),
    ("k-untransposed", "S = QK^T", product(Q, K), False),
    ("score-transposed", "S = QK^T", turned(SCORES), False),
    ("softmax-axis", "Attention weights", turned(shares(turned(SCALED))), False),
    ("softmax-base-2", "Attention weights", shares(SCALED, lambda cell: 2**cell), False),
    ("exp-missing", "Attention weights", shares(SCALED, lambda cell: cell), False),
    ("weights-semantics:logits", "Attention weights", SCALED, False),
    ("rows-swapped", "Attention weights", [WEIGHTS[1], WEIGHTS[0], WEIGHTS[2]], False),
    ("row-copied", "Attention weights", [WEIGHTS[0], WEIGHTS[1], WEIGHTS[1]], False),
    ("output-attentions", "Attention weights", WEIGHTS, True),
    ("causal-alignment:shifted", "Attention weights", shares(causal(SCALED, 1)), True),
    ("mask-after-softmax", "Attention weights", HALF, True),
]


def document(name: str, rows: Matrix, masked: bool) -> Report:
    def printed(matrix: Matrix) -> str:
        return "[" + ", ".join("[" + ", ".join(f"{cell:.4f}" for cell in row) + "]" for row in matrix) + "]"

    given = [f"{letter} = {printed(matrix)}" for letter, matrix in zip("QKV", (Q, K, V), strict=True)]
    said = "Scaled by $\\sqrt{d_k}$." + " The mask is causal." * masked
    text = "\n\n".join([*given, said, f"{name} = {printed(rows)}"]) + "\n"
    paper = paper_from_text(text, "markdown", "slip.md")
    return check(paper, statements(paper))


@pytest.mark.parametrize(("cause", "name", "rows", "masked"), SLIPS, ids=[slip[0] for slip in SLIPS])
def test_a_slip_is_named(cause: str, name: str, rows: Matrix, masked: bool) -> None:
    first = document(name, rows, masked).first_wrong
    assert first is not None
    assert cause in first.causes


@pytest.mark.parametrize("name", RIGHT)
def test_right_numbers_have_no_cause(name: str) -> None:
    report = document(name, RIGHT[name], False)
    assert len(report.claims) >= 6
    assert {claim.causes for claim in report.claims} == {()}
    assert report.first_wrong is None


def test_invented_numbers_have_no_cause() -> None:
    first = document("Attention weights", [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]], False).first_wrong
    assert first is not None
    assert first.causes == ()


def test_a_slip_that_would_change_a_right_number_is_no_cause() -> None:
    head = "q = [1, 2]; k1 = [2, 1]; k2 = [0, 3]\n\n"  # with K not transposed, q·k1 would be 2 and q·k2 7
    found = {}
    for scores in ("q·k1 = 4, q·k2 = 7", "q·k1 = 2, q·k2 = 7"):
        paper = paper_from_text(head + scores + "\n", "markdown", "slip.md")
        found[scores] = [claim.causes for claim in check(paper, statements(paper)).claims]
    assert found == {"q·k1 = 4, q·k2 = 7": [(), ()], "q·k1 = 2, q·k2 = 7": [("k-untransposed", "strides")] * 2}

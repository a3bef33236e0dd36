"""Row sums listed in a sentence: one vector, in the order of the rows; any other list stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import workings as w
from tests.support.statements import said

LISTS = {
    "The row sums are 22.80 and 10.11.": "The row sums are: (22.80 10.11)",
    "with row sums 3.1, 4.2, and 5.3 behind": "with row sums: (3.1 4.2 5.3)",
    "Row sums: 22.80 and 10.11": "Row sums: (22.80 10.11)",
    "The denominators are **1.5**, **2.5** and **3.5**.": "The denominators are: (1.5 2.5 3.5)",
    "The sums of the rows are $3.1$ and $4.2$.": "The sums of the rows are: (3.1 4.2)",
    "row sums 3.1,\n4.2 and 5.3": "row sums: (3.1 4.2 5.3)",
    "各行之和是 22.80 和 10.11。": "各行之和是: (22.80 10.11)",
    "各行的和分别为 22.80、10.11。": "各行的和分别为: (22.80 10.11)",
}
OTHERS = (
    *("The row sum is 22.80, and 10.11 follows.", "weights 0.2, 0.3 and 0.5", "row sums of 3.1 to 4.2"),
    *("The row sums are 22.80. And 10.11 is a weight.", "the row sums 3.1 = 1 + 2.1 and 4.5"),
)
GIVEN = """Q = [[1, 0], [0, 1]]
K = [[1, 2], [3, 1]]
V = [[10, 0], [0, 10]]
S = QK^T = [[1, 3], [2, 1]]

Exponentials of S: E = [[2.718, 20.086], [7.389, 2.718]]

The row sums are {} and {}.
"""


@pytest.mark.parametrize("text", LISTS)
def test_a_list_of_row_sums_is_one_vector(text: str) -> None:
    assert said(text, name="a.md") == [LISTS[text]]


@pytest.mark.parametrize("text", OTHERS)
def test_any_other_list_is_none(text: str) -> None:
    assert not [line for line in said(text, name="a.md") if " (" in line]


@pytest.mark.parametrize("verdict", ["correctly_rounded", "wrong"])
def test_each_row_sum_is_judged_at_its_row(verdict: str, tmp_path: Path) -> None:
    """Rightly printed, and with the two in the wrong order."""
    texts = ["22.80", "10.11"] if verdict == "correctly_rounded" else ["10.11", "22.80"]
    path = tmp_path / "a.md"
    path.write_text(GIVEN.format(*texts), encoding="utf-8")
    report = w.check(path)
    found = [claim for claim in report.data()["claims"] if str(claim["address"]).startswith("exp_sum")]
    assert [claim["address"] for claim in found] == ["exp_sum[0]", "exp_sum[1]"]
    assert {claim["verdict"] for claim in found} == {verdict}

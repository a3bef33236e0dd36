"""`workings check`: exit codes and JSON by the contract."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.command import here

GIVEN = "Q = [[1, 0], [0, 1]]\nK = [[1, 2], [3, 1]]\nV = [[10, 0], [0, 10]]\n"
TEXTS = {
    "right.md": GIVEN + "S = QK^T = [[1, 3], [2, 1]]\n",
    "wrong.md": GIVEN + "S = QK^T = [[1, 4], [2, 1]]\n",
    "cut.md": "$2 * 0.333 = 0.66$\n",
    "unread.md": GIVEN + "S = QK^T = [[1, 3], [2, 1]]\n\nIt is about 0.77 there.\n",
    "words.md": "Nothing but words.\n",
    "broken.ipynb": "{",
    "field.toml": 'tokens = ["a"]\n[inputs]\nQ = "x"\n',
}
CODES = [
    (("right.md",), 0, 0),
    (("wrong.md",), 1, 1),
    (("cut.md",), 0, 1),
    (("unread.md",), 0, 4),
    (("words.md",), 3, 3),
    (("broken.ipynb",), 3, 3),
    (("missing.md",), 3, 3),
    (("field.toml",), 2, 2),
    (("right.md", "wrong.md"), 1, 1),
    (("wrong.md", "words.md"), 3, 3),
    (("unread.md", "wrong.md"), 1, 1),
    (("unread.md", "right.md"), 0, 4),
    (("wrong.md", "missing.md", "right.md"), 3, 3),
    (("missing.md", "field.toml", "wrong.md"), 2, 2),
]
COUNTS = (
    *("exact", "correctly_rounded", "truncated", "consistent", "follows"),
    *("wrong", "unsure", "not_a_claim", "unread"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(name).write_text(text, encoding="utf-8")


def data(capsys: pytest.CaptureFixture[str], *documents: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(here(capsys, "check", *documents, "--json", "--quiet").out)
    return found


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("documents", "plain", "strict"), CODES, ids=lambda value: str(value))
def test_exit_codes(
    capsys: pytest.CaptureFixture[str], documents: tuple[str, ...], plain: int, strict: int, lang: str
) -> None:
    assert here(capsys, "check", *documents, "--lang", lang).code == plain
    done = here(capsys, "check", *documents, "--lang", lang, "--strict", "--json")
    assert done.code == strict
    assert here(capsys, "check", *documents, "--fix").code == plain


def test_the_others_are_still_judged_where_one_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "check", "missing.md", "wrong.md", "broken.ipynb", "--lang", "en")
    assert "4 in line 4, column 17, is wrong; 3 is right." in done.out
    assert [line.split(":")[0] for line in done.err.splitlines()] == ["workings"] * 2


def test_a_document_without_claims_gets_a_clear_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "check", "words.md", "--lang", "en")
    assert "No number was found that could be checked" in done.out
    assert done.err == "workings: words.md: nothing in it can be checked.\n"
    assert here(capsys, "check", "words.md", "--quiet").err == ""


def test_json_of_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "wrong.md")
    assert list(found)[:4] == ["schema", "document", "counts", "claims"]
    assert found["schema"] == "workings.check/1"
    assert found["document"] == "wrong.md"
    assert set(found["counts"]) == set(COUNTS)
    wrong = found["claims"][1]
    assert wrong == {
        "line": 4,
        "column": 17,
        "printed": "4",
        "address": "score[0,1]",
        "verdict": "wrong",
        "value": "3",
        "from_printed": "3",
        "causes": [],
        "first": True,
    }


def test_an_equality_without_an_address_says_which(capsys: pytest.CaptureFixture[str]) -> None:
    (claim,) = data(capsys, "cut.md")["claims"]
    assert (claim["address"], claim["expression"], claim["verdict"]) == (None, "2 * 0.333", "truncated")
    assert (claim["value"], claim["from_printed"]) == ("0.666", "0.666")


def test_several_documents_are_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "right.md", "missing.md", "wrong.md")
    assert found["schema"] == "workings.checks/1"
    assert [each["document"] for each in found["documents"]] == ["right.md", "wrong.md"]
    assert all(each["schema"] == "workings.check/1" for each in found["documents"])


def test_a_claim_of_a_notebook_names_its_cell(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [{"cell_type": "markdown", "source": text} for text in ("Hello\n", "Then\n\n$0.5*0.5 = 0.3$\n")]
    Path("n.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (claim,) = data(capsys, "n.ipynb")["claims"]
    assert (claim["cell"], claim["line"], claim["column"]) == (1, 3, 12)


def test_numbers_that_are_no_claims_and_what_is_unread(capsys: pytest.CaptureFixture[str]) -> None:
    text = GIVEN + "\n<!-- workings: not-a-claim -->\nS = QK^T = [[1, 9], [2, 1]]\n\n$0.5*2 = 1.0$, about 0.77 there\n"
    Path("marks.md").write_text(text, encoding="utf-8")
    found = data(capsys, "marks.md")
    assert found["counts"]["not_a_claim"] == 4
    assert {claim["value"] for claim in found["claims"] if claim["verdict"] == "not_a_claim"} == {None}
    assert found["counts"]["unread"] == len(found["unread"]) == 1
    assert found["unread"][0] == {"line": 8, "column": 22, "text": "0.77", "why": "no-binding"}


def test_a_patch_of_nothing_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, "check", "right.md", "--fix").out == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "text", "headed"),
    [
        ("broken.tex", r"\begin{pmatrix} 1 & 2 \\ 3 & ", False),
        ("z.html", "<p>There are 3 of them, and 4.", False),
        ("rows.tex", "$0.5 \\cdot = 0.25$", True),
    ],
)
def test_no_heading_stands_over_nothing(
    name: str, text: str, headed: bool, lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole numbers that are only counted need no heading; what is listed has one."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    done = here(capsys, "check", str(path), "--lang", lang)
    assert (("Not understood" if lang == "en" else "没读懂") in done.out) == headed
    assert ("passed over" in done.out or "略过" in done.out) == (not headed), done.out

"""Patches: what `git apply` and `patch` make of them, and what the patched file is then worth."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import workings as w
from tests.documents.agreement import document, numbers
from workings.checking.notebook_text import cell_texts
from workings.checking.reading import read_paper
from workings.terms.errors import FileError

DOCUMENT = """# Attention
Q = [[1, 0], [0, 1]]
K = [[1, 2], [3, 1]]
V = [[10, 0], [0, 10]]
S = QK^T = [[1, 4], [2, 1]]

$4/\\sqrt{2} = 2.83$
"""
WITH = (["git", "apply", "-p1"], ["patch", "-s", "-p1", "-i"])


def apply(tool: list[str], folder: Path, patch: str) -> None:
    (folder / "the.patch").write_bytes(patch.encode("utf-8"))
    done = subprocess.run([*tool, "the.patch"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(folder.rglob("*.orig"))


def mended(tool: list[str], folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The file after its own patch, in which nothing may be wrong."""
    monkeypatch.chdir(folder)
    patch = w.check(name).fix()
    assert patch
    apply(tool, folder, patch)
    counts = w.check(name).counts
    assert (counts["wrong"], counts["follows"]) == (0, 0)
    assert w.check(name).fix() == ""
    return (folder / name).read_bytes()


@pytest.mark.parametrize("tool", WITH, ids=lambda tool: tool[0])
@pytest.mark.parametrize("name", ["notes.md", "sub/a b.md", 'sub/"q".md', "sub/小猫.md"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("cut", [0, 1])
def test_line_ends_and_names(
    tool: list[str], name: str, ends: str, cut: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = DOCUMENT.replace("\n", ends)
    text = text[: len(text) - cut * len(ends)]
    (tmp_path / "sub").mkdir()
    (tmp_path / name).write_bytes(text.encode("utf-8"))
    new = mended(tool, tmp_path, name, monkeypatch)
    assert new == text.replace("[[1, 4]", "[[1, 3]").replace("$4/", "$3/").replace("2.83", "2.12").encode("utf-8")


@pytest.mark.parametrize("tool", WITH, ids=lambda tool: tool[0])
def test_a_byte_order_mark_stays(tool: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.md").write_bytes(b"\xef\xbb\xbf" + DOCUMENT.encode("utf-8"))
    assert mended(tool, tmp_path, "notes.md", monkeypatch).startswith(b"\xef\xbb\xbf# Attention")


def notebook(*, ascii_only: bool = False) -> str:
    given, rest = DOCUMENT.split("S = ")
    cells = [
        {"cell_type": "markdown", "metadata": {"x": [1, {"y": "z"}]}, "source": given.splitlines(keepends=True)},
        {"cell_type": "markdown", "metadata": {}, "source": '小猫 😀 "S":\n\nS = ' + rest},
        {
            "cell_type": "code",
            "source": ["print(score)\n"],
            "outputs": [{"output_type": "stream", "text": ["S = QK^T = [[1, 4], [2, −1]]\n", "\n"]}],
        },
    ]
    return json.dumps({"nbformat": 4, "cells": cells}, ensure_ascii=ascii_only, indent=1) + "\n"


@pytest.mark.parametrize("tool", WITH, ids=lambda tool: tool[0])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_notebook_is_patched_in_its_own_text(
    tool: list[str], ascii_only: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = notebook(ascii_only=ascii_only)
    (tmp_path / "n.ipynb").write_text(text, encoding="utf-8")
    new = mended(tool, tmp_path, "n.ipynb", monkeypatch).decode("utf-8")
    changed = [pair for pair in zip(text.split("\n"), new.split("\n"), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 2
    assert json.loads(new)["cells"][2]["outputs"][0]["text"][0] == "S = QK^T = [[1, 3], [2, 1]]\n"


@pytest.mark.parametrize("tool", WITH, ids=lambda tool: tool[0])
def test_claims_of_an_example_are_patched(tool: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        'tokens = ["a", "b"]\r\n[inputs]\r\nQ = [[1, 0], [0, 1]]\r\nK = [[1, 2], [3, 1]]\r\nV = [[1, 0], [0, 1]]\r\n'
        '[claims]\r\nscore = [["1", "4"], ["2", "1"]]\r\n'
    )
    (tmp_path / "e.toml").write_bytes(text.encode("utf-8"))
    assert mended(tool, tmp_path, "e.toml", monkeypatch) == text.replace('"4"', '"3"').encode("utf-8")


@pytest.mark.parametrize("tool", WITH, ids=lambda tool: tool[0])
@pytest.mark.parametrize("number", numbers())
def test_published_documents(tool: list[str], number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = document(number)
    if not w.check(source).fix():
        return
    shutil.copy(source, tmp_path)
    mended(tool, tmp_path, source.name, monkeypatch)


def test_texts_of_cells_are_those_that_were_read() -> None:
    for path in [document(number) for number in numbers()]:
        if path.suffix == ".ipynb":
            raw = path.read_text(encoding="utf-8")
            assert [cell.text for cell in cell_texts(raw)] == list(read_paper(path).sources)


def test_a_document_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    report = w.check(path)
    path.unlink()
    with pytest.raises(FileError):
        report.fix()

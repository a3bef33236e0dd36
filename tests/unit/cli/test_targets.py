"""What the command writes for each target: whole documents, bytes, and what a terminal is not sent."""

import sys
import types
from pathlib import Path

import pytest

import workings.render
from tests.unit.cli.command import here
from workings.cli.output import emit
from workings.render.targets import TARGETS, Target


def test_standalone_makes_a_whole_document(capsys: pytest.CaptureFixture[str]) -> None:
    part = here(capsys, "explain", "kitten", "--to", "tex").out
    whole = here(capsys, "explain", "kitten", "--to", "tex", "--standalone").out
    assert part.startswith("% To be put into a document with \\input; needs the packages amsmath and ctex, and")
    assert "\\begin{document}" not in part
    assert whole.startswith("% !TeX program = xelatex\n")
    assert whole.endswith("\\end{document}\n")


@pytest.mark.parametrize("verb", [("explain", "kitten"), ("cell", "kitten", "weight[2,0]")])
def test_a_page_is_written_whole(capsys: pytest.CaptureFixture[str], verb: tuple[str, ...]) -> None:
    done = here(capsys, *verb, "--to", "html")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("<!DOCTYPE html>\n")
    assert "<math" in done.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_interactive_page_is_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str) -> None:
    path = tmp_path / "kitten.html"
    line = ("explain", "kitten", "--to", "html", "--interactive", "--strict", "--lang", lang)
    done = here(capsys, *line, "-o", str(path), "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f'<!DOCTYPE html>\n<html lang="{lang}">\n')
    assert '<main class="page plain">' in text
    assert text == here(capsys, *line).out


@pytest.fixture
def binary(monkeypatch: pytest.MonkeyPatch) -> str:
    """A target that gives bytes."""
    module = types.ModuleType("workings.render.sheets")
    module.draw = lambda document, words: b"\x00\xff"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "workings.render.sheets", module)
    monkeypatch.setattr(workings.render, "sheets", module, raising=False)
    monkeypatch.setitem(TARGETS, "sheets", Target("sheets", "application/octet-stream", ".bin", binary=True))
    return "sheets"


def test_bytes_are_written_as_they_are(binary: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from workings.cli.main import run

    path = tmp_path / "sheet.bin"
    assert run(["explain", "kitten", "--to", binary, "-o", str(path), "--quiet"]) == 0
    assert path.read_bytes() == b"\x00\xff"
    emit(b"\x00\xff", None)
    assert capfdbinary.readouterr().out == b"\x00\xff"


def test_bytes_are_not_sent_to_a_terminal(
    binary: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = here(capsys, "explain", "kitten", "--to", binary)
    assert (done.code, done.out) == (2, "")
    assert "-o FILE" in done.err

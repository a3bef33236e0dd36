"""Arrays from the command line: one alone, as figures, as records, as a workbook."""

import sys
from pathlib import Path

import pytest

from tests.support.reading_arrays import read_csv, read_svg, read_xlsx
from tests.unit.cli.command import here


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_workbook_goes_into_a_file_and_not_to_a_terminal(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "kitten.xlsx"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert here(capsys, "explain", "kitten", "--to", "xlsx", "-o", str(path), "--quiet", "--lang", lang).code == 0
    assert len(read_xlsx(path.read_bytes())) == 72
    refused = here(capsys, "explain", "kitten", "--to", "xlsx", "--lang", lang)
    assert (refused.code, refused.out) == (2, "")
    assert "-o FILE" in refused.err


def test_text_targets_are_written_anywhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(read_svg(here(capsys, "explain", "kitten", "--to", "svg").out)) == 72
    assert len(read_csv(here(capsys, "explain", "kitten", "--to", "csv").out)) == 72


@pytest.mark.parametrize(("name", "count"), [("weight", 4), ("lse", 2), ("divide_by", 1)])
def test_one_array_alone(name: str, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", "time-machine", "--array", name, "--to", "svg")
    assert (done.code, done.err) == (0, "")
    assert len(read_svg(done.out)) == count
    for to in ("text", "md", "tex", "html", "csv", "json"):
        assert name.partition("_")[0] in here(capsys, "explain", "time-machine", "--array", name, "--to", to).out


@pytest.mark.parametrize(("given", "code"), [("wieght", 2), ("weight[2,0]", 2), ("weight[:,0]", 2), ("", 2)])
def test_what_is_no_array(given: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", "kitten", "--array", given)
    assert (done.code, done.out) == (code, "")
    assert "WORKINGS_DEBUG" not in done.err


@pytest.mark.parametrize("option", [("--show", "all"), ("--token", "它"), ("--carry", "2")])
def test_an_array_has_no_arithmetic_to_show(option: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", "kitten", "--array", "weight", *option)
    assert (done.code, done.out) == (2, "")
    assert "--array" in done.err
    assert option[0] in done.err


@pytest.mark.parametrize("verb", [("cell", "kitten", "weight[2,0]"), ("check", "x.md"), ("compare", "x.npz")])
def test_what_has_no_arrays_has_no_such_target(verb: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, *verb, "--to", "svg").code == 2

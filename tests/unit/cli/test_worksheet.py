"""`workings worksheet` makes a sheet; `workings check` marks it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import workings as w
from tests.support.sheets import filled
from tests.unit.cli.command import here, one_line, process

MINE = """tokens = ["tea", "time"]
[inputs]
Q = [[1, "1/2"], [0, 1]]
K = [[1, 2], [3, 1e-2]]
V = [[1, 0], [0, 1]]
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("target", ["md", "text", "html", "tex"])
def test_a_sheet_goes_out_and_comes_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, target: str, lang: str
) -> None:
    path = tmp_path / f"sheet.{ {'text': 'txt'}.get(target, target) }"
    made = here(capsys, "worksheet", "causal", "--seed", "5", "--blanks", "7", "--to", target, "--lang", lang)
    sheet = w.worksheet("causal", seed=5, blanks=7, lang=lang)
    assert (made.code, made.err, made.out) == (0, "", sheet.draw(target))
    path.write_text(made.out, encoding="utf-8")
    empty = here(capsys, "check", str(path), "--lang", lang)
    assert (empty.code, empty.err) == (0, "")
    path.write_text(filled(sheet, sheet.answers, target), encoding="utf-8")
    assert here(capsys, "check", str(path), "--strict", "--lang", lang).code == 0
    first, *_ = sheet.answers
    path.write_text(filled(sheet, {first: "77"}, target), encoding="utf-8")
    done = here(capsys, "check", str(path), "--json")
    data = json.loads(done.out)
    assert done.code == 1
    assert data["blanks"] == {str(number): address for number, address in sheet.numbers.items()}
    assert data["empty"] == list(sheet.numbers)[1:]
    assert [claim["verdict"] for claim in data["claims"]] == ["wrong"]
    page = here(capsys, "check", str(path), "--to", "html", "--lang", lang)
    assert page.code == 1
    assert "77" in page.out


def test_an_own_example_needs_no_file_when_it_comes_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine, sheet = tmp_path / "mine.toml", tmp_path / "sheet.md"
    mine.write_text(MINE, encoding="utf-8")
    made = here(capsys, "worksheet", str(mine), "--no-key", "--to", "md")
    assert made.out == process("worksheet", "-", "--no-key", "--to", "md", stdin=MINE.encode()).stdout.decode()
    mine.unlink()
    sheet.write_text(made.out.replace("(1) ____", "(1) ½"), encoding="utf-8")
    report = w.check(sheet)
    assert report.is_worksheet
    assert len(report.claims) == 1


def test_the_key_stands_on_a_page_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for target, divider in (("md", "\n---\n"), ("text", "=" * 60), ("html", 'class="page"'), ("tex", "\\clearpage")):
        with_key = here(capsys, "worksheet", "kitten", "--to", target).out
        without = here(capsys, "worksheet", "kitten", "--to", target, "--no-key").out
        assert divider in with_key
        assert divider not in without
        assert "workings: key" not in without


def test_json_tells_the_answers_unless_they_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(here(capsys, "worksheet", "kitten", "--json").out)
    assert told["schema"] == "workings.worksheet/1"
    assert len(told["blanks"]) == 12
    assert {str(blank["address"]): blank["answer"] for blank in told["blanks"]} == w.worksheet("kitten").answers
    untold = json.loads(here(capsys, "worksheet", "kitten", "--json", "--no-key").out)
    assert all("answer" not in blank for blank in untold["blanks"])


def test_steps_keep_the_blanks_to_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    for steps in (("--steps", "score,weight"), ("--steps", "score", "--steps", "weight")):
        told = json.loads(here(capsys, "worksheet", "kitten", "--json", "--blanks", "9", *steps).out)
        assert {blank["address"].partition("[")[0] for blank in told["blanks"]} == {"score", "weight"}
    assert {address.partition("[")[0] for address in w.worksheet("kitten", steps=["output"]).answers} == {"head_output"}
    two = w.worksheet("two-heads", steps=["H1.weight"])
    assert {address.partition("[")[0] for address in two.answers} == {"H1.weight"}


WRONG = [
    (("kitten", "--blanks", "0"), "1"),
    (("kitten", "--blanks", "-1"), "-1"),
    (("kitten", "--blanks", "many"), "many"),
    (("kitten", "--blanks", "1000000"), "1000000"),
    (("kitten", "--seed", "-3"), "-3"),
    (("kitten", "--seed", "9" * 19), "9" * 19),
    (("kitten", "--steps", "wieght"), "wieght"),
    (("kitten", "--steps", "Q"), "Q"),
    (("kitten", "--to", "svg"), "svg"),
    (("kittn",), "kitten"),
    ((), "EXAMPLE"),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_nonsense_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str, lang: str
) -> None:
    done = here(capsys, "worksheet", *arguments, "--lang", lang)
    assert (done.code, done.out) == (2, "")
    line = one_line(done.err)
    assert said in line
    assert any("\u4e00" <= character <= "\u9fff" for character in line) == (lang == "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_file_that_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff\xfe\x00")
    assert here(capsys, "worksheet", str(tmp_path / "none.toml"), "--lang", lang).code == 3
    assert here(capsys, "worksheet", str(bad), "--lang", lang).code == 3
    sheet = tmp_path / "sheet.md"
    sheet.write_text("<!-- workings: worksheet nothing -->\n\n(1) 5\n", encoding="utf-8")
    done = here(capsys, "check", str(sheet), "--lang", lang)
    assert done.code == 3
    assert "sheet.md" in one_line(done.err)

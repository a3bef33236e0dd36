"""The verb `learn`, and a number of a run through time on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.learned import tiny_run
from tests.unit.cli.command import here
from workings.learning.state import Progress


def test_learns_and_says_where(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = tmp_path / "mine.txt"
    text.write_text("the kitten chased the puppy . then it meowed .\n" * 80, encoding="utf-8")
    options = ("--steps", "2", "--batch", "2", "--width", "16", "--heads", "2", "--snapshots", "0-1")
    done = here(capsys, "learn", str(text), "-o", str(tmp_path / "run"), *options)
    assert (done.code, done.out) == (0, "")
    assert "workings learn --report" in done.err
    told = json.loads((tmp_path / "run/learning.json").read_text(encoding="utf-8"))
    assert told["snapshots"] == [0, 1, 2]
    report = here(capsys, "learn", "--report", str(tmp_path / "run"), "--json")
    assert json.loads(report.out)["stories"] is None
    assert here(capsys, "learn", "--report", str(tmp_path / "run"), "--lang", "zh").code == 0


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (["learn"], 2, "the trained model goes: -o"),
    (["learn", "-o", "run", "--heads", "3"], 2, "3"),
    (["learn", "--steps", "0", "-o", "run"], 2, "--steps"),
    (["learn", "--report", "nowhere"], 3, "nowhere"),
    (["learn", "--report", "story-en", "--steps", "3"], 2, "--report and --steps exclude each other"),
    (["learn", "--report", "story-en", "--snapshots", "0-9"], 2, "--report and --snapshots exclude each other"),
    (["learn", "--report", "--resume"], 2, "--report and --resume exclude each other"),
    (["learn", "nowhere.txt", "-o", "run"], 3, "nowhere.txt"),
    (["cell", "kitten", "weight[0,0]", "--text", "x"], 2, "--over-time"),
    (["cell", "kitten", "weight[0,0]", "--to", "svg"], 2, "--over-time"),
    (["cell", "kitten", "weight[0,0]", "--over-time"], 3, "kitten"),
])  # fmt: skip
def test_what_cannot_be_meant(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = here(capsys, *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "The same command with --resume"), ("zh", "同一条命令加上 --resume")]
)
def test_a_run_that_is_stopped_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, said: str
) -> None:
    def stopped(*_: object, heard: Any, **__: object) -> None:
        heard(Progress(step=3, losses=[5.0], seconds=1.0), 10)
        raise KeyboardInterrupt

    monkeypatch.setattr("workings.learning.door.learn", stopped)
    done = here(capsys, "learn", "-o", str(tmp_path / "run"), "--lang", lang)
    assert (done.code, done.out) == (130, "")
    assert said in done.err


def test_the_plot_of_a_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workings.learning.report.VALIDATION", 20)
    monkeypatch.setattr("workings.learning.report.HELD_OUT", 20)
    done = here(capsys, "learn", "--report", str(tiny_run()), "--to", "svg", "-o", str(tmp_path / "heads.svg"))
    assert done.code == 0
    assert (tmp_path / "heads.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_number_through_time(capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "cell", str(tiny_run()), "L1.H1.W_Q[3,5]", "--over-time", "--json")
    assert done.code == 0
    assert [one["step"] for one in json.loads(done.out)["values"]] == [0, 5, 12]
    figure = here(capsys, "cell", str(tiny_run()), "L1.H1.W_Q[3,5]", "--over-time", "--to", "svg")
    assert figure.out.startswith("<svg")

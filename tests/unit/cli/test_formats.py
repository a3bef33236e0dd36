"""Every verb with every format there is: a result, or one line that names the formats that this result has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import workings as w
from tests.support.dumps import plain_dump
from tests.support.learned import tiny_run
from tests.unit.cli.command import here, one_line
from workings.render.targets import ARRAYS, TARGETS
from workings.terms.errors import UnknownChoice

FORMATS = (*TARGETS, *ARRAYS, "json", "pdf")
PAGES = ("text", "md", "tex", "html", "json")
FIGURES = {"svg", "csv", "xlsx"}
NUMBER = "L0.H0.weight[1,0]"
RESULTS: list[tuple[str, set[str]]] = [  # a command, and the figures that it gives besides PAGES
    ("explain kitten", FIGURES),
    ("explain kitten --array weight", FIGURES),
    ("explain recording", set()),
    ("explain recording --head L0.H0", {"svg"}),
    ("explain recording --array L0.H0.weight", FIGURES),
    ("cell kitten weight[2,0]", set()),
    (f"cell recording {NUMBER}", set()),
    (f"cell recording {NUMBER} --prove", set()),
    (f"cell story-en {NUMBER} --over-time", {"svg", "csv"}),
    ("worksheet kitten", set()),
    ("check notes.md", set()),
    ("check notes.md more.md", set()),
    ("compare kernel.npz", set()),
    ("trace story-en --text cat -o {new} --summary", set()),
    ("trace story-en --text cat -o {new} --scores sink", set()),
    ("learn --report run", {"svg"}),
    ("doctor", {"-"}),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something for every verb."""
    folder = tmp_path_factory.mktemp("formats")
    w.trace("story-en", folder / "recording", text="the cat saw the dog")
    for name in ("notes.md", "more.md"):
        (folder / name).write_text("$2 * 3 = 6$\n", encoding="utf-8")
    (folder / "run").symlink_to(tiny_run())
    np.savez(folder / "kernel.npz", **plain_dump())
    return folder


@pytest.mark.parametrize(("command", "figures"), RESULTS, ids=[command for command, _ in RESULTS])
def test_every_format_is_given_or_refused(
    command: str,
    figures: set[str],
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setattr("workings.learning.report.VALIDATION", 20)
    monkeypatch.setattr("workings.learning.report.HELD_OUT", 20)
    given = {"text", "json"} if "-" in figures else {*PAGES, *figures}
    for number, to in enumerate(FORMATS):
        words = command.replace("{new}", f"new-{len(command)}-{number}").split()
        written = ["-o", f"out.{to}"] if to == "xlsx" and words[0] != "trace" else []
        done = here(capsys, *words, "--to", to, *written, "--quiet", "--lang", "en")
        if to in given:
            assert (done.code, done.err) == (0, ""), (to, done.err)
        else:
            assert (done.code, done.out) == (2, ""), (to, done)
            said = one_line(done.err)
            assert to in said, said
            assert "--over-time" in said or all(name in said for name in given), said


@pytest.mark.parametrize("target", ["svg", "xlsx", "pdf"])
def test_python_refuses_a_format_that_a_result_has_not(place: Path, target: str) -> None:
    run = w.recorded(place / "recording")
    for result in (run, run.scores, run[NUMBER], w.check(place / "notes.md")):
        with pytest.raises(UnknownChoice) as caught:
            result.draw(target)
        assert caught.value.values["choices"] == list(PAGES)
    with pytest.raises(UnknownChoice, match="svg"):
        run["L0.H0"].draw("pdf")

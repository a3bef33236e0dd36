"""Every option of every use of a command either changes what comes out, or is refused in one line that names it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from safetensors.numpy import save_file

import workings as w
from tests.unit.cli.command import here, one_line
from workings.cli.command import VERBS
from workings.cli.forms import SHARED, Form
from workings.cli.speaking import speaker
from workings.render.words import LANGUAGES

TEXT = "the kitten ate because it was hungry"
HEAD = ("--head", "L0.H1")
# of each use: what is written for it, {run} for a recording
USES: dict[str, dict[str, tuple[str, ...]]] = {
    "explain": {
        "example": ("two-heads",), "array": ("two-heads", "--array", "H0.weight"),
        "page": ("two-heads", "--interactive", "--to", "html"), "recording": ("{run}",), "head": ("{run}", *HEAD),
        "recorded-array": ("{run}", "--array", "L0.H1.weight"),
        "map": ("{run}", *HEAD, "--interactive", "--to", "html"),
    },
    "cell": {
        "number": ("two-heads", "H0.weight[1,0]"), "recorded-number": ("{run}", "L0.H1.weight[3,1]"),
        "over-time": ("story-en", "L0.H1.weight[3,1]", "--over-time"),
    },
}  # fmt: skip
# of each option: what is written behind it, {word} for a word of the source
VALUES = {
    "show": "all", "token": "{word}", "carry": "2", "precision": "2", "array": "L0.H0.weight",
    "head": "L1.H0", "interactive": None, "prove": None, "model": "story-en", "over_time": None, "text": "it ate it",
}  # fmt: skip
# they are taken wherever numbers are told, are what the use is asked for by, or say where something lies
SILENT = ("precision", "interactive", "over_time", "model")
SHOWN = ("show", "token")  # what is left out elsewhere; JSON is the whole
FORMATS = ("text", "md", "json", "html", "svg", "csv")


@dataclass(frozen=True)
class Use:
    verb: str
    form: Form
    line: tuple[str, ...]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a small model."""
    path = tmp_path_factory.mktemp("forms") / "run"
    w.trace("story-en", path, text=TEXT)
    return path


def _uses() -> list[Any]:
    found = []
    for verb, module in VERBS.items():
        for form in getattr(import_module(module), "FORMS", ()):
            found.append(pytest.param(Use(verb, form, (verb, *USES[verb][form.name])), id=f"{verb}-{form.name}"))
    return found


def _options(verb: str) -> dict[str, str]:
    """The options of a verb that are not for every use, as they are written."""
    command = import_module(VERBS[verb]).command(speaker("en"), "en")
    options = [one for one in command.params if isinstance(one, click.Option) and one.name not in (*SHARED, "help")]
    return {str(one.name): max(one.opts, key=len) for one in options}


def _line(use: Use, run: Path, *more: str) -> list[str]:
    word = "birds" if "two-heads" in use.line else "it"
    return [part.replace("{run}", str(run)).replace("{word}", word) for part in (*use.line, *more)]


def _written(name: str, option: str) -> list[str]:
    value = VALUES[name]
    return [option] if value is None else [option, value]


def test_every_use_is_told_and_every_option_is_for_one() -> None:
    for verb, uses in USES.items():
        forms = import_module(VERBS[verb]).FORMS
        assert [form.name for form in forms] == list(uses)
        assert set(_options(verb)) == {name for form in forms for name in form.options} <= set(VALUES)
        for form in forms:
            assert {name for names in form.idle.values() for name in names} <= set(form.options)
    assert set(USES) == {verb for verb, module in VERBS.items() if hasattr(import_module(module), "FORMS")}


@pytest.mark.parametrize("use", _uses())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_does_nothing_is_refused(use: Use, lang: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, option in _options(use.verb).items():
        if name in use.form.options or name in (
            "head",
            "array",
            "interactive",
            "over_time",
        ):  # these ask for another use
            continue
        done = here(capsys, *_line(use, run, *_written(name, option)), "--lang", lang)
        assert (done.code, done.out) == (2, ""), (option, done.err)
        said = one_line(done.err)
        assert option in said
        assert speaker(lang)(f"cli.form.{use.form.name}") in said


@pytest.mark.parametrize("use", _uses())
@pytest.mark.parametrize("to", FORMATS)
def test_what_is_taken_changes_what_comes_out(use: Use, to: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = _line(use, run) if "--to" in use.line else _line(use, run, "--to", to)
    if "--to" in use.line and to != "html":
        return
    before = here(capsys, *plain)
    if before.code == 2:
        assert to in one_line(before.err)  # a format that this result does not have
        return
    assert before.code == 0, before.err
    for name, option in _options(use.verb).items():
        if name not in use.form.options or name in SILENT or option in use.line or (to == "json" and name in SHOWN):
            continue
        line = _line(use, run, *_written(name, option), *plain[len(use.line) :])
        done = here(capsys, *line)
        if name in use.form.idle.get(to, ()):
            assert (done.code, done.out) == (2, ""), option
            assert {option, to} <= set(one_line(done.err).replace(".", " ").split()), done.err
        else:
            assert done.code == 0, (option, done.err)
            assert done.out != before.out, option


@pytest.mark.parametrize("verb", [("explain",), ("cell", "weight[2,0]")])
def test_a_model_is_to_be_run_first(
    verb: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model").mkdir()
    Path("model/config.json").write_text("{}")
    for model in ("story-zh", "model", "tiny.gguf"):
        done = here(capsys, verb[0], model, *verb[1:], "--lang", "en")
        assert (done.code, done.out) == (2, "")
        assert f"workings trace {model} --text" in one_line(done.err)


def test_a_file_of_tensors_is_no_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "kernel.npz", weight=np.eye(2))
    done = here(capsys, "explain", str(tmp_path / "kernel.npz"), "--lang", "en")
    assert (done.code, done.out) == (2, "")
    assert "workings compare" in one_line(done.err)
    assert here(capsys, "explain", str(tmp_path / "none.npz")).code == 3


def test_an_empty_address_is_said_to_be_empty(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for source in ("kitten", str(run)):
        assert one_line(here(capsys, "cell", source, "", "--lang", "en").err).startswith("The address is empty.")


def test_a_place_that_is_taken_is_refused_before_a_model_is_loaded(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workings.models.record.load", None)
    for more in ((), ("--resume",)):
        done = here(capsys, "trace", "story-en", "--text", "it ate", "-o", str(run), "--lang", "en", *more)
        assert (done.code, done.out) == (3, "")
        assert "is there already" in one_line(done.err)


def test_an_array_of_a_recording(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", str(run), "--array", "L0.H1.weight", "--to", "csv")
    rows = [line for line in done.out.splitlines() if line.startswith('"L0.H1.weight[')]
    weights = w.recorded(run)["L0.H1"].tile(slice(None))
    assert [float(row.split(",")[-2]) for row in rows] == pytest.approx(weights.ravel().tolist(), rel=1e-12)
    for line, code in {"weight": 2, "L0.H1": 2, "L0.H1.weight[0,0]": 2, "L9.H1.weight": 2, "other": 2}.items():
        done = here(capsys, "explain", str(run), "--array", line)
        assert (done.code, done.out) == (code, ""), line
        one_line(done.err)


def test_an_array_that_nobody_reads_through(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers are there one by one."""
    monkeypatch.setattr("workings.api.recorded_number.MOST_NUMBERS", 63)
    for to in ("text", "csv", "svg", "json"):
        done = here(capsys, "explain", str(run), "--array", "L0.H1.weight", "--to", to, "--lang", "en")
        assert (done.code, done.out) == (2, "")
        assert "64 numbers" in one_line(done.err)
    array = w.recorded(run)["L0.H1.weight"]
    assert array._repr_mimebundle_() == {"text/plain": repr(array)}
    assert float(array[7, 1]) > 0
    monkeypatch.setattr("workings.api.recorded_number.MOST_NUMBERS", 64)
    assert set(array._repr_mimebundle_()) > {"text/plain"}


def test_a_head_has_a_figure(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", str(run), *HEAD, "--to", "svg")
    assert (done.code, done.err) == (0, "")
    count = len(w.recorded(run).tokens)
    assert done.out.count("data-value=") == count * count
    assert done.out.strip() == w.recorded(run)["L0.H1"].to_svg().strip()


@pytest.mark.parametrize("line", ["check", "worksheet", "compare", "trace story-en -o out --inputs"])
def test_a_recording_where_a_file_is_read(line: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told of as one, with what opens it."""
    done = here(capsys, *line.split(), str(run), "--lang", "en")
    assert (done.code, done.out) == (3, "")
    assert one_line(done.err).startswith(f"{run} is a recorded model, and a file is needed here.")


def test_what_a_run_of_a_model_has_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second text, or a second thing to print, is not passed over."""
    save_file({"input_ids": np.array([[3, 4, 5]])}, tmp_path / "ids.safetensors")
    line = ("trace", "story-en", "-o", str(tmp_path / "out"), "--text", "it ate", "--lang", "en")
    for more in (("--summary", "--scores", "sink"), ("--inputs", str(tmp_path / "ids.safetensors"))):
        done = here(capsys, *line, *more)
        assert (done.code, done.out) == (2, "")
        assert "exclude each other" in one_line(done.err)
    assert not (tmp_path / "out").exists()

"""What the documents say can be done works: every link, every command, every sample."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.dumps import plain_dump, safetensors
from tests.support.pages import blocks, commands, exit_code, links, pages, text_of
from tests.support.real_models import minilm
from tools.file_list import ROOT
from tools.generated import left_over
from tools.generated import pages as generated
from workings.examples.library import text

HISTORY = "CHANGELOG.md"  # names files that nobody has any more
CODE = re.compile(r"exit code (\d+)")
DONE: set[tuple[str, str]] = set()


@pytest.mark.parametrize("page", pages())
def test_links_lead_somewhere(page: str) -> None:
    for path, anchor in links(page):
        assert path.exists(), (page, path)
        assert not anchor or f'<a id="{anchor}"></a>' in path.read_text(encoding="utf-8"), (path, anchor)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that commands of the documents name."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "mine.toml").write_text(text("kitten"), encoding="utf-8")
    (tmp_path / "notes.md").write_text("$0.5 * 0.5 = 0.25$, and $2 * 3 = 6$\n", encoding="utf-8")
    (tmp_path / "chapter.tex").write_text("$1 + 1 = 2$\n", encoding="utf-8")
    (tmp_path / "options.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("It was late, and it was raining.", encoding="utf-8")
    (tmp_path / "my-text.txt").write_text("the kitten ran. then it meowed.\n" * 200, encoding="utf-8")
    (tmp_path / "model").symlink_to(minilm())
    one = plain_dump(tokens=1)  # right whatever the options are
    np.savez(tmp_path / "kernel.npz", **one)
    safetensors(tmp_path / "kernel.safetensors", {name: ("F32", values) for name, values in one.items()})
    script = tmp_path / "workings"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m workings "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    places = map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in pages() if page != HISTORY and list(commands(page))])
def test_commands_run(page: str, desk: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for command, toml in commands(page):
        if (command, toml) in DONE:
            continue
        DONE.add((command, toml))
        if toml:
            (desk / "mine.toml").write_text(toml, encoding="utf-8")
        told = CODE.search(command)
        assert _code(command) == (int(told[1]) if told else 0), (command, capfdbinary.readouterr().err.decode())


def _code(command: str) -> int:
    if re.search(r"[|>$]", command):
        return subprocess.run(["bash", "-ec", command], capture_output=True, check=False).returncode
    return exit_code(command)


@pytest.mark.parametrize("page", [page for page in pages() if ">>> " in text_of(page)])
def test_samples_are_what_the_program_says(page: str) -> None:
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(verbose=False)
    parser = doctest.DocTestParser()
    for number, (language, body) in enumerate(blocks(page)):
        if language == "pycon":
            test = parser.get_doctest(body, names, f"{page}, block {number}", page, 0)
            runner.run(test, out=pytest.fail, clear_globs=False)
            names = test.globs
    assert runner.summarize(verbose=False).attempted > 3


@pytest.mark.parametrize("page", [page for page in pages() if "w.recorded(" in text_of(page) and page != HISTORY])
def test_python_about_recordings_runs(page: str, desk: Path) -> None:
    w.trace(desk / "model", desk / "recording", text="It was late.")
    known: dict[str, Any] = {}
    for language, body in blocks(page):
        if language == "python":
            exec(compile(body.replace("4096", "512"), page, "exec"), known)  # noqa: S102 - our own document
    assert known["run"].tokens[1:4] == ("it", "was", "late")


def test_the_pages_about_models_say_how_a_recording_is_opened() -> None:
    for page in ("README.md", "README.zh.md", "docs/recordings.md", "docs/recordings.zh.md"):
        assert any(language == "python" and "w.recorded(" in body for language, body in blocks(page)), page


@pytest.mark.parametrize("page", [page for page in pages() if page.startswith("docs/") and "gallery" not in page])
def test_our_own_checker_finds_nothing_wrong(page: str) -> None:
    counts = w.check(ROOT / page).counts
    assert [counts[verdict] for verdict in ("wrong", "follows", "truncated", "unsure")] == [0, 0, 0, 0]


def test_no_page_is_left_over() -> None:
    assert left_over() == []


def test_every_page_stands_in_both_languages() -> None:
    written = {page for page in pages() if page.startswith(("docs/", "README"))}
    english = {page for page in written if not page.endswith(".zh.md")}
    assert {page.replace(".md", ".zh.md") for page in english} == written - english
    assert {name for name, _ in generated()} <= written


@pytest.mark.parametrize("page", [page for page in pages() if page.endswith(".zh.md")])
def test_both_languages_run_the_same_commands(page: str) -> None:
    def run_in(name: str) -> list[str]:
        lines = [line for language, body in blocks(name) if language == "sh" for line in body.splitlines()]
        plain = (line.partition("#")[0].rstrip().replace(" --lang zh", "").replace(".zh.md", ".md") for line in lines)
        return list(filter(None, plain))

    assert run_in(page) == run_in(page.replace(".zh.md", ".md"))

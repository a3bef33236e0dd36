"""What `make test` does where the browser is missing: root gets it installed, anybody else is told its name."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.file_list import ROOT


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """The script where these commands are all that the path holds."""
    for name, body in commands.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": str(folder)}
    command = ["/bin/sh", str(ROOT / "tools/browser.sh")]
    return subprocess.run(command, env=environment, capture_output=True, check=False, encoding="utf-8")


def test_a_browser_that_is_there_is_left_alone(tmp_path: Path) -> None:
    done = run(tmp_path, chromium="exit 1", apt_get="exit 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_root_gets_it_installed(tmp_path: Path) -> None:
    done = run(tmp_path, id="echo 0", apt_get=f'echo "$@" >> "{tmp_path}/asked"')
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "asked").read_text(encoding="utf-8").splitlines() == [
        "update -qq",
        "install -y -qq --no-install-recommends chromium fonts-noto-cjk",
    ]


@pytest.mark.parametrize("commands", [{"id": "echo 1000", "apt_get": "exit 1"}, {"id": "echo 0"}])
def test_anybody_else_is_told_what_is_needed(commands: dict[str, str], tmp_path: Path) -> None:
    done = run(tmp_path, **commands)
    assert done.returncode == 3
    assert "chromium and fonts-noto-cjk" in done.stderr

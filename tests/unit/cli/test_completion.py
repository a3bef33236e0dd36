import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.command import here, process
from workings.cli.verbs.completion import SHELLS, VARIABLE
from workings.examples.library import names
from workings.render.targets import ARRAYS, TARGETS

CHECK = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("shell", SHELLS)
def test_script_is_valid(capsys: pytest.CaptureFixture[str], shell: str, tmp_path: Path) -> None:
    done = here(capsys, "completion", shell)
    assert (done.code, done.err) == (0, "")
    assert VARIABLE in done.out
    assert "%(" not in done.out
    script = tmp_path / "script"
    script.write_text(done.out, encoding="utf-8")
    if shutil.which(shell):
        assert subprocess.run([*CHECK[shell], script], capture_output=True, check=False).stderr == b""


def _completed(*words: str) -> list[str]:
    env = {VARIABLE: "bash_complete", "COMP_WORDS": "\n".join(("workings", *words)), "COMP_CWORD": str(len(words))}
    done = process(env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    return [line.partition(",")[2] for line in done.stdout.decode().splitlines()]


def test_verbs_options_choices_and_names_are_completed() -> None:
    assert _completed("ex") == ["explain"]
    assert _completed("explain", "") == list(names())
    assert _completed("cell", "time") == ["time-machine", "time-machine-true"]
    assert _completed("explain", "kitten", "--to", "m") == ["md"]
    assert _completed("explain", "kitten", "--to", "") == [*TARGETS, *ARRAYS, "json"]
    assert "--token" in _completed("explain", "kitten", "--")
    assert _completed("explain", "kitten", "--lang", "") == ["en", "zh"]
    assert _completed("completion", "f") == ["fish"]
    assert _completed("explain", "kitten", "--precision", "e") == ["exact"]


def test_what_is_no_name_is_completed_as_a_file() -> None:
    env = {VARIABLE: "bash_complete", "COMP_WORDS": "workings explain ./x", "COMP_CWORD": "2"}
    assert process(env=env).stdout.decode().startswith("file,")


def test_bash_itself_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "workings").write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m workings "$@"\n', encoding="utf-8"
    )
    (tmp_path / "workings").chmod(0o755)
    script = here(capsys, "completion", "bash").out
    ask = 'COMP_WORDS=(workings explain kit); COMP_CWORD=2; _workings_completion workings; echo "${COMPREPLY[@]}"'
    program = f"PATH={shlex.quote(str(tmp_path))}:$PATH\n{script}\n{ask}\n"
    done = subprocess.run(["bash", "-c", program], capture_output=True, check=False)
    assert done.stdout.decode().strip() == "kitten", done.stderr.decode()

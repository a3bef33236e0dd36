"""The same bytes wherever and however the command is run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = [
    ("explain", "encoder-six"),
    ("explain", "two-heads", "--to", "md"),
    ("explain", "time-machine", "--to", "json"),
    ("cell", "kitten", "weight[2,0]", "--json"),
    ("explain", "-h"),
    ("completion", "bash"),
]
ENVIRONMENTS = {
    "seed 0": {"PYTHONHASHSEED": "0"},
    "seed 1": {"PYTHONHASHSEED": "1"},
    "C": {"LANG": "C", "LC_ALL": "C"},
    "Turkish": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    "Chinese": {"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8", "LANGUAGE": "zh_CN"},
    "no locale": {"LANG": "", "LC_ALL": ""},
    "time zone": {"TZ": "Asia/Shanghai"},
    "no home": {"HOME": "", "XDG_CONFIG_HOME": "", "USER": ""},
    "narrow": {"COLUMNS": "20", "LINES": "5"},
    "no optimum": {"PYTHONOPTIMIZE": "2"},
}


def _bytes(command: tuple[str, ...], cwd: Path, changed: dict[str, str]) -> bytes:
    environment = {name: value for name, value in {**os.environ, **changed}.items() if value}
    if "PYTHONPATH" in environment:
        environment["PYTHONPATH"] = os.path.abspath(environment["PYTHONPATH"])
    line = [sys.executable, "-m", "workings", *command, "--lang", "en"]
    done = subprocess.run(line, cwd=cwd, env=environment, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_bytes_everywhere(command: tuple[str, ...], tmp_path: Path) -> None:
    usual = _bytes(command, Path.cwd(), {})
    assert usual
    for name, changed in ENVIRONMENTS.items():
        assert _bytes(command, tmp_path, changed) == usual, name


@pytest.mark.parametrize("changed", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_a_file_beside_us_gives_the_same_bytes(changed: dict[str, str], tmp_path: Path) -> None:
    example = {"tokens": ["İ", "ı", "I"], "inputs": {"X": [[1, 0], [0, 1], [1, 1]], "W_Q": [[1, 2], [3, 4]]}}
    example["inputs"] |= {"W_K": [["1/3", 0], [0, 1]], "W_V": [["sqrt(2)", 1], [1, 0]]}  # type: ignore[operator]
    (tmp_path / "mine.json").write_text(json.dumps(example), encoding="utf-8")
    assert _bytes(("explain", "mine.json"), tmp_path, changed) == _bytes(("explain", "mine.json"), tmp_path, {})

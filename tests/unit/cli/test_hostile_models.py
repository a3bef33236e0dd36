"""Hostile models and tensors on the command line: one clear line, nothing written, no library of models ever loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile import HOSTILE, HOSTILE_TENSORS
from tests.support.model_files import folder
from tests.unit.cli.command import one_line

LANGUAGES = ("en", "zh")
INPUTS = ", as inputs"
CASES = [*HOSTILE, *HOSTILE_TENSORS, *(name + INPUTS for name in HOSTILE_TENSORS)]
HIDING = set("\x1b\r\0\u202e\u2066")  # what a terminal would obey, or show in another order
# One process for all of them: what none of them loads, not one has loaded. Each result is written at once.
PROGRAM = """
import contextlib, io, json, os, resource, sys
from workings.cli.main import run

def most():  # what the parent took counts in it from the beginning
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

before = most()
for line in sys.stdin:
    name, arguments, out = json.loads(line)
    for lang in ("en", "zh"):
        said, told = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
            code = run([*arguments, "--lang", lang])
        found = {"code": code, "out": told.getvalue(), "err": said.getvalue(), "made": os.path.exists(out)}
        print(json.dumps([name, lang, found]), flush=True)
loaded = sorted({"torch", "transformers", "gguf", "safetensors", "tokenizers"} & set(sys.modules))
print(json.dumps(["", "", {"loaded": loaded, "bytes": most() - before}]))
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """What the command said of each model in each language."""
    lines, model = [], str(folder(tmp_path_factory.mktemp("good") / "model"))
    for place, name in enumerate(CASES):
        at = tmp_path_factory.mktemp(f"hostile{place}")
        out = str(at / "out")
        if name in HOSTILE:
            arguments = ["trace", str(HOSTILE[name].build(at)), "--text", "a", "-o", out]
        else:
            path = str(HOSTILE_TENSORS[name.removesuffix(INPUTS)](at))
            arguments = ["trace", model, "--inputs", path, "-o", out] if name.endswith(INPUTS) else ["compare", path]
        lines.append(json.dumps([name, arguments, out]))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input="\n".join(lines), env=environment, capture_output=True, check=False,
        encoding="utf-8", timeout=600,
    )  # fmt: skip
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (found[-1:], done.stderr)
    return {(name, lang): told for name, lang, told in found}


@pytest.mark.parametrize("name", CASES)
def test_one_clear_line(name: str, results: dict[tuple[str, str], dict[str, Any]]) -> None:
    lines = []
    for lang in LANGUAGES:
        told = results[name, lang]
        assert (told["code"], told["out"], told["made"]) == (3, "", False)
        lines.append(one_line(told["err"]))
    english, chinese = lines
    assert english != chinese
    for line in lines:
        assert "{" not in line.replace('{"', "")
        assert "hostile" in line, "the file is named"
        assert "Traceback" not in line
        assert not set(line) & HIDING
        assert len(line) < 500


def test_nothing_heavy_was_loaded(results: dict[tuple[str, str], dict[str, Any]]) -> None:
    told = results["", ""]
    assert told["loaded"] == []
    assert told["bytes"] < 200 * 2**20


def test_code_of_a_hostile_file_would_have_been_heard(tmp_path: Path) -> None:
    """The pickles of these tests do run a command when something opens them."""
    path = HOSTILE["pickle-4 as model.pt"].build(tmp_path)
    program = "import pickle, sys; pickle.loads(open(sys.argv[1], 'rb').read())"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=True, timeout=60)
    assert done.stdout == b"ran\n"

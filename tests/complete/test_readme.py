"""What the READMEs show can be typed as it stands."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.dumps import plain_dump
from tests.support.pages import exit_code
from tests.support.real_models import minilm
from tools.file_list import ROOT
from workings.examples.library import names
from workings.examples.read import read_text

READMES = ("README.md", "README.zh.md")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", READMES)
def test_example_files_work(name: str) -> None:
    (text,) = blocks(name, "toml")
    assert read_text(text, kind="toml").recipe().ops[-1].name.name == "output"


@pytest.mark.parametrize("name", READMES)
def test_python_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, _ = blocks(name, "python")  # the second needs a recording: test_pages.py
    known: dict[str, Any] = {}
    exec(compile(text, name, "exec"), known)  # noqa: S102 - our own document
    assert str(known["number"]) == "0.402653153134"


@pytest.mark.parametrize("name", READMES)
def test_commands_of_the_table_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text, (example,) = (ROOT / name).read_text(encoding="utf-8"), blocks(name, "toml")
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(example, encoding="utf-8")
    Path("notes.md").write_text("$0.5 * 0.5 = 0.25$, and $2 * 3 = 6$\n", encoding="utf-8")
    Path("model").symlink_to(minilm())
    np.savez("kernel.npz", **plain_dump())
    commands = re.findall(r"^\| `workings (.+?)` \|", text, re.MULTILINE)
    assert len(commands) >= 9
    for command in commands:
        assert exit_code(f"workings {command}") == 0, command
    assert capfdbinary.readouterr().err == b""


@pytest.mark.parametrize("name", READMES)
def test_every_built_in_example_is_listed(name: str) -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert {word for row in rows for word in re.findall("`([^ `]+)`", row)} == set(names())

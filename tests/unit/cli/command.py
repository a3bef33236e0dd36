"""Runs the command: in this process, or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from workings.cli.main import run


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """In this process."""
    code = run(arguments)
    captured = capsys.readouterr()
    return Done(code, captured.out, captured.err)


def process(
    *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: str | os.PathLike[str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """As a process, with its output piped. An empty value in ``env`` removes a variable."""
    environment = {name: value for name, value in {**os.environ, **(env or {})}.items() if value}
    if "PYTHONPATH" in environment:
        environment["PYTHONPATH"] = os.path.abspath(environment["PYTHONPATH"])
    command = [sys.executable, "-W", "error", "-m", "workings", *arguments]
    return subprocess.run(command, input=stdin, env=environment, cwd=cwd, capture_output=True, check=False, timeout=120)


def one_line(text: str) -> str:
    """The only line of standard error, without the command's name before it."""
    assert text.startswith("workings: "), text
    assert text.count("\n") == 1, text
    assert text.endswith("\n")
    return text.removeprefix("workings: ").rstrip("\n")

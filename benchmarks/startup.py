"""Whole process: `workings explain kitten` against an interpreter that only imports numpy."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from benchmarks.figure import Figure, compared, ratios

PAIRS = 25


def _process(*arguments: str) -> None:
    """A process as a user starts it: with compiled modules kept from the run before."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)


def run() -> list[Figure]:
    """One figure, from pairs of processes started in turn with their output piped."""
    explain = partial(_process, "-m", "workings", "explain", "kitten")
    yardstick = partial(_process, "-c", "import numpy")
    name = "`workings explain kitten` / `python -c 'import numpy'`, whole process"
    return [compared(name, ratios(explain, yardstick, PAIRS), limit=2.0, aim=1.5)]

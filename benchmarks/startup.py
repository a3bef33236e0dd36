"""Whole process: `workings explain kitten` against an interpreter that only imports numpy."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.figure import Figure, compared, ratios

PAIRS = 25


def _process(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def run() -> list[Figure]:
    """One figure, from pairs of processes started in turn with their output piped."""
    explain = partial(_process, "-m", "workings", "explain", "kitten")
    yardstick = partial(_process, "-c", "import numpy")
    name = "`workings explain kitten` / `python -c 'import numpy'`, whole process"
    return [compared(name, ratios(explain, yardstick, PAIRS), limit=2.0, aim=1.5)]

"""Runs every benchmark and writes RESULTS.md: `python -m benchmarks`; with names only these, and nothing is written."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import benchmarks
from benchmarks.figure import Figure
from tools.found import runs

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """# Results

Written by `{command}`. Every figure is a ratio of two things timed in turn within one run on one machine, so it can be
compared between machines; times alone are not kept.

"""


def table(figures: list[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = ["| figure | ratio | limit | aim | holds | measured |", "|---|---|---|---|---|---|"]
    for figure in figures:
        aim = "" if figure.aim is None else f"{figure.aim:g}×"
        holds = "yes" if figure.holds else "**no**"
        rows.append(f"| {figure.name} | {figure.ratio:.2f}× | {figure.limit:g}× | {aim} | {holds} | {figure.detail} |")
    return "\n".join(rows) + "\n"


def measured(package: ModuleType, results: Path, command: str, names: Sequence[str] = ()) -> int:
    """Measure everything in a package, print the table and write it; 1 where a limit is passed.

    Args:
        names: modules of it; where some are named only these are measured, and nothing is written.
    """
    figures: list[Figure] = []
    for name, run in runs(package):
        if not names or name in names:
            print(f"measuring {name}", file=sys.stderr)
            figures += run()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    text = f"{table(figures)}\nPython {platform.python_version()}, {machine}.\n"
    if not names:
        results.write_text(HEAD.format(command=command) + text, encoding="utf-8")
    print(text, end="")
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(measured(benchmarks, RESULTS, "make bench", sys.argv[1:]))

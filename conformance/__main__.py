"""Runs every suite and writes RESULTS.md: `python -m conformance`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import conformance
from conformance.conventions import table as conventions
from conformance.row import Row
from tools.found import runs

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """# Conformance

Written by `make conformance`. Each row is a suite or an oracle that nobody here wrote, and how many of its cases agree.

"""


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table; under it what each tolerance is, and every case that does not agree."""
    heads = ("suite", "through", "agree", "largest difference", "largest tolerance", "tolerance")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    notes = list(dict.fromkeys(row.tolerance for row in rows))
    for row in rows:
        agree = f"{row.passed}/{row.cases}" if row.holds else f"**{row.passed}/{row.cases}**"
        note = notes.index(row.tolerance) + 1
        lines.append(
            f"| {row.suite} | {row.through} | {agree} | {_sizes(row.worst)} | {_sizes(row.widest)} | {note} below |"
        )
    lines += ["", "How far apart two numbers may be:", ""]
    lines += [f"{place}. {note}" for place, note in enumerate(notes, 1)]
    failures = [f"- {failure}" for row in rows for failure in row.failures]
    return "\n".join([*lines, *([""] if failures else []), *failures]) + "\n"


def _sizes(by_type: Mapping[str, float]) -> str:
    return ", ".join(f"{dtype} {size:.1e}" for dtype, size in by_type.items())


def main() -> int:
    """Run everything, write and print the tables; 1 where a case does not agree."""
    rows: list[Row] = []
    for name, run in runs(conformance):
        print(f"running {name}", file=sys.stderr)
        rows += run()
    text = f"{table(rows)}\n{conventions()}"
    RESULTS.write_text(HEAD + text, encoding="utf-8")
    print(text, end="")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""What the checker reads of our own documents: every built-in example in each language, drawn by each text target.

``python -m tests.documents.own`` prints the table; ``--write`` puts it into ``own.txt``.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import workings as w
from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.examples import library

TABLE = Path(__file__).parent / "own.txt"
LANGUAGES = ("en", "zh")
TARGETS = {"text": "txt", "md": "md", "tex": "tex", "html": "html"}
BAD = ("wrong", "follows", "truncated")


@dataclass(frozen=True)
class Read:
    """How many numbers of a document are claims, and how many of these are bound to a cell."""

    claims: int
    bound: int

    def __str__(self) -> str:
        return f"{self.claims:>6} {self.bound:>5}"


@cache
def text(example: str, lang: str, target: str, show: str = "all", **view: Any) -> str:
    """An example with all its arithmetic written out, or with less, or with other digits."""
    return str(w.explain(example, lang=lang, **view).explain(show=show).draw(target))


def judged(source: str, target: str) -> Report:
    """The checker's report on a text."""
    paper = paper_from_text(source, name=f"own.{TARGETS[target]}")
    return check(paper, statements(paper))


def read(report: Report) -> Read:
    """The counts of a report."""
    return Read(len(report.claims), sum(claim.address is not None for claim in report.claims))


def row(example: str, lang: str) -> str:
    """One line of the table."""
    counts = (read(judged(text(example, lang, target), target)) for target in TARGETS)
    return f"{example:<20} {lang}  " + "  ".join(map(str, counts))


def head() -> str:
    """Its head: under each target the claims, and those bound to a cell."""
    return " " * 23 + "".join(f"  {target + ' bound':>12}" for target in TARGETS)


def known() -> dict[tuple[str, str], dict[str, Read]]:
    """The table in ``own.txt``."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        example, lang, *counts = line.split()
        pairs = zip(counts[::2], counts[1::2], strict=True)
        found[example, lang] = {target: Read(int(a), int(b)) for target, (a, b) in zip(TARGETS, pairs, strict=True)}
    return found


def main() -> None:
    """Print or write the table."""
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    wanted = options.parse_args()
    lines = [head(), *(row(example, lang) for lang in LANGUAGES for example in library.names())]
    if wanted.write:
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()

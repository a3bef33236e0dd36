"""Writes the generated parts of the documents, between their markers, and checks that they are current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.file_list import ROOT, file_list


@dataclass(frozen=True)
class Part:
    """A stretch of a document that is made, not written."""

    document: str
    marker: str
    make: Callable[[], str]

    def new_text(self, old: str) -> str:
        """The document with the part made anew. Raises ``ValueError`` where its markers are gone."""
        begin, end = f"<!-- {self.marker}:begin -->\n", f"<!-- {self.marker}:end -->\n"
        before, found, rest = old.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"{self.document} has lost the markers of its part {self.marker!r}")
        return before + begin + self.make() + end + after


def sample(lang: str) -> str:
    """The weights of the built-in example ``kitten``, as the command prints them."""
    import workings as w

    text = w.explain("kitten").explain(lang=lang).to_text()
    start = text.index({"en": "Step 5:", "zh": "第 5 步："}[lang])
    stop = text.index({"en": "Step 6:", "zh": "第 6 步："}[lang])
    return f"```text\n{text[start:stop].strip()}\n```\n"


PARTS = (
    Part("ARCHITECTURE.md", "files", file_list),
    Part("README.md", "sample", lambda: sample("en")),
    Part("README.zh.md", "sample", lambda: sample("zh")),
)


def stale(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Documents that are out of date, with what they should say."""
    documents = {part.document: (root / part.document).read_text(encoding="utf-8") for part in PARTS}
    for name, old in documents.items():
        new = old
        for part in PARTS:
            if part.document == name:
                new = part.new_text(new)
        if new != old:
            yield root / name, new


def main() -> int:
    """Check (the default) or write; 1 where a part is out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.generated", description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="only say whether all parts are current (the default)")
    choice.add_argument("--write", action="store_true", help="write them")
    write: bool = parser.parse_args().write
    late = list(stale())
    for path, new in late:
        if write:
            path.write_text(new, encoding="utf-8")
        else:
            print(f"{path.name}: a generated part is out of date; `make fix` writes it", file=sys.stderr)
    return 1 if late and not write else 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes the generated parts of the documents, between their markers, and checks that they are current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.file_list import ROOT, file_list

NOTES = """Q = [[1, 2], [3, 1]], K = [[1, 0], [2, 1]], V = [[1, 2], [3, 4]]

S = QK^T = [[1, 4], [3, 7]]

Scaled by √2: scaled scores = [[0.5, 2], [1.5, 3.5]]

Attention weights = [[0.182, 0.818], [0.119, 0.881]]
"""


ENDINGS = {"en": ".md", "zh": ".zh.md"}


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


def checked(lang: str) -> str:
    """What ``workings check`` says of a document with a slip."""
    import workings as w

    with TemporaryDirectory() as folder:
        path = Path(folder) / "notes.md"
        path.write_text(NOTES, encoding="utf-8")
        text = w.check(path, lang=lang).to_text()
    said = text.split("\n", 3)[3].strip()
    return f"```markdown\n{NOTES.strip()}\n```\n\n```text\n{said}\n```\n"


def gallery(lang: str) -> str:
    """Every slip that a document can show."""
    from tools.gallery import page

    return page(lang)


PARTS = (
    Part("ARCHITECTURE.md", "files", file_list),
    Part("README.md", "sample", lambda: sample("en")),
    Part("README.zh.md", "sample", lambda: sample("zh")),
    Part("README.md", "checked", lambda: checked("en")),
    Part("README.zh.md", "checked", lambda: checked("zh")),
    Part("docs/gallery.md", "gallery", lambda: gallery("en")),
    Part("docs/gallery.zh.md", "gallery", lambda: gallery("zh")),
)


def pages() -> Iterator[tuple[str, str]]:
    """Documents that are made as a whole, with what they say."""
    from tools import causes, commands, glossary, steps

    for lang, ending in ENDINGS.items():
        yield f"docs/causes{ending}", causes.page(lang)
        yield f"docs/cli{ending}", commands.page(lang)
        yield f"docs/glossary{ending}", glossary.page(lang)
    yield from steps.pages()


def left_over(root: Path = ROOT) -> list[Path]:
    """Pages of steps that are declared no longer."""
    made = {root / name for name, _ in pages()}
    return sorted(path for path in (root / "docs/steps").glob("*.md") if path not in made)


def stale(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Documents that are out of date, with what they should say."""
    for name, text in pages():
        path = root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, text
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
    late, gone = list(stale()), left_over()
    for path, new in late:
        if write:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new, encoding="utf-8")
        else:
            print(f"{path.relative_to(ROOT)}: a generated part is out of date; `make fix` writes it", file=sys.stderr)
    for path in gone:
        if write:
            path.unlink()
        else:
            print(f"{path.relative_to(ROOT)}: its step is declared no longer; `make fix` removes it", file=sys.stderr)
    return 1 if (late or gone) and not write else 0


if __name__ == "__main__":
    sys.exit(main())

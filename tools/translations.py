"""Keeps hand-written Chinese pages in step with the English: each section records which English text it translates."""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.file_list import ROOT

PAGES = ("README", "docs/tutorial", "docs/digits", "docs/web", "docs/extending", "docs/learned")
MARK = re.compile(r"^<!-- translates ([0-9a-f]{8}|-), written ([0-9a-f]{8}|-) -->\n", re.MULTILINE)
MADE = re.compile(r"^<!-- (\w+):begin -->\n.*?^<!-- \1:end -->\n", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
UNKNOWN = "-"


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it, up to the next heading; ``marks`` are those of the English and of itself."""

    heading: str
    body: str
    marks: tuple[str, str] = (UNKNOWN, UNKNOWN)

    @property
    def mark(self) -> str:
        """Changes with every sentence, but not with what is made, run or drawn: that is checked elsewhere."""
        text = FENCED.sub("", MADE.sub("", f"{self.heading}\n{self.body}"))
        return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def sections(text: str) -> list[Section]:
    """The sections of a page; a line within a code block is no heading."""
    found: list[list[str]] = []
    fenced = False
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if not found or (not fenced and re.match(r"#{1,6} ", line)):
            found.append([line])
        else:
            found[-1].append(line)
    return [_section(lines[0], "".join(lines[1:])) for lines in found]


def _section(heading: str, body: str) -> Section:
    mark = MARK.match(body)
    return Section(heading, body[mark.end() :], (mark[1], mark[2])) if mark else Section(heading, body)


def pairs(page: str, root: Path) -> list[tuple[Section, Section]]:
    """English and Chinese sections side by side. Raises ``ValueError`` where they are not as many."""
    english, chinese = (sections((root / f"{page}{end}").read_text(encoding="utf-8")) for end in (".md", ".zh.md"))
    if [_level(one) for one in english] != [_level(one) for one in chinese]:
        raise ValueError(f"{page}.zh.md has not the sections of {page}.md")
    return list(zip(english, chinese, strict=True))


def _level(section: Section) -> int:
    return len(section.heading) - len(section.heading.lstrip("#"))


def stale(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Page and heading of every Chinese section whose English has changed since it was translated."""
    for page in PAGES:
        for english, chinese in pairs(page, root):
            if chinese.marks[0] != english.mark:
                yield f"{page}.zh.md", chinese.heading.strip()


def confirmed(page: str, root: Path, *, as_it_is: bool) -> str:
    """The Chinese page with the marks of today where its text was touched, or everywhere if it is right as it is."""
    parts = []
    for english, chinese in pairs(page, root):
        old, own = chinese.marks
        current = old == english.mark or as_it_is or chinese.mark != own
        marks = (english.mark, chinese.mark) if current else (old, own)
        parts.append(f"{chinese.heading}<!-- translates {marks[0]}, written {marks[1]} -->\n{chinese.body}")
    return "".join(parts)


def main() -> int:
    """Name the stale sections (the default), or confirm those that were brought up to date; 1 where some are left."""
    parser = argparse.ArgumentParser(prog="python -m tools.translations", description=__doc__)
    parser.add_argument("--confirm", action="store_true", help="record that touched sections are up to date")
    parser.add_argument("--as-it-is", metavar="PAGE", help="a Chinese page that needs no change, as docs/digits.zh.md")
    asked = parser.parse_args()
    if asked.confirm or asked.as_it_is:
        for page in PAGES:
            text = confirmed(page, ROOT, as_it_is=asked.as_it_is == f"{page}.zh.md")
            (ROOT / f"{page}.zh.md").write_text(text, encoding="utf-8")
    late = list(stale())
    for page, heading in late:
        print(f"{page}: the English of “{heading}” has changed; see docs/extending.md, “These pages”", file=sys.stderr)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())

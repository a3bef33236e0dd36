"""The project's own documents, cut into what a test can run: commands, samples, links."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tests.support.serving import serving
from tools.file_list import ROOT
from workings.cli.main import run

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`workings ([^`\n]+)`")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def pages() -> list[str]:
    """Every Markdown page that a reader meets, from the root of the project."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """(language, text) of every code block, in order."""
    for found in FENCED.finditer(text_of(page)):
        yield found[1], found[2]


def commands(page: str) -> Iterator[tuple[str, str]]:
    """(command, the last TOML block before it): lines of shell blocks, then what stands in running text."""
    toml = ""
    for language, text in blocks(page):
        if language == "toml":
            toml = text
        elif language == "sh":
            yield from (
                (line, toml) for line in text.splitlines() if re.search(r"\bworkings ", line) and line[0] != "#"
            )
    for found in INLINE.finditer(FENCED.sub("", text_of(page)).replace("\\|", "|")):
        if " " in found[1]:  # the bare name of a verb is a name, no command
            yield f"workings {found[1]}", toml


def links(page: str) -> Iterator[tuple[Path, str]]:
    """(file, anchor) of every link that stays within the project."""
    for target in LINK.findall(FENCED.sub("", text_of(page))):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield (ROOT / page).parent / path if path else ROOT / page, anchor


def exit_code(command: str) -> int:
    """What a command of ours ends with; a server is stopped as soon as it says where it is."""
    words = shlex.split(command, comments=True)[1:]
    if words[:1] != ["serve"]:
        return run(words)
    with serving(*words[1:]):
        return 0

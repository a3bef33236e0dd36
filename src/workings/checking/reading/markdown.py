"""Markdown: ``markdown-it-py`` finds fences, headings and HTML; displays are hidden from it, their lines kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from workings.checking.paper import Piece
from workings.checking.reading import html
from workings.checking.reading.text import DISPLAY, FENCE, Blocks, closer, mark
from workings.checking.reading.text import MARK as MARK_LINE
from workings.checking.reading.weave import level

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_DEPTH = 20
_HTML_TABLE = re.compile(r"<(table|math|pre)\b", re.IGNORECASE)


def read(source: str, cell: int | None = None) -> list[Piece]:
    """The pieces of a Markdown document (or of a Markdown cell)."""
    flat = level(source)
    starts = [0]
    for found in re.finditer("\n", flat):
        starts.append(found.end())
    starts.append(len(flat))
    blocks = Blocks(flat, cell, fences=False)
    pieces: list[Piece] = []
    position = 0
    for kind, first, last, info in _special(_hidden(flat)):
        start, stop = starts[min(first, len(starts) - 1)], starts[min(last, len(starts) - 1)]
        if start < position:
            continue
        pieces += blocks.pieces(position, start)
        pieces += _piece(blocks, kind, start, stop, info)
        position = stop
    pieces += blocks.pieces(position, len(flat))
    return pieces


def _piece(blocks: Blocks, kind: str, start: int, stop: int, info: str) -> Iterator[Piece]:
    flat = blocks.flat
    if kind == "heading_open":
        text = re.match(r"[ \t>]*(?:#{1,6}[ \t]+)?", flat[start:stop])
        begin = start + (text.end() if text else 0)
        yield blocks.heading(begin, max(begin, start + len(flat[start:stop].rstrip(" \t\n#="))))
    elif kind == "fence":
        begin = flat.find("\n", start, stop) + 1 or stop
        last = flat.rfind("\n", begin, max(begin, stop - 1)) + 1
        closed = last >= begin and re.match(r"[ \t>]*(`{3,}|~{3,})[ \t]*$", flat[last:stop].rstrip("\n"))
        yield from blocks.fenced(begin, max(begin, last) if closed else stop, info)
    elif found := MARK_LINE.match(flat[start:stop].rstrip("\n")):
        yield mark(flat, start, found, blocks.cell)
    elif _HTML_TABLE.search(flat, start, stop):
        yield from html.pieces(flat, start, stop, blocks.cell)
    else:
        yield from blocks.pieces(start, stop)


def _special(hidden: str) -> Iterator[tuple[str, int, int, str]]:
    """Kind, first and last line, language of the blocks that are not running text."""
    for token in _parser().parse(hidden):
        if token.map and token.type in ("fence", "heading_open", "html_block"):
            words = token.info.split()
            yield token.type, token.map[0], token.map[1], words[0].lower() if words else ""


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _DEPTH})
    parser.core.ruler.disable(["inline", "text_join"])
    parser.block.ruler.disable("reference")
    return parser


def _hidden(flat: str) -> str:
    """The text with displayed mathematics, and rows of tables, as lines of letters: no markup is found in them."""
    lines = flat.split("\n")
    close, fence = "", ""
    closers = {"$$": flat.rfind("$$"), "\\]": flat.rfind("\\]")}
    offset = 0
    for number, line in enumerate(lines):
        begin, offset = offset, offset + len(line) + 1
        if fence:
            fence = "" if line.lstrip(" \t>").startswith(fence) else fence
            continue
        if close:
            at = line.find(close)
            lines[number] = "x" if at < 0 else "x" * (at + len(close)) + line[at + len(close) :]
            close = close if at < 0 else ""
            continue
        found = FENCE.match(line)
        if found:
            fence = found[1]
            continue
        opened = None if line.lstrip().startswith("|") else DISPLAY.search(line)
        if opened:
            wanted = closer(opened)
            at = line.find(wanted, opened.end())
            last = closers.get(wanted)
            if last is None:
                last = closers.setdefault(wanted, flat.rfind(wanted))
            if at < 0 and last > begin + opened.end():
                close = wanted
            if at >= 0 or close:
                lines[number] = line[: opened.start()] + "x"
    return "\n".join(lines)

"""HTML: one file without scripts that asks nothing of the network; the frame of a page, and blocks as elements.

Whatever is the user's stands escaped and inert: it can become no element, no attribute and no address.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from workings.explaining.tree import (
    Block,
    Document,
    Equation,
    Heading,
    Inline,
    Items,
    Link,
    Matrix,
    Paragraph,
    Table,
    Text,
)
from workings.render.inert import inert
from workings.render.inline import CODE, TOKEN, equation_label, runs, said, sentence
from workings.render.layout import caption, is_numeric
from workings.render.maths import draw_chain
from workings.render.words import Words

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --soft: #5b5f66; --line: #c9ccd1; --shade: #f4f5f7;
  --link: #0b57a4; --han: "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC";
  --sans: system-ui, sans-serif, var(--han); --mono: ui-monospace, monospace, var(--han); }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --paper: #16171a; --soft: #a9adb5; --line: #43464d;
  --shade: #202226; --link: #8ec1ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 var(--sans); overflow-wrap: break-word; }
h1 { font-size: 1.25rem; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
p { margin: 0.5rem 0; }
a { color: var(--link); } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre, .equation { font-family: var(--mono); font-size: 0.9rem; }
.equation { margin: 0.5rem 0; padding-left: 3.5rem; text-indent: -2rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } bdi { word-break: keep-all; }
table { border-collapse: collapse; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); }
th, td { padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td a, p a { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
@page { margin: 15mm; }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --line: #999; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; } .skip { display: none; }
  code, pre, .equation { font-size: 9pt; }
  h2, h3 { break-after: avoid; } tr, .equation { break-inside: avoid; } }
"""

HAN, KANA = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]")
NUMERIC = ' class="number"'


def page(title: str, body: str, words: Words, style: str = "") -> str:
    """A whole page; ``body`` is HTML, ``title`` is not."""
    css = STYLE + style
    policy = f"default-src 'none'; style-src 'sha256-{_hash(css)}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!DOCTYPE html>\n<html lang="{words.lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _hash(css: str) -> str:
    return base64.b64encode(hashlib.sha256(css.encode("utf-8")).digest()).decode("ascii")


@dataclass
class Blocks:
    """Draws the blocks of one document.

    Args:
        prefix: stands before the names of places, so that several documents share a page.
        lowest: what a heading of level 1 becomes.
        places: places elsewhere on the page; a link to any other is drawn as its text.
        named: places that have been named so far.
    """

    words: Words
    prefix: str = ""
    lowest: int = 1
    places: frozenset[str] = frozenset()
    named: set[str] = field(default_factory=set)

    def draw(self, document: Document) -> str:
        """The blocks in their order, without the title."""
        return "\n".join(map(self.block, document.blocks))

    def block(self, block: Block) -> str:
        """One block."""
        match block:
            case Heading():
                level = min(block.level + self.lowest - 1, 6)
                return f"<h{level}>{self.inline(block.text)}</h{level}>"
            case Paragraph():
                joint = self.words.sentence("target.sentences")
                return f"<p>{joint.join(map(self.inline, block.sentences))}</p>"
            case Equation():
                label = escape(equation_label(block.label, self.words))
                return f'<p class="equation">{label}{escape(draw_chain(block.left, block.chain))}</p>'
            case Matrix():
                return _wide("".join(self._matrix(block)))
            case Table():
                kinds = [is_numeric(block, place) for place in range(len(block.header))]
                head = self._row(block.header, kinds, "th")
                rows = "".join(f"<tr>{self._row(row, kinds)}</tr>" for row in block.rows)
                return _wide(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")

    def inline(self, item: Inline) -> str:
        """An inline part with its links."""
        match item:
            case Link():
                name, inner = self.name(item.name), self.inline(item.text)
                if item.to not in self.places:
                    return f"<span{name}>{inner}</span>"
                return f'<a{name} href="#{escape(self.prefix + item.to)}">{inner}</a>'
            case Items():
                joints = self.words.joints([sentence(part, self.words) for part in item.parts])
                return "".join(
                    self.inline(part) + escape(joint) for part, joint in zip(item.parts, joints, strict=True)
                )
            case Text():
                return "".join(
                    escape(own) + (self.inline(item.args[name]) if name else "")
                    for own, name in self.words.pieces(item.key)
                )
            case _:
                return "".join(self._run(kind, text) for kind, text in runs(item, self.words))

    def name(self, name: str) -> str:
        """The attribute that gives a place its name; nothing where the name is taken or empty."""
        if not name or name in self.named:
            return ""
        self.named.add(name)
        return f' id="{escape(self.prefix + name)}"'

    def _run(self, kind: str, text: str) -> str:
        if kind == CODE:
            return f"<code>{escape(text)}</code>"
        drawn = escape(said(kind, text, self.words))
        if kind != TOKEN or text.isascii():
            return drawn
        lang = spoken(text)
        return f"<bdi{lang_attribute(lang) if lang not in ('', self.words.lang) else ''}>{drawn}</bdi>"

    def _row(self, row: Sequence[Inline], kinds: Sequence[bool], tag: str = "td") -> str:
        scope = ' scope="col"' if tag == "th" else ""
        starts = (f"{tag}{scope}{NUMERIC if number else ''}" for number in kinds)
        cells = (self.inline(cell) for cell in row)
        return "".join(f"<{start}>{cell}</{tag}>" for start, cell in zip(starts, cells, strict=True))

    def _matrix(self, matrix: Matrix) -> Iterator[str]:
        words = self.words
        yield f"<table><caption>{escape(caption(matrix, words))}</caption>"
        corner = escape(" \\ ".join(name for name in matrix.corner if name))
        if matrix.columns:
            notes = matrix.column_notes or ()
            cells = [
                self.inline(column) + (f"<br>{self.inline(notes[place])}" if notes else "")
                for place, column in enumerate(matrix.columns)
            ]
            heads = "".join(f'<th scope="col" class="number">{cell}</th>' for cell in cells)
            yield f'<thead><tr><th scope="col">{corner}</th>{heads}</tr></thead>'
        yield "<tbody>"
        for place, (name, row) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
            note = f"<td>{self.inline(matrix.row_notes[place])}</td>" if matrix.row_notes else ""
            numbers = "".join(f'<td class="number">{escape(inert(cell))}</td>' for cell in row)
            yield f'<tr><th scope="row">{self.inline(name)}</th>{numbers}{note}</tr>'
        yield "</tbody></table>"


def spoken(text: str) -> str:
    """The language that a user's text is to be read out and set in: Chinese where it shows, else not known."""
    return "zh" if HAN.search(text) and not KANA.search(text) else ""


def lang_attribute(lang: str) -> str:
    """The attribute that says in which language an element is; empty for a language not known."""
    return f' lang="{lang}"'


def plain(item: Inline, words: Words) -> str:
    """An inline part as a line of text, for a title."""
    return sentence(item, words)


def _wide(table: str) -> str:
    """A table that scrolls by itself where the window is narrow; reachable by keyboard."""
    return f'<div class="wide" tabindex="0">{table}</div>'

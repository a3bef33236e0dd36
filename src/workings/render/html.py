"""HTML: one file without scripts that asks nothing of the network; the frame of a page, and blocks as elements.

Whatever is the user's stands escaped and inert: it can become no element, no attribute and no address.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby
from math import ceil

from workings.explaining.tree import (
    Blank,
    Block,
    Cell,
    Document,
    Equation,
    Heading,
    Hidden,
    Inline,
    Items,
    Link,
    Matrix,
    PageBreak,
    Paragraph,
    Plot,
    Table,
    Text,
)
from workings.render import plot
from workings.render.inert import inert
from workings.render.inline import (
    CODE,
    TOKEN,
    cell_text,
    equation_label,
    label,
    pieces,
    runs,
    said,
    sentence,
    with_title,
)
from workings.render.layout import has_point_place, is_numeric
from workings.render.mathml import draw_chain, draw_name
from workings.render.words import Words
from workings.render.written import text_width

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
code, pre { font-family: var(--mono); font-size: 0.9rem; } math { font-family: math; font-size: 1.15rem; }
.equations { margin: 0.75rem 0; padding-left: 1.5rem; overflow-x: auto; }
.equation { margin: 0.35rem 0; padding-left: 1.5rem; text-indent: -1.5rem; line-height: 1.9; }
.equation math { text-indent: 0; } .about { margin-right: 0.75em; }
@media (min-width: 40rem) { .equations { display: grid; grid-template-columns: fit-content(40%) 1fr; }
  .equation { display: contents; } .about, .chain { text-indent: 0; margin-block: 0.35rem; align-self: baseline; }
  .chain:only-child { grid-column: 1 / -1; } }
.wide { overflow-x: auto; } bdi { word-break: keep-all; }
table { border-collapse: collapse; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); white-space: nowrap; }
th, td { padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td a, p a { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
nav { margin: 1rem 0; padding: 0.5rem 1rem; background: var(--shade); border: 1px solid var(--line); }
nav ul { list-style: none; margin: 0.5rem 0 0; padding: 0; columns: 20rem; }
nav li { break-inside: avoid; padding: 0.1rem 0; } nav .level-3 { padding-left: 1.25rem; }
summary { cursor: pointer; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
@page { margin: 15mm; }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --line: #999; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .skip, nav { display: none; }
  code, pre { font-size: 9pt; } math { font-size: 11.5pt; }
  .wide, .equations { overflow: visible; } a { color: inherit; text-decoration: none; }
  h1, h2, h3, h2 + p, h3 + p, caption { break-after: avoid; } tr, table, .equation, .chain { break-inside: avoid; }
  p { orphans: 3; widows: 3; } thead { display: table-header-group; }
  .cut, .cut caption, .cut thead, .cut tbody { display: block; } .cut { break-inside: auto; }
  .cut tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
  .cut th, .cut td { flex: 0 0 100%; border: 0; padding-block: 0.1rem; } .cut thead th + th { display: none; }
  .cut td::before { content: attr(data-of); display: block; font-size: 0.75em; color: var(--soft); } }
"""

MOST_MOVED = 12  # digits; p: a number with a point, q: one without
MOVED = "\n".join(
    f".p{n} {{ padding-right: calc(1rem + {n}ch); }} .q{n} {{ padding-right: calc(1rem + {n - 0.5}ch); }}"
    for n in range(1, MOST_MOVED + 1)
)
WIDEST = 24  # em; c: how wide a column is on paper where a row takes several lines
CUT = "\n".join(f"@media print {{ .c{n} .number {{ flex-basis: {n}em; }} }}" for n in range(3, WIDEST + 1))
HAN, KANA = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]")
WITHIN = """
.workings .equations { margin: 0.75em 0; padding-left: 1.5em; overflow-x: auto; }
.workings .equation { margin: 0.35em 0; line-height: 1.9; } .workings .about { margin-right: 0.75em; }
.workings math { font-size: 1.15em; }
.workings .wide { overflow-x: auto; }
.workings table { border-collapse: collapse; margin: 0.5em 0; font-variant-numeric: tabular-nums; }
.workings caption, .workings th, .workings td { text-align: left; }
.workings .number { text-align: right; white-space: nowrap; }
"""
ANSWERS = """
.blank { display: inline-block; min-width: 5em; min-height: 1.5em; padding: 0 0.3em; border: 1px solid var(--soft);
  text-align: left; } .page { break-after: page; margin: 2rem 0; }
@media print { .page { visibility: hidden; } }
"""
SHEET, GAP, GROWN = 47.0, 1.1, 1.35  # em: a sheet of paper, the room after a column, and letters wider than TeX's
FEWEST_HEADINGS, MOST_AT_ONCE = 3, 30
NUMERIC = ' class="number"'


def page(title: str, body: str, words: Words, style: str = "") -> str:
    """A whole page; ``body`` is HTML, ``title`` is not."""
    css = STYLE + MOVED + CUT + style
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
        regions: how many tables that scroll have had a name so far.
        cell: the attributes of a number of a matrix, by its row and column, for a page that does something with it.
    """

    words: Words
    prefix: str = ""
    lowest: int = 1
    places: frozenset[str] = frozenset()
    named: set[str] = field(default_factory=set)
    regions: Counter[str] = field(default_factory=Counter)
    cell: Callable[[Matrix, int, int], str] | None = None

    def draw(self, document: Document) -> str:
        """The blocks in their order, without the title."""
        return self.blocks(document.blocks)

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Blocks in their order; equations that follow each other stand in one element."""
        out: list[str] = []
        for alike, group in groupby(blocks, lambda block: isinstance(block, Equation)):
            drawn = "\n".join(map(self.block, group))
            out.append(f'<div class="equations">\n{drawn}\n</div>' if alike else drawn)
        return "\n".join(out)

    def block(self, block: Block) -> str:
        """One block."""
        match block:
            case Heading():
                level = min(block.level + self.lowest - 1, 6)
                return f"<h{level}{self.name(block.address)}>{self.inline(block.text)}</h{level}>"
            case Paragraph():
                joint = self.words.sentence("target.sentences")
                return f"<p>{joint.join(map(self.inline, block.sentences))}</p>"
            case Equation():
                stated = escape(equation_label(block.label, self.words))
                chain = draw_chain(block.left, block.chain)
                about = f'<span class="about">{stated}</span>' if stated else ""
                return f'<p class="equation">{about}<span class="chain">{chain}</span></p>'
            case Matrix():
                about = " ".join(dict.fromkeys(name for name in (block.symbol, block.address) if name))
                return self._wide("".join(self._matrix(block)), about)
            case Table():
                kinds = [is_numeric(block, place) for place in range(len(block.header))]
                head = self._row(block.header, kinds, "th")
                rows = "".join(f"<tr>{self._row(row, kinds)}</tr>" for row in block.rows)
                about = self.words["target.list.comma"].join(label(name, self.words) for name in block.header)
                return self._wide(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>", about)
            case Plot():
                return self._wide(plot.draw(block, self.words, alone=False), sentence(block.title, self.words))
            case Hidden():
                return f"<!-- {block.text} -->"
            case PageBreak():
                return '<hr class="page">'

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
                    escape(own) + ("" if argument is None else self.inline(argument))
                    for own, argument in pieces(item, self.words)
                )
            case _:
                return "".join(self._run(kind, text) for kind, text in runs(item, self.words))

    def name(self, name: str) -> str:
        """The attribute that gives a place its name; nothing where the name is taken or empty."""
        if not name or name in self.named:
            return ""
        self.named.add(name)
        return f' id="{escape(self.prefix + name)}"'

    def _wide(self, table: str, about: str) -> str:
        """A table that scrolls by itself where the window is narrow: reached by keyboard, and named as it is read out.

        Args:
            about: its name; where it is that of an earlier one, a number follows.
        """
        self.regions[about] += 1
        nth = f" ({self.regions[about]})" if self.regions[about] > 1 else ""
        name = escape(f"{inert(about)}{nth}")
        return f'<div class="wide" role="region" aria-label="{name}" tabindex="0">{table}</div>'

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

    def _note(self, note: Inline) -> str:
        return self.words.sentence("target.column-note", {"note": self.inline(note)})

    def _caption(self, matrix: Matrix) -> str:
        address = f"<code>{escape(inert(matrix.address))}</code>"
        if matrix.symbol in ("", matrix.address):
            return self.words.sentence("target.caption.plain", {"address": address})
        return self.words.sentence("target.caption", {"symbol": draw_name(matrix.symbol), "address": address})

    def _matrix(self, matrix: Matrix) -> Iterator[str]:
        words = self.words
        width = _cut(matrix, words)
        cut = f' class="cut c{width}"' if width else ""
        named = "" if self.cell is None else f' data-array="{escape(inert(matrix.address))}"'
        yield f"<table{cut}{named}><caption>{self._caption(matrix)}</caption>"
        corner = escape(" \\ ".join(name for name in matrix.corner if name))
        if matrix.columns:
            notes = matrix.column_notes or ()
            cells = [
                self.inline(column) + (f"<br>{self._note(notes[place])}" if notes else "")
                for place, column in enumerate(matrix.columns)
            ]
            noted = f'<th scope="col">{escape(words["target.notes"])}</th>' if matrix.row_notes else ""
            heads = "".join(f'<th scope="col" class="number">{cell}</th>' for cell in cells)
            yield f'<thead><tr><th scope="col">{corner}</th>{heads}{noted}</tr></thead>'
        yield "<tbody>"
        after = [_after(column) for column in zip(*matrix.cells, strict=True)]
        of = [f' data-of="{escape(name)}"' for name in _heads(matrix, words)] if width else [""] * len(after)
        for place, (name, row) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
            note = f"<td>{self.inline(matrix.row_notes[place])}</td>" if matrix.row_notes else ""
            of_row = of if self.cell is None else [f"{own}{self.cell(matrix, place, at)}" for at, own in enumerate(of)]
            numbers = "".join(map(_number, row, after, of_row))
            yield f'<tr><th scope="row">{self.inline(name)}</th>{numbers}{note}</tr>'
        yield "</tbody></table>"


def spoken(text: str) -> str:
    """The language that a user's text is to be read out and set in: Chinese where it shows, else not known."""
    return "zh" if HAN.search(text) and not KANA.search(text) else ""


def lang_attribute(lang: str) -> str:
    """The attribute that says in which language an element is; empty for a language not known."""
    return f' lang="{lang}"'


def draw(document: Document, words: Words, *, alone: bool = True) -> str:
    """A document as a page of its own, or (``alone=False``) as elements to stand within another page."""
    headed = with_title(document)
    if not alone:
        drawn = Blocks(words).draw(headed)
        return f'<div class="workings" lang="{words.lang}">\n<style>{WITHIN}</style>\n{drawn}\n</div>\n'
    first, *others = headed.blocks
    blocks = Blocks(words)
    body = blocks.blocks(_placed(others))
    contents = _contents([block for block in _placed(others) if isinstance(block, Heading)], blocks)
    style = ANSWERS if any(isinstance(block, (Hidden, PageBreak)) for block in others) else ""
    main = f"<main>\n{blocks.block(first)}\n{contents}{body}\n</main>"
    return page(plain(document.title, words), main, words, style)


def _placed(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, every heading with a name that the table of contents leads to."""
    for number, block in enumerate(blocks):
        yield replace(block, address=block.address or f"part-{number}") if isinstance(block, Heading) else block


def _contents(headings: Sequence[Heading], blocks: Blocks) -> str:
    """The table of contents; open at first where it is short, empty where there is nothing to choose from."""
    if len(headings) < FEWEST_HEADINGS:
        return ""
    label = escape(blocks.words["target.contents"])
    is_open = " open" if len(headings) <= MOST_AT_ONCE else ""
    lines: list[str] = []
    for heading in headings:
        link = f'<a href="#{escape(blocks.prefix + heading.address)}">{blocks.inline(heading.text)}</a>'
        lines.append(f'<li class="level-{heading.level}">{link}</li>')
    return (
        f'<nav aria-label="{label}"><details{is_open}><summary>{label}</summary>\n<ul>\n'
        + "\n".join(lines)
        + "\n</ul></details></nav>\n"
    )


def plain(item: Inline, words: Words) -> str:
    """An inline part as a line of text, for a title."""
    return sentence(item, words)


def _heads(matrix: Matrix, words: Words) -> list[str]:
    """What stands above each column, in a line, as it stands beside each number where a row takes several lines."""
    heads = [label(column, words) for column in matrix.columns]
    notes = [words.sentence("target.column-note", {"note": label(note, words)}) for note in matrix.column_notes]
    return [" ".join(both) for both in zip(heads, notes, strict=True)] if notes else heads


def _cut(matrix: Matrix, words: Words) -> int:
    """How many em a column takes on paper where a row is too long for a sheet; 0 where it has room for all."""
    names = [label(row, words) for row in matrix.rows]
    columns = [[cell_text(cell) for cell in column] for column in zip(*matrix.cells, strict=True)]
    named = max((GROWN * text_width(name) + GAP for name in names), default=0.0)
    widths = [
        GAP + GROWN * max(map(text_width, [head, *column]))
        for head, column in zip(_heads(matrix, words), columns, strict=False)
    ]
    return min(max(ceil(max(widths)), 3), WIDEST) if len(widths) > 1 and named + sum(widths) > SHEET else 0


def _after(column: Sequence[Cell]) -> int:
    """How many characters of a column of numbers stand after the place of the point, at most."""
    numbers = [cell for cell in column if isinstance(cell, str) and has_point_place(cell)]
    return max((len(cell) - len(cell.partition(".")[0]) for cell in numbers), default=0)


def _number(cell: Cell, most: int, of: str = "") -> str:
    """A number in its cell, moved to the left until its point stands below those of its column; or a box for one."""
    if isinstance(cell, Blank):
        return f'<td class="number"{of}>{cell_text(cell) if cell.repeated else _box(cell.number)}</td>'
    own = len(cell) - len(cell.partition(".")[0])
    missing = min(most - own, MOST_MOVED) if has_point_place(cell) else 0
    moved = f" {'p' if own else 'q'}{missing}" if missing else ""
    return f'<td class="number{moved}"{of}>{escape(inert(cell))}</td>'


def _box(number: int) -> str:
    """A box that takes an answer in the browser; the page is then saved with it."""
    said = f'contenteditable="true" role="textbox" aria-label="({number})" data-blank="{number}"'
    return f'({number}) <span class="blank" {said}></span>'

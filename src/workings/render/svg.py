"""SVG: matrices below each other as one figure; every number is text, on the colour of its value, above a legend.

Nothing runs and nothing is asked for. The figure brings its own paper, light or dark as the reader has it, so that it
can stand on any page. A cell has its address and its value as data; what a mask keeps out is hatched, not coloured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite

from workings.explaining.tree import Inline
from workings.explaining.worked import Arrays, Part, Worked
from workings.render.colours import STEPS, TABLE, ink_on, step_of
from workings.render.inert import display_width
from workings.render.inline import label, sentence
from workings.render.layout import align, caption
from workings.render.words import Words
from workings.terms.numbers import nearest_float

SIZE, LINE, UNIT = 13, 18, 8  # letters, from line to line, one column of text; in pixels
EDGE, GAP, PAD = 16, 28, 8
CELL_HEIGHT, SWATCH, BAR = 30, 4, 12
WIDTH = 1080  # of the figure, where no single matrix is wider
WIDEST_COLUMN, WIDEST_ROW, WIDEST_TITLE = 14, 28, 36  # columns of text before a label takes another line
MOST_DESCRIBED = 12  # matrices
INK, SOFT, PAPER, LINES = "#1b1b1f", "#5b5f66", "#ffffff", "#8a8f98"
FONTS = (
    "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', monospace"
)
DARK = (
    "@media (prefers-color-scheme: dark)"
    " { .w-paper { fill: #16171a } .w-ink { fill: #e6e6ea } .w-soft { fill: #a9adb5 } }"
)


def draw(arrays: Arrays, words: Words) -> str:
    """All matrices in their order, as one figure."""
    key = hashlib.sha256(repr([str(worked.address) + worked.text for worked in arrays.cells()]).encode()).hexdigest()[
        :8
    ]
    figures = [_Figure(words, f"w{key}").drawn(part, arrays.title) for part in arrays.parts]
    places, width, height = _placed(arrays.parts, figures)
    title, said = escape(sentence(arrays.title, words)), escape(_description(arrays, words))
    names = f"w{key}-title w{key}-desc"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-labelledby="{names}" lang="{words.lang}" font-family="{FONTS}" font-size="{SIZE}">\n'
        f'<title id="w{key}-title">{title}</title>\n<desc id="w{key}-desc">{said}</desc>\n'
        f"<style>{DARK}</style>\n{hatch(f'w{key}')}\n"
        f'<rect class="w-paper" width="{width}" height="{height}" fill="{PAPER}"/>\n'
        + "\n".join(figure.at(*place) for figure, place in zip(figures, places, strict=True))
        + "\n</svg>\n"
    )


def _placed(parts: Sequence[Part], figures: Sequence[_Figure]) -> tuple[list[tuple[int, int]], int, int]:
    """Where each matrix stands, side by side while there is room, and how large the whole is.

    Another layer or head begins on a new line, and so do the steps after what is given.
    """
    places: list[tuple[int, int]] = []
    x, y, lowest, widest = EDGE, EDGE, EDGE, 0
    before: tuple[object, ...] = ()
    for part, figure in zip(parts, figures, strict=True):
        here = (part.given, part.name._replace(name=""))
        if x > EDGE and (x + figure.right > WIDTH or here != before):
            x, y = EDGE, lowest + GAP
        before = here
        places.append((x, y))
        x += figure.right + 2 * GAP
        lowest, widest = max(lowest, y + figure.top), max(widest, x - 2 * GAP)
    return places, widest + EDGE, lowest + EDGE


def hatch(key: str) -> str:
    """The pattern of what a mask keeps out, by ``{key}-hatch``."""
    return (
        f'<defs><pattern id="{key}-hatch" width="7" height="7" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect width="7" height="7" fill="#ececec"/>'
        '<rect width="1.5" height="7" fill="#b4b4b4"/></pattern></defs>'
    )


@dataclass
class _Figure:
    """One matrix as it is drawn, and how far down and to the right it reaches."""

    words: Words
    key: str
    out: list[str] = field(default_factory=list)
    array: str = ""
    top: int = 0
    right: int = 0

    def drawn(self, part: Part, whole: Inline) -> _Figure:
        """The title, the labels, the cells and the legend; ``whole`` is the title of all matrices together."""
        grid = _Grid(part, self.words)
        self.array = escape(str(part.name))
        alone = part.title == whole
        title = caption(part.matrix, self.words).rstrip(":：") if alone else sentence(part.title, self.words)
        for line in wrapped(title, max(WIDEST_TITLE, grid.end // UNIT)):
            self.top += LINE
            self.text(line, 0, self.top - 5, "ink", 'font-weight="bold"')
        self._heads(part, grid)
        for place, row in enumerate(part.cells):
            self._row(part, grid, place, row)
        self._legend(part, grid)
        return self

    def at(self, x: int, y: int) -> str:
        """The matrix at its place."""
        inner = "\n".join(self.out)
        return f'<g data-array="{self.array}" transform="translate({x} {y})">\n{inner}\n</g>'

    def _heads(self, part: Part, grid: _Grid) -> None:
        down, across = part.matrix.corner
        self.top += LINE
        if across:
            self.text(f"{across} →", grid.left, self.top - 5, "soft")
        self.top += LINE * max(grid.head_lines, 1)
        self.text(f"{down} ↓", 0, self.top - 5, "soft")
        for column, (lines, notes) in enumerate(grid.heads):
            middle = grid.left + grid.starts[column] + grid.widths[column] // 2
            for above, line in enumerate(reversed([*lines, *notes])):
                ink = "soft" if above < len(notes) else "ink"
                self.text(line, middle, self.top - 5 - above * LINE, ink, 'text-anchor="middle"')

    def _row(self, part: Part, grid: _Grid, place: int, row: Sequence[Worked]) -> None:
        names = grid.names[place]
        height = max(CELL_HEIGHT, LINE * len(names) + PAD)
        for number, line in enumerate(names):
            y = self.top + height // 2 + 5 + round((number - (len(names) - 1) / 2) * LINE)
            self.text(line, grid.left - PAD, y, "ink", 'text-anchor="end"')
        for column, worked in enumerate(row):
            left, width = grid.left + grid.starts[column], grid.widths[column]
            fill = grid.fill(worked, self.key)
            ink = ink_on(fill) if fill.startswith("#") else "#000000"
            data = f'data-address="{escape(str(worked.address))}"' if part.own else ""
            self.out.append(
                f'<rect x="{left}" y="{self.top}" width="{width}" height="{height}" fill="{fill}" stroke="{LINES}"/>'
                f'<text x="{left + grid.ends(column, place)}" y="{self.top + height // 2 + 5}"'
                f' text-anchor="end" fill="{ink}" {data} data-value="{_value(worked)}">{escape(worked.text)}</text>'
            )
        if part.matrix.row_notes:
            note = "← " + label(part.matrix.row_notes[place], self.words)
            self.text(note, grid.end + PAD, self.top + height // 2 + 5, "soft")
        self.right = max(self.right, grid.end)
        self.top += height

    def _legend(self, part: Part, grid: _Grid) -> None:
        """The colours that the cells have, from the least number to the greatest, and the hatching."""
        x, self.top = 0, self.top + PAD
        base = self.top + BAR - 1
        if grid.least is not None and grid.greatest is not None:
            low, high = grid.least.text, grid.greatest.text
            x = self.text(low, x, base, "soft") + PAD
            steps = range(STEPS) if grid.low < grid.high else [step_of(grid.low, grid.low, grid.high)]
            for step in steps:
                self.out.append(f'<rect x="{x}" y="{self.top}" width="{SWATCH}" height="{BAR}" fill="{TABLE[step]}"/>')
                x += SWATCH
            if low != high:
                x = self.text(high, x + PAD, base, "soft")
            x += 2 * PAD
        if any(worked.barred for row in part.cells for worked in row):
            fill = f"url(#{self.key}-hatch)"
            self.out.append(
                f'<rect x="{x}" y="{self.top}" width="{2 * BAR}" height="{BAR}" fill="{fill}" stroke="{LINES}"/>'
            )
            self.text(self.words["arrays.svg.masked"], x + 2 * BAR + PAD, base, "soft")
        self.top += BAR

    def text(self, text: str, x: int, y: int, ink: str, more: str = "") -> int:
        """A text, and where it ends; whatever it holds, it stays text."""
        colour = INK if ink == "ink" else SOFT
        self.out.append(f'<text class="w-{ink}" x="{x}" y="{y}" fill="{colour}" {more}>{escape(text)}</text>')
        end = x + UNIT * display_width(text)
        if "text-anchor" not in more:
            self.right = max(self.right, end)
        return end


class _Grid:
    """Where the columns of a matrix stand, and which colour a number has."""

    def __init__(self, part: Part, words: Words) -> None:
        matrix = part.matrix
        self.names = [wrapped(label(row, words), WIDEST_ROW) for row in matrix.rows]
        corner = max(
            display_width(matrix.corner[0]) + 2, *(display_width(line) for name in self.names for line in name), 0
        )
        self.left = UNIT * corner + PAD
        columns = list(zip(*part.matrix.cells, strict=True))
        self.aligned = [align(column) for column in columns]
        self.heads = [
            (
                wrapped(label(head, words), WIDEST_COLUMN),
                wrapped(words.sentence("target.column-note", {"note": label(note, words)}), WIDEST_COLUMN)
                if note
                else [],
            )
            for head, note in zip(matrix.columns, matrix.column_notes or [None] * len(matrix.columns), strict=True)
        ]
        self.head_lines = max((len(lines) + len(notes) for lines, notes in self.heads), default=0)
        self.widths, self.starts, self.end = [], [], self.left
        for place, column in enumerate(self.aligned):
            lines = [line for part in self.heads[place] for line in part] if self.heads else []
            widest = max(map(display_width, [*column, *lines]))
            self.starts.append(self.end - self.left)
            self.widths.append(UNIT * widest + 2 * PAD)
            self.end += self.widths[-1]
        shown = [worked for row in part.cells for worked in row if not worked.barred and isfinite(_float(worked))]
        self.least, self.greatest = (f(shown, key=_float, default=None) for f in (min, max))
        self.low, self.high = (0.0 if end is None else _float(end) for end in (self.least, self.greatest))

    def fill(self, worked: Worked, key: str) -> str:
        if worked.barred or not isfinite(_float(worked)):
            return f"url(#{key}-hatch)"
        return TABLE[step_of(_float(worked), self.low, self.high)]

    def ends(self, column: int, row: int) -> int:
        """Where a number ends in its cell: the numbers of a column stand in its middle, their points in one line."""
        padded = self.aligned[column][row]
        after = len(padded) - len(padded.rstrip(" "))
        return (self.widths[column] + UNIT * display_width(padded)) // 2 - UNIT * after


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines: broken at spaces where there are any, else anywhere."""
    lines, line = [], ""
    for word in _pieces(text, width):
        if line and display_width(line + word) > width:
            lines.append(line.rstrip(" "))
            line = word.lstrip(" ")
        else:
            line += word
    return [*lines, line]


def _pieces(text: str, width: int) -> Iterator[str]:
    """Words with the space before them, none of them wider than a line; wide characters one by one."""
    piece = ""
    for character in text:
        wide = display_width(character) > 1
        if piece and (
            character == " " or wide or display_width(piece + character) > width or display_width(piece[-1]) > 1
        ):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _float(worked: Worked) -> float:
    return nearest_float(worked.value)


def _value(worked: Worked) -> str:
    return "-inf" if worked.value.infinite < 0 else repr(_float(worked))


def _description(arrays: Arrays, words: Words) -> str:
    """What the figure shows, for whoever does not see it."""
    if len(arrays.parts) > MOST_DESCRIBED:
        cells = sum(len(row) for part in arrays.parts for row in part.cells)
        return words.sentence("arrays.svg.many", {"n": str(len(arrays.parts)), "cells": str(cells)})
    return words["target.sentences"].join(_described(part, words) for part in arrays.parts)


def _described(part: Part, words: Words) -> str:
    numbers = [worked for row in part.cells for worked in row]
    shown = [worked for worked in numbers if not worked.barred]
    said = {"name": str(part.name), "rows": str(len(part.cells)), "columns": str(max(map(len, part.cells), default=0))}
    if not shown:
        return words.sentence("arrays.svg.nothing", said)
    said |= {"least": min(shown, key=_float).text, "greatest": max(shown, key=_float).text}
    return words.sentence("arrays.svg.barred" if len(shown) < len(numbers) else "arrays.svg.one", said)

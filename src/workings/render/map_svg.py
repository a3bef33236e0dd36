"""SVG: a part of a head's map as a figure, with the words along its edges, its legend, and every number as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from workings.render.inert import display_width, inert
from workings.render.svg import BAR, DARK, EDGE, FONTS, INK, LINE, PAD, PAPER, SIZE, SOFT, UNIT, hatch, wrapped
from workings.render.words import Words

LARGEST, LEAST, WIDEST = 20, 4, 720  # pixels: of a square, and of all squares of a row
LONGEST = 14  # columns of text of a word at an edge
SMALL, APART = 11, 12  # letters at the edges, and how far apart they stand at the least
SWATCH = 2


@dataclass(frozen=True)
class MapFigure:
    """What is drawn.

    Attributes:
        title: of the figure; ``caption`` says what a square is.
        rows, columns: the words along the edges; ``row_places`` and ``column_places`` are the first query and the first
            key of each row and column.
        codes: the colour of each square, row by row; 0 is masked.
        values: the numbers behind them.
        colours, ticks: of the legend; ``label`` says what it measures.
        told: what the figure shows, as data for programs.
    """

    title: str
    caption: str
    rows: Sequence[str]
    columns: Sequence[str]
    row_places: Sequence[int]
    column_places: Sequence[int]
    codes: Sequence[Sequence[int]]
    values: Sequence[Sequence[float]]
    colours: Sequence[str]
    ticks: Sequence[tuple[int, str]]
    label: str
    told: dict[str, Any]


def draw(figure: MapFigure, words: Words) -> str:
    """The figure as an SVG of its own."""
    key = "m" + hashlib.sha256(repr((figure.told, figure.codes)).encode()).hexdigest()[:8]
    return _Drawing(figure, words, key).whole()


class _Drawing:
    def __init__(self, figure: MapFigure, words: Words, key: str) -> None:
        self.figure, self.words, self.key = figure, words, key
        self.side = max(LEAST, min(LARGEST, WIDEST // max(1, len(figure.rows), len(figure.columns))))
        self.step = -(-APART // self.side)
        self.left = EDGE + UNIT * max([_width(word) for word in figure.rows[:: self.step]] or [0]) + PAD
        self.out: list[str] = []
        self.width = self.left + self.side * len(figure.columns) + EDGE

    def whole(self) -> str:
        self.width = max(self.width, self._legend_width())
        self.top = EDGE
        for line in wrapped(self.figure.title, self.width // UNIT):
            self.top += LINE
            self._text(line, EDGE, self.top, more='font-weight="bold"')
        self._columns()
        self._squares()
        self._legend()
        for line in wrapped(self.figure.caption, (self.width - 2 * EDGE) // UNIT):
            self.top += LINE
            self._text(line, EDGE, self.top, "soft")
        height, width = self.top + EDGE, self.width
        data = json.dumps(self.figure.told, ensure_ascii=False).replace("]]>", "]]\\u003e")
        names = f"{self.key}-title {self.key}-desc"
        look = f'font-family="{FONTS}" font-size="{SIZE}"'
        body = "\n".join(self.out)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            f' role="img" aria-labelledby="{names}" lang="{self.words.lang}" {look}>\n'
            f'<title id="{self.key}-title">{escape(self.figure.title)}</title>\n'
            f'<desc id="{self.key}-desc">{escape(self.figure.caption)}</desc>\n'
            f"<metadata>{escape(data, quote=False)}</metadata>\n"
            f"<style>{DARK}</style>\n{hatch(self.key)}\n"
            f'<rect class="w-paper" width="{width}" height="{height}" fill="{PAPER}"/>\n{body}\n</svg>\n'
        )

    def _columns(self) -> None:
        """The words of the keys, turned, and the names of both axes."""
        shown = self.figure.columns[:: self.step]
        self.top += LINE
        self._text(self.words["map.figure.key"], self.left, self.top, "soft")
        self.top += UNIT * max(map(_width, shown), default=0) + PAD
        for place, word in enumerate(shown):
            x, y = self.left + self.side * self.step * place + self.side // 2 + SMALL // 3, self.top - 4
            self._text(_cut(word), x, y, more=f'font-size="{SMALL}" transform="rotate(-90 {x} {y})"')
        self._text(self.words["map.figure.query"], EDGE, self.top, "soft")

    def _squares(self) -> None:
        figure, side = self.figure, self.side
        for place, (codes, values) in enumerate(zip(figure.codes, figure.values, strict=True)):
            y = self.top + side * place
            if place % self.step == 0:
                end = f'text-anchor="end" font-size="{SMALL}"'
                self._text(_cut(figure.rows[place]), self.left - PAD, y + side // 2 + SMALL // 3, more=end)
            squares = "".join(
                f'<rect x="{self.left + side * column}" y="{y}" width="{side}" height="{side}"'
                f' fill="{figure.colours[code] if code else f"url(#{self.key}-hatch)"}"'
                f' data-key="{figure.column_places[column]}" data-value="{value!r}"/>'
                for column, (code, value) in enumerate(zip(codes, values, strict=True))
            )
            self.out.append(f'<g data-query="{figure.row_places[place]}" shape-rendering="crispEdges">{squares}</g>')
        self.top += side * len(figure.rows) + PAD

    def _legend_width(self) -> int:
        label = UNIT * display_width(self.figure.label)
        return EDGE + max(label, SWATCH * (len(self.figure.colours) - 1)) + 2 * EDGE

    def _legend(self) -> None:
        """Every colour in its order, and below it the ticks."""
        self.top += LINE
        self._text(self.figure.label, EDGE, self.top, "soft")
        self.top += PAD
        for code in range(1, len(self.figure.colours)):
            x = EDGE + SWATCH * (code - 1)
            self.out.append(
                f'<rect x="{x}" y="{self.top}" width="{SWATCH}" height="{BAR}" fill="{self.figure.colours[code]}"/>'
            )
        self.top += BAR
        free = 0
        for code, text in self.figure.ticks:
            x, half = EDGE + SWATCH * (code - 1), UNIT * display_width(text) // 2
            middle = max(x, half)
            if middle - half < free:
                continue
            free = middle + half + UNIT
            self.out.append(f'<path d="M{x} {self.top}v4" stroke="{SOFT}"/>')
            self._text(text, middle, self.top + LINE, "soft", f'text-anchor="middle" font-size="{SMALL}"')
        self.top += LINE + PAD
        if any(not code for row in self.figure.codes for code in row):
            self.out.append(
                f'<rect x="{EDGE}" y="{self.top}" width="{2 * BAR}" height="{BAR}" fill="url(#{self.key}-hatch)"/>'
            )
            self._text(self.words["map.figure.masked"], EDGE + 2 * BAR + PAD, self.top + BAR - 1, "soft")
            self.top += BAR + PAD

    def _text(self, text: str, x: int, y: int, ink: str = "ink", more: str = "") -> None:
        colour = INK if ink == "ink" else SOFT
        self.out.append(f'<text class="w-{ink}" x="{x}" y="{y}" fill="{colour}" {more}>{escape(text)}</text>')


def _cut(word: str) -> str:
    """A word as it stands at an edge."""
    text = inert(word)
    while display_width(text) > LONGEST:
        text = f"{text.rstrip('…')[:-1]}…"
    return text


def _width(word: str) -> int:
    return display_width(_cut(word))

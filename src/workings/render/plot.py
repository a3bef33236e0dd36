"""A plot of shares through time as SVG: a panel for each series, from 0 % to 100 %, its baselines drawn in it.

Nothing runs and nothing is asked for. Every point has its step and its value as data, and what is printed of it as its
title. Alone, the picture brings its own paper, light or dark as the reader has it; within a page it takes its ink.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from workings.explaining.tree import Line, Panel, Plot
from workings.render.inert import display_width
from workings.render.inline import label, sentence
from workings.render.svg import FONTS, INK, PAPER, SIZE, UNIT, WIDTH
from workings.render.svg import LINE as LETTERS
from workings.render.words import Words

EDGE, GAP, TALL, PAD = 16, 36, 150, 8  # pixels; TALL from 0 % to 100 %
APART, CLOSEST, LONGEST = 44, 10, 420  # from one snapshot to the next, and all of them
BOLD, SOFT = 'font-weight="bold"', 'fill-opacity="0.75"'
GRID = (0, 25, 50, 75, 100)  # per cent
# kind of line: its colour, its dashes, its width
DRAWN = {
    "main": ("#1f6feb", "", 2.5),
    "shuffled": ("#c2571a", "6 4", 2),
    "untrained": ("#8a8f98", "2 3", 2),
    "chance": ("#2e8b57", "10 3 2 3", 1.5),
}
DARK = "@media (prefers-color-scheme: dark) { svg { color: #e6e6ea } .w-paper { fill: #16171a } }"


def draw(plot: Plot, words: Words, *, alone: bool = True) -> str:
    """The plot as a picture of its own, or (``alone=False``) as an element of a page."""
    frame = _frame(plot, words)
    room = max(1, (WIDTH - 2 * EDGE + GAP) // (frame.width + GAP))
    columns = max(n for n in range(1, room + 1) if plot.columns % n == 0)
    legend, below = _legend(plot, words)
    width = max(2 * EDGE + columns * (frame.width + GAP) - GAP, 2 * EDGE + legend[0])
    rows = ceil(len(plot.panels) / columns)
    head = EDGE + LETTERS + PAD
    height = head + rows * (frame.height + GAP) + below + EDGE
    panels = [
        f'<g data-panel="{escape(label(panel.title, words))}" transform="translate('
        f'{EDGE + place % columns * (frame.width + GAP)} {head + place // columns * (frame.height + GAP)})">\n'
        + "\n".join(_panel(panel, plot, frame, words))
        + "\n</g>"
        for place, panel in enumerate(plot.panels)
    ]
    title, said = escape(sentence(plot.title, words)), escape(_described(plot, words))
    ink = f' color="{INK}"' if alone else ""
    paper = f'<style>{DARK}</style>\n<rect class="w-paper" width="{width}" height="{height}" fill="{PAPER}"/>\n'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" lang="{words.lang}" font-family="{FONTS}" font-size="{SIZE}"'
        f"{ink}>\n"
        f"<title>{title}</title>\n<desc>{said}</desc>\n{paper if alone else ''}"
        f"{_text(title, EDGE, EDGE + SIZE, BOLD)}\n"
        + "\n".join(panels)
        + f'\n<g transform="translate({EDGE} {height - EDGE - below})">\n{legend[1]}\n</g>\n</svg>\n'
    )


@dataclass(frozen=True)
class _Frame:
    """What all panels share: where the lines begin, how far apart the snapshots stand, how large a panel is."""

    left: int
    apart: float
    width: int
    height: int

    def x(self, place: int) -> float:
        return round(self.left + self.apart * place, 1)

    @staticmethod
    def y(share: float) -> float:
        return round(LETTERS + PAD + TALL * (1 - share), 1)


def _frame(plot: Plot, words: Words) -> _Frame:
    gaps = max(len(plot.steps) - 1, 1)
    left, right = UNIT * len("100 %") + PAD, PAD + UNIT * len("100.0 %")
    titles = max(UNIT * display_width(label(panel.title, words)) for panel in plot.panels)
    named = UNIT * (display_width(label(plot.across, words)) + 2)
    long = max(titles - left - right, named - right, CLOSEST * gaps, min(APART * gaps, LONGEST))
    return _Frame(left, long / gaps, left + long + right, LETTERS + PAD + TALL + 2 * LETTERS)


def _panel(panel: Panel, plot: Plot, frame: _Frame, words: Words) -> Iterator[str]:
    """The title, the axes with their numbers, and the lines; the main line is drawn last."""
    yield _text(escape(label(panel.title, words)), 0, SIZE, BOLD)
    end = frame.x(len(plot.steps) - 1)
    for share in GRID:
        y = frame.y(share / 100)
        yield (
            f'<line x1="{frame.left}" y1="{y}" x2="{end}" y2="{y}" stroke="currentColor"'
            f' stroke-opacity="{0.5 if not share else 0.15}"/>'
        )
        yield _text(f"{share} %", frame.left - PAD, y + 4, f'text-anchor="end" {SOFT}')
    often = ceil(UNIT * (max(len(str(step)) for step in plot.steps) + 1) / frame.apart)
    base = frame.y(0) + LETTERS
    for place, step in enumerate(plot.steps):
        if (len(plot.steps) - 1 - place) % often == 0:
            yield _text(str(step), frame.x(place), base, f'text-anchor="middle" {SOFT}')
    yield _text(f"{escape(label(plot.across, words))} →", frame.left, base + LETTERS, SOFT)
    for line in reversed(panel.lines):
        yield from _line(line, plot, frame)


def _line(line: Line, plot: Plot, frame: _Frame) -> Iterator[str]:
    """A line with a dot at each snapshot; one that has a single value is a level."""
    colour, dashes, thick = DRAWN[line.kind]
    values = line.values * len(plot.steps) if len(line.values) == 1 else line.values
    points = [(frame.x(place), frame.y(value)) for place, (value, _) in enumerate(values)]
    if len(points) == 1:
        points.append((frame.x(1), points[0][1]))
    told = f' data-value="{line.values[0][0]!r}"' if len(line.values) == 1 else ""
    yield (
        f'<polyline data-line="{line.kind}"{told} points="{" ".join(f"{x},{y}" for x, y in points)}" fill="none"'
        f' stroke="{colour}" stroke-width="{thick}"{_dashed(dashes)}/>'
    )
    if len(line.values) == 1:
        return
    radius = 4 if line.kind == "main" else 2
    for (x, y), step, (value, printed) in zip(points, plot.steps, line.values, strict=False):
        yield (
            f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}" data-line="{line.kind}" data-step="{step}"'
            f' data-value="{value!r}"><title>{step}: {escape(printed)}</title></circle>'
        )
    if line.kind == "main":
        x, y = points[len(line.values) - 1]
        yield _text(escape(line.values[-1][1]), x + PAD, y + 4, BOLD)


def _legend(plot: Plot, words: Words) -> tuple[tuple[int, str], int]:
    """What each kind of line is, in a line of its own: how wide they are, what is drawn, and how tall that is."""
    out, widest = [], 0
    lines = plot.panels[0].lines
    for place, line in enumerate(lines):
        colour, dashes, thick = DRAWN[line.kind]
        said, y = label(line.name, words), place * LETTERS + LETTERS // 2
        out.append(
            f'<line x1="0" y1="{y}" x2="36" y2="{y}" stroke="{colour}" stroke-width="{thick}"{_dashed(dashes)}/>'
            + _text(escape(said), 36 + PAD, y + 4)
        )
        widest = max(widest, 36 + PAD + UNIT * display_width(said))
    return (widest, "\n".join(out)), LETTERS * len(lines)


def _dashed(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _text(said: str, x: float, y: float, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="currentColor" {more}>{said}</text>'


def _described(plot: Plot, words: Words) -> str:
    """What the plot shows, for whoever does not see it: each panel's main line, from its first value to its last."""
    return words["target.sentences"].join(
        words.sentence("learning.plot.panel", {"panel": label(panel.title, words), **_ends(panel.lines)})
        for panel in plot.panels
    )


def _ends(lines: Sequence[Line]) -> dict[str, str]:
    main = next(line for line in lines if line.kind == "main")
    return {"first": main.values[0][1], "last": main.values[-1][1]}

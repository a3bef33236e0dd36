"""SVG and CSV of a number through time: a line with a dot at each snapshot, its step below, its value beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from workings.explaining.tree import Inline, Text
from workings.render.csv import guarded
from workings.render.inline import sentence
from workings.render.svg import DARK, FONTS, INK, LINES, PAPER, SIZE, SOFT
from workings.render.words import Words

EDGE, ABOVE, BELOW, HEIGHT, APART = 48, 56, 76, 220, 96  # pixels; APART from one snapshot to the next
DOT, LINE = "#1f6feb", 2
HALO = " @media (prefers-color-scheme: dark) { .w-halo { stroke: #16171a } }"


class Moment(NamedTuple):
    """A snapshot: its step, the value as float64, and as printed."""

    step: int
    value: float
    printed: str


def svg(title: Inline, address: str, moments: Sequence[Moment], words: Words) -> str:
    """The line, on a scale that has 0; snapshots stand side by side, evenly: they are denser where more happens."""
    width = 2 * EDGE + APART * max(len(moments) - 1, 1)
    height = ABOVE + HEIGHT + BELOW
    low, high = (end(0.0, *(one.value for one in moments)) for end in (min, max))
    spread = high - low or 1.0

    def level(value: float) -> float:
        return ABOVE + HEIGHT - round(HEIGHT * (value - low) / spread, 1)

    points = [(EDGE + APART * place, level(one.value)) for place, one in enumerate(moments)]
    said = escape(sentence(title, words))
    line = " ".join(f"{x},{y}" for x, y in points)
    drawn = [
        f'<circle cx="{x}" cy="{y}" r="4" fill="{DOT}"/>'
        f'<text class="w-ink w-halo" x="{x}" y="{y + _beside(points, place)}" text-anchor="middle" fill="{INK}"'
        f' stroke="{PAPER}" stroke-width="4" paint-order="stroke" data-address="{escape(address)}"'
        f' data-step="{one.step}" data-value="{one.value!r}">{escape(one.printed)}</text>'
        f'<text class="w-soft" x="{x}" y="{height - 34}" text-anchor="middle" fill="{SOFT}">{one.step}</text>'
        for place, ((x, y), one) in enumerate(zip(points, moments, strict=True))
    ]
    across = escape(sentence(Text("learning.plot.across"), words))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" lang="{words.lang}" font-family="{FONTS}" font-size="{SIZE}">\n<title>{said}</title>\n'
        f"<style>{DARK}{HALO}</style>\n"
        f'<rect class="w-paper" width="{width}" height="{height}" fill="{PAPER}"/>\n'
        f'<text class="w-ink" x="{EDGE // 2}" y="24" fill="{INK}" font-weight="bold">{said}</text>\n'
        f'<line x1="{EDGE}" y1="{level(0)}" x2="{width - EDGE}" y2="{level(0)}" stroke="{LINES}"/>\n'
        f'<text class="w-soft" x="{EDGE - 10}" y="{level(0) + 4}" text-anchor="end" fill="{SOFT}">0</text>\n'
        f'<polyline points="{line}" fill="none" stroke="{DOT}" stroke-width="{LINE}"/>\n'
        + "\n".join(drawn)
        + f'\n<text class="w-soft" x="{EDGE}" y="{height - 12}" fill="{SOFT}">{across} →</text>\n</svg>\n'
    )


def _beside(points: Sequence[tuple[int, float]], place: int) -> int:
    """How far from its dot a number stands: above it, or below where the line goes up on both sides."""
    around = [points[at][1] for at in (place - 1, place + 1) if 0 <= at < len(points)]
    return 20 if around and all(y < points[place][1] for y in around) else -10


def table(address: str, moments: Sequence[Moment]) -> str:
    """One record for each snapshot: the address, the step, as printed, as float64."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("address", "step", "printed", "value"))
    for one in moments:
        writer.writerow((guarded(address), one.step, one.printed, repr(one.value)))
    return out.getvalue()

"""SVG and CSV of a number through time: one line with a dot at each snapshot, its step below and its value above."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from workings.explaining.tree import Inline
from workings.render.csv import guarded
from workings.render.inline import sentence
from workings.render.svg import DARK, FONTS, INK, LINES, PAPER, SIZE
from workings.render.words import Words

EDGE, ABOVE, BELOW, HEIGHT, APART = 48, 56, 40, 220, 96  # pixels; APART from one snapshot to the next
DOT, LINE = "#1f6feb", 2


class Moment(NamedTuple):
    """A snapshot: its step, the value as float64, and as printed."""

    step: int
    value: float
    printed: str


def svg(title: Inline, address: str, moments: Sequence[Moment], words: Words) -> str:
    """The line; snapshots stand side by side, evenly, since they are denser where more happens."""
    width = 2 * EDGE + APART * max(len(moments) - 1, 1)
    height = ABOVE + HEIGHT + BELOW
    low, high = min(one.value for one in moments), max(one.value for one in moments)
    spread = high - low or 1.0
    points = [
        (EDGE + APART * place, ABOVE + HEIGHT - round(HEIGHT * (one.value - low) / spread, 1))
        for place, one in enumerate(moments)
    ]
    said = escape(sentence(title, words))
    line = " ".join(f"{x},{y}" for x, y in points)
    drawn = [
        f'<circle cx="{x}" cy="{y}" r="4" fill="{DOT}"/>'
        f'<text class="w-ink" x="{x}" y="{y - 10}" text-anchor="middle" fill="{INK}" data-address="{escape(address)}"'
        f' data-step="{one.step}" data-value="{one.value!r}">{escape(one.printed)}</text>'
        f'<text class="w-ink" x="{x}" y="{height - 14}" text-anchor="middle" fill="{INK}">{one.step}</text>'
        for (x, y), one in zip(points, moments, strict=True)
    ]
    base = ABOVE + HEIGHT + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" lang="{words.lang}" font-family="{FONTS}" font-size="{SIZE}">\n<title>{said}</title>\n'
        f"<style>{DARK}</style>\n"
        f'<rect class="w-paper" width="{width}" height="{height}" fill="{PAPER}"/>\n'
        f'<text class="w-ink" x="{EDGE // 2}" y="24" fill="{INK}" font-weight="bold">{said}</text>\n'
        f'<line x1="{EDGE}" y1="{base}" x2="{width - EDGE}" y2="{base}" stroke="{LINES}"/>\n'
        f'<polyline points="{line}" fill="none" stroke="{DOT}" stroke-width="{LINE}"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def table(address: str, moments: Sequence[Moment]) -> str:
    """One record for each snapshot: the address, the step, as printed, as float64."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("address", "step", "printed", "value"))
    for one in moments:
        writer.writerow((guarded(address), one.step, one.printed, repr(one.value)))
    return out.getvalue()

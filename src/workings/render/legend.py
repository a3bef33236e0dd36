"""The legend of a map of weights: its 256 colours, and powers of ten at the codes that the scale itself gives them."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, log
from typing import Any

from workings.render import colours
from workings.render.words import Words
from workings.terms.digits import SUPERSCRIPTS

MOST_TICKS = 8
EQUAL = 128
PLAIN = 3  # powers of ten up to this one are written out


def legend(
    code: Callable[[float, int], int], low: float, high: float, words: Words, *, diverging: bool = False
) -> dict[str, Any]:
    """Colours by code, and ticks.

    Args:
        code: of a logarithm, and the sign of a difference.
        low, high: the ends of the scale, as natural logarithms.
        diverging: whether differences are shown, of either sign.
    """
    first, last = ceil(low / log(10) - 1e-9), floor(high / log(10) + 1e-9)
    step = -(-(last - first) // MOST_TICKS) or 1
    powers = range(last, first - 1, -step)
    signs = ((-1, "−"), (1, "+")) if diverging else ((1, ""),)
    ticks = []
    for sign, mark in signs:
        for power in powers:
            text = f"{mark}{power_of_ten(power)}"
            if power == first and not diverging:
                text = words.sentence("map.tick.below", {"tick": text})
            ticks.append({"code": code(power * log(10), sign), "text": text})
    if diverging:
        ticks.append({"code": EQUAL, "text": words["map.tick.equal"]})
    table = colours.diverging() if diverging else colours.sequential()
    return {"colours": table, "ticks": sorted(ticks, key=lambda tick: tick["code"])}


def power_of_ten(power: int) -> str:
    """``0.01``, ``10⁻⁶``."""
    if abs(power) > PLAIN:
        return f"10{str(power).translate(SUPERSCRIPTS)}"
    return str(10**power) if power >= 0 else f"{10.0**power:.{-power}f}"

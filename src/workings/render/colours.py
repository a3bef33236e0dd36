"""Colours for values: viridis in a table of steps, and black or white on each, whichever is easier to read."""

from __future__ import annotations

STEPS = 41
# viridis at every tenth (Smith and van der Walt 2015; dedicated to the public domain)
_TENTHS = ("440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725")


def _mixed(place: float) -> str:
    at = min(int(place), len(_TENTHS) - 2)
    low, high = (bytes.fromhex(_TENTHS[n]) for n in (at, at + 1))
    return "#" + bytes(round(a + (b - a) * (place - at)) for a, b in zip(low, high, strict=True)).hex()


def _between(one: str, other: str, share: float) -> str:
    low, high = bytes.fromhex(one[1:]), bytes.fromhex(other[1:])
    return "#" + bytes(round(a + (b - a) * share) for a, b in zip(low, high, strict=True)).hex()


HATCHED = "#ececec"  # the paper of what a mask keeps out
LESS, SAME, MORE = "#0b4f8f", "#f7f7f7", "#b34700"  # blue, nearly white, orange
LEAST_SHARE = 0.12  # how far the smallest difference stands out from none


def sequential() -> list[str]:
    """256 colours by code: 0 is masked, 1 to 255 grow."""
    return [HATCHED, *(_mixed(step * (len(_TENTHS) - 1) / 254) for step in range(255))]


def diverging() -> list[str]:
    """256 colours by code: 0 is masked, 128 is equal, below it is less and above it more."""
    shares = [LEAST_SHARE + (1 - LEAST_SHARE) * step / 126 for step in range(127)]
    less, more = ([_between(SAME, end, share) for share in shares] for end in (LESS, MORE))
    return [HATCHED, *reversed(less), SAME, *more]


TABLE = tuple(_mixed(step * (len(_TENTHS) - 1) / (STEPS - 1)) for step in range(STEPS))


def step_of(value: float, least: float, greatest: float) -> int:
    """The step of the table that a value between two others has; in the middle where these are equal."""
    if greatest <= least:
        return STEPS // 2
    return round((value / 2 - least / 2) / (greatest / 2 - least / 2) * (STEPS - 1))


def ink_on(colour: str) -> str:
    """Black or white, whichever contrasts more by relative luminance (WCAG 2.2)."""
    light = luminance(colour)
    return "#000000" if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else "#ffffff"


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, from 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

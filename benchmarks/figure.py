"""What a benchmark hands back, and how two ways of doing something are timed side by side."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Figure:
    """One ratio: how much longer ours took than the yardstick, and what it may be at most.

    ``limit`` is what must hold; ``aim`` is where we want to be, or None.
    """

    name: str
    ratio: float
    limit: float
    aim: float | None
    detail: str

    @property
    def holds(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.ratio <= self.limit


def _seconds(action: Callable[[], object]) -> float:
    start = perf_counter()
    action()
    return perf_counter() - start


def ratios(ours: Callable[[], object], yardstick: Callable[[], object], pairs: int, warm_up: int = 3) -> list[float]:
    """The ratio of each pair of neighbouring runs, ours by the yardstick, after some runs that do not count."""
    for _ in range(warm_up):
        ours()
        yardstick()
    return [_seconds(ours) / _seconds(yardstick) for _ in range(pairs)]


def compared(name: str, measured: list[float], limit: float, aim: float | None = None) -> Figure:
    """The figure of these ratios: their median, with the smallest and the largest as its detail."""
    detail = f"median of {len(measured)} pairs, {min(measured):.2f} to {max(measured):.2f}"
    return Figure(name, statistics.median(measured), limit, aim, detail)

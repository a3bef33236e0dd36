"""What a suite hands back: a row of the table for each thing that was tried, made from the outcomes of its cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case.

    Attributes:
        dtype: the type of its numbers.
        worst, widest: the largest difference, and the largest tolerance that bounds anything.
        problem: what does not agree; empty where all does.
    """

    name: str
    dtype: str
    worst: float
    problem: str = ""
    widest: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        suite: what gives the expected numbers, with its version.
        through: what of ours was run.
        cases, passed: how many there are, and how many agree.
        worst: the largest absolute difference of two finite numbers, by the type of the case's numbers.
        widest: likewise the largest tolerance.
        tolerance: how far apart two numbers may be, and where that comes from.
        failures: every case that does not agree, and what is wrong there.
    """

    suite: str
    through: str
    cases: int
    passed: int
    worst: Mapping[str, float]
    widest: Mapping[str, float]
    tolerance: str
    failures: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether there are cases, and all of them agree."""
        return 0 < self.cases == self.passed


def row(suite: str, through: str, tolerance: str, outcomes: Iterable[Outcome]) -> Row:
    """The row of these cases."""
    found = list(outcomes)
    failures = tuple(f"{outcome.name}: {outcome.problem}" for outcome in found if outcome.problem)
    worst, widest = dict[str, float](), dict[str, float]()
    for outcome in found:
        worst[outcome.dtype] = max(outcome.worst, worst.get(outcome.dtype, 0.0))
        widest[outcome.dtype] = max(outcome.widest, widest.get(outcome.dtype, 0.0))
    return Row(suite, through, len(found), len(found) - len(failures), worst, widest, tolerance, failures)


class Comparison:
    """Collects the differences of one case."""

    def __init__(self, name: str, dtype: str) -> None:
        self.name, self.dtype = name, dtype
        self._worst = self._widest = 0.0
        self._problems: list[str] = []

    def add(self, what: str, found: Any, expected: Any, tolerance: Any) -> None:
        """Hold an array against the expected one: the same shape, infinities and NaN, and all else within."""
        found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
        if found.shape != expected.shape:
            self._problems.append(f"{what} has the shape {found.shape}, not {expected.shape}")
            return
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
        with np.errstate(invalid="ignore"):
            difference = np.where(same, 0.0, np.abs(found - expected))
        wide = np.broadcast_to(tolerance, found.shape)
        off = ~(difference <= wide)
        self._widest = max(self._widest, float(wide[np.isfinite(wide)].max(initial=0.0)))
        self._worst = max(self._worst, float(difference[np.isfinite(difference)].max(initial=0.0)))
        if off.any():
            at = tuple(int(place) for place in np.argwhere(off)[0])
            self._problems.append(
                f"{what} at {at} is {found[at]:.9g}, not {expected[at]:.9g} ± {wide[at]:.2g} ({off.sum()} such)"
            )

    def outcome(self) -> Outcome:
        """What was found in the case."""
        return Outcome(self.name, self.dtype, self._worst, "; ".join(self._problems), self._widest)

"""A census of one array: how many numbers differ, by how many units in the last place, where, and the worst of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from workings.arrays.rules import Floats, round_to
from workings.terms.numbers import FORMATS

Truths = npt.NDArray[np.bool_]
WORST = 10
BLOCKS = (64, 128)
MOST_BINS = 70


def units(dtype: str, value: Floats) -> Floats:
    """The distance between neighbouring numbers of a type at a value."""
    precision, smallest, largest = FORMATS[dtype]
    _, exponent = np.frexp(np.where(np.isfinite(value), value, 1.0))
    return np.asarray(np.ldexp(1.0, np.clip(exponent - 1, smallest, largest) - precision + 1))


@dataclass(frozen=True, slots=True)
class Worst:
    """One number far off: its full index, what was printed, what is right, and the tolerance."""

    index: tuple[int, ...]
    printed: float
    value: float
    tolerance: float
    ulps: float


@dataclass
class Census:
    """Counts over one array of a dump.

    Attributes:
        name: its name in the contract.
        dtype: the type it is written in.
        over: numbers over tolerance, from the inputs; of them ``begin`` are wrong by the dump's own earlier arrays too.
        one_sided: places where only one side is finite.
        histogram: how many numbers differ by up to 2^k units in the last place.
        rows: rows that hold numbers over tolerance, by batch and head; ``begins`` those with wrong ones.
        worst: the worst numbers over tolerance, the worst first.
        first_nonfinite: full index of the first NaN or infinity that should not be there.
    """

    name: str
    dtype: str
    elements: int = 0
    differ: int = 0
    over: int = 0
    begin: int = 0
    nan: int = 0
    inf: int = 0
    one_sided: int = 0
    max_ulps: float = 0.0
    largest_tolerance: float = 0.0
    histogram: dict[int, int] = field(default_factory=dict)
    first_nonfinite: tuple[int, ...] | None = None
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    begins: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    worst: list[Worst] = field(default_factory=list)

    def touched(self, height: int) -> int:
        """How many blocks of so many rows hold a number over tolerance."""
        return sum(len({row // height for row in rows}) for rows in self.rows.values())

    def add(self, place: tuple[int, int, int], sides: tuple[Floats, Floats, Floats], bad: Truths) -> None:
        """Count a block of rows.

        Args:
            place: batch, head and first row.
            sides: printed numbers, right ones and their tolerances.
            bad: which of the numbers are over tolerance.
        """
        printed, value, bound = sides
        self.elements += printed.size
        both = np.isfinite(printed) & np.isfinite(value)
        self.nan += int(np.isnan(printed).sum())
        self.inf += int(np.isinf(printed).sum())
        self.one_sided += int((np.isfinite(printed) != np.isfinite(value)).sum())
        ulps = np.zeros(printed.shape)
        rounded = round_to(self.dtype, value)
        changed = (printed != rounded) & ~(np.isnan(printed) & np.isnan(rounded))
        self.differ += int(changed.sum())
        np.divide(np.abs(printed - value), units(self.dtype, value), out=ulps, where=both & changed)
        self._count(ulps[both & changed])
        finite_bounds = bound[np.isfinite(bound)]
        if finite_bounds.size:
            self.largest_tolerance = max(self.largest_tolerance, float(finite_bounds.max()))
        if bad.any():
            self._keep(place, (*sides, np.where(both, ulps, np.inf)), bad)

    def _count(self, ulps: Floats) -> None:
        if not ulps.size:
            return
        self.max_ulps = max(self.max_ulps, float(ulps.max()))
        _, power = np.frexp(ulps)
        power = np.where(np.ldexp(1.0, power - 1) == ulps, power - 1, power)
        for key, count in zip(*np.unique(power.clip(-1, MOST_BINS), return_counts=True), strict=True):
            self.histogram[int(key)] = self.histogram.get(int(key), 0) + int(count)

    def _keep(self, at: tuple[int, int, int], sides: tuple[Floats, ...], bad: Truths) -> None:
        (batch, head, start), (printed, value, bound, ulps) = at, sides
        self.over += int(bad.sum())
        per_row = bad.reshape(bad.shape[0], -1).any(axis=1)
        self.rows.setdefault((batch, head), []).extend(int(row) + start for row in np.flatnonzero(per_row))
        odd = bad & ~np.isfinite(printed)
        if self.first_nonfinite is None and odd.any():
            self.first_nonfinite = (batch, head, *_full(np.unravel_index(int(odd.argmax()), odd.shape), start))
        order = np.where(bad, np.nan_to_num(ulps, nan=np.inf, posinf=np.inf), -1.0)
        for flat in np.argsort(-order, axis=None, kind="stable")[:WORST]:
            place = np.unravel_index(int(flat), order.shape)
            if order[place] < 0:
                break
            index = (batch, head, *_full(place, start))
            found = [float(side[place]) for side in (printed, value, bound, order)]
            self.worst.append(Worst(index, *found))
        self.worst.sort(key=lambda item: (-item.ulps, item.index))
        del self.worst[WORST:]


def _full(place: tuple[Any, ...], start: int) -> tuple[int, ...]:
    return (int(place[0]) + start, *(int(part) for part in place[1:]))

"""A census of one array: how many numbers differ, by how many units in the last place, where, and the worst of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from workings.arrays.rules import Floats, round_to
from workings.terms.numbers import FORMATS

Truths = npt.NDArray[np.bool_]
WORST = 10
BLOCKS = (64, 128)
MOST_BINS = 70
# A float64 by its bits: 1 of sign, 11 of exponent (so much larger than what it stands for), 52 of fraction.
FRACTION, BIAS = 52, 1023
POWER = 0x7FF << FRACTION


def units(dtype: str, value: Floats) -> Floats:
    """The distance between neighbouring numbers of a type at a finite value; at 0, which has no size, that below 1."""
    precision, smallest, largest = FORMATS[dtype]
    power = (value.view(np.int64) & POWER).view(np.float64)  # without sign and fraction a power of two is left
    power[value == 0] = 0.5
    return np.asarray(power.clip(2.0**smallest, 2.0**largest) * 2.0 ** (1 - precision))


@dataclass(frozen=True)
class Sides:
    """A block of rows: printed, right, and how far honest arithmetic may stray."""

    printed: Floats
    value: Floats
    bound: Floats

    @cached_property
    def off(self) -> Floats:
        """How far apart printed and right are; NaN or infinite where one of them is not finite."""
        with np.errstate(all="ignore"):
            return np.abs(self.printed - self.value)

    @cached_property
    def finite(self) -> bool:
        """Whether all of it is finite on both sides."""
        return not self.off.size or bool(np.isfinite(self.off.max()))

    @cached_property
    def bad(self) -> Truths:
        """Numbers over tolerance. Where one side alone is finite, no tolerance covers it."""
        over = self.off > self.bound
        if self.finite:
            return over
        printed, value = self.printed, self.value
        same = (printed == value) | (np.isnan(printed) & np.isnan(value))
        return np.asarray(~(same | (np.isfinite(printed) & np.isfinite(value) & ~over)))


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
        unbounded: finite right numbers for which no tolerance could be derived.
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
    unbounded: int = 0
    max_ulps: float = 0.0
    largest_tolerance: float = 0.0
    histogram: dict[int, int] = field(default_factory=dict)
    first_nonfinite: tuple[int, ...] | None = None
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    begins: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    worst: list[Worst] = field(default_factory=list)
    _told: bool = field(default=False, repr=False)
    _any: bool = field(default=False, repr=False)

    @property
    def tells(self) -> bool:
        """Whether the tolerance tells right from wrong: somewhere it is smaller than the number that it is for."""
        return self._told or not self._any

    def touched(self, height: int) -> int:
        """How many blocks of so many rows hold a number over tolerance."""
        return sum(len({row // height for row in rows}) for rows in self.rows.values())

    def add(self, place: tuple[int, int, int], sides: Sides, bad: Truths) -> None:
        """Count a block of rows.

        Args:
            place: batch, head and first row.
            bad: which of the numbers are over tolerance.
        """
        printed, value, bound = sides.printed, sides.value, sides.bound
        self.elements += printed.size
        rounded = round_to(self.dtype, value)
        changed = printed != rounded
        if not sides.finite:
            changed &= ~(np.isnan(printed) & np.isnan(rounded))
        self.differ += int(np.count_nonzero(changed))
        if not sides.finite:
            changed &= self._not_finite(printed, value)
        places = np.flatnonzero(changed)
        if places.size:
            self._count(sides.off.take(places) / units(self.dtype, value.take(places)))
        if not self._told:
            self._told = bool((np.abs(value) > bound).any())
            self._any = self._any or bool(value.any())
        largest = float(bound.max()) if bound.size else 0.0
        if not math.isfinite(largest):
            self.unbounded += int(np.count_nonzero(np.isfinite(value) & ~np.isfinite(bound)))
            largest = float(bound.max(where=np.isfinite(bound), initial=0.0))
        self.largest_tolerance = max(self.largest_tolerance, largest)
        if bad.any():
            self._keep(place, sides, bad)

    def _not_finite(self, printed: Floats, value: Floats) -> Truths:
        """Count NaN and infinities; where both sides are finite."""
        finite = np.isfinite(printed), np.isfinite(value)
        self.nan += int(np.count_nonzero(np.isnan(printed)))
        self.inf += int(np.count_nonzero(np.isinf(printed)))
        self.one_sided += int(np.count_nonzero(finite[0] != finite[1]))
        return np.asarray(finite[0] & finite[1])

    def _count(self, ulps: Floats) -> None:
        """Into bins of powers of two: what is more than 2^(k−1) and up to 2^k is counted under k."""
        self.max_ulps = max(self.max_ulps, float(ulps.max()))
        powers = ((ulps.view(np.int64) + (1 << FRACTION) - 1) >> FRACTION) - BIAS  # rounded up to a power of two
        counts = np.bincount(powers.clip(-1, MOST_BINS) + 1)
        for place in np.flatnonzero(counts):
            key = int(place) - 1
            self.histogram[key] = self.histogram.get(key, 0) + int(counts[place])

    def _keep(self, at: tuple[int, int, int], sides: Sides, bad: Truths) -> None:
        (batch, head, start), printed = at, sides.printed
        self.over += int(bad.sum())
        per_row = bad.reshape(bad.shape[0], -1).any(axis=1)
        self.rows.setdefault((batch, head), []).extend(int(row) + start for row in np.flatnonzero(per_row))
        odd = bad & ~np.isfinite(printed)
        if self.first_nonfinite is None and odd.any():
            self.first_nonfinite = (batch, head, *_full(np.unravel_index(int(odd.argmax()), odd.shape), start))
        places = np.flatnonzero(bad)
        near = sides.off.take(places) / units(self.dtype, sides.value.take(places))
        ulps = np.where(np.isfinite(near), near, np.inf)
        for chosen in np.argsort(-ulps, kind="stable")[:WORST]:
            place = np.unravel_index(int(places[chosen]), bad.shape)
            found = [float(side[place]) for side in (printed, sides.value, sides.bound)]
            found.append(float(ulps[chosen]))
            self.worst.append(Worst((batch, head, *_full(place, start)), *found))
        self.worst.sort(key=lambda item: (-item.ulps, item.index))
        del self.worst[WORST:]


def _full(place: tuple[Any, ...], start: int) -> tuple[int, ...]:
    return (int(place[0]) + start, *(int(part) for part in place[1:]))

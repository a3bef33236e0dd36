"""One head's weights less those of another head, or of what a kernel wrote: every cell looked at once, in float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workings.arrays.rules import round_to
from workings.fast.blocks import BASE
from workings.models.picture import Picture
from workings.models.shelf import Shelf
from workings.terms.model_errors import NotAlike

if TYPE_CHECKING:
    from workings.models.tiles import Beside

AT_ONCE, BAND = 2**20, 2**26  # cells: held at once, and kept together
MOST_WORST = 128


class Worst(NamedTuple):
    """A cell where both are far apart."""

    query: int
    key: int
    ours: float
    theirs: float


class Census(NamedTuple):
    """All cells counted.

    Attributes:
        elements: those that not both keep out by a mask.
        differ: those of them that are not the same number; beside what a kernel wrote, not when ours is rounded to its
            type either.
        not_finite: those where ours or theirs is no finite number.
        largest, mean: of the sizes of the finite differences.
        worst: the largest differences, the largest first.
    """

    elements: int
    differ: int
    not_finite: int
    largest: float
    mean: float
    worst: tuple[Worst, ...]


class Differences:
    """Ours less theirs.

    Args:
        key: by which what is worked is kept on the shelf.

    Raises ``NotAlike`` where both have not as many queries and keys.
    """

    def __init__(self, picture: Picture, other: Beside, shelf: Shelf, key: str) -> None:
        self._picture, self._other, self._shelf, self._key = picture, other, shelf, key

    def cells(self, queries: range, keys: range) -> tuple[Any, Any]:
        """The differences of some cells, and which of them both keep out by a mask."""
        ours, theirs, masked = self._both(queries, keys)
        return _less(ours, theirs), masked

    def _both(self, queries: range, keys: range) -> tuple[Any, Any, Any]:
        """Our weights, theirs, and which cells both keep out by a mask."""
        ours, masked = self._picture.settled(queries, keys)
        theirs, out = self._other.weights(queries, keys)
        return ours, theirs, masked & out

    def blocks(self) -> tuple[Any, Any, Any]:
        """Of each block of 16 × 16 cells the difference largest in size, the sum, and whether all are masked."""
        found = np.concatenate(list(self._bands("blocks", self._blocks_of)))
        return found["extreme"], found["sum"], found["masked"]

    def census(self) -> Census:
        """All cells counted, and the worst of them."""
        bands = list(self._bands("census", self._census_of))
        counts = np.array([band[0] for band in bands])
        elements, differ, odd, total = (float(one) for one in counts[:, [0, 1, 2, 4]].sum(0))
        worst = _largest(np.concatenate([band[1:] for band in bands]))
        found = tuple(Worst(int(q), int(k), float(ours), float(theirs)) for q, k, ours, theirs, _ in worst)
        mean = total / max(1.0, elements - odd)
        return Census(int(elements), int(differ), int(odd), float(counts[:, 3].max()), mean, found)

    # --- all cells ---

    def _bands(self, name: str, work: Callable[[range], Any]) -> Iterator[Any]:
        """All queries, some at a time; what is worked is kept, so that one who is stopped goes on from there."""
        queries, keys = self._picture.shape
        height = BASE * max(1, BAND // (BASE * max(1, keys)))
        for start in range(0, queries, height):
            rows = range(start, min(start + height, queries))
            yield self._shelf.take(f"{self._key} {name} {rows.start}", partial(work, rows))

    def _strips(self, band: range) -> Iterator[tuple[int, Any, Any, Any]]:
        """The first query of some, our rows, theirs, and what both keep out by a mask."""
        keys = self._picture.shape[1]
        height = BASE * max(1, AT_ONCE // (BASE * max(1, keys)))
        for start in range(band.start, band.stop, height):
            yield start, *self._both(range(start, min(start + height, band.stop)), range(keys))

    def _blocks_of(self, band: range) -> Any:
        from workings.models.tiles import pooled_by

        parts = []
        for _, ours, theirs, masked in self._strips(band):
            off = _less(ours, theirs)
            extreme = pooled_by(off, "extreme", 0.0)
            part = np.empty(extreme.shape, [("extreme", "f4"), ("sum", "f8"), ("masked", "?")])
            part["extreme"], part["sum"] = extreme, pooled_by(off, "sum", 0.0)
            part["masked"] = pooled_by(masked, "min", True)
            parts.append(part)
        return np.concatenate(parts)

    def _census_of(self, band: range) -> Any:
        """The counts as the first row, and after it a row for each of the worst: query, key, ours, theirs, size."""
        counts, worst = np.zeros(5), np.zeros((0, 5))
        for start, ours, theirs, masked in self._strips(band):
            off = np.where(masked, 0.0, np.abs(_less(ours, theirs)))
            finite, dtype = np.isfinite(off), self._other.dtype
            differ = ((round_to(dtype, ours) if dtype else ours) != theirs) & ~masked
            counts[:3] += masked.size - masked.sum(), differ.sum(), np.count_nonzero(~finite)
            counts[3:] = max(counts[3], off[finite].max(initial=0.0)), counts[4] + off[finite].sum()
            flat = off.reshape(-1)
            count = min(MOST_WORST, flat.size)
            places = np.argpartition(-flat, count - 1)[:count]
            places = places[flat[places] > 0]
            rows, columns = np.unravel_index(places, off.shape)
            here = np.column_stack([rows + start, columns, ours.flat[places], theirs.flat[places], flat[places]])
            worst = _largest(np.concatenate([worst, here]))
        return np.concatenate([counts[None], worst])


def _largest(worst: Any) -> Any:
    """The largest differences first; of equal ones the first in the matrix."""
    return worst[np.lexsort((worst[:, 1], worst[:, 0], -worst[:, 4]))[:MOST_WORST]]


def check_alike(address: str, shape: tuple[int, int], other: str, seen: tuple[int, int]) -> None:
    """That two matrices of weights have the same queries and keys. Raises ``NotAlike``."""
    if seen != shape:
        (queries, keys), (others, other_keys) = shape, seen
        raise NotAlike(
            address=address, queries=queries, keys=keys, other=other, other_queries=others, other_keys=other_keys
        )


def _less(ours: Any, theirs: Any) -> Any:
    """Ours less theirs; infinite where either is no number."""
    off = ours - theirs
    return np.where(np.isnan(off), np.inf, off)

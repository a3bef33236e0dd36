"""A head's picture in codes of colours: tiles at any zoom, a thumbnail, one row, one head or a dump beside another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from workings.fast.blocks import BASE
from workings.models.codes import Codes, Scale, Values, scale_of
from workings.models.differences import Differences
from workings.models.picture import Picture
from workings.models.shelf import Shelf

SIDE = 256  # cells along a side of a tile
ROUNDING = 1e-10  # of a row: float64 works the weights of a row, and their sum, far closer than this


class Beside(Protocol):
    """Weights that a head is compared with; ``dtype`` is the type in which a kernel wrote them, else empty."""

    dtype: str

    def weights(self, queries: range, keys: range) -> tuple[Any, Any]:
        """Queries × keys, float64, and which of them a mask keeps out (where nothing is known of a mask: the zeros)."""


class OtherHead:
    """Another recorded head to compare with."""

    dtype = ""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def weights(self, queries: range, keys: range) -> tuple[Any, Any]:
        return self._picture.settled(queries, keys)


class Tiles:
    """One head, alone or compared.

    Args:
        key: by which what is worked is kept on the shelf; of this head in this recording, and what it is compared with.
        other: what it is compared with.
    """

    def __init__(self, picture: Picture, shelf: Shelf, key: str, other: Beside | None = None) -> None:
        self.picture, self._shelf, self._key, self._other = picture, shelf, key, other

    def shape(self, level: int) -> tuple[int, int]:
        """Rows and columns of pixels at a level."""
        queries, keys = self.picture.shape
        return -(-queries // BASE**level), -(-keys // BASE**level)

    def tile(self, level: int, row: int, column: int, pooled: str) -> Codes:
        """The codes of a tile; ``row`` and ``column`` count tiles, and there is one."""
        rows, columns = (
            range(place * SIDE, min((place + 1) * SIDE, size))
            for place, size in zip((row, column), self.shape(level), strict=True)
        )
        return self.codes(level, rows, columns, pooled)

    def scale(self, level: int, pooled: str) -> Scale:
        """By which the pixels of a level are coloured."""
        return scale_of(
            level, pooled, compared=self._other is not None, with_dump=bool(self._other and self._other.dtype)
        )

    def codes(self, level: int, rows: range, columns: range, pooled: str) -> Codes:
        """The codes of some pixels of a level."""
        scale, (values, masked) = self.scale(level, pooled), self._pixels(level, rows, columns, pooled)
        if self._other is not None:
            return scale.of_differences(values, masked)
        return scale.of_sums(values, masked) if level and pooled == "sum" else scale.of_logs(values)

    def values(self, level: int, rows: range, columns: range, pooled: str) -> tuple[Values, Values]:
        """The numbers behind some pixels: weights, sums or differences; and which a mask keeps out."""
        values, masked = self._pixels(level, rows, columns, pooled)
        logs = self._other is None and not (level and pooled == "sum")
        return (np.exp(values) if logs else values), masked

    def _pixels(self, level: int, rows: range, columns: range, pooled: str) -> tuple[Values, Values]:
        """Of weights and of the largest of a block the logarithms; sums and differences as they are."""
        part = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
        if self._other is not None:
            if not level:
                return self.differences.cells(rows, columns)
            values, masked = self._differences_at(level, pooled)
            return values[part], masked[part]
        logs = self._log_maxima(level)[part] if level else self.picture.logs(rows, columns)
        return self._sums(level)[part] if level and pooled == "sum" else logs, np.isneginf(logs)

    def thumbnail(self, size: int) -> Codes:
        """The whole head in at most ``size`` × ``size`` pixels, each the largest weight of the cells that it covers."""
        queries, keys = self.picture.shape
        if max(queries, keys) <= size * BASE:
            logs = self.picture.logs(range(queries), range(keys))
        else:
            logs = self._log_maxima(1)
        for axis in (0, 1):
            count = min(size, logs.shape[axis])
            starts = np.arange(count) * logs.shape[axis] // count
            logs = np.maximum.reduceat(logs, starts, axis=axis)
        return scale_of(0, "max").of_logs(logs)

    def row(self, query: int) -> Values:
        """The logarithms of one query's weights."""
        return np.asarray(self.picture.logs(range(query, query + 1), range(self.picture.shape[1]))[0])

    def line(self, queries: range, keys: range) -> Values:
        """The logarithms of weights along a row or a column."""
        return np.asarray(self.picture.logs(queries, keys).reshape(-1))

    # --- what is worked once ---

    @property
    def differences(self) -> Differences:
        """This head less what it is compared with."""
        if self._other is None:
            raise TypeError("nothing to compare with")
        return Differences(self.picture, self._other, self._shelf, self._key)

    def _log_maxima(self, level: int) -> Values:
        found: Values = self._shelf.take(f"{self._key} maxima", self.picture.log_maxima)
        for _ in range(1, level):
            found = pooled_by(found, "max", -np.inf)
        return found

    def _sums(self, level: int) -> Values:
        found: Values = self._shelf.take(f"{self._key} sums", lambda: self.picture.pyramid(1)[1])
        for _ in range(1, level):
            found = pooled_by(found, "sum", 0.0)
        return found

    def _differences_at(self, level: int, pooled: str) -> Sequence[Values]:
        """Of each block the difference that is largest in size, or their sum; and where a mask keeps all out."""
        extremes, sums, masked = self.differences.blocks()
        for _ in range(1, level):
            extremes, sums = pooled_by(extremes, "extreme", 0.0), pooled_by(sums, "sum", 0.0)
            masked = pooled_by(masked, "min", True)
        if pooled == "max" or self._other is None:
            return extremes, masked
        return np.where(np.abs(sums) <= ROUNDING * BASE**level, 0.0, sums), masked


def pooled_by(values: Values, how: str, beyond: Any) -> Values:
    """Blocks of 16 × 16 as one number each; ``beyond`` stands for cells that there are not."""
    rows, columns = (-(-size // BASE) for size in values.shape)
    whole = np.full((rows * BASE, columns * BASE), beyond, values.dtype)
    whole[: values.shape[0], : values.shape[1]] = values
    blocks = whole.reshape(rows, BASE, columns, BASE)
    if how == "sum":
        return np.asarray(blocks.sum((1, 3)))
    if how == "min":
        return np.asarray(blocks.min((1, 3)))
    most = blocks.max((1, 3))
    if how == "max":
        return np.asarray(most)
    least = blocks.min((1, 3))
    return np.asarray(np.where(-least > most, least, most))

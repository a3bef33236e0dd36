"""The rows of logits in one compiled pass: maxima and candidates, then exponentials and both sums. float32, on the CPU.

The same as ``kernel.rows_of_logits``; a test holds the two against each other and e^x against its four units.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import torch
from torch import Tensor

from workings.fast.kernel import FLOOR, LONGEST_PART, Own, Rows

# Compiled code is kept until this file's own text changes: what is compiled reads no constant of another file.
GROUP = 32  # logits of which only the largest is compared at first
_f = np.float32
_LOG2_E, _HALF, _ONE = _f(1.4426950408889634), _f(0.5), _f(1)
# ln 2 in two parts, the first with few bits (Cody and Waite 1980); e^r for |r| <= ln(2)/2 by the polynomial of Cephes
_LN2_HIGH, _LN2_LOW = _f(0.693359375), _f(-2.12194440e-4)
_C2, _C3, _C4 = _f(5.0000001201e-1), _f(1.6666665459e-1), _f(4.1665795894e-2)
_C5, _C6, _C7 = _f(8.3334519073e-3), _f(1.3981999507e-3), _f(1.9875691500e-4)
_BIAS, _MANTISSA = np.int32(127), np.int32(23)
_ZERO, _MINUS_INFINITY = _f(0), _f(-np.inf)


@numba.njit(nogil=True, fastmath={"contract"}, error_model="numpy")
def power(t: Any) -> Any:
    """e^t for -87 <= t <= 0 within four units; no reassociation, which would merge the two parts of ln 2."""
    whole = np.int32(t * _LOG2_E - _HALF)
    n = _f(whole)
    r = (t - n * _LN2_HIGH) - n * _LN2_LOW
    y = _C7
    y = y * r + _C6
    y = y * r + _C5
    y = y * r + _C4
    y = y * r + _C3
    y = y * r + _C2
    return (y * (r * r) + r + _ONE) * np.int32((whole + _BIAS) << _MANTISSA).view(np.float32)


@numba.njit(nogil=True, error_model="numpy")
def _insert(value: Any, key: Any, top: Any, keys: Any) -> None:
    """Put a logit into the sorted list of the largest."""
    place = top.shape[0] - 1
    while place > 0 and top[place - 1] < value:
        top[place] = top[place - 1]
        keys[place] = keys[place - 1]
        place -= 1
    top[place] = value
    keys[place] = key


@numba.njit(nogil=True, error_model="numpy")
def _largest(row: Any, maxima: Any, top: Any, keys: Any) -> Any:
    """The row's maximum; its largest logits, looked for only in groups whose maximum may be among them."""
    columns, count = row.shape[0], top.shape[0]
    groups = columns // GROUP
    whole = groups * GROUP
    for group in range(groups):
        maxima[group] = row[group]
    for step in range(1, GROUP):
        part = row[step * groups : (step + 1) * groups]
        for group in range(groups):
            maxima[group] = part[group] if part[group] > maxima[group] else maxima[group]
    largest = _MINUS_INFINITY
    top[:] = -np.inf
    for group in range(groups):
        largest = max(largest, maxima[group])
        if count and maxima[group] > top[count - 1]:
            _insert(maxima[group], 0, top, keys)
    least = top[count - 1] if count and groups >= count else _MINUS_INFINITY
    top[:] = -np.inf
    if count:
        for group in range(groups):
            if maxima[group] >= least:
                for place in range(group, whole, groups):
                    if row[place] >= least and row[place] > top[count - 1]:
                        _insert(row[place], place, top, keys)
    for place in range(whole, columns):
        largest = max(largest, row[place])
        if count and row[place] > top[count - 1]:
            _insert(row[place], place, top, keys)
    return largest


@numba.njit(nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
def _powers(row: Any, largest: Any, floor: Any) -> Any:
    """e^(s − m) in place of a part of a row, and the two sums."""
    total, moment = _ZERO, _ZERO
    for place in range(row.shape[0]):
        t = row[place] - largest
        inside = floor if t < floor else t
        found = power(inside)
        found = _ZERO if t < floor else found
        row[place] = found
        total += found
        moment += found * inside
    return total, moment


@numba.njit(nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
def _distances(row: Any, first: Any, places: Any) -> Any:
    """Σ power·|column − own| of a part of a row; ``first`` is its first column less the row's own."""
    total = _ZERO
    for place in range(row.shape[0]):
        total += row[place] * abs(places[place] + first)
    return total


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _go(logits: Any, longest: Any, floor: Any, sums: Any, top: Any, keys: Any, first: Any, rows: Any) -> None:
    largest, total, moment, distance = sums
    columns = logits.shape[1]
    maxima, places = np.empty(columns // GROUP, np.float32), np.arange(longest).astype(np.float32)
    for place in range(logits.shape[0]):
        row = logits[place]
        largest[place] = _largest(row, maxima, top[place], keys[place])
        total[place] = 0.0
        moment[place] = 0.0
        far = 0.0
        shift = _ZERO if largest[place] == -np.inf else largest[place]
        for start in range(0, columns, longest):
            part = _powers(row[start : start + longest], shift, floor)
            total[place] += part[0]
            moment[place] += part[1]
            if rows:
                far += _distances(row[start : start + longest], _f(start - first - place % rows), places)
        if rows:
            distance[place] = far


def rows_of_logits(logits: Tensor, spare: Tensor, top: int, masked: bool, own: Own | None = None) -> Rows:
    """As ``kernel.rows_of_logits``; the powers take the place of the logits, and ``spare`` is left alone."""
    rows, columns = logits.shape
    found = Rows(
        largest=torch.empty(rows),
        total=torch.empty(rows, dtype=torch.float64),
        moment=torch.empty(rows, dtype=torch.float64),
        powers=logits,
        top=torch.empty((rows, min(top, columns))),
        keys=torch.zeros((rows, min(top, columns)), dtype=torch.int64),
        distance=None if own is None else torch.empty(rows, dtype=torch.float64),
    )
    far = found.total[:0] if found.distance is None else found.distance
    sums = (found.largest.numpy(), found.total.numpy(), found.moment.numpy(), far.numpy())
    first, together = own or (0, 0)
    floor, values, keys = _f(FLOOR[torch.float32]), found.top.numpy(), found.keys.numpy()
    _go(logits.numpy(), LONGEST_PART, floor, sums, values, keys, first, together)
    return found

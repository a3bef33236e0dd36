"""The rows of logits in one compiled pass: maxima and candidates, then exponentials and both sums. float32, on the CPU.

The same as ``kernel.rows_of_logits`` and ``mass_at``; a test holds the two against each other and e^x against its four
units.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import torch
from torch import Tensor

from workings.fast.kernel import FLOOR, LONGEST_PART, Masses, Rows, Strip

# Compiled code is kept until this file's own text changes: what is compiled reads no constant of another file.
GROUP = 8  # logits of which only the largest is compared at first
SETS = 4  # groups are put together to no fewer sets than half as many for each of the largest that are wanted
_f = np.float32
_LOG2_E, _HALF, _ONE = _f(1.4426950408889634), _f(0.5), _f(1)
# ln 2 in two parts, the first with few bits (Cody and Waite 1980); e^r for |r| <= ln(2)/2 by the polynomial of Cephes
_LN2_HIGH, _LN2_LOW = _f(0.693359375), _f(-2.12194440e-4)
_C2, _C3, _C4 = _f(5.0000001201e-1), _f(1.6666665459e-1), _f(4.1665795894e-2)
_C5, _C6, _C7 = _f(8.3334519073e-3), _f(1.3981999507e-3), _f(1.9875691500e-4)
_BIAS, _MANTISSA = np.int32(127), np.int32(23)
NO_LIMIT = 2**62  # of a band that goes on to the end
_NONE = np.empty((0, 0, 0))  # no distances
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
def _packed(value: Any, key: Any) -> Any:
    """A logit and its column as one whole number: the larger the logit, and then the smaller the column, the larger."""
    bits = np.int64(_f(value).view(np.int32))
    ordered = bits ^ ((bits >> 31) & np.int64(0x7FFFFFFF))
    return (ordered << 32) | (np.int64(0x7FFFFFFF) - key)


@numba.njit(nogil=True, error_model="numpy")
def _unpacked(best: Any, top: Any, keys: Any, first: Any) -> None:
    for place in range(best.shape[0]):
        ordered = best[place] >> 32
        bits = np.int32(ordered ^ ((ordered >> 31) & np.int64(0x7FFFFFFF)))
        top[place] = bits.view(np.float32)
        keys[place] = first + np.int64(0x7FFFFFFF) - (best[place] & np.int64(0xFFFFFFFF))


@numba.njit(nogil=True, error_model="numpy")
def _sift(one: Any, best: Any) -> None:
    """Put a packed logit into the sorted list of the largest, without a branch."""
    for place in range(best.shape[0]):
        there = best[place]
        best[place] = max(there, one)
        one = min(there, one)


@numba.njit(nogil=True, error_model="numpy")
def _maxima(row: Any, maxima: Any) -> None:
    """The largest logit of each group; a group's columns lie as far apart as there are groups."""
    groups = maxima.shape[0]
    for group in range(groups):
        maxima[group] = row[group]
    for step in range(1, GROUP):
        part = row[step * groups : (step + 1) * groups]
        for group in range(groups):
            maxima[group] = part[group] if part[group] > maxima[group] else maxima[group]


@numba.njit(nogil=True, error_model="numpy")
def _ends(maxima: Any, fold: Any, count: Any) -> Any:
    """The largest of all, and a logit that ``count`` groups reach and few more: the least of so many sets' largest."""
    size = maxima.shape[0]
    for place in range(size):
        fold[place] = maxima[place]
    while size >= SETS * max(count, 1):
        half = size // 2
        if size % 2:
            fold[0] = max(fold[0], fold[size - 1])
        for place in range(half):
            fold[place] = fold[place + half] if fold[place + half] > fold[place] else fold[place]
        size = half
    largest, least = _MINUS_INFINITY, np.float32(np.inf)
    for place in range(size):
        one, above = fold[place], np.int32(0)
        for other in range(size):
            above += np.int32(fold[other] > one)
        largest = max(largest, one)
        least = min(least, one) if above < count else least
    return largest, least if size >= count else _MINUS_INFINITY


@numba.njit(nogil=True, error_model="numpy")
def _largest(row: Any, spare: Any, places: Any, best: Any) -> Any:
    """The row's maximum; its largest logits, packed, looked for only in groups whose maximum may be among them.

    What is gathered is counted up by 0 or 1: a branch that is taken at random would cost more than the gathering.
    """
    columns, count = row.shape[0], best.shape[0]
    groups = columns // GROUP
    whole = groups * GROUP
    maxima = spare[:groups]
    _maxima(row, maxima)
    largest, least = _ends(maxima, spare[groups : 2 * groups], count)
    for place in range(whole, columns):
        largest = max(largest, row[place])
    if count == 0:
        return largest
    best[:] = _packed(_MINUS_INFINITY, 0)
    chosen = 0
    for group in range(groups):
        places[chosen] = group
        chosen += (maxima[group] >= least) & (maxima[group] > _MINUS_INFINITY)
    found = groups
    for nth in range(chosen):
        group = places[nth]
        for step in range(GROUP):
            value = row[group + step * groups]
            places[found] = group + step * groups
            found += (value >= least) & (value > _MINUS_INFINITY)
    for nth in range(groups, found):
        _sift(_packed(row[places[nth]], places[nth]), best)
    for place in range(whole, columns):
        if row[place] > _MINUS_INFINITY:
            _sift(_packed(row[place], place), best)
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
def _distances(row: Any, first: Any, steps: Any) -> Any:
    """Σ power·|column − own| of a part of a row; ``first`` is its first column less the row's own."""
    total = _ZERO
    for place in range(row.shape[0]):
        total += row[place] * abs(steps[place] + first)
    return total


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _go(logits: Any, place: Any, band: Any, limits: Any, sums: Any, top: Any, keys: Any, distance: Any) -> None:
    largest, total, moment = sums
    (batch, first_head, first_row, rows, first_key), (own, left, right) = place, band
    longest, floor = limits
    columns, far = logits.shape[1], distance.shape[2]
    spare, places = np.empty(2 * (columns // GROUP), np.float32), np.empty(2 * columns + 1, np.int64)
    steps, best = np.arange(longest).astype(np.float32), np.empty(top.shape[3], np.int64)
    for nth in range(logits.shape[0]):
        head, row = first_head + nth // rows, first_row + nth % rows
        here = own + nth % rows
        begin = min(max(0, here - left), columns)
        end = max(begin, min(columns, here + right + 1))
        logits[nth, :begin] = _ZERO
        logits[nth, end:] = _ZERO
        seen = logits[nth, begin:end]
        most = _largest(seen, spare, places, best)
        _unpacked(best, top[batch, head, row], keys[batch, head, row], first_key + begin)
        whole, whole_moment, whole_distance = 0.0, 0.0, 0.0
        shift = _ZERO if most == -np.inf else most
        for start in range(0, end - begin, longest):
            part = seen[start : start + longest]
            found = _powers(part, shift, floor)
            whole += found[0]
            whole_moment += found[1]
            if far:
                whole_distance += _distances(part, _f(begin + start - here), steps)
        largest[batch, head, row], total[batch, head, row], moment[batch, head, row] = most, whole, whole_moment
        if far:
            distance[batch, head, row] = whole_distance


def rows_of_logits(strip: Strip, spare: Tensor, into: Rows, masked: bool) -> Tensor:
    """As ``kernel.rows_of_logits``; the powers take the place of the logits, and ``spare`` is left alone."""
    at, (own, left, right) = strip.at, strip.band
    place = at.batch, at.heads.start, at.rows.start, len(at.rows), at.keys.start
    band = own, NO_LIMIT if left is None else left, NO_LIMIT if right is None else right
    sums = into.largest.numpy(), into.total.numpy(), into.moment.numpy()
    distance = _NONE if into.distance is None else into.distance.numpy()
    limits = LONGEST_PART, _f(FLOOR[torch.float32])
    _go(strip.logits.numpy(), place, band, limits, sums, into.top.numpy(), into.keys.numpy(), distance)
    return strip.logits


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _at(powers: Any, place: Any, own: Any, names: Any, near: Any, single: Any, around: Any) -> None:
    batch, first_head, first_row, rows, first_key = place
    columns = powers.shape[1]
    for nth in range(powers.shape[0]):
        head, row = first_head + nth // rows, first_row + nth % rows
        for name in range(names.shape[1]):
            column = names[row, name] - first_key
            single[batch, head, row, name] = powers[nth, column] if 0 <= column < columns else _ZERO
        if near:
            here, whole = own + nth % rows, 0.0
            for column in range(max(0, here - near), min(columns, here + near + 1)):
                whole += powers[nth, column]
            around[batch, head, row] = whole


def mass_at(powers: Strip, into: Masses) -> None:
    """As ``kernel.mass_at``."""
    at = powers.at
    place = at.batch, at.heads.start, at.rows.start, len(at.rows), at.keys.start
    around = into.around.numpy() if into.near else _NONE
    _at(powers.logits.numpy(), place, powers.band.own, into.keys.numpy(), into.near, into.single.numpy(), around)

"""What is taken of every row of logits: its maximum, its sums and its largest; and which implementation does it.

``rows_of_logits`` and ``mass_at`` are the reference and run everywhere; ``compiled`` does the same in one pass over
float32 on the CPU, where numba is installed. ``choose`` is the only place that decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from workings.fast.logits import Band, Place, hide_outside, slices

GROUP = 8  # logits of which only the largest is compared at first
PART = 32  # how many numbers are added up in the working type by the reference
LONGEST_PART = 256  # and by any implementation at the most
FLOOR = {torch.float32: -87.0, torch.float64: -708.0}  # e to this is still a normal number; below it, nothing or almost


@dataclass(slots=True)
class Rows:
    """What is taken of the rows of logits of a whole attention: [batch, heads, queries, …].

    Attributes:
        largest: the maximum m of each row, -inf where nothing is allowed.
        total: Σ e^(s − m), float64; 0 where nothing is allowed.
        moment: Σ e^(s − m)·(s − m), float64.
        top: the largest logits, the largest first, -inf where there are no more.
        keys: the keys where they stand.
        distance: Σ e^(s − m)·|key − own key|, float64, exact distances up to 2²⁴; None where it is not wanted.
    """

    largest: Tensor
    total: Tensor
    moment: Tensor
    top: Tensor
    keys: Tensor
    distance: Tensor | None


@dataclass(slots=True)
class Masses:
    """What lies on keys that were named; before the division by the row's sum.

    Attributes:
        keys: which ones, [queries, names]; on one that is not there lies nothing.
        single: what lies on each, [batch, heads, queries, names] float64.
        near: how far from a row's own key those lie that are added up; 0 for none.
        around: what lies on those, [batch, heads, queries] float64.
    """

    keys: Tensor
    single: Tensor
    near: int
    around: Tensor


class Strip(NamedTuple):
    """The logits of a place, [heads × rows, keys], and which of them its rows may look at."""

    logits: Tensor
    at: Place
    band: Band

    @property
    def planes(self) -> Tensor:
        """As [heads, rows, keys]."""
        return self.logits.view(len(self.at.heads), len(self.at.rows), -1)


class MassAt(Protocol):
    """Looks powers up, as ``mass_at`` says."""

    def __call__(self, powers: Strip, into: Masses) -> None: ...


class RowsOf(Protocol):
    """Takes rows of logits, as ``rows_of_logits`` says."""

    def __call__(self, strip: Strip, spare: Tensor, into: Rows, masked: bool) -> Tensor: ...


def in_parts(values: Tensor) -> Tensor:
    """Σ over the last axis as float64: no more than PART of them are added up in the type they have."""
    whole = values.shape[-1] // PART * PART
    sums = values[..., :whole].reshape(*values.shape[:-1], PART, -1).sum(-2) if whole else values[..., :0]
    return torch.cat((sums, values[..., whole:]), -1).sum(-1, dtype=torch.float64)


def largest_of(logits: Tensor, top: int) -> tuple[Tensor, Tensor, Tensor]:
    """The maximum of each row, and its ``top`` largest with their columns.

    The ``top`` largest stand in the ``top`` groups of columns with the largest maxima: no other needs to be looked at.
    """
    rows, columns = logits.shape
    groups = columns // GROUP
    count = min(top, columns)
    if groups <= count:
        values, keys = logits.topk(count, -1)
        return logits.amax(-1), values, keys
    whole = groups * GROUP
    maxima = logits.as_strided((rows, GROUP, groups), (logits.stride(0), groups, 1)).amax(1)
    tail = torch.arange(whole, columns, device=logits.device).expand(rows, -1)
    if top:
        chosen = maxima.topk(count, -1, sorted=False)[1]
        steps = torch.arange(0, whole, groups, device=logits.device)
        candidates = torch.cat(((chosen[:, None, :] + steps[:, None]).flatten(1), tail), 1)
        values, place = logits.gather(1, candidates).topk(count, -1)
        return torch.maximum(values[:, 0], maxima.amax(-1)), values, candidates.gather(1, place)
    largest = torch.cat((maxima, logits[:, whole:]), 1).amax(-1)
    return largest, logits[:, :0], torch.empty((rows, 0), dtype=torch.int64, device=logits.device)


def rows_of_logits(strip: Strip, spare: Tensor, into: Rows, masked: bool) -> Tensor:
    """The reference, in torch. Returns the powers e^(s − m), in the working type; 0 where a row may not look.

    Args:
        strip: its logits are overwritten; what lies outside the band may be anything.
        spare: as large; the powers are put there.
        into: is filled where the strip stands.
        masked: whether some logits may be -inf.
    """
    masked = hide_outside(strip.planes, strip.band) or masked
    logits, at = strip.logits, strip.at
    here, shape = (at.batch, *slices(at)[:2]), (len(at.heads), len(at.rows), -1)
    largest, values, keys = largest_of(logits, into.top.shape[-1])
    logits.sub_(torch.where(largest == -torch.inf, 0, largest)[:, None])
    powers = torch.exp(logits, out=spare)
    into.largest[here] = largest.view(shape[:2])
    into.total[here] = in_parts(powers).view(shape[:2])
    if masked:
        logits.clamp_(min=2 * FLOOR[logits.dtype])
    into.moment[here] = in_parts(logits.mul_(powers)).view(shape[:2])
    into.top[(*here, slice(values.shape[1]))] = values.view(shape)
    into.keys[(*here, slice(values.shape[1]))] = keys.add_(at.keys.start).view(shape)
    if into.distance is not None:
        into.distance[here] = _distances(powers, strip).view(shape[:2])
    return powers


def _distances(powers: Tensor, strip: Strip) -> Tensor:
    first, rows = strip.band.own, len(strip.at.rows)
    columns = torch.arange(powers.shape[1], device=powers.device, dtype=powers.dtype)
    own = torch.arange(first, first + rows, device=powers.device, dtype=powers.dtype)
    distance = torch.sub(columns, own[:, None]).abs_()
    return torch.cat([in_parts(distance * plane) for plane in powers.view(-1, rows, powers.shape[1])])


def mass_at(powers: Strip, into: Masses) -> None:
    """What each row has on some keys, and what it has near its own; 0 where there is no such column."""
    at, planes, names = powers.at, powers.planes, into.keys.shape[1]
    (heads, rows, _), device = slices(at), planes.device
    places = into.keys[rows] - at.keys.start
    if into.near:
        steps = torch.arange(-into.near, into.near + 1, device=device)
        own = torch.arange(powers.band.own, powers.band.own + len(at.rows), device=device)
        places = torch.cat((places, own[:, None] + steps), 1)
    inside = (places >= 0) & (places < planes.shape[2])
    place = places.clamp(0, planes.shape[2] - 1).expand(planes.shape[0], -1, -1)
    found = torch.where(inside, planes.gather(2, place), 0)
    into.single[at.batch, heads, rows] = found[..., :names].double()
    if into.near:
        into.around[at.batch, heads, rows] = found[..., names:].sum(-1, dtype=torch.float64)


class Kernel(NamedTuple):
    """One way to go over rows."""

    rows: RowsOf
    mass: MassAt


@cache
def _compiled() -> Kernel | None:
    """The compiled kernel; None where numba is not there, or has no folder to keep what it compiled in."""
    try:
        from workings.fast import compiled
    except (ImportError, RuntimeError):
        return None
    return Kernel(compiled.rows_of_logits, compiled.mass_at)


def choose(device: torch.device, dtype: torch.dtype) -> Kernel:
    """Which implementation goes over the rows."""
    compiled = _compiled() if device.type == "cpu" and dtype == torch.float32 else None
    return compiled or Kernel(rows_of_logits, mass_at)

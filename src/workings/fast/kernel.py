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

GROUP = 8  # logits of which only the largest is compared at first
PART = 32  # how many numbers are added up in the working type by the reference
LONGEST_PART = 256  # and by any implementation at the most
FLOOR = {torch.float32: -87.0, torch.float64: -708.0}  # e to this is still a normal number; below it, nothing or almost


@dataclass(slots=True)
class Rows:
    """What is taken of some rows of logits.

    Attributes:
        largest: the maximum m of each row, -inf where nothing is allowed.
        total: Σ e^(s − m), float64; 0 where nothing is allowed.
        moment: Σ e^(s − m)·(s − m), float64.
        powers: e^(s − m), in the working type.
        top: the largest logits, the largest first, -inf where there are no more; [rows, top].
        keys: the columns where they stand.
        distance: Σ e^(s − m)·|column − own column|, float64, where own columns were told; exact distances up to 2²⁴.
    """

    largest: Tensor
    total: Tensor
    moment: Tensor
    powers: Tensor
    top: Tensor
    keys: Tensor
    distance: Tensor | None = None


class Own(NamedTuple):
    """Where the rows stand: the column of the first row's own key, from which the next count on; after ``rows`` of them
    the next head's begin.
    """

    first: int
    rows: int


class Around(NamedTuple):
    """Which columns are near: those from ``left`` before a row's own to ``right`` behind it.

    The first row's own is ``first``, and each next row's the next.
    """

    first: int
    left: int
    right: int


class MassAt(Protocol):
    """Looks powers up, as ``mass_at`` says."""

    def __call__(self, powers: Tensor, places: Tensor, around: Around) -> tuple[Tensor, Tensor]: ...


class RowsOf(Protocol):
    """Takes rows of logits, as ``rows_of_logits`` says."""

    def __call__(self, logits: Tensor, spare: Tensor, top: int, masked: bool, own: Own | None = None) -> Rows: ...


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


def rows_of_logits(logits: Tensor, spare: Tensor, top: int, masked: bool, own: Own | None = None) -> Rows:
    """The reference, in torch.

    Args:
        logits: [rows, keys], overwritten.
        spare: as large; the powers are put there.
        masked: whether some logits may be -inf.
        own: where the rows stand, if their distances are wanted.
    """
    largest, values, keys = largest_of(logits, top)
    logits.sub_(torch.where(largest == -torch.inf, 0, largest)[:, None])
    powers = torch.exp(logits, out=spare)
    total = in_parts(powers)
    if masked:
        logits.clamp_(min=2 * FLOOR[logits.dtype])
    moment = in_parts(logits.mul_(powers))
    return Rows(largest, total, moment, powers, values, keys, None if own is None else _distances(powers, own))


def _distances(powers: Tensor, own: Own) -> Tensor:
    columns = torch.arange(powers.shape[1], device=powers.device, dtype=powers.dtype)
    rows = torch.arange(own.first, own.first + own.rows, device=powers.device, dtype=powers.dtype)
    distance = torch.sub(columns, rows[:, None]).abs_()
    return torch.cat([in_parts(distance * plane) for plane in powers.view(-1, own.rows, powers.shape[1])])


def mass_at(powers: Tensor, places: Tensor, around: Around) -> tuple[Tensor, Tensor]:
    """What each row has at some columns, and what it has near its own; 0 where there is no such column.

    Args:
        powers: [heads, rows, keys].
        places: [rows, names], columns.

    Returns [heads, rows, names] in the working type, and [heads, rows] float64.
    """
    names = places.shape[1]
    if around.left:
        steps = torch.arange(-around.left, around.right + 1, device=places.device)
        own = torch.arange(around.first, around.first + places.shape[0], device=places.device)
        places = torch.cat((places, own[:, None] + steps), 1)
    inside = (places >= 0) & (places < powers.shape[2])
    place = places.clamp(0, powers.shape[2] - 1).expand(powers.shape[0], -1, -1)
    found = torch.where(inside, powers.gather(2, place), 0)
    return found[..., :names], found[..., names:].sum(-1, dtype=torch.float64)


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

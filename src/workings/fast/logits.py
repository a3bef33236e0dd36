"""From scaled dot products to the logits of softmax, in place, for any rectangle of one or more heads' scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from workings.fast.operands import Operands


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle of scores: some heads of one item of the batch, some queries, some keys."""

    batch: int
    heads: range
    rows: range
    keys: range


class Band(NamedTuple):
    """Which columns of a place its rows may look at, as the mask's band tells.

    Attributes:
        own: the column of the first row's own key; each next row's is the next.
        left, right: how far before and after its own key a row looks; None: to the end.
    """

    own: int
    left: int | None
    right: int | None


def band_of(of: Operands, at: Place) -> Band:
    """The band of a place."""
    return Band(at.rows.start + of.own - at.keys.start, of.left, of.right)


def slices(at: Place) -> tuple[slice, slice, slice]:
    """Heads, rows and keys of a place."""
    heads, rows, keys = (slice(part.start, part.stop) for part in (at.heads, at.rows, at.keys))
    return heads, rows, keys


def seen_keys(of: Operands, batch: int, rows: range) -> range:
    """The shortest range that holds every key which these rows may look at, as band, padding and documents tell."""
    first, last = 0, of.k.shape[2]
    if of.left is not None:
        first = max(first, rows.start + of.own - of.left)
    if of.right is not None:
        last = min(last, rows.stop + of.own + of.right)
    there = of.extras.get("padding")
    if there is not None:
        first, last = _narrowed(there[batch], first, last)
    documents, own = of.extras.get("key_documents"), of.extras.get("query_documents")
    if documents is not None and own is not None and first < last:
        first, last = _narrowed(torch.isin(documents[batch], own[batch, rows.start : rows.stop]), first, last)
    return range(first, max(first, last))


def _narrowed(there: Tensor, first: int, last: int) -> tuple[int, int]:
    places = there.nonzero()
    if not len(places):
        return first, first
    return max(first, int(places[0])), min(last, int(places[-1]) + 1)


def distances(of: Operands, at: Place, own: int, dtype: torch.dtype) -> Tensor:
    """|key − own key| [rows, keys], exact up to 2²⁴ tokens in float32."""
    keys = torch.arange(at.keys.start, at.keys.stop, device=of.q.device, dtype=dtype)
    rows = torch.arange(at.rows.start + own, at.rows.stop + own, device=of.q.device, dtype=dtype)
    return torch.sub(keys, rows[:, None]).abs_()


def to_logits(scaled: Tensor, of: Operands, at: Place) -> None:
    """Softcap, bias, ALiBi and mask, in the order of the declared steps.

    Args:
        scaled: [heads, rows, keys] of the place, overwritten.
    """
    all_but_band(scaled, of, at)
    hide_outside(scaled, band_of(of, at))


def all_but_band(scaled: Tensor, of: Operands, at: Place) -> bool:
    """The same without the band of the mask, which comes last; whether any cell may have become -inf."""
    if of.softcap is not None:
        scaled.div_(of.softcap).tanh_().mul_(of.softcap)
    heads, rows, keys = slices(at)
    biases = _biases(of, at)
    for bias in biases:
        scaled.add_(bias)
    slopes = of.extras.get("alibi_slopes")
    if slopes is not None:
        distance = distances(of, at, of.distance_from, scaled.dtype)
        for plane, slope in zip(scaled, slopes[heads].tolist(), strict=True):
            plane.add_(distance, alpha=-slope)
    masks = bool(biases)
    for bias in biases:
        scaled.masked_fill_(bias == -torch.inf, -torch.inf)
    there = of.extras.get("padding")
    if there is not None:
        scaled.masked_fill_(~there[at.batch, keys], -torch.inf)
        masks = True
    allowed = of.extras.get("allowed")
    if allowed is not None:
        scaled.masked_fill_(~allowed[at.batch, heads, rows, keys], -torch.inf)
        masks = True
    own, documents = of.extras.get("query_documents"), of.extras.get("key_documents")
    if own is not None and documents is not None:
        scaled.masked_fill_(own[at.batch, rows, None] != documents[at.batch, keys], -torch.inf)
        masks = True
    return masks


def _biases(of: Operands, at: Place) -> list[Tensor]:
    """The additive biases of a place, [heads, rows, keys] each."""
    heads, rows, keys = slices(at)
    whole, line = of.extras.get("bias"), of.extras.get("bias_by_distance")
    found = [] if whole is None else [whole[at.batch, heads, rows, keys]]
    if line is not None and at.rows and at.keys:
        # key - query grows along the keys and falls along the rows: windows of the line, the last row's first
        begin = at.keys.start - (at.rows.stop - 1) + of.q.shape[2] - 1
        part = line[heads, begin : begin + len(at.rows) + len(at.keys) - 1]
        found.append(part.unfold(1, len(at.keys), 1).flip(1))
    return found


def hide_outside(logits: Tensor, band: Band) -> bool:
    """-inf where a row may not look: only columns outside some row's band are touched. Whether there are any.

    Args:
        logits: [..., rows, keys].
    """
    (rows, keys), (own, left, right) = logits.shape[-2:], band
    hidden = False
    if right is not None:
        start = max(0, own + right + 1)
        if start < keys:
            beyond = _beyond(rows, keys - start, own + right - start, logits.device)
            logits[..., start:].masked_fill_(beyond, -torch.inf)
            hidden = True
    if left is not None:
        stop = min(keys, own + rows - 1 - left)
        if stop > 0:
            before = ~_beyond(rows, stop, own - left - 1, logits.device)
            logits[..., :stop].masked_fill_(before, -torch.inf)
            hidden = True
    return hidden


@lru_cache(8)
def _beyond(rows: int, keys: int, edge: int, device: torch.device) -> Tensor:
    """Which keys lie beyond the edge of a row: that of the first is ``edge``, and one further for each that follows."""
    edges = torch.arange(edge, edge + rows, device=device)[:, None]
    return torch.arange(keys, device=device) > edges

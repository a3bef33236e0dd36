"""The weights of a head in blocks, for a picture at any zoom: the exact maximum and the sum of each block, streamed.

A block of level n is 16ⁿ queries × 16ⁿ keys; a pixel that shows one leaves nothing out, so that a lone large weight is
seen at every zoom. Level 1 is worked a strip of queries at a time from Q, K and the log-sum-exp, in memory linear in
the tokens; each further level is made of the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from workings.fast.blocks import BASE
from workings.fast.logits import Place, seen_keys, to_logits
from workings.fast.weights import Weights

STRIP = 2**21  # weights held at once


class Blocks(NamedTuple):
    """Some blocks: what each holds at the most, and altogether.

    Attributes:
        maxima: [rows of blocks, columns of blocks], of the type that weights are worked in.
        sums: the same in float64.
    """

    maxima: Tensor
    sums: Tensor


class _Strip(NamedTuple):
    """Some queries and the keys that they may look at.

    Attributes:
        cells: [rows of blocks, 16, columns of blocks, 16].
        inside: which of the columns of blocks these are; ``columns`` is how many there are altogether.
    """

    cells: Tensor
    inside: slice
    columns: int


def strips(weights: Weights, head: int, batch: int = 0) -> Iterator[Blocks]:
    """Level 1 from top to bottom, some rows of blocks at a time; cells beyond the last query or key count as 0.

    A row with nothing allowed counts as one of zeros. The relative error of a weight is that of ``bounds``; a sum has
    256 roundings more.
    """
    for strip in _strips(weights, head, batch, nothing=0.0):
        found = strip.cells
        maxima = found.new_zeros((len(found), strip.columns))
        sums = torch.zeros_like(maxima, dtype=torch.float64)
        maxima[:, strip.inside] = found.amax((1, 3))
        sums[:, strip.inside] = found.sum(3).sum(1, dtype=torch.float64)
        yield Blocks(maxima, sums)


def log_maxima(weights: Weights, head: int, batch: int = 0) -> Tensor:
    """The logarithm of the largest weight of each block of level 1; -inf where a mask keeps everything out.

    No weight is too small for it, and no exponential is taken.
    """
    parts = []
    for strip in _strips(weights, head, batch, nothing=-torch.inf):
        maxima = strip.cells.new_full((len(strip.cells), strip.columns), -torch.inf)
        maxima[:, strip.inside] = strip.cells.amax(1).amax(2)
        parts.append(maxima)
    return torch.cat(parts)


def _strips(weights: Weights, head: int, batch: int, *, nothing: float) -> Iterator[_Strip]:
    """The weights, or their logarithms where what is masked is to be -inf; each strip overwrites the one before."""
    of = weights.operands
    queries, keys = of.q.shape[2], of.k.shape[2]
    columns = -(-keys // BASE)
    height = BASE * max(1, STRIP // (BASE * BASE * max(1, columns)))
    k = of.k[batch, head // of.group].to(of.compute)
    room = torch.empty(height * columns * BASE, dtype=of.compute, device=k.device)
    for start in range(0, queries, height):
        rows = range(start, min(start + height, queries))
        here = -(-len(rows) // BASE) * BASE
        seen = seen_keys(of, batch, rows)
        first, last = seen.start // BASE * BASE, min(-(-seen.stop // BASE) * BASE, columns * BASE)
        if not seen:
            last = first
        strip = room[: here * (last - first)].view(here, last - first).fill_(nothing)
        if seen:
            part = _log_weights(
                weights, k, Place(batch, range(head, head + 1), rows, range(first, min(last, keys))), strip
            )
            if nothing == 0:
                part.exp_()
        cells = strip.view(here // BASE, BASE, (last - first) // BASE, BASE)
        yield _Strip(cells, slice(first // BASE, last // BASE), columns)


def _log_weights(weights: Weights, k: Tensor, at: Place, room: Tensor) -> Tensor:
    """logit − lse of a place, in the upper left of ``room``."""
    of = weights.operands
    rows, keys = slice(at.rows.start, at.rows.stop), slice(at.keys.start, at.keys.stop)
    part = room[: len(at.rows), : len(at.keys)]
    q = of.q[at.batch, at.heads.start, rows].to(of.compute)
    torch.addmm(part, q, k[keys].T, beta=0, alpha=of.scale, out=part)
    to_logits(part[None], of, at)
    lse = weights.natural_lse(at.batch, at.heads.start, at.rows)
    return part.sub_(torch.where(lse == -torch.inf, 0, lse).to(part.dtype)[:, None])


def coarser(blocks: Blocks) -> Blocks:
    """The level above."""
    rows, columns = (-(-size // BASE) for size in blocks.maxima.shape)

    def folded(tensor: Tensor) -> Tensor:
        whole = tensor.new_zeros((rows * BASE, columns * BASE))
        whole[: tensor.shape[0], : tensor.shape[1]] = tensor
        return whole.view(rows, BASE, columns, BASE)

    return Blocks(folded(blocks.maxima).amax((1, 3)), folded(blocks.sums).sum((1, 3)))


def level(weights: Weights, head: int, number: int, batch: int = 0) -> Blocks:
    """All blocks of a level, 1 or more."""
    parts = list(strips(weights, head, batch))
    found = Blocks(torch.cat([one.maxima for one in parts]), torch.cat([one.sums for one in parts]))
    for _ in range(1, number):
        found = coarser(found)
    return found

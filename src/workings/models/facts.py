"""What one call of attention does besides its operands: scale, band, softcap, sinks, and biases kept in a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.spec import AttentionSpec, Mask
from workings.terms.model_errors import MaskNotUnderstood

EXHAUSTIVE = 1024  # up to so many queries every row of a mask is looked at
LOOKED_AT = 64
USUAL = 2.0**-50  # a scale this near to 1/√d_k is meant to be it


@dataclass(frozen=True)
class Band:
    """Which keys a query may look at: those from ``left`` before its own to ``right`` after it; None for no limit.

    The own key of query i is key ``i + offset``.
    """

    left: int | None = None
    right: int | None = None
    offset: int = 0

    def keys(self, first: int, last: int, keys: int) -> tuple[int, int]:
        """From which key on, and up to which (not included), queries ``first`` to ``last`` may look at any."""
        begin = 0 if self.left is None else max(0, first + self.offset - self.left)
        end = keys if self.right is None else min(keys, last + self.offset + self.right + 1)
        return min(begin, keys), max(end, 0)

    @property
    def limits(self) -> bool:
        return self.left is not None or self.right is not None


@dataclass(frozen=True)
class ByKey:
    """A bias that depends on the head and the key alone: ``values`` is heads × keys."""

    values: Any


@dataclass(frozen=True)
class ByDistance:
    """A bias that depends on the head and on key − query: ``values`` is heads × (queries + keys − 1).

    Its first column is that of the first key at the last query.
    """

    values: Any


Bias = ByKey | ByDistance


@dataclass(frozen=True)
class Facts:
    """One call of attention.

    Attributes:
        scale: what the dot products are multiplied by.
        softcap: c of c·tanh(s/c), or None.
        sinks: one logit for each head, or None.
        bias: added after the softcap, before the mask.
    """

    scale: float
    band: Band = Band()
    softcap: float | None = None
    sinks: Any = None
    bias: Bias | None = None

    def spec(self, sizes: Sizes) -> AttentionSpec:
        """What kind of attention it is."""
        biased, sinks = self.bias is not None, self.sinks is not None
        return spec_of(self.scale, self.band, sizes, softcap=self.softcap, bias=biased, sink=sinks)


class Sizes(NamedTuple):
    """How many queries and keys there are, and the width of a key."""

    queries: int
    keys: int
    d_k: int


def spec_of(scale: float, band: Band, sizes: Sizes, *, softcap: float | None, bias: bool, sink: bool) -> AttentionSpec:
    """What kind of attention a call was, whether it is running or was recorded."""
    usual = abs(scale * float(sizes.d_k) ** 0.5 - 1) < USUAL
    return AttentionSpec(
        divide_by=None if usual else _literal(1 / Fraction(scale)),
        softmax="shifted",
        mask=_mask(band, sizes),
        softcap=None if softcap is None else _literal(Fraction(float(softcap))),
        sink=sink,
        bias=bias,
    )


def _literal(value: Fraction) -> Literal:
    return Literal(str(value), Const(value))


def _mask(band: Band, sizes: Sizes) -> Mask:
    """By the name that people know, where it has one."""
    left, right, offset = band.left, band.right, band.offset
    if not band.limits:
        return Mask()
    if offset == sizes.keys - sizes.queries and right == 0:
        return Mask("causal") if left is None else Mask("window", window=left + 1)
    return Mask("band", left=left, right=right, offset=offset)


def band_of(function: Callable[..., Any], queries: int, keys: int, own: int = 0, first_key: int = 0) -> Band:
    """The band that a mask function of transformers leaves, told from its rows; memory grows with the keys alone.

    Args:
        function: of batch, head, query and key, whose places count from the beginning of the text.
        own: the place of the first query; ``first_key``: that of the first key.

    Raises ``MaskNotUnderstood`` where it leaves something else than a band.
    """
    import torch

    step = 1 if queries <= EXHAUSTIVE else max(1, queries // LOOKED_AT)
    rows = sorted({*range(0, queries, step), queries - 1})
    places, nothing = torch.arange(first_key, first_key + keys), torch.zeros((), dtype=torch.long)
    offset, left, right = own - first_key, set[int](), set[int]()
    edges: list[tuple[int, int, int]] = []
    for row in rows:
        allowed = function(nothing, nothing, torch.tensor(row + own), places)
        found = torch.broadcast_to(torch.as_tensor(allowed), (keys,)).nonzero().flatten()
        if not found.numel() or int(found[-1] - found[0]) + 1 != found.numel():
            raise MaskNotUnderstood(row=row)
        begin, end = int(found[0]), int(found[-1])
        edges.append((row, begin, end))
        if begin > 0:
            left.add(row + offset - begin)
        if end < keys - 1:
            right.add(end - row - offset)
    band = Band(min(left, default=None), min(right, default=None), offset)
    for row, begin, end in edges:
        if band.keys(row, row, keys) != (begin, end + 1):
            raise MaskNotUnderstood(row=row)
    return band

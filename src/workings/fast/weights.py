"""Any weight on request, worked again in float64 from Q, K and the rows' log-sum-exp."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from workings.fast.logits import Place, to_logits
from workings.fast.operands import Operands
from workings.terms.errors import IndexOutside


@dataclass(frozen=True, slots=True)
class Cell:
    """One weight and its parts, in float64.

    Attributes:
        score: the dot product of query and key.
        scaled: times the scale.
        capped: after the softcap; the same as scaled where there is none.
        logit: after bias, ALiBi and mask; -inf where the query may not look at the key.
        lse: the row's log-sum-exp, to base e.
        weight: e^(logit − lse), or what the specification says of a row with nothing allowed.
    """

    score: float
    scaled: float
    capped: float
    logit: float
    lse: float
    weight: float


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one attention, none of them held.

    Attributes:
        operands: the attention; its v is not read.
        lse: [batch, heads, queries] float64, to the base that the specification says.
    """

    operands: Operands
    lse: Tensor

    def tile(self, head: int, rows: range, keys: range, batch: int = 0) -> Tensor:
        """Weights [rows, keys] in float64: exp(logit − lse) (Dao et al. 2022, section 3.1, as its backward pass does).

        Both ranges have step 1. Raises ``IndexOutside``.
        """
        weights = self.logs(head, rows, keys, batch).exp_()
        nothing = self.natural_lse(batch, head, rows) == -torch.inf
        convention = self.operands.spec.fully_masked
        if convention == "zero" or not bool(nothing.any()):
            return weights
        share = math.nan if convention == "nan" else 1 / self.operands.k.shape[2]
        return torch.where(nothing[:, None], share, weights)

    def logs(self, head: int, rows: range, keys: range, batch: int = 0) -> Tensor:
        """The logarithms of these weights, logit − lse; -inf where a query may not look. Raises ``IndexOutside``."""
        lse = self.natural_lse(batch, head, rows)
        return self._logits(head, rows, keys, batch).sub_(torch.where(lse == -torch.inf, 0, lse)[:, None])

    def row(self, head: int, row: int, batch: int = 0) -> Tensor:
        """The weights of one query [keys] in float64. Raises ``IndexOutside``."""
        self._inside("query", row, self.operands.q.shape[2])
        return self.tile(head, range(row, row + 1), range(self.operands.k.shape[2]), batch)[0]

    def cell(self, head: int, row: int, key: int, batch: int = 0) -> Cell:
        """One weight and its parts. Raises ``IndexOutside``."""
        of = self.operands
        self._inside("query", row, of.q.shape[2])
        self._inside("key", key, of.k.shape[2])
        rows, keys = range(row, row + 1), range(key, key + 1)
        logit = float(self._logits(head, rows, keys, batch)[0, 0])
        q, k = of.q[batch, head, row].double(), of.k[batch, head // of.group, key].double()
        score = float(q @ k)
        scaled = score * of.scale
        capped = scaled if of.softcap is None else of.softcap * math.tanh(scaled / of.softcap)
        lse = float(self.natural_lse(batch, head, rows)[0])
        return Cell(score, scaled, capped, logit, lse, float(self.tile(head, rows, keys, batch)[0, 0]))

    def _logits(self, head: int, rows: range, keys: range, batch: int) -> Tensor:
        of = self.operands
        self._inside("batch", batch, of.q.shape[0])
        self._inside("head", head, of.q.shape[1])
        for axis, part, size in (("query", rows, of.q.shape[2]), ("key", keys, of.k.shape[2])):
            if part.step != 1 or not 0 <= part.start <= part.stop <= size:
                raise IndexOutside(address="weight", axis=axis, size=size, seen=part)
        q = of.q[batch, head, rows.start : rows.stop].double()
        k = of.k[batch, head // of.group, keys.start : keys.stop].double()
        scaled = (q @ k.T).mul_(of.scale)[None]
        to_logits(scaled, of, Place(batch, range(head, head + 1), rows, keys))
        return scaled[0]

    def natural_lse(self, batch: int, head: int, rows: range) -> Tensor:
        """The log-sum-exp of some rows, to base e."""
        lse = self.lse[batch, head, rows.start : rows.stop]
        return lse if self.operands.spec.lse_base == "e" else lse * math.log(int(self.operands.spec.lse_base))

    @staticmethod
    def _inside(axis: str, place: int, size: int) -> None:
        if not 0 <= place < size:
            raise IndexOutside(address="weight", axis=axis, size=size, seen=place)

"""What streamed attention hands out: its results, how far each may be off, and any weight on request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from workings.fast.operands import Operands
from workings.fast.weights import Cell, Weights


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far results may be from their true values; ``bounds`` derives them.

    Attributes:
        output: [heads, queries], for each component of that row's output.
        lse: [heads, queries], absolute.
        entropy: [heads, queries], absolute.
        weight: [heads, queries], relative: of every weight, share and mean distance of that row; ``rest`` may be off by
            as much as an absolute number.
        column_mass: [heads], relative: of every key's mass; None where it was not asked for.
    """

    output: Tensor
    lse: Tensor
    entropy: Tensor
    weight: Tensor
    column_mass: Tensor | None


@dataclass(frozen=True, slots=True)
class Attended:
    """The results of one attention. Every shape has the batch before it where the inputs had one.

    Attributes:
        output: [heads, queries, d_v], of the inputs' type.
        lse: [heads, queries] float64, to the base that the specification says; -inf where nothing is allowed.
        entropy: [heads, queries] float64, in nats; a sink counts as one more thing to look at.
        top_weights: [heads, queries, top] float64, the largest first.
        top_keys: [heads, queries, top]; -1 where a row has no more keys. Of equal weights any may come first.
        rest: [heads, queries] float64, what the other keys have together: top_weights, rest and sink_share make 1
            (0 or NaN where nothing is allowed and the specification says so).
        sink_share: [heads, queries] float64, what the head's sink has; 0 without sinks.
        column_mass: [heads, keys] float64, the weights of each key added up over the queries; None if not asked for.
            A row whose own scores are NaN makes those of the keys in its block NaN.
        mean_distance: [heads, queries] float64, Σ weight·|key − own key|, in tokens; None if not asked for.
        mass: what was asked for of ``first``, ``previous`` and ``self``: [heads, queries] float64, the weight of the
            first key, of the one before the query's own, and of its own; 0 where there is no such key. Likewise what
            was asked for by ``mass_at``; and as ``near``, what the keys around the query's own have together.
        bounds: how far off these may be.
        operands: what they were made from.
    """

    output: Tensor
    lse: Tensor
    entropy: Tensor
    top_weights: Tensor
    top_keys: Tensor
    rest: Tensor
    sink_share: Tensor
    column_mass: Tensor | None
    mean_distance: Tensor | None
    mass: Mapping[str, Tensor]
    bounds: Bounds
    operands: Operands

    @property
    def weights(self) -> Weights:
        """The weights, any of them on request."""
        return Weights(self.operands, self.lse if self.operands.batched else self.lse[None])

    def weights_tile(self, head: int, rows: range, keys: range, batch: int = 0) -> Tensor:
        """Weights [rows, keys] in float64. Raises ``IndexOutside``."""
        return self.weights.tile(head, rows, keys, batch)

    def weights_row(self, head: int, row: int, batch: int = 0) -> Tensor:
        """The weights of one query [keys] in float64. Raises ``IndexOutside``."""
        return self.weights.row(head, row, batch)

    def cell(self, head: int, row: int, key: int, batch: int = 0) -> Cell:
        """One weight and what it is made of. Raises ``IndexOutside``."""
        return self.weights.cell(head, row, key, batch)

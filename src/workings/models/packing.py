"""A head for a page that works its own tiles: operands in half precision, and of every row its largest weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from workings.arrays.bounds import error_of
from workings.arrays.run import BLOCK_ROWS
from workings.models import cells
from workings.models.recording import Layer, Recording
from workings.terms.address import Name

HALF, SINGLE = "<f2", "<f4"
ROUNDING = 2.0**-50  # relative: of an exponential and a difference in float64


class Halves(NamedTuple):
    """Numbers as 2^exponent times float16."""

    exponent: int
    values: Any


class Row(NamedTuple):
    """One row of weights: every number with the bound of its error.

    Attributes:
        seen: how many keys the query may look at.
        keys, top: those with the largest weights, the largest first, and these.
        sink: what a learned sink takes; None where there is none.
    """

    seen: int
    keys: list[int]
    top: list[tuple[float, float]]
    lse: tuple[float, float]
    sink: tuple[float, float] | None


def halves(values: Any) -> Halves:
    """Numbers in float16, scaled by a power of two so that the largest is below 2: none overflows."""
    numbers = np.asarray(values, np.float64)
    largest = float(np.abs(numbers).max(initial=0.0))
    exponent = math.frexp(largest)[1] - 1 if largest > 0 and math.isfinite(largest) else 0
    return Halves(exponent, np.ldexp(numbers, -exponent).astype(HALF))


def bias_of(layer: Layer, head: int) -> tuple[str, Any] | None:
    """An additive bias as it is recorded, in a line: by key or by distance; None where there is none."""
    kind = layer.told.get("bias")
    if kind is None:
        return None
    return str(kind), layer.numbers("bias", layer["heads"].index(head)).astype(SINGLE)


def rows(recording: Recording, layer: Layer, head: int, count: int) -> Iterator[Row]:
    """Every row of a head from the declared steps, its ``count`` largest weights; a block of rows is worked at once."""
    recipe = cells.recipe_of(layer, head)
    engine = cells.Head(recording, layer, head, recipe).engine
    weight, lse = (layer.place._replace(head=head, name=name) for name in ("weight", "lse"))
    maximum = recipe.op(layer.place._replace(head=head, name=cells.MAXIMUM))
    logit: Name = weight if maximum is None else maximum.arrays["logit"]
    sinks = layer.told.get("sinks")
    sink = None if sinks is None else float(sinks[layer["heads"].index(head)])
    queries = int(layer["queries"])
    names = [weight, error_of(weight), lse, error_of(lse), logit]
    for start in range(0, queries, BLOCK_ROWS):
        block = engine.rows_of(names, start, min(start + BLOCK_ROWS, queries))
        for weights, bounds, sum_of, bound, logits in zip(*block, strict=True):
            yield _row(weights, bounds, (float(sum_of), float(bound)), logits, (count, sink))


def _row(weights: Any, bounds: Any, lse: tuple[float, float], logits: Any, how: tuple[int, float | None]) -> Row:
    count, sink = how
    seen = int(np.count_nonzero(~np.isneginf(logits)))
    keys = np.argsort(-weights, kind="stable")[: min(count, seen)].tolist()
    top = [(float(weights[key]), float(bounds[key])) for key in keys]
    taken = None
    if sink is not None:
        share = math.exp(sink - lse[0])
        taken = share, share * (math.expm1(lse[1]) + ROUNDING)
    return Row(seen, keys, top, lse, taken)

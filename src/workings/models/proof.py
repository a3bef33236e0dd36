"""A whole row of a recorded head worked again in balls, and what that says of the numbers that float64 gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from workings.exact.doubles import Balls
from workings.models import cells
from workings.models.recording import Recording
from workings.terms.address import Address, Name
from workings.terms.digits import json_places, rounded_bounds
from workings.terms.model_errors import NotProvable
from workings.terms.numbers import MAX_BITS, MIN_BITS, Value
from workings.traces.trace import Trace

PROVEN = ("score", "lse", "weight", "head_output")


@dataclass(frozen=True)
class Proven:
    """What holds for the numbers of one array that belong to a query.

    Attributes:
        numbers: how many there are.
        proven: of how many every printed digit is proven.
        off: no double of float64 is further than this from the true number.
        bound: the largest of the bounds that were derived for them.
        within: whether each double is within its own bound.
    """

    name: Name
    numbers: int
    proven: int
    off: Fraction
    bound: Fraction
    within: bool


@dataclass(frozen=True)
class Proof:
    """A row that was worked in balls.

    Attributes:
        query: the row.
        keys: how many keys it has.
        address: the number that was asked for, and ``value`` what it is in balls.
        arrays: what holds for each array.
    """

    query: int
    keys: int
    address: Address
    value: Value
    arrays: tuple[Proven, ...]

    @property
    def holds(self) -> bool:
        """Whether every printed digit is proven, and every double within its bound."""
        return all(one.proven == one.numbers and one.within for one in self.arrays)


def prove(recording: Recording, trace: Trace, address: Address) -> Proof:
    """The row of a number of a head, worked from the recorded Q, K and V, which are exact.

    Args:
        trace: in which the number has its value.

    Raises ``NotProvable`` for a number that does not stand in a row of a head.
    """
    layer = recording.layer(address.array)
    head, name = address.array.head, address.array
    recipe = None if head is None or head not in layer["heads"] else cells.recipe_of(layer, head)
    if recipe is None or head is None or recipe.op(name) is None or not address.index:
        raise NotProvable(address=str(address))
    query = address.index[0]
    measured = cells.Head(recording, layer, head, recipe)
    band = {**layer["window"], "offset": int(layer["window"]["offset"]) + query}
    row = cells.recipe_of(replace(layer, told={**layer.told, "queries": 1, "window": band}), head)
    engine = Balls(row, dict(_doubles(row, measured, query)))
    arrays = tuple(
        _compared(trace, engine, measured, name.called(one), query) for one in PROVEN if row.op(name.called(one))
    )
    return Proof(query, int(layer["keys"]), address, engine.value(name, (0, *address.index[1:])), arrays)


def _doubles(row: Any, measured: cells.Head, query: int) -> Iterator[tuple[Name, Mapping[tuple[int, ...], float]]]:
    """Every given number of the row: of arrays with a row for each query, that of this one."""
    for name, array in row.given.items():
        if name in measured.stored:
            kept, alone = measured.stored[name], array.axes[0] in ("token", "query")
            values = kept.rows(query, query + 1) if alone else kept.rows(0, array.shape[0])
        else:
            values = np.asarray(measured.given[name])
        yield name, dict(zip(product(*map(range, array.shape)), map(float, values.ravel()), strict=True))


def _compared(trace: Trace, engine: Balls, measured: cells.Head, name: Name, query: int) -> Proven:
    """Each number of a row as float64 gave it, beside its ball."""
    numbers = proven = 0
    off = most = Fraction(0)
    within = True
    for at in product(*map(range, trace.array(name).shape[1:])):
        numbers += 1
        mine, true = trace.value(Address(name, (query, *at))), engine.value(name, (0, *at))
        double, bound = measured.measure(name, (query, *at))
        if mine.infinite or true.infinite:
            proven += mine.infinite == true.infinite
            continue
        proven += is_proven(mine, true)
        low, high = true.bounds(MIN_BITS)
        distance = max(abs(Fraction(double) - low), abs(Fraction(double) - high))
        off, most, within = max(off, distance), max(most, Fraction(bound)), within and distance <= Fraction(bound)
    return Proven(name, numbers, proven, off, most, within)


def is_proven(mine: Value, true: Value) -> bool:
    """Whether what is printed of a number is what the true one rounds to."""
    printed, places = json_places(mine)
    bits = MIN_BITS
    while bits <= MAX_BITS:
        low, high = true.bounds(bits)
        sure = rounded_bounds(low, high, places)
        if sure is not None:
            return sure == printed
        bits *= 2
    return False

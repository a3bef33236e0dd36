"""What is kept of every row of attention while a model runs, and the scores of every head, as ``scores`` has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from workings.models.scores import NEAR, SCORES, TOP

if TYPE_CHECKING:
    from workings.fast.result import Attended
    from workings.models.capture import Call
    from workings.terms.address import Name

NUMPY = {"F64": "<f8", "F32": "<f4", "I32": "<i4"}
ROUNDED = 2.0**-24  # relative, by keeping a share as float32
Array = np.ndarray[Any, Any]


def induced_keys(ids: Sequence[int]) -> Array:
    """For each token the key after its last occurrence before the one before it, -1 where there is none."""
    return _induced(tuple(ids)).copy()


@lru_cache(4)
def _induced(ids: tuple[int, ...]) -> Array:
    seen: dict[int, int] = {}
    found = np.full(len(ids), -1, np.int64)
    for place, token in enumerate(ids):
        if place >= 2:
            seen[ids[place - 2]] = place - 2
        found[place] = seen.get(token, -2) + 1
    return found


def wanted(call: Call, ids: Sequence[int] | None) -> dict[str, Any]:
    """What streamed attention is asked for, for a call whose keys are these tokens."""
    import torch

    if call.place.cross:
        return {"top": TOP, "mass_on": ("first",)}
    asked: dict[str, Any] = {"top": TOP, "mass_on": ("first", "previous", "self"), "near": NEAR, "mean_distance": True}
    if ids is not None:
        first = call.facts.band.offset
        places = induced_keys(ids)[first : first + call.query.shape[1]]
        asked["mass_at"] = {"induction": torch.from_numpy(places)}
    return asked


def rows_of(found: Attended, heads: Sequence[int]) -> dict[str, tuple[str, Array]]:
    """What is kept of the rows of some heads: by name the type as written, and [heads, queries, …]."""
    mass = found.mass
    every: dict[str, tuple[str, Any]] = {
        "lse": ("F64", found.lse),
        "top_weights": ("F32", found.top_weights),
        "top_keys": ("I32", found.top_keys),
        "entropy": ("F64", found.entropy),
        "sink": ("F32", mass.get("first")),
        "distance": ("F32", found.mean_distance),
        **{name: ("F32", mass.get(name)) for name in ("previous", "self", "near", "induction")},
        "sink_share": ("F32", found.sink_share if found.operands.spec.sink else None),
    }
    return {
        name: (kept, of_heads(values[0], heads).numpy().astype(NUMPY[kept], copy=False))
        for name, (kept, values) in every.items()
        if values is not None
    }


def of_heads(values: Any, heads: Sequence[int]) -> Any:
    """Some heads of a tensor; all of them without a copy."""
    return values if len(heads) == len(values) else values[list(heads)]


def bounds_of(found: Attended, heads: Sequence[int]) -> dict[str, Array]:
    """How far the rows of each head may be off at the most: ``lse``, ``entropy`` absolute, ``weight`` relative."""
    bounds = found.bounds
    sizes = {"lse": bounds.lse, "entropy": bounds.entropy, "weight": bounds.weight + ROUNDED}
    return {name: of_heads(values[0].amax(-1), heads).numpy() for name, values in sizes.items()}


@dataclass(frozen=True)
class Queries:
    """Over which queries means are taken.

    Attributes:
        own: each query's own key.
        induced: the key of each query by ``induced_keys``; None where no tokens are known.
    """

    own: Array
    induced: Array | None = None

    def of(self, name: str) -> Array:
        """Which queries count for a score."""
        if name == "induction" and self.induced is not None:
            return self.induced >= 0
        return self.own >= SCORES[name].least


def scores_of(rows: Callable[[str], Array | None], queries: Queries, place: Name) -> dict[str, list[float | None]]:
    """The scores of each head: the means of its rows; None where no query counts or a mean is no number.

    Args:
        rows: by name what ``rows_of`` gave, [heads, queries]; None where there is none.
    """
    found: dict[str, list[float | None]] = {}
    for name, score in SCORES.items():
        values = rows(name)
        if values is None or (place.cross and score.alone):
            continue
        counted = np.ones(values.shape[1], np.bool_) if place.cross else queries.of(name)
        found[name] = [_mean(head[counted]) for head in values]
    return found


def _mean(values: Array) -> float | None:
    return float(values.mean(dtype=np.float64)) if len(values) and np.isfinite(values).all() else None


def finite(sizes: Mapping[str, Array]) -> dict[str, list[float | None]]:
    """As JSON has it: None for what is no number."""
    return {name: [float(one) if math.isfinite(one) else None for one in values] for name, values in sizes.items()}

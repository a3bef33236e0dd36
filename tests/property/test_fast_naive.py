"""Streamed attention against attention by its definition: every mask, bias and option in any combination, float64."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.naive import Naive, attention, band
from tests.support.streamed import literal
from workings.fast.result import Attended
from workings.fast.streamed import attend
from workings.steps.spec import AttentionSpec, Mask

OWN = 1e-12  # both sides in float64, over some dozens of numbers of a few units
MASKS = ("none", "causal", "causal-top-left", "window", "band", "band-top-left", "offset")
OPTIONS = ("softcap", "scale", "bias", "alibi", "sinks", "allowed", "padding", "documents", "poison")
MASS = ("first", "previous", "self")


@dataclass
class Both:
    """One attention streamed, and each of its heads by the definition."""

    found: Attended
    naive: list[Naive]
    own: Any


def _spec(draw: random.Random, mask: str, keys: int, options: frozenset[str]) -> AttentionSpec:
    window, left, right = draw.randint(1, 4), draw.choice((None, 0, 2)), draw.choice((None, 0, 1))
    made = {
        "window": Mask("window", window=window),
        "band": Mask("band", left=left, right=right),
        "band-top-left": Mask("band", left=left, right=right, top_left=True),
        "offset": Mask("causal", offset=draw.randint(-2, keys)),
    }
    return AttentionSpec(
        mask=made.get(mask, Mask(mask)),
        softcap=literal(1.5) if "softcap" in options else None,
        divide_by=literal(1.25) if "scale" in options else None,
    )


def _allowed(spec: AttentionSpec, queries: int, keys: int) -> tuple[Any, int]:
    """The band by its definition, and the first query's own key."""
    mask = spec.mask
    top_left = mask.kind == "causal-top-left" or mask.top_left
    own = mask.offset if mask.offset is not None else 0 if top_left else keys - queries
    left = mask.window - 1 if mask.kind == "window" else mask.left
    right = 0 if mask.kind in ("causal", "causal-top-left", "window") else mask.right
    return band(queries, keys, own, left, right), own


def _extras(
    numbers: np.random.Generator, options: frozenset[str], shape: tuple[int, int, int]
) -> tuple[dict[str, Any], npt.NDArray[np.bool_]]:
    """What is given besides q, k and v, and which keys it leaves."""
    heads, queries, keys = shape
    allowed, extras = np.ones((queries, keys), bool), dict[str, Any]()
    if "allowed" in options:
        extras["allowed"] = numbers.random((queries, keys)) < 0.7
        allowed &= extras["allowed"]
    if "padding" in options:
        extras["padding"] = numbers.random(keys) < 0.8
        allowed &= extras["padding"]
    if "documents" in options:
        own, others = numbers.integers(0, 2, queries), numbers.integers(0, 2, keys)
        extras |= {"query_documents": own, "key_documents": others}
        allowed &= own[:, None] == others
    if "bias" in options:
        extras["bias"] = numbers.normal(size=shape)
    if "alibi" in options:
        extras["alibi_slopes"] = numbers.random(heads)
    if "sinks" in options:
        extras["sinks"] = numbers.normal(size=heads)
    return extras, allowed


def _both(seed: int, mask: str, options: frozenset[str]) -> Both:
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    kv_heads, group = draw.randint(1, 2), draw.randint(1, 3)
    heads, queries, keys = kv_heads * group, draw.randint(1, 9), draw.randint(1, 11)
    d_k, d_v = draw.randint(1, 5), draw.randint(1, 5)
    shapes = ((heads, queries, d_k), (kv_heads, keys, d_k), (kv_heads, keys, d_v))
    q, k, v = (numbers.normal(size=shape) * 2 for shape in shapes)
    spec = _spec(draw, mask, keys, options)
    inside, own = _allowed(spec, queries, keys)
    extras, allowed = _extras(numbers, options, (heads, queries, keys))
    allowed &= inside
    if "poison" in options:  # keys that nobody may look at
        unseen = ~allowed.any(0)
        k[:, unseen], v[:, unseen] = np.nan, np.inf
    tensors: dict[str, Any] = {name: torch.from_numpy(values) for name, values in extras.items()}
    given: dict[str, Any] = {name: torch.from_numpy(values) for name, values in (("q", q), ("k", k), ("v", v))}
    found = attend(**given, spec=spec, top=3, column_mass=True, mean_distance=True, mass_on=MASS, **tensors)
    told: dict[str, Any] = {"scale": 1 / 1.25 if "scale" in options else d_k**-0.5}
    told["offset"] = keys - queries if spec.mask.offset is None else spec.mask.offset  # as ALiBi counts distances
    told["cap"] = 1.5 if "softcap" in options else None
    naive = []
    for head in range(heads):
        each = {"bias": "bias", "slope": "alibi_slopes", "sink": "sinks"}
        more = {name: extras[extra][head] for name, extra in each.items() if extra in extras}
        naive.append(attention(q[head], k[head // group], v[head // group], allowed, **told, **more))
    return Both(found, naive, own + np.arange(queries))


def _close(found: Any, right: Any, bound: Any = 0.0) -> None:
    found, right = np.asarray(found), np.asarray(right)
    same = found == right
    with np.errstate(invalid="ignore"):
        off = ~same & ~(np.abs(found - right) <= np.asarray(bound) + OWN * (1 + np.abs(right)))
    assert not off.any(), (found[off], right[off])


@given(st.integers(0, 2**32), st.sampled_from(MASKS), st.frozensets(st.sampled_from(OPTIONS)))
@settings(max_examples=200)
def test_as_the_definition(seed: int, mask: str, options: frozenset[str]) -> None:
    both = _both(seed, mask, options)
    found, bounds = both.found, both.found.bounds
    for head, naive in enumerate(both.naive):
        weights, relative = naive.weights, bounds.weight[head].numpy()[:, None]
        queries, keys = weights.shape
        _close(found.output[head], naive.output, bounds.output[head].numpy()[:, None])
        _close(found.lse[head], naive.lse, bounds.lse[head])
        every = np.hstack((weights, naive.share[:, None]))
        entropy = -(every * np.log(np.where(every > 0, every, 1))).sum(1)
        _close(found.entropy[head], entropy, bounds.entropy[head])
        _close(found.sink_share[head], naive.share, relative[:, 0] * naive.share)
        largest = -np.sort(-weights, 1)[:, :3]
        _close(found.top_weights[head][:, : largest.shape[1]], largest, relative * largest)
        _close(found.rest[head], weights.sum(1) - largest.sum(1), relative[:, 0])
        _close(found.weights_tile(head, range(queries), range(keys)), weights, relative * weights)
        assert found.column_mass is not None
        assert found.mean_distance is not None
        assert bounds.column_mass is not None
        mass = weights.sum(0)
        _close(found.column_mass[head], mass, float(bounds.column_mass[head]) * mass)
        distance = (weights * np.abs(np.arange(keys) - both.own[:, None])).sum(1)
        _close(found.mean_distance[head], distance, relative[:, 0] * distance)
        for name, key in (("first", 0 * both.own), ("previous", both.own - 1), ("self", both.own)):
            inside = (key >= 0) & (key < keys)
            there = np.where(inside, weights[np.arange(queries), key.clip(0, keys - 1)], 0)
            _close(found.mass[name][head], there, relative[:, 0] * there)


@given(st.integers(0, 2**32), st.sampled_from(MASKS), st.frozensets(st.sampled_from(OPTIONS)))
@settings(max_examples=40)
def test_a_cell_as_the_definition(seed: int, mask: str, options: frozenset[str]) -> None:
    both = _both(seed, mask, options)
    for head, naive in enumerate(both.naive):
        queries, keys = naive.weights.shape
        row, key = seed % queries, seed % keys
        cell = both.found.cell(head, row, key)
        _close(cell.logit, naive.logits[row, key])
        _close(cell.weight, naive.weights[row, key], float(both.found.bounds.weight[head, row]))
        _close(both.found.weights_row(head, row), naive.weights[row], float(both.found.bounds.weight[head, row]))

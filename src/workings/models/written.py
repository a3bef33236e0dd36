"""Puts the calls of a run on the disk: whole layers as they come, or a few rows of each at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from workings.models.capture import Call
from workings.models.facts import ByDistance
from workings.models.scores import NEAR, TOP
from workings.models.store import Growing, Store
from workings.models.summary import Queries, bounds_of, finite, induced_keys, of_heads, rows_of, scores_of
from workings.terms.address import Name
from workings.terms.model_errors import NotInChunks

if TYPE_CHECKING:
    from workings.fast.result import Attended

WRITTEN = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16"}
Tensors = dict[str, tuple[str, Any]]


@dataclass(frozen=True)
class How:
    """What is kept of each call.

    Attributes:
        dtype: the type that the model runs in.
        heads: those that are kept, with the key heads they read; None for all.
        scaled: whether Q was multiplied by the scale before it came here.
        ids: the tokens that a stack reads, by its part.
    """

    dtype: str
    heads: Sequence[int] | None = None
    scaled: bool = False
    ids: Mapping[str, Sequence[int]] = field(default_factory=dict)


class Writer(Protocol):
    """Takes calls and tells in the end what the index says of each layer."""

    def take(self, call: Call) -> None: ...

    def finish(self) -> list[dict[str, Any]]: ...


class AtOnce:
    """Each call is a layer. All is done behind: what a model made for one attention it reads and writes no more."""

    def __init__(self, store: Store, how: How) -> None:
        self.store, self.how = store, how
        self.layers: list[dict[str, Any]] = []

    def take(self, call: Call) -> None:
        facts = facts_of(call, self.how)
        self.layers.append(facts)
        self.store.behind.do(partial(self._write, call, facts))

    def _write(self, call: Call, layer: dict[str, Any]) -> None:
        layer |= self.store.write_tensors(layer["file"], tensors_of(call, layer))
        if call.begun is not None:
            layer |= write_summary(call, call.begun.finish(), self.store, layer["heads"], self.how)

    def finish(self) -> list[dict[str, Any]]:
        self.store.behind.wait()
        return self.layers


def write_summary(call: Call, found: Attended, store: Store, heads: Sequence[int], how: How) -> dict[str, Any]:
    """What its rows say, to the disk; returns what the index says of it, with the scores of each head."""
    rows, first = rows_of(found, heads), call.facts.band.offset
    numbers = {name: values for name, (_, values) in rows.items()}
    file = rows_file(call.place)
    return {
        "rows": {
            "file": file,
            **store.write_tensors(file, rows),
            "top": TOP,
            "near": NEAR,
            "bounds": finite(bounds_of(found, heads)),
        },
        "scores": scores_of(numbers.get, _queries(call.place, how, first, numbers["lse"].shape[1]), call.place),
    }


def rows_file(place: Name) -> str:
    """The name of the file with what is kept of each row."""
    return f"{str(place)[:-1]}.rows.safetensors"


def _queries(place: Name, how: How, first: int, count: int) -> Queries:
    own, ids = np.arange(first, first + count), how.ids.get(place.part)
    known = None if ids is None or place.cross else induced_keys(ids)
    return Queries(own, None if known is None else known[own])


def facts_of(call: Call, how: How) -> dict[str, Any]:
    """What the index says of a layer, but for its tensors."""
    heads, queries, d_k = call.query.shape
    kv_heads, keys, d_v = call.value.shape
    chosen = [head for head in range(heads) if how.heads is None or head in how.heads]
    facts, bias = call.facts, call.facts.bias
    place = str(call.place)[:-1]
    return {
        "address": place,
        "part": call.place.part,
        "cross": call.place.cross,
        "layer": call.place.layer,
        "file": f"{place}.safetensors",
        "dtype": how.dtype,
        "heads": chosen,
        "kv_heads": sorted({head * kv_heads // heads for head in chosen}),
        "head_count": heads,
        "kv_head_count": kv_heads,
        "queries": queries,
        "keys": keys,
        "d_k": d_k,
        "d_v": d_v,
        "scale": facts.scale,
        "query_scaled_before": d_k**-0.5 if how.scaled else None,
        "window": {"left": facts.band.left, "right": facts.band.right, "offset": facts.band.offset},
        "softcap": facts.softcap,
        "sinks": None if facts.sinks is None else [float(facts.sinks[head]) for head in chosen],
        "bias": None if bias is None else "by-distance" if isinstance(bias, ByDistance) else "by-key",
    }


def tensors_of(call: Call, facts: Mapping[str, Any], first_key: int = 0) -> Tensors:
    """The operands of the heads that are kept; keys and values from ``first_key`` on."""
    chosen, groups, bias = facts["heads"], facts["kv_heads"], call.facts.bias
    return {
        "q": as_written(of_heads(call.query, chosen)),
        "k": as_written(of_heads(call.key, groups)[:, first_key:]),
        "v": as_written(of_heads(call.value, groups)[:, first_key:]),
        **({} if bias is None else {"bias": as_written(of_heads(bias.values, chosen))}),
    }


def as_written(values: Any) -> tuple[str, Any]:
    """The type as written, and the bits as a numpy array, without a copy where they lie in order."""
    import torch

    held = values.detach().contiguous().cpu()
    name = WRITTEN[str(held.dtype).removeprefix("torch.")]
    return name, (held.view(torch.uint16) if name == "BF16" else held).numpy()


# --- in chunks -------------------------------------------------------------------------------------------------------


@dataclass
class _Layer:
    """A layer of which some rows have come."""

    facts: dict[str, Any]
    operands: Growing
    rows: Growing
    bounds: dict[str, Any]
    place: Name


class InChunks:
    """A call holds some rows of a layer: the queries that are new, and all keys up to them.

    Args:
        tokens: how many rows there will be.
    """

    def __init__(self, store: Store, how: How, tokens: int) -> None:
        self.store, self.how, self.tokens = store, how, tokens
        self.layers: dict[str, _Layer] = {}

    def take(self, call: Call) -> None:
        place, start = str(call.place), call.key.shape[1] - call.query.shape[1]
        band, alone = call.facts.band, call.query.shape[1] == 1  # a single query shows no limit to its right
        if call.begun is None or call.facts.bias is not None or band.right != (None if alone else 0):
            raise NotInChunks
        facts = self.layers[place].facts if place in self.layers else facts_of(call, self.how)
        found = call.begun.finish()
        operands, rows = tensors_of(call, facts, start), rows_of(found, facts["heads"])
        if place not in self.layers:
            self.layers[place] = self._layer(call, facts, operands, rows)
        layer, bounds = self.layers[place], bounds_of(found, facts["heads"])
        if band.left is not None:  # earlier chunks may have been too short to show it
            layer.facts["window"]["left"] = band.left
        layer.operands.put(start, operands)
        layer.rows.put(start, rows)
        layer.bounds = {name: np.fmax(layer.bounds.get(name, values), values) for name, values in bounds.items()}

    def _layer(self, call: Call, facts: dict[str, Any], operands: Tensors, rows: Tensors) -> _Layer:
        whole = {**facts, "queries": self.tokens, "keys": self.tokens}
        whole["window"] = {**facts["window"], "right": 0, "offset": 0}

        def shapes(tensors: Tensors) -> dict[str, tuple[str, tuple[int, ...]]]:
            return {name: (dtype, (len(held), self.tokens, *held.shape[2:])) for name, (dtype, held) in tensors.items()}

        return _Layer(
            whole,
            Growing(self.store, facts["file"], shapes(operands)),
            Growing(self.store, rows_file(call.place), shapes(rows)),
            {},
            call.place,
        )

    def finish(self) -> list[dict[str, Any]]:
        return self.store.behind.all(partial(self._finished, layer) for layer in self.layers.values())

    def _finished(self, layer: _Layer) -> dict[str, Any]:
        rows = layer.rows
        scores = scores_of(rows.read, _queries(layer.place, self.how, 0, self.tokens), layer.place)
        told = {"file": rows.name, **rows.finish(), "top": TOP, "near": NEAR, "bounds": finite(layer.bounds)}
        return {**layer.facts, **layer.operands.finish(), "rows": told, "scores": scores}

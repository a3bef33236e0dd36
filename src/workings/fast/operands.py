"""What one attention is given: tensors checked against each other, and its specification as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypedDict

import torch
from torch import Tensor

from workings.steps.language import Const, Expr, Log, Mul, Sqrt
from workings.steps.spec import AttentionSpec
from workings.terms.errors import OperandDevice, OperandMissing, OperandShape, OperandType

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
Fit = dict[str, int]


class Extras(TypedDict, total=False):
    """Tensors besides q, k and v; each may be left out.

    Attributes:
        bias: added to the scaled and capped scores; broadcast to [batch, heads, queries, keys]; -inf: may not look.
        bias_by_distance: [heads, queries + keys - 1], a bias that depends on key - query alone, the smallest first: its
            first column is that of the first key at the last query.
        allowed: boolean, true: may look; broadcast likewise.
        padding: boolean [batch, keys] (or [keys] without batch), true: a key that is there.
        query_documents: whole numbers [batch, queries] (or [queries]); a query sees the keys of its own document.
        key_documents: the same for the keys; those of the queries where it is left out.
        sinks: [heads], one logit for each head that takes part in the softmax and has no value.
        alibi_slopes: [heads], positive; slope times distance is subtracted from a score.
    """

    bias: Tensor | None
    bias_by_distance: Tensor | None
    allowed: Tensor | None
    padding: Tensor | None
    query_documents: Tensor | None
    key_documents: Tensor | None
    sinks: Tensor | None
    alibi_slopes: Tensor | None


@dataclass(frozen=True, slots=True)
class Operands:
    """One attention, every tensor with all its axes.

    Attributes:
        q: [batch, heads, queries, d_k], as it enters the dot product.
        k: [batch, kv_heads, keys, d_k]; query head h reads head h // (heads // kv_heads).
        v: [batch, kv_heads, keys, d_v].
        spec: what kind of attention; its ``heads`` and ``kv_heads`` are those of the tensors.
        extras: the other tensors, bias and allowed broadcast without a copy.
        batched: whether the tensors came with an axis for the batch.
        scale: what the dot products are multiplied by.
        softcap: the cap, or None.
        own: the key that is the first query's own, counted from 0 (it may lie outside).
        distance_from: the same as ALiBi counts its distances.
        left: how many keys before its own a query may look at, None for all.
        right: how many after it.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    spec: AttentionSpec
    extras: Extras
    batched: bool
    scale: float
    softcap: float | None
    own: int
    distance_from: int
    left: int | None
    right: int | None

    @property
    def compute(self) -> torch.dtype:
        """The type that scores are worked in: float64 for float64, float32 for all others."""
        return torch.float64 if self.q.dtype == torch.float64 else torch.float32

    @property
    def group(self) -> int:
        """How many query heads read one head of keys and values."""
        return self.q.shape[1] // max(1, self.k.shape[1])


def number(value: Expr) -> float:
    """A literal's value as the nearest float64, or within a unit of it."""
    if isinstance(value, Const):
        return float(value.value)
    if isinstance(value, Sqrt):
        return math.sqrt(number(value.arg))
    if isinstance(value, Log):
        return math.log(number(value.arg))
    if isinstance(value, Mul):
        return number(value.left) * number(value.right)
    raise TypeError(f"not a literal: {value!r}")


def _scale(spec: AttentionSpec, d_k: int) -> float:
    if spec.divide_by is None:
        return 1 / math.sqrt(d_k) if d_k else 1.0
    value = spec.divide_by.value
    return float(1 / Fraction(value.value)) if isinstance(value, Const) else 1 / number(value)


def _shown(tensor: Tensor) -> list[int]:
    return list(tensor.shape)


def fits(name: str, tensor: Tensor, expected: Fit, like: Tensor, types: tuple[torch.dtype, ...]) -> None:
    """That a tensor has these axes (-1: any length), holds one of these types and is where ``like`` is."""
    if tensor.ndim != len(expected) or any(
        size not in (-1, seen) for size, seen in zip(expected.values(), tensor.shape, strict=False)
    ):
        axes = [axis if size < 0 else f"{axis} = {size}" for axis, size in expected.items()]
        raise OperandShape(name=name, shape=_shown(tensor), expected=axes)
    if tensor.dtype not in types:
        raise OperandType(name=name, seen=_type(tensor.dtype), choices=[_type(dtype) for dtype in types])
    if tensor.device != like.device:
        raise OperandDevice(name=name, seen=str(tensor.device), expected=str(like.device))


def _type(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _wide(name: str, tensor: Tensor, like: Tensor, shape: Fit, types: tuple[torch.dtype, ...]) -> Tensor:
    """Broadcast to batch, heads, queries and keys, as a view."""
    sizes = tuple(shape.values())
    known = tensor.shape
    pairs = zip(reversed(known), reversed(sizes), strict=False)
    if len(known) > 4 or any(seen not in (1, size) for seen, size in pairs):
        raise OperandShape(
            name=name, shape=_shown(tensor), expected=[f"{axis} = 1 or {size}" for axis, size in shape.items()]
        )
    fits(name, tensor, {str(axis): -1 for axis in range(tensor.ndim)}, like, types)
    return tensor.detach().expand(sizes)


def operands(q: Tensor, k: Tensor, v: Tensor, spec: AttentionSpec, extras: Extras) -> Operands:
    """Everything checked, with all its axes.

    Args:
        q: [heads, queries, d_k], or with a batch before; k: [kv_heads, keys, d_k]; v: [kv_heads, keys, d_v] likewise.

    Raises ``OperandShape``, ``OperandType``, ``OperandDevice`` or ``OperandMissing``.
    """
    _are_tensors({"q": q, "k": k, "v": v, **extras})
    batched = q.ndim == 4
    before: Fit = {"batch": -1} if batched else {}
    fits("q", q, {**before, "heads": -1, "queries": -1, "d_k": -1}, q, FLOATS)
    batch: Fit = {"batch": q.shape[0]} if batched else {}
    fits("k", k, {**batch, "kv_heads": -1, "keys": -1, "d_k": q.shape[-1]}, q, (q.dtype,))
    fits("v", v, {**batch, "kv_heads": k.shape[-3], "keys": k.shape[-2], "d_v": -1}, q, (q.dtype,))
    if k.shape[-3] == 0:
        raise OperandShape(name="k", shape=_shown(k), expected=[*before, "kv_heads > 0", "keys", "d_k"])
    if q.shape[-3] == 0 or q.shape[-3] % k.shape[-3]:
        more = "" if q.shape[-3] else " > 0"
        raise OperandShape(
            name="q", shape=_shown(q), expected=[*before, f"heads = n × {k.shape[-3]}{more}", "queries", "d_k"]
        )
    queries, keys = q.shape[-2], k.shape[-2]
    shape = {"batch": q.shape[0] if batched else 1, "heads": q.shape[-3], "queries": queries, "keys": keys}
    spec, found = _extras(q, spec, extras, batch, shape)
    mask = spec.mask
    bottom = keys - queries if mask.offset is None else mask.offset
    top_left = mask.offset is None and (mask.kind == "causal-top-left" or (mask.kind == "band" and mask.top_left))
    sees_later = mask.kind not in ("causal", "causal-top-left", "window")
    return Operands(
        q=(q if batched else q[None]).detach(),
        k=(k if batched else k[None]).detach(),
        v=(v if batched else v[None]).detach(),
        spec=spec,
        extras=found,
        batched=batched,
        scale=_scale(spec, q.shape[-1]),
        softcap=None if spec.softcap is None else number(spec.softcap.value),
        own=0 if top_left else bottom,
        distance_from=bottom,
        left=mask.window - 1 if mask.kind == "window" else mask.left if mask.kind == "band" else None,
        right=(mask.right if mask.kind == "band" else None) if sees_later else 0,
    )


def _are_tensors(given: Mapping[str, object]) -> None:
    """That nothing is passed over: neither an array of another library nor a name that is not known."""
    known = ("q", "k", "v", *Extras.__annotations__)
    for name, tensor in given.items():
        if name not in known:
            raise TypeError(f"attend() has no argument {name!r}; it has {', '.join(known)}")
        if not isinstance(tensor, Tensor) and (tensor is not None or name in ("q", "k", "v")):
            raise OperandType(name=name, seen=type(tensor).__name__, choices=["torch.Tensor"])


def _extras(q: Tensor, spec: AttentionSpec, extras: Extras, batch: Fit, shape: Fit) -> tuple[AttentionSpec, Extras]:
    """The other tensors, and a specification that speaks of those that are there."""
    given = {name: tensor for name, tensor in extras.items() if isinstance(tensor, Tensor)}
    mask = spec.mask
    if mask.kind == "matrix":
        given["allowed"] = torch.tensor(mask.allowed, dtype=torch.bool, device=q.device)
    needed = {
        "bias": spec.bias and "bias_by_distance" not in given and "AttentionSpec.bias",
        "sinks": spec.sink and "AttentionSpec.sink",
        "alibi_slopes": spec.position == "alibi" and "AttentionSpec.position",
        "allowed": mask.kind == "band" and mask.table and "Mask.table",
        "query_documents": "key_documents" in given and "key_documents",
    }
    for name, why in needed.items():
        if why and name not in given:
            raise OperandMissing(name=name, needed_by=why)
    found = Extras()
    for name in ("bias", "allowed"):
        if name in given:
            types = FLOATS if name == "bias" else (torch.bool,)
            found[name] = _wide(name, given[name], q, shape, types)  # type: ignore[literal-required]
    along = {"padding": "keys", "query_documents": "queries", "key_documents": "keys"}
    if "query_documents" in given:
        given.setdefault("key_documents", given["query_documents"])
    for name, axis in along.items():
        if name in given:
            fits(name, given[name], {**batch, axis: shape[axis]}, q, (torch.bool,) if name == "padding" else WHOLE)
            found[name] = given[name] if batch else given[name][None]  # type: ignore[literal-required]
    for name in ("sinks", "alibi_slopes"):
        if name in given:
            fits(name, given[name], {"heads": shape["heads"]}, q, FLOATS)
            found[name] = given[name].detach().double()  # type: ignore[literal-required]
    if "bias_by_distance" in given:
        line = given["bias_by_distance"]
        fits("bias_by_distance", line, {"heads": shape["heads"], "queries + keys - 1": _distances(shape)}, q, FLOATS)
        found["bias_by_distance"] = line.detach()
    position = "alibi" if "alibi_slopes" in given else spec.position
    biased = "bias" in given or "bias_by_distance" in given
    return replace(spec, bias=biased, sink="sinks" in given, position=position, heads=q.shape[-3]), found


def _distances(shape: Fit) -> int:
    """How many values key - query has."""
    return max(0, shape["queries"] + shape["keys"] - 1)

"""Random attentions of every kind that streamed attention takes, and what the declared steps give for them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from hypothesis import strategies as st
from torch import Tensor

from workings.arrays.run import Arrays
from workings.fast.operands import Extras, number
from workings.steps.build import build
from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.spec import FULLY_MASKED, LSE_BASES, AttentionSpec, BlockSpec, Mask
from workings.terms.address import Name

Floats = npt.NDArray[np.float64]
KINDS = ("none", "causal", "causal-top-left", "window", "band", "matrix")
TYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
POISON = ((), ("k", "nan"), ("v", "nan"), ("v", "inf"), ("v", "-inf"))


@dataclass
class Case:
    """One attention: its tensors, with a batch before them or without, and its specification."""

    q: Tensor
    k: Tensor
    v: Tensor
    spec: AttentionSpec
    extras: Extras = field(default_factory=Extras)
    top: int = 8

    @property
    def batch(self) -> int:
        return self.q.shape[0] if self.q.ndim == 4 else 1

    def every(self, tensor: Tensor) -> Floats:
        """A tensor with its batch, in float64."""
        values: Floats = tensor.detach().double().numpy()
        return values if self.q.ndim == 4 else values[None]


def literal(value: float) -> Literal:
    return Literal(str(value), Const(Fraction(value)))


def _mask(random: random.Random, queries: int, keys: int) -> Mask:
    kind = random.choice(KINDS)
    offset = random.choice((None, None, random.randint(-3, keys)))
    if kind == "matrix":
        return Mask(kind, allowed=[[random.randint(0, 1) for _ in range(keys)] for _ in range(queries)])
    if kind == "band":
        left, right = (random.choice((None, random.randint(0, 4))) for _ in range(2))
        return Mask(kind, left=left, right=right, top_left=random.random() < 0.5, offset=offset)
    return Mask(kind, window=random.randint(1, 5), offset=offset)


def draw(seed: int, options: frozenset[str], poison: tuple[str, ...]) -> Case:
    """The case of a seed."""
    dice, numbers = random.Random(seed), torch.Generator().manual_seed(seed)
    dtype = dice.choice(TYPES)
    kv_heads, group = dice.randint(1, 2), dice.randint(1, 3)
    queries, keys = dice.choice((1, 3, 7, 40)), dice.choice((1, 2, 6, 41, 330))
    width, width_v = dice.randint(1, 6), dice.randint(1, 5)
    before = (dice.randint(1, 2),) if "batch" in options else ()
    batch = before[0] if before else 1

    def some(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=numbers, dtype=torch.float64) * dice.choice((0.5, 1, 4))

    def ones(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=numbers) < dice.choice((0.5, 0.9))

    heads = kv_heads * group
    q, k, v = (
        some(*before, heads, queries, width),
        some(*before, kv_heads, keys, width),
        some(*before, kv_heads, keys, width_v),
    )
    if poison:
        (k if poison[0] == "k" else v)[..., dice.randrange(keys), :] = float(poison[1])
    spec = AttentionSpec(
        softmax="shifted",
        mask=_mask(dice, queries, keys),
        divide_by=dice.choice((None, literal(1.5))),
        softcap=literal(2.5) if "softcap" in options else None,
        fully_masked=dice.choice(FULLY_MASKED),
        lse_base=dice.choice(LSE_BASES),
    )
    extras = Extras()
    if "bias" in options:
        bias = some(*dice.choice(((queries, keys), (heads, 1, keys), (batch, 1, queries, keys)))).to(dtype)
        bias[..., dice.randrange(keys)] = -torch.inf
        extras["bias"] = bias
    if "distance" in options:
        line = extras["bias_by_distance"] = some(heads, queries + keys - 1).to(dtype)
        line[:, dice.randrange(queries + keys - 1)] = -torch.inf
    if "allowed" in options and spec.mask.kind != "matrix":
        extras["allowed"] = ones(*dice.choice(((queries, keys), (heads, queries, 1), (batch, 1, 1, keys))))
    if "padding" in options:
        extras["padding"] = ones(*before, keys)
    if "documents" in options:
        extras["query_documents"] = torch.arange(queries).mul(3).floor_divide(queries + 1).expand(*before, queries)
        extras["key_documents"] = torch.arange(keys).mul(3).floor_divide(keys + 1).expand(*before, keys)
    if "sinks" in options:
        extras["sinks"] = some(heads)
    if "alibi" in options:
        extras["alibi_slopes"] = some(heads).abs()
    return Case(q.to(dtype), k.to(dtype), v.to(dtype), spec, extras, dice.choice((0, 1, 3, 8)))


OPTIONS = ("batch", "softcap", "bias", "distance", "allowed", "padding", "documents", "sinks", "alibi")
cases = st.builds(draw, st.integers(0, 2**32), st.frozensets(st.sampled_from(OPTIONS)), st.sampled_from(POISON))


def truth(case: Case, batch: int) -> dict[str, Floats]:
    """What the declared steps give for one item of the batch, float64: [heads, …]; softmax is taken of ``logits``."""
    q, k, v = (case.every(tensor)[batch] for tensor in (case.q, case.k, case.v))
    heads, queries, keys = len(q), q.shape[1], k.shape[1]
    spec, tables = _declared(case, batch, (heads, queries, keys))
    given: dict[Name, Any] = {}
    for name, tensor in (("Q", q), ("K", k), ("V", v)):
        for head, values in enumerate(tensor):
            given[_place(name, head, len(q), len(k))] = values
    for name, field_name in (("sink", "sinks"), ("alibi_slope", "alibi_slopes")):
        if field_name in case.extras:
            given[Name(name)] = case.extras[field_name].double().numpy()  # type: ignore[literal-required]
    for name, told in (("divide_by", spec.divide_by), ("softcap", spec.softcap)):
        if told is not None:
            given[Name(name)] = np.float64(number(told.value))
    if spec.bias:
        wide = _bias(case, (case.batch, heads, queries, keys))[batch]
        given |= {_place("bias", head, heads, heads): wide[head] for head in range(heads)}
    shapes = {name: np.shape(values) for name, values in given.items()}
    known = {"token": queries, "key": keys, "past": 0}
    engine = Arrays(build(spec, BlockSpec(), shapes, known, tables, cross=True), given)
    made = {op.name.name for op in engine.recipe.ops}
    last = next(name for name in ("masked", "capped", "scaled") if name in made)
    names = {"weight": "weight", "lse": "lse", "head_output": "head_output", "logits": last}
    return {
        told: np.stack([engine.array(_place(name, head, heads, heads)) for head in range(heads)])
        for told, name in names.items()
    }


def _bias(case: Case, shape: tuple[int, int, int, int]) -> Floats:
    """Both biases together, as an array."""
    whole, line = case.extras.get("bias"), case.extras.get("bias_by_distance")
    found = np.zeros(shape) if whole is None else np.broadcast_to(whole.double().numpy(), shape)
    if line is None:
        return found
    places = np.arange(shape[3]) - np.arange(shape[2])[:, None] + shape[2] - 1
    summed: Floats = found + line.double().numpy()[:, places]
    return summed


def _place(name: str, head: int, heads: int, kv_heads: int) -> Name:
    if name in ("K", "V") and kv_heads != heads:
        return Name(name, group=head if kv_heads > 1 else None)
    return Name(name, head=head if heads > 1 else None)


def _declared(case: Case, batch: int, shape: tuple[int, int, int]) -> tuple[AttentionSpec, dict[str, Any]]:
    """The specification as a recipe takes it: with tables, kinds of mask become bands."""
    extras, mask = case.extras, case.spec.mask
    spec = replace(
        case.spec,
        heads=shape[0],
        kv_heads=case.k.shape[-3],
        bias="bias" in extras or "bias_by_distance" in extras,
        sink="sinks" in extras,
        position="alibi" if "alibi_slopes" in extras else "none",
    )
    table = np.ones(shape, bool)
    if "allowed" in extras and extras["allowed"] is not None:
        table &= np.broadcast_to(extras["allowed"].numpy(), (case.batch, *shape))[batch]
    if "padding" in extras and extras["padding"] is not None:
        table &= np.atleast_2d(extras["padding"].numpy())[batch]
    own, documents = extras.get("query_documents"), extras.get("key_documents")
    if own is not None and documents is not None:
        table &= np.atleast_2d(own.numpy())[batch][:, None] == np.atleast_2d(documents.numpy())[batch]
    if table.all():
        return spec, {"allowed": mask.allowed} if mask.kind == "matrix" else {}
    if mask.kind == "matrix":
        table &= np.array(mask.allowed, bool)
    bands = {
        "causal": Mask("band", right=0),
        "causal-top-left": Mask("band", right=0, top_left=True),
        "window": Mask("band", left=mask.window - 1, right=0),
        "band": mask,
    }
    band = replace(bands.get(mask.kind, Mask("band")), table=True, offset=mask.offset)
    return replace(spec, mask=band), {"allowed": table.astype(int)}


def own_keys(case: Case) -> npt.NDArray[np.int64]:
    """The key that is each query's own."""
    mask, queries, keys = case.spec.mask, case.q.shape[-2], case.k.shape[-2]
    top_left = mask.kind == "causal-top-left" or (mask.kind == "band" and mask.top_left)
    offset = mask.offset if mask.offset is not None else 0 if top_left else keys - queries
    return np.arange(queries) + offset

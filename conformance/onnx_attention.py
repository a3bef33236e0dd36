"""ONNX's Attention operator: its attributes told as an `AttentionSpec`, every case streamed and in array form.

Each item of a batch is a call of its own, since a static cache has its own length for each (`nonpad_kv_seqlen`). What
an adapter does is naming: heads are split from the hidden width, a cache is put before the new keys, a mask that is too
short is continued with "may not look". All arithmetic is that of the streamed attention or of the declared steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from conformance.onnx_cases import Array, Case, cases, version
from conformance.row import Comparison, Outcome, Row, row
from workings.arrays.bounds import Arithmetic, error_of, with_bounds
from workings.arrays.run import Arrays
from workings.fast.operands import Extras
from workings.fast.result import Attended
from workings.fast.streamed import attend
from workings.steps.build import build
from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.spec import AttentionSpec, BlockSpec, Mask
from workings.terms.address import Name

Floats = npt.NDArray[np.float64]
# what `qk_matmul_output` holds, by `qk_matmul_output_mode`, in the names of the steps
MODES = ("scaled", "capped", "masked", "weight")
PRECISION = {1: "float32", 10: "float16", 11: "float64", 16: "bfloat16"}
TOLERANCE = (
    "for each number the derived bound of the suite's arithmetic, operation by operation in the type of its tensors "
    "(`arrays/bounds.py`), plus our own; and at most relative 1e-3 + 1e-6 "
    "(the suite's own rule is 1e-3 + 1e-7), in float16 and bfloat16 2e-2 + 2e-2"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a case's batch: q [heads, queries, d_k], k and v [kv_heads, keys, …], and who may look at whom."""

    q: Array
    k: Array
    v: Array
    spec: AttentionSpec
    bias: Array | None
    allowed: Array | None
    padding: npt.NDArray[np.bool_] | None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Heads, queries and keys."""
        return *self.q.shape[:2], self.k.shape[1]


@dataclass(frozen=True, slots=True)
class Shown:
    """What one way of working an item gives: each array, and how far each number of it may be off."""

    output: Floats
    output_bound: Floats
    matrix: Floats | None
    matrix_bound: Floats | None


def items(case: Case) -> list[Item]:
    """The case as one attention for each item of its batch, a cache before the new keys."""
    attributes = case.attributes
    q = _split(case.inputs["Q"], attributes.get("q_num_heads"))
    k, v = (_split(case.inputs[name], attributes.get("kv_num_heads")) for name in ("K", "V"))
    past = 0
    if "past_key" in case.inputs:
        past = case.inputs["past_key"].shape[2]
        k, v = (np.concatenate((case.inputs[f"past_{n}"], new), 2) for n, new in (("key", k), ("value", v)))
    heads, queries, keys = q.shape[1], q.shape[2], k.shape[2]
    mask = _continued(case.inputs.get("attn_mask"), (len(q), heads, queries, keys))
    there = case.inputs.get("nonpad_kv_seqlen")
    out = []
    for batch in range(len(q)):
        length = None if there is None else int(there[batch])
        offset = past if length is None or past else length - queries
        table = mask is not None and mask.dtype == np.bool_
        spec = AttentionSpec(
            heads=heads,
            kv_heads=k.shape[1],
            divide_by=_divisor(attributes.get("scale")),
            softmax="shifted",
            mask=_band(attributes, offset, table=table or length is not None),
            softcap=_literal(attributes.get("softcap")),
            bias=mask is not None and not table,
        )
        own = None if mask is None else mask[batch]
        padding = None if length is None else np.arange(keys) < length
        out.append(Item(q[batch], k[batch], v[batch], spec, None if table else own, own if table else None, padding))
    return out


def _split(hidden: Array, heads: int | None) -> Array:
    """[batch, tokens, heads·width] as [batch, heads, tokens, width]; what has heads already, as it is."""
    if hidden.ndim == 4 or heads is None:
        return hidden
    return hidden.reshape(*hidden.shape[:2], heads, -1).swapaxes(1, 2)


def _continued(mask: Array | None, shape: tuple[int, ...]) -> Array | None:
    """A mask for every item, head, query and key; keys that it does not reach may not be looked at."""
    if mask is None:
        return None
    missing = shape[-1] - mask.shape[-1]
    if missing > 0:
        beyond = np.full((*mask.shape[:-1], missing), False if mask.dtype == np.bool_ else -np.inf, mask.dtype)
        mask = np.concatenate((mask, beyond), -1)
    return np.broadcast_to(mask, shape)


def _literal(value: float | None) -> Literal | None:
    """A number as an author would give it; ONNX's 0 means none."""
    return Literal(str(value), Const(Fraction(value))) if value else None


def _divisor(scale: float | None) -> Literal | None:
    return None if scale is None else Literal(f"1/{scale}", Const(1 / Fraction(scale)))


def _band(attributes: Any, offset: int, *, table: bool) -> Mask:
    """The window around a query's own key; causal is a window that ends with it."""
    left, right = (attributes.get(f"{side}_window_size", -1) for side in ("left", "right"))
    sides = [None if size < 0 else size for size in (left, right)]
    if attributes.get("is_causal"):
        sides[1] = 0
    return Mask("band", left=sides[0], right=sides[1], table=table, offset=offset)


# --- streamed ------------------------------------------------------------------------------------------------------


def tensor(array: Array) -> Tensor:
    """The same numbers in torch, of the same type."""
    if str(array.dtype) == "bfloat16":
        return torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    return torch.from_numpy(array.copy())


def streamed(item: Item, wanted: str | None) -> Shown:
    """The item through streamed attention, in the case's own type; a wanted matrix cell by cell from it."""
    spec, extras = item.spec, Extras()
    heads, queries, keys = item.shape
    if item.bias is not None:
        extras["bias"] = tensor(item.bias)
    if item.padding is not None:
        extras["padding"] = tensor(item.padding)
    if spec.mask.table:
        allowed = np.ones((heads, queries, keys), bool) if item.allowed is None else item.allowed
        extras["allowed"] = tensor(allowed)
    found = attend(tensor(item.q), tensor(item.k), tensor(item.v), spec, **extras)
    output = found.output.double().numpy()
    bound = np.broadcast_to(found.bounds.output.numpy()[..., None], output.shape)
    if wanted is None:
        return Shown(output, bound, None, None)
    matrix = np.stack([_matrix(found, head, wanted) for head in range(heads)])
    relative = found.bounds.weight.numpy()[..., None]
    # other cells are worked in float64 from q and k, which the bound of the suite's arithmetic counts in already
    return Shown(output, bound, matrix, relative * matrix if wanted == "weight" else None)


def _matrix(found: Attended, head: int, wanted: str) -> Floats:
    queries, keys = found.operands.q.shape[2], found.operands.k.shape[2]
    if wanted == "weight":
        return found.weights_tile(head, range(queries), range(keys)).numpy()
    part = {"masked": "logit"}.get(wanted, wanted)
    return np.array(
        [[getattr(found.cell(head, row, key), part) for key in range(keys)] for row in range(queries)], np.float64
    )


# --- array form ----------------------------------------------------------------------------------------------------


def declared(item: Item, wanted: str | None, arithmetic: Arithmetic) -> Shown:
    """The item through the declared steps in float64, with the bound of the suite's arithmetic for every number."""
    heads, queries, keys = item.shape
    spec, kv_heads = item.spec, item.spec.kv_heads
    given: dict[Name, Any] = {_place("Q", head, heads, heads): item.q[head] for head in range(heads)}
    for letter, part in (("K", item.k), ("V", item.v)):
        given |= {_place(letter, head, heads, kv_heads): part[head] for head in range(kv_heads)}
    for name, told in (("divide_by", spec.divide_by), ("softcap", spec.softcap)):
        if told is not None and isinstance(told.value, Const):
            given[Name(name)] = float(told.value.value)
    if item.bias is not None:
        given |= {_place("bias", head, heads, heads): item.bias[head] for head in range(heads)}
    allowed = np.ones((heads, queries, keys), np.int64) if item.allowed is None else item.allowed.astype(np.int64)
    tables: dict[str, Any] = (
        {"allowed": allowed if item.padding is None else allowed * item.padding} if spec.mask.table else {}
    )
    shapes = {name: np.shape(values) for name, values in given.items()}
    known = {"token": queries, "key": keys, "past": 0}
    recipe = with_bounds(build(spec, BlockSpec(), shapes, known, tables, cross=True), arithmetic)
    engine = Arrays(recipe, {name: np.asarray(values, np.float64) for name, values in given.items()})

    def every(name: str) -> tuple[Floats, Floats]:
        places = [_place(name, head, heads, heads) for head in range(heads)]
        made = [(engine.array(place), engine.array(error_of(place))) for place in places]
        return np.stack([values for values, _ in made]), np.stack([errors for _, errors in made])

    matrix, bound = (None, None) if wanted is None else every(_kept(wanted, spec))
    return Shown(*every("head_output"), matrix, bound)


def _kept(wanted: str, spec: AttentionSpec) -> str:
    """The step whose array is meant: without a softcap nothing is capped."""
    return "scaled" if wanted == "capped" and spec.softcap is None else wanted


def _place(name: str, head: int, heads: int, kv_heads: int) -> Name:
    if kv_heads != heads:
        return Name(name, group=head if kv_heads > 1 else None)
    return Name(name, head=head if heads > 1 else None)


# --- cases ---------------------------------------------------------------------------------------------------------


@cache
def check(name: str, way: str) -> Outcome:
    """One case, ``streamed`` or in ``array`` form, against the suite's outputs within both tolerances."""
    case = cases()[name]
    heads = case.attributes.get("q_num_heads")
    wanted = MODES[case.attributes.get("qk_matmul_output_mode", 0)] if "qk_matmul_output" in case.outputs else None
    precision = PRECISION.get(case.attributes.get("softmax_precision", 0), case.dtype)
    arithmetic = Arithmetic(case.dtype, precision if precision != "float64" else case.dtype, case.dtype, {})
    expected, comparison = case.outputs["Y"], Comparison(name, case.dtype)
    for batch, item in enumerate(items(case)):
        truth = declared(item, wanted, arithmetic)
        ours = streamed(item, wanted) if way == "streamed" else truth
        extra = ours.output_bound if way == "streamed" else 0.0
        right = _split(expected, heads)[batch]
        comparison.add("Y", ours.output, right, np.minimum(truth.output_bound + extra, case.agreed(right)))
        if ours.matrix is not None and truth.matrix_bound is not None:
            right = case.outputs["qk_matmul_output"][batch]
            bound = truth.matrix_bound + (0.0 if ours.matrix_bound is None else ours.matrix_bound)
            comparison.add("qk_matmul_output", ours.matrix, right, np.minimum(bound, case.agreed(right)))
        for output, held in (("present_key", item.k), ("present_value", item.v)):
            if output in case.outputs:
                comparison.add(output, held, case.outputs[output][batch], 0.0)
    return comparison.outcome()


def run() -> list[Row]:
    """All cases of Attention, both ways."""
    chosen = [case.name for case in cases().values() if case.op == "Attention"]
    suite = f"{version()} node tests, Attention"
    ways = {"streamed": "streamed attention (`attend`)", "array": "array form of the declared steps"}
    return [row(suite, told, TOLERANCE, (check(name, way) for name in chosen)) for way, told in ways.items()]

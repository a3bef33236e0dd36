"""ONNX's operators around attention: rotary position, norms, softmax and activation, each as the steps declare it.

An adapter only names and reshapes: the axes that an operator normalises become one axis, a head is a call of its own.
What a step keeps under another name is read off its formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from conformance.declared import Declared, tolerance
from conformance.onnx_cases import COUNTS, Array, Case, cases, version
from conformance.row import Comparison, Outcome, Row, row
from workings.steps import block, position, softmax
from workings.steps.language import At, Const, Div, Expr, Sub, walk
from workings.steps.step import Step

# by the name of an output: values, and how far the suite's may be from them
Worked = dict[str, tuple[Array, Array]]
_CELL = ("query", "key")
_LOG_WEIGHT = Step(
    "log_weight",
    _CELL,
    Sub(At("logit", *_CELL), At("lse", "query")),
    {"en": "logarithm of the weights", "zh": "权重的对数"},
)


def _softmax(case: Case) -> Worked:
    return _along_rows(case, "weight")


def _log_softmax(case: Case) -> Worked:
    return _along_rows(case, "log_weight")


def _along_rows(case: Case, name: str) -> Worked:
    """The axis of the softmax becomes the keys, all others the queries."""
    logits = case.inputs["input"]
    axis = case.attributes.get("axis", -1)
    moved = np.moveaxis(logits, axis, -1)
    steps = [softmax.ROW_MAX, softmax.EXP_SHIFTED, softmax.EXP_SHIFTED_SUM]
    steps += [softmax.WEIGHT_SHIFTED, softmax.LSE_SHIFTED, _LOG_WEIGHT]
    worked = Declared([(step, {}) for step in steps], {"logit": (_CELL, moved.reshape(-1, moved.shape[-1]))})
    values, bound = (np.moveaxis(part.reshape(moved.shape), -1, axis) for part in worked.array(name))
    return {"output": (values, bound)}


def _divisor(step: Step) -> Expr:
    """What a norm's formula divides by."""
    return next(node.right for node in walk(step.formula) if isinstance(node, Div))


def _norm(case: Case, *, layer: bool) -> Worked:
    """The axes from ``axis`` on become d_model, those before it the tokens."""
    x, bias = case.inputs["X"], case.inputs.get("B")
    axis = case.attributes.get("axis", -1) % x.ndim
    gain = case.inputs["Scale" if layer else "scale"]
    shape = (int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis:])))
    given: dict[str, tuple[tuple[str, ...], Any]] = {
        "input": (("token", "d_model"), x.reshape(shape)),
        "norm_gain": (("d_model",), gain.reshape(-1)),
        "eps": ((), np.float32(case.attributes.get("epsilon", 1e-5))),
    }
    if bias is not None:
        given["norm_bias"] = (("d_model",), bias.reshape(-1))
    if layer:
        norm, before = block.layer_norm(True, bias is not None), [block.NORM_MEAN, block.NORM_VARIANCE]
    else:
        norm, before = block.rms_norm(True, bias is not None), [block.NORM_MEAN_SQUARE]
    inverse = replace(norm, name="inverse", axes=("token",), formula=Div(Const(1), _divisor(norm)))
    worked = Declared([(step, {}) for step in (*before, norm, inverse)], given)
    outputs = {"Y": ("norm", x.shape)}
    if layer:
        reduced = (*x.shape[:axis], *(1 for _ in x.shape[axis:]))
        outputs |= {"Mean": ("norm_mean", reduced), "InvStdDev": ("inverse", reduced)}
    found = {output: (worked.array(name), size) for output, (name, size) in outputs.items() if output in case.outputs}
    return {output: (values.reshape(size), bound.reshape(size)) for output, ((values, bound), size) in found.items()}


def _gelu(case: Case) -> Worked:
    kind = "gelu-tanh" if case.attributes.get("approximate", b"none") == b"tanh" else "gelu"
    x = case.inputs["X"]
    worked = Declared([(block.ACTIVATION[kind], {})], {"ffn_hidden": (("token", "d_ff"), x.reshape(1, -1))})
    values, bound = worked.array("ffn_act")
    return {"Y": (values.reshape(x.shape), bound.reshape(x.shape))}


def _rotary(case: Case) -> Worked:
    """One head of one item at a time, [tokens, width]."""
    x, cosines, sines = (case.inputs[name] for name in ("X", "cos_cache", "sin_cache"))
    if "position_ids" in case.inputs:
        cosines, sines = (table[case.inputs["position_ids"]] for table in (cosines, sines))
    heads = x.swapaxes(1, 2) if x.ndim == 4 else x.reshape(*x.shape[:2], case.attributes["num_heads"], -1)
    width = case.attributes.get("rotary_embedding_dim", 0) or heads.shape[-1]
    pairs = "interleaved" if case.attributes.get("interleaved") else "half"
    lengths = {"rotary_dim": width} if width < heads.shape[-1] else {}
    step, values, bound = position.rotation("Q", pairs, lengths), np.zeros(heads.shape), np.zeros(heads.shape)
    for item, head in np.ndindex(heads.shape[0], heads.shape[2]):
        part = (item, slice(None), head)
        angles = {"cos": (("token", "pair"), cosines[item]), "sin": (("token", "pair"), sines[item])}
        worked = Declared([(step, {})], {"q_proj": (("token", "d_k"), heads[part]), **angles}, lengths=lengths)
        values[part], bound[part] = worked.array("Q")
    shaped = [part.swapaxes(1, 2) if x.ndim == 4 else part.reshape(x.shape) for part in (values, bound)]
    return {"Y": (shaped[0], shaped[1])}


WORKED: dict[str, Callable[[Case], Worked]] = {
    "RotaryEmbedding": _rotary,
    "RMSNormalization": lambda case: _norm(case, layer=False),
    "LayerNormalization": lambda case: _norm(case, layer=True),
    "Softmax": _softmax,
    "Gelu": _gelu,
    "LogSoftmax": _log_softmax,
}
THROUGH = {
    "RotaryEmbedding": "`Q` rotated, whole and in part, pairs half and interleaved",
    "RMSNormalization": "`norm` over `norm_mean_square`",
    "LayerNormalization": "`norm` over `norm_mean` and `norm_variance`, and what it divides by",
    "Softmax": "`weight`, softmax shifted",
    "Gelu": "`ffn_act`, gelu and gelu-tanh",
    "LogSoftmax": "logit less `lse`, softmax shifted",
}


@cache
def check(name: str) -> Outcome:
    """One case against the suite's outputs, within the derived bound and the wider rule."""
    case = cases()[name]
    worked, comparison = WORKED[case.op](case), Comparison(name, case.dtype)
    if len(worked) == 1:
        worked = dict(zip(case.outputs, worked.values(), strict=True))  # a single output, whatever it is called
    for output, expected in case.outputs.items():
        values, bound = worked[output]
        comparison.add(output, values, expected, np.minimum(bound, case.agreed(expected)))
    return comparison.outcome()


def run() -> list[Row]:
    """All cases of these operators, one row for each."""
    rows = []
    for op in COUNTS:
        if op in WORKED:
            chosen = [case.name for case in cases().values() if case.op == op]
            allowed = f"{tolerance('float32')}; and at most relative 1e-3 + 1e-6 (the suite's own rule is 1e-3 + 1e-7)"
            rows.append(row(f"{version()} node tests, {op}", THROUGH[op], allowed, map(check, chosen)))
    return rows

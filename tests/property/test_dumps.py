"""Honest dumps of every type are left alone; a random slip is named, or one that gives the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import at_most
from tests.support.dumps import kept
from workings.arrays.run import Arrays
from workings.checking.causes.registry import CAUSES
from workings.checking.dumps.compare import compare
from workings.checking.dumps.files import Dump
from workings.checking.dumps.inputs import Inputs
from workings.checking.dumps.options import Options
from workings.tensors.tensor import Tensor

DTYPES = ("float64", "float32", "float16", "bfloat16")
SHOWN = ("score", "scaled", "capped", "masked", "weight", "lse", "head_output")


def _tensor(name: str, dtype: str, values: Any) -> Tensor:
    if dtype != "bfloat16":
        return Tensor(name, dtype, np.asarray(values, dtype))
    return Tensor(name, dtype, (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16))


@st.composite
def settings_of_a_kernel(draw: st.DrawFn) -> dict[str, Any]:
    """Sizes, options and a seed."""
    kv_heads = draw(st.integers(1, 2))
    return {
        "seed": draw(st.integers(0, 2**20)),
        "batch": draw(st.integers(1, 2)),
        "kv_heads": kv_heads,
        "heads": kv_heads * draw(st.integers(1, 2)),
        "queries": draw(st.integers(1, 7)),
        "keys": draw(st.integers(1, 9)),
        "width": draw(st.sampled_from([1, 2, 8])),
        "causal": draw(st.sampled_from(["none", "top-left", "bottom-right"])),
        "window": draw(st.sampled_from([(None, None), (2, None), (1, 1)])),
        "softcap": draw(st.sampled_from([None, 3])),
        "multiply_by": draw(st.sampled_from([None, "1/3"])),
        "lse_base": draw(st.sampled_from(["e", "2"])),
        "fully_masked": draw(st.sampled_from(["zero", "nan", "uniform"])),
        "mask": draw(st.booleans()),
        "bias": draw(st.booleans()),
        "sinks": draw(st.booleans()),
        "large": draw(st.sampled_from([0.1, 1.0, 8.0])),
    }


def options_of(chosen: dict[str, Any]) -> dict[str, Any]:
    names = ("causal", "window", "softcap", "multiply_by", "lse_base", "fully_masked")
    return {name: chosen[name] for name in names}


def inputs_of(chosen: dict[str, Any], dtype: str) -> dict[str, Tensor]:
    random = np.random.default_rng(chosen["seed"])
    batch, heads, groups = chosen["batch"], chosen["heads"], chosen["kv_heads"]
    n, m, d = chosen["queries"], chosen["keys"], chosen["width"]
    shapes = {"Q": (batch, heads, n, d), "K": (batch, groups, m, d), "V": (batch, groups, m, 3)}
    out = {
        name: _tensor(name, dtype, kept(dtype, random.normal(size=shape) * chosen["large"]))
        for name, shape in shapes.items()
    }
    if chosen["bias"]:
        out["bias"] = _tensor("bias", dtype, kept(dtype, random.normal(size=(n, m))))
    if chosen["sinks"]:
        out["sinks"] = _tensor("sinks", dtype, kept(dtype, random.normal(size=heads)))
    if chosen["mask"]:
        out["mask"] = Tensor("mask", "bool", random.random((batch, 1, n, m)) < 0.7)
    return out


def _allowed(chosen: dict[str, Any], tensors: dict[str, Tensor]) -> Any:
    n, m = chosen["queries"], chosen["keys"]
    own = np.arange(n)[:, None] + (0 if chosen["causal"] == "top-left" else m - n)
    key = np.arange(m)[None, :]
    left, right = chosen["window"]
    right = 0 if chosen["causal"] != "none" else right
    allowed = np.ones((n, m), bool)
    if left is not None:
        allowed &= key >= own - left
    if right is not None:
        allowed &= key <= own + right
    return allowed & tensors["mask"].held if "mask" in tensors else np.broadcast_to(allowed, (1, 1, n, m))


def _numbers(tensor: Tensor, dtype: Any) -> Any:
    return tensor.numbers().astype(dtype)


def honest(chosen: dict[str, Any], tensors: dict[str, Tensor], dtype: str, *, eager: bool) -> dict[str, Any]:
    """Attention in float32 (float64 in double), kept in the dump's type after every step, or at the end alone."""
    compute = np.float64 if dtype == "float64" else np.float32

    def keep(values: Any) -> Any:
        return kept(dtype, values).astype(compute) if eager else values

    q, k, v = (_numbers(tensors[name], compute) for name in "QKV")
    repeat = chosen["heads"] // chosen["kv_heads"]
    k, v = np.repeat(k, repeat, axis=1), np.repeat(v, repeat, axis=1)
    out: dict[str, Any] = {"score": keep(q @ k.swapaxes(-1, -2))}
    scale = 1 / np.sqrt(compute(chosen["width"])) if chosen["multiply_by"] is None else compute(1) / compute(3)
    logit = out["scaled"] = keep(out["score"] * scale)
    if chosen["softcap"] is not None:
        logit = out["capped"] = keep(chosen["softcap"] * np.tanh(logit / compute(chosen["softcap"])))
    allowed = _allowed(chosen, tensors)
    if "bias" in tensors:
        logit = logit + tensors["bias"].numbers().astype(compute)
    if "bias" in tensors or not allowed.all() or "mask" in tensors or chosen["causal"] != "none":
        logit = keep(np.where(allowed, logit, -np.inf).astype(compute))
        out["masked"] = logit
    elif chosen["window"] != (None, None):
        out["masked"] = logit
    out |= _weighted(chosen, tensors, logit, v, compute, keep)
    return out


def _weighted(chosen: dict[str, Any], tensors: dict[str, Tensor], logit: Any, v: Any, compute: Any, keep: Any) -> Any:
    with np.errstate(all="ignore"):
        top = logit.max(-1, keepdims=True)
        sinks = tensors["sinks"].numbers().astype(compute)[:, None, None] if "sinks" in tensors else None
        top = top if sinks is None else np.maximum(top, sinks)
        top = np.where(np.isneginf(top), 0, top)
        power = np.exp(logit - top)
        total = power.sum(-1, keepdims=True)
        total = total if sinks is None else total + np.exp(sinks - top)
        empty = {"zero": 0, "nan": np.nan, "uniform": 1 / chosen["keys"]}[chosen["fully_masked"]]
        weight = keep(np.where(total == 0, empty, power / total).astype(compute))
        lse = (np.log(total) + top)[..., 0]
        lse = lse / np.log(compute(2)) if chosen["lse_base"] == "2" else lse
        return {"weight": weight, "lse": lse, "head_output": weight @ v}


@pytest.mark.parametrize("dtype", DTYPES)
@at_most(500)
@given(chosen=settings_of_a_kernel(), eager=st.booleans(), shown=st.sets(st.sampled_from(SHOWN), min_size=1))
def test_honest_arithmetic_is_within_tolerance(
    dtype: str, chosen: dict[str, Any], eager: bool, shown: set[str]
) -> None:
    tensors = inputs_of(chosen, dtype)
    made = honest(chosen, tensors, dtype, eager=eager)
    names = [name for name in made if name in shown] or ["head_output"]
    dump = tensors | {name: _tensor(name, dtype, kept(dtype, made[name])) for name in names}
    from workings.checking.dumps.compare import compare_dump

    found = compare_dump(Dump("", dump), Options().changed(options_of(chosen)))
    assert found.holds, [(census.name, census.over, census.worst[:2]) for census in found.arrays]


@at_most(50)
@given(chosen=settings_of_a_kernel(), data=st.data(), step=st.sampled_from(["weight", "head_output"]))
def test_a_random_slip_is_named_or_one_that_gives_the_same(chosen: dict[str, Any], data: Any, step: str) -> None:
    tensors = inputs_of({**chosen, "batch": 1}, "float64")
    options = Options().changed(options_of(chosen))
    inputs = Inputs(Dump("", {**tensors, step: _tensor(step, "float64", np.zeros(_shape(chosen, step)))}), options)
    item = inputs.item(0)
    slips = [(cause, altered) for cause in CAUSES if not cause.across for altered in cause.recipes(item.recipe)]
    cause, altered = data.draw(st.sampled_from(slips))
    made = Arrays(altered, item.given, stored=item.stored)
    places = [inputs.place(step, head) for head in range(chosen["heads"])]
    values = np.stack([made.array(name) for name in places])[None]
    arrays = {name: tensor.held for name, tensor in tensors.items()}
    found = compare({**arrays, step: values}, options_of(chosen))
    assert found.holds or found.causes, cause.id


def _shape(chosen: dict[str, Any], step: str) -> tuple[int, ...]:
    return 1, chosen["heads"], chosen["queries"], chosen["keys"] if step == "weight" else 3

"""What a slip of a kernel is called, and what it is not: every name is that of a way to come by the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.dumps import kept
from workings.checking.dumps.compare import Comparison, compare

TOKENS, HEADS, WIDTH = 12, 2, 8
OWN, KEY = np.arange(TOKENS)[:, None], np.arange(TOKENS)[None]
CAUSAL = KEY <= OWN
WINDOW = CAUSAL & (KEY >= OWN - 3)


def inputs(keys: int = TOKENS) -> dict[str, Any]:
    random = np.random.default_rng(5)
    shapes = {"Q": TOKENS, "K": keys, "V": keys}
    return {name: random.normal(size=(HEADS, n, WIDTH)).astype(np.float32) for name, n in shapes.items()}


def kernel(given: dict[str, Any], allowed: Any = None, masked: float = -np.inf, scale: float | None = None) -> Any:
    """Every array that attention makes, in float64."""
    q, k, v = (given[name].astype(np.float64) for name in "QKV")
    score = q @ k.swapaxes(-1, -2)
    out = {"score": score, "scaled": score * (WIDTH**-0.5 if scale is None else scale)}
    logits = out["scaled"]
    if allowed is not None:
        logits = out["masked"] = np.where(allowed, logits, masked)
    with np.errstate(all="ignore"):
        top = logits.max(-1, keepdims=True)
        power = np.exp(logits - top)
        total = power.sum(-1, keepdims=True)
        lse = (top + np.log(total))[..., 0]
        return {**out, "exp": power, "weight": power / total, "lse": lse, "head_output": power / total @ v}


def judged(given: dict[str, Any], made: dict[str, Any], *shown: str, **options: Any) -> Comparison:
    names = shown or [name for name in made if name != "exp"]
    return compare({**given, **{name: made[name].astype(np.float32) for name in names}}, options)


def named(found: Comparison) -> list[str]:
    return [cause.id for cause in found.causes]


@pytest.mark.parametrize(
    ("allowed", "options", "cause"),
    [
        (KEY <= OWN + 1, {"causal": "bottom-right"}, "causal-alignment:shifted"),
        (CAUSAL & (KEY >= OWN - 4), {"causal": "bottom-right", "window": [3, 0]}, "sliding-window:one-more"),
        (CAUSAL & (KEY >= OWN - 2), {"causal": "bottom-right", "window": [3, 0]}, "sliding-window:one-less"),
        (CAUSAL, {"causal": "bottom-right", "window": [3, 0]}, "sliding-window:ignored"),
    ],
)
def test_infinite_scores_are_no_cut_off_or_swapped_ones(allowed: Any, options: dict[str, Any], cause: str) -> None:
    found = judged(inputs(), kernel(inputs(), allowed), **options)
    assert (found.first_step, named(found)) == ("masked", [cause])


def test_a_log_sum_exp_of_nothing_is_no_swapped_row() -> None:
    keys = 5
    made = kernel(inputs(keys), np.arange(keys) <= OWN)
    found = judged(inputs(keys), made, "lse", "head_output", causal="bottom-right")
    assert (found.first_step, named(found)) == ("lse", ["causal-alignment:top-left"])


def test_scores_four_times_too_large_are_not_what_dropout_leaves_of_weights() -> None:
    random = np.random.default_rng(6)
    given = {name: random.normal(size=(1, TOKENS, 16)).astype(np.float32) for name in "QKV"}
    scaled = given["Q"] @ given["K"].swapaxes(-1, -2)
    assert named(compare({**given, "scaled": scaled})) == ["scale:missing"]


def test_what_alters_a_right_array_of_the_dump_is_no_cause_where_another_is() -> None:
    found = judged(inputs(), kernel(inputs(), scale=1), "score", "scaled")
    assert (found.first_step, named(found)) == ("scaled", ["scale:missing"])


@pytest.mark.parametrize("value", [-1e9, -1e4, -50.0])
def test_a_finite_mask_is_told_by_its_size(value: float) -> None:
    allowed = CAUSAL.copy()
    allowed[3] = False
    found = judged({**inputs(), "mask": allowed}, kernel(inputs(), allowed, value), "lse", "head_output")
    assert (found.first_step, named(found)) == ("lse", [f"mask-value:{value:.0f}"])


def test_a_row_without_a_key_is_no_block_without_one() -> None:
    allowed = CAUSAL.copy()
    allowed[3] = False
    found = judged({**inputs(), "mask": allowed}, kernel(inputs(), allowed), "head_output")
    assert named(found) == ["fully-masked-row:nan"]


@pytest.mark.parametrize("empty", [False, True])
def test_a_first_block_without_a_key_is_told_by_the_rows_that_it_spoils(empty: bool) -> None:
    allowed = WINDOW.copy()
    allowed[2] &= not empty
    made = kernel(inputs(), allowed)
    made["head_output"][:, 7:] = np.nan  # from there on no query looks at the first four keys
    found = judged({**inputs(), "mask": allowed}, made, "head_output")
    assert named(found) == ["online-softmax"]


@pytest.mark.parametrize("shown", [("weight",), ("lse", "head_output"), ("scaled", "weight", "lse")])
@pytest.mark.parametrize("sinks", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_softmax_of_operations_each_rounded_is_named(dtype: str, sinks: bool, shown: tuple[str, ...]) -> None:
    def narrow(values: Any) -> Any:
        return kept(dtype, values).astype(np.float64)

    given = inputs()
    made = kernel(given)
    logits = narrow(made["scaled"].astype(np.float32))
    sink = np.array([0.5, -1.0])[:, None, None]
    top = np.maximum(logits.max(-1, keepdims=True), sink) if sinks else logits.max(-1, keepdims=True)
    power = narrow(np.exp(narrow(logits - top)))
    total = narrow(power.sum(-1, keepdims=True))
    if sinks:
        given["sinks"] = sink.ravel().astype(np.float32)
        total = narrow(total + narrow(np.exp(narrow(sink - top))))
    made["weight"] = narrow(power / total)
    made["lse"] = narrow(top + narrow(np.log(total)))[..., 0]
    made["head_output"] = made["weight"] @ given["V"]
    assert named(judged(given, made, *shown)) == [f"softmax-dtype:{dtype}"]


@pytest.mark.parametrize(("asked", "written"), [("e", "2"), ("2", "e")])
def test_a_log_sum_exp_to_another_base(asked: str, written: str) -> None:
    made = kernel(inputs())
    made["lse"] /= np.log(2) if written == "2" else 1
    found = judged(inputs(), made, "weight", "lse", "head_output", lse_base=asked)
    assert (found.first_step, named(found)) == ("lse", [f"lse-base:{written}"])


def test_a_log_sum_exp_without_its_maximum() -> None:
    made = kernel(inputs())
    made["lse"] = np.log(made["exp"].sum(-1))
    assert named(judged(inputs(), made, "lse", "head_output")) == ["lse-maximum"]


@pytest.mark.parametrize("shown", [("head_output",), ("weight", "head_output")])
def test_an_output_that_was_not_divided_by_the_sum(shown: tuple[str, ...]) -> None:
    made = kernel(inputs())
    made["head_output"] = made["exp"] @ inputs()["V"]
    found = judged(inputs(), made, *shown)
    assert (found.first_step, named(found)) == ("head_output", ["softmax-sum"])
    made["weight"] = made["exp"]
    assert named(judged(inputs(), made, "weight")) == ["softmax-sum"]


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("names", ["KV", "K", "V"])
def test_keys_and_values_read_one_token_off(by: int, zeros: bool, names: str) -> None:
    given = inputs()
    off = dict(given)
    for name in names:
        off[name] = np.roll(given[name], by, axis=1)
        off[name][:, 0 if by > 0 else -1] *= not zeros
    found = judged(given, kernel(off, CAUSAL), "head_output", causal="bottom-right")
    assert named(found) == (["kv-offset"] if names == "KV" or not zeros else [])


def test_a_masked_value_that_is_none_is_what_spoils_an_output() -> None:
    given = inputs()
    given["V"][:, -2:] = np.nan
    seen = np.ones(TOKENS, bool)
    seen[-2:] = False
    found = judged({**given, "mask": seen}, kernel(given, seen), "head_output")
    assert named(found) == ["mask-value:product", "nan-times-zero"]
    shown = judged({**given, "mask": seen}, kernel(given, seen), "weight", "head_output")
    assert named(shown) == ["nan-times-zero"]


def projected(change: str = "") -> dict[str, Any]:
    """Two heads from X on, with the slip that is named."""
    random = np.random.default_rng(8)
    width, heads = 8, 2
    given = {"X": random.normal(size=(TOKENS, width))}
    given |= {f"W_{letter}": random.normal(size=(width, width)) for letter in "QKVO"}
    given |= {f"b_{letter}": random.normal(size=width) for letter in "QKVO"}
    given = {name: values.astype(np.float32) for name, values in given.items()}

    def project(x: Any, letter: str) -> Any:
        weights = given[f"W_{letter}"].astype(np.float64)
        return x @ (weights.T if change == "w-transposed" else weights) + (
            0 if change == "projection-bias" else given[f"b_{letter}"]
        )

    def apart(values: Any) -> Any:
        if change == "head-split":
            return values.reshape(TOKENS, width // heads, heads).transpose(2, 0, 1)
        return values.reshape(TOKENS, heads, width // heads).transpose(1, 0, 2)

    q, k, v = (apart(project(given["X"].astype(np.float64), letter)) for letter in "QKV")
    logits = q @ k.swapaxes(-1, -2) / 2
    weight = np.exp(logits - logits.max(-1, keepdims=True))
    weight /= weight.sum(-1, keepdims=True)
    output = project((weight @ v).transpose(1, 0, 2).reshape(TOKENS, width), "O")
    return {**given, "weight": weight.astype(np.float32), "output": output.astype(np.float32)}


@pytest.mark.parametrize("shown", ["weight", "output"])
@pytest.mark.parametrize("slip", ["", "w-transposed", "projection-bias", "head-split"])
def test_a_slip_in_all_projections_is_one(slip: str, shown: str) -> None:
    dump = projected(slip)
    del dump["weight" if shown == "output" else "output"]
    found = compare(dump, heads=2)
    assert named(found) == ([slip] if slip else [])
    assert found.holds == (not slip)


@pytest.mark.parametrize("turned", ["V", "O", "VO", ""])
def test_weights_that_are_turned_where_others_cannot_be(turned: str) -> None:
    """Those of the queries and keys are not square."""
    random = np.random.default_rng(4)
    shapes = {"X": (TOKENS, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 4), "W_O": (4, 4)}
    given = {name: random.normal(size=shape) for name, shape in shapes.items()}
    used = {name: values.T if name[-1] in turned else values for name, values in given.items()}
    x = given["X"]
    weight = np.exp((x @ used["W_Q"]) @ (x @ used["W_K"]).T / 2**0.5)
    weight /= weight.sum(-1, keepdims=True)
    found = compare({**given, "output": weight @ (x @ used["W_V"]) @ used["W_O"]})
    assert named(found) == (["w-transposed"] if turned else [])


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_products_added_up_in_a_narrow_type(dtype: str, fused: bool) -> None:
    given = {name: kept(dtype, values) for name, values in inputs().items()}
    q, k = (given[name].astype(np.float64) for name in "QK")
    total = np.zeros((HEADS, TOKENS, TOKENS))
    for place in range(WIDTH):
        product = q[:, :, None, place] * k[:, None, :, place]
        total = kept(dtype, total + (product if fused else kept(dtype, product).astype(np.float64))).astype(np.float64)
    assert named(judged(given, {"score": total})) == [f"batch-dependence:{dtype}"]


@pytest.mark.parametrize(("lang", "said", "row"), [("en", "; so do", "row 3 alone"), ("zh", " 也一样", "只有第 3 行")])
def test_many_causes_of_one_kind_stand_in_one_line(lang: str, said: str, row: str) -> None:
    allowed = CAUSAL.copy()
    allowed[3] = False
    output = kernel(inputs(), allowed, -1e9)["head_output"].astype(np.float32)
    report = w.compare({**inputs(), "mask": allowed, "head_output": output}, lang=lang)
    text = report.to_text()
    titles = [line for line in text.splitlines() if "(mask-value:" in line or "（mask-value:" in line]
    assert len(titles) == 1
    assert said in " ".join(text.split("\n"))
    assert row in text
    assert sum(cause.startswith("mask-value:") for cause in report.causes) > 5

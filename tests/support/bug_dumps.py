"""A dump for each published bug: its inputs and options, and what a right and a faulty kernel make of them.

Where a case is too small to tell one fault from another, or shows no number that a dump holds, it is enlarged, and
``enlarged`` says how; the numbers of the others are the case's own. Everything here is plain numpy.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "cases" / "bugs"
NAN, INF = np.nan, np.inf


@dataclass(frozen=True)
class BugDump:
    """A dump with right and with faulty numbers of one array.

    Attributes:
        named: the cause that must be named, or how its id begins.
        enlarged: what was changed so that a dump can tell; empty where the numbers are the case's own.
        dtype: the type that the produced array is written in.
    """

    inputs: dict[str, Any]
    produced: str
    right: Any
    buggy: Any
    named: str
    options: dict[str, Any] = field(default_factory=dict)
    enlarged: str = ""
    dtype: Any = np.float32

    def dump(self, values: Any) -> dict[str, Any]:
        """The arrays of a dump that holds these values."""
        return {**self.inputs, self.produced: np.asarray(values, self.dtype)}


def facts(number: str) -> dict[str, Any]:
    """The published case."""
    (path,) = FOLDER.glob(f"{number}-*.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def of_role(number: str, role: str, place: int = 0) -> Any:
    """A value of the case by its role."""
    found = [value["value"] for value in facts(number)["values"] if value["role"] == role]
    return np.array(found[place], float)


def given(number: str, name: str) -> Any:
    return np.array(facts(number)["inputs"][name], float)


def softmax(scores: Any) -> Any:
    with np.errstate(all="ignore"):
        shifted = np.exp(scores - scores.max(-1, keepdims=True))
        return shifted / shifted.sum(-1, keepdims=True)


def safe(scores: Any) -> Any:
    """The same, 0 where nothing may be looked at."""
    return np.nan_to_num(softmax(scores), nan=0.0)


def masked(scores: Any, mask: Any) -> Any:
    return np.where(mask, scores, -INF)


def random(seed: int, *shape: int) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


PLAIN = {"multiply_by": 1}
DUMPS: dict[str, Callable[[str], BugDump]] = {}
TRIL = {"causal": "bottom-right"}


def _case(*numbers: str) -> Callable[[Callable[[str], BugDump]], Callable[[str], BugDump]]:
    def register(make: Callable[[str], BugDump]) -> Callable[[str], BugDump]:
        DUMPS.update(dict.fromkeys(numbers, make))
        return make

    return register


# --- rows without a key --------------------------------------------------------------------------------------------


@_case("01", "03", "04")
def _nan_rows(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V"), "mask": given(number, "M") == 0}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "fully-masked-row:nan", PLAIN)


@_case("21")
def _more_queries(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V")}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "fully-masked-row:nan", PLAIN | TRIL)


@_case("17")
def _clamped(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump({"score": given(number, "s")}, "weight", right, buggy, "fully-masked-row:clamped", PLAIN)


@_case("70")
def _no_keys(number: str) -> BugDump:
    inputs = {"Q": random(70, 1, 2, 4), "K": np.zeros((1, 0, 4)), "V": np.zeros((1, 0, 3))}
    zero = np.zeros((1, 2, 3))
    return BugDump(inputs, "head_output", zero, zero + NAN, "zero-length", enlarged="two queries, values of width 3")


@_case("05")
def _nan_times_zero(number: str) -> BugDump:
    inputs = {"score": np.zeros((1, 2)), "mask": np.array([[True, False]]), "V": given(number, "V")}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    why = "the weights 1 and 0 come from a mask, for a dump begins no later than at the scores"
    return BugDump(inputs, "head_output", right, buggy, "nan-times-zero", PLAIN, why)


@_case("56")
def _first_block(number: str) -> BugDump:
    inputs = {
        "score": np.array([[0.0, 0.0, 1.0, 2.0]]),
        "mask": np.array([[False, False, True, True]]),
        "V": np.array([[5.0], [6.0], [7.0], [9.0]]),
    }
    right = of_role(number, "right")
    why = "the output of the row is NaN, as the exponentials of its first block are"
    return BugDump(inputs, "head_output", right, right * NAN, "online-softmax", PLAIN, why)


# --- masks -----------------------------------------------------------------------------------------------------------


@_case("08", "78")
def _polarity(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "mask": given(number, "Mright") == 0}
    return BugDump(inputs, "weight", of_role(number, "right"), of_role(number, "buggy"), "mask-polarity", PLAIN)


@_case("10")
def _minus_ten(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "mask": given(number, "M") == 0}
    return BugDump(inputs, "weight", of_role(number, "right"), of_role(number, "buggy"), "mask-value:-10", PLAIN)


@_case("12")
def _minus_100000(number: str) -> BugDump:
    mask = np.array([[True] * 3 + [False] * 3])
    right = np.concatenate([of_role(number, "right"), np.zeros((1, 3))], axis=1)
    inputs = {"score": given(number, "s"), "mask": mask}
    return BugDump(inputs, "weight", right, of_role(number, "buggy"), "mask-value:-100000", PLAIN)


@_case("13", "14")
def _overflowing_sum(number: str) -> BugDump:
    """Key 2 is forbidden by both masks: where nothing else is allowed, one-fold and two-fold −max differ."""
    causal, mask = np.tri(3, dtype=bool), np.array([[[True, True, True], [False, False, False], [True, True, False]]])
    scores = np.array([[[0.0, 1.0, 2.0], [1.0, 0.5, 0.0], [2.0, 1.0, 0.0]]])
    right = safe(masked(scores, causal & mask))
    buggy = right.copy()
    buggy[0, 1] = [0.5, 0.5, 0.0]
    inputs = {"score": scores, "mask": mask}
    why = "a row that a padding mask forbids as a whole, and the causal mask in part"
    return BugDump(inputs, "weight", right, buggy, "mask-value:sum-overflow", PLAIN | TRIL, why)


@_case("16")
def _product(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "mask": given(number, "keep") == 1}
    return BugDump(inputs, "weight", of_role(number, "right"), of_role(number, "buggy"), "mask-value:product", PLAIN)


@_case("18", "22")
def _top_left(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V")}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "causal-alignment:top-left", PLAIN | TRIL)


@_case("20")
def _top_left_weights(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    options = PLAIN | TRIL
    return BugDump({"score": given(number, "S")}, "weight", right, buggy, "causal-alignment:top-left", options)


@_case("23")
def _causal_dropped(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump({"score": given(number, "S")}, "weight", right, buggy, "output-attentions", PLAIN | TRIL)


@_case("46")
def _window(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V")}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "sliding-window:one-more", {**PLAIN, "window": [2, 0]})


@_case("62")
def _padding(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V"), "mask": np.array([[True, True, False]])}
    return BugDump(inputs, "head_output", of_role(number, "right"), of_role(number, "buggy"), "padding-leak", PLAIN)


@_case("64")
def _packed(number: str) -> BugDump:
    documents = np.array([[True, True, False], [True, True, False], [False, False, True]])
    inputs = {"score": given(number, "S"), "V": given(number, "V"), "mask": documents}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "packing", PLAIN | TRIL)


@_case("66")
def _zeros(number: str) -> BugDump:
    scores, values = np.stack([given(number, "S")] * 2)[:, None], np.stack([given(number, "V")] * 2)[:, None]
    right = np.stack([of_role(number, "right")] * 2)[:, None]
    buggy = right * np.array([1.0, 0.0]).reshape(2, 1, 1, 1)
    why = "the batch has two equal items; the second is zeros"
    return BugDump({"score": scores, "V": values}, "head_output", right, buggy, "block-mask", PLAIN | TRIL, why)


# --- scale, cap, sink, position --------------------------------------------------------------------------------------


@_case("34")
def _cap_after_mask(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "mask": given(number, "M") == 0}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "weight", right, buggy, "softcap-order:after-mask", {**PLAIN, "softcap": 1})


@_case("36")
def _cap_dropped(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    options = {**PLAIN, "softcap": 50}
    return BugDump({"score": given(number, "S")}, "weight", right, buggy, "softcap-order:missing", options)


@_case("37")
def _sink(number: str) -> BugDump:
    inputs = {"score": given(number, "S"), "V": given(number, "V"), "sinks": given(number, "s")[0]}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "head_output", right, buggy, "attention-sink:ignored", PLAIN)


@_case("39")
def _slopes(number: str) -> BugDump:
    inputs = {"Q": random(39, 6, 3, 2), "K": random(40, 6, 3, 2)}
    right, buggy = of_role(number, "right")[0], of_role(number, "buggy")[0]
    return BugDump(inputs, "alibi_slopes", right, buggy, "alibi:one-sequence", {"alibi": True})


def _turned(x: Any, positions: Any, base: float, *, half: bool) -> Any:
    """Rotary position of vectors [tokens, d]."""
    d = x.shape[-1]
    angle = np.asarray(positions, float)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    first, second = (x[:, : d // 2], x[:, d // 2 :]) if half else (x[:, ::2], x[:, 1::2])
    one, two = first * np.cos(angle) - second * np.sin(angle), first * np.sin(angle) + second * np.cos(angle)
    out = np.empty_like(x)
    if half:
        out[:, : d // 2], out[:, d // 2 :] = one, two
    else:
        out[:, ::2], out[:, 1::2] = one, two
    return out


@_case("41")
def _pairing(number: str) -> BugDump:
    vector = given(number, "q")
    inputs = {"q_proj": vector, "k_proj": vector, "positions": np.array([1])}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "Q", right, buggy, "rope-pairing:half", {"rope": "interleaved"})


@_case("43")
def _base(number: str) -> BugDump:
    vectors, places = random(43, 3, 4), [100, 101, 102]
    inputs = {"q_proj": vectors, "k_proj": vectors, "positions": np.array(places)}
    right, buggy = (_turned(vectors, places, base, half=True) for base in (5e6, 1e4))
    options = {"rope": "half", "rope_base": 5_000_000}
    why = "the angles turn random vectors: a dump holds vectors and no angles"
    return BugDump(inputs, "Q", right, buggy, "rope-pairing:base-10000", options, why)


@_case("44")
def _left_padding(number: str) -> BugDump:
    vectors, places = random(44, 4, 4), of_role(number, "right").ravel()
    inputs = {"q_proj": vectors, "k_proj": vectors, "positions": places.astype(int)}
    right, buggy = (_turned(vectors, at, 1e4, half=True) for at in (places, of_role(number, "buggy").ravel()))
    why = "the positions turn random vectors: a dump holds positions as an input"
    return BugDump(inputs, "Q", right, buggy, "left-padding", {"rope": "half"}, why)


@_case("72")
def _norm_order(number: str) -> BugDump:
    vector, gain = given(number, "x"), given(number, "g").ravel()
    inputs = {"q_proj": vector, "k_proj": vector, "positions": np.array([1])}
    inputs |= {"q_norm_gain": gain, "k_norm_gain": gain}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "Q", right, buggy, "qk-norm:order", {"rope": "half", "qk_norm": "rms-after-rope", "eps": 0})


@_case("48")
def _model_width(number: str) -> BugDump:
    inputs = {"Q": np.array([[[2.0, 0.0]]] * 2), "K": np.array([[[2.0, 0.0], [0.0, 1.0]]] * 2)}
    right, buggy = (np.stack([of_role(number, role)] * 2) for role in ("right", "buggy"))
    why = "two heads with vectors whose products are 4 and 0"
    return BugDump(inputs, "weight", right, buggy, "scale:sqrt-d_model", {}, why)


@_case("50")
def _layer_scale(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump({"score": given(number, "s")}, "weight", right, buggy, "scale:missing", {"multiply_by": "1/3"})


# --- heads -----------------------------------------------------------------------------------------------------------


@_case("24")
def _tiled(number: str) -> BugDump:
    inputs = {"Q": np.zeros((4, 1, 2)), "K": np.zeros((2, 1, 2)), "V": given(number, "V")[:, None]}
    right, buggy = (of_role(number, role)[:, None] for role in ("right", "buggy"))
    return BugDump(inputs, "head_output", right, buggy, "gqa-order:tiled")


@_case("26")
def _summed(number: str) -> BugDump:
    inputs = {"Q": given(number, "q")[:, None], "K": given(number, "K")[None], "V": given(number, "V")[None]}
    right = of_role(number, "right")[:, None]
    buggy = np.stack([of_role(number, "buggy")] * 2)
    return BugDump(inputs, "head_output", right, buggy, "gqa-order:summed-queries")


@_case("27")
def _tokens_repeated(number: str) -> BugDump:
    inputs = {"Q": np.ones((2, 2, 1)), "K": given(number, "K")[None], "V": given(number, "V")[None]}
    right = np.array([[10.0], [of_role(number, "right")[0, 0]]])
    buggy = np.array([[10.0], [of_role(number, "buggy", 2)[0, 0]]])
    right, buggy = np.stack([right] * 2), np.stack([buggy] * 2)
    return BugDump(inputs, "head_output", right, buggy, "gqa-order:repeated-tokens", TRIL)


@_case("29")
def _averaged(number: str) -> BugDump:
    right = np.stack([of_role(number, "right", place) for place in (0, 1)])
    buggy = np.stack([of_role(number, "buggy")] * 2)
    inputs = {"score": np.log(right)}
    return BugDump(inputs, "weight", right, buggy, "weights-semantics:mean-of-heads", PLAIN)


# --- dropout ---------------------------------------------------------------------------------------------------------


@_case("07")
def _dropout(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump({"score": np.zeros((1, 1))}, "weight", right, buggy, "dropout-weights", PLAIN)


@_case("32")
def _dropout_in_use(number: str) -> BugDump:
    scores, values = random(32, 3, 6), random(33, 6, 4)
    weights = softmax(scores)
    kept = np.random.default_rng(34).random(weights.shape) < 0.5
    inputs = {"score": scores, "V": values}
    right, buggy = weights @ values, (weights * kept / 0.5) @ values
    why = "three queries, six keys, values of width 4: with one value any output fits some dropout"
    return BugDump(inputs, "head_output", right, buggy, "dropout-eval", PLAIN, why)


# --- types of numbers ------------------------------------------------------------------------------------------------


@_case("51")
def _overflow(number: str) -> BugDump:
    inputs = {"Q": given(number, "q").astype(np.float16), "K": given(number, "K").astype(np.float16)}
    right, buggy = of_role(number, "right"), of_role(number, "buggy", 1)
    return BugDump(inputs, "weight", right, buggy, "fp16-overflow", dtype=np.float16)


@_case("52")
def _logits(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    score = {"score": given(number, "s")}
    return BugDump(score, "weight", right, buggy, "softmax-dtype:bfloat16-logits", PLAIN, dtype=np.float32)


@_case("55")
def _underflow(number: str) -> BugDump:
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    score = {"score": given(number, "s")}
    return BugDump(score, "weight", right, buggy, "softmax-dtype:float16-weights", PLAIN, dtype=np.float32)


@_case("58")
def _strides(number: str) -> BugDump:
    inputs = {"score": np.log(given(number, "w")), "V": given(number, "V")}
    return BugDump(inputs, "head_output", of_role(number, "right"), of_role(number, "buggy"), "strides", PLAIN)


@_case("74")
def _order(number: str) -> BugDump:
    inputs = {"Q": np.array([[256.0, 1.0, 1.0]], np.float32), "K": np.ones((1, 3), np.float32)}
    right, buggy = of_role(number, "right"), of_role(number, "buggy")
    return BugDump(inputs, "score", right, buggy, "batch-dependence:bfloat16", dtype=np.float32)

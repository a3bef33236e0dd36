"""A dump compared, against the same steps in plain numpy, and against the bare matrix product of its scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.figure import Figure, compared, ratios

PAIRS = 7
HEADS, TOKENS, WIDTH = 2, 1024, 64
# Plain numpy makes two matrix products and goes over each pair of tokens about nine times. A comparison also works out
# an error bound beside every step (three products and two dozen times more over each pair, one of them an exponential)
# and takes a census of what was printed (a dozen more): five times the work.
LIMIT, AIM = 8.0, 5.0
LIMIT_OF_PRODUCT = 60.0
# A wrong dump is compared once like a right one; then some two hundred slips are tried on a few of its rows, which
# weighs less the more rows there are, and what fits is tried on all, beside the right numbers again.
LIMIT_OF_WRONG, AIM_OF_WRONG, WRONG_TOKENS = 10.0, 4.0, 2048


def _dump(tokens: int = TOKENS, divisor: float = 8.0) -> dict[str, Any]:
    random = np.random.default_rng(1)
    q, k, v = (random.normal(size=(HEADS, tokens, WIDTH)).astype(np.float32) for _ in range(3))
    scores = q @ k.transpose(0, 2, 1) / np.float32(divisor)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return {"Q": q, "K": k, "V": v, "weight": weights, "head_output": weights @ v}


def _plain(dump: dict[str, Any]) -> float:
    """Every step in float64, and the largest difference: what a person would write to check a dump by hand."""
    largest = 0.0
    for head in range(HEADS):
        q, k, v = (dump[name][head].astype(np.float64) for name in "QKV")
        scaled = q @ k.T / np.sqrt(WIDTH)
        power = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        weight = power / power.sum(axis=1, keepdims=True)
        for name, right in (("weight", weight), ("head_output", weight @ v)):
            largest = max(largest, float(np.abs(dump[name][head] - right).max()))
    return largest


def run() -> list[Figure]:
    """All handle the same pairs of tokens; ours also bounds, counts and compares each of them."""
    from workings.checking.dumps.compare import compare

    dump = _dump()
    q, k = (dump[name].astype(np.float64) for name in "QK")
    name = f"`workings compare` of {HEADS} heads × {TOKENS:,} tokens"
    by_hand = ratios(lambda: compare(dump), lambda: _plain(dump), PAIRS, warm_up=1)
    by_product = ratios(lambda: compare(dump), lambda: q @ k.transpose(0, 2, 1), PAIRS, warm_up=1)
    right, wrong = _dump(WRONG_TOKENS), _dump(WRONG_TOKENS, divisor=1.0)
    by_right = ratios(lambda: compare(wrong), lambda: compare(right), 3, warm_up=0)
    of_wrong = (
        f"`workings compare` of {HEADS} heads × {WRONG_TOKENS:,} tokens, the scale forgotten / the same done right"
    )
    return [
        compared(f"{name} / the same steps and differences in plain numpy", by_hand, limit=LIMIT, aim=AIM),
        compared(f"{name} / `Q @ K.T` in numpy's float64", by_product, limit=LIMIT_OF_PRODUCT),
        compared(of_wrong, by_right, limit=LIMIT_OF_WRONG, aim=AIM_OF_WRONG),
    ]

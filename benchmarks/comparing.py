"""A dump compared, per number, against the bare matrix product that its scores take."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.figure import Figure, compared, ratios

PAIRS = 7
HEADS, TOKENS, WIDTH = 2, 1024, 64
LIMIT = 60.0


def _dump() -> dict[str, Any]:
    random = np.random.default_rng(1)
    q, k, v = (random.normal(size=(HEADS, TOKENS, WIDTH)).astype(np.float32) for _ in range(3))
    scores = q @ k.transpose(0, 2, 1) / np.float32(8)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return {"Q": q, "K": k, "V": v, "weight": weights, "head_output": weights @ v}


def run() -> list[Figure]:
    """One figure: both handle the same pairs of tokens; ours also bounds, counts and compares each of them."""
    from workings.checking.dumps.compare import compare

    dump = _dump()
    q, k = (dump[name].astype(np.float64) for name in "QK")
    measured = ratios(lambda: compare(dump), lambda: q @ k.transpose(0, 2, 1), PAIRS, warm_up=1)
    name = f"`workings compare` of {HEADS} heads × {TOKENS:,} tokens / `Q @ K.T` in numpy's float64"
    return [compared(name, measured, limit=LIMIT)]

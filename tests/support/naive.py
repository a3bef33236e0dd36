"""Attention by its definition, in plain numpy and float64, every weight held: nothing of ours is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass
class Naive:
    """What one head gives.

    Attributes:
        logits: after scale, cap, biases and masks; -inf where a query may not look.
        weights: their softmax, with a sink that takes part; 0 in rows with nothing allowed.
        lse, share: the logarithm of each row's sum, and what the sink has.
        output: weights times values, of the keys that are allowed alone.
    """

    logits: Floats
    weights: Floats
    lse: Floats
    share: Floats
    output: Floats


def band(queries: int, keys: int, offset: int, left: int | None, right: int | None) -> npt.NDArray[np.bool_]:
    """Which keys each query may look at, one by one."""
    allowed = np.zeros((queries, keys), bool)
    for query in range(queries):
        for key in range(keys):
            distance = key - (query + offset)
            allowed[query, key] = (left is None or distance >= -left) and (right is None or distance <= right)
    return allowed


def attention(q: Floats, k: Floats, v: Floats, allowed: npt.NDArray[np.bool_], **told: Any) -> Naive:
    """One head.

    Args:
        q: queries × d_k; k: keys × d_k; v: keys × d_v.
        told: scale; and perhaps cap, bias, slope with offset (ALiBi), sink.
    """
    logits = np.full(allowed.shape, -np.inf)
    for query, key in np.argwhere(allowed):
        score = float(np.sum(q[query] * k[key])) * told["scale"]
        if told.get("cap") is not None:
            score = told["cap"] * np.tanh(score / told["cap"])
        score += 0 if told.get("bias") is None else told["bias"][query, key]
        score -= told.get("slope", 0.0) * abs(int(key) - (int(query) + told.get("offset", 0)))
        logits[query, key] = score
    sink = told.get("sink")
    whole = logits if sink is None else np.hstack((logits, np.full((len(q), 1), sink)))
    most = np.where(np.isneginf(whole).all(1), 0, whole.max(1, initial=-np.inf))
    powers = np.exp(whole - most[:, None])
    sums = powers.sum(1)
    weights = np.divide(powers, sums[:, None], out=np.zeros_like(powers), where=sums[:, None] > 0)
    with np.errstate(divide="ignore"):
        lse = most + np.log(sums)
    share = np.zeros(len(q)) if sink is None else weights[:, -1]
    own = weights[:, : allowed.shape[1]]
    output = np.stack([(own[row][allowed[row], None] * v[allowed[row]]).sum(0) for row in range(len(q))])
    return Naive(logits, own, lse, share, output)

"""The output of one attention while a model runs: torch's own kernel where it says all, else blocks of rows."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from workings.models.facts import Facts

MOST_SCORES = 2**21  # numbers of one block of scores, all heads together; one row of each head at the least


def attend(query: Tensor, key: Tensor, value: Tensor, facts: Facts) -> Tensor:
    """softmax(cap(scale·QKᵀ) + bias, masked)·V.

    Args:
        query: batch × heads × queries × d_k; key, value: batch × key heads × keys × d_k or d_v.

    Returns:
        batch × heads × queries × d_v. No tensor grows with queries × keys.
    """
    groups = query.shape[1] // key.shape[1]
    if _plain(query, key, value, facts):
        key, value = (side.repeat_interleave(groups, 1) for side in (key, value))
        causal = facts.band.right is not None
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal, scale=facts.scale)
    return torch.stack([_streamed(*sides, facts) for sides in zip(query, key, value, strict=True)])


def _plain(query: Tensor, key: Tensor, value: Tensor, facts: Facts) -> bool:
    """Whether torch's kernel, which holds no array of scores, does just this."""
    band = facts.band
    whole = not band.limits or (band.left is None and band.right == band.offset == 0 and query.shape[2] == key.shape[2])
    extras = facts.softcap is not None or facts.sinks is not None or facts.bias is not None
    return whole and not extras and query.shape[3] == value.shape[3]


def _streamed(query: Tensor, key: Tensor, value: Tensor, facts: Facts) -> Tensor:
    heads, queries, _ = query.shape
    kv_heads, keys, _ = key.shape
    work = torch.float64 if query.dtype == torch.float64 else torch.float32
    out = query.new_empty((heads, queries, value.shape[2]))
    rows = max(1, MOST_SCORES // (heads * keys))
    for start in range(0, queries, rows):
        stop = min(start + rows, queries)
        begin, end = facts.band.keys(start, stop - 1, keys)
        block = query[:, start:stop].to(work).reshape(kv_heads, -1, stop - start, query.shape[2])
        here = key[:, None, begin:end].to(work)
        scores = (block @ here.transpose(-1, -2)).flatten(0, 1) * facts.scale
        weights = _weights(_logits(scores, facts, (start, stop, begin, end)), facts.sinks)
        mixed = weights.reshape(kv_heads, -1, stop - start, end - begin) @ value[:, None, begin:end].to(work)
        out[:, start:stop] = mixed.flatten(0, 1).to(query.dtype)
    return out


def _logits(scores: Tensor, facts: Facts, place: tuple[int, int, int, int]) -> Tensor:
    """Capped, with its bias, and −∞ outside the band."""
    start, stop, begin, end = place
    if facts.softcap is not None:
        scores = torch.tanh(scores / facts.softcap) * facts.softcap
    if facts.bias is not None:
        scores = scores + facts.bias.block(start, stop, begin, end).to(scores.dtype)
    if not facts.band.limits:
        return scores
    own = torch.arange(start, stop)[:, None] + facts.band.offset
    distance = (torch.arange(begin, end)[None, :] - own).to(scores.device)
    hidden = torch.zeros_like(distance, dtype=torch.bool)
    if facts.band.left is not None:
        hidden |= distance < -facts.band.left
    if facts.band.right is not None:
        hidden |= distance > facts.band.right
    return scores.masked_fill(hidden, float("-inf"))


def _weights(logits: Tensor, sinks: Any) -> Tensor:
    """Softmax along the keys; a sink takes its share and is dropped."""
    if sinks is None:
        return torch.softmax(logits, -1)
    extra = sinks.to(logits.dtype)[:, None, None].expand(-1, logits.shape[1], 1)
    return torch.softmax(torch.cat((logits, extra), -1), -1)[..., :-1]

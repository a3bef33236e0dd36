"""BLOOM: one matrix, for each head its q, k, v; ALiBi as a bias that grows along the keys."""

from __future__ import annotations

from functools import partial
from typing import Any

from workings.models.facts import ByKey
from workings.models.family import Attend, Family


def prepare(model: Any, attend: Attend) -> None:
    """BLOOM's attention asks no registered function, so the middle of its forward is told here again."""
    for module in model.modules():
        if type(module).__name__ == "BloomAttention":
            module.forward = partial(_forward, module, attend)


def _forward(
    module: Any, attend: Attend, hidden_states: Any, residual: Any, alibi: Any, attention_mask: Any, **rest: Any
) -> tuple[Any, None]:
    """As in transformers, from the fused projection to the residual, without the array of scores.

    ``alibi`` is batch·heads × 1 × keys: the slope of a head times the place of a key.
    """
    query, key, value = module._reshape(module.query_key_value(hidden_states))
    bias = ByKey(alibi[: module.num_heads, 0])
    found, _ = attend(module, query, key, value, attention_mask, scaling=module.inv_norm_factor, position_bias=bias)
    return residual + module.dense(found.reshape(hidden_states.shape)), None


FAMILY = Family(
    name="BLOOM",
    kinds=("bloom",),
    projections=("query_key_value",),
    layout="per-head",
    prepare=prepare,
)

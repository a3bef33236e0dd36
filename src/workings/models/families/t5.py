"""T5: no scale, a learned bias by distance in logarithmic buckets; encoder, decoder and cross-attention."""

from __future__ import annotations

from functools import partial
from typing import Any

from workings.models.facts import ByDistance
from workings.models.family import ENCODER_DECODER, Attend, Family


def prepare(model: Any, attend: Attend) -> None:
    """The bias is asked for by distance, never as an array of tokens × tokens; where there is none, it is zero."""
    for module in model.modules():
        if hasattr(module, "_relative_position_bucket"):
            learned = module.has_relative_attention_bias
            module.compute_bias = partial(_by_distance if learned else _none, module)
            module.has_relative_attention_bias = True


def _by_distance(module: Any, query_length: int, key_length: int, device: Any = None, **past: Any) -> ByDistance:
    """The bias of each head for key − query from 1 − query_length to key_length − 1."""
    import torch

    distance = torch.arange(1 - query_length, key_length, device=device)
    bucket = module._relative_position_bucket(
        distance,
        bidirectional=not module.is_decoder,
        num_buckets=module.relative_attention_num_buckets,
        max_distance=module.relative_attention_max_distance,
    )
    return ByDistance(module.relative_attention_bias(bucket).T)


def _none(module: Any, query_length: int, key_length: int, device: Any = None, **past: Any) -> None:
    return None


FAMILY = Family(
    name="T5",
    kinds=("t5", "umt5", "mt5"),
    projections=("q", "k", "v"),
    parts=ENCODER_DECODER,
    prepare=prepare,
)

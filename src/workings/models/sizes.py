"""Sizes that a model's config tells before it runs: layers, places for tokens, bytes and time of a recording."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workings.models.load import Loaded
from workings.models.scores import TOP

TRIAL = 512  # side of the matrices multiplied to see how fast this machine is
ROW = 8 + 8 + TOP * (4 + 4) + 6 * 4  # bytes kept of each query of a head: ``summary.rows_of``
BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True)
class Estimate:
    """What a recording will take: bytes on the disk, and seconds."""

    bytes: int
    seconds: float


def expected_layers(loaded: Loaded) -> dict[tuple[str, bool], int]:
    """How many layers attend, by stack: its part, and whether it looks at another stack."""
    config, parts = loaded.config, set(loaded.family.parts.values())
    if "enc" in parts:
        encoder = _first(config, "encoder_layers", "num_layers", "num_hidden_layers")
        decoder = _first(config, "decoder_layers", "num_decoder_layers", "num_layers", "num_hidden_layers")
        return {("enc", False): encoder, ("dec", False): decoder, ("dec", True): decoder}
    if "text" in parts:
        return {
            ("text", False): int(config.text_config.num_hidden_layers),
            ("vision", False): int(config.vision_config.num_hidden_layers),
        }
    kinds = getattr(config, "layer_types", None)
    if kinds:
        return {("", False): sum("attention" in kind and "linear" not in kind for kind in kinds)}
    return {("", False): int(config.num_hidden_layers)}


def places_for(config: Any) -> int | None:
    """How many tokens a model has places for; None where its positions have no end."""
    text = getattr(config, "text_config", None) or config
    rotates = getattr(text, "rope_parameters", None) is not None
    limit = None if rotates else getattr(text, "max_position_embeddings", None)
    if limit is None:
        return None
    taken = getattr(text, "pad_token_id", None) if text.model_type in ("roberta", "xlm-roberta") else None
    return int(limit) - (0 if taken is None else int(taken) + 1)


def estimate(
    loaded: Loaded, tokens: int, layers: Sequence[int] | None, heads: Sequence[int] | None, *, timed: bool = True
) -> Estimate:
    """Bytes by the config's sizes, seconds by how fast this machine multiplies matrices right now, where wanted."""
    config = getattr(loaded.config, "text_config", None) or loaded.config
    count, width = sum(expected_layers(loaded).values()), int(config.hidden_size)
    queries = int(config.num_attention_heads)
    shared = int(getattr(config, "num_key_value_heads", None) or queries)
    one = int(getattr(config, "head_dim", None) or width // queries)
    written = count if layers is None else len(layers)
    kept = queries if heads is None else len(heads)
    numbers = written * tokens * one * (kept + 2 * min(shared, kept))
    if loaded.family.block is not None:  # what enters each layer, and what the last one makes
        numbers += (written + 1) * tokens * width
    size = numbers * BYTES[loaded.dtype] + written * tokens * kept * ROW
    parameters = sum(parameter.numel() for parameter in loaded.model.parameters())
    operations = 2 * parameters * tokens + 4 * count * queries * one * tokens * tokens
    return Estimate(size, operations / speed(loaded.dtype) if timed else 0.0)


def speed(dtype: str) -> float:
    """Operations in a second, by one product of matrices."""
    import torch

    side = torch.ones((TRIAL, TRIAL), dtype=getattr(torch, dtype))
    torch.mm(side, side)
    begin = time.perf_counter()
    torch.mm(side, side)
    return float(2 * TRIAL**3 / max(time.perf_counter() - begin, 1e-6))


def _first(config: Any, *names: str) -> int:
    return int(next(value for name in names if (value := getattr(config, name, None)) is not None))

"""What is particular to a family of models: how Q, K and V come about, its stacks, and what it does apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Attend = Callable[..., Any]
CROSS = ("EncDecAttention", "encoder_attn", "crossattention", "cross_attn")
ENCODER_DECODER = {"encoder": "enc", "decoder": "dec"}


@dataclass(frozen=True)
class Family:
    """One family.

    Attributes:
        name: what people call it.
        kinds: its ``model_type`` in config.json, and its architecture in GGUF files.
        projections: the modules inside attention that make Q, K and V: three, or one that makes all.
        layout: how those are laid out: ``split``; ``stacked`` (rows of Q, then of K, then of V); ``per-head`` (for each
            head its q, k, v); ``latent`` (through narrow matrices shared by all heads).
        scaled_before: whether the model multiplies Q by the scale before the dot product, so that none is left to do.
        parts: first word of a module's name -> prefix of its addresses, where a model has several stacks.
        inputs: what it reads: ``text``, ``image``, ``sound`` or ``text+image``.
        prepare: changes a loaded model so that its attention can be recorded without an array of tokens × tokens;
            takes the model and the function that stands for attention.
    """

    name: str
    kinds: tuple[str, ...]
    projections: tuple[str, ...] = ("q_proj", "k_proj", "v_proj")
    layout: str = "split"
    scaled_before: bool = False
    parts: Mapping[str, str] = field(default_factory=dict)
    inputs: str = "text"
    prepare: Callable[[Any, Attend], None] | None = None

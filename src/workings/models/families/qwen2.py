"""Qwen2: as Llama, with biases on Q, K and V."""

from workings.models.family import Family

FAMILY = Family(
    name="Qwen2",
    kinds=("qwen2",),
)

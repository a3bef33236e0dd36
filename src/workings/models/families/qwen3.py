"""Qwen3: as Llama, with Q and K normalised before the rotation."""

from workings.models.family import Family

FAMILY = Family(
    name="Qwen3",
    kinds=("qwen3",),
)

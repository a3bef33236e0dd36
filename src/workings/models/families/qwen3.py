"""Qwen3: as Llama, with Q and K normalised before the rotation."""

from workings.models.family import Family
from workings.models.llama_kind import GGUF, NORMED, NORMED_GGUF, TENSORS, llama

FAMILY = Family(
    name="Qwen3",
    kinds=("qwen3",),
    block=llama({**TENSORS, **NORMED}, {**GGUF, **NORMED_GGUF}, "rms"),
)

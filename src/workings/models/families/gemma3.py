"""Gemma 3: Q and K normalised, five windowed layers to each full one."""

from workings.models.family import Family
from workings.models.llama_kind import NORMED, NORMED_GGUF, gemma

FAMILY = Family(
    name="Gemma 3",
    kinds=("gemma3", "gemma3_text"),
    block=gemma(NORMED, NORMED_GGUF, "rms"),
)

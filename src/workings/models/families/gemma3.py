"""Gemma 3: Q and K normalised, five windowed layers to each full one."""

from workings.models.family import Family

FAMILY = Family(
    name="Gemma 3",
    kinds=("gemma3", "gemma3_text"),
)

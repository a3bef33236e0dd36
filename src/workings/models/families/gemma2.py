"""Gemma 2: a softcap on the scores, and a window on every other layer."""

from workings.models.family import Family

FAMILY = Family(
    name="Gemma 2",
    kinds=("gemma2",),
)

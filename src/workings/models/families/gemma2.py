"""Gemma 2: a softcap on the scores, and a window on every other layer."""

from workings.models.family import Family
from workings.models.llama_kind import gemma

FAMILY = Family(
    name="Gemma 2",
    kinds=("gemma2",),
    block=gemma({}, {}),
)

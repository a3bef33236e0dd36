"""Mistral: as Llama, with a window where its config has one."""

from workings.models.family import Family
from workings.models.llama_kind import llama

FAMILY = Family(
    name="Mistral",
    kinds=("mistral",),
    block=llama(),
)

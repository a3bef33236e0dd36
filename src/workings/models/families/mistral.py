"""Mistral: as Llama, with a window where its config has one."""

from workings.models.family import Family

FAMILY = Family(
    name="Mistral",
    kinds=("mistral",),
)

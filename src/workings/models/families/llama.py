"""The Llama kind: split projections, rotary position, grouped heads."""

from workings.models.family import Family

FAMILY = Family(
    name="Llama",
    kinds=("llama",),
)

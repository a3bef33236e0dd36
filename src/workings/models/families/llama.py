"""The Llama kind: split projections, rotary position, grouped heads."""

from workings.models.family import Family
from workings.models.llama_kind import llama

FAMILY = Family(
    name="Llama",
    kinds=("llama",),
    block=llama(),
)

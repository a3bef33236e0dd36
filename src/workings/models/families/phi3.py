"""Phi-3: one matrix whose rows are [Q; K; V] by the sizes of grouped heads."""

from workings.models.family import Family

FAMILY = Family(
    name="Phi-3",
    kinds=("phi3",),
    projections=("qkv_proj",),
    layout="stacked",
)

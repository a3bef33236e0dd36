"""GPT-2: Q, K and V from one matrix whose columns are [Q, K, V]."""

from workings.models.family import Family

FAMILY = Family(
    name="GPT-2",
    kinds=("gpt2",),
    projections=("c_attn",),
    layout="stacked",
)

"""ModernBERT: one matrix for all heads of Q, then K, then V; a window on two layers of three."""

from workings.models.family import Family

FAMILY = Family(
    name="ModernBERT",
    kinds=("modernbert",),
    projections=("Wqkv",),
    layout="stacked",
)

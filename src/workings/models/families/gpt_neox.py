"""GPT-NeoX and Pythia: one matrix, for each head its q, k, v; attention beside the feed-forward."""

from workings.models.family import Family

FAMILY = Family(
    name="GPT-NeoX",
    kinds=("gpt_neox", "gptneox"),
    projections=("query_key_value",),
    layout="per-head",
)

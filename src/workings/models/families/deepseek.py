"""DeepSeek V2 and V3: keys and values from one narrow latent, and a rotated part that all heads share."""

from workings.models.family import Family

FAMILY = Family(
    name="DeepSeek",
    kinds=("deepseek_v2", "deepseek_v3"),
    projections=("kv_a_proj_with_mqa", "kv_b_proj"),
    layout="latent",
)

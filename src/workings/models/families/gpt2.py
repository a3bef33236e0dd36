"""GPT-2: Q, K and V from one matrix whose columns are [Q, K, V]; norms before, and GELU by its tanh."""

from workings.models.family import Block, Family, Kept

_FUSED = {
    **{f"W_{x}": Kept("h.{n}.attn.c_attn.weight", part=(place, "qkk")) for place, x in enumerate("QKV")},
    **{f"b_{x}": Kept("h.{n}.attn.c_attn.bias", part=(place, "qkk")) for place, x in enumerate("QKV")},
}
_NAMES = {"norm1": "h.{n}.ln_1", "norm2": "h.{n}.ln_2", "final_norm": "ln_f"}
_PRODUCTS = {"O": "attn.c_proj", "1": "mlp.c_fc", "2": "mlp.c_proj"}
TENSORS = {
    "embedding_table": Kept("wte.weight"),
    "position_table": Kept("wpe.weight"),
    "W_U": Kept("lm_head.weight"),
    **{f"{norm}_gain": Kept(f"{module}.weight") for norm, module in _NAMES.items()},
    **{f"{norm}_bias": Kept(f"{module}.bias") for norm, module in _NAMES.items()},
    **_FUSED,
    **{f"W_{x}": Kept(f"h.{{n}}.{module}.weight") for x, module in _PRODUCTS.items()},
    **{f"b_{x}": Kept(f"h.{{n}}.{module}.bias") for x, module in _PRODUCTS.items()},
}
FAMILY = Family(
    name="GPT-2",
    kinds=("gpt2",),
    projections=("c_attn",),
    layout="stacked",
    block=Block("h.{n}", "pre-layer", TENSORS),
)

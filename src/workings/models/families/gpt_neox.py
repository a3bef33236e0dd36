"""GPT-NeoX and Pythia: one matrix, for each head its q, k, v; a part of each turns; attention beside feed-forward."""

from workings.models.family import Block, Family, Kept

_FUSED = {
    f"{letter}_{x}": Kept(f"layers.{{n}}.attention.query_key_value.{kind}", kind == "weight", (at, "---"), "q")
    for letter, kind in (("W", "weight"), ("b", "bias"))
    for at, x in enumerate("QKV")
}
_NAMES = {
    "norm1": "layers.{n}.input_layernorm",
    "norm2": "layers.{n}.post_attention_layernorm",
    "final_norm": "final_layer_norm",
}
_PRODUCTS = {"O": "attention.dense", "1": "mlp.dense_h_to_4h", "2": "mlp.dense_4h_to_h"}
TENSORS = {
    "embedding_table": Kept("embed_in.weight"),
    "W_U": Kept("embed_out.weight", also=("lm_head.weight",)),
    **{f"{norm}_gain": Kept(f"{module}.weight") for norm, module in _NAMES.items()},
    **{f"{norm}_bias": Kept(f"{module}.bias") for norm, module in _NAMES.items()},
    **_FUSED,
    **{f"W_{x}": Kept(f"layers.{{n}}.{module}.weight", turned=True) for x, module in _PRODUCTS.items()},
    **{f"b_{x}": Kept(f"layers.{{n}}.{module}.bias") for x, module in _PRODUCTS.items()},
}
FAMILY = Family(
    name="GPT-NeoX",
    kinds=("gpt_neox", "gptneox"),
    projections=("query_key_value",),
    layout="per-head",
    block=Block("layers.{n}", "pre-layer", TENSORS, rotated=True, partial=True, parallel="use_parallel_residual"),
)

"""Where the Llama kind keeps its weights, in safetensors and in GGUF; several families share it."""

from __future__ import annotations

from collections.abc import Mapping

from workings.models.family import Block, Kept

TENSORS: dict[str, Kept] = {
    "embedding_table": Kept("embed_tokens.weight"),
    "final_norm_gain": Kept("norm.weight"),
    "W_U": Kept("lm_head.weight"),
    "norm1_gain": Kept("layers.{n}.input_layernorm.weight"),
    "norm2_gain": Kept("layers.{n}.post_attention_layernorm.weight"),
    **{f"W_{x}": Kept(f"layers.{{n}}.self_attn.{x.lower()}_proj.weight", turned=True) for x in "QKVO"},
    **{f"b_{x}": Kept(f"layers.{{n}}.self_attn.{x.lower()}_proj.bias") for x in "QKVO"},
    "W_gate": Kept("layers.{n}.mlp.gate_proj.weight", turned=True),
    "W_1": Kept("layers.{n}.mlp.up_proj.weight", turned=True),
    "W_2": Kept("layers.{n}.mlp.down_proj.weight", turned=True),
    "b_gate": Kept("layers.{n}.mlp.gate_proj.bias"),
    "b_1": Kept("layers.{n}.mlp.up_proj.bias"),
    "b_2": Kept("layers.{n}.mlp.down_proj.bias"),
}
GGUF: dict[str, Kept] = {
    "embedding_table": Kept("token_embd.weight"),
    "final_norm_gain": Kept("output_norm.weight"),
    "W_U": Kept("output.weight"),
    "norm1_gain": Kept("blk.{n}.attn_norm.weight"),
    "norm2_gain": Kept("blk.{n}.ffn_norm.weight"),
    **{f"W_{x}": Kept(f"blk.{{n}}.attn_{x.lower()}.weight", turned=True) for x in "QKV"},
    **{f"b_{x}": Kept(f"blk.{{n}}.attn_{x.lower()}.bias") for x in "QKV"},
    "W_O": Kept("blk.{n}.attn_output.weight", turned=True),
    "W_gate": Kept("blk.{n}.ffn_gate.weight", turned=True),
    "W_1": Kept("blk.{n}.ffn_up.weight", turned=True),
    "W_2": Kept("blk.{n}.ffn_down.weight", turned=True),
}
# files of architecture "llama" keep the rows of Q and K in pairs
PAIRED = {
    **GGUF,
    "W_Q": Kept("blk.{n}.attn_q.weight", turned=True, pairs="q"),
    "W_K": Kept("blk.{n}.attn_k.weight", turned=True, pairs="k"),
}
NORMED = {name: Kept(f"layers.{{n}}.self_attn.{name[0]}_norm.weight") for name in ("q_norm_gain", "k_norm_gain")}
NORMED_GGUF = {name: Kept(f"blk.{{n}}.attn_{name[0]}_norm.weight") for name in ("q_norm_gain", "k_norm_gain")}
FOUR_NORMS = {
    "norm1_gain": Kept("layers.{n}.input_layernorm.weight"),
    "norm2_gain": Kept("layers.{n}.post_attention_layernorm.weight"),
    "norm3_gain": Kept("layers.{n}.pre_feedforward_layernorm.weight"),
    "norm4_gain": Kept("layers.{n}.post_feedforward_layernorm.weight"),
}
FOUR_NORMS_GGUF = {
    "norm1_gain": Kept("blk.{n}.attn_norm.weight"),
    "norm2_gain": Kept("blk.{n}.post_attention_norm.weight"),
    "norm3_gain": Kept("blk.{n}.ffn_norm.weight"),
    "norm4_gain": Kept("blk.{n}.post_ffw_norm.weight"),
}


def less_1(tensors: Mapping[str, Kept]) -> dict[str, Kept]:
    """The same with gains that lie there less 1."""
    return {f"{name}_less_1" if name.endswith("_gain") else name: kept for name, kept in tensors.items()}


def llama(
    tensors: Mapping[str, Kept] = TENSORS,
    gguf: Mapping[str, Kept] = PAIRED,
    qk_norm: str = "none",
    *,
    partial: bool = False,
) -> Block:
    """A block of the Llama kind: norms by the root mean square before attention and feed-forward, and a gate."""
    return Block("layers.{n}", "pre-rms", tensors, gguf, gated=True, rotated=True, partial=partial, qk_norm=qk_norm)


def gemma(tensors: Mapping[str, Kept], gguf: Mapping[str, Kept], qk_norm: str = "none") -> Block:
    """A block of the Gemma kind: four norms, their gains less 1 (GGUF files have them whole), a scaled embedding."""
    return Block(
        "layers.{n}",
        "sandwich-rms",
        less_1({**TENSORS, **FOUR_NORMS, **tensors}),
        {**GGUF, **FOUR_NORMS_GGUF, **gguf},
        gated=True,
        rotated=True,
        qk_norm=qk_norm,
        scaled=True,
    )

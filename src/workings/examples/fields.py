"""Which fields each table of an example takes, and where a field belongs that stands elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from workings.steps.inputs import INPUTS

TOP = (
    *("title", "tokens", "key_tokens", "focus", "notes", "comment"),
    *("inputs", "attention", "block", "layer", "learn", "claims"),
)
# Arrays of steps/inputs.py that an example states elsewhere: in [attention], in [block], or under another name.
ELSEWHERE = (
    *("divide_by", "softcap", "sink", "bias", "position_base", "eps", "rate"),
    *("embedding_table", "past_K", "past_V", "K_new", "V_new", "k_new", "v_new"),
)
ARRAYS = tuple(name for name in INPUTS if name not in ELSEWHERE)
INPUT = (*ARRAYS, "past")
LAYER = (*(name for name in ARRAYS if INPUTS[name].per == "layer"), "past")
SIZES = ("d_model", "d_k", "d_v", "d_context")
ATTENTION = (
    *("heads", "n_kv_heads", "divide_by", "softmax", "block_size"),
    *("mask", "softcap", "sink", "bias", "position", "rope", "qk_norm"),
    *SIZES,
)
BLOCK = ("residual", "norm", "eps", "ffn", "layers", "d_ff")
HOMES: Mapping[str, str] = {
    field: home
    for home, fields in (("top", TOP), ("block", BLOCK), ("attention", ATTENTION), ("inputs", INPUT))
    for field in fields
}

"""Phi-3 and Phi-4-mini: as Llama, with rows [Q; K; V] by the sizes of grouped heads in one matrix, gate and up in one.

Some rotate the first dimensions of each head alone.
"""

from workings.models.family import Family, Kept
from workings.models.llama_kind import GGUF, TENSORS, llama

_ATTENTION = {f"W_{x}": (place, "qkk") for place, x in enumerate("QKV")}
_GATED = {"W_gate": (0, "gu"), "W_1": (1, "gu")}


def _fused(attention: str, gated: str) -> dict[str, Kept]:
    """Where the parts of the two matrices lie, ``{n}`` for the number of their layer."""
    return {
        name: Kept(tensor, turned=True, part=part)
        for tensor, parts in ((attention, _ATTENTION), (gated, _GATED))
        for name, part in parts.items()
    }


FAMILY = Family(
    name="Phi-3",
    kinds=("phi3",),
    projections=("qkv_proj",),
    layout="stacked",
    block=llama(
        {**TENSORS, **_fused("layers.{n}.self_attn.qkv_proj.weight", "layers.{n}.mlp.gate_up_proj.weight")},
        {**GGUF, **_fused("blk.{n}.attn_qkv.weight", "blk.{n}.ffn_up.weight")},
        partial=True,
    ),
)

"""Small models with random weights as GGUF files, with a vocabulary of letters; Llama's Q and K as GGUF orders them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.tiny_models import SIZES, build

HEADS, KV_HEADS = 4, 2
VOCABULARY = {"llama": SIZES["vocab_size"], "phi3": 32_008}  # its padding is 32,000 whatever a file says
LETTERS = "abcdefghijklmnopqrstuvwxyz,.-!?"
WORDS = ("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(16)), "▁", *LETTERS)
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
NAMES = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up",
}  # fmt: skip


def write_llama(path: Path, **texts: str) -> Path:
    """The small Llama as a GGUF file; ``texts`` as of ``write_gguf``."""
    return write_gguf(path, "llama", **texts)


def write_gguf(path: Path, family: str, **texts: str) -> Path:
    """A family's small model as a GGUF file.

    Args:
        family: one of ``VOCABULARY``, its layers named as Llama's.
        texts: more keys of the header, ``__`` standing for a point.
    """
    import gguf

    out = gguf.GGUFWriter(str(path), family)
    out.add_block_count(SIZES["num_hidden_layers"])
    out.add_context_length(64)
    out.add_embedding_length(SIZES["hidden_size"])
    out.add_feed_forward_length(SIZES["intermediate_size"])
    out.add_head_count(HEADS)
    out.add_head_count_kv(KV_HEADS)
    out.add_layer_norm_rms_eps(1e-6)
    out.add_rope_freq_base(10000.0)
    out.add_rope_dimension_count(8)
    words = [*WORDS, *(f"<spare{place}>" for place in range(len(WORDS), VOCABULARY[family]))]
    out.add_vocab_size(len(words))
    out.add_tokenizer_model("llama")
    out.add_token_list(words)
    out.add_token_scores([-float(place) for place in range(len(words))])
    out.add_token_types([_kind(word) for word in words])
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_unk_token_id(0)
    for key, value in texts.items():
        out.add_string(key.replace("__", "."), value)
    _add_tensors(out, family)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return path


def _kind(word: str) -> int:
    if word.startswith("<0x"):
        return BYTE
    return UNKNOWN if word == "<unk>" else CONTROL if word.startswith("<") else NORMAL


def _add_tensors(out: Any, family: str) -> None:
    for name, tensor in build(family, vocab_size=VOCABULARY[family]).state_dict().items():
        numbers = tensor.numpy()
        words = name.removesuffix(".weight").split(".")
        if words[0] == "layers":
            own = NAMES[".".join(words[2:])]
            heads = {"attn_q": HEADS, "attn_k": KV_HEADS}.get(own)
            if heads is not None and family == "llama":  # pairs (i, i + d/2) stand side by side
                rows, width = numbers.shape
                numbers = numbers.reshape(heads, 2, rows // heads // 2, width).swapaxes(1, 2).reshape(rows, width)
            out.add_tensor(f"blk.{words[1]}.{own}.weight", numbers)
        else:
            out.add_tensor({"embed_tokens": "token_embd", "norm": "output_norm"}[words[0]] + ".weight", numbers)

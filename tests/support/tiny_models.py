"""Small models of every family with random weights, built from their configs; nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 64,
}
GROUPED = {**SIZES, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64}
PICTURE = {"image_size": 16, "patch_size": 8}
NO_VOCABULARY = {name: size for name, size in SIZES.items() if name != "vocab_size"}
LATENT = {
    **SIZES, "num_key_value_heads": 4, "moe_intermediate_size": 16, "q_lora_rank": 16, "kv_lora_rank": 16,
    "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8, "n_routed_experts": 4, "num_experts_per_tok": 2,
    "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1,
}  # fmt: skip
SOUND = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "vocab_size": 64, "num_mel_bins": 8, "max_source_positions": 16,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "begin_suppress_tokens": None,
}  # fmt: skip
TOKENS = list(range(1, 9))


@dataclass(frozen=True)
class Tiny:
    """A family: the class and config of transformers, and what the model is given.

    Attributes:
        double: whether its eager softmax keeps float64; the others go through float32.
    """

    model: str
    config: str
    sizes: dict[str, Any]
    inputs: tuple[str, ...] = ("ids",)
    double: bool = False
    nested: dict[str, dict[str, Any]] = field(default_factory=dict)


TINY = {
    "bert": Tiny("BertModel", "BertConfig", SIZES, double=True),
    "roberta": Tiny("RobertaModel", "RobertaConfig", SIZES, double=True),
    "gpt2": Tiny(
        "GPT2Model", "GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 64}, double=True
    ),
    "gpt_neox": Tiny("GPTNeoXModel", "GPTNeoXConfig", SIZES),
    "llama": Tiny("LlamaModel", "LlamaConfig", GROUPED),
    "mistral": Tiny("MistralModel", "MistralConfig", {**GROUPED, "sliding_window": 4}),
    "qwen2": Tiny("Qwen2Model", "Qwen2Config", GROUPED),
    "qwen3": Tiny("Qwen3Model", "Qwen3Config", GROUPED),
    "gemma2": Tiny("Gemma2Model", "Gemma2Config", {**GROUPED, "sliding_window": 4, "query_pre_attn_scalar": 8}),
    "gemma3": Tiny("Gemma3TextModel", "Gemma3TextConfig", {**GROUPED, "sliding_window": 4}),
    "phi3": Tiny(
        "Phi3Model",
        "Phi3Config",
        {**{name: size for name, size in GROUPED.items() if name != "head_dim"}, "pad_token_id": 0},
    ),
    "opt": Tiny(
        "OPTModel",
        "OPTConfig",
        {
            "hidden_size": 32, "ffn_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 64,
            "word_embed_proj_dim": 32,
        },
    ),
    "bloom": Tiny("BloomModel", "BloomConfig", {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 64}),
    "t5": Tiny(
        "T5Model",
        "T5Config",
        {
            "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 64,
            "decoder_start_token_id": 0,
        },
        ("ids", "decoder"),
        double=True,
    ),
    "vit": Tiny("ViTModel", "ViTConfig", {**NO_VOCABULARY, **PICTURE}, ("picture",)),
    "clip": Tiny(
        "CLIPModel",
        "CLIPConfig",
        {},
        ("ids", "picture"),
        nested={
            "text_config": {**SIZES, "max_position_embeddings": 32},
            "vision_config": {**NO_VOCABULARY, **PICTURE},
        },
    ),
    "whisper": Tiny("WhisperModel", "WhisperConfig", SOUND, ("sound", "decoder"), double=True),
    "gpt_oss": Tiny(
        "GptOssModel",
        "GptOssConfig",
        {**GROUPED, "num_local_experts": 2, "num_experts_per_tok": 1, "sliding_window": 4},
        double=True,
    ),
    "deepseek_v3": Tiny("DeepseekV3Model", "DeepseekV3Config", LATENT),
    "modernbert": Tiny("ModernBertModel", "ModernBertConfig", {**SIZES, "local_attention": 4, "pad_token_id": 0}),
}  # fmt: skip
NAMES = {"ids": "input_ids", "decoder": "decoder_input_ids", "picture": "pixel_values", "sound": "input_features"}


def inputs_of(family: str, tokens: int = len(TOKENS)) -> dict[str, Any]:
    """What a model is given, by transformers' names; the same in every run."""
    import torch

    made = torch.Generator().manual_seed(1)
    ids = torch.randint(3, 60, (1, tokens), generator=made)
    every = {
        "ids": ids,
        "decoder": ids[:, : max(1, tokens - 3)],
        "picture": torch.randn(1, 3, 16, 16, generator=made),
        "sound": torch.randn(1, 8, 32, generator=made),
    }
    return {NAMES[name]: every[name] for name in TINY[family].inputs}


def build(family: str, attention: str = "eager", **changes: Any) -> Any:
    """A model with random weights, float32, ready to run; the same in every run."""
    import torch
    import transformers

    tiny = TINY[family]
    sizes = {**tiny.sizes, **tiny.nested, **changes}
    torch.manual_seed(0)
    config = getattr(transformers, tiny.config)(**sizes)
    config._experts_implementation = "eager"  # the other one knows no float64
    model = getattr(transformers, tiny.model)._from_config(config, attn_implementation=attention)
    with torch.no_grad():  # larger than usual, so that weights are far from even
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1 and "embed" not in name.lower():
                parameter.mul_(12)
    return model.eval()


@cache
def saved(family: str, at: Path) -> Path:
    """The same model as a folder with config.json and safetensors."""
    folder = at / family
    build(family).save_pretrained(folder)
    return folder

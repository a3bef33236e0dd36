"""Small models with random weights that speak, and what every module of them made in a run that is recorded too."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.tiny_models import TINY
from workings.models.capture import KEY, Capture, make_known
from workings.models.families import family_of

MASKED = ("bert", "roberta")
ROPE = {"rope_theta": 10000.0}
LLAMA3 = {
    **ROPE, "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}  # fmt: skip
YARN = {**ROPE, "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32, "beta_fast": 4.0}
LONGROPE = {
    **ROPE, "rope_type": "longrope", "factor": 4.0, "original_max_position_embeddings": 8,
    "short_factor": [1.0, 1.1, 1.3, 1.5], "long_factor": [1.0, 1.5, 2.5, 4.0],
}  # fmt: skip
THREE = {"short_factor": [1.0, 1.2, 1.4], "long_factor": [1.0, 2.0, 4.0]}  # of three pairs


@dataclass(frozen=True)
class Speaking:
    """A family of ``TINY`` with other settings; of masked words, with the head that names them or without."""

    family: str
    changes: dict[str, Any] = field(default_factory=dict)
    head: bool = True

    @property
    def auto(self) -> str:
        """The class of transformers that makes it."""
        masked = "AutoModelForMaskedLM" if self.family in MASKED else "AutoModelForCausalLM"
        return masked if self.head else "AutoModel"


SPEAKING = {
    **{
        name: Speaking(name)
        for name in ("bert", "roberta", "gpt2", "llama", "mistral", "qwen2", "qwen3", "gemma2", "phi3", "gpt_neox")
    },
    "bert-untied": Speaking("bert", {"tie_word_embeddings": False, "hidden_act": "gelu_new", "vocab_size": 300}),
    "bert-silent": Speaking("bert", head=False),
    "roberta-relu": Speaking("roberta", {"hidden_act": "relu"}),
    "gemma3": Speaking("gemma3", {"layer_types": ["sliding_attention", "full_attention"]}),
    "llama-biases": Speaking("llama", {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}),
    "llama-linear": Speaking("llama", {"rope_parameters": {**ROPE, "rope_type": "linear", "factor": 4.0}}),
    "llama-dynamic": Speaking(
        "llama",
        {"rope_parameters": {**ROPE, "rope_type": "dynamic", "factor": 2.0}, "max_position_embeddings": 8},
    ),
    "llama-3": Speaking("llama", {"rope_parameters": LLAMA3}),
    "llama-yarn": Speaking("llama", {"rope_parameters": YARN}),
    "qwen3-yarn": Speaking(
        "qwen3", {"rope_parameters": {**YARN, "mscale": 0.7, "mscale_all_dim": 1.0, "truncate": False}}
    ),
    "llama-longrope": Speaking("llama", {"rope_parameters": LONGROPE}),
    "llama-longrope-short": Speaking(
        "llama", {"rope_parameters": {**LONGROPE, "original_max_position_embeddings": 32}}
    ),
    "llama-one-head": Speaking("llama", {"num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": 8}),
    "phi3-longrope": Speaking("phi3", {"rope_parameters": LONGROPE, "original_max_position_embeddings": 8}),
    "phi3-partial": Speaking("phi3", {"rope_parameters": {**ROPE, "partial_rotary_factor": 0.75}}),
    "phi3-partial-longrope": Speaking(
        "phi3",
        {
            "rope_parameters": {**LONGROPE, **THREE, "partial_rotary_factor": 0.75},
            "original_max_position_embeddings": 8,
        },
    ),
    "phi3-one-head": Speaking("phi3", {"num_attention_heads": 1, "num_key_value_heads": 1, "hidden_size": 8}),
    "gpt_neox-half": Speaking(
        "gpt_neox", {"rope_parameters": {**YARN, "partial_rotary_factor": 0.5}, "hidden_act": "gelu_fast"}
    ),
    "gpt_neox-in-turn": Speaking("gpt_neox", {"use_parallel_residual": False, "tie_word_embeddings": True}),
    "gpt_neox-no-biases": Speaking("gpt_neox", {"attention_bias": False}),
    "gemma-one-key": Speaking("gemma3", {"num_key_value_heads": 1}),
}


def speaking(name: str, folder: Path, dtype: str = "float64") -> Path:
    """The model as a folder, every weight random, gains and biases too."""
    import torch
    import transformers

    chosen = SPEAKING[name]
    tiny = TINY[chosen.family]
    torch.manual_seed(2)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        config = getattr(transformers, tiny.config)(**{**tiny.sizes, **chosen.changes})
        model: Any = getattr(transformers, chosen.auto).from_config(config)
        model = model.to(getattr(torch, dtype))
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6)
            else:
                parameter.add_(torch.randn(parameter.shape, dtype=parameter.dtype) / 4)
        model.save_pretrained(folder / name)
    return folder / name


@contextmanager
def _quiet() -> Any:
    import torch

    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        yield


def made_by_modules(name: str, folder: Path, given: dict[str, Any], dtype: str = "float64") -> dict[str, Any]:
    """What each module took (``name<``) and made (``name``), by its name, and ``logits`` where the model speaks."""
    chosen = SPEAKING[name]
    import torch
    import transformers

    with _quiet():
        make_known()
        auto = getattr(transformers, chosen.auto)
        model = auto.from_pretrained(folder, attn_implementation=KEY, dtype=getattr(torch, dtype)).eval()
        out: dict[str, Any] = {}
        base = model.base_model

        def hook(name: str) -> Any:
            def after(module: Any, taken: Any, made: Any) -> None:
                if taken and torch.is_tensor(taken[0]):
                    out[f"{name}<"] = taken[0][0]
                first = made[0] if isinstance(made, tuple) else made
                if torch.is_tensor(first):
                    out[name] = first[0]

            return after

        within = {module: name for name, module in base.named_modules()}
        for name, module in model.named_modules():
            module.register_forward_hook(hook(within.get(module, name)))
        with Capture(base, family_of(model.config.model_type), lambda call: None).listening():
            found = model(**given) if chosen.family in MASKED else model(**given, use_cache=False)
        if chosen.head:
            out["logits"] = found.logits[0]
        return {name: values.double().numpy() for name, values in out.items() if torch.is_floating_point(values)}

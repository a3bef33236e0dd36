"""What a recording tells of a model beyond its attention: the parts of its layers, and the shapes of its weights."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import Any

from workings.models.family import Block, Kept
from workings.models.load import Loaded

PREFIXES = ("", "model.", "transformer.", "bert.", "roberta.", "language_model.", "model.language_model.")
OWN_PLACES = ("roberta", "xlm-roberta")  # their first place is the one behind that of padding
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
    "gelu_fast": "gelu-tanh",
}
GATES = {"silu": "swiglu", "swish": "swiglu", "gelu_new": "geglu-tanh", "gelu_pytorch_tanh": "geglu-tanh"}
UNTOLD = ("position_ids", "inputs_embeds")  # inputs that change what would be told here


def told_of(loaded: Loaded, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The facts that a layer's recipe needs, as JSON; None where they are not known, and only Q, K, V can be told."""
    block, config = loaded.family.block, loaded.config
    if block is None or any(name in given for name in UNTOLD):
        return None
    count = int(config.num_hidden_layers)
    act = _first(config, "hidden_act", "hidden_activation", "activation_function")
    ffn = (GATES if block.gated else ACTIVATIONS).get(str(act))
    ropes = _ropes(config, count) if block.rotated else []
    shapes = _shapes(loaded, block)
    if ffn is None or ropes is None or shapes is None:
        return None
    prefix, layer, model = shapes
    tied = block.speaks and bool(getattr(config, "tie_word_embeddings", False))
    if tied or not block.speaks:
        model.pop("W_U", None)
    if tied:
        model["W_U"] = model["embedding_table"]
    kind = config.model_type
    types = given.get("token_type_ids")
    return {
        "count": count,
        "norm": block.norm,
        "eps": float(_first(config, "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon")),
        "ffn": ffn,
        "qk_norm": block.qk_norm,
        "rope": ropes,
        "scaled": block.scaled,
        "softcap": getattr(config, "final_logit_softcapping", None),
        "tied": tied,
        "prefix": prefix,
        "layer": layer,
        "model": model,
        "first_place": int(config.pad_token_id) + 1 if kind in OWN_PLACES else 0,
        "types": None if types is None else [int(number) for number in types[0]],
    }


def tensors_of(block: Block, kind: str) -> Mapping[str, Kept]:
    """Where arrays lie in files of a kind, ``folder`` or ``gguf``."""
    return block.gguf if kind == "gguf" else block.tensors


def _shapes(loaded: Loaded, block: Block) -> tuple[str, dict[str, list[int]], dict[str, list[int]]] | None:
    """What stands before the names of tensors; the shapes of a layer's arrays, and of those of the whole model."""
    held, tensors = loaded.looked.tensors, tensors_of(block, loaded.looked.kind)
    if not tensors:
        return None
    prefix = next((one for one in PREFIXES if one + tensors["embedding_table"].name in held), None)
    if prefix is None:
        return None
    layer: dict[str, list[int]] = {}
    model: dict[str, list[int]] = {}
    for name, kept in tensors.items():
        tensor = tensor_of(held, prefix, kept, 0)
        if tensor is not None:
            (layer if "{n}" in kept.name else model)[name] = _turned(kept, held[tensor])
    return prefix, layer, model


def tensor_of(held: Container[str], prefix: str, kept: Kept, layer: int) -> str | None:
    """The full name of a tensor: most stand behind the model's prefix, what makes its logits stands beside it."""
    name = kept.name.format(n=layer)
    return next((one for one in (prefix + name, name) if one in held), None)


def _turned(kept: Kept, shape: tuple[int, ...]) -> list[int]:
    """A tensor's shape as the steps have it."""
    ours = [int(size) for size in (reversed(shape) if kept.turned else shape)]
    return [*ours[:-1], ours[-1] // kept.part[1]]


def _first(config: Any, *names: str) -> Any:
    return next((value for name in names if (value := getattr(config, name, None)) is not None), None)


# --- rotation --------------------------------------------------------------------------------------------------------


def _ropes(config: Any, count: int) -> list[dict[str, Any]] | None:
    """Of each layer how positions rotate; None where that is a way not told here."""
    table = getattr(config, "rope_parameters", None)
    if not isinstance(table, Mapping):
        return None
    kinds = getattr(config, "layer_types", None) or [""] * count
    out: list[dict[str, Any]] = []
    for kind in kinds:
        found = table if "rope_theta" in table else table.get(kind)
        if not isinstance(found, Mapping):
            return None
        one = {name: value for name, value in found.items() if isinstance(value, (str, int, float))}
        if one.get("partial_rotary_factor", 1) != 1 or one.get("rope_type", "default") not in SPEEDS:
            return None
        out.append(one)
    return out if len(out) == count else None


def _linear(speed: float, rope: Mapping[str, Any]) -> float:
    return speed / float(rope["factor"])


def _llama3(speed: float, rope: Mapping[str, Any]) -> float:
    """Slow rotations are slowed down further, quick ones kept, those between mixed (Llama 3's published code)."""
    turns = float(rope["original_max_position_embeddings"]) * speed / (2 * math.pi)
    low, high = float(rope["low_freq_factor"]), float(rope["high_freq_factor"])
    share = min(max((turns - low) / (high - low), 0.0), 1.0)
    return (1 - share) * speed / float(rope["factor"]) + share * speed


SPEEDS = {"default": None, "linear": _linear, "llama3": _llama3}


def speeds_of(rope: Mapping[str, Any], d_k: int) -> list[float] | None:
    """How fast each pair turns, in radians for each place; None where the base alone tells it."""
    change = SPEEDS[str(rope.get("rope_type", "default"))]
    if change is None:
        return None
    base = float(rope["rope_theta"])
    return [change(base ** (-2 * pair / d_k), rope) for pair in range(d_k // 2)]

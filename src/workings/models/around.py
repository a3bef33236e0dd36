"""What a recording tells of a model beyond its attention: the parts of its layers, and the shapes of its weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from typing import Any

from workings.models.family import Block, Kept
from workings.models.load import Loaded
from workings.models.rotation import is_rope, ropes_of
from workings.steps.inputs import GIVEN
from workings.steps.spec import FEED_FORWARD, NORMS, QK_NORMS
from workings.terms.files import RECORDING
from workings.terms.model_errors import RecordingDamaged

PREFIXES = ("", "model.", "transformer.", "gpt_neox.", "bert.", "roberta.", "language_model.", "model.language_model.")
OWN_PLACES = ("roberta", "xlm-roberta")  # their first place is the one behind that of padding
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
    "gelu_fast": "gelu-tanh",
}
GATES = {"silu": "swiglu", "swish": "swiglu", "gelu_new": "geglu-tanh", "gelu_pytorch_tanh": "geglu-tanh"}
TRANSFORM = ("W_transform", "b_transform", "transform_norm_gain", "transform_norm_bias")
UNKNOWN = ("family", "inputs", "activation", "rotation", "files")  # what is not known of a model
UNTOLD = ("position_ids", "inputs_embeds")  # inputs that change what would be told here


def told_of(loaded: Loaded, given: Mapping[str, Any]) -> dict[str, Any] | str:
    """The facts that a layer's recipe needs, as JSON; one of ``UNKNOWN`` where only Q, K, V can be told."""
    block, config = loaded.family.block, loaded.config
    count = getattr(config, "num_hidden_layers", None)
    if block is None or count is None:
        return "family"
    if any(name in given for name in UNTOLD):
        return "inputs"
    act = _first(config, "hidden_act", "hidden_activation", "activation_function")
    ffn = (GATES if block.gated else ACTIVATIONS).get(str(act))
    tokens = int(given["input_ids"].shape[1]) if "input_ids" in given else 0
    ropes = ropes_of(config, count, tokens, partial=block.partial) if block.rotated else []
    shapes = _shapes(loaded, block)
    modules = {name for name, _ in loaded.model.named_modules()}
    if ffn is None or ropes is None:
        return "activation" if ffn is None else "rotation"
    if shapes is None or block.layer.format(n=count - 1) not in modules:
        return "files"
    prefix, layer, model = shapes
    tied = "W_U" not in model and bool(getattr(config, "tie_word_embeddings", False))
    if tied:
        model["W_U"] = model["embedding_table"]
    kind = config.model_type
    transforms = _transforms(tensors_of(block, loaded.looked.kind), model)
    types = given.get("token_type_ids")
    return {
        "count": count,
        "norm": block.norm,
        "eps": float(_first(config, "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon")),
        "ffn": ffn,
        "qk_norm": block.qk_norm,
        "rope": ropes,
        "scaled": block.scaled,
        "parallel": bool(getattr(config, block.parallel, False)) if block.parallel else False,
        "softcap": getattr(config, "final_logit_softcapping", None),
        "tied": tied,
        "transform_act": block.transform_act.get(kind, ffn) if transforms else "",
        "prefix": prefix,
        "layer": layer,
        "model": model,
        "first_place": int(config.pad_token_id) + 1 if kind in OWN_PLACES else 0,
        "types": None if types is None else [int(number) for number in types[0]],
    }


def _transforms(tensors: Mapping[str, Kept], model: dict[str, list[int]]) -> bool:
    """Whether a transform stands before the logits; of files that do not hold all of it, nothing makes logits."""
    if "W_transform" not in tensors:
        return False
    whole = all(name in model for name in (*TRANSFORM, "W_U", "b_U"))
    if not whole:
        for name in (*TRANSFORM, "W_U", "b_U"):
            model.pop(name, None)
    return whole


def around_of(told: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """What an index tells of the model beyond its attention; empty where it tells nothing.

    Raises ``RecordingDamaged`` where it is not what ``told_of`` writes.
    """
    around = told.get("around")
    if around is None:
        return {}
    if isinstance(around, dict):
        around = {**LATER, **around}
    if not isinstance(around, dict) or not all(name in around and is_(around[name]) for name, is_ in FIELDS.items()):
        raise RecordingDamaged(path=path, name=RECORDING, flaw="index")
    if around["rope"] and len(around["rope"]) != around["count"]:
        raise RecordingDamaged(path=path, name=RECORDING, flaw="index")
    return around


def _is_whole(seen: Any) -> bool:
    return type(seen) is int and 0 <= seen < 2**31


def _is_number(seen: Any) -> bool:
    return type(seen) in (int, float) and math.isfinite(seen)


def _are_shapes(seen: Any) -> bool:
    return isinstance(seen, dict) and all(
        name in GIVEN and isinstance(shape, list) and all(map(_is_whole, shape)) for name, shape in seen.items()
    )


def _are_ropes(seen: Any) -> bool:
    return isinstance(seen, list) and all(map(is_rope, seen))


def _are_whole(seen: Any) -> bool:
    return isinstance(seen, list) and all(map(_is_whole, seen))


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
    heads = _heads(loaded.config)
    for name, kept in tensors.items():
        tensor = tensor_of(held, prefix, kept, 0)
        if tensor is not None:
            (layer if "{n}" in kept.name else model)[name] = _turned(kept, held[tensor], heads)
    return prefix, layer, model


def tensor_of(held: Container[str], prefix: str, kept: Kept, layer: int) -> str | None:
    """The full name of a tensor: most stand behind the model's prefix, what makes its logits stands beside it."""
    names = [name.format(n=layer) for name in (kept.name, *kept.also)]
    return next((one for name in names for one in (prefix + name, name) if one in held), None)


def _heads(config: Any) -> dict[str, int]:
    """How many heads of queries and of keys there are, by the letters of ``Kept``."""
    queries = int(config.num_attention_heads)
    return {"q": queries, "k": int(_first(config, "num_key_value_heads") or queries)}


def _turned(kept: Kept, shape: tuple[int, ...], heads: Mapping[str, int]) -> list[int]:
    """A tensor's shape as the steps have it."""
    ours = [int(size) for size in (reversed(shape) if kept.turned else shape)]
    _, wide, whole = kept.share(heads)
    return [*ours[:-1], ours[-1] // whole * wide]


def _first(config: Any, *names: str) -> Any:
    return next((value for name in names if (value := getattr(config, name, None)) is not None), None)


LATER = {"parallel": False}  # fields that earlier recordings lack, and what that means
FIELDS: dict[str, Callable[[Any], bool]] = {
    "count": _is_whole,
    "norm": lambda seen: seen in (*NORMS, "sandwich-rms"),
    "eps": _is_number,
    "ffn": lambda seen: seen in FEED_FORWARD,
    "qk_norm": lambda seen: seen in QK_NORMS,
    "rope": _are_ropes,
    "scaled": lambda seen: isinstance(seen, bool),
    "parallel": lambda seen: isinstance(seen, bool),
    "softcap": lambda seen: seen is None or (_is_number(seen) and seen > 0),
    "tied": lambda seen: isinstance(seen, bool),
    "transform_act": lambda seen: seen in ("", *ACTIVATIONS.values()),
    "prefix": lambda seen: isinstance(seen, str),
    "layer": lambda seen: _are_shapes(seen) and "W_Q" in seen and len(seen["W_Q"]) == 2,
    "model": lambda seen: _are_shapes(seen) and bool(seen.get("embedding_table")),
    "first_place": _is_whole,
    "types": lambda seen: seen is None or _are_whole(seen),
}

"""The recipes of a recorded model: each layer from what enters it to what it hands on, and both ends of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workings.models.around import TRANSFORM
from workings.models.cells import spec_of
from workings.models.recording import Layer
from workings.models.rotation import attention_factor_of, speeds_of
from workings.steps import ends, projection
from workings.steps.build import build
from workings.steps.inputs import GIVEN
from workings.steps.recipe import Recipe
from workings.steps.spec import BlockSpec, Rope
from workings.steps.step import Array, Op
from workings.terms.address import Name

SCALARS = ("divide_by", "softcap", "eps", "logits_softcap")  # told once for the whole model


def reaches(layer: Layer, around: Mapping[str, Any]) -> bool:
    """Whether a layer is told from what enters it: its own tokens are looked at, and nothing is added to the scores."""
    plain = layer.told.get("bias") is None and layer.told.get("sinks") is None
    return plain and not layer["cross"] and not layer["part"] and layer["queries"] == layer["keys"]


def layer_recipe(layer: Layer, around: Mapping[str, Any]) -> Recipe:
    """The steps of a whole layer, under the names of the whole model, and at last what enters the next one."""
    tokens, number = int(layer["queries"]), int(layer["layer"])
    rope = around["rope"][number] if around["rope"] else {}
    spec = replace(
        spec_of(layer),
        heads=int(layer["head_count"]),
        kv_heads=int(layer["kv_head_count"]),
        qk_norm=around["qk_norm"],
        position="rope" if rope else "none",
        rope=Rope(rotary_dim=rope.get("rotary_dim")),
    )
    given = {Name(name): tuple(shape) for name, shape in around["layer"].items()}
    given |= {Name("X"): (tokens, given[Name("W_Q")][0]), Name("eps"): ()}
    given |= {Name(name): () for name in ("divide_by", "softcap") if getattr(spec, name) is not None}
    if rope:
        speeds = speeds_of(rope, layer["d_k"])
        given |= {Name("position_base"): ()} if speeds is None else {Name("frequency"): (len(speeds),)}
        given |= {} if attention_factor_of(rope) is None else {Name("attention_factor"): ()}
    tables = {"position": places(around, tokens)}
    block = BlockSpec(True, around["norm"], around["ffn"], parallel=around["parallel"])
    plain = build(spec, block, given, {"token": tokens, "key": tokens, "past": 0}, tables)
    renamed = _renamed(plain, layer)
    last, following = renamed.ops[-1], Name("X", number + 1)
    handed = Op(following, projection.PREVIOUS, last.axes, last.shape, {"previous": last.name})
    return replace(renamed, ops=(*renamed.ops, handed))


def places(around: Mapping[str, Any], tokens: int) -> range:
    """The positions of the tokens."""
    first = int(around["first_place"])
    return range(first, first + tokens)


def _renamed(plain: Recipe, layer: Layer) -> Recipe:
    """The recipe of a layer with its number in every name, and every name that a formula reads bound to it."""
    per = {op.name: op.step.per for op in plain.ops} | {name: GIVEN[name.name].per for name in plain.given}
    names = {name: _placed(name, per[name], layer) for name in plain.names()}
    ops = []
    for op in plain.ops:
        read = {node.name for node in op.step.reads if node.head is None}
        bound = {name: names[plain.source(op, name)] for name in read}
        ops.append(Op(names[op.name], op.step, op.axes, op.shape, bound, op.rename))
    given = {names[name]: Array(names[name], array.axes, array.shape) for name, array in plain.given.items()}
    sizes = {**plain.sizes, "layers": int(layer["layer"]) + 1}
    return Recipe(tuple(ops), given, sizes, plain.tables, plain.spec, plain.block)


def _placed(name: Name, per: str, layer: Layer) -> Name:
    if name.name in SCALARS:
        return name
    only = layer["head_count"] == 1 and per in ("head", "group")
    return layer.place._replace(name=name.name, head=0 if only else name.head, group=name.group)


def _ends(around: Mapping[str, Any]) -> ends.Ends:
    return ends.Ends(str(around["norm"]).rpartition("-")[2], bool(around["scaled"]), str(around["transform_act"]))


def beginning_recipe(around: Mapping[str, Any], ids: Sequence[int]) -> Recipe:
    """From the ids of the tokens to what enters the first layer."""
    types = around["types"] or [0] * len(ids)
    tables = {"token_id": list(ids), "position": places(around, len(ids)), "token_type": types}
    given = {Name(name): tuple(shape) for name, shape in around["model"].items() if name in BEGINNING}
    return ends.beginning(_ends(around), {**given, Name("eps"): ()}, tables, len(ids), Name("X", 0))


def ending_recipe(around: Mapping[str, Any], tokens: int, words: int | None = None) -> Recipe:
    """From what the last layer made to the logits.

    Args:
        words: how many words of the vocabulary are told; all where it is not said.
    """
    last, width = Name("X", int(around["count"])), int(around["model"]["embedding_table"][-1])
    given = {Name(name): tuple(shape) for name, shape in around["model"].items() if name in ENDING}
    if words is not None:
        given |= {name: (words, *given[name][1:]) for name in map(Name, BY_WORD) if name in given}
    given |= {last: (tokens, width), Name("eps"): ()}
    if around["softcap"] is not None:
        given[Name("logits_softcap")] = ()
    return ends.ending(_ends(around), given, tokens, last)


BEGINNING = ("embedding_table", "position_table", "type_table", "embedding_norm_gain", "embedding_norm_bias")
BY_WORD = ("W_U", "b_U")  # a row, or a number, for each word of the vocabulary
ENDING = ("final_norm_gain", "final_norm_gain_less_1", "final_norm_bias", *TRANSFORM, *BY_WORD)

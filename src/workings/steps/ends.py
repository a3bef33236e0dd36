"""Both ends of a model: from the token to what enters the first layer, and from the last layer to the logits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workings.steps import block, loss, of_models, projection
from workings.steps.build import Builder
from workings.steps.recipe import Recipe
from workings.steps.sizes import gather
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Name


@dataclass(frozen=True)
class Ends:
    """What a model does before its first layer and behind its last.

    Attributes:
        norm: ``layer`` or ``rms``: the kind of its norms.
        scaled: whether the embedding is multiplied by √d_model.
        transform_act: the activation of the transform before the logits, where there are weights for one.
    """

    norm: str
    scaled: bool = False
    transform_act: str = ""


def beginning(
    ends: Ends, given: Mapping[Name, Sequence[int]], tables: Mapping[str, Sequence[int]], tokens: int, layer: Name
) -> Recipe:
    """From the ids of the tokens to ``layer``, the input of the first layer."""
    builder = _builder(ends, given, tables, tokens)
    out = builder.add(projection.EMBEDDING, Name("embedding"))
    if ends.scaled:
        out = builder.add(of_models.EMBEDDING_SCALED, Name("embedding_scaled"))
    if builder.has("position_table"):
        builder.add(of_models.POSITION_EMBEDDING, Name("position_embedding"))
        typed = builder.has("type_table")
        if typed:
            builder.add(of_models.TYPE_EMBEDDING, Name("type_embedding"))
        out = builder.add(of_models.EMBEDDING_SUM_TYPED if typed else of_models.EMBEDDING_SUM, Name("embedding_sum"))
    if builder.has("embedding_norm_gain"):
        out = builder.norm("embedding_norm", out)
    builder.add(of_models.FIRST_INPUT, layer, {"previous": out})
    return builder.made_so_far()


def ending(ends: Ends, given: Mapping[Name, Sequence[int]], tokens: int, last: Name) -> Recipe:
    """From ``last``, what the last layer made, to the logits, where there are weights for them."""
    builder = _builder(ends, given, {}, tokens)
    out = last
    if builder.has("final_norm_gain") or builder.has("final_norm_gain_less_1"):
        out = builder.norm("final_norm", last)
    if builder.has("W_transform"):
        out = _transformed(ends, builder, out)
    if builder.has("W_U"):
        capped = builder.has("logits_softcap")
        plain = of_models.LOGITS_UNCAPPED if capped else loss.LOGITS
        step = builder.biased(plain, of_models.LOGITS_BIASED, "b_U")
        builder.add(step, Name(step.name), {"input": out})
        if capped:
            builder.add(of_models.LOGITS_CAPPED, Name("logits"))
    return builder.made_so_far()


def _transformed(ends: Ends, builder: Builder, last: Name) -> Name:
    """What the head of a model of masked words makes of the last layer: a dense layer, its activation and a norm."""
    builder.sizes.fix("d_last", builder.sizes["d_model"], str(last), (), "d_model")
    dense = builder.add(of_models.TRANSFORM, Name("transform"), {"input": last})
    act = block.ACTIVATION[ends.transform_act]
    out = builder.add(act, Name("transform_act"), {"ffn_hidden": dense}, d_ff="d_model")
    return builder.norm("transform_norm", out)


def _builder(ends: Ends, given: Mapping[Name, Sequence[int]], tables: Mapping[str, Any], tokens: int) -> Builder:
    around = BlockSpec(norm=f"pre-{ends.norm}")
    counts = {"heads": 1, "kv_heads": 1, "layers": 1, "head": 1}
    sizes = gather({"token": tokens, "query": tokens, "key": tokens, "past": 0, **counts}, given, True)
    return Builder(AttentionSpec(), around, given, sizes, tables, False)

"""Every array of a layer and of both ends of a model, worked by the declared steps, against transformers' own modules.

Both compute in float64; ours has its bound. transformers goes through float32 inside norms by the root mean square and
in the angles of rotation, so for models that have these its own error is the same bound with the unit of float32; for
the others it is the bound itself.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.speaking import LONGROPE, SPEAKING, YARN, made_by_modules, speaking
from tests.support.tiny_models import inputs_of
from workings.arrays.bounds import Arithmetic, error_of, with_bounds
from workings.arrays.run import Arrays
from workings.exact.doubles import Balls
from workings.models.layers import ending_recipe
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.models.whole import Stretch, Whole
from workings.terms.address import Name

DOUBLE = Arithmetic("float64", "float64", "float64", {})
SINGLE = Arithmetic("float32", "float32", "float32", {})
TOKENS = 12
SHIFTED = ("row_max", "exp_shifted", "exp_shifted_sum")  # their maximum has an error that cancels in what follows
LLAMA = {
    "norm1": "input_layernorm",
    "output": "self_attn.o_proj",
    "norm2": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_hidden": "mlp.up_proj",
    "ffn_act": "mlp.down_proj<",
    "ffn_output": "mlp.down_proj",
    "concat": "self_attn.o_proj<",
}
PHI3 = {name: module for name, module in LLAMA.items() if name not in ("ffn_gate", "ffn_hidden")}  # fused
GEMMA = {
    **LLAMA, "norm3": "pre_feedforward_layernorm", "norm4": "post_feedforward_layernorm",
}  # fmt: skip
BERT = {
    "concat": "attention.output.dense<", "output": "attention.output.dense", "norm1": "attention.output.LayerNorm",
    "ffn_hidden": "intermediate.dense", "ffn_act": "intermediate", "ffn_output": "output.dense",
    "norm2": "output.LayerNorm", "residual2": "output.LayerNorm<",
}  # fmt: skip
GPT2 = {
    "norm1": "ln_1", "concat": "attn.c_proj<", "output": "attn.c_proj", "residual1": "ln_2<", "norm2": "ln_2",
    "ffn_hidden": "mlp.c_fc", "ffn_act": "mlp.c_proj<", "ffn_output": "mlp.c_proj",
}  # fmt: skip
NEOX = {
    "norm1": "input_layernorm", "concat": "attention.dense<", "output": "attention.dense",
    "norm2": "post_attention_layernorm", "ffn_hidden": "mlp.dense_h_to_4h", "ffn_act": "mlp.dense_4h_to_h<",
    "ffn_output": "mlp.dense_4h_to_h",
}  # fmt: skip
MODULES = {
    "gpt_neox": ("layers.{}", NEOX),
    "bert": ("encoder.layer.{}", BERT), "roberta": ("encoder.layer.{}", BERT), "gpt2": ("h.{}", GPT2),
    "phi3": ("layers.{}", PHI3), "gemma2": ("layers.{}", GEMMA), "gemma3": ("layers.{}", GEMMA),
}  # fmt: skip
FIRST = {"bert": "embeddings", "roberta": "embeddings", "gpt2": "wte", "gpt_neox": "embed_in"}
LAST = {
    "gpt_neox": {"final_norm": "final_layer_norm"},
    "gpt2": {"final_norm": "ln_f"},
    "bert": {
        "transform": "cls.predictions.transform.dense", "transform_act": "cls.predictions.transform.LayerNorm<",
        "transform_norm": "cls.predictions.transform",
    },
    "roberta": {
        "transform": "lm_head.dense", "transform_act": "lm_head.layer_norm<", "transform_norm": "lm_head.layer_norm",
    },
}  # fmt: skip


class Pair:
    """A recording in float64, and what the modules of the same model made of the same tokens."""

    def __init__(self, name: str, folder: Path) -> None:
        self.family = SPEAKING[name].family
        path, given = speaking(name, folder), inputs_of(self.family, TOKENS)
        self.whole = Whole(Recording(record(path, folder / "out", Wish(inputs=given, dtype="float64"))))
        self.theirs = made_by_modules(name, path, given)
        self.single = self.family not in ("bert", "roberta", "gpt2")

    def layer(self, number: int) -> Stretch:
        stretch = self.whole._layer(self.whole.recording.layer(Name("", number)))
        assert stretch is not None
        return stretch

    def modules(self, number: int) -> dict[str, Any]:
        """By the name of an array what a module made of it."""
        layer, names = MODULES.get(self.family, ("layers.{}", LLAMA))
        at = layer.format(number)
        return {name: self.theirs[f"{at}.{module}"] for name, module in names.items()}

    def over(self, ours: Engines, name: Name, theirs: Any) -> float:
        """The largest ratio of a difference to what is allowed."""
        value, bound = ours.double.array(name), ours.double.array(error_of(name))
        other = ours.single.array(error_of(name)) if self.single else bound
        allowed = bound + other
        assert value.shape == theirs.shape, (name, value.shape, theirs.shape)
        assert np.isfinite(allowed).all(), name
        return float((np.abs(value - theirs) / np.maximum(allowed, 1e-300)).max())


class Engines:
    """The arrays of a stretch, with bounds of both types."""

    def __init__(self, stretch: Stretch, recipe: Any, stored: Any) -> None:
        self.double, self.single = (
            Arrays(with_bounds(recipe, arithmetic, given=stored), stretch.scalars, stored=stored)
            for arithmetic in (DOUBLE, SINGLE)
        )


def _side_by_side(stretch: Stretch, layer: Any, letter: str, name: str) -> list[Name]:
    """The arrays of all heads, or groups, of a layer."""
    several = layer["head_count"] if letter == "Q" else layer["kv_head_count"]
    out = []
    for number in range(several):
        grouped = letter != "Q" and layer["kv_head_count"] != layer["head_count"]
        place = layer.place._replace(group=number if several > 1 else None) if grouped else None
        out.append((place or layer.place._replace(head=number)).called(name))
    return out


@pytest.mark.parametrize("name", SPEAKING)
def test_every_array_is_that_of_a_module(name: str, tmp_path: Path) -> None:
    pair = Pair(name, tmp_path)
    ratios: dict[str, float] = {}
    for number in (0, 1):
        stretch, layer = pair.layer(number), pair.whole.recording.layer(Name("", number))
        engines = Engines(stretch, stretch.recipe, stretch._stored)
        for array, theirs in pair.modules(number).items():
            found = layer.place.called(array)
            if array == "concat" and not stretch.recipe.has(found):
                found = layer.place._replace(head=0, name="head_output")  # a single head stands alone
            ratios[str(found)] = pair.over(engines, found, theirs)
        following = Name("X", number + 1)
        ratios[str(following)] = pair.over(engines, following, stretch.recorded[following].rows(0, TOKENS))
        before = Engines(stretch, stretch.recipe, stretch.exact)
        for letter in "QKV":
            for found in _side_by_side(stretch, layer, letter, letter):
                ratios[str(found)] = pair.over(before, found, stretch.recorded[found].rows(0, TOKENS))
        assert {found.name for found in stretch.recorded} == {"Q", "K", "V", "X"}
    assert {at: ratio for at, ratio in ratios.items() if ratio > 1} == {}
    assert max(ratios.values()) > 0, "rounding always shows somewhere"


@pytest.mark.parametrize("name", SPEAKING)
def test_both_ends_are_those_of_the_model(name: str, tmp_path: Path) -> None:
    pair = Pair(name, tmp_path)
    beginning, ending = pair.whole.beginning, pair.whole.ending
    assert beginning is not None
    assert ending is not None
    first = pair.theirs[FIRST.get(pair.family, "embed_tokens")]
    if pair.family == "gpt2":
        first = first + pair.theirs["wpe"]
    engines = Engines(beginning, beginning.recipe, beginning.exact)
    assert pair.over(engines, Name("X", 0), first) <= 1
    assert pair.layer(0).exact[Name("X", 0)].rows(0, TOKENS) == pytest.approx(first, abs=0)
    if not SPEAKING[name].head:
        assert not ending.recipe.ops
        return
    recipe = ending_recipe(pair.whole.around, TOKENS)
    engines = Engines(ending, recipe, ending.exact)
    for array, module in {**LAST.get(pair.family, {"final_norm": "norm"}), "logits": "logits"}.items():
        assert pair.over(engines, Name(array), pair.theirs[module]) <= 1, array


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "eps": ("llama", {"eps": 1e-3}),
    "gate": ("llama", {"ffn": "geglu-tanh"}),
    "base": ("llama", {"rope": [{"rope_type": "default", "rope_theta": 9000.0}] * 2}),
    "speeds": ("llama-3", {"rope": [{"rope_type": "default", "rope_theta": 10000.0}] * 2}),
    "yarn": ("llama-yarn", {"rope": [{**YARN, "factor": 5.0}] * 2}),
    "attention-factor": ("llama-yarn", {"rope": [{**YARN, "attention_factor": 1.138}] * 2}),
    "part": ("phi3-partial", {"rope": [{"rope_type": "default", "rope_theta": 10000.0}] * 2}),
    "part-of-it": ("phi3-partial", {"rope": [{"rope_type": "default", "rope_theta": 10000.0, "rotary_dim": 4}] * 2}),
    "in-turn": ("gpt_neox", {"parallel": False}),
    "side-by-side": ("gpt_neox-in-turn", {"parallel": True}),
    "factors": ("llama-longrope", {"rope": [{**LONGROPE, "factors": LONGROPE["short_factor"]}] * 2}),
    "activation": ("gpt2", {"ffn": "gelu"}),
    "place-of-norms": ("gpt2", {"norm": "post-layer"}),
    "qk-norm": ("qwen3", {"qk_norm": "rms-after-rope"}),
}


@pytest.mark.parametrize("fact", WRONG)
def test_a_wrong_fact_is_noticed(fact: str, tmp_path: Path) -> None:
    """The comparison can fail."""
    name, change = WRONG[fact]
    pair = Pair(name, tmp_path)
    pair.whole.around = {**pair.whole.around, **change}
    stretch = pair.layer(1)
    before, after = (Engines(stretch, stretch.recipe, kept) for kept in (stretch.exact, stretch._stored))
    following, queries = Name("X", 2), Name("Q", 1, head=2)
    ratios = [
        pair.over(engines, found, stretch.recorded[found].rows(0, TOKENS))
        for engines, found in ((after, following), (before, queries))
    ]
    assert max(ratios) > 1


@pytest.mark.parametrize("name", ["bert", "gpt2", "qwen3", "gemma2", "gpt_neox-half"])
def test_bounds_hold(name: str, tmp_path: Path) -> None:
    """Every cell of a layer lies within its bound of the ball that surely holds the true number."""
    stretch = Pair(name, tmp_path).layer(1)
    engine, doubles = Engines(stretch, stretch.recipe, stretch.exact).double, dict[Name, Any]()
    for found, array in stretch.recipe.given.items():
        doubles[found] = {at: stretch.measure(found, at)[0] for at in np.ndindex(array.shape)}
    balls, widest = Balls(stretch.recipe, doubles), 0.0
    for op in stretch.recipe.ops:
        if op.name.name in SHIFTED:
            continue
        values, bounds = engine.array(op.name), engine.array(error_of(op.name))
        for at in list(np.ndindex(op.shape))[:: 1 + 4 * (len(op.shape) > 1)]:
            if np.isfinite(values[at]):
                low, high = balls.value(op.name, at).bounds(128)
                assert abs(Fraction(float(values[at])) - (low + high) / 2) <= Fraction(float(bounds[at])), (op.name, at)
                widest = max(widest, float(bounds[at]) / max(1.0, abs(float(values[at]))))
    assert 0 < widest < 1e-7

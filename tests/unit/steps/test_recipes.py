"""Every declared step is used, titled and sourced; formulas resolve; what reads a cell is what it is read by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings

from tests.support.recipes import Example, all_indices, examples
from workings.exact.run import Exact
from workings.steps import attention, block, online, position, projection, qk_norm, softmax
from workings.steps.build import build
from workings.steps.expand import Expansion
from workings.steps.language import At, Cell, Const, If, Lookup, Max, Number, Size, Sum, walk
from workings.steps.literal import read_literal
from workings.steps.spec import FEED_FORWARD, PAIRS, SOFTMAX, AttentionSpec, BlockSpec, Mask, Rope
from workings.steps.step import Step
from workings.terms.address import Address, Name
from workings.terms.errors import UnknownArray
from workings.traces.trace import Source, Trace

MODULES = (attention, block, online, position, projection, qk_norm, softmax)
# steps that define a word and quote nobody
PLAIN = {"embedding", "X", "K", "V", "exp", "exp_sum", "lse", "output"}


def _steps(module: ModuleType) -> Iterator[Step]:
    for value in vars(module).values():
        for found in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,):
            if isinstance(found, Step):
                yield found


DECLARED = [step for module in MODULES for step in _steps(module)]


_LITERAL = read_literal("2")


def _recipe(spec: AttentionSpec, around: BlockSpec, source: str, bias: bool) -> list[Step]:
    """The steps of a two-layer recipe of one kind, of tokens 2, d_model 2, heads of width 2; 4 where a part turns."""
    heads, tokens, past = spec.heads, 2, 1 if source == "cached" else 0
    wide = 4 if spec.rope.rotary_dim else 2
    shapes: dict[Name, tuple[int, ...]] = {Name("X"): (tokens, 2), Name("eps"): (), Name("position_base"): ()}
    if spec.position == "sinusoidal":
        del shapes[Name("X")]
        shapes[Name("embedding_table")] = (3, 2)
    for name, shape in {"W_Q": (2, wide * heads), "W_K": (2, wide * heads), "W_V": (2, 2 * heads)}.items():
        shapes[Name(name)] = shape
        if bias:
            shapes[Name(name.replace("W", "b"))] = shape[1:]
            shapes |= {Name("q_norm_gain"): (wide,), Name("k_norm_gain"): (wide,)}
    if around.residual:
        shapes |= {Name("W_O"): (2 * heads, 2), Name("W_1"): (2, 3), Name("W_2"): (3, 2), Name("W_gate"): (2, 3)}
        if bias:
            shapes |= {Name("b_O"): (2,), Name("b_1"): (3,), Name("b_2"): (2,)}
    if past:
        places = [None] if heads == 1 else range(heads)
        widths = {"K": wide, "V": 2}
        shapes |= {Name(f"past_{kind}", head=head): (1, widths[kind]) for kind in "KV" for head in places}
    shapes |= {Name(name): () for name in ("divide_by", "softcap")}
    shapes |= {Name("sink"): (heads,), Name("bias"): (tokens, tokens + past)}
    tables: dict[str, Any] = {"token_id": [0, 2], "position": [0, 1], "allowed": [[1] * 3] * 2}
    known = {"token": tokens, "key": tokens + past, "past": past}
    return [op.step for op in build(spec, around, shapes, known, tables).ops]


def _used() -> list[Step]:
    found: list[Step] = []
    for bias, source, kind in (
        *((False, "made", "relu"), (True, "cached", "gelu")),
        *((False, "made", "gelu-tanh"), (False, "made", "swiglu"), (False, "made", "geglu-tanh")),
    ):
        for place, pairs in (("none", "half"), ("rope", "half"), ("rope", "interleaved"), ("sinusoidal", "half")):
            for name in SOFTMAX:
                spec = AttentionSpec(position=place, rope=Rope(pairs), softmax=name, sink=bias, heads=2, kv_heads=2)
                spec = replace(spec, block_size=1 if name == "online" else 0)
                spec = replace(spec, divide_by=None if bias else _LITERAL, softcap=_LITERAL if bias else None)
                norm = "post-rms" if bias else "pre-layer"
                found += _recipe(spec, BlockSpec(True, norm, feed_forward=kind, layers=2), source, bias)
    for gain in (False, True):
        found += _recipe(AttentionSpec(qk_norm="rms"), BlockSpec(), "made", gain)
    for pairs in PAIRS:
        found += _recipe(AttentionSpec(position="rope", rope=Rope(pairs, rotary_dim=2)), BlockSpec(), "made", False)
    found += _recipe(AttentionSpec(position="alibi", mask=Mask("causal")), BlockSpec(), "made", False)
    return found


USED = _used()


@pytest.mark.parametrize("step", DECLARED, ids=lambda step: f"{step.name}-{step.about}")
def test_every_declared_step_is_used(step: Step) -> None:
    assert step in USED


@pytest.mark.parametrize("kind", [kind for kind in FEED_FORWARD if kind != "none"])
def test_every_feed_forward_is_declared(kind: str) -> None:
    assert kind in block.ACTIVATION


@pytest.mark.parametrize("step", list(dict.fromkeys(s.name + s.about for s in USED)))
def test_every_step_is_titled_and_sourced(step: str) -> None:
    found = next(s for s in USED if s.name + s.about == step)
    assert set(found.title) == {"en", "zh"}
    assert all(found.title.values())
    assert found.axes
    assert found.symbol
    assert found.source or found.name in PLAIN
    assert found.per in ("model", "layer", "head", "group")


@given(examples())
@settings(max_examples=25)
def test_formulas_resolve_to_the_cells_of_arrays(example: Example) -> None:
    recipe = example.recipe()
    expansion = Expansion(recipe)
    for op in recipe.ops:
        for index in all_indices(op.shape):
            formula = expansion.cell(Address(op.name, index))
            assert formula is not None
            for node in walk(formula):
                assert not isinstance(node, (At, Sum, Max, If, Number, Size))
                if isinstance(node, Cell):
                    shape = recipe.array(node.address.array).shape
                    assert all(0 <= place < size for place, size in zip(node.address.index, shape, strict=True))
                    assert node.address.array in recipe.sources(op)


@given(examples())
@settings(max_examples=25)
def test_used_by_is_the_inverse_of_inputs(example: Example) -> None:
    recipe = example.recipe()
    trace = Trace(recipe, example.exact(recipe), Source({"en": "", "zh": ""}, {}))
    read = {(cell, source) for op in recipe.ops for cell in trace.cells(op.name) for source in trace.inputs(cell)}
    used = {(user, cell) for name in recipe.names() for cell in trace.cells(name) for user in trace.used_by(cell)}
    assert used == read


@given(examples())
@settings(max_examples=25)
def test_a_resolved_formula_has_the_value_of_its_cell(example: Example) -> None:
    """The written arithmetic of a cell, worked by itself, is the cell."""
    recipe = example.recipe()
    engine = example.exact(recipe)
    op = recipe.ops[-1]
    index = (0,) * len(op.shape)
    whole = engine.value(op.name, index)
    alone = engine.evaluate(op.step.formula, op.name, dict(zip(op.step.axes, index, strict=True)))
    if whole.infinite or whole.exact is not None:
        assert (alone.infinite, alone.exact) == (whole.infinite, whole.exact)
    else:
        (low, high), (least, most) = whole.bounds(128), alone.bounds(128)
        assert low <= most
        assert least <= high


def test_a_group_of_heads_reads_its_own_keys() -> None:
    shapes: dict[Name, tuple[int, ...]] = {Name("Q", head=h): (2, 1) for h in range(4)}
    shapes |= {Name(letter, group=g): (2, 1) for letter in "KV" for g in range(2)}
    recipe = build(AttentionSpec(4, 2), BlockSpec(), shapes, {"token": 2, "key": 2, "past": 0}, {})
    read = [recipe.nearest("K", None, head).group for head in range(4)]
    assert read == [0, 0, 1, 1]
    assert recipe.find(Name("K", group=1)) == Name("K", group=1)
    with pytest.raises(UnknownArray):
        recipe.nearest("K", None, None)


def test_a_context_of_another_width_is_summed_over_its_own_width() -> None:
    shapes = {Name("X"): (1, 1), Name("context"): (2, 3), Name("W_Q"): (1, 1), Name("W_K"): (3, 1), Name("W_V"): (3, 1)}
    recipe = build(AttentionSpec(), BlockSpec(), shapes, {"token": 1, "key": 2, "past": 0}, {}, cross=True)
    cells = {name: {index: Const(1) for index in all_indices(shape)} for name, shape in shapes.items()}
    assert Exact(recipe, cells).value(Name("K"), (1, 0)).exact == 3
    assert len(Expansion(recipe).inputs(Address(Name("K"), (1, 0)))) == 6


def test_a_changed_copy_leaves_the_recipe_alone() -> None:
    shapes = {Name(letter): (1, 1) for letter in "QKV"}
    recipe = build(AttentionSpec(), BlockSpec(), shapes, {"token": 1, "key": 1, "past": 0}, {})
    score = recipe.op(Name("score"))
    assert score is not None
    changed = replace(recipe, ops=(replace(score, step=replace(score.step, formula=At("Q", Lookup("t", 0), 0))),))
    assert recipe.op(Name("score")) is score
    assert changed.op(Name("score")) is not score
    assert changed.op(Name("weight")) is None

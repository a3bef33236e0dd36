"""The array form: blocks of rows, what is kept, what an alteration changes, and what never reaches a result."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from workings.arrays.run import Arrays
from workings.steps.build import build
from workings.steps.language import Add, At, Const, Div, Expr, Sum
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec, Mask
from workings.terms.address import Name
from workings.terms.errors import ShapeMismatch, UnknownArray, WrongRank


def _attention(tokens: int, heads: int = 1, spec: AttentionSpec | None = None) -> tuple[Recipe, dict[Name, Any]]:
    random = np.random.default_rng(1)
    places = [None] if heads == 1 else list(range(heads))
    given = {Name(letter, head=h): random.normal(size=(tokens, 16)) for letter in "QKV" for h in places}
    shapes = {name: values.shape for name, values in given.items()}
    spec = spec or AttentionSpec(heads, heads, softmax="shifted", mask=Mask("causal"))
    recipe = build(spec, BlockSpec(), shapes, {"token": tokens, "key": tokens, "past": 0}, {})
    return recipe, given


def _softmax(q: Any, k: Any, v: Any) -> Any:
    scores = np.where(np.tri(len(q), dtype=bool), q @ k.T / 4, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v


def test_attention_is_what_numpy_says() -> None:
    recipe, given = _attention(50, heads=2)
    output = Arrays(recipe, given, block_rows=7).array(Name("output"))
    expected = [_softmax(*(given[Name(letter, head=h)] for letter in "QKV")) for h in range(2)]
    np.testing.assert_allclose(output, np.concatenate(expected, axis=1), rtol=1e-13, atol=1e-13)


def test_streaming_holds_less_than_one_matrix_of_all_pairs() -> None:
    tokens = 4096
    recipe, given = _attention(tokens, heads=2)
    arrays = Arrays(recipe, given, block_rows=128)
    tracemalloc.start()
    arrays.array(Name("output"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # five wide arrays of a head and two temporaries, 128 rows each, and what is kept for every token
    assert peak < 8 * 128 * tokens * 8 + 40 * tokens * 16 * 8
    assert peak < tokens * tokens * 8
    assert not any(values.shape == (tokens, tokens) for values in arrays._whole.values())


@pytest.mark.parametrize("letter", ["K", "V"])
@pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
def test_what_is_masked_never_reaches_a_result(letter: str, poison: float) -> None:
    recipe, given = _attention(6)
    clean = Arrays(recipe, given).array(Name("output"))[:4]
    given[Name(letter)][4:] = poison
    np.testing.assert_allclose(Arrays(recipe, given).array(Name("output"))[:4], clean, rtol=1e-14)


def test_what_is_not_masked_does_reach_it() -> None:
    recipe, given = _attention(6)
    given[Name("V")][0] = np.nan
    assert np.isnan(Arrays(recipe, given).array(Name("output"))).all()


@pytest.mark.parametrize("softmax", ["plain", "shifted"])
def test_a_row_with_nothing_allowed(softmax: str) -> None:
    spec = AttentionSpec(softmax=softmax, mask=Mask("matrix"))
    _, given = _attention(2)
    shapes = {name: values.shape for name, values in given.items()}
    allowed = {"allowed": [[0, 0], [1, 1]]}
    arrays = Arrays(build(spec, BlockSpec(), shapes, {"token": 2, "key": 2, "past": 0}, allowed), given)
    assert arrays.array(Name("lse"))[0] == -np.inf
    assert (arrays.array(Name("weight"))[0] == 0).all()
    assert (arrays.array(Name("output"))[0] == 0).all()


def test_rows_are_rows_of_the_whole() -> None:
    recipe, given = _attention(40)
    arrays = Arrays(recipe, given, block_rows=40)
    for name in ("score", "masked", "weight", "lse", "head_output"):
        rows = arrays.rows(Name(name), 10, 13)
        np.testing.assert_allclose(rows, Arrays(recipe, given).array(Name(name))[10:13], rtol=1e-13)


def test_rows_are_those_of_the_whole_to_the_bit_once_the_whole_is_kept() -> None:
    recipe, given = _attention(40)
    arrays = Arrays(recipe, given)
    whole = arrays.array(Name("weight"))
    assert np.array_equal(arrays.rows(Name("weight"), 3, 9), whole[3:9])


def test_a_block_computes_only_its_rows() -> None:
    recipe, given = _attention(40)
    given[Name("Q")][20:] = np.nan
    arrays = Arrays(recipe, given)
    assert np.isfinite(arrays.rows(Name("head_output"), 0, 20)).all()
    assert Name("weight") not in arrays._whole
    assert arrays.rows(Name("score"), 4, 4).shape == (0, 40)


def test_an_array_given_is_read_instead_of_made() -> None:
    recipe, given = _attention(3)
    given[Name("weight")] = np.eye(3)
    np.testing.assert_array_equal(Arrays(recipe, given).array(Name("output")), given[Name("V")])


def test_an_altered_step_and_a_formula_of_ones_own() -> None:
    recipe, given = _attention(5)
    arrays = Arrays(recipe, given)
    scaled = arrays.array(Name("scaled"))
    op = recipe.op(Name("scaled"))
    assert op is not None
    unscaled = arrays.evaluate(At("score", "query", "key"), op)
    np.testing.assert_array_equal(unscaled, arrays.array(Name("score")))
    row = arrays.evaluate(Div(At("score", "query", "key"), Const(4)), op, {"query": 2, "key": range(1, 3)})
    np.testing.assert_array_equal(row, scaled[2, 1:3])
    assert recipe.op(Name("scaled")) is op


def _with_scaled(recipe: Recipe, formula: Expr) -> Recipe:
    ops = [replace(op, step=replace(op.step, formula=formula)) if op.name.name == "scaled" else op for op in recipe.ops]
    return replace(recipe, ops=tuple(ops))


def test_an_altered_recipe_takes_what_comes_before_the_alteration() -> None:
    recipe, given = _attention(5)
    arrays, other = Arrays(recipe, given), Arrays(_with_scaled(recipe, Const(0)), given)
    same = other.made_alike(arrays)
    assert same == {*given, Name("score")}
    made = arrays.made_for([Name("weight")], 1, 3)
    assert {Name("score"), Name("scaled"), Name("masked"), Name("weight")} <= set(made)
    mark = np.full((2, 5), 7.0)
    (score, weight) = other.rows_of([Name("score"), Name("weight")], 1, 3, {Name("score"): mark})
    assert score is mark
    np.testing.assert_allclose(weight, [[0.5, 0.5, 0, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0, 0]])
    arrays.array(Name("score"))
    other.take(arrays, same)
    assert other.array(Name("score")) is arrays.array(Name("score"))


def test_other_numbers_tables_or_ways_to_get_them_are_not_made_alike() -> None:
    recipe, given = _attention(5)
    arrays = Arrays(recipe, given)
    assert Arrays(recipe, given).made_alike(arrays) == {*given, *(op.name for op in recipe.ops)}
    others = Arrays(recipe, {**given, Name("V"): given[Name("V")] + 1}).made_alike(arrays)
    assert Name("weight") in others
    assert not {Name("V"), Name("head_output"), Name("output")} & others
    read = Arrays(recipe, {**given, Name("scaled"): np.zeros((5, 5))}).made_alike(arrays)
    assert not {Name("scaled"), Name("masked")} & read
    assert Arrays(replace(recipe, tables={"allowed": [[1]]}), given).made_alike(arrays) == set(given)


def test_a_sum_across_rows_reads_the_whole_array() -> None:
    recipe, given = _attention(5)
    op = recipe.op(Name("row_max"))
    assert op is not None
    column = Sum("key", Add(At("weight", "key", "query")))
    sums = Arrays(recipe, given, block_rows=2).evaluate(column, op)
    np.testing.assert_allclose(sums, Arrays(recipe, given).array(Name("weight")).sum(axis=0), rtol=1e-15)


def test_results_cannot_be_overwritten() -> None:
    recipe, given = _attention(3)
    with pytest.raises(ValueError, match="read-only"):
        Arrays(recipe, given).array(Name("weight"))[0, 0] = 1


def test_what_does_not_fit_is_refused() -> None:
    recipe, given = _attention(3)
    with pytest.raises(UnknownArray):
        Arrays(recipe, given).array(Name("nothing"))
    with pytest.raises(IndexError):
        Arrays(recipe, given).rows(Name("weight"), 2, 4)
    with pytest.raises(ShapeMismatch):
        Arrays(recipe, {**given, Name("Q"): np.zeros((3, 15))})
    with pytest.raises(WrongRank):
        Arrays(recipe, {**given, Name("Q"): np.zeros(3)})
    with pytest.raises(KeyError):
        Arrays(recipe, {Name("Q"): given[Name("Q")]}).array(Name("score"))
    op = recipe.op(Name("score"))
    assert op is not None
    with pytest.raises(IndexError, match="outside"):
        Arrays(recipe, given).evaluate(At("Q", 7, 0), op)

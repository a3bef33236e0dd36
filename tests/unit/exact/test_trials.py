"""Altered recipes tried a cell at a time, against the same recipes run whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.support.effort import effort
from tests.support.opening import open_trace
from tests.support.recipes import Example, all_indices, examples
from workings.checking.causes.cause import Cause
from workings.checking.causes.registry import BY_ID, CAUSES
from workings.checking.divisor import given_cells
from workings.exact.run import Exact
from workings.exact.trials import DEEPEST, Trials
from workings.steps.build import build
from workings.steps.language import Const
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Address, Name
from workings.terms.errors import WorkingsError
from workings.terms.numbers import Value
from workings.traces.trace import Trace

BITS = 128


Cells = Callable[[Address], Value]


def by_whole_arrays(example: Example, recipe: Recipe) -> Cells:
    return lambda address: example.exact(recipe).value(address.array, address.index)


def outcome(cells: Cells, address: Address) -> Value | None:
    """A cell, or None where it has no value."""
    try:
        found = cells(address)
        if not found.infinite:
            found.bounds(BITS)
        return found
    except WorkingsError:
        return None


def agree(one: Value, other: Value) -> bool:
    if one.infinite or other.infinite:
        return one.infinite == other.infinite
    (low, high), (least, most) = one.bounds(BITS), other.bounds(BITS)
    return low <= most and least <= high


@given(example=examples(), data=st.data())
def test_a_trial_gives_what_the_whole_altered_recipe_gives(example: Example, data: st.DataObject) -> None:
    recipe = example.recipe()
    target = data.draw(st.sampled_from(recipe.ops))
    address = Address(target.name, data.draw(st.sampled_from([*all_indices(target.shape)])))
    trials = Trials(example.exact(recipe), target.name)
    for cause in data.draw(st.lists(st.sampled_from(CAUSES), min_size=8, max_size=8, unique_by=lambda cause: cause.id)):
        for altered in cause.recipes(recipe):
            cells = trials.of(altered)
            whole = outcome(by_whole_arrays(example, altered), address)
            tried = outcome(by_whole_arrays(example, recipe) if cells is None else cells, address)
            if whole is not None:  # a whole array may have no value on account of another cell
                assert tried is not None, cause.id
                assert agree(whole, tried), cause.id


@given(example=examples(), cause=st.sampled_from([cause for cause in CAUSES if cause.within]), data=st.data())
def test_what_an_altered_recipe_gives_lies_within_the_ranges_of_its_cause(
    example: Example, cause: Cause, data: st.DataObject
) -> None:
    recipe = example.recipe()
    target = data.draw(st.sampled_from(recipe.ops))
    trials = Trials(example.exact(recipe), target.name)
    recipe = trials.recipe
    widened = [found for found in (within(recipe) for within in cause.within) if found is not None]
    ranges = [trials.ranges(found) for found in widened if found is not recipe]
    for altered in cause.recipes(recipe):
        cells = None if altered is recipe else trials.of(altered)
        if cells is None:
            continue
        for index in all_indices(target.shape):
            address = Address(target.name, index)
            value = outcome(cells, address)
            around = [None if found is None else found(address) for found in ranges]
            held = any(wide is None or value is None or agree(value, wide) for wide in around)
            assert held or not ranges, (cause.id, address)


def test_a_cache_behind_rotated_keys_is_no_rotation() -> None:
    """The slips of rotation change the step that rotates, not the one that puts its keys behind those kept."""
    spec, sizes = AttentionSpec(position="rope"), {"token": 1, "key": 2, "past": 1}
    shapes = {Name("X"): (1, 2), Name("past_K"): (1, 2), Name("past_V"): (1, 2), Name("position_base"): ()}
    shapes |= {Name(f"W_{letter}"): (2, 2) for letter in "QKV"}
    recipe = build(spec, BlockSpec(), shapes, sizes, {"position": [1]})
    for cause in ("rope-pairing:missing", "rope-pairing:interleaved"):
        for altered in BY_ID[cause].recipes(recipe):
            assert altered.op(Name("K")) == recipe.op(Name("K"))
            assert altered.op(Name("k_proj")) == recipe.op(Name("k_proj"))


def altered_by(cause: str, recipe: Recipe) -> Recipe:
    return next(iter(BY_ID[cause].recipes(recipe)))


def test_trials_do_not_mix() -> None:
    """A value asked for more bits after another recipe was tried is still its own."""
    trace = open_trace("kitten")
    recipe, given_values, address = trace.recipe, given_cells(trace), trace.cell("weight[2,0]")
    trials = Trials(Exact(recipe, given_values), address.array)
    slips = [altered_by(cause, recipe) for cause in ("scale:missing", "scale:twice", "softmax-base-2")]
    values = [cells(address) for slip in slips if (cells := trials.of(slip)) is not None]
    for slip, value in zip(slips, values, strict=True):
        assert agree(value, Exact(slip, given_values).value(address.array, address.index))
    assert not agree(values[0], values[1])


def tokens(count: int) -> Trace:
    seeds = {"X": {"seed": 3}, "W_Q": {"seed": 1}, "W_K": {"seed": 2}, "W_V": {"seed": 4}}
    sizes = {"d_model": 4, "d_k": 4, "d_v": 4}
    return open_trace({"tokens": [f"t{i}" for i in range(count)], "inputs": seeds, "attention": sizes})


def work(count: int) -> int:
    """What it costs to refute three slips by one weight."""
    trace = tokens(count)
    address = trace.cell("weight[2,0]")
    slips = [altered_by(cause, trace.recipe) for cause in ("scale:missing", "softmax-base-2", "exp-missing")]

    trials = Trials(Exact(trace.recipe, given_cells(trace)), address.array)

    def refute() -> None:
        for slip in slips:
            cells = trials.of(slip)
            assert cells is not None
            cells(address)

    refute()  # what no slip reaches is worked once for all of them
    return effort(refute)


def test_one_cell_takes_the_work_of_its_row_not_of_whole_arrays() -> None:
    assert work(64) < 5 * work(16)  # four times the keys; whole arrays would be sixteen times the work


def test_what_no_change_reaches_is_not_tried() -> None:
    trace = open_trace("kitten")
    trials = Trials(Exact(trace.recipe, given_cells(trace)), Name("score"))
    assert trials.of(altered_by("scale:missing", trace.recipe)) is None
    assert trials.of(altered_by("scale:folded", trace.recipe)) is not None


def test_a_change_far_below_does_not_exhaust_the_stack() -> None:
    trace = open_trace("encoder-six")
    recipe, last = trace.recipe, trace.recipe.ops[-1]
    assert len(recipe.ops) > 3 * DEEPEST
    altered, address = altered_by("scale:missing", recipe), Address(last.name, (0, 0))
    cells = Trials(Exact(recipe, given_cells(trace)), last.name).of(altered)
    assert cells is not None
    assert agree(cells(address), Exact(altered, given_cells(trace)).value(last.name, (0, 0)))


@given(examples())
def test_a_step_made_otherwise_keeps_all_else(example: Example) -> None:
    recipe = example.recipe()
    for op in recipe.ops:
        made = op.otherwise(Const(1), {})
        assert made == replace(op, step=replace(op.step, formula=Const(1)), arrays={})
    assert recipe.with_ops(recipe.ops[:1]) == replace(recipe, ops=recipe.ops[:1])

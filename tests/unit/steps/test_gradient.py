"""Gradients derived from the steps' own formulas: equal to torch's autograd, and to finite differences."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import torch

from tests.support.opening import open_trace
from workings.api.opening import read_source, trace_of
from workings.examples.library import load
from workings.steps.language import Const
from workings.terms.address import Address, Name
from workings.terms.errors import FieldConflict, MissingField, UnknownArray

RELATIVE = 1e-12  # some 4,500 units in the last place of float64: the longest way is about 60 operations
WIDTH = Fraction(1, 10**12)  # of a finite difference
SURE = 1e-20  # an error of the order of its square, times a third derivative that is small here

BIG: dict[str, Any] = {
    "tokens": ["a", "b", "c", "d"],
    "inputs": {
        "embedding": {"seed": 5},
        "W_Q": {"seed": 6},
        "W_K": {"seed": 7},
        "W_V": {"seed": 8},
        "W_O": {"seed": 9},
        "W_1": {"seed": 3},
        "W_2": {"seed": 4},
        "b_Q": {"seed": 5},
        "W_gate": {"seed": 6},
        "norm1_gain": [1, 2, 1, "0.5"],
        "W_U": {"seed": 11},
    },
    "attention": {"heads": 2, "n_kv_heads": 1, "d_model": 4, "d_k": 2, "d_v": 2, "mask": "causal", "position": "rope"},
    "block": {"residual": True, "norm": "pre-rms", "ffn": "swiglu", "d_ff": 3, "layers": 1},
    "learn": {"next": ["b", "", "a", "d"], "rate": "0.1"},
}


def turned_in_part(pairs: str) -> dict[str, Any]:
    """The big one, of whose three dimensions two turn."""
    turned = {"d_k": 3, "rope": {"pairs": pairs, "rotary_dim": 2}}
    return {**BIG, "attention": {**BIG["attention"], **turned}}


def number(trace: Any, address: str) -> float:
    value = trace.value(trace.cell(address))
    return float(sum(value.bounds(128)) / 2)


# --- against autograd ---------------------------------------------------------------------------------------------


def by_torch(trace: Any, given: dict[str, torch.Tensor]) -> torch.Tensor:
    """The loss of the built-in example as anybody would write it with torch."""
    X = given["X"]
    Q, K, V = (X @ given[f"W_{letter}"] for letter in "QKV")
    scores = Q @ K.T / Q.shape[1] ** 0.5
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    logits = scores.softmax(-1) @ V @ given["W_U"].T
    target = torch.tensor(trace.recipe.tables["target"])
    return torch.nn.functional.cross_entropy(logits, target, ignore_index=-1, reduction="sum")


def test_every_gradient_of_the_built_in_example_is_autograds() -> None:
    trace = open_trace("learn-one-step")
    names = [name for name in trace.recipe.given if trace.recipe.given[name].axes]
    given = {}
    for name in names:
        shape = trace.array(name).shape
        cells = [number(trace, str(Address(name, index))) for index in product(*map(range, shape))]
        given[name.name] = torch.tensor(cells, dtype=torch.float64).reshape(shape).requires_grad_()
    loss: Any = by_torch(trace, given)  # torch gives its backward no types
    loss.backward()
    assert number(trace, "loss") == pytest.approx(float(loss.detach()), rel=RELATIVE)
    seen = 0
    for name in names:
        if name.name == "X":
            continue
        gradient = given[name.name].grad
        assert gradient is not None
        for index in product(*map(range, gradient.shape)):
            ours = number(trace, str(Address(name._replace(part="grad"), index)))
            assert ours == pytest.approx(float(gradient[index]), rel=RELATIVE, abs=RELATIVE), (name, index)
            after = number(trace, str(Address(name._replace(part="updated"), index)))
            rate, before = number(trace, "rate"), float(given[name.name].detach()[index])
            assert after == pytest.approx(before - rate * ours, rel=RELATIVE)
            seen += 1
    assert seen == 18


# --- against finite differences, exactly ----------------------------------------------------------------------------


def moved(example: Any, name: Name, index: tuple[int, ...], by: Fraction) -> Fraction:
    """The loss with one given number moved."""
    from workings.exact.run import Exact

    values = example.values()
    cell = values[name][index]
    assert isinstance(cell, Const)
    values[name] = {**values[name], index: Const(Fraction(cell.value) + by)}
    engine = Exact(example.recipe(), values)
    low, high = engine.value(Name("loss"), ()).bounds(256)
    return (low + high) / 2


@pytest.mark.parametrize(
    ("source", "weights"),
    [("learn-one-step", 18), (BIG, 124), (turned_in_part("half"), 138), (turned_in_part("interleaved"), 138)],
    ids=["built-in", "block", "part-half", "part-interleaved"],
)
def test_every_gradient_is_the_finite_difference(source: Any, weights: int) -> None:
    example = load(source) if isinstance(source, str) else read_source(source)
    trace = trace_of(example)
    checked = 0
    for op in trace.recipe.ops:
        name = op.name._replace(part="")
        if op.name.part != "grad" or name not in trace.recipe.given:
            continue
        for index in product(*map(range, op.shape)):
            above, below = (moved(example, name, index, sign * WIDTH) for sign in (1, -1))
            value = trace.value(Address(op.name, index))
            low, high = value.bounds(256)
            assert float(abs((above - below) / (2 * WIDTH) - (low + high) / 2)) < SURE, (op.name, index)
            checked += 1
    assert checked == weights


def test_one_step_makes_the_loss_smaller() -> None:
    example = load("learn-one-step")
    trace = trace_of(example)
    values = example.values()
    for op in trace.recipe.ops:
        if op.name.part == "updated":
            for index in product(*map(range, op.shape)):
                low, high = trace.value(Address(op.name, index)).bounds(64)
                values[op.name._replace(part="")][index] = Const((low + high) / 2)
    from workings.exact.run import Exact

    after = Exact(example.recipe(), values).value(Name("loss"), ()).bounds(64)[1]
    assert after < trace.value(Address(Name("loss"))).bounds(64)[0]


# --- what is written, and what is refused -----------------------------------------------------------------------------


def test_gradients_are_found_by_their_addresses() -> None:
    trace = open_trace("learn-one-step")
    assert str(trace.cell("grad.W_Q[0,1]")) == "grad.W_Q[0,1]"
    assert str(trace.cell("grad.L0.H0.W_Q[0,1]")) == "grad.W_Q[0,1]"
    assert trace.inputs(trace.cell("updated.W_Q[0,1]"))[0] == trace.cell("W_Q[0,1]")
    for name in ("grad.lse", "updated.Q", "grad.nothing"):
        with pytest.raises(UnknownArray):
            trace.find(name)


def test_the_gradient_of_each_head_is_its_own() -> None:
    trace = open_trace(BIG)
    names = {str(op.name) for op in trace.recipe.ops if op.name.part == "grad"}
    assert {"grad.H0.score", "grad.H1.score", "grad.V", "grad.norm1_gain", "grad.W_gate"} <= names


@pytest.mark.parametrize("softmax", ["shifted", "online"])
def test_a_maximum_has_no_derivative(softmax: str) -> None:
    changed = {**BIG, "attention": {**BIG["attention"], "softmax": softmax, "block_size": 2}}
    if softmax == "shifted":
        del changed["attention"]["block_size"]
    with pytest.raises(FieldConflict):
        open_trace(changed)


def test_a_loss_needs_words() -> None:
    inputs = {name: value for name, value in BIG["inputs"].items() if name != "W_U"}
    with pytest.raises(MissingField):
        open_trace({**BIG, "inputs": inputs})

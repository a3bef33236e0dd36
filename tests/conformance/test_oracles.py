"""torch's attention at each point of the grid, mpmath on each built-in example, and the registry of suites."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import conformance
from conformance import hand_examples, torch_activations, torch_attention
from conformance.__main__ import table
from conformance.row import Comparison, Outcome, row
from conformance.torch_attention import FLEX, SDPA, Setting, grid
from tools.found import runs
from workings.examples import library
from workings.steps.block import ACTIVATION


@pytest.mark.parametrize("setting", list(grid(SDPA)), ids=lambda setting: setting.name)
def test_sdpa(setting: Setting) -> None:
    assert torch_attention.sdpa(setting).problem == ""


@pytest.mark.parametrize("setting", list(grid(FLEX)), ids=lambda setting: setting.name)
def test_flex(setting: Setting) -> None:
    assert torch_attention.flex(setting).problem == ""


@pytest.mark.parametrize("kind", ACTIVATION)
def test_activation(kind: str) -> None:
    assert torch_activations.check(kind).problem == ""


@pytest.mark.parametrize("name", library.names())
@pytest.mark.parametrize("way", [hand_examples.exactly, hand_examples.in_float64])
def test_hand_example(name: str, way: Callable[[str], Outcome]) -> None:
    assert way(name).problem == ""


def test_every_suite_is_found() -> None:
    known = {"hand_examples", "onnx_attention", "onnx_steps", "torch_activations", "torch_attention"}
    assert known | {"transformers_eager"} <= {name for name, _ in runs(conformance)}


def test_a_failing_case_is_named_under_the_table() -> None:
    rows = [row("suite", "ours", "none", [Outcome("good", "float32", 0.5), Outcome("bad", "float32", 2.0, "Y is off")])]
    assert not rows[0].holds
    text = table(rows)
    assert "| suite | ours | **1/2** | float32 2.0e+00 | float32 0.0e+00 | 1 below |" in text
    assert "\n1. none\n" in text
    assert text.endswith("\n- bad: Y is off\n")


def test_no_cases_are_no_agreement() -> None:
    assert not row("suite", "ours", "none", []).holds


@pytest.mark.parametrize(
    ("given", "expected"), [([1.0], [1.1]), ([float("nan")], [1.0]), ([float("inf")], [1.0]), ([[1.0]], [1.0])]
)
def test_what_is_off_is_noticed(given: list[float], expected: list[float]) -> None:
    compared = Comparison("case", "float64")
    compared.add("Y", given, expected, 0.01)
    assert compared.outcome().problem.startswith("Y ")

"""Every head of every family, recorded, worked by the declared steps and streamed, against transformers eager."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from conformance import transformers_eager
from tests.support.eager import both, compared
from tests.support.tiny_models import TINY, build, inputs_of
from workings.models.families import families, family_of

LAYERS = {"t5": 6, "whisper": 6, "clip": 4}  # an encoder, a decoder and what goes across; text and picture


@pytest.mark.parametrize("family", TINY)
def test_every_head_is_that_of_eager(family: str) -> None:
    heads = transformers_eager.family(family)
    assert len(heads) == 4 * LAYERS.get(family, 2)
    assert [(head.name, head.problem) for head in heads if head.problem] == []


def test_a_wrong_fact_is_noticed(tmp_path: Path) -> None:
    """The comparison can fail: with a window one key too short every head is over its bound."""
    eager, recording = both(lambda attention: build("mistral", attention), inputs_of("mistral", 12), tmp_path / "out")
    for layer in recording.layers.values():
        layer["window"]["left"] -= 1
    for head in compared(eager, recording, double=False):
        assert head.problem.startswith("weight at "), head.name
        assert "; output at " in head.problem


def test_a_forgotten_sink_is_noticed(tmp_path: Path) -> None:
    eager, recording = both(lambda attention: build("gpt_oss", attention), inputs_of("gpt_oss", 12), tmp_path / "out")
    for layer in recording.layers.values():
        layer.told["sinks"] = None  # type: ignore[index]
    assert all("the sink at " in head.problem for head in compared(eager, recording, double=True))


def test_every_family_is_tested() -> None:
    assert set(TINY) - set(families()) == set()
    assert {families()[kind].name for kind in TINY} == {family.name for family in families().values()}


@pytest.mark.parametrize("family", TINY)
def test_the_declared_projections_are_there(family: str) -> None:
    declared = family_of(family)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        modules = [name.split(".") for name, _ in build(family).named_modules()]
    for projection in declared.projections:
        assert any(words[-1] == projection for words in modules), projection
    for part in declared.parts:
        assert any(part in words for words in modules), part

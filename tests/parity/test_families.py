"""Every weight of every head of every family, recorded and worked by the declared steps, against transformers eager."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.support.eager import both, compared
from tests.support.tiny_models import TINY, build, inputs_of
from workings.models.families import families, family_of


@pytest.mark.parametrize("family", TINY)
def test_weights_are_those_of_eager(family: str, tmp_path: Path) -> None:
    eager, recording = both(lambda attention: build(family, attention), inputs_of(family, 12), tmp_path / "recording")
    heads = list(compared(eager, recording, double=TINY[family].double))
    assert len(heads) == 4 * sum(map(len, eager.values()))
    assert [(address, ratio) for address, _, ratio in heads if ratio > 1] == []


def test_a_wrong_fact_is_noticed(tmp_path: Path) -> None:
    """The comparison can fail: with a window one key too short every head is over its bound."""
    eager, recording = both(lambda attention: build("mistral", attention), inputs_of("mistral", 12), tmp_path / "out")
    for layer in recording.layers.values():
        layer["window"]["left"] -= 1
    assert min(ratio for _, _, ratio in compared(eager, recording, double=False)) > 1


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

"""Addresses in recordings that name nothing: each is refused for what is wrong with it, in every family."""

from __future__ import annotations

from typing import Any

import pytest

import workings as w
from tests.support.tiny_models import inputs_of, saved
from workings.api.recorded import Recorded
from workings.models.cells import recipe_of
from workings.models.layers import layer_recipe
from workings.models.recording import Recording
from workings.models.whole import Whole
from workings.steps.declared import names_of_models, plain
from workings.terms.errors import BadAddress, UnknownArray, WorkingsError
from workings.terms.model_errors import NotReached, NotRecorded, PlaceAlone, PlaceMissing

FAMILIES = ("llama", "bert", "gpt2", "gemma2", "qwen3", "bloom", "t5", "gpt_oss")  # the first five are told whole


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recorded]:
    """A recording of each family."""
    folder = tmp_path_factory.mktemp("places")
    return {
        family: w.trace(
            saved(family, folder / family),
            folder / f"{family}-out",
            inputs={name: values.numpy() for name, values in inputs_of(family).items()},
            lang="en",
        )
        for family in FAMILIES
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_what_names_nothing(family: str, runs: dict[str, Recorded]) -> None:
    run = runs[family]
    first = next(iter(Recording(run.path).layers.values()))
    layer, heads = str(first.place)[:-1], first["heads"]
    number = len(heads)
    for address in (f"{layer}.H0.nope[1]", f"{layer}.nope[1]", f"{layer}.H0.nope"):
        with pytest.raises(UnknownArray, match="There is no array") as unknown:
            run[address]
        assert f"{layer}.H0.score" in unknown.value.values["known"]
    for address in (f"{layer}.H{number}", f"{layer}.H{number}.weight", f"{layer}.H{number}.weight[0,0]"):
        with pytest.raises(NotRecorded, match=f"{layer}.H{number}.* is not in this recording, which holds {layer}.H0"):
            run[address]
    with pytest.raises(PlaceAlone, match="is a place in the model") as alone:
        run[layer]
    assert alone.value.values["known"] == [f"{layer}.H{head}" for head in heads]
    for place in alone.value.values["known"]:
        assert run[place].row(0).sum() > 0
    with pytest.raises(PlaceAlone) as alone:
        run.number(f"{layer}.H1")
    assert f"{layer}.H1.weight" in alone.value.values["known"]
    with pytest.raises(PlaceMissing) as missing:
        run[f"{layer}.weight[0,0]"]
    for example in missing.value.values["examples"]:
        assert float(run[f"{example}[0,0]"]) >= 0


def reached(run: Recorded, name: str) -> Any:
    """An array by its name, or, where the name stands for that of each head, by the first example of the error."""
    try:
        return run[name]
    except PlaceMissing as missing:
        return run[missing.values["examples"][0]]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_model_knows_of_itself_is_found(family: str, runs: dict[str, Recorded]) -> None:
    """Every name that an error gives for an array of a head leads to that array."""
    run = runs[family]
    layer = next(iter(Recording(run.path).layers.values()))
    with pytest.raises(PlaceAlone) as alone:
        run.number(f"{layer.place}H1")
    for name in alone.value.values["known"]:
        assert reached(run, name).address == name


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "t5"])
def test_a_name_without_its_place(family: str, runs: dict[str, Recorded]) -> None:
    run = runs[family]
    for address in ("garbage", "nope[0]", "L0.garbage"):
        with pytest.raises(UnknownArray):
            run[address]
    for address in ("H1", "weight", "weight[0,0]", "H1.weight[0,0]"):
        with pytest.raises(PlaceMissing, match="several places"):
            run[address]
    with pytest.raises(NotRecorded, match="L9 is not in this recording, which holds L0"):
        run["L9"]
    wrong: Any
    for wrong in (3, slice(3), None):
        with pytest.raises(BadAddress):
            run[wrong]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_array_of_a_model_is_declared(family: str, runs: dict[str, Recorded]) -> None:
    """So that a name that is not declared is one that no model has, and any other is not reached here."""
    recording = Recording(runs[family].path)
    whole = Whole(recording)
    recipes = [recipe_of(layer, 0) for layer in recording.layers.values()]
    if whole.around:
        ends = (whole.beginning, whole.ending)
        recipes += [layer_recipe(layer, whole.around) for layer in recording.layers.values()]
        recipes += [stretch.recipe for stretch in ends if stretch is not None]
    seen = {plain(name.name) for recipe in recipes for name in recipe.names()}
    assert seen <= names_of_models(), seen - names_of_models()


@pytest.mark.parametrize("family", ["bloom", "gpt_oss"])
def test_a_known_array_out_of_reach_is_no_unknown_one(family: str, runs: dict[str, Recorded]) -> None:
    for address in ("L1.X[0,0]", "L0.norm1[0,0]", "L1.W_Q[0,0]", "L1.ffn_act[0,0]", "logits[0,0]", "embedding[0,0]"):
        with pytest.raises(NotReached, match="comes before Q, K and V or behind the heads"):
            runs[family].number(address)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_says_something_of_its_own(lang: str, runs: dict[str, Recorded]) -> None:
    run, said = w.recorded(runs["bloom"].path, lang=lang), set()
    for address in ("L1", "L1.H9", "weight[0,0]", "L1.H1.nope[1]", "L1.X[0,0]", "L1.H1[0]", "L1.H1.weight[9,9]"):
        with pytest.raises(WorkingsError) as caught:
            run.number(address)
        said.add(type(caught.value))
        assert caught.value.exit_code == 2
    assert len(said) == 6

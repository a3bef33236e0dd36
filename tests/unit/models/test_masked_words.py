"""Logits of models of masked words, by whichever names and tensors their files have; and models without that head."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.real_models import minilm
from tests.support.speaking import made_by_modules, speaking
from tests.support.tiny_models import inputs_of
from tests.unit.cli.command import here, one_line
from workings.models.record import Wish, record
from workings.render.words import LANGUAGES, Words
from workings.terms.model_errors import NotReached

ADDRESS, PLACE = "logits[5,17]", (5, 17)
LAST_WORD = (5, 299)  # "bert-untied" has 300 words, which are worked 256 at a time
Tensors = dict[str, Any]


def _recorded(model: Path, at: Path) -> Path:
    return Path(record(model, at, Wish(inputs=inputs_of("bert", 12), dtype="float64")))


def _theirs(name: str, model: Path) -> Any:
    return made_by_modules(name, model, inputs_of("bert", 12))["logits"]


def _rewritten(model: Path, change: Callable[[Tensors], Tensors]) -> Path:
    """The same model with other tensors in its files."""
    from safetensors.torch import load_file, save_file

    held = change(load_file(model / "model.safetensors"))
    save_file({name: tensor.clone() for name, tensor in held.items()}, model / "model.safetensors")
    return model


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_reaches_a_logit(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = speaking("bert-untied", tmp_path)
    capsys.readouterr()
    out = _recorded(model, tmp_path / "out")
    assert capsys.readouterr() == ("", ""), "the head that is not loaded is nothing to tell of"
    address = f"logits[{LAST_WORD[0]},{LAST_WORD[1]}]"
    done = here(capsys, "cell", str(out), address, "--json", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert float(told["value"]) == pytest.approx(_theirs("bert-untied", model)[LAST_WORD], abs=1e-10)
    page = here(capsys, "cell", str(out), address, "--lang", lang).out
    assert Words(lang)["step.logits_biased"] in page
    assert "b_U[299]" in page


@pytest.mark.parametrize(
    "array",
    ["transform[5,3]", "transform_act[5,3]", "transform_norm_mean[5]", "transform_norm_variance[5]",
     "transform_norm[5,3]", "W_transform[3,7]", "b_transform[3]", "transform_norm_gain[3]", "transform_norm_bias[3]",
     "W_U[299,3]", "b_U[299]"],
)  # fmt: skip
def test_every_array_before_the_logits_has_numbers(array: str, tmp_path: Path) -> None:
    number = w.recorded(_recorded(speaking("bert-untied", tmp_path), tmp_path / "out")).number(array)
    assert number.address == array
    assert number.bound < 1e-9
    assert number.data()["used_by"]
    for lang in LANGUAGES:
        assert array in number.explain(lang=lang).to_markdown()


def _first_names(held: Tensors) -> Tensors:
    """As BERT's first files name what its norms learn."""
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    return {next((n.replace(a, b) for a, b in old.items() if a in n), n): tensor for n, tensor in held.items()}


def _decoder_kept(held: Tensors) -> Tensors:
    """A file that holds the embedding twice."""
    return {**held, "cls.predictions.decoder.weight": held["bert.embeddings.word_embeddings.weight"]}


def _decoder_of_its_own(held: Tensors) -> Tensors:
    """A file that holds another decoder than its config says: transformers ties no tensors that differ."""
    return {**held, "cls.predictions.decoder.weight": held["bert.embeddings.word_embeddings.weight"] * 2}


@pytest.mark.parametrize("change", [_first_names, _decoder_kept, _decoder_of_its_own])
def test_tensors_as_other_files_have_them(change: Callable[[Tensors], Tensors], tmp_path: Path) -> None:
    model = _rewritten(speaking("bert", tmp_path), change)
    number = w.recorded(_recorded(model, tmp_path / "out")).number(ADDRESS)
    assert float(number) == pytest.approx(_theirs("bert", model)[PLACE], abs=1e-10)


def _without(name: str) -> Callable[[Tensors], Tensors]:
    return lambda held: {at: tensor for at, tensor in held.items() if at != name}


@pytest.mark.parametrize("lacking", ["transform.dense.bias", "transform.LayerNorm.weight", "bias"])
def test_half_a_head_gives_no_logits(lacking: str, tmp_path: Path) -> None:
    model = _rewritten(speaking("bert", tmp_path), _without(f"cls.predictions.{lacking}"))
    run = w.recorded(_recorded(model, tmp_path / "out"))
    with pytest.raises(NotReached) as caught:
        run.number(ADDRESS)
    assert caught.value.values["lacking"] == "logits"
    assert run.number("L2.X[5,3]").inputs


def test_a_model_without_the_head_ends_with_its_last_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    w.trace(minilm(), out, text="The cat ate.")
    for lang in LANGUAGES:
        done = here(capsys, "cell", str(out), ADDRESS, "--lang", lang)
        assert (done.code, done.out) == (2, "")
        assert Words(lang)["error.lacking.logits"] in one_line(done.err)
    assert w.recorded(out).number("L6.X[3,5]").inputs

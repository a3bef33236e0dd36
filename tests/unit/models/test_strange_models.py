"""Models that are strange and yet opened: what they carry is shown as text, told of, or left alone."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_gguf import write_llama
from tests.support.tiny_models import build, inputs_of
from tests.unit.cli.command import here
from workings.models.load import library, load
from workings.models.look import look
from workings.models.recording import Recording
from workings.terms.model_errors import ModelFile

STRANGE = "../../etc/passwd<script>"
TEMPLATE = "{{ cycler.__init__.__globals__.os.system('touch ' ~ PATH) }}{% for x in range(10**18) %}{% endfor %}"
TEXT = "a cat, a dog"


@pytest.fixture
def inputs(tmp_path: Path) -> str:
    """Twelve tokens as a file."""
    from safetensors.numpy import save_file

    save_file({"input_ids": inputs_of("llama", 12)["input_ids"].numpy()}, tmp_path / "inputs.safetensors")
    return str(tmp_path / "inputs.safetensors")


def _saved(at: Path, **weights: Any) -> Path:
    """A small Llama in a folder called ``model``."""
    with library():  # quiet
        model = build("llama")
        model.save_pretrained(at / "model", state_dict={**model.state_dict(), **weights})
    return at / "model"


def _summary(capsys: pytest.CaptureFixture[str], out: Path, *arguments: str, lang: str = "en") -> tuple[str, str]:
    done = here(capsys, "trace", *arguments, "-o", str(out), "--summary", "--lang", lang)
    assert done.code == 0, done.err
    return done.out.replace(str(out), "OUT"), done.err


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".safetensors"}


# --- names -----------------------------------------------------------------------------------------------------------


def test_a_strange_name_of_a_tensor_is_only_a_name(
    tmp_path: Path, inputs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    clean = _saved(tmp_path / "clean")
    strange = _saved(tmp_path / "strange", **{STRANGE: torch.ones(2, 2)})
    assert STRANGE in look(strange).tensors
    told = [
        _summary(capsys, tmp_path / name, str(model), "--inputs", inputs)[0]
        for name, model in (("one", clean), ("two", strange))
    ]
    assert told[0] == told[1]
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clean", "inputs.safetensors", "one", "strange", "two"]


# --- templates -------------------------------------------------------------------------------------------------------


def _with_tokenizer(at: Path, template: str | None) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    model = _saved(at)
    words = {word: place for place, word in enumerate(("<unk>", "a", "cat", "dog", ","))}
    made = Tokenizer(models.WordLevel(words, unk_token="<unk>"))  # a word, not a secret
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>")  # type: ignore[no-untyped-call]
    tokenizer.save_pretrained(model)
    if template is not None:
        table = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
        (model / "tokenizer_config.json").write_text(json.dumps({**table, "chat_template": template}))
        (model / "chat_template.jinja").write_text(template)
    return model


@pytest.mark.parametrize("kind", ["folder", "gguf"])
def test_a_template_is_never_rendered(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = tmp_path / "ran"
    template = TEMPLATE.replace("PATH", repr(str(ran)))
    for name, own in (("clean", None), ("strange", template)):
        (tmp_path / name).mkdir()
        if kind == "folder":
            _with_tokenizer(tmp_path / name, own)
        else:
            write_llama(tmp_path / name / "model", **({} if own is None else {"tokenizer__chat_template": own}))
    told = [
        _summary(capsys, tmp_path / f"{name}-out", str(tmp_path / name / "model"), "--text", TEXT)[0]
        for name in ("clean", "strange")
    ]
    assert told[0] == told[1]
    assert _bytes(tmp_path / "clean-out") == _bytes(tmp_path / "strange-out")
    assert not ran.exists()


def test_a_gguf_is_the_model_that_was_written(tmp_path: Path, inputs: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Queries and keys stand in another order there, and come out as in the folder."""
    folder, file = _saved(tmp_path), write_llama(tmp_path / "model.gguf")
    for name, model in (("one", folder), ("two", file)):
        _summary(capsys, tmp_path / name, str(model), "--inputs", inputs)
    one, two = Recording(tmp_path / "one"), Recording(tmp_path / "two")
    for place in one.layers:
        for tensor in ("q", "k", "v"):
            np.testing.assert_allclose(
                two.numbers(place, tensor, 1), one.numbers(place, tensor, 1), rtol=1e-5, atol=1e-5
            )


# --- numbers that are none -------------------------------------------------------------------------------------------


@pytest.fixture
def not_finite(tmp_path: Path) -> Path:
    """A model with one NaN and one infinity in the keys of its second layer."""
    name = "layers.1.self_attn.k_proj.weight"
    weight = build("llama").state_dict()[name].clone()
    weight[2, 3], weight[4, 5] = float("nan"), float("inf")
    return _saved(tmp_path, **{name: weight})


@pytest.mark.parametrize(("lang", "said"), [("en", "Weights that are no numbers"), ("zh", "有些权重不是数")])
def test_weights_that_are_not_finite_are_told_of(
    lang: str, said: str, not_finite: Path, inputs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, noted = _summary(capsys, tmp_path / "out", str(not_finite), "--inputs", inputs, lang=lang)
    (banner,) = [line for line in noted.splitlines() if said in line]
    for text in (banner, told):
        assert "layers.1.self_attn.k_proj.weight" in text
        assert "[2,3]" in text
    assert " 2" in banner
    for address in ("L1.G0.K[2,2]", "L1.H0.score[5,2]", "L1.H0.weight[5,2]", "L1.H0.lse[5]"):
        cell = here(capsys, "cell", str(tmp_path / "out"), address, "--lang", lang)
        assert (cell.code, cell.out, len(cell.err.splitlines())) == (2, "", 1)
    cell = here(capsys, "cell", str(tmp_path / "out"), "L0.H0.weight[5,2]", "--lang", lang)
    assert (cell.code, cell.err) == (0, "")


# --- files that change -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("change", ["cut", "replaced", "removed"])
def test_a_file_changed_between_look_and_use(
    change: str,
    lang: str,
    inputs: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = _saved(tmp_path)
    weights = model / "model.safetensors"

    def changed(path: Any) -> Any:
        looked = look(path)
        if change == "cut":
            with open(weights, "r+b") as file:
                file.truncate(weights.stat().st_size // 2)
        elif change == "removed":
            weights.unlink()
        else:
            data = bytearray(weights.read_bytes())
            data[-4:] = struct.pack("<f", 7.0)
            (tmp_path / "other").write_bytes(data)
            (tmp_path / "other").replace(weights)
        return looked

    monkeypatch.setattr("workings.models.record.look", changed)
    done = here(capsys, "trace", str(model), "--inputs", inputs, "-o", str(tmp_path / "out"), "--lang", lang)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1), done.err
    assert "model.safetensors" in done.err
    assert ("was changed or removed" in done.err) == (lang == "en")
    assert not (tmp_path / "out").exists()


def test_a_model_that_runs_is_not_mapped(tmp_path: Path) -> None:
    """Whatever happens to its file, the weights stay what they were; mapped, a cut file would end this process."""
    model = _saved(tmp_path)
    loaded = load(look(model)).model
    before = {name: weight.clone() for name, weight in loaded.named_parameters()}
    with open(model / "model.safetensors", "r+b") as file:
        file.truncate(8)
    assert all(bool((weight == before[name]).all()) for name, weight in loaded.named_parameters())


def test_a_file_cut_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import modeling_utils

    model = _saved(tmp_path)
    usual = modeling_utils.safe_open  # type: ignore[attr-defined]

    def cut(path: str, **how: Any) -> Any:
        opened = usual(path, **how)
        os.truncate(model / "model.safetensors", 4096)
        return opened

    monkeypatch.setattr(modeling_utils, "safe_open", cut)
    with pytest.raises(ModelFile) as caught:
        load(look(model))
    assert caught.value.values["flaw"] == "changed"

"""A real Llama from a GGUF file: all 270 heads against transformers eager, and a recording of a text; half a minute."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from conformance import transformers_eager
from tests.support.real_models import smollm2
from workings.api.recorded import Recorded
from workings.api.view import View
from workings.models.cache import PLACE
from workings.models.cells import rows_of
from workings.models.chunks import CHUNK, LONG
from workings.models.load import load, load_tokenizer
from workings.models.look import look
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.models.tokens import tokens_of
from workings.terms.address import Name

TEXT = "The cat ate because it was hungry, and the dog looked on. 小猫吃鱼。 " * 4


def test_every_head_is_that_of_eager() -> None:
    heads = transformers_eager.smollm2()
    assert len(heads) == 270
    assert [(head.name, head.problem) for head in heads if head.problem] == []


def test_a_text_is_recorded(tmp_path: Path) -> None:
    run = Recorded(record(smollm2(), tmp_path / "out", Wish(text=TEXT, layers=[0, 29])), View())
    assert "".join(run.tokens[:4]) == "Thecatatebecause"
    assert any(token["text"].startswith("<0x") for token in run.data()["tokens"][""])
    number = run.number("L29.H8.weight[40,12]")
    assert number.bound < 1e-12
    assert str(number.inputs[0].address) == "L29.H8.exp_shifted[40,12]"
    assert str(run.number("L29.H8.score[40,12]").inputs[1].address) == "L29.G2.K[12,0]"


def test_a_layer_is_reached_from_the_token_to_the_logits(tmp_path: Path) -> None:
    run = Recorded(record(smollm2(), tmp_path / "out", Wish(text=TEXT, layers=[0, 1, 29])), View())
    for address in ("L1.X[40,3]", "L0.H5.Q[40,12]", "L29.G2.K[12,7]", "L29.H8.V[3,5]", "L30.X[40,3]"):
        number = run.number(address)
        worked = float(number.data()["worked"])
        assert abs(worked - float(number)) < 1e-3 * max(1.0, abs(worked)), address
    assert run.number("embedding[3,5]").bound == 0
    assert run.number("L29.ffn_act[40,7]").bound < 1e-6
    best = run.number("logits[40,260]")
    assert best.bound < 1e-6
    assert best.inputs[0].address == "final_norm[40,0]"


def test_kept_weights_are_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = look(smollm2())
    direct, words = load(looked).model, load_tokenizer(looked)
    monkeypatch.setenv(PLACE, str(tmp_path / "cache"))
    tokenizer, kept = load_tokenizer(looked, cached=True), load(looked, cached=True).model
    right, found = dict(direct.named_parameters()), dict(kept.named_parameters())
    assert list(right) == list(found)
    assert all(torch.equal(right[name], found[name]) for name in right)
    assert direct.config.rope_parameters == kept.config.rope_parameters
    ids = words(TEXT)["input_ids"]
    assert tokenizer(TEXT)["input_ids"] == ids
    assert tokens_of(tokenizer, ids) == tokens_of(words, ids)
    (entry,) = (tmp_path / "cache").iterdir()
    assert not [path for path in entry.iterdir() if path.suffix in (".py", ".bin", ".pt")]


def test_a_long_text_in_chunks(tmp_path: Path) -> None:
    """A text of more than LONG tokens; each row of the last chunk is that of its recorded operands."""
    recording = Recording(record(smollm2(), tmp_path / "out", Wish(text=TEXT * 20, layers=[0, 29], heads=[0, 8])))
    assert recording.told["chunk"] == CHUNK
    layer = recording.layer(Name("", 29))
    count = layer["queries"]
    assert count > LONG
    rows, bounds = rows_of(recording, "L29.H8.weight", count - 3, count)
    top, keys = layer.rows("top_weights", 8)[-3:], layer.rows("top_keys", 8)[-3:]
    right, allowed = np.take_along_axis(rows, keys, 1), np.take_along_axis(bounds, keys, 1)
    relative = layer["rows"]["bounds"]["weight"][layer["heads"].index(8)]
    assert (np.abs(top - right) <= allowed + relative * right).all()

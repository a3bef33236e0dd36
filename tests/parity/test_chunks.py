"""A text run in chunks gives what it gives in one pass, and every row of a chunk looks at all its keys."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.support.tiny_models import build
from workings.api.recorded import Recorded
from workings.api.view import View
from workings.fast.streamed import attend
from workings.models.cells import spec_of
from workings.models.chunks import CHUNK, LONG, chunk_of
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.models.scores import NEAR
from workings.models.stream import stream_of, streams_of
from workings.models.summary import induced_keys
from workings.terms.errors import FileUnwritable
from workings.terms.model_errors import NotInChunks

DECODERS = (
    "llama", "mistral", "gpt2", "gpt_neox", "qwen2", "qwen3", "gemma2", "gemma3", "phi3", "opt", "gpt_oss",
    "deepseek_v3",
)  # fmt: skip
SINGLE = ("gpt_oss", "deepseek_v3")  # whose experts know no float64
REACHED = (
    "llama", "mistral", "gpt2", "gpt_neox", "qwen2", "qwen3", "gemma2", "gemma3", "phi3",
)  # fmt: skip  # whose layers are told whole
APART = ("tensors", "rows", "scores")
TOKENS = 23
IDS = np.random.default_rng(1).integers(3, 20, (1, TOKENS))


def _saved(family: str, folder: Path) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build(family).save_pretrained(folder / family)
    return folder / family


def _recorded(model: Path, out: Path, **wish: Any) -> Recording:
    return Recording(record(model, out, Wish(inputs={"input_ids": IDS}, **wish)))


def _tensors(recording: Recording) -> dict[str, Any]:
    """Q, K and V of every head, and what enters every layer."""
    operands = {
        f"{layer['address']} {name} {place}": layer.numbers(name, place)
        for layer in recording.layers.values()
        for name in ("q", "k", "v")
        for place in range(len(layer["heads" if name == "q" else "kv_heads"]))
    }
    return operands | {one["address"]: stream_of(recording, one["layer"]) for one in streams_of(recording)}


@pytest.mark.parametrize("family", DECODERS)
def test_the_same_numbers_as_in_one_pass(family: str, tmp_path: Path) -> None:
    """In float64 two layers of such weights part by a few thousand roundings of the largest number at the most."""
    model = _saved(family, tmp_path)
    whole = _recorded(model, tmp_path / "whole", dtype="float32" if family in SINGLE else "float64")
    parts = _recorded(model, tmp_path / "parts", dtype=whole.told["dtype"], chunk=7)
    assert [whole.told["chunk"], parts.told["chunk"]] == [None, 7]
    unit = 2.0**-53 if whole.told["dtype"] == "float64" else 2.0**-24
    right, found = _tensors(whole), _tensors(parts)
    assert list(right) == list(found)
    assert ("L2.X" in found) == (family in REACHED)
    for name, values in right.items():
        assert np.abs(found[name] - values).max() <= 4096 * unit * max(1.0, np.abs(values).max()), name
    for kind in ("layers", "streams"):
        for one, other in zip(whole.told[kind], parts.told[kind], strict=True):
            assert {n: one[n] for n in one if n not in APART} == {n: other[n] for n in other if n not in APART}


@pytest.mark.parametrize("family", REACHED)
def test_what_is_worked_is_near_what_came_in_chunks(family: str, tmp_path: Path) -> None:
    """Float32 numbers that a few hundred roundings made, from what entered their layer in one chunk or another."""
    run = Recorded(_recorded(_saved(family, tmp_path), tmp_path / "out", chunk=7).path, View())
    for address in ("L0.X[22,3]", "L1.X[6,3]", "L1.X[7,3]", "L2.X[22,31]", "L1.H2.Q[13,5]"):
        number = run.number(address)
        worked = float(number.data()["worked"])
        assert abs(worked - float(number)) < 1e-4 * max(1.0, abs(worked)), address


def test_keys_that_cannot_wait_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**where: Any) -> Any:
        raise OSError(28, "No space left on device")

    model = _saved("llama", tmp_path)
    monkeypatch.setattr("workings.models.chunks.tempfile.TemporaryFile", full)
    with pytest.raises(FileUnwritable, match="the disk is full"):
        _recorded(model, tmp_path / "out", chunk=7)
    assert [path.name for path in tmp_path.iterdir()] == ["llama"]


@pytest.mark.parametrize("family", ["llama", "mistral", "gpt_oss", "gemma2"])
@pytest.mark.parametrize("chunk", [1, 7, 22])
def test_every_row_is_that_of_its_own_operands(family: str, chunk: int, tmp_path: Path) -> None:
    """What was kept of rows in chunks, against one streamed attention over the whole recorded Q, K and V."""
    recording = _recorded(_saved(family, tmp_path), tmp_path / "out", chunk=chunk)
    keys = torch.from_numpy(induced_keys(IDS[0].tolist()))
    for layer in recording.layers.values():
        q, k, v = (
            torch.from_numpy(np.stack([layer.held(name, place).held for place in range(count)]))
            for name, count in (("q", 4), ("k", layer["kv_head_count"]), ("v", layer["kv_head_count"]))
        )
        sinks = layer.told["sinks"]
        found = attend(
            q,
            k,
            v,
            spec_of(layer),
            mass_on=("first", "previous", "self"),
            mass_at={"induction": keys},
            near=NEAR,
            mean_distance=True,
            sinks=None if sinks is None else torch.tensor(sinks),
        )
        rows = {
            "sink": found.mass["first"],
            "distance": found.mean_distance,
            "lse": found.lse,
            "entropy": found.entropy,
        }
        rows |= {name: found.mass[name] for name in ("previous", "self", "near", "induction")}
        for head in range(4):
            bounds = {name: values[head] for name, values in layer["rows"]["bounds"].items()}
            for name, values in rows.items():
                assert values is not None
                right, kept = values[head].numpy(), layer.rows(name, head)
                bound = bounds[name] if name in bounds else bounds["weight"] * np.abs(right)
                assert (np.abs(kept - right) <= 2 * bound + 1e-12).all(), name


def test_chosen_layers_and_heads_in_chunks(tmp_path: Path) -> None:
    model = _saved("llama", tmp_path)
    whole = _recorded(model, tmp_path / "whole", chunk=5)
    some = _recorded(model, tmp_path / "some", chunk=5, layers=[1], heads=[3])
    assert [str(place) for place in some.layers] == ["L1."]
    (layer,) = some.layers.values()
    other = whole.layers[layer.place]
    assert np.array_equal(layer.numbers("q", 0), other.numbers("q", 3))
    assert np.array_equal(layer.numbers("k", 0), other.numbers("k", 1))
    assert np.array_equal(layer.rows("lse", 3), other.rows("lse", 3))
    assert layer["scores"]["sink"] == [other["scores"]["sink"][3]]


@pytest.mark.parametrize("family", ["bert", "t5", "vit", "bloom"])
def test_models_that_cannot(family: str, tmp_path: Path) -> None:
    from tests.support.tiny_models import inputs_of

    given = {name: values.numpy() for name, values in inputs_of(family, 12).items()}
    with pytest.raises(NotInChunks):
        record(_saved(family, tmp_path), tmp_path / "out", Wish(inputs=given, chunk=1))
    assert not (tmp_path / "out").exists()


def test_which_chunks_a_text_is_run_in() -> None:
    assert chunk_of(None, LONG, possible=True) is None
    assert chunk_of(None, LONG + 1, possible=True) == CHUNK
    assert chunk_of(None, LONG + 1, possible=False) is None
    assert chunk_of(0, 10 * LONG, possible=True) is None
    assert chunk_of(8, 9, possible=True) == 8
    assert chunk_of(9, 9, possible=True) is None

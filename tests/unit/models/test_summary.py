"""What is recorded of every row and every head, against plain numpy over the whole matrix of weights."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_models import build, inputs_of
from workings.models.cells import rows_of
from workings.models.record import Wish, record
from workings.models.recording import Layer, Recording
from workings.models.scores import SCORES, TOP, bound_of
from workings.models.summary import induced_keys
from workings.terms.address import Name
from workings.terms.files import RECORDING
from workings.terms.model_errors import NotRecorded, RecordingDamaged

FAMILIES = ("llama", "bert", "t5", "vit", "gpt_oss", "bloom", "mistral", "gemma2")
IDS = [5, 6, 7, 5, 6, 8, 8, 8, 5, 7, 6, 5]


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recording]:
    """Models of random weights, run over a text in which tokens occur again."""
    folder, found = tmp_path_factory.mktemp("summaries"), dict[str, Recording]()
    for family in FAMILIES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            build(family).save_pretrained(folder / family)
        given: dict[str, Any] = {name: values.numpy() for name, values in inputs_of(family, len(IDS)).items()}
        for name in ("input_ids", "decoder_input_ids"):
            if name in given:
                given[name] = np.array([IDS[: given[name].shape[1]]])
        found[family] = Recording(record(folder / family, folder / f"{family}-out", Wish(inputs=given)))
    return found


# --- the oracle ------------------------------------------------------------------------------------------------------


def _plain(weight: Any, sink: Any, ids: list[int] | None, cross: bool) -> dict[str, Any]:
    """Every number of a row, straight from its definition; own keys are the queries' own places."""
    queries, keys = weight.shape
    entropy = -sum(np.where(part > 0, part * np.log(np.where(part > 0, part, 1)), 0).sum(1) for part in (weight, sink))
    found: dict[str, Any] = {"entropy": entropy, "sink": weight[:, 0]}
    if cross:
        return found
    far = abs(np.arange(keys) - np.arange(queries)[:, None])
    found["previous"] = np.array([weight[i, i - 1] if i else 0 for i in range(queries)])
    found["self"] = weight.diagonal()
    found["near"] = (weight * (far <= 8)).sum(1)
    found["distance"] = (weight * far).sum(1)
    if ids is not None:
        found["induction"] = np.array([_induction(weight[i], ids, i) for i in range(queries)])
    return found


def _induction(row: Any, ids: list[int], query: int) -> float:
    before = [place for place in range(query - 1) if ids[place] == ids[query]]
    return float(row[before[-1] + 1]) if before else 0.0


def _score(name: str, values: Any, ids: list[int] | None, cross: bool) -> float | None:
    first = {"sink": 0 if cross else 1, "previous": 1}.get(name, 0)
    count = list(range(first, len(values)))
    if name == "induction":
        assert ids is not None
        count = [place for place in count if ids[place] in ids[: max(0, place - 1)]]
    return float(np.mean(values[count])) if count else None


def _weights(recording: Recording, layer: Layer, head: int) -> tuple[Any, Any]:
    """The weights by the declared steps in float64, and the sink's share."""
    weight, _ = rows_of(recording, str(layer.place._replace(head=head, name="weight")), 0, layer["queries"])
    sink = np.zeros((len(weight), 1)) if layer.told.get("sinks") is None else (1 - weight.sum(1, keepdims=True)).clip(0)
    return weight, sink


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_and_scores_are_what_plain_numpy_gives(family: str, recordings: dict[str, Recording]) -> None:
    recording = recordings[family]
    for layer in recording.layers.values():
        known = [token["id"] for token in recording.told["tokens"].get(layer["part"], [])]
        ids = known if len(known) == layer["keys"] and not layer["cross"] else None
        for place, head in enumerate(layer["heads"]):
            weight, sink = _weights(recording, layer, head)
            bounds = {name: values[place] for name, values in layer["rows"]["bounds"].items()}
            rows = _plain(weight, sink, ids, layer["cross"])
            assert {name for name in SCORES if layer.rows(name, head) is not None} == set(rows)
            for name, right in rows.items():
                off = abs(layer.rows(name, head) - right)
                slack = bounds["entropy"] if name == "entropy" else bounds["weight"] * right
                assert (off <= slack + 1e-12).all(), (name, off.max())
                score = layer["scores"][name][place]
                mean = _score(name, right, ids, layer["cross"])
                assert (score is None) == (mean is None)
                if score is not None and mean is not None:
                    bound = bound_of(name, score, bounds)
                    assert bound is not None
                    assert abs(score - mean) <= bound + 1e-12
            _largest(layer, head, weight, bounds)


def _largest(layer: Layer, head: int, weight: Any, bounds: dict[str, float]) -> None:
    values, keys = layer.rows("top_weights", head), layer.rows("top_keys", head)
    count = min(TOP, weight.shape[1])
    right = -np.sort(-weight, 1)[:, :count]
    assert (abs(values[:, :count] - right) <= bounds["weight"] * right + 1e-12).all()
    there = keys >= 0
    named = np.take_along_axis(weight, keys.clip(0), 1)
    assert (abs(values - named)[there] <= (bounds["weight"] * named + 1e-12)[there]).all()
    assert (values[~there] == 0).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_log_sum_exp_is_that_of_the_steps(family: str, recordings: dict[str, Recording]) -> None:
    recording = recordings[family]
    for layer in recording.layers.values():
        for place, head in enumerate(layer["heads"]):
            right, bound = rows_of(recording, str(layer.place._replace(head=head, name="lse")), 0, layer["queries"])
            off = abs(layer.rows("lse", head) - right)
            assert layer.rows("lse", head).dtype == np.float64
            assert (off <= layer["rows"]["bounds"]["lse"][place] + bound).all()


def test_what_follows_a_token_where_it_stood_before() -> None:
    assert induced_keys([1, 2, 1, 2, 3, 3, 3, 1]).tolist() == [-1, -1, 1, 2, -1, -1, 5, 3]
    assert induced_keys([]).tolist() == []


def test_a_head_that_copies_has_the_highest_induction(recordings: dict[str, Recording]) -> None:
    """Were every weight on the key after the token's last occurrence, the score would be 1."""
    ids = [token["id"] for token in recordings["llama"].told["tokens"][""]]
    keys = induced_keys(ids)
    perfect = np.zeros((len(ids), len(ids)))
    perfect[np.arange(len(ids)), keys.clip(0)] = 1
    values = np.array([_induction(perfect[i], ids, i) for i in range(len(ids))])
    assert _score("induction", values, ids, cross=False) == 1


# --- where they are kept ---------------------------------------------------------------------------------------------


def test_a_damaged_file_of_rows_is_noticed(tmp_path: Path, recordings: dict[str, Recording]) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for path in Path(recordings["llama"].path).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    path = folder / "L1.rows.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    layer = Recording(folder).layer(Name("", 1))
    names = sorted(layer["rows"]["tensors"], key=lambda name: layer["rows"]["tensors"][name]["begin"])
    layer.rows(names[0], 0)
    with pytest.raises(RecordingDamaged):
        layer.rows(names[-1], 3)
    with pytest.raises(NotRecorded):
        layer.rows("lse", 4)
    assert layer.rows("nothing", 0) is None


def test_an_index_with_odd_rows_is_refused(tmp_path: Path, recordings: dict[str, Recording]) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    told = json.loads((Path(recordings["llama"].path) / RECORDING).read_text(encoding="utf-8"))
    first = told["layers"][0]
    rows, scores = first["rows"], first["scores"]
    odd: list[dict[str, Any]] = [
        {"rows": 3},
        {"rows": {**rows, "file": "../x"}},
        {"rows": {**rows, "tensors": {"lse": {**rows["tensors"]["lse"], "shape": [4, 3]}}}},
        {"scores": None},
        {"scores": {**scores, "entropy": [1.0]}},
        {"scores": {**scores, "entropy": ["1"] * 4}},
    ]
    for change in odd:
        changed = {**told, "layers": [{**first, **change}, *told["layers"][1:]]}
        (folder / RECORDING).write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(RecordingDamaged):
            Recording(folder)
    without = {**told, "layers": [{n: v for n, v in first.items() if n not in ("rows", "scores")}]}
    (folder / RECORDING).write_text(json.dumps(without), encoding="utf-8")
    assert Recording(folder).layer(Name("", 0)).rows("lse", 0) is None


def test_scores_of_weights_that_are_no_numbers(tmp_path: Path) -> None:
    import torch

    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        model = build("llama")
        model.layers[0].self_attn.q_proj.weight[0, 0] = float("nan")
        model.save_pretrained(tmp_path / "model")
    recording = Recording(record(tmp_path / "model", tmp_path / "out", Wish(inputs={"input_ids": np.array([IDS])})))
    assert recording.layer(Name("", 0))["scores"]["entropy"][0] is None
    assert recording.layer(Name("", 0))["scores"]["entropy"][3] is not None

"""What does not fit is refused before it begins, with a choice that fits."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_models import build
from workings.models import room
from workings.models.record import Heard, Wish, record
from workings.models.recording import Recording
from workings.models.sizes import Estimate
from workings.render.words import Words
from workings.terms.model_errors import ModelTooLarge, NoRoom

IDS = np.arange(3, 43)[None]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama of random weights: 2 layers of 4 heads."""
    folder = tmp_path_factory.mktemp("model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build("llama").save_pretrained(folder)
    return folder


def _free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(room, "free_disk", lambda folder: size + room.SPARE)


def test_the_estimate_is_what_is_written(model: Path, tmp_path: Path) -> None:
    found: list[Estimate] = []
    folder = record(model, tmp_path / "out", Wish(inputs={"input_ids": IDS}), heard=Heard(estimated=found.append))
    recording = Recording(folder)
    written = sum(layer["bytes"] + layer["rows"]["bytes"] for layer in recording.layers.values())
    streams = recording.told["streams"]
    written += sum(stream["bytes"] for stream in streams)
    headers = (2 * len(recording.layers) + len(streams)) * 2048
    assert 0 <= written - found[0].bytes <= headers


@pytest.mark.parametrize(
    ("part", "way"), [(0.9, "--layers 0"), (0.5, "--layers 0 --heads 0-2"), (0.3, "--layers 0 --heads 0"), (0.2, "")]
)
def test_a_disk_without_room(
    part: float, way: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Estimate] = []
    wish: dict[str, Any] = {"inputs": {"input_ids": IDS}}
    record(model, tmp_path / "whole", Wish(**wish), heard=Heard(estimated=found.append))
    _free(monkeypatch, int(part * found[0].bytes))
    with pytest.raises(NoRoom) as caught:
        record(model, tmp_path / "out", Wish(**wish))
    assert caught.value.values["way"] == way
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    for lang in ("en", "zh"):
        assert way in Words(lang).error(caught.value)
    if way:
        chosen: dict[str, Any] = {
            "layers": [0],
            "heads": {"--layers 0": None, "--layers 0 --heads 0": [0]}.get(way, [0, 1, 2]),
        }
        assert Recording(record(model, tmp_path / "out", Wish(**wish, **chosen))).layers


def test_a_model_that_memory_cannot_hold(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for there, way in ((3 * 2**14, "--dtype bfloat16"), (10, "")):
        monkeypatch.setattr(room, "free_memory", lambda there=there: there)
        with pytest.raises(ModelTooLarge) as caught:
            record(model, tmp_path / "out", Wish(inputs={"input_ids": IDS}))
        assert caught.value.values["way"] == way
        for lang in ("en", "zh"):
            assert str(model) in Words(lang).error(caught.value)
    monkeypatch.setattr(room, "free_memory", lambda: None)  # where the system does not say, nothing is refused
    record(model, tmp_path / "out", Wish(inputs={"input_ids": IDS}))


def test_numbers_as_options_take_them() -> None:
    cases: dict[str, Sequence[int]] = {"": [], "3": [3], "0-2,5,7-8": [0, 1, 2, 5, 7, 8], "0-3": range(4)}
    for text, numbers in cases.items():
        assert room.spelled(numbers) == text


def test_free_room_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    assert room.free_disk(str(tmp_path / "a" / "b")) > 0
    there = room.free_memory()
    assert there is None or there > 0

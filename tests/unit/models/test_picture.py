"""Tiles and blocks of a head's weights against plain numpy over the whole matrix."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_models import build, inputs_of
from workings.fast import pyramid
from workings.models.cells import rows_of
from workings.models.picture import Picture
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.terms.address import Name
from workings.terms.errors import BadCount, IndexOutside
from workings.terms.model_errors import NotRecorded

UNDERFLOW = 2.0**-126  # below it, float32 has no normal numbers
TOKENS = 61  # a whole number of blocks, and a rest
FAMILIES = ("llama", "bert", "t5", "gpt_oss", "bloom", "mistral", "gemma2")


def _recording(family: str, folder: Path, **wish: Any) -> Recording:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build(family).save_pretrained(folder / "model")
    given = {name: values.numpy() for name, values in inputs_of(family, TOKENS).items()}
    return Recording(record(folder / "model", folder / "out", Wish(inputs=given, **wish)))


def _blocks(weights: Any, size: int) -> tuple[Any, Any]:
    """One block after the other."""
    rows, columns = (-(-count // size) for count in weights.shape)
    maxima, sums = np.zeros((rows, columns)), np.zeros((rows, columns))
    for row in range(rows):
        for column in range(columns):
            block = weights[row * size : (row + 1) * size, column * size : (column + 1) * size]
            maxima[row, column], sums[row, column] = block.max(), block.sum()
    return maxima, sums


@pytest.mark.parametrize("strip", [1, 2**21])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_block_is_its_largest_weight_and_their_sum(
    family: str, strip: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyramid, "STRIP", strip)
    recording = _recording(family, tmp_path)
    for place, layer in recording.layers.items():
        picture = Picture(recording, place, 2)
        weights, bounds = rows_of(recording, str(place._replace(head=2, name="weight")), 0, layer["queries"])
        relative = layer["rows"]["bounds"]["weight"][2] + 260 * 2.0**-24
        for level, size in ((1, 16), (2, 256)):
            maxima, sums = _blocks(weights, size)
            slack = _blocks(bounds, size)
            found, total = picture.pyramid(level)
            assert found.shape == maxima.shape
            assert (abs(found - maxima) <= slack[0] + relative * maxima + UNDERFLOW).all()
            assert (abs(total - sums) <= slack[1] + relative * sums + size**2 * UNDERFLOW).all()
        tile = picture.tile(range(3, 20), range(5, 40))
        slack = bounds[3:20, 5:40] + relative * weights[3:20, 5:40] + UNDERFLOW
        assert (abs(tile - weights[3:20, 5:40]) <= slack).all()


@pytest.mark.parametrize("dtype", ["bfloat16", "float64"])
def test_other_types(dtype: str, tmp_path: Path) -> None:
    recording = _recording("llama", tmp_path, dtype=dtype, heads=[1, 3])
    weights, _ = rows_of(recording, "L1.H3.weight", 0, TOKENS)
    picture = Picture(recording, Name("", 1), 3)
    assert np.allclose(picture.tile(range(TOKENS), range(TOKENS)), weights, rtol=1e-3, atol=1e-12)
    assert np.allclose(picture.pyramid(1)[0], _blocks(weights, 16)[0], rtol=1e-3, atol=1e-12)


def test_a_lone_weight_is_seen_at_every_zoom(tmp_path: Path) -> None:
    picture = Picture(_recording("llama", tmp_path), Name("", 0), 0)
    largest = picture.pyramid(1)[0].max()
    assert picture.pyramid(2)[0].max() == largest
    assert picture.pyramid(5)[0].shape == (1, 1)
    assert picture.pyramid(5)[0][0, 0] == largest
    assert picture.pyramid(3)[1].sum() == pytest.approx(TOKENS, rel=1e-4)  # every row adds up to 1


def test_what_there_is_not(tmp_path: Path) -> None:
    recording = _recording("llama", tmp_path, heads=[0])
    picture = Picture(recording, Name("", 0), 0)
    with pytest.raises(BadCount):
        picture.pyramid(0)
    with pytest.raises(IndexOutside):
        picture.tile(range(60, 62), range(3))
    with pytest.raises(NotRecorded):
        Picture(recording, Name("", 0), 1)

"""Arrays in place of a text: what no model can read is refused in one line before the model runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from tests.support.tiny_models import build
from tests.unit.cli.command import here
from workings.models.load import library

BAD: dict[str, tuple[Any, str]] = {
    "beyond the vocabulary": ([[3, 64]], "64"),
    "negative": ([[-1, 3]], "-1"),
    "not whole": ([[1.5, 2.5]], "1.5"),
    "without a batch": ([1, 2], "2"),
    "a batch of two": ([[1, 2], [3, 4]], "2 × 2"),
    "empty": (np.zeros((1, 0), np.int64), "1 × 0"),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small Llama."""
    folder = tmp_path_factory.mktemp("given") / "model"
    with library():  # quiet
        build("llama").save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", BAD)
def test_refused(name: str, lang: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values, named = BAD[name]
    save_file({"input_ids": np.asarray(values)}, tmp_path / "inputs.safetensors")
    out = tmp_path / "out"
    done = here(
        capsys, "trace", model, "--inputs", str(tmp_path / "inputs.safetensors"), "-o", str(out), "--lang", lang
    )
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "input_ids" in done.err
    assert named in done.err.replace("\u2212", "-")
    assert not out.exists()


def test_any_whole_type_will_do(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_file({"input_ids": np.ones((1, 3), np.uint16)}, tmp_path / "inputs.safetensors")
    done = here(capsys, "trace", model, "--inputs", str(tmp_path / "inputs.safetensors"), "-o", str(tmp_path / "out"))
    assert done.code == 0

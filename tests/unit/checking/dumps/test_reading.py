"""Good dumps: every type, order and way of writing, and numbers that are not finite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.support.dumps import safetensors
from workings.checking.dumps.files import read_dump, read_options
from workings.render.words import Words
from workings.terms.errors import BadTensorFile, TensorType

VALUES = np.array([[1.0, -0.5], [np.nan, np.inf]])


@pytest.mark.parametrize(("dtype", "name"), [("<f4", "F32"), ("<f8", "F64"), ("<f2", "F16")])
def test_floating_types(dtype: str, name: str, tmp_path: Path) -> None:
    dump = read_dump(safetensors(tmp_path / "a", {"Q": (name, VALUES.astype(dtype))}, {"workings": '{"rope": "none"}'}))
    np.testing.assert_array_equal(dump.tensors["Q"].numbers(), VALUES)
    assert dump.options == {"rope": "none"}


def test_bfloat16_is_widened_without_loss(tmp_path: Path) -> None:
    bits = (VALUES.astype(np.float32).view(np.uint32) >> 16).astype("<u2")
    tensor = read_dump(safetensors(tmp_path / "a", {"Q": ("BF16", bits)})).tensors["Q"]
    assert tensor.dtype == "bfloat16"
    np.testing.assert_array_equal(tensor.numbers(slice(0, 1)), VALUES[:1])


def test_names_are_data_and_nothing_else(tmp_path: Path) -> None:
    name = "../../etc/passwd<script>"
    dump = read_dump(safetensors(tmp_path / "a", {name: ("F32", np.zeros((2, 2), np.float32))}))
    assert list(dump.tensors) == [name]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz(save: Any, tmp_path: Path) -> None:
    large, turned = np.arange(300_000.0), np.asfortranarray(VALUES)
    save(tmp_path / "a.npz", large=large, turned=turned, swapped=VALUES.astype(">f4"), workings='{"causal": "none"}')
    dump = read_dump(tmp_path / "a.npz")
    np.testing.assert_array_equal(dump.tensors["large"].numbers(), large)
    np.testing.assert_array_equal(dump.tensors["turned"].numbers(), VALUES)
    np.testing.assert_array_equal(dump.tensors["swapped"].numbers(), VALUES)
    assert (dump.tensors["swapped"].dtype, dump.options) == ("float32", {"causal": "none"})


def test_npz_with_texts_elsewhere(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", Q=np.array("hello"))
    with pytest.raises(BadTensorFile):
        read_dump(tmp_path / "a.npz")


def test_arrays_in_memory() -> None:
    dump = read_dump({"Q": VALUES.astype(np.float16), "workings": {"layout": "bthd"}})
    assert (dump.tensors["Q"].dtype, dump.options) == ("float16", {"layout": "bthd"})
    np.testing.assert_array_equal(dump.tensors["Q"].numbers(0), [1, -0.5])


def test_tensors_of_torch_in_bfloat16_with_gradients_and_turned() -> None:
    values = torch.tensor(VALUES, dtype=torch.bfloat16)
    tensors = read_dump({"Q": values.t(), "K": torch.tensor(VALUES, requires_grad=True), "V": VALUES.tolist()}).tensors
    assert [tensors[name].dtype for name in "QKV"] == ["bfloat16", "float64", "float64"]
    np.testing.assert_array_equal(tensors["Q"].numbers(), VALUES.T)
    np.testing.assert_array_equal(tensors["Q"].numbers(0, slice(1, None)), VALUES.T[0, 1:])
    np.testing.assert_array_equal(tensors["K"].numbers(), VALUES)


@pytest.mark.parametrize("kind", ["sparse", "meta", "ragged"])
def test_what_holds_no_numbers_in_memory_is_refused(kind: str) -> None:
    values = {"sparse": torch.eye(2).to_sparse(), "meta": torch.zeros(2, device="meta"), "ragged": [[1.0, 2.0], [3.0]]}
    with pytest.raises(TensorType) as refused:
        read_dump({"Q": values[kind]})
    assert "Q" in Words("zh").error(refused.value)


def test_options_beside_the_dump(tmp_path: Path) -> None:
    (tmp_path / "options.json").write_text('{"window": [3, 0]}', encoding="utf-8")
    assert read_options(tmp_path / "options.json") == {"window": [3, 0]}

"""Bad files get their own error, quickly, and nothing in them is ever run."""

from __future__ import annotations

import pickle
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.hostile import BAD_NPZ, BAD_SAFETENSORS, FINE, UNSAFE, archive, npz_bomb
from tests.support.outcomes import read_or_told, told_in_every_language
from tests.support.tensor_files import ONE, safetensors
from workings.checking.dumps.files import Dump, read_dump, read_options
from workings.terms.errors import (
    BadTensorFile,
    FileError,
    FileMissing,
    FileUnreadable,
    NotTensors,
    OptionsNotRead,
    TensorFileTooLarge,
    UnsafeFile,
)

BAD: dict[str, tuple[bytes, type[FileError], str]] = {
    **{name: (data, BadTensorFile, flaw) for name, (data, flaw) in BAD_SAFETENSORS.items()},
    "options": (safetensors({"__metadata__": {"workings": "{"}, **ONE}, b"\0" * 16), OptionsNotRead, "options"),
}


def _write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", BAD)
def test_badsafetensors(name: str, tmp_path: Path) -> None:
    data, error, flaw = BAD[name]
    path = _write(tmp_path, "a.safetensors", data)
    with pytest.raises(error) as caught:
        read_dump(path)
    assert caught.value.values["flaw"] == flaw
    assert str(path) in (caught.value.values.get("path"), caught.value.where)
    assert caught.value.exit_code == 3
    told_in_every_language(caught.value)


def test_long_header_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", 99_000_000) + b'{"__metadata__":{"x":"')
        file.truncate(99_000_008)
    tracemalloc.start()
    with pytest.raises(TensorFileTooLarge):
        read_dump(path)
    assert tracemalloc.get_traced_memory()[1] < 1024**2
    tracemalloc.stop()


def test_more_tensors_than_anyone_needs(tmp_path: Path) -> None:
    header = {f"{i:x}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(100_001)}
    with pytest.raises(TensorFileTooLarge):
        read_dump(_write(tmp_path, "a.safetensors", safetensors(header)))


# --- what could run code -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".safetensors", ".npz", ".pt", ".bin", ".pkl", ""])
@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_kinds_are_refused_whatever_their_name(
    name: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def called(*_: Any, **__: Any) -> Any:
        raise AssertionError("an unpickler was called")

    data, kind = UNSAFE[name]
    path = _write(tmp_path, f"a{suffix}", data)
    for module, names in ((pickle, ("load", "loads", "Unpickler")), (np, ("load",)), (np.lib.format, ("read_array",))):
        for function in names:
            monkeypatch.setattr(module, function, called)
    with pytest.raises(UnsafeFile) as caught:
        read_dump(path)
    assert caught.value.values["kind"] == kind
    assert capfd.readouterr().out == ""


# --- npz -----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", BAD_NPZ)
def test_bad_npz(name: str, tmp_path: Path) -> None:
    data, flaw = BAD_NPZ[name]
    with pytest.raises(BadTensorFile) as caught:
        read_dump(_write(tmp_path, "a.npz", data))
    assert caught.value.values["flaw"] == flaw
    told_in_every_language(caught.value)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_npz_with_a_name_twice(tmp_path: Path) -> None:
    with pytest.raises(BadTensorFile):
        read_dump(_write(tmp_path, "a.npz", archive(("a.npy", FINE), ("a.npy", FINE))))


def test_npz_with_too_many_members(tmp_path: Path) -> None:
    with pytest.raises(TensorFileTooLarge):
        read_dump(_write(tmp_path, "a.npz", archive(*((f"{i}.npy", b"") for i in range(10_001)))))


def test_npz_bomb_is_refused_from_its_declared_sizes(tmp_path: Path) -> None:
    path = npz_bomb(tmp_path)
    tracemalloc.start()
    with pytest.raises(TensorFileTooLarge) as caught:
        read_dump(path)
    assert tracemalloc.get_traced_memory()[1] < 1024**2
    tracemalloc.stop()
    assert caught.value.values["counted"] == "ratio"


# --- other files ---------------------------------------------------------------------------------------------------


def test_missing_folder_and_nonsense(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        read_dump(tmp_path / "none.npz")
    with pytest.raises(FileUnreadable):
        read_dump(tmp_path)
    with pytest.raises(FileUnreadable):
        read_dump("a\0.npz")
    with pytest.raises(NotTensors):
        read_dump(_write(tmp_path, "a.txt", b"0.417, 0.221, 0.362"))


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1, "a": 2}', "{" * 10_000, '{"a": "' + "x" * 2**20 + '"}'])
def test_bad_options_file(text: str, tmp_path: Path) -> None:
    with pytest.raises((OptionsNotRead, TensorFileTooLarge)):
        read_options(_write(tmp_path, "options.json", text.encode()))


def sound(dump: Dump, path: Path) -> None:
    """Every tensor of a file that may be damaged lies in it, and can be read as numbers from end to end."""
    for name, tensor in dump.tensors.items():
        assert tensor.name == name
        assert tensor.held.nbytes <= path.stat().st_size
        assert tensor.numbers().shape == tensor.shape
    again = read_dump(path)
    assert again.tensors.keys() == dump.tensors.keys()
    for name, tensor in dump.tensors.items():
        np.testing.assert_array_equal(again.tensors[name].held, tensor.held)
    assert again.options == dump.options


@settings(deadline=None)
@given(data=st.binary(max_size=300), start=st.sampled_from([b"", b"PK\x03\x04", struct.pack("<Q", 40) + b"{", FINE]))
def test_no_bytes_get_anything_but_our_errors(data: bytes, start: bytes, tmp_path_factory: Any) -> None:
    path = _write(tmp_path_factory.getbasetemp(), "fuzz.npz", start + data)
    dump = read_or_told(lambda: read_dump(path))
    if dump is not None:
        sound(dump, path)


@settings(deadline=None, max_examples=200)
@given(place=st.integers(0, 10**6), value=st.integers(0, 255), which=st.booleans(), keep=st.integers(0, 10**6))
def test_no_changed_byte_gets_anything_but_our_errors(
    place: int, value: int, which: bool, keep: int, tmp_path_factory: Any
) -> None:
    good = archive(("Q.npy", FINE), ("K.npy", FINE)) if which else safetensors(ONE, b"\0" * 16)
    data = bytearray(good)
    data[place % len(data)] = value
    cut = data if keep % 3 else data[: keep % len(data)]
    path = _write(tmp_path_factory.getbasetemp(), "changed.npz", bytes(cut))
    dump = read_or_told(lambda: read_dump(path))
    if dump is not None:
        sound(dump, path)

"""Bad files get their own error, quickly, and nothing in them is ever run."""

from __future__ import annotations

import io
import pickle
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.outcomes import read_or_told, told_in_every_language
from tests.support.tensor_files import GOOD, ONE, Evil, entry, safetensors
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

TWICE = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
NOT_UTF8 = b'{"\xff\xfe":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
BAD_SAFETENSORS: dict[str, tuple[bytes, type[FileError], str]] = {
    "length-2^63": (safetensors(ONE, b"\0" * 16, 2**63), BadTensorFile, "header-length"),
    "length-past-the-end": (safetensors(ONE, b"\0" * 16, 10_000), BadTensorFile, "header-length"),
    "empty-header": (safetensors(b""), BadTensorFile, "header-length"),
    "seven-bytes": (b"\0" * 7, BadTensorFile, "short"),
    "empty": (b"", BadTensorFile, "short"),
    "not-json": (safetensors(b'{"a":'), BadTensorFile, "header-json"),
    "not-utf8": (safetensors(NOT_UTF8, b"\0" * 4), BadTensorFile, "header-utf8"),
    "deep": (safetensors(b"[" * 100_000), BadTensorFile, "header-deep"),
    "list": (safetensors(b"[]"), BadTensorFile, "header-table"),
    "no-shape": (safetensors({"a": {"dtype": "F32"}}), BadTensorFile, "header-table"),
    "overlap": (safetensors({"a": entry(0, 16), "b": entry(8, 24)}, b"\0" * 24), BadTensorFile, "overlap"),
    "hole": (safetensors({"a": entry(0, 16), "b": entry(32, 48)}, b"\0" * 48), BadTensorFile, "hole"),
    "trailing": (safetensors(ONE, b"\0" * 99), BadTensorFile, "trailing"),
    "past-the-end": (safetensors({"a": entry(0, 1600, (20, 20))}, b"\0" * 16), BadTensorFile, "offsets"),
    "backwards": (safetensors({"a": entry(16, 0)}, b"\0" * 16), BadTensorFile, "offsets"),
    "size": (safetensors({"a": entry(0, 16, (3, 3))}, b"\0" * 16), BadTensorFile, "size"),
    "product-wraps": (safetensors({"a": entry(0, 0, (2**32, 2**32))}), BadTensorFile, "size"),
    "nothing-times-huge": (safetensors({"a": entry(0, 0, (0, 2**63 - 1))}), BadTensorFile, "shape"),
    "past-2^63": (safetensors({"a": entry(0, 0, (0, 2**63))}), BadTensorFile, "shape"),
    "negative": (safetensors({"a": entry(0, 16, (-2, -2))}, b"\0" * 16), BadTensorFile, "shape"),
    "true-as-size": (safetensors({"a": entry(0, 4, (True,))}, b"\0" * 4), BadTensorFile, "shape"),
    "unknown-type": (safetensors({"a": entry(0, 16, dtype="PICKLE")}, b"\0" * 16), BadTensorFile, "dtype"),
    "twice": (safetensors(TWICE, b"\0" * 8), BadTensorFile, "duplicate"),
    "metadata": (safetensors({"__metadata__": {"x": 1}, **ONE}, b"\0" * 16), BadTensorFile, "metadata"),
    "options": (safetensors({"__metadata__": {"workings": "{"}, **ONE}, b"\0" * 16), OptionsNotRead, "options"),
}


def _write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", BAD_SAFETENSORS)
def test_bad_safetensors(name: str, tmp_path: Path) -> None:
    data, error, flaw = BAD_SAFETENSORS[name]
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


def _zip(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def _npy(array: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


UNSAFE = {
    **{f"pickle-{protocol}": (pickle.dumps(Evil(), protocol), "pickle") for protocol in range(6)},
    "pickle-dictionary-0": (pickle.dumps({"Q": Evil()}, 0), "pickle"),
    "pickle-dictionary-1": (pickle.dumps({"Q": Evil()}, 1), "pickle"),
    "torch": (_zip(("archive/data.pkl", pickle.dumps(Evil())), ("archive/version", b"3")), "torch"),
    "zip": (_zip(("readme.txt", b"hello")), "archive"),
    "object-array": (_npy(np.array([Evil()], dtype=object)), "npy"),
    "object-array-in-npz": (_zip(("Q.npy", _npy(np.array([Evil()], dtype=object)))), "objects"),
    "gguf": (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "gguf"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "hdf5"),
}


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


def _header(descr: str, shape: tuple[int, ...]) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": descr, "fortran_order": False, "shape": shape})
    return out.getvalue()


FINE = _npy(np.zeros((2, 2), np.float32))


def _changed(data: bytes, change: Callable[[bytearray], None]) -> bytes:
    out = bytearray(data)
    change(out)
    return bytes(out)


def _encrypt(data: bytearray) -> None:
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1


def _lzma(data: bytearray) -> None:
    place = data.index(b"PK\x01\x02")
    data[place + 10] = 14


def _flip(data: bytearray) -> None:
    data[data.index(b"NUMPY") + 140] ^= 1


BAD_NPZ: dict[str, tuple[bytes, str]] = {
    "parent": (_zip(("../../a.npy", FINE)), "member-name"),
    "absolute": (_zip(("/etc/a.npy", FINE)), "member-name"),
    "backslash": (_zip(("..\\a.npy", FINE)), "member-name"),
    "other-member": (_zip(("a.npy", FINE), ("b.txt", b"")), "member-name"),
    "encrypted": (_changed(_zip(("a.npy", FINE)), _encrypt), "encrypted"),
    "compression": (_changed(_zip(("a.npy", FINE)), _lzma), "compression"),
    "truncated": (_zip(("a.npy", FINE))[:-30], "zip"),
    "cut-in-the-middle": (_zip(("a.npy", FINE), ("b.npy", FINE))[:200], "zip"),
    "checksum": (_changed(_zip(("a.npy", FINE)), _flip), "checksum"),
    "no-npy": (_zip(("a.npy", b"hello")), "npy-header"),
    "huge": (_zip(("a.npy", _header("<f8", (10**9, 10**9)))), "size"),
    "negative": (_zip(("a.npy", _header("<f8", (-1, -1)) + b"\0" * 8)), "shape"),
    "short": (_zip(("a.npy", FINE[:-4])), "size"),
    "void": (_zip(("a.npy", _npy(np.zeros(2, "V4")))), "dtype"),
    "complex": (_zip(("a.npy", _npy(np.zeros(2, "c8")))), "dtype"),
    "long-header": (_zip(("a.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", 10**6) + b" " * 10**6)), "npy-header"),
}


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
        read_dump(_write(tmp_path, "a.npz", _zip(("a.npy", FINE), ("a.npy", FINE))))


def test_npz_with_too_many_members(tmp_path: Path) -> None:
    with pytest.raises(TensorFileTooLarge):
        read_dump(_write(tmp_path, "a.npz", _zip(*((f"{i}.npy", b"") for i in range(10_001)))))


def test_npz_bomb_is_refused_from_its_declared_sizes(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as file:
        file.write(_header("|u1", (6 * 10**9,)))
        for _ in range(6):
            file.write(b"\0" * (1 << 24))
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
    good = _zip(("Q.npy", FINE), ("K.npy", FINE)) if which else GOOD
    data = bytearray(good)
    data[place % len(data)] = value
    cut = data if keep % 3 else data[: keep % len(data)]
    path = _write(tmp_path_factory.getbasetemp(), "changed.npz", bytes(cut))
    dump = read_or_told(lambda: read_dump(path))
    if dump is not None:
        sound(dump, path)

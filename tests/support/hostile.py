"""Files that mean harm or are broken: tensors, models and tables, each with the error that it gets and why."""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.model_files import (
    ARRAY,
    GOOD_CONFIG,
    LLAMA,
    STRING,
    folder,
    gguf,
    listed,
    pair,
    text,
    texts,
)
from tests.support.tensor_files import GOOD, ONE, Evil, entry, safetensors
from workings.terms.errors import (
    BadTensorFile,
    DuplicateKey,
    FileError,
    FileTooLarge,
    NotParsed,
    NotText,
    TensorFileTooLarge,
    UnsafeFile,
)
from workings.terms.model_errors import ModelField, ModelFile, NoModel


def archive(*members: tuple[str, bytes]) -> bytes:
    """A zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in members:
            made.writestr(name, data)
    return out.getvalue()


def npy(array: Any) -> bytes:
    """An array as numpy writes it."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


# --- what could run code -------------------------------------------------------------------------------------------

UNSAFE: dict[str, tuple[bytes, str]] = {
    **{f"pickle-{protocol}": (pickle.dumps(Evil(), protocol), "pickle") for protocol in range(6)},
    "pickle-dictionary-0": (pickle.dumps({"Q": Evil()}, 0), "pickle"),
    "pickle-dictionary-1": (pickle.dumps({"Q": Evil()}, 1), "pickle"),
    "torch": (archive(("archive/data.pkl", pickle.dumps(Evil())), ("archive/version", b"3")), "torch"),
    "zip": (archive(("readme.txt", b"hello")), "archive"),
    "object-array": (npy(np.array([Evil()], dtype=object)), "npy"),
    "object-array-in-npz": (archive(("Q.npy", npy(np.array([Evil()], dtype=object)))), "objects"),
    "gguf": (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "gguf"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "hdf5"),
}

# --- tensors -------------------------------------------------------------------------------------------------------

TWICE = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
NOT_UTF8 = b'{"\xff\xfe":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
BAD_SAFETENSORS: dict[str, tuple[bytes, str]] = {
    "length-2^63": (safetensors(ONE, b"\0" * 16, 2**63), "header-length"),
    "length-past-the-end": (safetensors(ONE, b"\0" * 16, 10_000), "header-length"),
    "empty-header": (safetensors(b""), "header-length"),
    "seven-bytes": (b"\0" * 7, "short"),
    "empty": (b"", "short"),
    "not-json": (safetensors(b'{"a":'), "header-json"),
    "not-utf8": (safetensors(NOT_UTF8, b"\0" * 4), "header-utf8"),
    "deep": (safetensors(b"[" * 100_000), "header-deep"),
    "list": (safetensors(b"[]"), "header-table"),
    "no-shape": (safetensors({"a": {"dtype": "F32"}}), "header-table"),
    "overlap": (safetensors({"a": entry(0, 16), "b": entry(8, 24)}, b"\0" * 24), "overlap"),
    "hole": (safetensors({"a": entry(0, 16), "b": entry(32, 48)}, b"\0" * 48), "hole"),
    "trailing": (safetensors(ONE, b"\0" * 99), "trailing"),
    "past-the-end": (safetensors({"a": entry(0, 1600, (20, 20))}, b"\0" * 16), "offsets"),
    "backwards": (safetensors({"a": entry(16, 0)}, b"\0" * 16), "offsets"),
    "size": (safetensors({"a": entry(0, 16, (3, 3))}, b"\0" * 16), "size"),
    "product-wraps": (safetensors({"a": entry(0, 0, (2**32, 2**32))}), "size"),
    "nothing-times-huge": (safetensors({"a": entry(0, 0, (0, 2**63 - 1))}), "shape"),
    "past-2^63": (safetensors({"a": entry(0, 0, (0, 2**63))}), "shape"),
    "negative": (safetensors({"a": entry(0, 16, (-2, -2))}, b"\0" * 16), "shape"),
    "true-as-size": (safetensors({"a": entry(0, 4, (True,))}, b"\0" * 4), "shape"),
    "unknown-type": (safetensors({"a": entry(0, 16, dtype="PICKLE")}, b"\0" * 16), "dtype"),
    "twice": (safetensors(TWICE, b"\0" * 8), "duplicate"),
    "metadata": (safetensors({"__metadata__": {"x": 1}, **ONE}, b"\0" * 16), "metadata"),
}

# --- archives of arrays ---------------------------------------------------------------------------------------------


def npy_header(descr: str, shape: tuple[int, ...]) -> bytes:
    """The header of an array, whatever follows."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": descr, "fortran_order": False, "shape": shape})
    return out.getvalue()


FINE = npy(np.zeros((2, 2), np.float32))


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
    "parent": (archive(("../../a.npy", FINE)), "member-name"),
    "absolute": (archive(("/etc/a.npy", FINE)), "member-name"),
    "backslash": (archive(("..\\a.npy", FINE)), "member-name"),
    "other-member": (archive(("a.npy", FINE), ("b.txt", b"")), "member-name"),
    "encrypted": (_changed(archive(("a.npy", FINE)), _encrypt), "encrypted"),
    "compression": (_changed(archive(("a.npy", FINE)), _lzma), "compression"),
    "truncated": (archive(("a.npy", FINE))[:-30], "zip"),
    "cut-in-the-middle": (archive(("a.npy", FINE), ("b.npy", FINE))[:200], "zip"),
    "checksum": (_changed(archive(("a.npy", FINE)), _flip), "checksum"),
    "no-npy": (archive(("a.npy", b"hello")), "npy-header"),
    "huge": (archive(("a.npy", npy_header("<f8", (10**9, 10**9)))), "size"),
    "negative": (archive(("a.npy", npy_header("<f8", (-1, -1)) + b"\0" * 8)), "shape"),
    "short": (archive(("a.npy", FINE[:-4])), "size"),
    "void": (archive(("a.npy", npy(np.zeros(2, "V4")))), "dtype"),
    "complex": (archive(("a.npy", npy(np.zeros(2, "c8")))), "dtype"),
    "long-header": (archive(("a.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", 10**6) + b" " * 10**6)), "npy-header"),
}


def npz_bomb(at: Path) -> Path:
    """An archive of some kilobytes whose header tells of 6 GB."""
    path = at / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made, made.open("a.npy", "w") as file:
        file.write(npy_header("|u1", (6 * 10**9,)))
        for _ in range(6):
            file.write(b"\0" * (1 << 24))
    return path


# --- GGUF ----------------------------------------------------------------------------------------------------------

U32 = 4
ALIGNMENT = "general.alignment"
TOKENS = "tokenizer.ggml.tokens"
FORGED_COUNT = struct.pack("<IIQ", ARRAY, U32, 2**63)
BAD_GGUF: dict[str, tuple[bytes, str]] = {
    "magic": (gguf(magic=b"GGML"), "gguf-magic"),
    "version-1": (gguf(version=1), "gguf-version"),
    "version-99": (gguf(version=99), "gguf-version"),
    "big-endian": (gguf(version=0x03000000), "gguf-big-endian"),
    "cut": (gguf()[:20], "short"),
    "pairs-2^63": (gguf(0, 2**63, LLAMA), "gguf-pair-count"),
    "tensors-2^63": (gguf(2**63, 1, LLAMA), "gguf-tensor-count"),
    "tensors-1e9": (gguf(10**9, 1, LLAMA), "gguf-tensor-count"),
    "string-2^63": (gguf(0, 1, struct.pack("<Q", 2**63) + b"x" * 8), "gguf-string"),
    "string-past-the-end": (gguf(0, 1, struct.pack("<Q", 10**6) + b"x" * 8), "gguf-string"),
    "array-2^63": (gguf(0, 1, text("a") + FORGED_COUNT), "gguf-array-count"),
    "array-1e9": (gguf(0, 1, text("a") + struct.pack("<IIQ", ARRAY, 0, 10**9)), "gguf-array-count"),
    "texts-1e9": (gguf(0, 1, text("a") + struct.pack("<IIQ", ARRAY, STRING, 10**9)), "gguf-array-count"),
    "nested": (gguf(0, 1, pair("a", ARRAY, struct.pack("<IQ", ARRAY, 1) * 2000)), "gguf-nesting"),
    "value-type": (gguf(0, 1, pair("a", 77, b"\0" * 8)), "gguf-value-type"),
    "element-type": (gguf(0, 1, pair("a", ARRAY, struct.pack("<IQ", 77, 0))), "gguf-value-type"),
    "key-twice": (gguf(0, 2, LLAMA + LLAMA), "duplicate"),
    "not-utf8": (gguf(0, 1, text(b"\xff\xfe") + struct.pack("<I", STRING) + text("x")), "gguf-utf8"),
    "product-wraps": (gguf(1, 1, LLAMA + listed("t", [2**42 + 1, 2**22]), data=64), "gguf-shape"),
    "rank-1e9": (gguf(1, 1, LLAMA + text("t") + struct.pack("<I", 10**9) + b"\0" * 32), "gguf-rank"),
    "rank-0": (gguf(1, 1, LLAMA + listed("t", []) + b"\0" * 32), "gguf-rank"),
    "offset-2^40": (gguf(1, 1, LLAMA + listed("t", [4], offset=2**40), data=64), "offsets"),
    "offset-odd": (gguf(1, 1, LLAMA + listed("t", [4], offset=3), data=64), "gguf-offset"),
    "tensor-type": (gguf(1, 1, LLAMA + listed("t", [4], 999), data=64), "dtype"),
    "half-a-block": (gguf(1, 1, LLAMA + listed("t", [4], 2), data=64), "gguf-shape"),
    "alignment-0": (
        gguf(1, 2, LLAMA + pair(ALIGNMENT, U32, struct.pack("<I", 0)) + listed("t", [4])),
        "gguf-alignment",
    ),
    "alignment-3": (
        gguf(1, 2, LLAMA + pair(ALIGNMENT, U32, struct.pack("<I", 3)) + listed("t", [4])),
        "gguf-alignment",
    ),
    "alignment-2^30": (
        gguf(1, 2, LLAMA + pair(ALIGNMENT, U32, struct.pack("<I", 2**30)) + listed("t", [4])),
        "gguf-alignment",
    ),
    "alignment-text": (gguf(1, 2, LLAMA + pair(ALIGNMENT, STRING, text("32")) + listed("t", [4])), "gguf-alignment"),
    "tensor-twice": (gguf(2, 1, LLAMA + listed("t", [4]) + listed("t", [4], offset=32), data=128), "duplicate"),
    "overlap": (gguf(2, 1, LLAMA + listed("t", [16]) + listed("u", [4], offset=32), data=128), "overlap"),
    "tokens-are-bytes": (gguf(0, 1, pair(TOKENS, ARRAY, struct.pack("<IQ", 0, 4) + b"abcd")), "gguf-element-type"),
    "scores-are-bytes": (
        gguf(0, 1, pair("tokenizer.ggml.scores", ARRAY, struct.pack("<IQ", 0, 4) + b"abcd")),
        "gguf-element-type",
    ),
    "byte-token": (gguf(0, 1, texts(TOKENS, ["<0x-1>"])), "gguf-byte-token"),
}


def _field(key: str, kind: int, value: bytes) -> bytes:
    return gguf(0, 2, LLAMA + pair(f"llama.{key}", kind, value))


BAD_GGUF_FIELDS: dict[str, tuple[bytes, str]] = {
    "layers-1e6": (_field("block_count", U32, struct.pack("<I", 10**6)), "too-many"),
    "heads-0": (_field("attention.head_count", U32, struct.pack("<I", 0)), "not-count"),
    "groups-0": (_field("attention.head_count_kv", U32, struct.pack("<I", 0)), "not-count"),
    "head-width-0": (_field("attention.key_length", U32, struct.pack("<I", 0)), "not-count"),
    "width-2^31": (_field("embedding_length", U32, struct.pack("<I", 2**31)), "too-large"),
    "base-nan": (_field("rope.freq_base", 6, struct.pack("<f", float("nan"))), "not-above-zero"),
    "base-text": (_field("rope.freq_base", STRING, text("<script>\x1b[31m" * 20)), "not-above-zero"),
}

# --- a model's tables ------------------------------------------------------------------------------------------------

BAD_FIELDS: dict[str, tuple[dict[str, Any], str, str]] = {
    "code": ({"auto_map": {"AutoModel": "evil.Model"}}, "auto_map", "model-code"),
    "code-inside": ({"text_config": {"auto_map": {"a": "b"}}}, "text_config.auto_map", "model-code"),
    "no-kind": ({"model_type": None}, "model_type", "model-type"),
    "packed": ({"quantization_config": {"quant_method": "x"}}, "quantization_config", "quantised"),
    "heads-0": ({"num_attention_heads": 0}, "num_attention_heads", "not-count"),
    "heads-text": ({"num_attention_heads": "2"}, "num_attention_heads", "not-count"),
    "heads-true": ({"num_attention_heads": True}, "num_attention_heads", "not-count"),
    "heads-3": ({"num_attention_heads": 3}, "num_attention_heads", "not-dividing"),
    "groups-3": ({"num_attention_heads": 4, "num_key_value_heads": 3}, "num_key_value_heads", "not-grouping"),
    "head-width-0": ({"head_dim": 0}, "head_dim", "not-count"),
    "layers-1e9": ({"num_hidden_layers": 10**9}, "num_hidden_layers", "too-many"),
    "width-1e12": ({"hidden_size": 10**12}, "hidden_size", "too-large"),
    "base-0": ({"rope_theta": 0}, "rope_theta", "not-above-zero"),
    "base-nan": ({"rope_theta": float("nan")}, "rope_theta", "not-finite"),
    "base-inside": ({"rope_parameters": {"rope_theta": -1}}, "rope_parameters.rope_theta", "not-above-zero"),
}
BAD_TABLES: dict[str, tuple[bytes, type[FileError]]] = {
    "twice": (b'{"model_type": "a", "model_type": "b"}', DuplicateKey),
    "deep": (b"[" * 100_000, NotParsed),
    "deep-tables": (b'{"a":' * 100_000, NotParsed),
    "list": (b"[]", NotParsed),
    "text": (b"model", NotParsed),
    "long-number": (b'{"a": ' + b"9" * 5000 + b"}", NotParsed),
    "not-utf8": (b'{"model_type": "\xff"}', NotText),
    "17-megabytes": (b'{"a": "' + b"x" * 17_000_000 + b'"}', FileTooLarge),
}
# what an index may not name as a file of weights
BAD_SHARDS = ("../outside.safetensors", "/etc/passwd", "a/b.safetensors", "x.bin", "..", "", "a\\b.safetensors")
INDEX = "model__safetensors__index__json"


# --- whole models --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hostile:
    """A model that is refused.

    Attributes:
        build: writes it into a folder that is there; returns what is named as the model.
        error, flaw: what it gets.
    """

    build: Callable[[Path], Path]
    error: type[FileError]
    flaw: str = ""


def _file(name: str, data: bytes) -> Callable[[Path], Path]:
    def build(at: Path) -> Path:
        (at / name).write_bytes(data)
        return at / name

    return build


def _folder(config: dict[str, Any] | bytes | None = None, **files: bytes) -> Callable[[Path], Path]:
    return lambda at: folder(at / "model", config, **files)


def _linked(to: str) -> Callable[[Path], Path]:
    """A folder whose weights are a link."""

    def build(at: Path) -> Path:
        (at / "outside.safetensors").write_bytes(GOOD)
        model = folder(at / "model", model__safetensors=b"")
        (model / "model.safetensors").unlink()
        (model / "model.safetensors").symlink_to(to)
        return model

    return build


def _long_header(at: Path) -> Path:
    """A header of 99 MB, none of which needs to be read, in a file that takes no place."""
    model = folder(at / "model", model__safetensors=struct.pack("<Q", 99_000_000) + b'{"__metadata__":{"x":"')
    with open(model / "model.safetensors", "r+b") as file:
        file.truncate(99_000_008)
    return model


def _pipe(at: Path) -> Path:
    model = folder(at / "model", model__safetensors=b"")
    (model / "model.safetensors").unlink()
    os.mkfifo(model / "model.safetensors")
    return model


def _index(shard: str) -> dict[str, bytes]:
    return {INDEX: json.dumps({"weight_map": {"a": shard}}).encode()}


MANY = {f"{place:x}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for place in range(100_001)}
CODE = json.dumps({"auto_map": {"AutoTokenizer": ["evil.Tokenizer", None]}}).encode()
HOSTILE: dict[str, Hostile] = {
    **{
        f"{name} as {called}": Hostile(_file(called, data), UnsafeFile if kind != "gguf" else BadTensorFile)
        for name, (data, kind) in UNSAFE.items()
        for called in ("model.pt", "model.gguf", "model.safetensors")
        if kind not in ("gguf", "archive", "objects")
    },
    **{
        f"{name} in a folder": Hostile(_folder(**{called: data}), UnsafeFile)
        for name, (data, kind) in UNSAFE.items()
        for called in ("model__safetensors", "pytorch_model__bin")
        if called.endswith("safetensors") or kind in ("pickle", "torch")
    },
    **{
        f"safetensors, {name}": Hostile(_folder(model__safetensors=data), BadTensorFile, flaw)
        for name, (data, flaw) in BAD_SAFETENSORS.items()
    },
    "safetensors, header of 99 MB": Hostile(_long_header, TensorFileTooLarge),
    "safetensors, 100,001 tensors": Hostile(_folder(model__safetensors=safetensors(MANY)), TensorFileTooLarge),
    **{
        f"gguf, {name}": Hostile(_file("model.gguf", data), BadTensorFile, flaw)
        for name, (data, flaw) in BAD_GGUF.items()
    },
    **{
        f"gguf, {name}": Hostile(_file("model.gguf", data), ModelField, flaw)
        for name, (data, flaw) in BAD_GGUF_FIELDS.items()
    },
    "gguf, a name with a line break": Hostile(
        _file("mo\n\x1b[31mdel.gguf", gguf(magic=b"GGML")), BadTensorFile, "gguf-magic"
    ),
    "config, a field that hides": Hostile(
        _folder({**GOOD_CONFIG, "\u202e\x1b[31m\n": {"auto_map": {"\u2066\r": "evil"}}}), ModelField, "model-code"
    ),
    **{
        f"config, {name}": Hostile(_folder({**GOOD_CONFIG, **change}), ModelField, flaw)
        for name, (change, _, flaw) in BAD_FIELDS.items()
    },
    **{f"config, {name}": Hostile(_folder(data), error) for name, (data, error) in BAD_TABLES.items()},
    **{f"index, {name!r}": Hostile(_folder(**_index(name)), ModelFile, "folder-in-name") for name in BAD_SHARDS},
    "index, missing shard": Hostile(_folder(**_index("one.safetensors")), ModelFile, "missing"),
    "index, itself": Hostile(_folder(**_index("model.safetensors.index.json")), ModelFile, "folder-in-name"),
    "index, no table": Hostile(_folder(**{INDEX: b'{"weight_map": ["a"]}'}), ModelField, "not-table"),
    "weights, link out": Hostile(_linked("../outside.safetensors"), ModelFile, "link-outside"),
    "weights, link to themselves": Hostile(_linked("model.safetensors"), ModelFile, "missing"),
    "weights, pipe": Hostile(_pipe, ModelFile, "not-regular"),
    "tokenizer with code": Hostile(_folder(tokenizer_config__json=CODE), ModelField, "model-code"),
    "text": Hostile(_file("model.txt", b"hello"), NoModel),
    "folder without a config": Hostile(lambda at: at, NoModel),
}
# tensors that are read besides a model: dumps, and what a model is given in place of a text
HOSTILE_TENSORS: dict[str, Callable[[Path], Path]] = {
    **{f"dump, {name}": _file("a.safetensors", data) for name, (data, _) in BAD_SAFETENSORS.items()},
    **{f"dump, {name}": _file("a.safetensors", data) for name, (data, _) in UNSAFE.items()},
    **{f"dump, npz {name}": _file("a.npz", data) for name, (data, _) in BAD_NPZ.items()},
    "dump, npz bomb": npz_bomb,
    "dump, npz with 10,001 members": _file("a.npz", archive(*((f"{place}.npy", b"") for place in range(10_001)))),
}

"""Bad models get their own error before any library sees them; good ones are told what they are made of."""

from __future__ import annotations

import json
import os
import pickle
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from tests.support.outcomes import read_or_told, told_in_every_language
from tests.support.tensor_files import GOOD, Evil, entry, safetensors
from workings.models.look import Looked, look
from workings.render.words import LANGUAGES, Words
from workings.terms.errors import (
    BadTensorFile,
    DuplicateKey,
    FileError,
    FileMissing,
    ModelField,
    ModelFile,
    NoModel,
    NotParsed,
    TensorFileTooLarge,
    UnsafeFile,
)

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
    "layers-1e6": (gguf(0, 2, LLAMA + pair("llama.block_count", U32, struct.pack("<I", 10**6))), "gguf-size"),
    "heads-0": (gguf(0, 2, LLAMA + pair("llama.attention.head_count", U32, struct.pack("<I", 0))), "gguf-size"),
    "base-nan": (gguf(0, 2, LLAMA + pair("llama.rope.freq_base", 6, struct.pack("<f", float("nan")))), "gguf-size"),
}
GOOD_GGUF = {
    "no-tensors": gguf(0, 1, LLAMA),
    "one-tensor": gguf(1, 1, LLAMA + listed("t", [4]), data=16),
    "nested-twice": gguf(0, 1, pair("a", ARRAY, struct.pack("<IQIQ", ARRAY, 1, U32, 1) + b"\0" * 4)),
    "tokens": gguf(0, 2, LLAMA + texts(TOKENS, ["<0x0A>", "<0xy", "a"])),
}


@pytest.mark.parametrize("name", BAD_GGUF)
def test_bad_gguf(name: str, tmp_path: Path) -> None:
    data, flaw = BAD_GGUF[name]
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(FileError) as caught:
        look(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.values["flaw"] == flaw
    assert most < 10 * 2**20
    told_in_every_language(caught.value)
    assert all(str(path) in Words(lang).error(caught.value) for lang in LANGUAGES)


@pytest.mark.parametrize("name", GOOD_GGUF)
def test_good_gguf(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(GOOD_GGUF[name])
    looked = look(path)
    assert looked.kind == "gguf"
    assert looked.tensors == ({"t": (4,)} if name == "one-tensor" else {})


def sound(looked: Looked, path: Path) -> None:
    """What was read of a file that may be damaged lies in the file, and is the same when it is read again."""
    assert looked.kind == "gguf"
    assert all(size > 0 for shape in looked.tensors.values() for size in shape)
    assert sum(prod(shape) for shape in looked.tensors.values()) <= path.stat().st_size * 8
    looked.check()
    again = look(path)
    assert (again.tensors, again.hash()) == (looked.tensors, looked.hash())
    assert repr(again.fields) == repr(looked.fields)  # NaN is no other NaN


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(GOOD_GGUF)), st.data())
def test_a_damaged_gguf_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = bytearray(GOOD_GGUF[name])
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "model.gguf"
    path.write_bytes(bytes(whole[: data.draw(st.integers(0, len(whole)))]))
    looked = read_or_told(lambda: look(path))
    if looked is not None:
        sound(looked, path)


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


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_bad_field_is_named(name: str, tmp_path: Path) -> None:
    change, field, flaw = BAD_FIELDS[name]
    with pytest.raises(ModelField) as caught:
        look(folder(tmp_path, {**GOOD_CONFIG, **change}))
    assert (caught.value.values["field"], caught.value.values["flaw"]) == (field, flaw)


def _torch_archive(path: Path) -> bytes:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(Evil()))
    return path.read_bytes()


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    evil = pickle.dumps(Evil())
    cases = {
        "bin": folder(tmp_path / "bin", pytorch_model__bin=evil),
        "renamed": folder(tmp_path / "renamed", model__safetensors=evil),
        "old": folder(tmp_path / "old", model__safetensors=pickle.dumps(Evil(), 0)),
        "archive": folder(tmp_path / "archive", model__safetensors=_torch_archive(tmp_path / "evil.pt")),
    }
    for name in ("model.pt", "model.gguf"):
        (tmp_path / name).write_bytes(evil)
        cases[name] = tmp_path / name
    for path in cases.values():
        with pytest.raises(UnsafeFile):
            look(path)


@pytest.mark.parametrize(
    "shard", ["../outside.safetensors", "/etc/passwd", "a/b.safetensors", "x.bin", "..", "a\\b.safetensors"]
)
def test_a_shard_lies_in_the_folder(shard: str, tmp_path: Path) -> None:
    (tmp_path / "outside.safetensors").write_bytes(GOOD)
    index = json.dumps({"weight_map": {"a": shard}}).encode()
    with pytest.raises(ModelFile) as caught:
        look(folder(tmp_path / "model", **{"model__safetensors__index__json": index}))
    assert caught.value.values["flaw"] == "folder-in-name"


def test_a_missing_shard(tmp_path: Path) -> None:
    index = json.dumps({"weight_map": {"a": "one.safetensors"}}).encode()
    with pytest.raises(ModelFile, match=r"one\.safetensors"):
        look(folder(tmp_path, **{"model__safetensors__index__json": index}))


def test_links(tmp_path: Path) -> None:
    outside = tmp_path / "outside.safetensors"
    outside.write_bytes(GOOD)
    model = folder(tmp_path / "model")
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to(outside)
    with pytest.raises(ModelFile) as caught:
        look(model)
    assert caught.value.values["flaw"] == "link-outside"
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to(model / "model.safetensors")
    with pytest.raises(FileError):
        look(model)


def test_the_download_cache_is_read(tmp_path: Path) -> None:
    blobs = tmp_path / "models--a--b/blobs"
    blobs.mkdir(parents=True)
    (blobs / "12ab").write_bytes(GOOD)
    model = folder(tmp_path / "models--a--b/snapshots/1", model__safetensors=b"")
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to("../../blobs/12ab")
    assert look(model).tensors == {"a": (2, 2)}


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    model = folder(tmp_path, model__safetensors=b"")
    (model / "model.safetensors").unlink()
    os.mkfifo(model / "model.safetensors")
    with pytest.raises(ModelFile) as caught:
        look(model)
    assert caught.value.values["flaw"] == "not-regular"


BAD_TABLES: dict[str, tuple[bytes, type[FileError]]] = {
    "twice": (b'{"model_type": "a", "model_type": "b"}', DuplicateKey),
    "deep": (b"[" * 100_000, NotParsed),
    "list": (b"[]", NotParsed),
    "text": (b"model", NotParsed),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_config(name: str, tmp_path: Path) -> None:
    data, error = BAD_TABLES[name]
    with pytest.raises(error):
        look(folder(tmp_path, data))


def test_bad_safetensors_are_refused(tmp_path: Path) -> None:
    """The reader of dumps does this, and its own tests go through every way; here one of each kind."""
    overlap = safetensors({"a": entry(0, 16), "b": entry(8, 24)}, b"\0" * 24)
    with pytest.raises(BadTensorFile):
        look(folder(tmp_path / "a", model__safetensors=overlap))
    with pytest.raises(BadTensorFile):
        look(folder(tmp_path / "b", model__safetensors=GOOD[:-1]))
    bomb = safetensors(b'{"__metadata__":{"x":"' + b"A" * 17_000_000 + b'"}}')
    with pytest.raises(TensorFileTooLarge):
        look(folder(tmp_path / "c", model__safetensors=bomb))


def test_a_strange_name_of_a_tensor_is_only_a_name(tmp_path: Path) -> None:
    name = "../../etc/passwd<script>"
    strange = safetensors({name: entry(0, 16)}, b"\0" * 16)
    assert look(folder(tmp_path, model__safetensors=strange)).tensors == {name: (2, 2)}


def test_code_of_a_tokenizer_is_refused(tmp_path: Path) -> None:
    table = json.dumps({"auto_map": {"AutoTokenizer": ["evil.Tokenizer", None]}}).encode()
    with pytest.raises(ModelField):
        look(folder(tmp_path, tokenizer_config__json=table))


def test_a_template_of_a_chat_is_left_alone(tmp_path: Path) -> None:
    table = json.dumps({"chat_template": "{{ cycler.__init__.__globals__ }}{% for x in range(10**9) %}{% endfor %}"})
    clean, other = folder(tmp_path / "clean"), folder(tmp_path / "other", tokenizer_config__json=table.encode())
    assert look(clean).tensors == look(other).tensors
    assert look(clean).hash() == look(other).hash()


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        look(tmp_path / "nothing")
    with pytest.raises(FileError):
        look("a\0b")
    with pytest.raises(NoModel):
        look(tmp_path)
    (tmp_path / "text.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(NoModel):
        look(tmp_path / "text.txt")


def test_a_file_changed_since_is_noticed(tmp_path: Path) -> None:
    looked = look(folder(tmp_path))
    looked.check()
    (tmp_path / "model.safetensors").write_bytes(GOOD + b"\0")
    with pytest.raises(ModelFile) as caught:
        looked.check()
    assert caught.value.values["flaw"] == "changed"
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelFile):
        looked.check()


def test_no_library_of_models_is_loaded(tmp_path: Path) -> None:
    program = (
        "import sys; from workings.models.look import look; look(sys.argv[1]);"
        "print({'torch', 'transformers', 'gguf', 'safetensors', 'tokenizers'} & set(sys.modules))"
    )
    child = [sys.executable, "-c", program, str(folder(tmp_path))]
    done = subprocess.run(child, capture_output=True, check=True, encoding="utf-8", timeout=60)
    assert done.stdout.strip() == "set()"

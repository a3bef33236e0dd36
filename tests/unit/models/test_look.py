"""Bad models get their own error before any library sees them; good ones are told what they are made of."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tracemalloc
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.hostile import BAD_FIELDS, HOSTILE, TOKENS, U32
from tests.support.model_files import (
    ARRAY,
    GOOD_CONFIG,
    LLAMA,
    folder,
    gguf,
    listed,
    pair,
    texts,
)
from tests.support.outcomes import read_or_told, told_in_every_language
from tests.support.tensor_files import GOOD, entry, safetensors
from workings.models.look import Looked, look
from workings.terms.errors import FileError, FileMissing
from workings.terms.model_errors import ModelField, ModelFile, NoModel

GOOD_GGUF = {
    "no-tensors": gguf(0, 1, LLAMA),
    "one-tensor": gguf(1, 1, LLAMA + listed("t", [4]), data=16),
    "nested-twice": gguf(0, 1, pair("a", ARRAY, struct.pack("<IQIQ", ARRAY, 1, U32, 1) + b"\0" * 4)),
    "tokens": gguf(0, 2, LLAMA + texts(TOKENS, ["<0x0A>", "<0xy", "a"])),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_refused(name: str, tmp_path: Path) -> None:
    hostile = HOSTILE[name]
    path = hostile.build(tmp_path)
    tracemalloc.start()
    with pytest.raises(FileError) as caught:
        look(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert type(caught.value) is hostile.error
    assert hostile.flaw in ("", caught.value.values.get("flaw"))
    assert most < 100 * 2**20
    told_in_every_language(caught.value)


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


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_a_bad_field_is_named(name: str, tmp_path: Path) -> None:
    change, field, _ = BAD_FIELDS[name]
    with pytest.raises(ModelField) as caught:
        look(folder(tmp_path, {**GOOD_CONFIG, **change}))
    assert caught.value.values["field"] == field


def test_the_download_cache_is_read(tmp_path: Path) -> None:
    blobs = tmp_path / "models--a--b/blobs"
    blobs.mkdir(parents=True)
    (blobs / "12ab").write_bytes(GOOD)
    model = folder(tmp_path / "models--a--b/snapshots/1", model__safetensors=b"")
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to("../../blobs/12ab")
    assert look(model).tensors == {"a": (2, 2)}


def test_a_strange_name_of_a_tensor_is_only_a_name(tmp_path: Path) -> None:
    name = "../../etc/passwd<script>"
    strange = safetensors({name: entry(0, 16)}, b"\0" * 16)
    assert look(folder(tmp_path, model__safetensors=strange)).tensors == {name: (2, 2)}


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

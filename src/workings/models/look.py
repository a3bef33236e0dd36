"""Looks a model over before torch or transformers is imported: which files it is made of, and that none can do harm."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from workings.models.config import check_config, read_json, refuse_code
from workings.models.gguf import look_at_gguf
from workings.tensors.marks import FIRST_BYTES, GGUF, ZIP, unsafe_kind
from workings.tensors.safetensors import look_at_safetensors
from workings.terms.errors import BadTensorFile, FileUnreadable, UnsafeFile
from workings.terms.files import reading
from workings.terms.model_errors import ModelField, ModelFile, NoModel

CONFIG = "config.json"
ONE_FILE = "model.safetensors"
INDEX = "model.safetensors.index.json"
WEIGHT_MAP = "weight_map"
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "pytorch_model.pt")
TABLES = ("tokenizer_config.json",)
TOKENIZER = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json",
    "merges.txt", "vocab.txt", "spiece.model", "tokenizer.model", "sentencepiece.bpe.model",
)  # fmt: skip
NAME = re.compile(r"[^/\\\0]+\.safetensors")
PIECE = 2**20


@dataclass(frozen=True)
class State:
    """A file as it was when it was looked at: replaced or cut since, it is noticed."""

    path: str
    size: int
    modified: int

    def check(self) -> None:
        """Raises ``ModelFile`` where the file is no longer what was looked at."""
        try:
            now = os.stat(self.path)
        except OSError:
            raise ModelFile(path=self.path, name=os.path.basename(self.path), flaw="changed") from None
        if (now.st_size, now.st_mtime_ns) != (self.size, self.modified):
            raise ModelFile(path=self.path, name=os.path.basename(self.path), flaw="changed")


@dataclass(frozen=True)
class Looked:
    """A model that may be opened.

    Attributes:
        path: the folder or the GGUF file.
        kind: ``folder`` or ``gguf``.
        files: the files it is made of, by name; no other file of the folder is ever read.
        config: config.json as read; empty for GGUF.
        tensors: shape of each tensor by its name on disk.
        fields: what a GGUF header says; empty for a folder.
    """

    path: str
    kind: str
    files: Mapping[str, State]
    config: Mapping[str, Any]
    tensors: Mapping[str, tuple[int, ...]]
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What people call it: the name of the folder, or of the file."""
        return os.path.basename(os.path.abspath(self.path))

    @property
    def weights(self) -> list[State]:
        """The files that hold its numbers, in order."""
        return [state for name, state in sorted(self.files.items()) if name.endswith((".safetensors", ".gguf"))]

    def place(self) -> dict[str, Any]:
        """Where it lies, and the sizes and times of the files that its hash is made of, by which it is found again."""
        files = {name: self.files[name] for name in self.files if name == CONFIG or self.files[name] in self.weights}
        return {
            "path": os.path.abspath(self.path),
            "files": {name: [state.size, state.modified] for name, state in sorted(files.items())},
        }

    def check(self) -> None:
        """Raises ``ModelFile`` where a file is no longer what was looked at."""
        for state in self.files.values():
            state.check()

    def hash(self) -> str:
        """SHA-256 over its config and its weights, by which recordings name it. Raises what ``check`` does."""
        found = self._sha256
        self.check()
        return found

    @cached_property
    def _sha256(self) -> str:
        whole = hashlib.sha256()
        for state in [*([self.files[CONFIG]] if CONFIG in self.files else []), *self.weights]:
            with open(state.path, "rb") as file:
                while piece := file.read(PIECE):
                    whole.update(piece)
        return whole.hexdigest()


def look(path: str | os.PathLike[str]) -> Looked:
    """A folder with config.json and safetensors, or a GGUF file, looked over.

    Raises:
        FileMissing, FileUnreadable, NoModel: there is no such thing, or it is something else.
        UnsafeFile: weights that can run code.
        ModelFile, ModelField: a file of the folder, or a field of its tables, that is refused.
        BadTensorFile, TensorFileTooLarge: a file of tensors that breaks its format.
        NotText, NotParsed, DuplicateKey, FileTooLarge: a table that cannot be read.
    """
    path = os.fspath(path)
    with reading(path):
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            return _folder(path)
        if not stat.S_ISREG(status.st_mode):
            raise FileUnreadable(path=path, reason="not a file")
        return _single(path)


def _state(path: str) -> State:
    status = os.stat(path)
    return State(path, status.st_size, status.st_mtime_ns)


def _single(path: str) -> Looked:
    state = _state(path)
    first = _first(path)
    if not first.startswith(GGUF):
        kind = _kind(first, state.size)
        if kind == "gguf" or (not kind and path.endswith(".gguf")):
            raise BadTensorFile(path=path, offset=0, flaw="gguf-magic")
        raise UnsafeFile(path=path, kind=kind) if kind else NoModel(path=path)
    header = look_at_gguf(path, state.size)
    tensors = {name: tensor.shape for name, tensor in header.tensors.items()}
    return Looked(path, "gguf", {os.path.basename(path): state}, {}, tensors, header.fields)


def _folder(folder: str) -> Looked:
    present = set(os.listdir(folder))
    if CONFIG not in present:
        raise NoModel(path=folder)
    files = {CONFIG: _inside(folder, CONFIG)}
    config = read_json(files[CONFIG].path)
    refuse_code(files[CONFIG].path, config)
    for shard in _shards(folder, present, files):
        if shard not in present:
            raise ModelFile(path=folder, name=shard, flaw="missing")
        files[shard] = _inside(folder, shard)
    tensors: dict[str, tuple[int, ...]] = {}
    for name, state in files.items():
        if name.endswith(".safetensors"):
            tensors.update(_tensors(state))
    check_config(files[CONFIG].path, config, len(tensors))
    for name in TOKENIZER:
        if name in present:
            files[name] = _inside(folder, name)
            if name in TABLES:
                refuse_code(files[name].path, read_json(files[name].path))
    return Looked(folder, "folder", files, config, tensors)


def _shards(folder: str, present: set[str], files: dict[str, State]) -> list[str]:
    """The files that hold the weights."""
    if ONE_FILE in present:
        return [ONE_FILE]
    if INDEX in present:
        files[INDEX] = _inside(folder, INDEX)
        table = read_json(files[INDEX].path).get(WEIGHT_MAP)
        if not isinstance(table, dict) or not table or not all(isinstance(name, str) for name in table.values()):
            raise ModelField(path=files[INDEX].path, field=WEIGHT_MAP, seen="…", flaw="not-table")
        for name in table.values():
            if NAME.fullmatch(name) is None:
                raise ModelFile(path=files[INDEX].path, name=name, flaw="folder-in-name")
        return sorted(set(table.values()))
    for name in PICKLES:
        if name in present:
            raise UnsafeFile(path=os.path.join(folder, name), kind="pickle")
    raise ModelFile(path=folder, name=ONE_FILE, flaw="missing")


def _tensors(state: State) -> dict[str, tuple[int, ...]]:
    kind = _kind(_first(state.path), state.size)
    if kind:
        raise UnsafeFile(path=state.path, kind=kind)
    places, _ = look_at_safetensors(state.path, state.size)
    return {name: placed.shape for name, placed in places.items()}


def _first(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(FIRST_BYTES)


def _kind(first: bytes, size: int) -> str:
    return "torch" if first.startswith(ZIP) else unsafe_kind(first, size)


def _inside(folder: str, name: str) -> State:
    """A regular file that lies in the folder itself, or among the blobs of the download cache that the folder is in."""
    path = os.path.join(folder, name)
    real, home = os.path.realpath(path), os.path.realpath(folder)
    homes = [home]
    if os.path.basename(os.path.dirname(home)) == "snapshots":
        homes.append(os.path.join(os.path.dirname(os.path.dirname(home)), "blobs"))
    if os.path.dirname(real) not in homes:
        raise ModelFile(path=folder, name=name, flaw="link-outside")
    if not os.path.exists(real):
        raise ModelFile(path=folder, name=name, flaw="missing")
    if not stat.S_ISREG(os.stat(real).st_mode):
        raise ModelFile(path=folder, name=name, flaw="not-regular")
    state = _state(real)
    return State(path, state.size, state.modified)

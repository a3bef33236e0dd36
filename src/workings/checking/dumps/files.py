"""Opens a dump by its first bytes: `.safetensors` and `.npz`; what could run code is refused before it is opened."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workings.checking.dumps.npz import read_npz
from workings.tensors.marks import FIRST_BYTES, ZIP, unsafe_kind
from workings.tensors.safetensors import read_safetensors
from workings.tensors.tensor import Tensor, tensor_of
from workings.terms.errors import (
    BadTensorFile,
    FileUnreadable,
    NotTensors,
    OptionsNotRead,
    TensorFileTooLarge,
    UnsafeFile,
)
from workings.terms.files import reading

OPTIONS = "workings"
MAX_OPTIONS = 1024 * 1024


@dataclass(frozen=True)
class Dump:
    """The tensors of a dump by name, and its options as they were written."""

    path: str
    tensors: Mapping[str, Tensor]
    options: Mapping[str, Any] = field(default_factory=dict)


def read_dump(source: str | os.PathLike[str] | Mapping[str, Any]) -> Dump:
    """A dump from a file, or from arrays by name (with the options under ``workings``).

    Raises ``FileMissing``, ``FileUnreadable``, ``UnsafeFile``, ``NotTensors``, ``BadTensorFile``,
    ``TensorFileTooLarge`` or ``OptionsNotRead``.
    """
    if isinstance(source, Mapping):
        tensors = {name: tensor_of(name, values) for name, values in source.items() if name != OPTIONS}
        written = source.get(OPTIONS, {})
        return Dump("", tensors, written if isinstance(written, Mapping) else parse_options(str(written)))
    path = os.fspath(source)
    with reading(path):
        return _read(path)


def read_options(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """The options of a file beside the dump. Raises ``FileMissing``, ``FileUnreadable`` or ``OptionsNotRead``."""
    path = os.fspath(path)
    with reading(path), open(path, "rb") as file:
        data = file.read(MAX_OPTIONS + 1)
    if len(data) > MAX_OPTIONS:
        raise TensorFileTooLarge(path=path, counted="options", seen=len(data), limit=MAX_OPTIONS)
    try:
        return parse_options(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise OptionsNotRead(flaw="options").at(path) from None
    except OptionsNotRead as error:
        raise error.at(path) from None


def parse_options(text: str) -> Mapping[str, Any]:
    """Options from JSON text. Raises ``OptionsNotRead``."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs):
            raise ValueError("twice")
        return table

    try:
        found = json.loads(text, object_pairs_hook=once) if len(text) <= MAX_OPTIONS else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise OptionsNotRead(flaw="options")
    return found


def _read(path: str) -> Dump:
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):  # of a folder the system tells
        raise FileUnreadable(path=path, reason="not a file")
    size = status.st_size
    with open(path, "rb") as file:
        first = file.read(FIRST_BYTES)
    kind = unsafe_kind(first, size)
    if kind:
        raise UnsafeFile(path=path, kind=kind)
    try:
        if first.startswith(ZIP):
            return _with_options(path, read_npz(path, size))
        if first[8:9] in (b"{", b"[", b"") or path.endswith(".safetensors"):
            tensors, metadata = read_safetensors(path, size)
            options = parse_options(metadata[OPTIONS]) if OPTIONS in metadata else {}
            return Dump(path, {tensor.name: tensor for tensor in tensors}, options)
    except OptionsNotRead as error:
        raise error.at(path) from None
    raise NotTensors(path=path)


def _with_options(path: str, tensors: list[Tensor]) -> Dump:
    by_name = {tensor.name: tensor for tensor in tensors}
    held = by_name.pop(OPTIONS, None)
    texts = {name for name, tensor in by_name.items() if tensor.held.dtype.kind == "U"}
    if texts or (held is not None and (held.held.dtype.kind != "U" or held.shape != ())):
        raise BadTensorFile(path=path, offset=0, flaw="dtype" if texts else "options")
    return Dump(path, by_name, {} if held is None else parse_options(str(held.held[()])))

"""Reads `.safetensors` without trusting it: nothing is allocated before every number of its header is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from workings.tensors.tensor import BFLOAT16, Tensor
from workings.terms.errors import BadTensorFile, TensorFileTooLarge

MAX_HEADER = 16 * 1024 * 1024
MAX_TENSORS = 100_000
MAX_SIZE = 2**63 - 1
MAX_RANK = 32
LENGTH_BYTES = 8
METADATA = "__metadata__"
# as written -> (our name, the type its bytes are held in)
DTYPES = {
    "F64": ("float64", "<f8"),
    "F32": ("float32", "<f4"),
    "F16": ("float16", "<f2"),
    "BF16": (BFLOAT16, "<u2"),
    "BOOL": ("bool", "|b1"),
    "I64": ("int64", "<i8"),
    "I32": ("int32", "<i4"),
    "I16": ("int16", "<i2"),
    "I8": ("int8", "|i1"),
    "U64": ("uint64", "<u8"),
    "U32": ("uint32", "<u4"),
    "U16": ("uint16", "<u2"),
    "U8": ("uint8", "|u1"),
}


class _Twice(Exception):
    """A key that stands twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise _Twice
    return table


class Placed(NamedTuple):
    """Where a tensor lies in a file: its type as written, its shape, its first byte and the byte after its last."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def look_at_safetensors(path: str, size: int) -> tuple[dict[str, Placed], dict[str, str]]:
    """Where the tensors of a file of that many bytes lie, and its metadata; only the header is read.

    Raises ``BadTensorFile`` or ``TensorFileTooLarge``.
    """
    header, start = _header(path, size)
    metadata = header.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise BadTensorFile(path=path, offset=LENGTH_BYTES, flaw="metadata")
    if len(header) > MAX_TENSORS:
        raise TensorFileTooLarge(path=path, counted="tensors", seen=len(header), limit=MAX_TENSORS)
    entries = {name: _entry(path, entry) for name, entry in header.items()}
    _check_places(path, start, size - start, [places for _, _, places in entries.values()])
    found = {
        name: Placed(dtype, shape, start + begin, start + end) for name, (dtype, shape, (begin, end)) in entries.items()
    }
    return found, metadata


def read_safetensors(path: str, size: int) -> tuple[list[Tensor], dict[str, str]]:
    """Its tensors, mapped from the file, and its metadata.

    Raises ``BadTensorFile`` or ``TensorFileTooLarge``.
    """
    places, metadata = look_at_safetensors(path, size)
    tensors = []
    for name, placed in places.items():
        ours, held = DTYPES[placed.dtype]
        if prod(placed.shape):
            array: Any = np.memmap(path, dtype=held, mode="r", offset=placed.begin, shape=placed.shape)
        else:
            array = np.empty(placed.shape, held)
        tensors.append(Tensor(name, ours, array))
    return tensors, metadata


def header_of(tensors: Mapping[str, tuple[str, Sequence[int]]]) -> tuple[bytes, dict[str, int]]:
    """The header of a file of tensors that follow each other without a gap, and where in the file each begins.

    Args:
        tensors: by name the type as written (``F32``) and the shape, in the order of their bytes.
    """
    table, place = dict[str, Any](), 0
    for name, (dtype, shape) in tensors.items():
        end = place + prod(shape) * np.dtype(DTYPES[dtype][1]).itemsize
        table[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [place, end]}
        place = end
    text = json.dumps(table, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % LENGTH_BYTES)
    start = LENGTH_BYTES + len(text)
    begins = {name: start + entry["data_offsets"][0] for name, entry in table.items()}
    return len(text).to_bytes(LENGTH_BYTES, "little") + text, begins


def _header(path: str, size: int) -> tuple[dict[str, Any], int]:
    if size < LENGTH_BYTES:
        raise BadTensorFile(path=path, offset=0, flaw="short")
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        if length > size - LENGTH_BYTES or length == 0:
            raise BadTensorFile(path=path, offset=0, flaw="header-length")
        if length > MAX_HEADER:
            raise TensorFileTooLarge(path=path, counted="header", seen=length, limit=MAX_HEADER)
        raw = file.read(length)
    try:
        header = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise BadTensorFile(path=path, offset=LENGTH_BYTES + error.start, flaw="header-utf8") from None
    except RecursionError:
        raise BadTensorFile(path=path, offset=LENGTH_BYTES, flaw="header-deep") from None
    except _Twice:
        raise BadTensorFile(path=path, offset=LENGTH_BYTES, flaw="duplicate") from None
    except ValueError as error:
        place = LENGTH_BYTES + int(getattr(error, "pos", 0))
        raise BadTensorFile(path=path, offset=place, flaw="header-json") from None
    if not isinstance(header, dict):
        raise BadTensorFile(path=path, offset=LENGTH_BYTES, flaw="header-table")
    return header, LENGTH_BYTES + length


def _entry(path: str, entry: Any) -> tuple[str, tuple[int, ...], tuple[int, int]]:
    """Type, shape and place of one tensor, its size checked with whole numbers that cannot overflow."""

    def refuse(flaw: str) -> BadTensorFile:
        return BadTensorFile(path=path, offset=LENGTH_BYTES, flaw=flaw)

    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise refuse("header-table")
    dtype, shape, places = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise refuse("dtype")
    if not isinstance(shape, list) or len(shape) > MAX_RANK or not all(_is_size(part) for part in shape):
        raise refuse("shape")
    if not isinstance(places, list) or len(places) != 2 or not all(_is_size(part) for part in places):
        raise refuse("offsets")
    if places[1] < places[0]:
        raise refuse("offsets")
    each = np.dtype(DTYPES[dtype][1]).itemsize
    if prod(shape) * each != places[1] - places[0]:
        raise refuse("size")
    if prod(part for part in shape if part) * each > MAX_SIZE:  # without numbers, and yet longer than an array can be
        raise refuse("shape")
    return dtype, tuple(shape), (places[0], places[1])


def _is_size(part: Any) -> bool:
    return type(part) is int and 0 <= part <= MAX_SIZE


def _check_places(path: str, start: int, size: int, places: list[tuple[int, int]]) -> None:
    """Every byte of the data belongs to one tensor."""
    edges = sorted(places)
    ends = [(0, 0), *edges]
    for (_, end), (begin, stop) in pairwise(ends):
        if stop > size:
            raise BadTensorFile(path=path, offset=start + begin, flaw="offsets")
        if begin != end:
            raise BadTensorFile(path=path, offset=start + begin, flaw="overlap" if begin < end else "hole")
    if ends[-1][1] != size:
        raise BadTensorFile(path=path, offset=start + ends[-1][1], flaw="trailing")

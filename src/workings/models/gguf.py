"""Looks a GGUF header over in plain Python before any library sees the file: no count is believed without its bytes."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any, BinaryIO

from workings.tensors.marks import GGUF
from workings.terms.errors import BadTensorFile, TensorFileTooLarge
from workings.terms.model_errors import ModelField

VERSIONS = (2, 3)
MAX_TENSORS = 100_000
MAX_PAIRS = 100_000
MAX_RANK = 4
MAX_SIZE = 2**63 - 1
MAX_NESTING = 2
MAX_ALIGNMENT = 2**20
MAX_WIDTH = 2**20
USUAL_ALIGNMENT = 32
STRING, ARRAY, LEAST_STRING, LEAST_ARRAY = 8, 9, 8, 12
LEAST_PAIR, LEAST_TENSOR = LEAST_STRING + 4 + 1, LEAST_STRING + 4 + 4 + 8
# value type -> how ``struct`` writes it
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
WHOLE = (0, 1, 2, 3, 4, 5, 10, 11)
# tensor type -> (numbers in one block, bytes of one block)
BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
TOKENS = "tokenizer.ggml.tokens"
ELEMENTS = {TOKENS: 8, "tokenizer.ggml.merges": 8, "tokenizer.ggml.scores": 6, "tokenizer.ggml.token_type": 5}
BYTE_TOKEN = "<0x"


@dataclass(frozen=True)
class GgufTensor:
    """A tensor as the header lists it; the shape is outermost first, as in every other format.

    ``begin`` is its first byte in the file; the header counts ``offset`` from where the tensors begin.
    """

    shape: tuple[int, ...]
    kind: int
    offset: int
    size: int
    begin: int = 0


@dataclass(frozen=True)
class GgufHeader:
    """What a header says.

    Attributes:
        fields: single values by key; of an array only how many elements it has.
        tensors: by name.
    """

    fields: Mapping[str, Any]
    tensors: Mapping[str, GgufTensor]

    @property
    def architecture(self) -> str:
        return str(self.fields.get("general.architecture", ""))


def look_at_gguf(path: str, size: int) -> GgufHeader:
    """The header of a GGUF file of that many bytes.

    Raises ``BadTensorFile`` with the offset of what does not fit, ``ModelField`` or ``TensorFileTooLarge``.
    """
    with open(path, "rb") as file:
        return _Header(path, size, file).read()


class _Header:
    """Reads on from byte to byte; whatever claims to be long is held against the bytes that are left."""

    def __init__(self, path: str, size: int, file: BinaryIO) -> None:
        self.path, self.size, self.file, self.place = path, size, file, 0

    def refuse(self, flaw: str, place: int | None = None) -> BadTensorFile:
        return BadTensorFile(path=self.path, offset=self.place if place is None else place, flaw=flaw)

    # --- parts ---

    def take(self, count: int) -> bytes:
        if count > self.size - self.place:
            raise self.refuse("short")
        data = self.file.read(count)
        if len(data) != count:
            raise self.refuse("short")
        self.place += count
        return data

    def number(self, kind: str) -> Any:
        (value,) = struct.unpack("<" + kind, self.take(struct.calcsize("<" + kind)))
        return value

    def text(self, most: int = MAX_SIZE) -> str:
        begin = self.place
        length = self.number("Q")
        if length > min(self.size - self.place, most):
            raise self.refuse("gguf-string", begin)
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.refuse("gguf-utf8", begin + LEAST_STRING + error.start) from None

    def fits(self, count: int, least: int, flaw: str, begin: int) -> None:
        """Whether so many records of at least that size can still follow."""
        if count * least > self.size - self.place:
            raise self.refuse(flaw, begin)

    # --- the whole ---

    def read(self) -> GgufHeader:
        if self.take(len(GGUF)) != GGUF:
            raise self.refuse("gguf-magic", 0)
        version = self.number("I")
        if version not in VERSIONS:
            swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
            raise self.refuse("gguf-big-endian" if swapped in (1, *VERSIONS) else "gguf-version", 4)
        tensors, pairs = self.number("Q"), self.number("Q")
        self.fits(tensors, LEAST_TENSOR, "gguf-tensor-count", 8)
        self.fits(pairs, LEAST_PAIR, "gguf-pair-count", 16)
        for counted, seen, limit in (("tensors", tensors, MAX_TENSORS), ("pairs", pairs, MAX_PAIRS)):
            if seen > limit:
                raise TensorFileTooLarge(path=self.path, counted=counted, seen=seen, limit=limit)
        fields: dict[str, Any] = {}
        for _ in range(pairs):
            begin = self.place
            key = self.text(2**16)
            if key in fields:
                raise self.refuse("duplicate", begin)
            fields[key] = self._value(key)
        listed = self._tensors(tensors, self._alignment(fields))
        self._check_layers(fields, len(listed))
        return GgufHeader(fields, listed)

    def _value(self, key: str) -> Any:
        begin = self.place
        kind = self.number("I")
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            return self._array(key, 1)
        if kind not in SCALARS:
            raise self.refuse("gguf-value-type", begin)
        return self.number(SCALARS[kind])

    def _array(self, key: str, depth: int) -> int:
        """How many elements an array has; they are passed over, tokens are looked at."""
        begin = self.place
        kind, count = self.number("I"), self.number("Q")
        if depth == 1 and ELEMENTS.get(key, kind) != kind:
            raise self.refuse("gguf-element-type", begin)
        if kind == STRING:
            self.fits(count, LEAST_STRING, "gguf-array-count", begin)
            self._texts(count, key == TOKENS)
        elif kind == ARRAY:
            if depth == MAX_NESTING:
                raise self.refuse("gguf-nesting", begin)
            self.fits(count, LEAST_ARRAY, "gguf-array-count", begin)
            for _ in range(count):
                self._array(key, depth + 1)
        elif kind in SCALARS:
            each = struct.calcsize("<" + SCALARS[kind])
            self.fits(count, each, "gguf-array-count", begin)
            self.place = self.file.seek(self.place + count * each)
        else:
            raise self.refuse("gguf-value-type", begin)
        return int(count)

    def _texts(self, count: int, tokens: bool) -> None:
        for _ in range(count):
            begin = self.place
            text = self.text()
            if tokens and text.startswith(BYTE_TOKEN) and text.endswith(">") and len(text) > len(BYTE_TOKEN) + 1:
                digits = text[len(BYTE_TOKEN) : -1]
                if digits[:1] in "+-" or (len(digits) != 2 and _is_hex(digits)):
                    raise self.refuse("gguf-byte-token", begin)

    def _alignment(self, fields: Mapping[str, Any]) -> int:
        alignment = fields.get("general.alignment", USUAL_ALIGNMENT)
        whole = type(alignment) is int and 0 < alignment <= MAX_ALIGNMENT
        if not whole or alignment & (alignment - 1):
            raise self.refuse("gguf-alignment")
        return int(alignment)

    def _tensors(self, count: int, alignment: int) -> dict[str, GgufTensor]:
        found: dict[str, tuple[int, GgufTensor]] = {}
        for _ in range(count):
            begin = self.place
            name = self.text(2**16)
            if name in found:
                raise self.refuse("duplicate", begin)
            found[name] = begin, self._tensor(begin, alignment)
        start = -(-self.place // alignment) * alignment
        for begin, tensor in found.values():
            if start + tensor.offset + tensor.size > self.size:
                raise self.refuse("offsets", begin)
        edges = sorted((tensor.offset, tensor.offset + tensor.size, begin) for begin, tensor in found.values())
        for (_, end, _), (offset, _, begin) in pairwise(edges):
            if offset < end:
                raise self.refuse("overlap", begin)
        return {name: replace(tensor, begin=start + tensor.offset) for name, (_, tensor) in found.items()}

    def _tensor(self, begin: int, alignment: int) -> GgufTensor:
        rank = self.number("I")
        if not 1 <= rank <= MAX_RANK:
            raise self.refuse("gguf-rank", begin)
        shape = tuple(self.number("Q") for _ in range(rank))
        kind, offset = self.number("I"), self.number("Q")
        if kind not in BLOCKS:
            raise self.refuse("dtype", begin)
        per_block, block_bytes = BLOCKS[kind]
        if any(part > MAX_SIZE for part in shape) or prod(shape) > MAX_SIZE or shape[0] % per_block:
            raise self.refuse("gguf-shape", begin)
        if offset % alignment:
            raise self.refuse("gguf-offset", begin)
        return GgufTensor(shape[::-1], kind, offset, prod(shape) // per_block * block_bytes)

    def _check_layers(self, fields: Mapping[str, Any], tensors: int) -> None:
        """Sizes by which a reader would allocate: no more layers than tensors, no head count of 0."""
        architecture = fields.get("general.architecture", "")
        if not isinstance(architecture, str):
            raise self.refuse("gguf-architecture", 0)
        checks: dict[str, tuple[str, Callable[[Any], bool]]] = {
            "block_count": ("too-many", lambda seen: _is_count(seen) and seen <= tensors),
            "attention.head_count": ("not-count", _is_count),
            "attention.head_count_kv": ("not-count", _is_count),
            "attention.key_length": ("not-count", _is_count),
            "attention.value_length": ("not-count", _is_count),
            "embedding_length": ("too-large", lambda seen: _is_count(seen) and seen <= MAX_WIDTH),
            "rope.freq_base": ("not-above-zero", lambda seen: isinstance(seen, (int, float)) and 0 < seen < math.inf),
        }
        for name, (flaw, holds) in checks.items():
            key = f"{architecture}.{name}"
            if key in fields and not holds(fields[key]):
                raise ModelField(path=self.path, field=key, seen=str(fields[key])[:60], flaw=flaw)


def _is_count(seen: Any) -> bool:
    return type(seen) is int and 0 < seen <= MAX_SIZE


def _is_hex(text: str) -> bool:
    return all(sign in "0123456789abcdefABCDEF" for sign in text)

"""Model folders and GGUF files written byte by byte, good ones and bad ones, with nothing but the standard library."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from tests.support.tensor_files import GOOD

GOOD_CONFIG: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 8,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "num_hidden_layers": 1,
    "rope_theta": 10000.0,
    "vocab_size": 4,
}
STRING, ARRAY = 8, 9


def folder(at: Path, config: dict[str, Any] | bytes | None = None, **files: bytes) -> Path:
    """A folder with a config and one file of weights; ``files`` are written besides, ``__`` standing for a point."""
    at.mkdir(parents=True, exist_ok=True)
    table = GOOD_CONFIG if config is None else config
    (at / "config.json").write_bytes(table if isinstance(table, bytes) else json.dumps(table).encode())
    if not any("safetensors" in name or "bin" in name for name in files):
        (at / "model.safetensors").write_bytes(GOOD)
    for name, data in files.items():
        (at / name.replace("__", ".")).write_bytes(data)
    return at


def text(value: str | bytes) -> bytes:
    """A text as GGUF writes it."""
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def pair(key: str, kind: int, value: bytes) -> bytes:
    """A key with its value."""
    return text(key) + struct.pack("<I", kind) + value


def texts(key: str, words: list[str]) -> bytes:
    """A key with a list of texts."""
    return pair(key, ARRAY, struct.pack("<IQ", STRING, len(words)) + b"".join(map(text, words)))


def listed(name: str, dims: list[int], kind: int = 0, offset: int = 0) -> bytes:
    """A tensor as the header lists it."""
    sizes = b"".join(struct.pack("<Q", size) for size in dims)
    return text(name) + struct.pack("<I", len(dims)) + sizes + struct.pack("<IQ", kind, offset)


def gguf(
    tensors: int = 0, pairs: int = 0, body: bytes = b"", version: int = 3, magic: bytes = b"GGUF", data: int = 0
) -> bytes:
    """A GGUF file; ``data`` zeros follow the header from the next multiple of 32 on."""
    head = magic + struct.pack("<IQQ", version, tensors, pairs) + body
    return head + (b"\0" * (-len(head) % 32 + data) if data else b"")


LLAMA = pair("general.architecture", STRING, text("llama"))

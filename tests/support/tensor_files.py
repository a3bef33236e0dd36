"""Files of tensors written byte by byte, good ones and bad ones, and what must never be unpickled."""

from __future__ import annotations

import json
import os
import struct
from typing import Any


class Evil:
    """Whoever unpickles this runs a command."""

    def __reduce__(self) -> Any:
        return os.system, ("echo ran",)


def safetensors(header: Any, data: bytes = b"", length: int | None = None) -> bytes:
    """A file of tensors with any header, right or wrong."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(begin: int, end: int, shape: tuple[int, ...] = (2, 2), dtype: str = "F32") -> dict[str, Any]:
    """One tensor of a header."""
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


ONE = {"a": entry(0, 16)}
GOOD = safetensors(ONE, b"\0" * 16)

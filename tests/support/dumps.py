"""Dumps computed honestly in numpy, in any type of number, step by step or in one go."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from workings.arrays.rules import round_to

BITS = {"float16": np.float16, "float32": np.float32, "float64": np.float64}


def kept(dtype: str, values: Any) -> Any:
    """Values rounded to a type; of bfloat16 as float32 numbers."""
    wide = np.asarray(values, np.float64)
    return round_to(dtype, wide).astype(BITS.get(dtype, np.float32))


def plain_dump(tokens: int = 5, heads: int = 2, width: int = 4, seed: int = 1) -> dict[str, Any]:
    """Plain attention, all right."""
    random = np.random.default_rng(seed)
    q, k, v = (random.normal(size=(heads, tokens, width)).astype(np.float32) for _ in range(3))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(width))
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return {"Q": q, "K": k, "V": v, "weight": weights, "head_output": weights @ v}


def safetensors(path: Path, arrays: dict[str, tuple[str, Any]], metadata: dict[str, str] | None = None) -> Path:
    """A file by the format's own description."""
    header: dict[str, Any] = {"__metadata__": metadata} if metadata else {}
    data = b""
    for name, (dtype, array) in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path

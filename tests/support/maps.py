"""Small recordings for the model page, requests to them, and the same pictures by plain numpy over whole matrices."""

from __future__ import annotations

import base64
import json
import math
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.tiny_models import build, inputs_of
from workings.models.cells import rows_of
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.web.answers import answered
from workings.web.sources import Sources

TOKENS = 300  # more than a tile, and no whole number of blocks
NAME = "one"
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def recording_of(family: str, folder: Path, tokens: int = TOKENS) -> Path:
    """A model with random weights, run once; its folder is kept beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build(family, max_position_embeddings=1024).save_pretrained(folder / "model")
    given = {name: values.numpy() for name, values in inputs_of(family, tokens).items()}
    return Path(record(folder / "model", folder / "out", Wish(inputs=given)))


def ask(folder: Path, what: str, *, dump: str = "", status: int = 200, **body: Any) -> Any:
    """What the page is answered: data, or the codes of a tile."""
    sources = Sources({NAME: str(folder)}, dump)
    found = answered(what, json.dumps({"recording": NAME, "lang": "en", **body}).encode(), sources)
    assert found.status == status, found.body.decode(errors="replace")
    return json.loads(found.body) if found.media == "application/json" else found


def weights_of(folder: Path, head: str) -> Any:
    """A head's weights from the declared steps, and where a mask keeps out; queries × keys."""
    recording = Recording(folder)
    queries = next(iter(recording.layers.values()))["queries"]
    weights, _ = rows_of(recording, f"{head}.weight", 0, queries)
    masked, _ = rows_of(recording, f"{head}.masked", 0, queries)
    return weights, np.isneginf(masked)


def codes_of(found: Any, shape: tuple[int, int]) -> Any:
    """Codes as a matrix, from a tile or from base64."""
    data = base64.b64decode(found) if isinstance(found, str) else found.body
    return np.frombuffer(data, np.uint8).reshape(shape).astype(int)


def blocks(values: Any, edges: tuple[Any, Any], pooled: str) -> Any:
    """Blocks between edges (the first of each) as one number each, one block after the other."""
    rows, columns = ([*edge, size] for edge, size in zip(edges, values.shape, strict=True))
    out = np.zeros((len(rows) - 1, len(columns) - 1), values.dtype)
    for row in range(len(out)):
        for column in range(out.shape[1]):
            block = values[rows[row] : rows[row + 1], columns[column] : columns[column + 1]]
            extreme = block.flat[np.abs(block).argmax()] if pooled == "extreme" else None
            ways = {"max": block.max, "sum": block.sum, "all": block.all}
            out[row, column] = extreme if extreme is not None else ways[pooled]()
    return out


def expected(values: Any, masked: Any, high: float, *, signed: bool = False, decades: int = 7) -> Any:
    """The codes of numbers on a scale of so many powers of ten below 1, up to e to the ``high``."""
    out = np.zeros(values.shape, int)
    low = -decades * math.log(10)
    for at in np.ndindex(values.shape):
        size = abs(float(values[at]))
        place = min(1.0, max(0.0, (math.log(size) - low) / (high - low))) if size else 0.0
        if masked[at]:
            continue
        if not signed:
            out[at] = 1 + round(254 * place)
        else:
            out[at] = 128 if not size else 128 + (-1 if values[at] < 0 else 1) * (1 + round(126 * place))
    return out


def number(text: str) -> Fraction:
    """A printed number: ``−0.5``, ``1.5×10⁻⁷``."""
    mantissa, _, power = text.replace("−", "-").partition("×10")
    return Fraction(mantissa) * Fraction(10) ** int(power.translate(SUPERSCRIPTS) or 0)

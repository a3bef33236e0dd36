"""A recording on the disk, read one head of one tensor at a time, each against its checksum."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from workings.models.store import SCHEMA, part_bytes
from workings.models.tokens import labels
from workings.tensors.safetensors import DTYPES, Placed, look_at_safetensors
from workings.tensors.tensor import Floats, Tensor
from workings.terms.address import Name
from workings.terms.errors import FileUnreadable
from workings.terms.files import RECORDING, reading
from workings.terms.model_errors import NoRecording, NotRecorded, PlaceMissing, RecordingDamaged, RecordingVersion

MAX_INDEX = 2**28
KEPT = 32  # heads kept in memory
FIELDS: dict[str, type | tuple[type, ...]] = {
    "address": str, "part": str, "cross": bool, "layer": int, "file": str, "bytes": int, "tensors": dict,
    "heads": list, "kv_heads": list, "head_count": int, "kv_head_count": int, "queries": int, "keys": int, "d_k": int,
    "d_v": int, "scale": (int, float), "window": dict, "dtype": str,
}  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """One file of a recording; ``told`` has its size, and each tensor's type, shape, place and checksums."""

    folder: str
    address: str
    told: Mapping[str, Any]

    @cached_property
    def _places(self) -> dict[str, Placed]:
        """Where the file itself says that its tensors lie; checked against the index, once."""
        path, told = os.path.join(self.folder, self.told["file"]), self.told["tensors"]
        try:
            size = os.stat(path).st_size
        except OSError:
            raise RecordingDamaged(path=self.folder, name=self.told["file"], flaw="missing") from None
        if size != self.told["bytes"]:
            raise RecordingDamaged(path=self.folder, name=self.told["file"], flaw="wrong-size")
        places, _ = look_at_safetensors(path, size)
        seen = {name: (placed.dtype, list(placed.shape), placed.begin) for name, placed in places.items()}
        if seen != {name: (one["dtype"], one["shape"], one["begin"]) for name, one in told.items()}:
            raise RecordingDamaged(path=self.folder, name=self.told["file"], flaw="wrong-header")
        return places

    def part(self, tensor: str, place: int) -> Tensor:
        """One head of a tensor, its bits as they were written; ``place`` counts among those kept.

        Raises ``RecordingDamaged`` or ``FileUnreadable``.
        """
        placed, told = self._places[tensor], self.told["tensors"][tensor]
        length = part_bytes(told)
        path = os.path.join(self.folder, self.told["file"])
        with reading(path), open(path, "rb") as file:
            file.seek(placed.begin + place * length)
            data = file.read(length)
        if hashlib.sha256(data).hexdigest() != told["sha256"][place]:
            name = f"{self.address}, {tensor}, {place}"
            raise RecordingDamaged(path=path, name=name, flaw="wrong-checksum")
        ours, held = DTYPES[placed.dtype]
        return Tensor(tensor, ours, np.frombuffer(data, held).reshape(placed.shape[1:]))


@dataclass(frozen=True)
class Layer:
    """One recorded attention. What the index says of it stands in ``told``."""

    folder: str
    told: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.told[name]

    @property
    def place(self) -> Name:
        return Name("", self.told["layer"], part=self.told["part"], cross=self.told["cross"])

    def group(self, head: int) -> int:
        """The key head that a query head reads."""
        return int(head * self.told["kv_head_count"] // self.told["head_count"])

    @cached_property
    def _operands(self) -> Kept:
        return Kept(self.folder, self.told["address"], self.told)

    @cached_property
    def _rows(self) -> Kept:
        return Kept(self.folder, self.told["address"], self.told["rows"])

    def held(self, tensor: str, place: int) -> Tensor:
        """One head of ``q``, ``k``, ``v`` or ``bias``: tokens × width (of a bias: a line), as it was written.

        ``place`` counts among the recorded heads. Raises ``RecordingDamaged``.
        """
        return self._operands.part(tensor, place)

    def numbers(self, tensor: str, place: int) -> Floats:
        """The same in float64."""
        return self.held(tensor, place).numbers()

    def rows(self, name: str, head: int) -> Any:
        """What was kept of every query of a head, by a name of ``summary.rows_of``; None where it was not.

        Raises ``NotRecorded`` or ``RecordingDamaged``.
        """
        known: list[int] = self.told["heads"]
        if head not in known:
            raise NotRecorded(address=str(self.place._replace(head=head))[:-1], known=list(known))
        if name not in self.told.get("rows", {}).get("tensors", {}):
            return None
        return self._rows.part(name, known.index(head)).held


class Recording:
    """A recording, opened.

    Args:
        path: the folder.

    Raises ``NoRecording``, ``RecordingVersion`` or ``RecordingDamaged``; layers are checked when they are read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.told = _index(self.path)
        self.layers = {layer.place: layer for layer in (Layer(self.path, told) for told in self.told["layers"])}
        self.numbers = lru_cache(KEPT)(self._numbers)
        """Q, K, V or the bias of one head, float64; ``head`` counts as in the model."""

    def _numbers(self, place: Name, tensor: str, head: int) -> Floats:
        layer = self.layer(place)
        queries = tensor in ("q", "bias")
        known: Sequence[int] = layer["heads" if queries else "kv_heads"]
        if head not in known:
            raise NotRecorded(address=str(place._replace(head=head, name=tensor.upper())), known=list(known))
        numbers = layer.numbers(tensor, known.index(head))
        numbers.flags.writeable = False
        return numbers

    def layer(self, place: Name) -> Layer:
        """The layer at a place, its other parts left aside. Raises ``NotRecorded``."""
        here = Name("", place.layer or 0, part=place.part, cross=place.cross)
        found = self.layers.get(here)
        if place.layer is None and (place.head is not None or place.group is not None):
            alike = [one.layer for one in self.layers if one._replace(layer=0) == here]
            if len(alike) > 1:
                raise PlaceMissing(address=str(place), examples=[str(place._replace(layer=one)) for one in alike[:2]])
        if found is None:
            raise NotRecorded(address=str(here)[:-1], known=[str(known)[:-1] for known in self.layers])
        return found

    def words(self, part: str) -> tuple[str, ...]:
        """The words of a stack's tokens; empty where it reads no text."""
        return labels(self.told["tokens"].get(part, []))

    def axis_words(self, layer: Layer) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words along the queries and along the keys of a layer."""
        own = self.words(layer["part"])
        others = self.words("enc") if layer["cross"] else own
        return own if len(own) == layer["queries"] else (), others if len(others) == layer["keys"] else ()


def _index(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, RECORDING)
    try:
        if os.path.getsize(path) > MAX_INDEX:
            raise RecordingDamaged(path=folder, name=RECORDING, flaw="wrong-size")
        with open(path, "rb") as file:
            told = json.loads(file.read().decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise NoRecording(path=folder) from None
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise RecordingDamaged(path=folder, name=RECORDING, flaw="index") from None
    schema = told.get("schema") if isinstance(told, dict) else None
    if isinstance(schema, str) and schema != SCHEMA and schema.startswith("workings.recording/"):
        raise RecordingVersion(path=folder, seen=schema)
    if schema != SCHEMA or not _is_whole(told):
        raise RecordingDamaged(path=folder, name=RECORDING, flaw="index")
    return dict(told)


def _is_whole(told: Mapping[str, Any]) -> bool:
    """Whether the index holds what everything else relies on."""
    tokens, layers = told.get("tokens"), told.get("layers")
    if not isinstance(tokens, dict) or not isinstance(layers, list) or not isinstance(told.get("model"), dict):
        return False
    texts = all(isinstance(t, dict) and isinstance(t.get("text"), str) for of in tokens.values() for t in of)
    return texts and all(isinstance(layer, dict) and _is_layer(layer) for layer in layers)


def _is_layer(layer: Mapping[str, Any]) -> bool:
    if not all(isinstance(layer.get(name), kind) for name, kind in FIELDS.items()):
        return False
    if not _is_name(layer["file"]):
        return False
    counts = {"q": layer["heads"], "k": layer["kv_heads"], "v": layer["kv_heads"], "bias": layer["heads"]}
    tensors = layer["tensors"]
    if not {"q", "k", "v"} <= set(tensors) <= set(counts) or not all(
        _is_tensor(one, len(counts[name])) for name, one in tensors.items()
    ):
        return False
    return "rows" not in layer or (_are_rows(layer["rows"], layer) and _are_scores(layer.get("scores"), layer))


def _is_name(file: Any) -> bool:
    return isinstance(file, str) and os.path.basename(file) == file and file not in ("", ".", "..")


def _is_tensor(one: Any, heads: int) -> bool:
    return (
        isinstance(one, dict)
        and isinstance(one.get("shape"), list)
        and isinstance(one.get("sha256"), list)
        and isinstance(one.get("begin"), int)
        and one.get("dtype") in DTYPES
        and one["shape"][:1] == [len(one["sha256"])] == [heads]
    )


def _are_rows(rows: Any, layer: Mapping[str, Any]) -> bool:
    if not isinstance(rows, dict) or not _is_name(rows.get("file")) or not isinstance(rows.get("bytes"), int):
        return False
    tensors, sizes = rows.get("tensors"), [len(layer["heads"]), layer["queries"]]
    return isinstance(tensors, dict) and all(
        _is_tensor(one, len(layer["heads"])) and one["shape"][:2] == sizes for one in tensors.values()
    )


def _are_scores(scores: Any, layer: Mapping[str, Any]) -> bool:
    return isinstance(scores, dict) and all(
        isinstance(values, list)
        and len(values) == len(layer["heads"])
        and all(value is None or isinstance(value, (int, float)) for value in values)
        for values in scores.values()
    )

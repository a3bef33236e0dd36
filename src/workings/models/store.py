"""Writes a recording's folder: beside its place first, file by file, and moved there whole in the end."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from math import prod
from typing import IO, Any

import numpy as np

from workings.models.behind import Behind
from workings.tensors.safetensors import DTYPES, header_of
from workings.terms.files import RECORDING, writing
from workings.terms.model_errors import FolderTaken, RecordingBusy, ResumeDiffers

SCHEMA = "workings.recording/1"
PLAN = "plan.json"
LOCK = "lock"
HALF = ".half"
BLOCK = 2**20  # bytes that are read at once


def partial_of(folder: str) -> str:
    """Where a recording grows before it is whole."""
    parent, name = os.path.split(os.path.abspath(folder))
    return os.path.join(parent, f".{name}.partial")


def check_free(folder: str) -> None:
    """Raises ``FolderTaken`` where something stands already."""
    if os.path.lexists(os.path.abspath(folder)):
        raise FolderTaken(path=folder)


class Store:
    """A recording being written.

    Args:
        folder: where it will stand; nothing stands there yet.
        plan: what is recorded, as JSON data; a recording is resumed only under the same plan.
        resume: go on with what an earlier run left.

    Raises ``FolderTaken``, ``RecordingBusy``, ``ResumeDiffers`` or ``FileUnwritable``.
    """

    def __init__(self, folder: str, plan: Mapping[str, Any], *, resume: bool) -> None:
        self.folder, self.partial = os.path.abspath(folder), partial_of(folder)
        check_free(folder)
        self.resumed = False
        self.behind = Behind()
        with writing(self.folder):
            os.makedirs(self.partial, exist_ok=True)
            self._lock = open(os.path.join(self.partial, LOCK), "wb")  # noqa: SIM115  # held while we write
            self._hold()
            try:
                self._begin(_json(plan), resume=resume)
            except BaseException:
                self.leave(keep=resume)
                raise

    def _hold(self) -> None:
        """One writer at a time."""
        try:
            import fcntl

            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            return
        except BlockingIOError:
            self._lock.close()
            raise RecordingBusy(path=self.folder) from None

    def _begin(self, plan: bytes, *, resume: bool) -> None:
        path = os.path.join(self.partial, PLAN)
        left = _read(path)
        if resume and left is not None:
            if left != plan:
                self._lock.close()
                raise ResumeDiffers(path=self.folder)
            self.resumed = True
        for name in os.listdir(self.partial):
            if name != LOCK and (not self.resumed or name.endswith(HALF)):
                os.remove(os.path.join(self.partial, name))
        if not self.resumed:
            self.write(PLAN, [plan])

    def write(self, name: str, pieces: Iterable[Any]) -> int:
        """A file, whole or not at all; returns its size in bytes. Raises ``FileUnwritable``."""
        path = os.path.join(self.partial, name)
        with writing(self.folder):
            with open(path + HALF, "wb") as file:
                size = sum(file.write(piece) for piece in pieces)
                file.flush()
                os.fsync(file.fileno())
            os.replace(path + HALF, path)
        return size

    def write_tensors(self, name: str, tensors: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
        """A file of tensors: by name the type as written, and a numpy array, one head after the other.

        Returns its size, and for each tensor its shape, place and the SHA-256 of each head. Raises ``FileUnwritable``.
        """
        header, begins = header_of({name: (dtype, array.shape) for name, (dtype, array) in tensors.items()})
        told: dict[str, Any] = {
            tensor: {
                "dtype": dtype,
                "shape": list(array.shape),
                "begin": begins[tensor],
                "sha256": [hashlib.sha256(part.data).hexdigest() for part in array],
            }
            for tensor, (dtype, array) in tensors.items()
        }
        size = sum(array.nbytes for _, array in tensors.values()) + len(header)
        if not (self.resumed and self.is_written(name, size, told)):
            self.write(name, [header, *(array.data.cast("B") for _, array in tensors.values())])
        return {"bytes": size, "tensors": told}

    def is_written(self, name: str, size: int, told: Mapping[str, Any]) -> bool:
        """Whether an earlier run left just this file."""
        path = os.path.join(self.partial, name)
        if not os.path.isfile(path) or os.path.getsize(path) != size:
            return False
        with open(path, "rb") as file:
            for tensor in told.values():
                file.seek(tensor["begin"])
                if any(_hash(file, part_bytes(tensor)) != wanted for wanted in tensor["sha256"]):
                    return False
        return True

    def finish(self, index: Mapping[str, Any]) -> None:
        """The index, and the move to the final place. Raises ``FileUnwritable`` or ``FolderTaken``."""
        self.behind.finish()
        self.write(RECORDING, [_json(index)])
        with writing(self.folder):
            os.remove(os.path.join(self.partial, PLAN))
            os.remove(os.path.join(self.partial, LOCK))
            _settle(self.partial)
            if os.path.lexists(self.folder):
                raise FolderTaken(path=self.folder)
            os.rename(self.partial, self.folder)
            _settle(os.path.dirname(self.folder))
        self._lock.close()

    def leave(self, *, keep: bool) -> None:
        """Stop; what is finished stays for ``--resume`` where it is kept."""
        self.behind.leave()
        self._lock.close()
        if not keep:
            shutil.rmtree(self.partial, ignore_errors=True)


class Growing:
    """A file of tensors that comes a few rows at a time: each is heads × rows × more, one head after the other.

    Args:
        tensors: by name the type as written, and the whole shape.

    Every method raises ``FileUnwritable``.
    """

    def __init__(self, store: Store, name: str, tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> None:
        self.store, self.name = store, name
        self.path = os.path.join(store.partial, name)
        header, begins = header_of(tensors)
        self.told: dict[str, dict[str, Any]] = {
            tensor: {"dtype": dtype, "shape": list(shape), "begin": begins[tensor]}
            for tensor, (dtype, shape) in tensors.items()
        }
        self.size = len(header) + sum(shape[0] * part_bytes(self.told[name]) for name, (_, shape) in tensors.items())
        with writing(store.folder), open(self.path + HALF, "wb") as file:
            file.write(header)
            file.truncate(self.size)

    def put(self, start: int, rows: Mapping[str, tuple[str, Any]]) -> None:
        """Rows from ``start`` on, of every tensor: its type as written, and a numpy array."""
        with writing(self.store.folder), open(self.path + HALF, "r+b") as file:
            for tensor, (_, array) in rows.items():
                length, each = part_bytes(self.told[tensor]), array[0].nbytes // max(1, array.shape[1])
                for head, part in enumerate(array):
                    file.seek(self.told[tensor]["begin"] + head * length + start * each)
                    file.write(np.ascontiguousarray(part).data.cast("B"))

    def read(self, tensor: str) -> Any:
        """A whole tensor; None where there is none of that name."""
        if tensor not in self.told:
            return None
        told = self.told[tensor]
        with writing(self.store.folder), open(self.path + HALF, "rb") as file:
            file.seek(told["begin"])
            data = file.read(told["shape"][0] * part_bytes(told))
        return np.frombuffer(data, DTYPES[told["dtype"]][1]).reshape(told["shape"])

    def finish(self) -> dict[str, Any]:
        """The file is whole; returns what ``Store.write_tensors`` does."""
        with writing(self.store.folder), open(self.path + HALF, "r+b") as file:
            for told in self.told.values():
                file.seek(told["begin"])
                length = part_bytes(told)
                told["sha256"] = [_hash(file, length) for _ in range(told["shape"][0])]
            os.fsync(file.fileno())
        with writing(self.store.folder):
            if self.store.resumed and self.store.is_written(self.name, self.size, self.told):
                os.remove(self.path + HALF)
            else:
                os.replace(self.path + HALF, self.path)
        return {"bytes": self.size, "tensors": self.told}


def part_bytes(tensor: Mapping[str, Any]) -> int:
    """The bytes of one head of a tensor as the index tells of it."""
    each = int(DTYPES[tensor["dtype"]][1][-1])
    return each * prod(int(size) for size in tensor["shape"][1:])


def _hash(file: IO[bytes], length: int) -> str:
    """SHA-256 of what comes next in a file, of which little is in memory at once."""
    whole = hashlib.sha256()
    while part := file.read(min(length, BLOCK)):
        whole.update(part)
        length -= len(part)
    return whole.hexdigest()


def _json(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return f"{text}\n".encode()


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _settle(folder: str) -> None:
    """Have the names in a folder reach the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

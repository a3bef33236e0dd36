"""What enters each layer of a running model, kept beside its attention: from it a layer's numbers are worked again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from workings.models.recording import Layer, Recording
from workings.models.store import HALF, Store
from workings.tensors.safetensors import DTYPES
from workings.tensors.tensor import Floats
from workings.terms.errors import FileUnwritable
from workings.terms.model_errors import RecordingDamaged

STREAM = "x"
Take = Callable[[int, Any], None]


@contextmanager
def hearing(model: Any, layer: str, count: int, take: Take) -> Iterator[None]:
    """While this lasts, ``take`` is handed what enters each layer, tokens × d_model, and last what the last one made.

    Args:
        layer: the module of a layer, ``{n}`` for its number.
    """
    handles = []

    def hear(number: int) -> Callable[..., None]:
        def after(module: Any, given: Any, named: Mapping[str, Any], made: Any) -> None:
            take(number, (given[0] if given else named["hidden_states"])[0])
            if number == count - 1:
                take(count, (made[0] if isinstance(made, tuple) else made)[0])

        return after

    try:
        for number in range(count):
            module = model.get_submodule(layer.format(n=number))
            handles.append(module.register_forward_hook(hear(number), with_kwargs=True))
        yield
    finally:
        for handle in handles:
            handle.remove()


class Streams:
    """Writes streams into a recording: one file for each layer, as soon as all its tokens are there.

    Args:
        write: an array of torch as the type that is written and an array of numpy.
        tokens: how many there are in all; they may come in pieces, which wait on the disk for the others.
    """

    def __init__(self, store: Store, write: Callable[[Any], tuple[str, Any]], tokens: int) -> None:
        self.store, self.write, self.tokens = store, write, tokens
        self.told: list[dict[str, Any]] = []
        self._there: dict[int, int] = {}

    def take(self, layer: int, values: Any) -> None:
        """What enters a layer, or the next piece of it: tokens × d_model."""
        kind, array = self.write(values)
        before = self._there.get(layer, 0)
        if len(array) < self.tokens:
            self._there[layer] = before + len(array)
            array = self._collected(layer, array, anew=not before)
            if self._there[layer] < self.tokens:
                return
        name = f"L{layer}.X"
        written = self.store.write_tensors(f"{name}.safetensors", {STREAM: (kind, array[None])})
        self.told.append({"address": name, "layer": layer, "file": f"{name}.safetensors", **written})
        if before:
            os.remove(self._waiting(layer))

    def _waiting(self, layer: int) -> str:
        return os.path.join(self.store.partial, f"L{layer}.X{HALF}")

    def _collected(self, layer: int, array: Any, *, anew: bool) -> Any:
        """The pieces so far, mapped from the file where they wait. Raises ``FileUnwritable``."""
        path = self._waiting(layer)
        try:
            with open(path, "wb" if anew else "ab") as file:
                file.write(np.ascontiguousarray(array).data)
            return np.memmap(path, array.dtype, "r", shape=(self._there[layer], *array.shape[1:]))
        except OSError as error:
            raise FileUnwritable(path=self.store.folder, reason=error.strerror or str(error)) from None


def stream_of(recording: Recording, layer: int) -> Floats | None:
    """What enters a layer, float64, tokens × d_model; None where it was not kept. Raises ``RecordingDamaged``."""
    told = next((one for one in streams_of(recording) if one["layer"] == layer), None)
    return None if told is None else Layer(recording.path, told).numbers(STREAM, 0)


def streams_of(recording: Recording) -> list[dict[str, Any]]:
    """What the index says of each stream. Raises ``RecordingDamaged`` where it says it in another way."""
    streams = recording.told.get("streams", [])
    if not isinstance(streams, list) or not all(isinstance(one, dict) and _is_stream(one) for one in streams):
        raise RecordingDamaged(path=recording.path, name="recording.json", flaw="index")
    return streams


def _is_stream(told: Mapping[str, Any]) -> bool:
    number, tensors = told.get("layer"), told.get("tensors")
    if not isinstance(number, int) or told.get("file") != f"L{number}.X.safetensors" or told.get("address") is None:
        return False
    one = tensors.get(STREAM) if isinstance(tensors, dict) and len(tensors) == 1 else None
    if not isinstance(one, dict) or one.get("dtype") not in DTYPES or not isinstance(told.get("bytes"), int):
        return False
    shape, sums = one.get("shape"), one.get("sha256")
    return isinstance(shape, list) and len(shape) == 3 and isinstance(sums, list) and len(sums) == 1

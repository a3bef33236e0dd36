"""What enters each layer of a running model, kept beside its attention: from it a layer's numbers are worked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from workings.models.recording import Layer, Recording
from workings.models.store import Growing, Store
from workings.models.written import Tensors, as_written
from workings.tensors.safetensors import DTYPES
from workings.tensors.tensor import Floats
from workings.terms.files import RECORDING
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
    """Writes streams into a recording: one file for each layer, at once or some tokens at a time.

    Args:
        tokens: how many there are in all; 0 where no streams are kept.
    """

    def __init__(self, store: Store, tokens: int) -> None:
        self.store, self.tokens = store, tokens
        self._whole: dict[int, dict[str, Any]] = {}
        self._growing: dict[int, tuple[Growing, int]] = {}

    def take(self, layer: int, values: Any) -> None:
        """What enters a layer, or the next piece of it: tokens × d_model."""
        name = _file(layer)
        if layer not in self._growing and len(values) == self.tokens:
            kept = values[None].clone()  # a model may add to its stream in place while this waits
            self.store.behind.do(partial(self._write, layer, {STREAM: as_written(kept)}))
            return
        dtype, held = as_written(values[None])
        if layer not in self._growing:
            shape = (1, self.tokens, held.shape[2])
            self._growing[layer] = Growing(self.store, name, {STREAM: (dtype, shape)}), 0
        growing, start = self._growing[layer]
        growing.put(start, {STREAM: (dtype, held)})
        self._growing[layer] = growing, start + len(values)

    def _write(self, layer: int, tensors: Tensors) -> None:
        self._whole[layer] = self.store.write_tensors(_file(layer), tensors)

    def finish(self) -> list[dict[str, Any]]:
        """What the index says of each stream, when all tokens were there."""
        made = self.store.behind.all(growing.finish for growing, _ in self._growing.values())
        written = sorted((self._whole | dict(zip(self._growing, made, strict=True))).items())
        return [{"address": f"L{layer}.X", "layer": layer, "file": _file(layer), **told} for layer, told in written]


def _file(layer: int) -> str:
    return f"L{layer}.X.safetensors"


def stream_of(recording: Recording, layer: int) -> Floats | None:
    """What enters a layer, float64, tokens × d_model; None where it was not kept. Raises ``RecordingDamaged``."""
    told = next((one for one in streams_of(recording) if one["layer"] == layer), None)
    return None if told is None else Layer(recording.path, told).numbers(STREAM, 0)


def streams_of(recording: Recording) -> list[dict[str, Any]]:
    """What the index says of each stream. Raises ``RecordingDamaged`` where it says it in another way."""
    streams = recording.told.get("streams", [])
    if not isinstance(streams, list) or not all(isinstance(one, dict) and _is_stream(one) for one in streams):
        raise RecordingDamaged(path=recording.path, name=RECORDING, flaw="index")
    return streams


def _is_stream(told: Mapping[str, Any]) -> bool:
    number, tensors = told.get("layer"), told.get("tensors")
    if not isinstance(number, int) or told.get("file") != _file(number) or told.get("address") is None:
        return False
    one = tensors.get(STREAM) if isinstance(tensors, dict) and len(tensors) == 1 else None
    if not isinstance(one, dict) or one.get("dtype") not in DTYPES or not isinstance(told.get("bytes"), int):
        return False
    shape, sums = one.get("shape"), one.get("sha256")
    return isinstance(shape, list) and len(shape) == 3 and isinstance(sums, list) and len(sums) == 1

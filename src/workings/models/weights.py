"""The learned numbers of a model, read from its files where they lie, a tensor or a few of its rows at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from workings.arrays.rules import round_to
from workings.models.family import Kept
from workings.models.gguf import BLOCKS, GgufTensor, look_at_gguf
from workings.models.look import Looked, State
from workings.tensors.safetensors import DTYPES, Placed, look_at_safetensors
from workings.tensors.tensor import Floats, Tensor
from workings.terms.errors import MissingExtra
from workings.terms.model_errors import ModelFile, ModelUnreadable
from workings.terms.numbers import FORMATS

PLAIN = {0: "<f4", 1: "<f2", 28: "<f8"}  # types of GGUF that are numbers as they stand
WIDE = {28: "float64"}


class Weights:
    """The tensors of a model that was looked over; read, never mapped, so that a file cut meanwhile is an error.

    Args:
        dtype: the type the model ran in: numbers of a wider one were rounded to it.
    """

    def __init__(self, looked: Looked, dtype: str) -> None:
        self.looked, self.dtype = looked, dtype

    @cached_property
    def _placed(self) -> Mapping[str, tuple[State, Placed | GgufTensor]]:
        """Of each tensor the file it lies in, and where."""
        out: dict[str, tuple[State, Placed | GgufTensor]] = {}
        for state in self.looked.weights:
            state.check()
            if self.looked.kind == "gguf":
                tensors = look_at_gguf(state.path, state.size).tensors
                out.update({name: (state, tensor) for name, tensor in tensors.items()})
            else:
                places, _ = look_at_safetensors(state.path, state.size)
                out.update({name: (state, placed) for name, placed in places.items()})
        return out

    def rows(self, name: str, start: int, stop: int) -> Floats:
        """Rows of a tensor's first axis, as the model had them.

        Raises ``ModelUnreadable`` where there is no such tensor, ``ModelFile`` where a file was changed meanwhile.
        """
        if name not in self._placed:
            raise ModelUnreadable(path=self.looked.path, reason=f"{name}: no such tensor")
        state, placed = self._placed[name]
        if not 0 <= start <= stop <= placed.shape[0]:
            raise ModelUnreadable(path=self.looked.path, reason=f"{name}: {placed.shape[0]} rows and not {stop}")
        if isinstance(placed, Placed):
            found, kept = _plain(state, placed, start, stop)
        else:
            found, kept = _dequantised(state, placed, start, stop)
        wider = kept in FORMATS and FORMATS[kept][0] > FORMATS[self.dtype][0]
        return np.asarray(round_to(self.dtype, found) if wider else found, np.float64)


def _read(state: State, begin: int, length: int) -> bytes:
    state.check()
    with open(state.path, "rb") as file:
        file.seek(begin)
        data = file.read(length)
    if len(data) != length:
        raise ModelFile(path=state.path, name=os.path.basename(state.path), flaw="changed")
    return data


def _plain(state: State, placed: Placed, start: int, stop: int) -> tuple[Floats, str]:
    """Rows of a tensor in safetensors, and the type that they are kept in."""
    ours, held = DTYPES[placed.dtype]
    across = prod(placed.shape[1:]) * np.dtype(held).itemsize
    data = _read(state, placed.begin + start * across, (stop - start) * across)
    return Tensor("", ours, np.frombuffer(data, held).reshape(stop - start, *placed.shape[1:])).numbers(), ours


def _dequantised(state: State, tensor: GgufTensor, start: int, stop: int) -> tuple[Floats, str]:
    """Rows of a tensor in a GGUF file, and the type that its numbers have then."""
    per_block, block_bytes = BLOCKS[tensor.kind]
    across = tensor.shape[-1] // per_block * block_bytes
    alone = len(tensor.shape) == 1
    first, last = (0, 1) if alone else (start, stop)
    data = _read(state, tensor.begin + first * across, (last - first) * across)
    held = np.frombuffer(data, np.uint8).reshape(last - first, across)
    found: Any = held.view(PLAIN[tensor.kind]) if tensor.kind in PLAIN else _library()(held, tensor.kind)
    return np.asarray(found[0][start:stop] if alone else found, np.float64), WIDE.get(tensor.kind, "float32")


def _library() -> Any:
    try:
        from gguf.constants import GGMLQuantizationType
        from gguf.quants import dequantize
    except ModuleNotFoundError:
        raise MissingExtra(feature="GGUF", extra="models") from None
    return lambda data, kind: dequantize(data, GGMLQuantizationType(kind))


class Weight:
    """An array of the declared steps in a model's files, which an engine reads by its rows.

    Args:
        found: the model's numbers and the tensor's full name among them; asked when a number is.
        kept: how it lies there.
        shape: as the steps have it.
        heads: in how many heads what it makes stands, by the letters of ``Kept``.
    """

    def __init__(
        self,
        found: Callable[[], tuple[Weights, str]],
        kept: Callable[[], Kept],
        shape: tuple[int, ...],
        heads: Mapping[str, int],
    ) -> None:
        self._found, self._kept, self.shape, self._heads = found, kept, shape, heads

    @cached_property
    def whole(self) -> Floats:
        """The array, float64, read-only."""
        kept, (weights, tensor) = self._kept(), self._found()
        before, wide, parts = kept.share(self._heads)
        begin = self.shape[-1] // wide * before
        by_rows = kept.turned or len(self.shape) == 1  # what it makes lies along its first axis
        if kept.each:
            found = weights.rows(tensor, 0, self.shape[-1] // wide * parts)
            found = found.reshape(self._heads[kept.each], parts, -1, *found.shape[1:])[:, before : before + wide]
            found = found.reshape(-1, *found.shape[3:])
        else:
            found = weights.rows(tensor, *((begin, begin + self.shape[-1]) if by_rows else (0, self.shape[0])))
        if kept.pairs:
            found = found.reshape(self._heads[kept.pairs], -1, 2, *found.shape[1:]).swapaxes(1, 2).reshape(found.shape)
        found = found.T if kept.turned else found if by_rows else found[:, begin : begin + self.shape[-1]]
        if found.shape != self.shape:
            raise ModelUnreadable(path=weights.looked.path, reason=f"{tensor}: {found.shape} and not {self.shape}")
        found = np.ascontiguousarray(found)
        found.flags.writeable = False
        return found

    def rows(self, start: int, stop: int) -> Floats:
        """Rows of its first axis; a few of them are read alone where they lie together."""
        kept = self._kept()
        straight = not kept.turned and not kept.pairs and len(kept.part[1]) == 1
        if straight and (start, stop) != (0, self.shape[0]):
            weights, tensor = self._found()
            return weights.rows(tensor, start, stop)
        return self.whole[start:stop]


class Rows:
    """Some rows of an array, chosen by a list: what a look-up gives, or a part of a long array."""

    def __init__(self, weight: Weight, chosen: Any) -> None:
        self.weight, self.chosen = weight, chosen
        self.shape = (len(chosen), *weight.shape[1:])

    def rows(self, start: int, stop: int) -> Floats:
        """Rows ``start`` to ``stop`` of the chosen ones."""
        chosen = self.chosen[start:stop]
        if isinstance(chosen, range):
            return self.weight.rows(chosen.start, chosen.stop)
        return np.concatenate([self.weight.rows(row, row + 1) for row in chosen])

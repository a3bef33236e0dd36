"""One tensor of a dump: its name, the type it was written in, its bytes where they lie, and numbers on request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from workings.terms.errors import TensorType

Floats = npt.NDArray[np.float64]
BFLOAT16 = "bfloat16"
FLOATING = ("float64", "float32", "float16", BFLOAT16)


@dataclass(frozen=True)
class Tensor:
    """A tensor as written. ``held`` may be mapped from a file; of bfloat16 it holds the 16 bits of each number."""

    name: str
    dtype: str
    held: npt.NDArray[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.held.shape

    @property
    def is_floating(self) -> bool:
        return self.dtype in FLOATING

    def numbers(self, *index: Any) -> Floats:
        """Some of its numbers, widened without loss."""
        part = self.held[index]
        if self.dtype == BFLOAT16:
            part = (np.asarray(part).astype(np.uint32) << np.uint32(16)).view(np.float32)
        return np.asarray(part, dtype=np.float64)

    def arranged(self, held: npt.NDArray[Any]) -> Tensor:
        """The same numbers in another arrangement."""
        return replace(self, held=held)


@dataclass(frozen=True)
class StoredRows:
    """A two-dimensional part of a tensor that an engine reads a block of rows at a time."""

    tensor: Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return self.tensor.shape

    def rows(self, start: int, stop: int) -> Floats:
        """Rows of the first axis, as numbers."""
        return self.tensor.numbers(slice(start, stop))


def tensor_of(name: str, values: Any) -> Tensor:
    """A tensor from an array in memory, or from anything that hands one over without copying (DLPack).

    Raises ``TensorType`` for what holds no numbers that numpy can have.
    """
    try:
        if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
            return _handed_over(name, values)
        return _of_array(name, np.asarray(values))
    except (BufferError, RuntimeError, TypeError, ValueError):
        raise TensorType(name=name, seen=str(getattr(values, "dtype", type(values).__name__))) from None


def _handed_over(name: str, values: Any) -> Tensor:
    """A tensor of torch is taken off its graph and its device first.

    numpy has no bfloat16 that DLPack could name: such numbers are widened, and the upper half of their bits is kept.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    if str(values.dtype) == f"torch.{BFLOAT16}":
        wide = np.ascontiguousarray(np.from_dlpack(values.float()))
        return Tensor(name, BFLOAT16, (wide.view(np.uint32) >> np.uint32(16)).astype(np.uint16))
    return _of_array(name, np.from_dlpack(values))


def _of_array(name: str, held: npt.NDArray[Any]) -> Tensor:
    dtype = held.dtype.newbyteorder("=").name
    return Tensor(name, dtype, held.view(np.uint16) if dtype == BFLOAT16 else held)

"""The weights of one head as a kernel wrote them, to be laid over a recorded head's."""

from __future__ import annotations

from typing import Any

import numpy as np

from workings.checking.dumps.files import Dump
from workings.checking.dumps.names import meant
from workings.checking.dumps.options import Options
from workings.models.differences import check_alike
from workings.tensors.tensor import Tensor
from workings.terms.address import Name
from workings.terms.model_errors import NoWeightsInDump

WEIGHT = "weight"


class Dumped:
    """Weights of a dump, read where they are asked for.

    Attributes:
        dtype: the type that they are written in.
    """

    def __init__(self, tensor: Tensor) -> None:
        self._tensor, self.dtype = tensor, tensor.dtype

    def weights(self, queries: range, keys: range) -> tuple[Any, Any]:
        """Queries × keys, float64, and which are 0: what a mask keeps out is among these."""
        part = slice(queries.start, queries.stop), slice(keys.start, keys.stop)
        found = self._tensor.numbers(*part)
        return found, np.asarray(found == 0)


def dumped(dump: Dump, head: Name, place: int, shape: tuple[int, int]) -> Dumped:
    """The weights of one head.

    Args:
        dump: it has them under the head's own address, as one of several heads under its layer's, or as ``weight``.
        head: the address of the head's weights; ``place`` is which of the layer's heads it is.
        shape: how many queries and keys there are.

    Raises ``NoWeightsInDump`` or ``NotAlike``.
    """
    layer = str(head._replace(head=None))
    usual = {name: written for written, name in meant(dump.tensors, Options()).items()}
    for name in (str(head), layer, usual.get(WEIGHT, "")):
        tensor = dump.tensors.get(name)
        if tensor is None or not tensor.is_floating or not 2 <= tensor.held.ndim <= 4:
            continue
        held = tensor.held
        while held.ndim < 4:
            held = held[None]
        which = 0 if held.shape[1] == 1 else place
        if held.shape[0] and which < held.shape[1]:
            found = tensor.arranged(held[0, which])
            queries, keys = found.shape
            check_alike(str(head), shape, f"{dump.path}: {name}", (queries, keys))
            return Dumped(found)
    address = str(head).rpartition(".")[0]
    raise NoWeightsInDump(path=dump.path, address=address, known=list(dump.tensors))

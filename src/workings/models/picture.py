"""A recorded head as a picture: tiles of its weights, and blocks of them at any zoom, from Q, K and log-sum-exp."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workings.models.cells import spec_of
from workings.models.recording import Recording
from workings.terms.address import Name
from workings.terms.arguments import count, stretch
from workings.terms.model_errors import NotRecorded


class Picture:
    """The weights of one head, none of them held.

    Args:
        place: its layer; ``head`` counts as in the model.
    """

    def __init__(self, recording: Recording, place: Name, head: int) -> None:
        self.layer, self.head = recording.layer(place), head
        if self.layer.rows("lse", head) is None:
            raise NotRecorded(address=str(place._replace(head=head, name="lse")), known=[])
        self._levels: dict[int, Any] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """How many queries and keys there are."""
        return int(self.layer["queries"]), int(self.layer["keys"])

    @cached_property
    def _weights(self) -> Any:
        """The operands as they were recorded, and the log-sum-exp of each row."""
        import torch

        from workings.fast.operands import Extras, operands
        from workings.fast.weights import Weights

        layer, place = self.layer, self.layer["heads"].index(self.head)
        group = layer["kv_heads"].index(layer.group(self.head))

        def held(name: str, at: int) -> Any:
            tensor = layer.held(name, at)
            values = torch.from_numpy(tensor.held.copy())
            return (values.view(torch.bfloat16) if tensor.dtype == "bfloat16" else values)[None, None]

        extras = Extras()
        if layer.told.get("sinks") is not None:
            extras["sinks"] = torch.tensor([layer["sinks"][place]])
        if layer.told.get("bias") == "by-distance":
            extras["bias_by_distance"] = held("bias", place)[0]
        elif layer.told.get("bias") is not None:
            extras["bias"] = held("bias", place)[:, :, None]
        keys = held("k", group)
        of = operands(held("q", place), keys, keys, spec_of(layer), extras)  # no weight is made of values
        return Weights(of, torch.from_numpy(layer.rows("lse", self.head).copy())[None, None])

    def tile(self, queries: range, keys: range) -> Any:
        """Weights of some queries and keys: queries × keys, float64. Raises ``ArgumentForm`` or ``IndexOutside``."""
        return self._weights.tile(0, *self._part(queries, keys)).numpy()

    def logs(self, queries: range, keys: range) -> Any:
        """The natural logarithms of the same, -inf where a query may not look. Raises as ``tile`` does."""
        return self._weights.logs(0, *self._part(queries, keys)).numpy()

    def _part(self, queries: Any, keys: Any) -> list[range]:
        """Ranges of step 1, each also written as a slice or one place."""
        axes = zip(("query", "key"), self.shape, (queries, keys), strict=True)
        return [stretch("weight", axis, size, given) for axis, size, given in axes]

    def settled(self, queries: range, keys: range) -> tuple[Any, Any]:
        """Some weights, each divided by what its row adds up to, and which of them are masked.

        So rows add up to 1 (with what a sink takes) as float64 has it, however well the log-sum-exp is known.
        """
        import numpy as np

        logs = self.logs(queries, range(self.shape[1]))
        weights = np.exp(logs)
        total = weights.sum(1) + self._sink_share(queries)
        part = slice(None), slice(keys.start, keys.stop)
        return weights[part] / np.where(total > 0, total, 1.0)[:, None], np.isneginf(logs[part])

    def _sink_share(self, queries: range) -> Any:
        """What a learned sink takes of each row; 0 where there is none."""
        sinks = self._weights.operands.extras.get("sinks")
        lse = self._weights.natural_lse(0, 0, queries)
        return 0.0 if sinks is None else (sinks[0] - lse).exp().numpy()

    def log_maxima(self) -> Any:
        """Of each block of 16 × 16 weights the logarithm of the largest, float32; -inf where all are masked."""
        from workings.fast import pyramid

        return pyramid.log_maxima(self._weights, 0).float().numpy()

    def pyramid(self, level: int) -> tuple[Any, Any]:
        """The maxima and the sums of all blocks of 16ⁿ × 16ⁿ weights: rows × columns of blocks. Raises ``BadCount``.

        Level 1 is worked once and kept: a 128th of the weights' own size.
        """
        from workings.fast import pyramid

        for number in range(1, count("level", level, least=1) + 1):
            before = self._levels.get(number - 1)
            if before is not None and before.maxima.numel() <= 1:  # all levels above it are the same
                level = number - 1
                break
            if number not in self._levels:
                self._levels[number] = pyramid.level(self._weights, 0, 1) if before is None else pyramid.coarser(before)
        found = self._levels[level]
        return found.maxima.numpy(), found.sums.numpy()

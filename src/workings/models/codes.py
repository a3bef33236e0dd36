"""Weights as codes of a table of colours, one byte a cell: logarithms on a scale with fixed ends."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from workings.fast.blocks import BASE

Codes = np.ndarray[Any, np.dtype[np.uint8]]
Values = np.ndarray[Any, Any]

MASKED, EQUAL, LAST = 0, 128, 255
DECADES, DECADES_OF_DUMP = 7, 14  # powers of ten that colours tell apart below 1; beside what a kernel wrote


@dataclass(frozen=True)
class Scale:
    """From ``low`` (code 1, and all below) to ``high`` (code 255): logarithms; code 0 is what a mask keeps out.

    A diverging scale has code 128 where two weights are equal, and on either side of it the logarithm of how far they
    are apart.
    """

    low: float
    high: float
    diverging: bool = False

    def of_logs(self, logs: Values) -> Codes:
        """The codes of logarithms; -inf is masked."""
        return np.asarray(np.where(np.isneginf(logs), MASKED, 1 + self._steps(logs, LAST - 1)), np.uint8)

    def of_sums(self, sums: Values, masked: Any) -> Codes:
        """The codes of sums of weights; one that is too small to be told from 0 has the lowest colour."""
        with np.errstate(divide="ignore"):
            steps = self._steps(np.log(sums), LAST - 1)
        return np.asarray(np.where(masked, MASKED, 1 + steps), np.uint8)

    def of_differences(self, differences: Values, masked: Any) -> Codes:
        """The codes of differences, with their signs."""
        side = LAST - EQUAL - 1
        with np.errstate(divide="ignore"):
            steps = 1 + self._steps(np.log(np.abs(differences)), side)
        signed = np.where(differences < 0, -steps, steps)
        return np.asarray(np.where(masked, MASKED, EQUAL + np.where(differences == 0, 0, signed)), np.uint8)

    def _steps(self, logs: Values, most: int) -> Any:
        place = (logs - self.low) / (self.high - self.low)
        return np.rint(np.nan_to_num(np.clip(place, 0, 1), nan=1.0) * most).astype(np.int64)

    def code(self, value: float, sign: int = 1) -> int:
        """The code of a logarithm; of a difference with this sign."""
        if not self.diverging:
            return int(self.of_logs(np.array(value)))
        return int(self.of_differences(np.array(sign * np.exp(value)), np.array(False)))


def scale_of(level: int, pooled: str, *, compared: bool = False, with_dump: bool = False) -> Scale:
    """The scale of a way of looking.

    Args:
        level: a pixel is a block of 16ⁿ × 16ⁿ weights.
        pooled: ``max`` or ``sum``: a block's sum is as much as it has rows at the most, as each row adds up to 1.
    """
    high = level * log(BASE) if pooled == "sum" else 0.0
    return Scale(-log(10) * (DECADES_OF_DUMP if compared and with_dump else DECADES), high, compared)

"""Weights drawn from a seed, the same in every language and on every machine.

The generator is MINSTD (Park, Miller and Stockmeyer 1993): x ← 48271·x mod (2³¹ − 1), begun with x = seed.
The name of the array is mixed in first, so that ``W_Q`` and ``W_K`` of one seed differ: for each byte b of the name
(without layer and head), x ← (48271·x + b) mod (2³¹ − 1), and 1 if that is 0. Then each weight takes one step of the
generator and is (x mod 21 − 10)/10, one of −1.0, −0.9 … 1.0, row by row.
The stream of one name and seed runs on from head to head and from layer to layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from workings.steps.language import Const
from workings.steps.literal import Literal

MULTIPLIER = 48271
MODULUS = 2**31 - 1
_TENTHS = [
    Literal(f"{'-' if n < 0 else ''}{abs(n) // 10}.{abs(n) % 10}", Const(Fraction(n, 10))) for n in range(-10, 11)
]


def stream(seed: int, name: str) -> Iterator[Literal]:
    """The weights of one name and one seed (1 ≤ seed < 2³¹ − 1), without end."""
    x = seed
    for byte in name.encode("utf-8"):
        x = (MULTIPLIER * x + byte) % MODULUS or 1
    while True:
        x = MULTIPLIER * x % MODULUS
        yield _TENTHS[x % 21]


class Streams:
    """The streams of one example, each kept where it stands."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, str], Iterator[Literal]] = {}

    def draw(self, seed: int, name: str, shape: Sequence[int]) -> dict[tuple[int, ...], Literal]:
        """The next array of a name: its cells row by row."""
        source = self._open.setdefault((seed, name), stream(seed, name))
        return {index: next(source) for index in product(*(range(size) for size in shape))}

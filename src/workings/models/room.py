"""Whether a recording has room on the disk, and its model in memory; and if not, which choice has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from math import prod

from workings.models.look import Looked
from workings.models.sizes import BYTES
from workings.terms.model_errors import ModelTooLarge, NoRoom

SPARE = 2**24  # left free for the index and for what else is written meanwhile
NARROW = "bfloat16"


def check_memory(looked: Looked, dtype: str) -> None:
    """That the numbers of a model fit into memory at all. Raises ``ModelTooLarge``."""
    there = free_memory()
    numbers = sum(prod(shape) for shape in looked.tensors.values())
    if there is None or numbers * BYTES[dtype] <= there:
        return
    way = f"--dtype {NARROW}" if BYTES[dtype] > BYTES[NARROW] and numbers * BYTES[NARROW] <= there else ""
    raise ModelTooLarge(path=looked.path, needed=_size(numbers * BYTES[dtype]), there=_size(there), way=way)


def check_disk(
    folder: str, size: Callable[[Sequence[int], Sequence[int]], int], layers: Sequence[int], heads: Sequence[int]
) -> None:
    """That a recording fits onto the disk. Raises ``NoRoom`` with a choice of layers and heads that does.

    Args:
        size: bytes of a recording of some layers and heads.
        layers, heads: those that are wanted.
    """
    there = max(0, free_disk(folder) - SPARE)
    needed = size(layers, heads)
    if needed > there:
        way = _choice(size, layers, heads, there)
        raise NoRoom(path=folder, needed=_size(needed), there=_size(there), way=way)


def _choice(
    size: Callable[[Sequence[int], Sequence[int]], int], layers: Sequence[int], heads: Sequence[int], there: int
) -> str:
    """As many layers as fit with all heads, or else as many heads of one layer; empty where not even one does."""
    for count in range(len(layers) - 1, 0, -1):
        if size(layers[:count], heads) <= there:
            return f"--layers {spelled(layers[:count])}"
    for count in range(len(heads) - 1, 0, -1):
        if size(layers[:1], heads[:count]) <= there:
            return f"--layers {layers[0]} --heads {spelled(heads[:count])}"
    return ""


def spelled(numbers: Sequence[int]) -> str:
    """Numbers as the options take them: ``0-5,7``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _size(count: int) -> str:
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def free_disk(folder: str) -> int:
    """Bytes that can still be written where a folder will stand."""
    place = os.path.abspath(folder)
    while not os.path.isdir(place) and os.path.dirname(place) != place:
        place = os.path.dirname(place)
    return shutil.disk_usage(place).free


def free_memory() -> int | None:
    """Bytes that can still be had, swap among them; None where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
        return sum(int(told[name].split()[0]) * 1024 for name in ("MemAvailable", "SwapFree"))
    except (OSError, ValueError, KeyError):
        return None

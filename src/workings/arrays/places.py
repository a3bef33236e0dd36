"""Indices of a whole block at once: ranges while a slice will do, arrays of numbers where it will not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workings.steps.language import Calc, Index, Lookup, Size, Tables, index_axes

Ints = npt.NDArray[np.int64]


class Along(NamedTuple):
    """An axis of the block: which dimension of it, and the places it runs over."""

    dim: int
    places: range


Scope = Mapping[str, Along | int]


class ArrayTables(Tables):
    """The tables of the index language, looked up with arrays of places."""

    __slots__ = ("_arrays",)

    def __init__(self, sizes: Mapping[str, int], tables: Mapping[str, Any]) -> None:
        super().__init__(sizes, tables)
        self._arrays: dict[int, Ints] = {}

    def look_up_arrays(self, table: Any, places: tuple[Any, ...]) -> Any:
        array = self._arrays.setdefault(id(table), np.asarray(table))
        return array[places]


def place(item: Index, scope: Scope, tables: Tables) -> Along | int | None:
    """An index as one number or one range, or None where it is neither."""
    if isinstance(item, str):
        return scope[item]
    if isinstance(item, int):
        return item
    if isinstance(item, Size):
        return tables.sizes[item.axis]
    if isinstance(item, Lookup):
        found = [place(part, scope, tables) for part in item.index]
        return int(tables.index(item, constants(scope))) if all(isinstance(part, int) for part in found) else None
    left, right = place(item.left, scope, tables), place(item.right, scope, tables)
    if isinstance(left, int) and isinstance(right, int):
        return int(tables.index(Calc(item.op, left, right), {}))
    if isinstance(left, int) and isinstance(right, Along) and item.op in "+*":
        left, right = right, left
    if isinstance(left, Along) and isinstance(right, int):
        return _moved(item.op, left, right)
    return None


def constants(scope: Scope) -> dict[str, int]:
    """The part of a scope that is one number per axis."""
    return {axis: found for axis, found in scope.items() if isinstance(found, int)}


def _moved(op: str, along: Along, by: int) -> Along | int | None:
    """A range after ``op by``, as long as it stays a range."""
    dim, places = along
    if not places:
        return along
    if op == "*" and by > 0:
        return Along(dim, range(places.start * by, places[-1] * by + 1, places.step * by))
    if op in ("//", "%") and by > 0 and places[0] // by == places[-1] // by:
        whole = places[0] // by
        return whole if op == "//" else _moved("-", along, whole * by)
    if op not in "+-":
        return None
    shift = by if op == "+" else -by
    return Along(dim, range(places.start + shift, places.stop + shift, places.step))


def used_dims(items: tuple[Index, ...], scope: Scope) -> tuple[int, ...]:
    """The dimensions of the block that some indices depend on, in order."""
    found = (scope[axis] for item in items for axis in index_axes(item))
    return tuple(sorted({along.dim for along in found if isinstance(along, Along)}))


def numbers(scope: Scope, dims: tuple[int, ...]) -> dict[str, Any]:
    """The scope with an array of numbers for every axis, shaped to broadcast over ``dims``."""
    out: dict[str, Any] = constants(scope)
    for axis, along in scope.items():
        if isinstance(along, Along) and along.dim in dims:
            shape = [1] * len(dims)
            shape[dims.index(along.dim)] = -1
            out[axis] = np.arange(along.places.start, along.places.stop, along.places.step).reshape(shape)
    return out

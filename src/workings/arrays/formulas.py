"""A formula evaluated for a whole block of cells: slices where the index is plain, gathering where it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from workings.arrays import rules
from workings.arrays.places import Along, ArrayTables, numbers, place, used_dims
from workings.arrays.rules import Floats
from workings.steps import language as lang
from workings.steps.language import Expr
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Name

# reads an array: all of it, or, where a range of its first axis is named, those rows
Read = Callable[[Name, range | None], Floats]


@dataclass(frozen=True, slots=True)
class Block:
    """The block a formula is evaluated over.

    Attributes:
        scope: per axis its dimension of the block and its places, or one number.
        depth: dimensions of the block; a sum adds one behind the others.
        live: where the value is wanted (None: everywhere). Elsewhere an index may point outside.
    """

    scope: Mapping[str, Along | int]
    depth: int
    live: Any = None

    def deeper(self, axis: str, size: int) -> Block:
        """The block with one more axis, to be summed over."""
        live = None if self.live is None else self.live[..., None]
        return Block({**self.scope, axis: Along(self.depth, range(size))}, self.depth + 1, live)

    def only(self, live: Any) -> Block:
        """The block where a condition holds."""
        return replace(self, live=live if self.live is None else self.live & live)


class Formulas:
    """Evaluates formulas of one step; every result has the block's number of dimensions, or none."""

    def __init__(self, recipe: Recipe, op: Op, tables: ArrayTables, dtype: Any, read: Read) -> None:
        self._recipe, self._op, self._tables, self._dtype, self._read = recipe, op, tables, dtype, read

    def value(self, node: Expr, block: Block) -> Floats:
        """The formula at every cell of the block."""
        if isinstance(node, lang.At):
            return np.asarray(_spread(*self._at(node, block), block.depth))
        if isinstance(node, lang.Sum):
            return self._sum(node, block)
        if isinstance(node, lang.Max):
            return np.asarray(self._along(node, block).max(axis=-1))
        if isinstance(node, (lang.Add, lang.Larger)):
            return self._chain(node, block)
        if isinstance(node, (lang.Sub, lang.Mul, lang.Div, lang.Pow)):
            return self._binary(node, block)
        if isinstance(node, lang.Unary):
            return np.asarray(rules.UNARY[type(node)](self.value(node.arg, block)))
        if isinstance(node, lang.Round):
            return rules.round_to(node.dtype, self.value(node.arg, block))
        if isinstance(node, lang.If):
            return self._if(node, block)
        return self._leaf(node, block)

    def _leaf(self, node: Expr, block: Block) -> Floats:
        if isinstance(node, lang.Number):
            return self._number(self._tables.index(node.index, numbers(block.scope, tuple(range(block.depth)))))
        if isinstance(node, lang.Size):
            return self._number(self._tables.sizes[node.axis])
        if isinstance(node, lang.Infinity):
            return self._number(node.sign * np.inf)
        if isinstance(node, lang.Pi):
            return self._number(np.pi)
        if isinstance(node, (lang.Const, lang.Printed)) and node.value is not None:
            return self._number(float(node.value))
        if isinstance(node, lang.Printed):
            return self._number(np.inf if node.text == "∞" else -np.inf)
        raise TypeError(f"not a value: {node!r}")

    def _number(self, value: Any) -> Floats:
        return np.asarray(value, dtype=self._dtype)

    def _chain(self, node: lang.Add | lang.Larger, block: Block) -> Floats:
        inside = lang.of_absolute(node)
        if inside is not None:
            return np.abs(self.value(inside, block))
        function = rules.add if isinstance(node, lang.Add) else np.maximum
        out = self.value(node.terms[0], block)
        for term in node.terms[1:]:
            out = np.asarray(function(out, self.value(term, block)))
        return out

    def _binary(self, node: lang.Sub | lang.Mul | lang.Div | lang.Pow, block: Block) -> Floats:
        if isinstance(node, lang.Pow):
            return rules.power(self.value(node.base, block), self.value(node.exponent, block))
        left, right = self.value(node.left, block), self.value(node.right, block)
        if isinstance(node, lang.Div):
            return rules.divide(left, right, node.if_zero)
        return rules.subtract(left, right) if isinstance(node, lang.Sub) else rules.multiply(left, right)

    def _if(self, node: lang.If, block: Block) -> Floats:
        scope = numbers(block.scope, tuple(range(block.depth)))
        holds = np.asarray(self._tables.holds(node.condition, scope))
        if holds.all() or not holds.any():
            return self.value(node.then if holds.all() else node.otherwise, block)
        then = self.value(node.then, block.only(holds))
        return np.where(holds, then, self.value(node.otherwise, block.only(~holds)))

    # --- along an axis ---

    def _along(self, node: lang.Sum | lang.Max, block: Block) -> Floats:
        """The body at every place of the axis, as the last dimension."""
        size = self._tables.sizes[node.axis]
        body = self.value(node.body, block.deeper(node.axis, size))
        return np.broadcast_to(body, np.broadcast_shapes(body.shape, (size,)))

    def _sum(self, node: lang.Sum, block: Block) -> Floats:
        if isinstance(node.body, lang.Mul):
            left, right = node.body.left, node.body.right
            if isinstance(left, lang.At) and isinstance(right, lang.At):
                inside = block.deeper(node.axis, self._tables.sizes[node.axis])
                found = _contracted(*self._at(left, inside), *self._at(right, inside), block.depth)
                if found is not None:
                    return found
        return rules.total(self._along(node, block), -1)

    # --- reading ---

    def _at(self, at: lang.At, block: Block) -> tuple[Floats, tuple[int, ...]]:
        """The cells that ``at`` reads, and which dimensions of the block theirs are."""
        if at.head is None:
            return self._cells(at, None, block)
        head = place(at.head, block.scope, self._tables)
        if isinstance(head, int):
            return self._cells(at, head, block)
        dims = used_dims((at.head,), block.scope)
        if len(dims) != 1:
            raise TypeError(f"another head is named along one axis: {at!r}")
        (dim,) = dims
        heads = self._tables.index(at.head, numbers(block.scope, dims))
        edges = [0, *(np.flatnonzero(np.diff(heads)) + 1).tolist(), len(heads)]
        parts = [
            _spread(*self._at(at, _stretch(block, dim, start, stop)), block.depth) for start, stop in pairwise(edges)
        ]
        return np.concatenate(parts, axis=dim), tuple(range(block.depth))

    def _cells(self, at: lang.At, head: int | None, block: Block) -> tuple[Floats, tuple[int, ...]]:
        name = self._recipe.source(self._op, at.name, head)
        shape = self._recipe.array(name).shape
        found = [place(item, block.scope, self._tables) for item in at.index]
        dims = [item.dim for item in found if isinstance(item, Along)]
        if len(set(dims)) < len(dims) or not all(map(_inside, found, shape)):
            return self._gathered(at, name, shape, block)
        slices: list[Any] = [_slice(item) if isinstance(item, Along) else item for item in found]
        array = self._rows(name, found[0], slices) if found else self._read(name, None)
        cells = np.asarray(array[tuple(slices)])
        order = sorted(range(len(dims)), key=dims.__getitem__)
        return cells.transpose(order), tuple(sorted(dims))

    def _rows(self, name: Name, first: Along | int | None, slices: list[Any]) -> Floats:
        """The array to slice: only a block of its rows where the step reads it row by row."""
        if isinstance(first, Along) and first.dim == 0 and first.places.step == 1:
            slices[0] = slice(None)
            return self._read(name, first.places)
        if isinstance(first, int):
            slices[0] = 0
            return self._read(name, range(first, first + 1))
        return self._read(name, None)

    def _gathered(
        self, at: lang.At, name: Name, shape: tuple[int, ...], block: Block
    ) -> tuple[Floats, tuple[int, ...]]:
        """Cells by arrays of indices. Raises ``IndexError`` where one that is wanted points outside."""
        dims = used_dims(at.index, block.scope)
        scope = numbers(block.scope, dims)
        places = np.broadcast_arrays(*(self._tables.index(item, scope) for item in at.index))
        for item, size in zip(places, shape, strict=True):
            outside = (item < 0) | (item >= size)
            if outside.any() and (block.live is None or (_spread(outside, dims, block.depth) & block.live).any()):
                raise IndexError(f"{name}: an index of {at!r} points outside {shape}")
        inside = tuple(item.clip(0, size - 1) for item, size in zip(places, shape, strict=True))
        return np.asarray(self._read(name, None)[inside]), dims


def _inside(item: Along | int | None, size: int) -> bool:
    if isinstance(item, Along):
        return not item.places or (item.places[0] >= 0 and item.places[-1] < size)
    return item is not None and 0 <= item < size


def _slice(along: Along) -> slice:
    return slice(along.places.start, along.places.stop, along.places.step)


def _stretch(block: Block, dim: int, start: int, stop: int) -> Block:
    """The part of a block between two places of one dimension."""
    scope = {
        axis: Along(dim, along.places[start:stop]) if isinstance(along, Along) and along.dim == dim else along
        for axis, along in block.scope.items()
    }
    live = block.live
    if live is not None and live.shape[dim] > 1:
        live = live[(slice(None),) * dim + (slice(start, stop),)]
    return Block(scope, block.depth, live)


def _spread(cells: Any, dims: tuple[int, ...], depth: int) -> Any:
    """The cells with a dimension of length 1 for every dimension of the block that they do not depend on."""
    if len(dims) == depth:
        return cells
    sizes = dict(zip(dims, cells.shape, strict=True))
    return cells.reshape([sizes.get(dim, 1) for dim in range(depth)])


def _contracted(
    left: Floats, left_dims: tuple[int, ...], right: Floats, right_dims: tuple[int, ...], summed: int
) -> Floats | None:
    """Σ over the dimension ``summed`` (the last) as a matrix product, or None where it is not one."""
    if summed not in left_dims or summed not in right_dims or set(left_dims) & set(right_dims) != {summed}:
        return None
    rows, columns = left.shape[:-1], right.shape[:-1]
    product = rules.contract(*(side.reshape(prod(side.shape[:-1]), side.shape[-1]) for side in (left, right)))
    dims = left_dims[:-1] + right_dims[:-1]
    order = sorted(range(len(dims)), key=dims.__getitem__)
    cells = product.reshape(rows + columns).transpose(order)
    return np.asarray(_spread(cells, tuple(sorted(dims)), summed))

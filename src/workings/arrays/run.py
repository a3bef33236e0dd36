"""Runs a recipe in numpy: whole arrays, or a block of rows without ever holding a row for every token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from workings.arrays.formulas import Block, Formulas
from workings.arrays.places import Along, ArrayTables
from workings.arrays.rules import Floats
from workings.steps.language import At, Expr, walk
from workings.steps.recipe import Recipe
from workings.steps.step import Array, Op
from workings.terms.address import Name
from workings.terms.errors import ShapeMismatch, WrongRank

BLOCK_ROWS = 256


class Stored(Protocol):
    """A given array kept elsewhere, in a file or in another type of number: read a block of rows at a time."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def rows(self, start: int, stop: int) -> Floats:
        """Rows of its first axis as floating-point numbers."""


def _is_wide(op: Op) -> bool:
    """Whether an array has a cell for every pair of tokens: such arrays are not kept unless asked for."""
    return "query" in op.axes and "key" in op.axes


class _Rows:
    """What one block of rows has computed so far, or was handed; wide arrays of one head at a time."""

    def __init__(self, known: Mapping[tuple[Name, range], Floats] | None = None) -> None:
        self.known = known or {}
        self.narrow: dict[tuple[Name, range], Floats] = {}
        self._wide: dict[tuple[Name, range], Floats] = {}
        self._place: Name | None = None

    def kept(self, op: Op) -> dict[tuple[Name, range], Floats]:
        """Where the rows of a step are kept."""
        if not _is_wide(op):
            return self.narrow
        place = op.name.called("")
        if place != self._place:
            self._wide, self._place = {}, place
        return self._wide

    def all(self, rows: range) -> dict[Name, Floats]:
        """These rows of every array that is still kept."""
        kept = {**self.known, **self.narrow, **self._wide}
        return {name: values for (name, places), values in kept.items() if places == rows}


class Arrays:
    """The array form of one recipe.

    Args:
        recipe: the steps.
        given: arrays by name. An array that a step makes may be given too, and is then read instead of made.
        stored: the same for arrays that are not to be held whole.
        dtype: the floating-point type of every number and operation.
        block_rows: how many rows are computed at once.

    Cells that have no value (√ of a negative number, a division by 0 without a convention) are NaN.
    Raises ``WrongRank`` or ``ShapeMismatch`` where a given array is not as the recipe says.
    """

    def __init__(
        self,
        recipe: Recipe,
        given: Mapping[Name, Any],
        dtype: Any = np.float64,
        block_rows: int = BLOCK_ROWS,
        stored: Mapping[Name, Stored] | None = None,
    ) -> None:
        self.recipe = recipe
        self.dtype = np.dtype(dtype)
        self.block_rows = block_rows
        self._given = given
        self._stored = dict(stored or {})
        self._whole: dict[Name, Floats] = {}
        self._prepared: set[Name] = set()
        for name, kept in self._stored.items():
            self._check(recipe.array(name), kept.shape)
        for name, values in given.items():
            whole = np.asarray(values, dtype=self.dtype)
            self._check(recipe.array(name), whole.shape)
            self._keep(name, whole)

    def array(self, name: Name) -> Floats:
        """A whole array, read-only, shape as in the recipe; kept for the next time.

        Raises ``UnknownArray``.
        """
        kept = self._stored.get(name)
        if kept is not None:
            return np.asarray(kept.rows(0, kept.shape[0]), self.dtype)
        if name not in self._whole:
            self._prepare(name)
            self._make(name)
        return self._whole[name]

    def rows(self, name: Name, start: int, stop: int) -> Floats:
        """Rows ``start`` to ``stop`` of an array's first axis; of what it reads row by row, only those rows.

        Raises ``UnknownArray``, or ``IndexError`` where the array has no such rows.
        """
        return self.rows_of([name], start, stop)[0]

    def rows_of(
        self, names: Sequence[Name], start: int, stop: int, known: Mapping[Name, Floats] | None = None
    ) -> list[Floats]:
        """The same rows of several arrays; what they share is made once, as long as they stand at one head.

        Args:
            known: these rows of arrays that need not be made.
        """
        made = self.made_for(names, start, stop, known)
        return [made[name] for name in names]

    def made_for(
        self, names: Sequence[Name], start: int, stop: int, known: Mapping[Name, Floats] | None = None
    ) -> dict[Name, Floats]:
        """As ``rows_of``, with the same rows of all that was made on the way, of wide arrays those of the last head."""
        for name in names:
            shape = self.recipe.array(name).shape
            if not shape or not 0 <= start <= stop <= shape[0]:
                raise IndexError(f"{name} of shape {shape} has no rows {start} to {stop}")
        self._prepare(*names)
        rows = range(start, stop)
        made = _Rows({(name, rows): values for name, values in (known or {}).items()})
        wanted = {name: self._block(name, rows, made) for name in names}
        return {**made.all(rows), **wanted}

    def made_alike(self, other: Arrays) -> set[Name]:
        """Arrays that both engines make by the same formulas from the same numbers."""
        same = {name for name, values in self._given.items() if other._given.get(name) is values}
        same |= {name for name, kept in self._stored.items() if other._stored.get(name) is kept}
        if any(other.recipe.tables.get(name) is not table for name, table in self.recipe.tables.items()):
            return same
        for op in self.recipe.ops:
            read = any(op.name in engine._given or op.name in engine._stored for engine in (self, other))
            if not read and other.recipe.op(op.name) == op and same.issuperset(self.recipe.sources(op)):
                same.add(op.name)
        return same

    def take(self, other: Arrays, names: Iterable[Name]) -> None:
        """Keep whole arrays that another engine has made, so that they are not made again."""
        for name in names:
            if name in other._whole:
                self._whole[name] = other._whole[name]

    def evaluate(self, formula: Expr, op: Op, scope: Mapping[str, range | int] | None = None) -> Floats:
        """Any formula as if it were the step's own: what an altered step would give, from the same inputs.

        Args:
            op: the step whose names the formula uses.
            scope: per axis of the step a range of places, or one number (that axis is then dropped); all by default.
        """
        self._prepare(*self.recipe.sources(replace(op, step=replace(op.step, formula=formula))))
        return self._evaluate(formula, op, scope or {}, _Rows())

    def _check(self, array: Array, shape: tuple[int, ...]) -> None:
        if len(shape) != len(array.shape):
            raise WrongRank(name=str(array.name), shape=list(shape), axes=list(array.axes))
        for axis, size, expected in zip(array.axes, shape, array.shape, strict=True):
            if size != expected:
                raise ShapeMismatch(
                    name=str(array.name),
                    shape=list(shape),
                    axis=axis,
                    size=size,
                    expected=expected,
                    because="recipe",
                )

    def _keep(self, name: Name, values: Floats) -> None:
        values = values.view()
        values.flags.writeable = False
        self._whole[name] = values

    def _op(self, name: Name) -> Op:
        op = self.recipe.op(name)
        if op is None:
            self.recipe.array(name)
            raise KeyError(f"no values were given for {name}")
        return op

    def _prepare(self, *names: Name) -> None:
        """Make whole, in order, what some step on the way reads across its rows, so that depth costs no stack."""
        if self._prepared.issuperset(names):
            return
        needed, across, todo = set[Name](), set[Name](), list(names)
        while todo:
            name = todo.pop()
            op = self.recipe.op(name)
            if name in needed or name in self._whole or name in self._stored or op is None:
                continue
            needed.add(name)
            todo.extend(self.recipe.sources(op))
            for node in walk(op.step.formula):
                if isinstance(node, At) and node.head is None and node.index[:1] != op.step.axes[:1]:
                    across.add(self.recipe.source(op, node.name))
        for op in self.recipe.ops:
            if op.name in needed & across and op.name not in self._whole:
                self._make(op.name)
        self._prepared.update(names)

    def _make(self, name: Name) -> None:
        """Compute a whole array block by block, and keep the narrow arrays that were made whole on the way."""
        op = self._op(name)
        if not op.shape:
            self._keep(name, self.evaluate(op.step.formula, op))
            return
        out = np.empty(op.shape, self.dtype)
        on_the_way: dict[Name, list[tuple[range, Floats]]] = {}
        for start in range(0, op.shape[0], self.block_rows):
            rows, made = range(start, min(start + self.block_rows, op.shape[0])), _Rows()
            out[rows.start : rows.stop] = self._block(name, rows, made)
            for (other, places), values in made.narrow.items():
                on_the_way.setdefault(other, []).append((places, values))
        self._keep(name, out)
        for other, blocks in on_the_way.items():
            edges = [0, *(places.stop for places, _ in blocks)]
            follow = all(places.start == edge for (places, _), edge in zip(blocks, edges, strict=False))
            if other not in self._whole and follow and edges[-1] == self.recipe.array(other).shape[0]:
                self._keep(other, np.concatenate([values for _, values in blocks]))

    def _block(self, name: Name, rows: range, made: _Rows) -> Floats:
        whole, stored = self._whole.get(name), self._stored.get(name)
        if whole is not None:
            return whole[rows.start : rows.stop]
        if stored is not None:
            return np.asarray(stored.rows(rows.start, rows.stop), self.dtype)
        op = self._op(name)
        key = name, rows
        values = made.known.get(key)
        if values is not None:
            return values
        values = made.kept(op).get(key)
        if values is None:
            values = self._evaluate(op.step.formula, op, {op.step.axes[0]: rows}, made)
            made.kept(op)[key] = values
        return values

    def _evaluate(self, formula: Expr, op: Op, scope: Mapping[str, range | int], made: _Rows) -> Floats:
        places: dict[str, Along | int] = dict(self.recipe.scope(op))
        shape: list[int] = []
        for axis, size in zip(op.step.axes, op.shape, strict=True):
            chosen = scope.get(axis, range(size))
            if isinstance(chosen, range):
                places[axis] = Along(len(shape), chosen)
                shape.append(len(chosen))
            else:
                places[axis] = chosen
        tables = ArrayTables(self.recipe.sizes_of(op), self.recipe.tables)

        def read(name: Name, rows: range | None) -> Floats:
            return self.array(name) if rows is None else self._block(name, rows, made)

        formulas = Formulas(self.recipe, op, tables, self.dtype, read)
        with np.errstate(all="ignore"):
            out = formulas.value(formula, Block(places, len(shape)))
        return np.broadcast_to(out, shape).astype(self.dtype, copy=False)

"""Judges the arrays of one item of a batch: against the inputs, and against what the kernel itself made before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from workings.arrays.bounds import Arithmetic, error_of, with_bounds
from workings.arrays.rules import Floats
from workings.arrays.run import Arrays
from workings.checking.dumps.census import Sides, Truths
from workings.checking.dumps.inputs import Item
from workings.steps.language import Const
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Name

BLOCK_CELLS = 2**16  # of one array at once: a few such blocks of it fit into a processor's cache
UNDERFLOW = 104.0  # e^-104 is 0 in float32: a masked score that far down takes no part


class Judge:
    """One item of the batch."""

    def __init__(self, item: Item, arithmetic: Arithmetic) -> None:
        self.item, self.arithmetic = item, arithmetic
        self._own: tuple[Name, Arrays] | None = None

    @cached_property
    def truth(self) -> Arrays:
        """What follows from the inputs."""
        return self.engine(self.item.recipe, frozenset())

    def own(self, name: Name) -> Arrays:
        """What follows from what the kernel made before an array. Kept for one array at a time."""
        if self._own is None or self._own[0] != name:
            self._own = name, self.engine(self.item.recipe, self.before(name), name)
        return self._own[1]

    def before(self, name: Name) -> frozenset[Name]:
        """The produced arrays that come before one, at its own head or for all heads, in order of computation."""
        names = list(self.item.produced)
        place = name.called("")
        everywhere = name.name in ("concat", "output")
        return frozenset(
            other
            for other in names[: names.index(name)]
            if other not in self.item.given and (everywhere or other.called("") == place or other.head is None)
        )

    def engine(self, recipe: Recipe, read: frozenset[Name], wanted: Name | None = None) -> Arrays:
        """A recipe with its bounds, some produced arrays read instead of made; all of it, or what one array needs.

        A table that the kernel was given is used as it is, unless it is the table itself that is wanted.
        """
        item = self.item
        given = {name: values for name, values in item.given.items() if name != wanted}
        if wanted is not None:
            recipe = _needed(recipe, wanted, read.union(given))
            read = frozenset(name for name in read if recipe.op(name) is not None)
            given = {name: values for name, values in given.items() if recipe.has(name)}
        stored = {**item.stored, **{name: item.produced[name] for name in read}}
        return Arrays(with_bounds(recipe, self.arithmetic, read, given), given, stored=stored)

    def groups(self) -> Iterator[list[Name]]:
        """Produced arrays that are made together: those of one head with equally many rows."""
        groups: dict[tuple[Name, int], list[Name]] = {}
        for name, rows in self.item.produced.items():
            place = name if name in self.item.given else name.called("")
            groups.setdefault((place, rows.shape[0]), []).append(name)
        yield from groups.values()

    @property
    def width(self) -> int:
        """Cells of a row of the widest array."""
        return max(1, self.item.recipe.sizes.get("key", 1))

    @property
    def height(self) -> int:
        """Rows of which a block of the widest array stays small."""
        return max(1, BLOCK_CELLS // self.width)

    def blocks(self, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
        """Rows, a block at a time."""
        count = self.item.produced[names[0]].shape[0]
        for start in range(0, count, self.height):
            yield start, min(start + self.height, count)

    def sides(self, names: Sequence[Name], start: int, stop: int) -> tuple[dict[Name, Sides], Truths]:
        """The same rows of several arrays at one head; and which of them are rows in which nothing may be looked at."""
        lse = self._empty_rows(names)
        wanted = [*names, *(error_of(name) for name in names), *lse]
        engine = self.own(names[0]) if names[0] in self.item.given else self.truth
        found = engine.rows_of(wanted, start, stop)
        values, bounds = found[: len(names)], found[len(names) :]
        out: dict[Name, Sides] = {}
        for name, value, bound in zip(names, values, bounds, strict=False):
            printed = self.item.produced[name].rows(start, stop)
            out[name] = Sides(as_masked(name, printed, value), value, bound)
        return out, np.isneginf(found[-1]) if lse else np.zeros(stop - start, bool)

    def _empty_rows(self, names: Sequence[Name]) -> list[Name]:
        """The array that tells rows without a key, where there may be any: the log-sum-exp, -inf there."""
        recipe, lse = self.item.recipe, names[0].called("lse")
        rows = self.item.produced[names[0]].shape[0]
        masks = recipe.has(names[0].called("masked")) or "score" in {name.name for name in self.item.stored}
        return [lse] if masks and recipe.has(lse) and recipe.array(lse).shape[0] == rows else []

    def from_own(self, name: Name, printed: Floats, start: int, stop: int) -> Sides:
        """The rows of one array beside what the kernel's own earlier arrays give."""
        value, bound = self.own(name).rows_of([name, error_of(name)], start, stop)
        return Sides(as_masked(name, printed, value), value, bound)

    @cached_property
    def uniform(self) -> Arrays:
        """What a row that may look at nothing gives where it looks at everything equally."""
        from workings.checking.causes.masks import convention

        other = convention(self.item.recipe, "uniform") or self.item.recipe
        return self.engine(replace(other), frozenset())


def _needed(recipe: Recipe, wanted: Name, read: frozenset[Name]) -> Recipe:
    """The part of a recipe that one array is made from; what is read is made from nothing."""
    needed, todo = dict[Name, Op](), [wanted]
    while todo:
        name = todo.pop()
        op = recipe.op(name)
        if op is not None and name not in needed:
            needed[name] = replace(op, step=replace(op.step, formula=Const(0))) if name in read else op
            todo.extend(() if name in read else recipe.sources(op))
    return replace(recipe, ops=tuple(needed[op.name] for op in recipe.ops if op.name in needed))


def as_masked(name: Name, printed: Floats, value: Floats) -> Floats:
    """A masked score so low that it takes no part is as good as −∞."""
    if name.name != "masked" or printed.ndim != 2 or not printed.size:
        return printed
    with np.errstate(invalid="ignore"):
        finite = np.where(np.isneginf(value), -np.inf, printed)
        low = np.isneginf(value) & (printed <= finite.max(axis=1, keepdims=True) - UNDERFLOW)
    return np.where(low, -np.inf, printed)

"""Altered recipes tried a cell at a time: only the cells asked for are worked, and what no change reaches only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product

from flint import ctx

from workings.exact import values
from workings.exact.cells import Cell, compile_cell, compile_index, no_array
from workings.exact.forms import Form
from workings.exact.run import settled
from workings.exact.values import Held
from workings.steps import language as lang
from workings.steps.language import Expr, Tables
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.numbers import MIN_BITS, Value

Index = tuple[int, ...]
Given = Mapping[Name, Mapping[Index, Expr]]
NEAR = 24  # the last steps, whose cells ask each other for their values; steps before them are worked whole


class Trials:
    """The ways in which one array of a recipe can come out otherwise.

    Args:
        recipe: the steps as they are declared.
        given: for every given array its cells as expressions without ``At``, by index.
        target: the array whose cells are asked for; a step makes it.
    """

    def __init__(self, recipe: Recipe, given: Given, target: Name) -> None:
        self.recipe, self.given, self.target = recipe, given, target
        self._ops = recipe.ops[: [op.name for op in recipe.ops].index(target) + 1]
        self._unaltered: dict[int, _Arrays] = {}

    def of(self, altered: Recipe) -> Callable[[Address], Value] | None:
        """The cells of the array by an altered recipe, or None where nothing that was altered reaches it.

        A cell may have no value, which is an error of ours.
        """
        reached = self._reached(altered)
        if self.target not in reached:
            return None
        known: dict[int, _Arrays] = {}

        def at_bits(address: Address, bits: int) -> Held:
            with ctx.workprec(bits):
                if bits not in known:
                    known[bits] = self._arrays(altered, reached, bits)
                return known[bits][address.array][address.index]

        return lambda address: settled(lambda bits: at_bits(address, bits), lambda: str(address))

    def _reached(self, altered: Recipe) -> dict[Name, Op]:
        """The steps, up to the array's own, that were altered or read what an altered one makes."""
        reached: dict[Name, Op] = {}
        whole = altered.tables is not self.recipe.tables
        for before, op in zip(self._ops, altered.ops, strict=False):
            if op is not before or whole or (reached and not reached.keys().isdisjoint(self.recipe.sources(op))):
                reached[op.name] = op
        return reached

    def _arrays(self, altered: Recipe, reached: Mapping[Name, Op], bits: int) -> _Arrays:
        before = self._unaltered.get(bits)
        if before is None:
            ops = {op.name: op for op in self.recipe.ops}
            before = self._unaltered[bits] = _Arrays(self, ops, self.recipe.tables, bits)
        arrays = _Arrays(self, reached, altered.tables, bits, before)
        for op in self._upstream[:-NEAR]:
            arrays[op.name].fill(op.shape)
        return arrays

    @cached_property
    def _upstream(self) -> list[Op]:
        """The steps that the array is made from, its own the last."""
        wanted, found = {self.target}, []
        for op in reversed(self._ops):
            if op.name in wanted:
                found.append(op)
                wanted.update(self.recipe.sources(op))
        return found[::-1]


class _Arrays(dict[Name, "_Array"]):
    """Arrays at one working precision, each made when it is asked for.

    Those that ``ops`` make are its own; what else is asked for is found ``before``, or given.
    """

    def __init__(
        self,
        trials: Trials,
        ops: Mapping[Name, Op],
        tables: Mapping[str, object],
        bits: int,
        before: _Arrays | None = None,
    ) -> None:
        super().__init__()
        self._trials, self._ops, self._before = trials, ops, before
        self._tables = Tables(trials.recipe.sizes, tables)
        self._closed = bits > MIN_BITS

    def __missing__(self, name: Name) -> _Array:
        op = self._ops.get(name)
        if op is not None:
            made = _Array(self._worked(op), closed=self._closed)
        elif self._before is not None:
            made = self._before[name]
        else:
            made = _Array(self._written(self._trials.given[name]), closed=self._closed)
        self[name] = made
        return made

    def _written(self, leaves: Mapping[Index, Expr]) -> Callable[[Index], Held]:
        """Given cells, as they are written."""

        tables = self._tables
        return lambda index: compile_cell(leaves[index], tables, no_array)({})

    def _worked(self, op: Op) -> Callable[[Index], Held]:
        """Cells by the formula of their step."""
        recipe = self._trials.recipe
        tables = Tables(recipe.sizes_of(op), self._tables.tables) if op.rename else self._tables
        cell = compile_cell(op.step.formula, tables, lambda at: self._reader(op, at, tables))
        fixed, axes = recipe.scope(op), op.step.axes
        return lambda index: cell({**fixed, **dict(zip(axes, index, strict=True))})

    def _reader(self, op: Op, at: lang.At, tables: Tables) -> Cell:
        """A function of the scope that reads one cell for a formula."""
        recipe = self._trials.recipe  # what an op does not bind itself means the same in all altered recipes
        places = [compile_index(item, tables) for item in at.index]
        if at.head is not None:
            head = compile_index(at.head, tables)
            by_head = [self[recipe.source(op, at.name, each)] for each in range(tables.sizes["heads"])]
            return lambda scope: by_head[head(scope)][tuple([place(scope) for place in places])]
        cells = self[recipe.source(op, at.name)]
        if len(places) == 2:
            first, second = places
            return lambda scope: cells[first(scope), second(scope)]
        return lambda scope: cells[tuple([place(scope) for place in places])]


class _Array(dict[Index, Held]):
    """The cells of an array, each worked when it is asked for; as balls where closed forms are not ``closed`` over.

    Balls are quicker, and the least precision has only to rule out: what it leaves open is worked again with more.
    """

    def __init__(self, work: Callable[[Index], Held], *, closed: bool) -> None:
        super().__init__()
        self._work, self._closed = work, closed

    def __missing__(self, index: Index) -> Held:
        held = self._work(index)
        if not self._closed and isinstance(held, Form):
            held = values.ball(held)
        self[index] = held
        return held

    def fill(self, shape: Index) -> None:
        """Works all cells."""
        for index in product(*map(range, shape)):
            self[index]

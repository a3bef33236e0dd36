"""Altered recipes tried a cell at a time: only the cells asked for are worked, and what no change reaches only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from weakref import ref

from flint import arb

from workings.exact import spans
from workings.exact.balls import BALLS, hold
from workings.exact.cells import CLOSED, Cell, Known, compile_cell
from workings.exact.run import Computed, Exact, settled
from workings.exact.values import Held, NeedMoreBits, Precision
from workings.steps import language as lang
from workings.steps.language import Tables
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.errors import WorkingsError
from workings.terms.numbers import MIN_BITS, Value

Index = tuple[int, ...]
Work = Callable[[Index], Held]
ROUGH = MIN_BITS  # balls alone, which have only to rule out: what they leave open is worked again with more
DEEPEST = 24  # steps in a row whose cells may ask each other for their values; longer rows would exhaust the stack


class Trials:
    """The ways in which one array of a recipe can come out otherwise.

    Args:
        engine: the recipe as it is declared; whatever no change reaches is taken from it.
        target: the array whose cells are asked for; a step makes it.

    Attributes:
        recipe: the recipe to be altered, which knows the steps that the array is made by.
    """

    def __init__(self, engine: Exact, target: Name) -> None:
        self._engine, self._recipe, self._target = engine, engine.recipe, target
        self._ops = self._recipe.ops[: [op.name for op in self._recipe.ops].index(target) + 1]
        self._behind = self._steps_behind()
        self.recipe = replace(engine.recipe, asked=self._behind)
        self._arrays: dict[int, _Arrays] = {}
        self._reached: dict[frozenset[Name], Mapping[Name, int]] = {}

    def _steps_behind(self) -> dict[Name, Sequence[Name]]:
        """The steps that the array is made by, each with what it reads, in the order of the recipe."""
        needed = {self._target}
        found: dict[Name, Sequence[Name]] = {}
        for op in reversed(self._ops):
            if op.name in needed:
                found[op.name] = self._recipe.sources(op)
                needed.update(found[op.name])
        return dict(reversed(found.items()))

    def of(self, altered: Recipe) -> Callable[[Address], Value] | None:
        """The cells of the array by an altered recipe, or None where nothing that was altered reaches it.

        A cell may have no value, which is an error of ours.
        """
        return self._tried(altered, self._roughly)

    def closed(self, altered: Recipe) -> Callable[[Address], Value] | None:
        """The same with closed forms as long as there are any, for numbers that are shown."""
        return self._tried(altered, self._closely)

    def _tried(self, altered: Recipe, cell: Callable[[_Trial, Address], Value]) -> Callable[[Address], Value] | None:
        """Cells as ``cell`` makes them in a trial; all of them where an altered step lies too deep for one."""
        trial = self._trial(altered)
        if trial is None:
            return None
        return self._whole(altered) if trial.reached[self._target] > DEEPEST else partial(cell, trial)

    def _roughly(self, trial: _Trial, address: Address) -> Value:
        at_bits = partial(self._at_bits, trial, address)
        try:
            held = at_bits(ROUGH)
            if isinstance(held, arb) and held.is_finite():
                return Computed(held, at_bits, partial(str, address))
        except NeedMoreBits:
            pass
        return settled(at_bits, partial(str, address))

    def _closely(self, trial: _Trial, address: Address) -> Value:
        def at_bits(bits: int) -> Held:
            return self._at_bits(trial, address, max(bits, 2 * ROUGH))

        return settled(at_bits, partial(str, address))

    def _whole(self, altered: Recipe) -> Callable[[Address], Value]:
        """All cells of an altered recipe, for one of many steps."""
        whole = Exact(altered, self._engine.given)
        return lambda address: whole.value(address.array, address.index)

    def ranges(self, altered: Recipe) -> Callable[[Address], Value | None] | None:
        """The same for a recipe of ranges, which more bits make no narrower; None for a cell without bounds."""
        trial = self._trial(altered)
        if trial is None or trial.reached[self._target] > DEEPEST:
            return None

        def cell(address: Address) -> Value | None:
            for bits in (MIN_BITS, 2 * MIN_BITS):
                try:
                    held = self._at_bits(trial, address, bits)
                except (NeedMoreBits, WorkingsError):
                    continue
                if not isinstance(held, arb) or held.is_finite():
                    return _whatever_bits(spans.Span(held))
            return None

        return cell

    def _at_bits(self, trial: _Trial, address: Address, bits: int) -> Held:
        arrays = self._arrays.get(bits)
        if arrays is None:
            arrays = self._arrays[bits] = _Arrays(self._engine, bits)
        with Precision(bits):
            return arrays.of(trial)[address.array][address.index]

    def _trial(self, altered: Recipe) -> _Trial | None:
        """None where nothing that was altered reaches the array."""
        if altered.tables is self._recipe.tables:
            changed = {op.name: op for op, before in zip(altered.ops, self._ops, strict=False) if op is not before}
        else:
            changed = {op.name: op for op in altered.ops[: len(self._ops)]}
        if changed.keys().isdisjoint(self._behind):
            return None
        names = frozenset(changed)
        if names not in self._reached:
            self._reached[names] = self._reach(names)
        return _Trial(changed, self._reached[names], altered.tables, altered.sizes)

    def _reach(self, changed: frozenset[Name]) -> Mapping[Name, int]:
        """The steps that a change of some reaches, each with the length of the longest way to it."""
        reached: dict[Name, int] = {}
        for name, sources in self._behind.items():
            depths = [reached[source] for source in sources if source in reached]
            if depths or name in changed:
                reached[name] = max(depths, default=0) + 1
        return reached


def _whatever_bits(span: spans.Span) -> Value:
    return spans.value(lambda _: span)


class _Trial(NamedTuple):
    """What an altered recipe has of its own: the altered steps, its tables and sizes, and all arrays that it reaches.

    Each of these is reached by a row of so many steps, itself among them.
    """

    changed: Mapping[Name, Op]
    reached: Mapping[Name, int]
    tables: Mapping[str, Any]
    sizes: Mapping[str, int]


class _Arrays(dict[Name, "_Array"]):
    """All arrays at one working precision, as one trial at a time has them.

    A formula that is not altered is compiled once for all trials: it reads the same arrays, whose cells are forgotten
    wherever one trial takes the place of another.
    """

    def __init__(self, engine: Exact, bits: int) -> None:
        super().__init__()
        self._engine, self._recipe, self._bits = engine, engine.recipe, bits
        self._rough = bits == ROUGH
        self._ops = {op.name: op for op in engine.recipe.ops}
        self._compiled: dict[Name, Work] = {}
        self._known: dict[tuple[Name, tuple[tuple[str, Name], ...]], Known] = {}
        self._trial = _Trial({}, {}, engine.recipe.tables, engine.recipe.sizes)

    def __missing__(self, name: Name) -> _Array:
        array = self[name] = _Array(ref(self), name)
        return array

    def of(self, trial: _Trial) -> _Arrays:
        """The arrays, with a trial in the place of the last one."""
        if trial is not self._trial:
            for name in {**self._trial.reached, **trial.reached}:
                if name in self:
                    self[name].forget()
            self._trial = trial
        return self

    def work(self, name: Name) -> Work:
        """How a cell of an array comes about."""
        if name not in self._trial.reached:
            cells = self._engine.cells(name, self._bits)
            return (lambda index: hold(cells[index])) if self._rough else cells.__getitem__
        altered = self._trial.changed.get(name)
        if altered is not None:
            return self._by_formula(altered)
        found = self._compiled.get(name)
        if found is None:
            found = self._compiled[name] = self._by_formula(self._ops[name])
        return found

    def _by_formula(self, op: Op) -> Work:
        recipe = self._recipe
        tables = Tables(recipe.sizes_of(op) if op.rename else self._trial.sizes, self._trial.tables)
        known = None
        if tables.tables is recipe.tables:
            known = self._known.setdefault((op.name, tuple(op.arrays.items())), {})
        cell = compile_cell(
            op.step.formula,
            tables,
            lambda at: self._reader(op, at, tables),
            changing=True,
            operations=BALLS if self._rough else CLOSED,
            known=known,
        )
        fixed, axes = recipe.scope(op), op.step.axes
        if len(axes) == 2:
            row, column = axes
            return lambda index: cell({**fixed, row: index[0], column: index[1]})
        return lambda index: cell({**fixed, **dict(zip(axes, index, strict=True))})

    def _reader(self, op: Op, at: lang.At, tables: Tables) -> Cell:
        """A function of the scope that reads one cell for a formula."""
        source = self._recipe.source  # what an op does not bind itself means the same in all altered recipes
        places = [tables.compiled(item) for item in at.index]
        if at.head is not None:
            head = tables.compiled(at.head)
            by_head = [self[source(op, at.name, each)] for each in range(tables.sizes["heads"])]
            return lambda scope: by_head[head(scope)][tuple([place(scope) for place in places])]
        cells = self[source(op, at.name)]
        if len(places) == 2:
            first, second = places
            return lambda scope: cells[first(scope), second(scope)]
        return lambda scope: cells[tuple([place(scope) for place in places])]


class _Array(dict[Index, Held]):
    """The cells of an array, each worked when it is asked for.

    Args:
        arrays: those that it is one of; they hold it, and it does not hold them.
    """

    def __init__(self, arrays: ref[_Arrays], name: Name) -> None:
        super().__init__()
        self._arrays, self._name = arrays, name
        self._work: Work | None = None

    def __missing__(self, index: Index) -> Held:
        if self._work is None:
            arrays = self._arrays()
            if arrays is None:
                raise ReferenceError("the arrays that this one is of are gone")
            self._work = arrays.work(self._name)
        held = self[index] = self._work(index)
        return held

    def forget(self) -> None:
        """Forgets all cells, and how they come about."""
        self.clear()
        self._work = None

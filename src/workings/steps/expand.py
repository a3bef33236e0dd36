"""The formula of one cell with the index language resolved: sums written out, every operand a cell with its address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from workings.steps.language import (
    Add,
    At,
    Cell,
    Condition,
    Const,
    Expr,
    If,
    Index,
    Larger,
    Max,
    Mul,
    Number,
    Size,
    Sub,
    Sum,
    Tables,
    cells_of,
    children,
    condition_axes,
    index_axes,
    with_children,
)
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Address, Name

MOST_CELLS = 4_096  # formulas kept: who asks for one asks again soon, and a long one takes memory


class Expansion:
    """Resolves formulas of one recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._formulas = _Formulas(recipe)
        self.cell = lru_cache(MOST_CELLS)(self._formulas.cell)
        """The resolved formula of a cell, or None for a given number."""

    def formula(self, op: Op, formula: Expr, index: tuple[int, ...]) -> Expr:
        """Any formula, resolved as if it were the step's own at ``index``."""
        return self._formulas.at(op, formula, index)

    def inputs(self, address: Address) -> list[Address]:
        """The cells that a cell is made from, in the order of its formula, each once."""
        formula = self.cell(address)
        return [] if formula is None else cells_of(formula)

    def readers(self, op: Op, address: Address) -> list[Address]:
        """The cells of a step that are made from a cell, row by row."""
        if address.array not in self.recipe.sources(op):
            return []
        places = set().union(*(self._places(op, reading, address) for reading in _readings(op.step.formula)))
        return [Address(op.name, index) for index in sorted(places)]

    def _places(self, op: Op, reading: _Reading, address: Address) -> set[tuple[int, ...]]:
        """Where in a step's array one ``At`` reads a cell: its plain indices are known, what is left is tried out."""
        at, tables, fixed = reading.at, Tables(self.recipe.sizes_of(op), self.recipe.tables), self.recipe.scope(op)
        if at.head is None and self.recipe.source(op, at.name) != address.array:
            return set()
        axes = dict(zip(op.step.axes, op.shape, strict=True))
        sizes = {**axes, **{axis: tables.sizes[axis] for axis in reading.bound}}
        known: dict[str, int] = {}
        tried: list[tuple[Index, int]] = []
        for item, place in zip(at.index, address.index, strict=True):
            if not isinstance(item, str) or item not in sizes:
                tried.append((item, place))
            elif known.setdefault(item, place) != place or place >= sizes[item]:
                return set()
        used = frozenset[str]().union(*(index_axes(item) for item, _ in tried), *map(condition_axes, reading.asked))
        used |= index_axes(at.head) if at.head is not None else frozenset()
        free = [axis for axis in sizes if axis in used and axis not in known]
        rest = [axis for axis in axes if axis not in used and axis not in known]
        out: set[tuple[int, ...]] = set()
        for chosen in product(*(range(sizes[axis]) for axis in free)):
            scope = {**fixed, **known, **dict(zip(free, chosen, strict=True))}
            if any(tables.index(item, scope) != place for item, place in tried):
                continue
            if any(tables.holds(condition, scope) != wanted for condition, wanted in reading.asked.items()):
                continue
            if at.head is not None and self.recipe.source(op, at.name, tables.index(at.head, scope)) != address.array:
                continue
            for others in product(*(range(sizes[axis]) for axis in rest)):
                whole = {**scope, **dict(zip(rest, others, strict=True))}
                out.add(tuple(whole[axis] for axis in axes))
        return out


class _Formulas:
    """What resolves them, apart from the formulas kept: an object that holds itself is not forgotten at once."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._steps: dict[Name, tuple[Resolved, Mapping[str, int]]] = {}  # with what the place of the step fixes

    def cell(self, address: Address) -> Expr | None:
        op = self._recipe.op(address.array)
        return None if op is None else self.at(op, op.step.formula, address.index)

    def at(self, op: Op, formula: Expr, index: tuple[int, ...]) -> Expr:
        resolved, fixed = self._compiled(op, formula)
        return resolved({**fixed, **dict(zip(op.step.axes, index, strict=True))})

    def _compiled(self, op: Op, formula: Expr) -> tuple[Resolved, Mapping[str, int]]:
        """Cells of a step share the function; a formula other than the step's own is read for one cell."""
        if formula is not op.step.formula or self._recipe.op(op.name) is not op:
            return _Resolver(self._recipe, op).compile(formula), self._recipe.scope(op)
        known = self._steps.get(op.name)
        if known is None:
            known = _Resolver(self._recipe, op).compile(formula), self._recipe.scope(op)
            self._steps[op.name] = known
        return known


class _Reading(NamedTuple):
    """One ``At`` of a formula: the axes summed over around it, and the conditions under which it is read."""

    at: At
    bound: tuple[str, ...]
    asked: Mapping[Condition, bool]


def _readings(
    node: Expr, bound: tuple[str, ...] = (), asked: Mapping[Condition, bool] | None = None
) -> Iterator[_Reading]:
    """Every ``At`` under a node."""
    asked = asked or {}
    if isinstance(node, At):
        yield _Reading(node, bound, asked)
    elif isinstance(node, If):
        yield from _readings(node.then, bound, {**asked, node.condition: True})
        yield from _readings(node.otherwise, bound, {**asked, node.condition: False})
    else:
        inside = (*bound, node.axis) if isinstance(node, (Sum, Max)) else bound
        for child in children(node):
            yield from _readings(child, inside, asked)


Resolved = Callable[[dict[str, int]], Expr]


class _Resolver:
    """Turns a formula of one step into a function of the index scope that gives it without index language."""

    def __init__(self, recipe: Recipe, op: Op) -> None:
        self.recipe, self.op = recipe, op
        self.tables = Tables(recipe.sizes_of(op), recipe.tables)

    def compile(self, node: Expr) -> Resolved:
        if isinstance(node, At):
            return self._cell(node)
        if isinstance(node, (Sum, Max)):
            return self._over_axis(node)
        if isinstance(node, If):
            condition, then, otherwise = node.condition, self.compile(node.then), self.compile(node.otherwise)
            return lambda scope: then(scope) if self.tables.holds(condition, scope) else otherwise(scope)
        if isinstance(node, Number):
            number = self.tables.compiled(node.index)
            return lambda scope: Const(number(scope))
        if isinstance(node, Size):
            size = Const(self.tables.sizes[node.axis])
            return lambda scope: size
        if isinstance(node, (Sub, Mul)):
            kind, left, right = type(node), self.compile(node.left), self.compile(node.right)
            return lambda scope: kind(left(scope), right(scope))
        below = children(node)
        if not below:
            return lambda scope: node
        parts = [self.compile(child) for child in below]
        return lambda scope: with_children(node, [part(scope) for part in parts])

    def _cell(self, node: At) -> Resolved:
        places = [self.tables.compiled(item) for item in node.index]
        if node.head is None:
            source = self.recipe.source(self.op, node.name)
            if len(places) == 2:
                (first, second), new = places, tuple.__new__  # so many are made that how they are called tells
                return lambda scope: new(Cell, (new(Address, (source, (first(scope), second(scope)))),))
            return lambda scope: Cell(Address(source, tuple([place(scope) for place in places])))
        head = self.tables.compiled(node.head)
        return lambda scope: Cell(
            Address(
                self.recipe.source(self.op, node.name, head(scope)),
                tuple([place(scope) for place in places]),
            )
        )

    def _over_axis(self, node: Sum | Max) -> Resolved:
        body, axis, count = self.compile(node.body), node.axis, self.tables.sizes[node.axis]
        whole = Add if isinstance(node, Sum) else Larger

        def terms(scope: dict[str, int]) -> Iterator[Expr]:
            within = dict(scope)
            for within[axis] in range(count):
                yield body(within)

        return lambda scope: whole(*terms(scope))

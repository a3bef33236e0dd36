"""Runs a recipe exactly: whole arrays at a working precision that doubles until the digits asked for are sure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from flint import arb, fmpq

from workings.exact import floats, values
from workings.exact.cells import Cell, compile_cell, finite, no_array
from workings.exact.products import Products
from workings.exact.values import Endless, Held, NeedMoreBits, Precision
from workings.steps import language as lang
from workings.steps.expand import Expansion
from workings.steps.language import Expr, Tables
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.digits import nearest_decimal, rounded_bounds
from workings.terms.errors import ExampleError, OutsideDomain
from workings.terms.numbers import MAX_BITS, MIN_BITS, Infinite, Rational, Value

Cells = dict[tuple[int, ...], Held]


class Exact:
    """The exact engine for one recipe and its given values.

    Args:
        recipe: the steps.
        given: for every given array its cells as expressions without ``At``, by index.
        carry: decimals to which every computed cell is rounded and carried on, as a pupil does; None for none.
    """

    def __init__(
        self, recipe: Recipe, given: Mapping[Name, Mapping[tuple[int, ...], Expr]], carry: int | None = None
    ) -> None:
        self.recipe = recipe
        self.carry = carry
        self.given = given
        self._tables = Tables(recipe.sizes, recipe.tables)
        self._products = Products(recipe)
        self._arrays: dict[int, dict[Name, Cells]] = {}
        self._fixed: dict[Name, Cells] = {}

    def value(self, name: Name, index: tuple[int, ...]) -> Value:
        """One cell. Raises ``DivideByZero`` or ``OutsideDomain`` with its address where it has no value."""
        fixed = self._fixed.get(name)
        held = fixed[index] if fixed is not None else self.at_bits(name, index, MIN_BITS)
        if isinstance(held, fmpq):
            return Ratio(held)
        return _value(held, lambda bits: self.at_bits(name, index, bits), lambda: str(Address(name, index)))

    def evaluate(self, formula: Expr, place: Name | None = None, scope: Mapping[str, int] | None = None) -> Value:
        """A formula at a scope; ``place`` names the step whose names it uses (None for a formula without ``At``).

        A formula that is resolved already reads its cells by their addresses.
        """
        op = self.recipe.op(place) if place is not None else None
        where = "" if place is None else str(place)

        def compute(bits: int) -> Held:
            with Precision(bits):
                cell = compile_cell(
                    formula,
                    self._tables_of(op),
                    lambda at: self._reader(op, at, bits),
                    lambda address: self.cells(address.array, bits)[address.index],
                )
                fixed = self.recipe.scope(op) if op is not None else {}
                try:
                    return cell({**fixed, **(scope or {})})
                except ExampleError as error:
                    raise _placed(error, where) from None

        return settled(compute, lambda: where)

    def at_bits(self, name: Name, index: tuple[int, ...], bits: int) -> Held:
        """The cell as held at a working precision that is doubled until it is finite."""
        try:
            held = self.cells(name, bits)[index]
            if not isinstance(held, arb) or held.is_finite():
                return held
        except NeedMoreBits:
            pass
        return _doubling(lambda at: self.cells(name, at)[index], 2 * bits, lambda: self._origin(Address(name, index)))

    def _origin(self, address: Address) -> str:
        """Where a cell that is not finite at 4,096 bits comes from: the first on its way whose own cells all are."""
        expansion, current = Expansion(self.recipe), address
        while True:
            source = next((cell for cell in expansion.inputs(current) if not self._is_finite(cell)), None)
            if source is None:
                return str(current)
            current = source

    def _is_finite(self, address: Address) -> bool:
        held = self.cells(address.array, MAX_BITS)[address.index]
        return not isinstance(held, arb) or bool(held.is_finite())

    # --- arrays ---

    def cells(self, name: Name, bits: int) -> Cells:
        """All cells of an array at a working precision; what it reads is computed first."""
        fixed = self._fixed.get(name)
        if fixed is not None:
            return fixed
        arrays = self._arrays.setdefault(bits, {})
        cells = arrays.get(name)
        if cells is None:
            with Precision(bits):
                for needed in self._pending(name, arrays):
                    arrays[needed] = self._compute(needed, bits)
            cells = arrays[name]
        return cells

    def _pending(self, name: Name, arrays: Mapping[Name, Cells]) -> list[Name]:
        """The array and what it needs that is not computed yet, in order; iterative, so that depth costs no stack."""
        order: list[Name] = []
        seen: set[Name] = set()
        stack: list[tuple[Name, bool]] = [(name, False)]
        while stack:
            current, ready = stack.pop()
            if ready:
                order.append(current)
                continue
            if current in seen or current in arrays or current in self._fixed:
                continue
            seen.add(current)
            stack.append((current, True))
            op = self.recipe.op(current)
            if op is not None:
                stack.extend((source, False) for source in self.recipe.sources(op))
        return order

    def _compute(self, name: Name, bits: int) -> Cells:
        op = self.recipe.op(name)
        if op is None:
            cells = {index: self._given_cell(leaf, bits) for index, leaf in self.given[name].items()}
        else:
            cells = self._carried(op, bits, self.carry) if self.carry is not None else self._step(op, bits)
        if not any(isinstance(held, arb) for held in cells.values()):
            self._fixed[name] = cells
        return cells

    def _given_cell(self, leaf: Expr, bits: int) -> Held:
        if isinstance(leaf, lang.Const):
            return values.rational(leaf.value)
        return compile_cell(leaf, self._tables, lambda at: self._reader(None, at, bits))({})

    def _tables_of(self, op: Op | None) -> Tables:
        return self._tables if op is None or not op.rename else Tables(self.recipe.sizes_of(op), self.recipe.tables)

    def _step(self, op: Op, bits: int) -> Cells:
        tables = self._tables_of(op)
        fast = self._products.cells(op, tables, lambda source: self.cells(source, bits))
        if fast is not None:
            return fast
        cell = compile_cell(op.step.formula, tables, lambda at: self._reader(op, at, bits))
        scope = self.recipe.scope(op)
        axes = op.step.axes
        cells: Cells = {}
        for index in product(*(range(size) for size in op.shape)):
            scope.update(zip(axes, index, strict=True))
            try:
                cells[index] = cell(scope)
            except ExampleError as error:
                raise _placed(error, str(Address(op.name, index))) from None
            except NeedMoreBits:
                if bits < MAX_BITS:
                    raise
                raise OutsideDomain(address=str(Address(op.name, index)), operation="") from None
        return cells

    def _carried(self, op: Op, bits: int, places: int) -> Cells:
        """Hand mode: every cell rounded to ``places`` decimals; what is read was rounded before."""
        if op.step.is_view:
            return self._step(op, bits)
        while True:
            with Precision(bits):
                try:
                    return {index: _round(held, places, bits) for index, held in self._step(op, bits).items()}
                except NeedMoreBits:
                    if bits >= MAX_BITS:
                        raise OutsideDomain(address=str(op.name), operation="") from None
            bits *= 2

    def _reader(self, op: Op | None, at: lang.At, bits: int) -> Cell:
        """A function of the scope that reads one cell for a formula."""
        if op is None:
            return no_array(at)
        tables = self._tables_of(op)
        places = [tables.compiled(item) for item in at.index]
        if at.head is None:
            cells = self.cells(self.recipe.source(op, at.name), bits)
            if len(places) == 2:
                first, second = places
                return lambda scope: cells[first(scope), second(scope)]
            return lambda scope: cells[tuple([place(scope) for place in places])]
        head = tables.compiled(at.head)
        by_head = [self.cells(self.recipe.source(op, at.name, h), bits) for h in range(self.recipe.sizes["heads"])]
        return lambda scope: by_head[head(scope)][tuple([place(scope) for place in places])]


class Ratio(Rational):
    """A rational value as the engine holds it; Python's own is made when asked for."""

    __slots__ = ("held",)

    def __init__(self, held: fmpq) -> None:
        self.held = held

    @property
    def exact(self) -> Fraction:
        return values.fraction(self.held)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        exact = self.exact
        return exact, exact


class Computed:
    """An irrational value: a ball at any precision, computed again when more bits are asked for."""

    __slots__ = ("_balls", "_bounds", "_compute", "_first", "_origin")
    exact: Fraction | None = None
    infinite = 0

    def __init__(self, first: Held, compute: Callable[[int], Held], origin: Callable[[], str]) -> None:
        self._first, self._compute, self._origin = first, compute, origin
        self._balls: dict[int, arb] = {MIN_BITS: first} if isinstance(first, arb) else {}
        self._bounds: dict[int, tuple[Fraction, Fraction]] = {}

    def ball(self, bits: int) -> arb:
        """A finite ball around it, computed with as many bits at least."""

        def finite_at(at: int) -> arb:
            with Precision(at):
                return finite(self._first if at == MIN_BITS else self._compute(at))

        known = self._balls.get(bits)
        if known is None:
            known = self._balls[bits] = _doubling(finite_at, bits, self._origin)
        return known

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        known = self._bounds.get(bits)
        if known is None:
            ball = self.ball(bits)
            with Precision(bits):
                known = self._bounds[bits] = floats.bounds(ball)
        return known


Result = TypeVar("Result")


def _doubling(compute: Callable[[int], Result], bits: int, origin: Callable[[], str]) -> Result:
    """The first finite result, with the working precision doubled until there is one; ``origin`` says where none is."""
    while bits <= MAX_BITS:
        try:
            held = compute(bits)
            if not isinstance(held, arb) or held.is_finite():
                return held
        except NeedMoreBits:
            pass
        bits *= 2
    raise OutsideDomain(address=origin(), operation="")


def settled(compute: Callable[[int], Held], origin: Callable[[], str]) -> Value:
    """What is computed at a working precision, as a value; ``origin`` says where one that has none comes from."""
    return _value(_doubling(compute, MIN_BITS, origin), compute, origin)


def _value(first: Held, compute: Callable[[int], Held], origin: Callable[[], str]) -> Value:
    if isinstance(first, fmpq):
        return Ratio(first)
    if isinstance(first, Endless):
        return Infinite(first.sign)
    return Computed(first, compute, origin)


def _placed(error: ExampleError, address: str) -> ExampleError:
    """The error with the address it was met at, if it has none yet."""
    if error.values.get("address") == "":
        error.values["address"] = address
    return error


def _round(held: Held, places: int, bits: int) -> Held:
    if isinstance(held, Endless):
        return held
    if isinstance(held, fmpq):
        return values.rational(nearest_decimal(values.fraction(held), places))
    low, high = floats.ends(finite(held))
    sure = rounded_bounds(values.fraction(low), values.fraction(high), places)
    if sure is None:
        if bits < MAX_BITS:
            raise NeedMoreBits
        sure = nearest_decimal((values.fraction(low) + values.fraction(high)) / 2, places)
    return values.rational(sure)


def cells_of(rows: Sequence[Any], shape: Sequence[int]) -> dict[tuple[int, ...], Any]:
    """Nested lists as cells by index."""
    out: dict[tuple[int, ...], Any] = {}
    for index in product(*(range(size) for size in shape)):
        item: Any = rows
        for place in index:
            item = item[place]
        out[index] = item
    return out

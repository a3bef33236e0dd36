"""Recognises an expression as the formula of a recipe's cell, by its names or by the numbers put in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from workings.checking.matching import Matcher, Nearly, Pairs
from workings.exact import spans
from workings.steps.language import (
    Add,
    Cell,
    Const,
    Div,
    Expr,
    Mul,
    Printed,
    cells_of,
    children,
    leaves,
    terms_of,
    walk,
)
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.numbers import MIN_BITS
from workings.traces.trace import Trace

MOST_CANDIDATES = 4_096
MOST_TEXTS = 64  # of numbers, kept with their units


class Lifted(NamedTuple):
    """A step that an expression may work out.

    Attributes:
        sources: the arrays that it reads.
        bare: whether a cell of it may have a formula that reads none.
    """

    op: Op
    sources: frozenset[Name]
    bare: bool

    @classmethod
    def of(cls, op: Op, sources: Iterable[Name]) -> Lifted:
        read = frozenset(sources)
        return cls(op, read, not read or op.step.has_cases)


class Lifting:
    """Cells by their formulas.

    Args:
        prints: the values printed for a cell so far.
    """

    def __init__(self, trace: Trace | None, prints: Callable[[Address], Iterator[Fraction]]) -> None:
        self.trace = trace
        self._prints = prints
        self._known: dict[Name, dict[int, Address]] = {}
        self._used: dict[Address, list[Address]] = {}  # what a cell goes into
        self.operands: Pairs = []  # printed numbers that were recognised as cells put into a formula
        self._expected: tuple[Name | None, int | None] = (None, None)
        self._told: Address | None = None
        self._steps = [] if trace is None else [Lifted.of(op, trace.recipe.sources(op)) for op in trace.ops()]

    def _formulas(self, trace: Trace, op: Op) -> dict[int, Address]:
        """The cells of a step by the fingerprints of their formulas, read when they are first asked for."""
        known = self._known.get(op.name)
        if known is None:
            known = self._known[op.name] = {}
            for address in () if op.step.is_view else trace.cells(op.name):
                formula = trace.expansion.cell(address)
                if formula is not None and not isinstance(formula, Cell):
                    known.setdefault(fingerprint(formula), address)
        return known

    def expect(self, array: Name | None, row: int | None, cell: Address | None = None) -> None:
        """Which array and row the text is about: tried first; before them the one cell that a label gives."""
        self._expected, self._told = (array, row), cell

    def lift(self, expression: Expr) -> Expr:
        """The cell that an expression works out, or the expression itself."""
        if self.trace is None or isinstance(expression, (Cell, Printed)):
            return expression
        operands = leaves(expression)
        read = {leaf.address.array for leaf in operands if isinstance(leaf, Cell)}
        found = self._written(self.trace, expression, read)
        if found is None and any(isinstance(leaf, Printed) for leaf in operands):
            found = self._match(self.trace, expression)
        return expression if found is None else Cell(found)

    def _written(self, trace: Trace, expression: Expr, read: set[Name]) -> Address | None:
        """The cell whose formula the expression is, written out with names."""
        key: int | None = None
        for step in self._steps:
            if read <= step.sources if read else step.bare:
                key = fingerprint(expression) if key is None else key
                found = self._formulas(trace, step.op).get(key)
                formula = None if found is None else trace.expansion.cell(found)
                if formula is not None and (formula == expression or canonical(formula) == canonical(expression)):
                    return found
        return None

    def _match(self, trace: Trace, expression: Expr) -> Address | None:
        matcher = Matcher(trace.expansion.cell, self._stands)
        if self._told is not None and self._is_of_kind(self._told.array, type(expression)):
            told = matcher.match(expression, self._told)
            if told is not None:
                self.operands += told
                return self._told
        first: tuple[Pairs, Address] | None = None
        for address in self._candidates(expression):
            if first is not None and not _are_in_one_row(first[1], address):
                break
            pairs = matcher.match(expression, address)
            if pairs is None or (first is not None and not self._is_alike(trace, first[1], address)):
                continue
            given = all(trace.recipe.op(operand.array) is None for _, operand in pairs)
            if given or not any(True for _ in self._prints(address)):
                first = pairs, address
                break
            first = first or (pairs, address)
        if first is None:
            return None
        self.operands += first[0]
        return first[1]

    def _is_of_kind(self, array: Name, kind: type[Expr]) -> bool:
        """Whether an array's formula may be of a kind: a product is no sum, even where its other terms are 0."""
        return any(step.op.name == array and kind in step.op.step.kinds for step in self._steps)

    def _is_alike(self, trace: Trace, one: Address, other: Address) -> bool:
        """Whether two cells have the same value: what works out one of them again may be meant for the other."""
        first, second = trace.value(one), trace.value(other)
        return not first.infinite and not second.infinite and first.bounds(MIN_BITS) == second.bounds(MIN_BITS)

    def differing(self, expression: Expr, address: Address) -> Pairs | None:
        """The numbers in an expression that are not the cells in whose places they stand in a cell's formula.

        None where the expression is another formula.
        """
        if self.trace is None:
            return None
        return Nearly(self.trace.expansion.cell, self._stands).differing(expression, address)

    def made_at(self, address: Address) -> Address:
        """The cell that a cell shows again under another name (of an output that is its only head's), or itself."""
        formula = None if self.trace is None else self.trace.expansion.cell(address)
        return formula.address if isinstance(formula, Cell) else address

    def of_its_kind(self, expression: Expr) -> Iterator[Address]:
        """Cells of the row that the text is about with a formula of the kind of an expression."""
        row = self._expected[1]
        for address in self._candidates(expression):
            if row is None or address.index[:1] == (row,):
                yield address

    def _candidates(self, expression: Expr) -> Iterator[Address]:
        """Cells with a formula of that kind: the expected array's row first."""
        if self.trace is None:
            return
        named = next((node.address for node in walk(expression) if isinstance(node, Cell)), None)
        if named is not None and self.trace.recipe.has(named.array):
            if named not in self._used:
                self._used[named] = self.trace.used_by(named)
            yield from self._used[named]  # what a named operand goes into is all that it can work out
            return
        array, row = self._expected
        kind = type(expression)
        names = [step.op.name for step in self._steps if kind in step.op.step.kinds]
        count = 0
        for name in sorted(names, key=lambda name: name != array):
            addresses = list(self.trace.cells(name))
            if row is not None:
                addresses.sort(key=lambda address: bool(address.index) and address.index[0] != row)
            for address in addresses:
                count += 1
                if count > MOST_CANDIDATES:
                    return
                yield address

    def _stands(self, printed: Printed, formula: Expr) -> bool:
        """Whether a printed number may stand for a cell, or for a constant such as √2."""
        if self.trace is None or printed.value is None:
            return False
        if isinstance(formula, Cell):
            if printed.value in self._prints(formula.address):
                return True
            value = self.trace.value(formula.address)
            if value.infinite:
                return False
        else:
            if cells_of(formula):
                return False
            value = self.trace.engine.evaluate(formula)
        return spans.may_lie_between(value, *spans.around(printed.value, half_unit(printed.text)))


def _are_in_one_row(one: Address, other: Address) -> bool:
    return one.array == other.array and one.index[:-1] == other.index[:-1]


@lru_cache(MOST_TEXTS)
def half_unit(text: str) -> Fraction:
    """Half a unit of the last decimal of a printed number; 0 for a whole number."""
    digits = text.replace("−", "-").partition(".")[2]
    places = len(digits) - len(digits.lstrip("0123456789"))
    count = places if not digits.isdigit() else len(digits)
    return Fraction(1, 2 * 10**count) if count > 0 else Fraction(0)


def fingerprint(node: Expr) -> int:
    """A number that is the same for expressions of the same canonical form."""
    if isinstance(node, Cell):
        return hash(node)
    if isinstance(node, Mul):
        one, other = fingerprint(node.left), fingerprint(node.right)
        return hash(("Mul", one, other) if one < other else ("Mul", other, one))
    if isinstance(node, Add):
        return hash(("Add", *sorted(map(fingerprint, terms_of(node)))))
    if isinstance(node, (Const, Printed, Div)) and (number := _number(node)):
        return hash(number)
    below = children(node)
    return hash((type(node).__name__, *map(fingerprint, below))) if below else hash(node)


def canonical(node: Expr) -> Hashable:
    """A form that does not depend on the order of terms and factors."""
    if isinstance(node, Add):
        return ("Add", frozenset(_counted(canonical(term) for term in terms_of(node))))
    if isinstance(node, Mul):
        return ("Mul", frozenset((canonical(node.left), canonical(node.right))))
    if isinstance(node, (Const, Printed, Div)) and (number := _number(node)):
        return number
    below = children(node)
    return (type(node).__name__, *map(canonical, below)) if below else node


def _number(node: Const | Printed | Div) -> tuple[int | None, int] | None:
    """What stands for a number, written in one piece or as a fraction: ``1/100`` is read either way."""
    if not isinstance(node, Div):
        value = node.value
    else:
        top, bottom = node.left, node.right
        if not (isinstance(top, (Const, Printed)) and isinstance(bottom, (Const, Printed))):
            return None
        if top.value is None or not bottom.value:
            return None
        value = Fraction(top.value) / bottom.value
    return (None, 1) if value is None else (value.numerator, value.denominator)  # quicker to look up than a rational


def _counted(items: object) -> Iterator[tuple[Hashable, int]]:
    seen: dict[Hashable, int] = {}
    for item in items:  # type: ignore[attr-defined]
        seen[item] = seen.get(item, 0) + 1
    return iter(seen.items())

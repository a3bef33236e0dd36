"""Cells of the document's own: what it works out that is no cell of the recipe."""

from __future__ import annotations

from functools import cache

from workings.checking.judging import Judge
from workings.exact import spans
from workings.exact.spans import Span
from workings.steps.language import Cell, Const, Expr, Infinity, Mul, Printed
from workings.terms.address import Address, Name
from workings.terms.numbers import Value
from workings.traces.trace import Trace

LOCAL = "equality"


class Local:
    """The formulas of a document's own cells, by address."""

    def __init__(self) -> None:
        self.formulas: dict[Address, Expr] = {}
        self.copies: set[Address] = set()

    def add(self, formula: Expr) -> Cell:
        """A new cell with a formula."""
        address = Address(Name(LOCAL), (len(self.formulas),))
        self.formulas[address] = formula
        return Cell(address)

    def copy(self, address: Address) -> Cell:
        """A new cell that repeats another."""
        copied = self.add(Mul(Const(1), Cell(address)))
        self.copies.add(copied.address)
        return copied

    def is_written(self, address: Address) -> bool:
        """Whether a cell stands for a number as the document just wrote it down."""
        return isinstance(self.formulas.get(address), (Printed, Infinity))

    def judge(self, trace: Trace | None, *, lenient: bool) -> Judge:
        """A judge of these cells and of those of a computation."""

        def formula(address: Address) -> Expr | None:
            if address.array.name == LOCAL:
                return self.formulas[address]
            return None if trace is None else trace.expansion.cell(address)

        @cache  # what a cell of the document's own holds never changes
        def held(address: Address, bits: int) -> Span:
            own = judge.formula(address) if address.array.name == LOCAL else None
            if own is not None:
                return own.apply({at: held(at, bits) for at in own.cells}, bits)
            return spans.NOTHING if trace is None else spans.of(trace.engine, address, bits)

        @cache
        def true(address: Address) -> Value:
            if address.array.name == LOCAL or trace is None:
                return spans.value(lambda bits: held(address, bits))
            return trace.value(address)

        judge = Judge(formula, true, lenient)
        return judge

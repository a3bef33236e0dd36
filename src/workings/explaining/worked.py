"""Arrays with what stands behind each of their numbers, for targets that do not tell but go on working with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workings.explaining.numbers import Numbers
from workings.explaining.tree import Document, Equation, Heading, Inline, Matrix, Named, Paragraph
from workings.steps.inputs import GIVEN
from workings.steps.language import Cell, Div, Exp, Expr, Sub
from workings.steps.step import Op
from workings.terms.address import Address, Name, parse_address
from workings.terms.digits import Precision
from workings.terms.numbers import Value
from workings.traces.trace import Trace


@dataclass(frozen=True, slots=True)
class Worked:
    """One number.

    Attributes:
        text: the number as it is printed.
        value: the number itself.
        formula: how it is worked from other cells; of a given number, the expression that its author wrote.
        barred: whether it is −∞, or 0 because of one: what a mask keeps out.
    """

    address: Address
    text: str
    value: Value
    formula: Expr | None
    barred: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One matrix of a document.

    Attributes:
        title: what the document says above it.
        general: the formula of one cell in symbols; empty for a given array.
        source: paper and equation, where the step has one.
        given: whether its numbers come from outside.
        own: whether its numbers are the array's own, and no others in its shape.
    """

    name: Name
    title: Inline
    matrix: Matrix
    cells: tuple[tuple[Worked, ...], ...]
    general: tuple[Equation, ...] = ()
    source: str = ""
    given: bool = False
    own: bool = True


@dataclass(frozen=True, slots=True)
class Arrays:
    """All matrices of a document in its order.

    Attributes:
        scalars: given numbers that stand in no matrix, with what they are.
        carry: decimals to which every computed number is rounded; None for none.
    """

    title: Inline
    parts: tuple[Part, ...]
    scalars: tuple[tuple[Inline, Worked], ...] = ()
    carry: int | None = None

    def cells(self) -> Iterator[Worked]:
        """Every number: those without a matrix first, then row by row."""
        yield from (worked for _, worked in self.scalars)
        for part in self.parts:
            for row in part.cells:
                yield from row


def behind(document: Document, trace: Trace, precision: Precision, carry: int | None = None) -> Arrays:
    """The matrices of a document about a trace, with what stands behind their numbers.

    Args:
        precision: how many digits people see of the numbers of the setting.
        carry: decimals to which the trace rounds every computed number; None for none.
    """
    return _Reader(trace, Numbers(trace, precision)).read(document, carry)


class _Reader:
    """Goes through a document, and looks up what it shows."""

    def __init__(self, trace: Trace, numbers: Numbers) -> None:
        self.trace, self.numbers = trace, numbers

    def read(self, document: Document, carry: int | None) -> Arrays:
        title = said = document.title
        general: list[Equation] = []
        parts: list[Part] = []
        for block in document.blocks:
            match block:
                case Heading():
                    title, general = block.text, []
                case Paragraph():
                    said = block.sentences[-1]
                case Equation() if block.left is not None:
                    general.append(block)
                case Matrix():
                    parts.append(self._part(block, title if block.formula is None else said, tuple(general)))
        scalars = tuple(self._scalars()) if any(not part.given for part in parts) else ()
        return Arrays(document.title, tuple(parts), scalars, carry)

    def _part(self, matrix: Matrix, title: Inline, general: tuple[Equation, ...]) -> Part:
        name, _ = parse_address(matrix.address)
        op, axes = self.trace.recipe.op(name), len(self.trace.array(name).axes)
        cells = tuple(
            tuple(
                self._worked(Address(name, (i, j)[:axes]), text, op, matrix.formula)
                for j, text in enumerate(row)
                if isinstance(text, str)
            )
            for i, row in enumerate(matrix.cells)
        )
        if op is None:
            return Part(name, title, matrix, cells, given=True)
        if matrix.formula is not None:
            return Part(name, title, matrix, cells, own=False)
        return Part(name, title, matrix, cells, general, op.step.source)

    def _worked(self, address: Address, text: str, op: Op | None, other: Expr | None) -> Worked:
        if op is None or other is None:
            formula = self._formula(address)
            return Worked(address, text, self.trace.value(address), formula, self._is_barred(address, formula))
        formula = self.trace.expansion.formula(op, other, address.index)
        value = self.trace.engine.evaluate(formula)
        return Worked(address, text, value, formula, value.infinite < 0)

    def _formula(self, address: Address) -> Expr | None:
        written = self.trace.source.written.get(address)
        return self.trace.expansion.cell(address) if written is None else written.value

    def _is_barred(self, address: Address, formula: Expr | None) -> bool:
        """Whether a mask keeps the number out; e to −∞, and a share of that, are 0 because of it."""
        value = self.trace.value(address)
        if value.infinite or value.exact != 0 or self.trace.recipe.op(address.array) is None:
            return value.infinite < 0
        while isinstance(formula, (Exp, Sub, Div)):
            formula = formula.arg if isinstance(formula, Exp) else formula.left
        return isinstance(formula, Cell) and self._is_barred(formula.address, self._formula(formula.address))

    def _scalars(self) -> Iterator[tuple[Inline, Worked]]:
        for name in self.trace.recipe.given:
            if not self.trace.array(name).axes:
                address = Address(name)
                shown = self.numbers.shown(address)
                yield Named(GIVEN[name.name].title), self._worked(address, shown.text, None, None)

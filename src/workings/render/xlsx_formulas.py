"""Formulas of cells as a spreadsheet writes them, made from the resolved formula of each cell.

A dot product is ``SUMPRODUCT`` over two ranges, or ``SUM(MMULT(…))`` where one lies across and the other down; a sum
over a range is ``SUM``, any other sum of like terms ``SUMPRODUCT`` of one term over ranges. Where spreadsheets lack
something: −∞ is −10³⁰⁰ under a name of its own, which every sum and quotient leaves below −10²⁹⁰ and whose exponential
is 0; what they would get wrong even so (−∞ less −∞, ln 0, the declared result of a row without keys) is asked for
first, with ``IF``; the sigmoid is written out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from workings.explaining.worked import Worked
from workings.steps.language import (
    Add,
    Cell,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    Infinity,
    Larger,
    Log,
    Mul,
    Pi,
    Pow,
    Sigmoid,
    Sin,
    Sqrt,
    Sub,
    Tanh,
    Unary,
    children,
    of_absolute,
    walk,
    with_children,
)
from workings.terms.address import Address
from workings.terms.digits import decimals_of, write

LOW, NAME, BELOW = -1e300, "minus_infinity", "-1E+290"
FUNCTIONS: Mapping[type, str] = {
    Exp: "EXP",
    Log: "LN",
    Sqrt: "SQRT",
    Tanh: "TANH",
    Erf: "ERF",
    Sin: "SIN",
    Cos: "COS",
}
SUM, PRODUCT, POWER, ATOM = range(4)
BEFORE_TIES = 8  # decimals more than are carried, to which a sum of carried numbers is exact
LONGEST = 15  # digits of a constant; spreadsheets keep no more
FEWEST = 3  # terms of a sum from which on it is written over ranges, where it is no dot product


class Place(NamedTuple):
    """Where a number stands: a sheet, and row and column from 0."""

    sheet: str
    row: int
    column: int


class NotWritten(Exception):
    """A formula that cannot be written: it reads a cell that is not in the book, or does what no spreadsheet can."""


class Formulas:
    """Writes formulas for one book.

    Args:
        places: where every number stands.
        cells: the numbers themselves.
    """

    def __init__(self, places: Mapping[Address, Place], cells: Mapping[Address, Worked]) -> None:
        self.places, self.cells = places, cells

    def formula(self, node: Expr, sheet: str, carry: int | None = None) -> str:
        """A formula as it stands in a cell of ``sheet``; raises ``NotWritten``."""
        written = _Writer(self, sheet).at(node, SUM)
        if carry is None or isinstance(node, (Cell, Infinity)):
            return f"={written}"
        if not any(isinstance(part, Unary) for part in walk(node)):  # a tie may be missed by the last bit of a double
            written = f"ROUND({written},{carry + BEFORE_TIES})"
        return f"=ROUND({written},{carry})"

    def is_low(self, node: Expr) -> bool:
        """Whether a part of a formula is −∞; no range is one."""
        match node:
            case Cell(address=address):
                return self._cell(address).value.infinite < 0
            case Infinity():
                return True
            case Add():
                return any(map(self.is_low, node.terms))
            case Larger():
                return all(map(self.is_low, node.terms))
            case Sub() | Div():
                return self.is_low(node.left)
            case Log():
                return self.is_nothing(node.arg)
            case _:
                return False

    def is_nothing(self, node: Expr) -> bool:
        """Whether a part of a formula is a cell that holds 0."""
        return isinstance(node, Cell) and self._cell(node.address).value.exact == 0

    def _cell(self, address: Address) -> Worked:
        if address not in self.cells:
            raise NotWritten(str(address))
        return self.cells[address]


class _Writer:
    """Writes one formula; a ``Span`` stands for a whole range."""

    def __init__(self, book: Formulas, sheet: str) -> None:
        self.book, self.sheet = book, sheet

    def at(self, node: Expr | _Span, level: int) -> str:
        """The text where something at least as tight as ``level`` is expected."""
        text, holds = self._write(node)
        return text if holds >= level else f"({text})"

    def _write(self, node: Expr | _Span) -> tuple[str, int]:
        match node:
            case _Span():
                return self._range(node), ATOM
            case Cell():
                return self._ref(node.address), ATOM
            case Const():
                return _constant(Fraction(node.value))
            case Infinity(sign=-1):
                return NAME, ATOM
            case Pi():
                return "PI()", ATOM
            case Add():
                return self._sum(node)
            case Larger():
                return self._largest(node), ATOM
            case Sub():
                text = f"{self.at(node.left, SUM)}-{self.at(node.right, PRODUCT)}"
                if not self.book.is_low(node.right):
                    return text, SUM
                return f"IF({self.at(node.left, PRODUCT)}<{BELOW},{NAME},{text})", ATOM
            case Mul():
                return f"{self.at(node.left, PRODUCT)}*{self.at(node.right, POWER)}", PRODUCT
            case Div():
                return self._quotient(node)
            case Pow(exponent=Const(value=2)):
                return f"{self.at(node.base, ATOM)}^2", POWER
            case Pow():
                return f"POWER({self.at(node.base, SUM)},{self.at(node.exponent, SUM)})", ATOM
            case _:
                return self._call(node)

    def _call(self, node: Expr) -> tuple[str, int]:
        if isinstance(node, Sigmoid):
            return f"1/(1+EXP(-{self.at(node.arg, ATOM)}))", PRODUCT
        name = FUNCTIONS.get(type(node))
        if name is None:
            raise NotWritten(repr(node))
        (inner,) = children(node)
        argument = self.at(inner, SUM)
        if name == "LN" and self.book.is_nothing(inner):
            return f"IF({argument}>0,LN({argument}),{NAME})", ATOM
        return f"{name}({argument})", ATOM

    def _quotient(self, node: Div) -> tuple[str, int]:
        text = f"{self.at(node.left, PRODUCT)}/{self.at(node.right, POWER)}"
        if node.if_zero is None or not self.book.is_nothing(node.right):
            return text, PRODUCT
        return f"IF({self.at(node.right, SUM)}=0,{node.if_zero},{text})", ATOM

    def _largest(self, node: Larger) -> str:
        inner = of_absolute(node)
        if inner is not None:
            return f"ABS({self.at(inner, SUM)})"
        parts: list[str] = []
        for term in node.terms:
            parts += [self._largest(term)[4:-1]] if isinstance(term, Larger) else [self.at(term, SUM)]
        span = _spanned(node.terms, self.book.places)
        return f"MAX({self._range(span) if isinstance(span, _Span) else ','.join(parts)})"

    def _sum(self, node: Add) -> tuple[str, int]:
        if not node.terms:
            return "0", ATOM
        if all(isinstance(term, Mul) for term in node.terms) and len(node.terms) > 1:
            left = _spanned([term.left for term in node.terms if isinstance(term, Mul)], self.book.places)
            right = _spanned([term.right for term in node.terms if isinstance(term, Mul)], self.book.places)
            if isinstance(left, _Span) and isinstance(right, _Span):
                return self._dot(left, right), ATOM
        if len(node.terms) >= FEWEST:
            whole = _spanned(node.terms, self.book.places)
            if isinstance(whole, _Span):
                return f"SUM({self._range(whole)})", ATOM
            if whole is not None and not any(map(self._is_asked, node.terms)):
                return f"SUMPRODUCT({self.at(whole, SUM)})", ATOM
        return "+".join(self.at(term, SUM) for term in node.terms), SUM

    def _is_asked(self, node: Expr) -> bool:
        """Whether a term has to ask for −∞ or 0 first, which is asked for one number at a time."""
        if isinstance(node, Sub) and self.book.is_low(node.right):
            return True
        return any(map(self._is_asked, children(node)))

    def _dot(self, left: _Span, right: _Span) -> str:
        first, second = self._range(left), self._range(right)
        if left.down == right.down:
            return f"SUMPRODUCT({first},{second})"
        across, down = (second, first) if left.down else (first, second)
        return f"SUM(MMULT({across},{down}))"

    def _ref(self, address: Address) -> str:
        place = self.book.places.get(address)
        if place is None:
            raise NotWritten(str(address))
        return self._prefix(place) + _letters(place)

    def _range(self, span: _Span) -> str:
        return f"{self._prefix(span.first)}{_letters(span.first)}:{_letters(span.last)}"

    def _prefix(self, place: Place) -> str:
        quoted = place.sheet.replace("'", "''")
        return "" if place.sheet == self.sheet else f"'{quoted}'!"


class _Span(NamedTuple):
    """A row or a column of cells, one behind the other."""

    first: Place
    last: Place

    @property
    def down(self) -> bool:
        return self.first.row != self.last.row


def _spanned(nodes: Sequence[Expr], places: Mapping[Address, Place]) -> Expr | _Span | None:
    """Like expressions as one, with a range wherever their cells go on; None where they are not alike."""
    first = nodes[0]
    if any(type(node) is not type(first) for node in nodes):
        return None
    if isinstance(first, Cell):
        return _run([places.get(node.address) for node in nodes if isinstance(node, Cell)], first)
    below = [children(node) for node in nodes]
    if not below[0]:
        return first if all(node == first for node in nodes) else None
    if any(len(parts) != len(below[0]) for parts in below) or isinstance(first, (Add, Larger, Erf)):
        return None
    parts = [_spanned(part, places) for part in zip(*below, strict=True)]
    if any(part is None for part in parts) or len({part.down for part in parts if isinstance(part, _Span)}) > 1:
        return None
    return with_children(first, parts)  # type: ignore[arg-type]  # a range stands where a cell may


def _run(found: Sequence[Place | None], node: Expr) -> Expr | _Span | None:
    """Places as a range, or the cell itself where all are the same one."""
    run = [place for place in found if place is not None]
    if len(run) < len(found):
        raise NotWritten(repr(node))
    start = run[0]
    if all(place == start for place in run):
        return node
    for down, across in ((1, 0), (0, 1)):
        if all(place == (start.sheet, start.row + n * down, start.column + n * across) for n, place in enumerate(run)):
            return _Span(start, run[-1])
    return None


def _letters(place: Place) -> str:
    """``B3`` for row 2, column 1."""
    column, letters = place.column + 1, ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{place.row + 1}"


def _constant(value: Fraction) -> tuple[str, int]:
    """A rational: decimals where they are few, else a quotient."""
    places = decimals_of(value)
    if places is not None and places <= LONGEST:
        text = write(value, places)
    elif max(abs(value.numerator), value.denominator) < 10**LONGEST:
        return f"{value.numerator}/{value.denominator}", PRODUCT if value > 0 else SUM
    else:
        text = repr(float(value)).upper()
    return text, ATOM if value >= 0 else SUM

"""Numbers as people see them: cells with their digits, and lines of arithmetic that a pocket calculator reproduces."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.explaining.tree import Code, Equation, Inline, Text, Token
from workings.steps.language import (
    Add,
    Cell,
    Const,
    Div,
    Expr,
    Infinity,
    Larger,
    Mul,
    Printed,
    rebuild,
    walk,
)
from workings.terms.address import Address, Name
from workings.terms.digits import AUTO, AUTO_PLACES, Precision, Shown, decimals_of, ratio, round_value, show, write
from workings.terms.errors import DivideByZero, ExponentTooLarge, OutsideDomain
from workings.terms.numbers import MIN_BITS, Value
from workings.traces.trace import Trace

MOST_EXTRA_DIGITS = 40
LONGEST_EXACT = 32  # numbers in an exact formula before decimals take over
LONG_TERMS = 16  # a sum of more terms shows the largest ones and the rest as one number, unless all is asked for
LARGEST_TERMS = 8
STAGE_TERMS = 4  # a sum of more products shows no line of products
STAGE_PLACES = 6
PERCENT_PLACES = 2


class Numbers:
    """The printed numbers of one trace.

    ``truth`` is the same example without rounding where the trace is worked in hand mode: a carried number that was
    rounded is then printed with all its decimals, as a pupil writes 0.40.
    """

    def __init__(self, trace: Trace, precision: Precision, truth: Trace | None = None) -> None:
        self.trace = trace
        self.precision = precision
        self.truth = truth
        self._shown: dict[Address, Shown] = {}

    def shown(self, address: Address) -> Shown:
        """A cell as it stands in its matrix."""
        found = self._shown.get(address)
        if found is None:
            found = self._shown[address] = self._show(address)
        return found

    def _show(self, address: Address) -> Shown:
        written = self.trace.source.written.get(address)
        value = self.trace.value(address)
        if written is not None:
            return _as_written(written.text, value, self.precision)
        places, exact = self.precision.places, value.exact
        if places is not None and exact is not None and not self._is_true(address):
            return _decimals(exact, places)
        if self.precision.exact and value.exact is not None:
            return _fraction(value.exact)
        return show(value, self.precision)

    def _is_true(self, address: Address) -> bool:
        """Whether this number is what it is without rounding: always so but in hand mode."""
        return self.truth is None or self.truth.value(address).exact == self.trace.value(address).exact

    def of(self, value: Value) -> Shown:
        """Any value with the digits asked for."""
        return show(value, self.precision)

    def vector(self, addresses: list[Address]) -> str:
        """Several cells as ``[1, 0, 1]``."""
        return f"[{', '.join(self.shown(address).text for address in addresses)}]"

    def percent(self, address: Address) -> str:
        """A weight as a percentage with one decimal."""
        return percent(self.trace.value(address))

    # --- lines ---

    def label(self, address: Address) -> tuple[Inline, ...]:
        """The words (or dimensions) that a cell stands at; a word that nobody named is its row or column."""
        axes = self.trace.array(address.array).axes
        return tuple(
            self._where(axis, place, at) for at, (axis, place) in enumerate(zip(axes, address.index, strict=True))
        )

    def _where(self, axis: str, place: int, at: int) -> Inline:
        words = self.trace.words(axis)
        if not words:
            return Code(f"{axis}={place}")
        if self.trace.is_named(axis, place):
            return Token(words[place])
        return Text("place.column" if at else "place.row", {"n": place + 1})

    def line(self, address: Address, *, whole: bool = True) -> Equation | None:
        """The arithmetic of a cell, or None where there is none: a given number, a cell only moved or masked.

        Without ``whole`` the smaller terms of a long sum are taken together as one number, and the label says so.
        """
        formula = self.trace.expansion.cell(address)
        if formula is None or isinstance(formula, (Cell, Const, Infinity)) or self._is_convention(formula):
            return None
        label = self.label(address)
        chain = self._exact_chain(formula, address) if self.precision.exact else None
        if chain is None:
            short = {} if whole else self._shortened(formula)
            chain = self._chain(formula, address, short)
            label += tuple(Text(f"line.rest.{s.kind}", {"n": s.others}) for s in short.values())
        return Equation(label, str(address), None, chain + self._as_percent(address))

    def roots(self, name: Name) -> list[Equation]:
        """What the given numbers of an array are that its matrix has rounded, each once: ``ln(9) ≈ 2.1972``."""
        lines: dict[str, Equation] = {}
        for address in self.trace.cells(name):
            written, shown = self.trace.source.written.get(address), self.shown(address)
            if written is not None and not shown.is_exact and written.text not in lines:
                chain = (("=", written.value), ("≈", Printed(shown.text, shown.value)))
                lines[written.text] = Equation((), str(address), None, chain)
        return list(lines.values())

    def _shortened(self, formula: Expr) -> dict[int, _Short]:
        """The long sums and maxima of a formula, each by its ``id``, with the terms that are kept."""
        out: dict[int, _Short] = {}
        for node in walk(formula):
            if isinstance(node, (Add, Larger)) and len(node.terms) > LONG_TERMS:
                sizes = [self._size(term, signed=isinstance(node, Larger)) for term in node.terms]
                order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
                kept = sorted(order[:LARGEST_TERMS])
                others = type(node)(*(node.terms[place] for place in sorted(order[LARGEST_TERMS:])))
                value = self.trace.engine.evaluate(others)
                kind = "max" if isinstance(node, Larger) else "sum"
                out[id(node)] = _Short(kind, tuple(node.terms[place] for place in kept), value, len(others.terms))
        return out

    def _size(self, term: Expr, *, signed: bool) -> tuple[int, Fraction]:
        """What a term is ranked by: how large it is, in a maximum with its sign."""
        return size_of(self.trace.engine.evaluate(term), signed=signed)

    def _as_percent(self, address: Address) -> tuple[tuple[str, Expr], ...]:
        """A weight once more as a percentage: the same digits, the point moved, where those are two or all it has."""
        shown = self.shown(address)
        if shown.places < PERCENT_PLACES and not (shown.is_exact and self._is_true(address)):
            return ()
        if (
            address.array.name != "weight"
            or address.array.part
            or shown.value is None
            or "/" in shown.text
            or "×" in shown.text
        ):
            return ()
        text = write(shown.value * 100, max(shown.places - 2, 0))
        return (("=", Printed(f"{text} %", shown.value)),)

    def _is_convention(self, formula: Expr) -> bool:
        """Whether the cell is 0 ÷ 0 taken by convention; a sentence says so instead of a line."""
        if not isinstance(formula, Div) or formula.if_zero is None or not isinstance(formula.right, Cell):
            return False
        return self.trace.value(formula.right.address).exact == 0

    def _chain(self, formula: Expr, address: Address, short: Mapping[int, _Short]) -> tuple[tuple[str, Expr], ...]:
        """``printed operands ≈ result``, with as many digits in the operands as the result needs."""
        result = self.shown(address)
        printed, value = self._reproducing(formula, result, short)
        end = Printed(result.text, result.value)
        stage = _products_stage(printed)
        chain: list[tuple[str, Expr]] = [("=", printed)]
        if stage is not None:
            chain.append(("=", stage))
        chain.append((_relation(value, result), end))
        return tuple(chain)

    def _reproducing(self, formula: Expr, result: Shown, short: Mapping[int, _Short]) -> tuple[Expr, Value | None]:
        """The formula with as few digits put in as give the printed result, and what those give."""
        printed = self._printed(formula, 0, short)
        value = self._given_by(printed)
        if _reproduces(value, result):
            return printed, value
        finest = self._printed(formula, MOST_EXTRA_DIGITS, short)
        extra = 0
        while not _reproduces(value, result) and printed != finest:
            extra += 1
            printed = self._printed(formula, extra, short)
            value = self._given_by(printed)
        return printed, value

    def _given_by(self, printed: Expr) -> Value | None:
        """What printed operands give; None where they give nothing, such as a divisor that was rounded to 0."""
        try:
            return self.trace.engine.evaluate(printed)
        except (DivideByZero, ExponentTooLarge, OutsideDomain):
            return None

    def _printed(self, formula: Expr, extra: int, short: Mapping[int, _Short]) -> Expr:
        """The formula with every cell put in as a printed number with ``extra`` more digits than in its matrix."""

        def inside(child: Expr) -> Expr:
            return self._printed(child, extra, short)

        if isinstance(formula, Cell):
            return self._operand(formula.address, extra)
        if isinstance(formula, Const):
            return formula
        if id(formula) in short and isinstance(formula, (Add, Larger)):
            kept, rest = short[id(formula)].kept, self._rest(short[id(formula)].rest, extra)
            return type(formula)(*map(inside, kept), rest)
        return rebuild(formula, inside)

    def _rest(self, value: Value, extra: int) -> Printed:
        """Several terms as one number; in hand mode with all its decimals, as its operands were carried."""
        places = None if self.truth is None or value.exact is None else decimals_of(value.exact)
        exact = value.exact or Fraction(0)
        shown = show(value, self.precision, extra) if places is None else _decimals(exact, places)
        return Printed(shown.text, shown.value)

    def _operand(self, address: Address, extra: int) -> Expr:
        shown = self.shown(address)
        if shown.is_exact:
            return Printed(shown.text, shown.value)
        written = self.trace.source.written.get(address)
        if written is not None:
            return written.value
        if extra:
            shown = show(self.trace.value(address), self.precision, extra)
        return Printed(shown.text, shown.value)

    def _exact_chain(self, formula: Expr, address: Address) -> tuple[tuple[str, Expr], ...] | None:
        """The formula with exact leaves put in, or None where it grows too long."""
        exact = self._exact(formula, [LONGEST_EXACT])
        if exact is None:
            return None
        value = self.trace.value(address)
        if value.exact is not None:
            end = _fraction(value.exact)
            return (("=", exact), ("=", Printed(end.text, end.value)))
        decimal = self.shown(address)
        return (("=", exact), ("=" if decimal.is_exact else "≈", Printed(decimal.text, decimal.value)))

    def _exact(self, node: Expr, budget: list[int]) -> Expr | None:
        """The expression with exact leaves; None as soon as it holds more than ``budget`` numbers."""
        if budget[0] < 0:
            return None
        if isinstance(node, Cell):
            value = self.trace.value(node.address)
            if value.exact is not None or value.infinite:
                budget[0] -= 1
                shown = self.shown(node.address) if value.infinite else _fraction(value.exact or Fraction(0))
                return Printed(shown.text, shown.value) if budget[0] >= 0 else None
            inner = self.trace.expansion.cell(node.address)
            if inner is None:
                budget[0] -= 1
                return self.trace.source.written[node.address].value
            return self._exact(inner, budget)

        def change(child: Expr) -> Expr:
            return self._exact(child, budget) or child

        result = rebuild(node, change)
        return None if budget[0] < 0 else result


class _Short(NamedTuple):
    """A long sum or maximum: the terms that are kept, and the value of the ``others`` together."""

    kind: str
    kept: tuple[Expr, ...]
    rest: Value
    others: int


def size_of(value: Value, *, signed: bool = False) -> tuple[int, Fraction]:
    """What numbers are ranked by: how large each is, or each with its sign."""
    if value.infinite:
        return value.infinite if signed else 1, Fraction(0)
    low, high = value.bounds(MIN_BITS)
    return 0, (low + high) / 2 if signed else abs(low + high) / 2


def percent(value: Value) -> str:
    """A share of one as a percentage with one decimal, or more where that would be 0.0."""
    hundred = _Times100(value)
    if value.exact is not None and decimals_of(value.exact * 100) == 0:
        return f"{write(value.exact * 100, 0)} %"
    places = 1
    rounded = round_value(hundred, places)
    while rounded.value == 0 and places < 12:
        places += 1
        rounded = round_value(hundred, places)
    return f"{write(rounded.value, places) if rounded.value else show(hundred).text} %"


class _Times100:
    """A value times one hundred."""

    infinite = 0

    def __init__(self, value: Value) -> None:
        self._value = value

    @property
    def exact(self) -> Fraction | None:
        return None if self._value.exact is None else self._value.exact * 100

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        low, high = self._value.bounds(bits)
        return low * 100, high * 100


def _as_written(written: str, value: Value, precision: Precision) -> Shown:
    """A given number as its author wrote it, where people can read it so; else with the digits asked for."""
    if value.infinite:
        return show(value, precision)
    exact = value.exact
    if exact is None or "e" in written.lower():
        shown = show(value, AUTO if precision.places is not None and precision.places < AUTO_PLACES else precision)
        ends = None if exact is None else decimals_of(exact)
        return shown if ends is None or shown.is_exact else show(value, Precision(places=ends))
    if "/" in written or not written.lstrip("+-").replace(".", "", 1).isdigit():
        return _fraction(exact)
    places = len(written.partition(".")[2])
    return Shown(write(exact, places).replace("-", "−"), exact, is_exact=True, places=places)


def _decimals(value: Fraction, places: int) -> Shown:
    """A rational that ends within ``places`` decimals, with all of them."""
    return Shown(write(value, places).replace("-", "−"), value, is_exact=True, places=places)


def _fraction(value: Fraction) -> Shown:
    """An exact rational: plain decimals where they are short, a fraction otherwise."""
    places = decimals_of(value)
    if places is not None and places <= STAGE_PLACES:
        return Shown(write(value, places).replace("-", "−"), value, is_exact=True, places=places)
    return Shown(ratio(value).replace("-", "−"), value, is_exact=True)


def _reproduces(value: Value | None, result: Shown) -> bool:
    """Whether the printed operands give the printed result."""
    if value is None:
        return False
    if result.value is None or value.infinite:
        return result.value is None and value.infinite != 0
    if value.exact is not None and value.exact == result.value:
        return True
    if result.is_exact and "/" in result.text:
        return False
    return round_value(value, result.places).value == result.value


def _relation(value: Value | None, result: Shown) -> str:
    if value is None:
        return "≈"
    return "=" if value.infinite or (value.exact is not None and value.exact == result.value) else "≈"


def _products_stage(printed: Expr) -> Expr | None:
    """A short sum of products with its products worked out, where they are short decimals."""
    if not isinstance(printed, Add) or not 1 < len(printed.terms) <= STAGE_TERMS:
        return None
    terms: list[Expr] = []
    for term in printed.terms:
        if not isinstance(term, Mul) or not isinstance(term.left, Printed) or not isinstance(term.right, Printed):
            return None
        if term.left.value is None or term.right.value is None:
            return None
        product = term.left.value * term.right.value
        places = decimals_of(product)
        if places is None or places > STAGE_PLACES:
            return None
        terms.append(Printed(write(product, places).replace("-", "−"), product))
    return Add(*terms)

"""Arithmetic written with numbers beside a result that a cell tells the worth of: it is judged as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction

from workings.checking.claims import Claim
from workings.checking.grids import Grid, Reader
from workings.checking.judging import ACCEPTED, Judges, Print
from workings.checking.lifting import Lifting, half_unit
from workings.checking.local import LOCAL
from workings.checking.matching import Pairs
from workings.checking.notation import Link, Num
from workings.checking.notation import Span as Stretch
from workings.checking.paper import Paper
from workings.checking.setting import number_rows
from workings.checking.verdicts import Verdict
from workings.exact import spans
from workings.exact.standing import Standing
from workings.steps.language import Cell, Expr, Printed, leaves, rebuild, terms_of
from workings.terms.address import Address, Name
from workings.terms.numbers import MIN_BITS, Value

APPROXIMATE = re.compile(r"[≈~≃约]")
HOLDING = (*ACCEPTED, Verdict.TRUNCATED)
Operand = tuple[Num, Address]


class Written:
    """Judges expressions of written numbers that are no cell's formula.

    Args:
        given: the inputs as they are printed, which are no rounded numbers.
        as_cell: a cell of the document's own for an expression.
    """

    def __init__(
        self,
        paper: Paper,
        given: Iterable[list[list[Num]]],
        reader: Reader,
        lifting: Lifting,
        judges: Judges,
        as_cell: Callable[[Expr], Expr],
    ) -> None:
        self._given = {abs(number.value) for rows in given for row in rows for number in row}
        self._paper, self._reader, self._lifting, self._judges = paper, reader, lifting, judges
        self._as_cell = as_cell

    def hold(self, claims: list[Claim], written: tuple[Grid, Stretch] | None, link: Link, bound: Grid | None) -> None:
        """Judges the arithmetic before numbers that are bound to cells of the recipe; what is wrong becomes claims.

        Args:
            claims: those so far, the ones for these numbers among them.
            written: what stands before the numbers in their chain, and where.
        """
        if written is None or bound is None:
            return
        numbers = number_rows(link.node)
        for (expression, number), (cell, _) in zip(over(written[0], numbers), over(bound, numbers), strict=False):
            if not isinstance(cell, Cell) or cell.address.array.name == LOCAL or not _is_arithmetic(expression):
                continue
            made = self._lifting.made_at(cell.address)
            wrong = [self._put_in(claims, *operand) for operand in self._operands(expression, made)]
            if not any(wrong) and self._is_of_its_kind(expression, made):
                self._equality(claims, expression, written[1], number, link.relation)

    def meant(self, claims: list[Claim], expression: Expr, printed: Print) -> Cell | None:
        """The cell whose formula arithmetic is but for one number put in, where that alone explains its result.

        The arithmetic does not give what is printed for it, but that is the cell's: "e^7.01 ≈ 1212.0" of the e^7.1
        that was meant. The number put in becomes a claim. None where no cell or several would do.
        """
        if not printed.half or not any(isinstance(leaf, Printed) for leaf in leaves(expression)):
            return None
        found: dict[Hashable, tuple[Operand, Address]] = {}
        for address in self._lifting.of_its_kind(expression):
            off = self._operands(expression, address)
            value = self._explains(off[0][1], address, printed) if len(off) == 1 else None
            if value is not None:
                found.setdefault((off[0][0].span, value.bounds(MIN_BITS)), (off[0], address))
        if len(found) != 1:
            return None
        operand, address = next(iter(found.values()))
        return Cell(address) if self._put_in(claims, *operand) else None

    def _explains(self, operand: Address, address: Address, printed: Print) -> Value | None:
        """What is meant instead of a number put in: the value of a cell that is worked out, if a result is right."""
        trace = self._lifting.trace
        if trace is None or trace.recipe.op(operand.array) is None or trace.value(operand).infinite:
            return None
        judgement, _ = self._judges.judge(address, printed, sure=False)
        return trace.value(operand) if judgement.verdict in HOLDING else None

    def _is_of_its_kind(self, expression: Expr, address: Address) -> bool:
        """Whether an expression is a sum of such terms as a cell's formula has: a mean is another way to a result."""
        formula = None if self._lifting.trace is None else self._lifting.trace.expansion.cell(address)
        if formula is None or isinstance(formula, Cell):
            return False
        kinds = {Printed, *map(type, terms_of(formula))}
        return all(type(term) in kinds for term in terms_of(expression))

    def _put_in(self, claims: list[Claim], number: Num, address: Address) -> bool:
        """A claim for a number put in for a cell, if it is wrong there; later numbers do not rest on it.

        A number stands in an expression for each column of what it works out: it is one claim.
        """
        judgement, divisor = self._judges.judge(address, shown(number, approximate=False), sure=False)
        known = next((claim.verdict for claim in claims if claim.number.span == number.span), None)
        if judgement.verdict is not Verdict.WRONG or known is not None:
            return known is Verdict.WRONG
        place = self._paper.place(number.span.cell, number.span.start)
        claims.append(Claim(number, place, address, "", Verdict.WRONG, judgement, divisor, trace=self._lifting.trace))
        return True

    def _equality(self, claims: list[Claim], expression: Expr, said: Stretch, number: Num, relation: str) -> None:
        """A number that is right where it is bound is wrong all the same where its own arithmetic does not give it."""
        at = next((at for at, claim in enumerate(claims) if claim.number.span == number.span), None)
        if at is None or claims[at].verdict not in HOLDING:
            return
        printed = shown(number, approximate=bool(APPROXIMATE.search(relation)))
        if self._gives(expression, Standing(printed.value, printed.half, cut=printed.cut)):
            return
        cell = self._as_cell(expression)
        if not isinstance(cell, Cell):
            return
        judgement, divisor = self._judges.judge(cell.address, printed, sure=True)
        if judgement.verdict is Verdict.WRONG:
            text = self._paper.said(said.cell, said.start, said.stop)
            wrong = Verdict.WRONG
            claims[at] = Claim(number, claims[at].place, None, text, wrong, judgement, divisor, free=False)

    def _operands(self, expression: Expr, address: Address) -> list[Operand]:
        """Numbers put into the formula of a cell for cells that they are not; empty for another formula."""
        found = self._lifting.differing(expression, address)
        return list(self._told(found)) if found else []

    def _told(self, pairs: Pairs) -> Iterator[Operand]:
        for printed, address in pairs:
            known = self._reader.numbers.get(id(printed))
            if known is not None:
                yield known[1], address

    def _gives(self, expression: Expr, at: Standing) -> bool:
        """Whether a printed result is what an expression gives, each number in it that is not given being rounded."""
        ranges: dict[Address, spans.Span] = {}

        def opened(node: Expr) -> Expr:
            if not isinstance(node, Printed) or node.value is None:
                return rebuild(node, opened)
            known = self._reader.numbers.get(id(node))
            half = half_unit(node.text) if known is None else known[1].half
            half = Fraction(0) if abs(node.value) in self._given else half
            place = Cell(Address(Name(LOCAL), (len(ranges),)))
            ranges[place.address] = spans.between(*spans.around(node.value, half))
            return place

        span = spans.Formula(opened(expression)).apply(ranges)
        return span.ends() is None or at.meets(span)


def shown(number: Num, *, approximate: bool) -> Print:
    """A number as it is judged; a whole one behind a sign of rounding is a rounded one."""
    half = number.half
    if approximate and half == 0 and number.value.denominator == 1 and not number.infinite:
        half = Fraction(1, 2)
    return Print(number.value, half, number.infinite, number.ellipsis)


def of_numbers(grid: Grid) -> bool:
    """Whether a cell of a grid is arithmetic with written numbers and nothing else."""
    return any(_is_arithmetic(cell) for row in grid.rows for cell in row)


def _is_arithmetic(cell: Expr) -> bool:
    if isinstance(cell, (Cell, Printed)):
        return False
    return not any(isinstance(leaf, Cell) for leaf in leaves(cell))


def over(grid: Grid, numbers: list[list[Num]]) -> Iterator[tuple[Expr, Num]]:
    """What is worked out with the numbers printed for it; nothing where the shapes differ."""
    shape = (len(numbers), len(numbers[0]))
    turned = grid if grid.shape == shape else grid.transposed()
    if turned.shape == shape:
        for rows in zip(turned.rows, numbers, strict=True):
            yield from zip(*rows, strict=True)

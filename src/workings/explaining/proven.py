"""Whether everything printed of a trace holds: each number at its cell, each line by the numbers that stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from workings.checking.judging import ACCEPTED, Judge, Print
from workings.checking.lifting import half_unit
from workings.exact import spans
from workings.explaining.numbers import Numbers
from workings.explaining.tree import Equation
from workings.steps.language import Cell, Expr, Printed, children, with_children
from workings.terms.address import Address, Name
from workings.terms.digits import AUTO_PLACES, Shown


class Rounding(NamedTuple):
    """Which printed numbers may be rounded: those with so many decimals or more, and all results that were carried."""

    places: int
    carried: int | None = None


class Proven(NamedTuple):
    """How many numbers and equalities were looked at, and the cells where one does not hold."""

    checked: int
    failures: tuple[Address, ...]


def prove(numbers: Numbers, carry: int | None = None) -> Proven:
    """Every computed number and its line of arithmetic, in order of computation.

    Args:
        carry: decimals to which the trace rounds every result.
    """
    trace = numbers.trace
    judge = Judge(trace.expansion.cell, trace.value)
    checked, failures = 0, []
    places = numbers.precision.places
    rounding = Rounding(AUTO_PLACES if places is None else places, carry)
    for op in trace.ops():
        for address in trace.cells(op.name):
            held = [judge.judge(address, print_of(numbers.shown(address))).verdict in ACCEPTED]
            line = numbers.line(address)
            held += [] if line is None else equalities(line, rounding)
            checked += len(held)
            if not all(held):
                failures.append(address)
    return Proven(checked, tuple(failures))


def print_of(shown: Shown) -> Print:
    """A number as it is printed, for a judge."""
    if shown.value is None:
        return Print(Fraction(0), Fraction(0), -1 if shown.text.startswith("−") else 1)
    half = Fraction(0) if shown.is_exact else Fraction(1, 2) / Fraction(10) ** shown.places
    return Print(shown.value, half)


def equalities(line: Equation, rounding: Rounding) -> list[bool]:
    """Whether each sign of a line is right: of the sides it joins, the numbers taken as they are printed.

    A result may be about what the line began with where what stands between rests on rounded numbers.
    """
    sides = [("", line.left), *line.chain] if line.left is not None else list(line.chain)
    first = sides[0][1]
    out: list[bool] = []
    for (_, left), (relation, right) in pairwise(sides):
        holds = _agree(left, right, None if relation == "=" else rounding)
        out.append(holds or (relation != "=" and all(out) and _agree(first, right, rounding)))
    return out


def _agree(left: Expr, right: Expr, rounding: Rounding | None) -> bool:
    """Where a side is rounded, it may be off by half a unit of its last digit and by what its numbers may be."""
    first, second = (_range(side, rounding) for side in (left, right))
    if first.infinite or second.infinite:
        return first.infinite == second.infinite
    one, other = first.ends(), second.ends()
    return one is not None and other is not None and one[0] <= other[1] and other[0] <= one[1]


def _range(side: Expr, rounding: Rounding | None) -> spans.Span:
    """What an expression gives: with its numbers as they stand, or with half a unit where they may be rounded."""
    found: list[Printed] = []
    node = _with_cells(side, found)
    return spans.Formula(node).apply({_cell(place): _spread(number, rounding) for place, number in enumerate(found)})


def _spread(number: Printed, rounding: Rounding | None) -> spans.Span:
    if number.value is None:
        return spans.infinite(-1 if number.text.startswith("−") else 1)
    half = half_unit(number.text) if rounding is not None else Fraction(0)
    if rounding is not None and half > Fraction(1, 2 * 10**rounding.places):
        half = Fraction(0)  # so few decimals, and no fewer were asked for: all there are
    if rounding is not None and rounding.carried is not None:
        half = max(half, Fraction(1, 2 * 10**rounding.carried))
    return spans.between(*spans.around(number.value, half))


def _cell(place: int) -> Address:
    return Address(Name("printed"), (place,))


def _with_cells(node: Expr, found: list[Printed]) -> Expr:
    """The expression with each printed number as a cell of its own."""
    if isinstance(node, Printed):
        found.append(node)
        return Cell(_cell(len(found) - 1))
    below: Sequence[Expr] = children(node)
    return with_children(node, [_with_cells(child, found) for child in below]) if below else node

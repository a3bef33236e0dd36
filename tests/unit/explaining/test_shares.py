"""A row in short: whatever its weights, what is printed of them adds up, each of them correctly rounded."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.support.maps import number
from workings.explaining.shares import FEWEST_PLACES, MOST_PLACES, shares, told
from workings.explaining.tree import Number, Table, Text
from workings.terms.digits import nearest_decimal
from workings.terms.numbers import Less, Rational, Within

ROWS = 400


def row(seed: int) -> tuple[list[Fraction], Fraction]:
    """Weights and what a sink takes, which add up to 1; sharp and even rows, short and long ones."""
    made = random.Random(seed)
    size, sharp = made.randint(1, 40), made.choice((0.1, 1.0, 8.0, 40.0))
    parts = [Fraction(made.lognormvariate(0, sharp)) for _ in range(size)]
    sink = Fraction(made.lognormvariate(0, sharp)) if made.random() < 0.5 else Fraction(0)
    total = sum(parts, sink)
    return sorted((part / total for part in parts), reverse=True), sink / total


def test_what_is_printed_adds_up() -> None:
    many = 0
    for seed in range(ROWS):
        weights, sink = row(seed)
        top, others = weights[:8], len(weights[8:])
        found = shares([Rational(one) for one in top], others, Rational(sink) if sink else None)
        printed = [number(one.text) for one in found.top]
        rest, swallowed = number(found.rest.text), number(found.sink.text) if found.sink else Fraction(0)
        assert sum(printed, rest) == number(found.total.text)
        assert number(found.total.text) + swallowed == 1
        assert FEWEST_PLACES <= found.places <= MOST_PLACES
        unit = Fraction(1, 10**found.places)
        for one, exact in zip([*printed, swallowed], [*top, sink], strict=True):
            assert one == nearest_decimal(exact, found.places)
        exact = sum(weights[8:], Fraction(0))
        assert rest == nearest_decimal(exact, found.places) or found.places == (
            MOST_PLACES if others else FEWEST_PLACES
        )
        assert abs(rest - exact) <= 5 * unit
        many += found.places > FEWEST_PLACES
    assert many > ROWS // 10  # four decimals alone would not do


@pytest.mark.parametrize("bound", [0.0, 1e-13])
def test_bounds_are_carried_to_what_is_left(bound: float) -> None:
    found = shares([Within(0.5, bound), Within(0.25, bound)], 3)
    assert [one.text for one in found.top] == ["0.5" if not bound else "0.5000", "0.25" if not bound else "0.2500"]
    assert number(found.rest.text) == Fraction(1, 4)
    assert found.total.text == "1"


def test_what_rounding_leaves_is_said() -> None:
    third = Rational(Fraction(1, 3))
    found = shares([third, third, third], 0)
    assert [one.text for one in (*found.top, found.rest, found.total)] == ["0.3333", "0.3333", "0.3333", "0.0001", "1"]
    table = told(found, ["a", "b", "c"], 0, "1.0986", "0")[0]
    assert isinstance(table, Table)
    assert (Text("map.row.rounding"), Number("0.0001")) in table.rows
    halves = shares([Rational(Fraction(1, 2))] * 2, 0)
    assert halves.rest.text == "0"
    table = told(halves, ["a", "b"], 0, "0.6931", "0")[0]
    assert isinstance(table, Table)
    assert len(table.rows) == 3


def test_values_less_others() -> None:
    known = Less(Rational(Fraction(1)), [Rational(Fraction(1, 3)), Rational(Fraction(1, 6))])
    assert known.exact == Fraction(1, 2)
    assert known.bounds(64) == (Fraction(1, 2), Fraction(1, 2))
    about = Less(Within(1.0, 0.25), [Within(0.5, 0.125)])
    assert about.exact is None
    assert about.bounds(64) == (Fraction(1, 8), Fraction(7, 8))

"""A row of weights in short: the largest, what a sink takes, and all others as one number; printed, they add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.explaining.tree import Block, Inline, Number, Paragraph, Table, Text, Token
from workings.terms.digits import Precision, Shown, show
from workings.terms.numbers import Less, Rational, Value

FEWEST_PLACES, MOST_PLACES = 4, 12
ONE = Fraction(1)


@dataclass(frozen=True)
class Shares:
    """The parts of one row, each rounded by itself to the same number of decimals; together they are 1.

    Attributes:
        places: the fewest decimals from ``FEWEST_PLACES`` on with which the rounded parts add up.
        top: the largest weights.
        rest: the others together; without any, what rounding leaves (of three thirds 0.0001).
        sink: what a sink takes; None where there is none.
        total: ``top`` and ``rest`` together, as printed: 1, less the sink.
    """

    places: int
    top: tuple[Shown, ...]
    rest: Shown
    sink: Shown | None
    total: Shown


def shares(top: Sequence[Value], others: int, sink: Value | None = None) -> Shares:
    """The parts of a row whose weights and sink add up to 1.

    Args:
        others: how many weights there are besides.
    """
    taken = [*top, *([] if sink is None else [sink])]
    rest = Less(Rational(ONE), taken) if others else Rational(Fraction(0))
    for places in range(FEWEST_PLACES, MOST_PLACES + 1):
        parts, left = _rounded(taken, places), show(rest, Precision(places=places))
        if sum(map(_value, parts), _value(left)) == ONE:
            break
    else:  # what is left is told by the printed parts themselves, within half a unit of their last place each
        places = MOST_PLACES if others else FEWEST_PLACES
        parts = _rounded(taken, places)
        left = show(Rational(ONE - sum(map(_value, parts), Fraction(0))), Precision(places=places))
    swallowed = None if sink is None else parts[-1]
    total = ONE if swallowed is None else ONE - _value(swallowed)
    printed = show(Rational(total), Precision(places=MOST_PLACES))
    return Shares(places, tuple(parts[: len(top)]), left, swallowed, printed)


def _rounded(values: Sequence[Value], places: int) -> list[Shown]:
    return [show(value, Precision(places=places)) for value in values]


def _value(shown: Shown) -> Fraction:
    return shown.value or Fraction(0)


def told(found: Shares, keys: Sequence[str], others: int, entropy: str, lse: str) -> list[Block]:
    """A table of the parts and what they add up to."""
    rows: list[tuple[Inline, ...]] = [
        (Token(key), Number(shown.text)) for key, shown in zip(keys, found.top, strict=True)
    ]
    if others:
        rows.append((Text("map.row.rest", {"n": others}), Number(found.rest.text)))
    elif _value(found.rest):
        rows.append((Text("map.row.rounding"), Number(found.rest.text)))
    rows.append((Text("map.row.sum"), Number(found.total.text)))
    if found.sink is not None:
        rows.append((Text("map.row.sink"), Number(found.sink.text)))
    said = Text("map.row.entropy", {"entropy": Number(entropy), "lse": Number(lse)})
    return [Table((Text("map.row.key"), Text("map.row.weight")), tuple(rows)), Paragraph((said,))]

"""What the reader asked to see."""

from __future__ import annotations

from dataclasses import dataclass

from workings.terms.digits import AUTO, Precision
from workings.traces.trace import Trace

SHOW = ("auto", "cell", "row", "all")


@dataclass(frozen=True, slots=True)
class Options:
    """How much arithmetic, whose row, how many digits.

    Attributes:
        show: ``cell`` writes out one cell of each step, ``row`` one token's row, ``all`` every cell; ``auto`` decides
            by size.
        token: the word whose row is followed, ``它`` or ``它#2``; None for the one that its author follows.
        truth: in hand mode (a trace that carries rounded numbers), the same example without rounding.
        carry: in hand mode, the decimals that are carried.
    """

    show: str = "auto"
    token: str | None = None
    precision: Precision = AUTO
    truth: Trace | None = None
    carry: int | None = None

    @property
    def digits(self) -> Precision:
        """How many digits are printed: in hand mode those that are carried."""
        return printed_digits(self.precision, self.carry)


def printed_digits(precision: Precision, carry: int | None) -> Precision:
    """The digits that are asked for; where rounded numbers are carried on, just the decimals that are carried."""
    return precision if carry is None else Precision(places=carry)

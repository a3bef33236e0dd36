"""One number of a trace: its sure digits, how it was worked, what it is made from and what is made from it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.terms import arguments
from workings.terms.digits import JSON_DIGITS, json_digits, magnitude, round_value, write
from workings.terms.errors import ArgumentForm
from workings.terms.numbers import Value, nearest_float

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.tree import Document
    from workings.terms.address import Address
    from workings.traces.trace import Trace

MOST_DIGITS = 1000


def significant(value: Value, digits: int) -> str:
    """A value rounded to significant digits, in plain decimals, or with a power of ten where it is very small."""
    if value.infinite:
        return "-inf" if value.infinite < 0 else "inf"
    power = magnitude(value)
    if power is None:
        return "0"
    rounded = round_value(value, digits - 1 - power)
    if abs(rounded.value) >= Fraction(10) ** (power + 1):  # 9.996 to three digits is 10.0
        power += 1
    places = digits - 1 - power
    if power >= -digits:
        return write(rounded.value, max(places, 0))
    return f"{write(rounded.value * Fraction(10) ** -power, digits - 1)}e{power}"


def is_unsettled(value: Value) -> bool:
    """Whether 4,096 bits do not settle the twelve digits that are printed."""
    power = None if value.infinite or value.exact is not None else magnitude(value)
    return power is not None and round_value(value, JSON_DIGITS - 1 - power).tie


class Number(Shown):
    """A number at its address. ``str`` gives all digits where they end, else twelve sure ones."""

    def __init__(self, trace: Trace, address: Address, view: View) -> None:
        self._trace = trace
        self._address = address
        self._view = view

    # --- its value ---

    @property
    def _value(self) -> Value:
        return self._trace.value(self._address)

    @property
    def exact(self) -> Fraction | None:
        """The value where it is rational, else None."""
        return self._value.exact

    @property
    def is_unsure(self) -> bool:
        """Whether 4,096 bits do not settle the digits that are printed."""
        return is_unsettled(self._value)

    def digits(self, count: int) -> str:
        """The value correctly rounded to so many significant digits, ties away from zero.

        Raises ``BadCount``, or ``ArgumentForm`` for more than anybody reads.
        """
        number = arguments.count("digits", count, least=1)
        if number > MOST_DIGITS:
            raise ArgumentForm(name="digits", seen=str(number), examples=["1", str(MOST_DIGITS)])
        return significant(self._value, number)

    def __str__(self) -> str:
        return json_digits(self._value)

    def __float__(self) -> float:
        return nearest_float(self._value)

    def __repr__(self) -> str:
        return f"{self.address} = {self}"

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    # --- where it stands and what it comes from ---

    @property
    def address(self) -> str:
        """Its name anywhere: ``weight[2,0]``."""
        return str(self._address)

    @property
    def inputs(self) -> list[Number]:
        """The numbers it is made from, in the order of its formula."""
        return [Number(self._trace, address, self._view) for address in self._trace.inputs(self._address)]

    @property
    def used_by(self) -> list[str]:
        """Addresses of the numbers made from it, in order of computation."""
        return [str(address) for address in self._trace.used_by(self._address)]

    # --- how it is told ---

    @property
    def formula(self) -> str:
        """The general formula of its step; empty for a given number."""
        return self._lines(str(self._address.array))

    def arithmetic(self, lang: str | None = None) -> str:
        """Its formula with the numbers put in, as a line to check by hand; empty for a given number."""
        return self._lines(self.address, lang)

    def explain(self, *, lang: str | None = None, precision: str | int | None = None) -> Number:
        """The same number told another way."""
        return Number(self._trace, self._address, self._view.changed(lang=lang, precision=precision))

    def document(self) -> Document:
        """Its arithmetic, what it is made from and what is made from it, as a display tree."""
        from workings.explaining.one import explain_cell

        return explain_cell(self._trace, self._address, self._view.digits)

    def data(self) -> dict[str, Any]:
        """``workings.cell/1``."""
        from workings.explaining.data import cell_data

        told = {"formula": self.formula or None, "arithmetic": self.arithmetic() or None}
        return {**cell_data(self._trace, self._address), **told}

    def _lines(self, address: str, lang: str | None = None) -> str:
        from workings.explaining.tree import Equation
        from workings.render.inline import equation_line
        from workings.render.words import Words

        words = Words(self._view.changed(lang=lang).language)
        equations = [block for block in self.document().blocks if isinstance(block, Equation)]
        parts = [(equation, equation.label) for equation in equations if equation.address == address]
        alone = len(parts) == 1  # what a single line is about is known: this number
        return "\n".join(equation_line(replace(e, label=()) if alone else e, words) for e, _ in parts)

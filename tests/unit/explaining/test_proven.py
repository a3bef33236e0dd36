"""What is printed is proven from what is printed, and a single changed digit is noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from workings.api.opening import open_example, trace_of
from workings.examples import library
from workings.explaining.numbers import Numbers
from workings.explaining.proven import Rounding, equalities, prove
from workings.steps.language import Printed
from workings.terms.digits import AUTO_PLACES, Precision, Shown

VIEWS: dict[str, tuple[Precision, int | None]] = {
    "auto": (Precision(), None),
    "two": (Precision(places=2), None),
    "eight": (Precision(places=8), None),
    "exact": (Precision(exact=True), None),
    "carried": (Precision(places=2), 2),
    "carried, more shown": (Precision(places=6), 2),
}


def numbers(name: str, view: str) -> tuple[Numbers, int | None]:
    precision, carry = VIEWS[view]
    example, trace = open_example(name)
    return (
        (Numbers(trace, precision), None)
        if carry is None
        else (Numbers(trace_of(example, carry), precision, trace), carry)
    )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", [name for name in library.names() if name != "encoder-six"])
def test_everything_holds(name: str, view: str) -> None:
    found = prove(*numbers(name, view))
    assert found.failures == ()
    assert found.checked > 50


class Slipped(Numbers):
    """Numbers one of which is printed as one more than it is."""

    def __init__(self, of: Numbers, address: str) -> None:
        super().__init__(of.trace, of.precision, of.truth)
        self._at = address

    def shown(self, address: Any) -> Shown:
        found = super().shown(address)
        if str(address) != self._at or found.value is None:
            return found
        return replace(found, value=found.value + 1)


@pytest.mark.parametrize("name", ["kitten", "causal", "layer-norm", "rotary-position"])
def test_every_changed_number_is_noticed(name: str) -> None:
    whole, _ = numbers(name, "auto")
    for op in whole.trace.ops():
        for address in whole.trace.cells(op.name):
            if not whole.trace.value(address).infinite:
                assert address in prove(Slipped(whole, str(address))).failures


def test_every_changed_result_of_a_line_is_noticed() -> None:
    whole, _ = numbers("kitten", "auto")
    for op in whole.trace.ops():
        for address in whole.trace.cells(op.name):
            line = whole.line(address)
            if line is None:
                continue
            relation, last = line.chain[-1]
            assert isinstance(last, Printed)
            assert last.value is not None
            unit = Fraction(1, 10 ** len(last.text.partition(".")[2].rstrip(" %")))
            other = Printed(last.text, last.value + 3 * unit)
            slipped = replace(line, chain=(*line.chain[:-1], (relation, other)))
            assert not all(equalities(slipped, Rounding(AUTO_PLACES))), address

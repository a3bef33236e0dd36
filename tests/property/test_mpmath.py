"""The exact engine against an independent telling at 50 digits, on random examples: every array, every cell."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from mpmath import mp, mpf  # type: ignore[import-untyped]

from tests.support.amounts import at_most
from tests.support.oracle import DIGITS, NEGATIVE_INFINITY, Oracle
from tests.support.recipes import Example, all_indices, examples
from workings.terms.address import Address
from workings.terms.numbers import Value

BITS = 192
AGREE = mpf(10) ** -30


def _middle(value: Value) -> Any:
    low, high = (value.exact,) * 2 if value.exact is not None else value.bounds(BITS)
    middle: Fraction = (low + high) / 2
    return mpf(middle.numerator) / middle.denominator


def _at(nested: Any, index: tuple[int, ...]) -> Any:
    for place in index:
        nested = nested[place]
    return nested


@at_most(300)
@given(examples())
def test_every_cell_agrees(example: Example) -> None:
    recipe = example.recipe()
    engine, expected = example.exact(recipe), Oracle(example).out
    assert {str(op.name) for op in recipe.ops} == set(expected)
    with mp.workdps(DIGITS):
        for op in recipe.ops:
            for index in all_indices(op.shape):
                value, wanted = engine.value(op.name, index), _at(expected[str(op.name)], index)
                where = str(Address(op.name, index))
                if wanted == NEGATIVE_INFINITY:
                    assert value.infinite == -1, where
                else:
                    assert value.infinite == 0, where
                    assert abs(_middle(value) - wanted) <= AGREE * (1 + abs(wanted)), where

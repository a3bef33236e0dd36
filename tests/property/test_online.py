"""Softmax block by block ends where plain softmax ends, whatever the recipe and however long the blocks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

from tests.support.amounts import at_most
from tests.support.bounds import DIGITS, Bounds
from tests.support.recipes import Example, all_indices, examples
from workings.arrays.run import Arrays
from workings.terms.address import Address
from workings.terms.numbers import Value

BITS = 256
SHARED = ("weight", "lse", "head_output", "output")
SIZES = st.integers(1, 5)


def worked(example: Example, softmax: str, block_size: int = 0) -> Example:
    """The example with its softmax worked in another way."""
    return replace(example, spec=replace(example.spec, softmax=softmax, block_size=block_size))


def same(one: Value, other: Value) -> bool:
    """Whether two values are one number as far as 200 bits tell."""
    if one.infinite or other.infinite:
        return one.infinite == other.infinite
    if one.exact is not None and other.exact is not None:
        return one.exact == other.exact
    (low, high), (least, most) = one.bounds(BITS), other.bounds(BITS)
    scale = max(abs(low), abs(high), Fraction(1))
    return low <= most and least <= high and max(high - low, most - least) * 2**200 <= scale


@at_most(300)
@given(example=examples(), block_size=SIZES)
def test_ends_where_plain_softmax_ends(example: Example, block_size: int) -> None:
    plain, online = worked(example, "plain"), worked(example, "online", block_size)
    recipe, by_blocks = plain.recipe(), online.recipe()
    engine, other = plain.exact(recipe), online.exact(by_blocks)
    shared = [op for op in recipe.ops if op.step.name in SHARED or op is recipe.ops[-1]]
    assert {op.step.name for op in shared} >= set(SHARED)
    for op in shared:
        for index in all_indices(op.shape):
            assert same(engine.value(op.name, index), other.value(op.name, index)), Address(op.name, index)


@at_most(300)
@given(example=examples(), block_size=SIZES)
def test_ends_there_in_the_array_form_too(example: Example, block_size: int) -> None:
    """Within the bound that honest floating-point arithmetic keeps (tests/support/bounds.py)."""
    plain, online = worked(example, "plain"), worked(example, "online", block_size)
    recipe, by_blocks = plain.recipe(), online.recipe()
    engine, arrays = plain.exact(recipe), Arrays(by_blocks, online.arrays())
    with mp.workdps(DIGITS):
        bounds = Bounds(by_blocks, online.exact(by_blocks), 2.0**-53)
        for op in (op for op in recipe.ops if op.step.name in SHARED):
            values = arrays.array(op.name)
            for index in all_indices(op.shape):
                true, error = engine.value(op.name, index), bounds.cell(Address(op.name, index))[1]
                if true.infinite:
                    assert values[index] == -mpf("inf")
                    continue
                low = true.bounds(BITS)[0]
                assert abs(mpf(float(values[index])) - mpf(low.numerator) / low.denominator) <= error + mpf(2) ** -200

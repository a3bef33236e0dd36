"""The rules of the value language on arrays: infinities, zeros, roundings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from workings.arrays import rules
from workings.exact import floats
from workings.steps import language as lang
from workings.terms.numbers import FORMATS

INF, NAN = np.inf, np.nan


def _of(*values: float) -> Any:
    return np.array(values)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (lambda: rules.add(_of(-INF, INF, -INF, 1), _of(INF, -INF, NAN, 2)), [-INF, -INF, -INF, 3]),
        (lambda: rules.subtract(_of(-INF, 1, 5), _of(-INF, INF, 5)), [-INF, -INF, 0]),
        (lambda: rules.multiply(_of(0, NAN, 2, 0), _of(INF, 0, INF, -INF)), [0, 0, INF, 0]),
        (lambda: rules.divide(_of(0, 3, 0, 1), _of(0, 0, NAN, INF), 7), [7, 7, 0, 0]),
        (lambda: rules.divide(_of(1, 0), _of(0, 0)), [NAN, NAN]),
        (lambda: rules.power(_of(0, 4, 2), _of(0.5, 0.5, -1)), [0, 2, 0.5]),
        (lambda: rules.power(_of(0, -INF), _of(-1, 3)), [NAN, NAN]),
        (lambda: rules.power(_of(-3, -INF), np.asarray(2.0)), [9, NAN]),
        (lambda: rules.total(np.array([[-INF, INF], [1, 2]]), 1), [-INF, 3]),
        (lambda: rules.UNARY[lang.Exp](_of(-INF, 0)), [0, 1]),
        (lambda: rules.UNARY[lang.Log](_of(0, 1, -1)), [-INF, 0, NAN]),
        (lambda: rules.UNARY[lang.Sqrt](_of(4, -1)), [2, NAN]),
        (lambda: rules.UNARY[lang.Sigmoid](_of(-INF, INF, 0, -800, 800)), [0, 1, 0.5, 0, 1]),
        (lambda: rules.UNARY[lang.Erf](_of(-INF, 0, INF)), [-1, 0, 1]),
    ],
)
def test_rule(result: Callable[[], Any], expected: list[float]) -> None:
    np.testing.assert_array_equal(result(), expected)


def test_contract_takes_out_what_is_multiplied_by_zero() -> None:
    a, b = np.array([[1.0, 0.0, 2.0], [1.0, 1.0, 0.0]]), np.array([[3.0, NAN, 4.0], [3.0, 1.0, -INF]])
    np.testing.assert_array_equal(rules.contract(a, b), [[11, -INF], [NAN, 4]])


@given(st.floats(allow_nan=False, width=64))
def test_erf_is_the_libraries(value: float) -> None:
    assert rules.UNARY[lang.Erf](np.asarray(value)) == math.erf(value)


@pytest.mark.parametrize("dtype", sorted(FORMATS))
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_is_the_exact_engines(dtype: str, value: float) -> None:
    expected = floats.round_rational(dtype, fmpq(*value.as_integer_ratio()))
    wanted = expected * INF if isinstance(expected, int) else int(expected.p) / int(expected.q)
    seen = rules.round_to(dtype, np.asarray(value))
    assert seen == wanted
    if dtype != "bfloat16":
        assert seen == np.asarray(value).astype(dtype).astype(np.float64)


def test_rounding_keeps_what_is_not_finite() -> None:
    np.testing.assert_array_equal(rules.round_to("bfloat16", _of(NAN, INF, -INF)), [NAN, INF, -INF])


@pytest.mark.parametrize(
    ("rows", "depth", "columns"),
    [
        (1, 1, 1),
        (16, 64, 300),
        (16, 64, 1000),
        (64, 1000, 70),
        (64, 1024, 64),
        (300, 900, 2),
        (2000, 3, 200),
        (0, 3, 4),
    ],
)
def test_a_product_in_pieces_is_the_product(rows: int, depth: int, columns: int) -> None:
    random = np.random.default_rng(1)
    a, b = random.integers(-9, 9, (rows, depth)).astype(float), random.integers(-9, 9, (columns, depth)).astype(float)
    np.testing.assert_array_equal(rules.product(a, b), a @ b.T)
    np.testing.assert_array_equal(rules.product(a, np.asfortranarray(b)), a @ b.T)

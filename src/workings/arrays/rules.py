"""Arithmetic on arrays under the rules of the value language, which IEEE arithmetic alone does not keep.

Minus infinity plus or minus anything is minus infinity, 0 times anything is 0 (NaN and infinities included, so that
what is masked never reaches a result), exp(-inf) = 0 and ln 0 = -inf. A cell that has no value (a root of a negative
number, a division by 0 without a convention) is NaN: an array has no place for an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from workings.steps import language as lang
from workings.terms.numbers import FORMATS

Floats = npt.NDArray[np.floating[Any]]
ONE_THREAD = 2**18  # products of numbers up to which OpenBLAS starts no threads
NARROWEST = 16  # of a piece of a matrix product: below it the pieces take longer than they spare
NUMPY = ("float16", "float32", "float64")


def _finite(value: Floats) -> bool:
    return bool(np.isfinite(value).all())


def add(a: Floats, b: Floats) -> Floats:
    """a + b; minus infinity plus anything is minus infinity."""
    out = np.asarray(a + b)
    if np.isnan(out).any():
        out = np.where(np.isneginf(a) | np.isneginf(b), -np.inf, out)
    return out


def subtract(a: Floats, b: Floats) -> Floats:
    """a - b; an infinity minus anything is that infinity."""
    out = np.asarray(a - b)
    if np.isnan(out).any():
        out = np.where(np.isinf(a), a, out)
    return out


def multiply(a: Floats, b: Floats) -> Floats:
    """a · b; 0 times anything is 0."""
    out = np.asarray(a * b)
    return out if _finite(out) else np.where((a == 0) | (b == 0), 0, out)


def divide(a: Floats, b: Floats, if_zero: int | None = None) -> Floats:
    """a ÷ b; where the divisor is 0, the declared convention, or NaN where there is none."""
    out = np.asarray(a / b)
    if not _finite(out):
        out = np.where((a == 0) | np.isinf(b), 0, out)
        out = np.where(b == 0, np.nan if if_zero is None else if_zero, out)
    return out


def power(base: Floats, exponent: Floats) -> Floats:
    """base ^ exponent; NaN where minus infinity is the base, or 0 and the exponent negative."""
    if exponent.ndim == 0 and exponent == 2:
        return np.asarray(np.where(np.isneginf(base), np.nan, base * base))
    out = np.asarray(np.power(base, exponent))
    return np.where(np.isneginf(base) | ((base == 0) & (exponent < 0)), np.nan, out)


def total(values: Floats, axis: int) -> Floats:
    """The sum along an axis."""
    out = np.asarray(values.sum(axis=axis))
    return np.where(np.isneginf(values).any(axis=axis), -np.inf, out) if np.isnan(out).any() else out


def product(a: Floats, b: Floats) -> Floats:
    """a @ b.T for a block of rows: in pieces so small that BLAS keeps to one thread, where they are not too narrow.

    Threads that meet after each of thousands of small products lose more than they gain, and on a machine that has
    other work they wait for one another a hundred times longer than the product takes.
    """
    rows, depth, columns = *a.shape, len(b)
    if rows * depth * columns <= ONE_THREAD:
        return np.asarray(a @ b.T)
    if columns >= depth:
        wide = ONE_THREAD // (rows * depth)
        whole = columns - columns % wide if wide >= NARROWEST else 0
        out = np.empty((rows, columns), np.result_type(a, b))
        if whole:
            pieces = b[:whole].reshape(-1, wide, depth).transpose(0, 2, 1)
            np.matmul(a[None], pieces, out=out[:, :whole].reshape(rows, -1, wide).transpose(1, 0, 2))
        np.matmul(a, b[whole:].T, out=out[:, whole:])
        return out
    deep = ONE_THREAD // (rows * columns)
    if deep < NARROWEST:
        return np.asarray(a @ b.T)
    whole = depth - depth % deep
    left = a[:, :whole].reshape(rows, -1, deep).transpose(1, 0, 2)
    right = b[:, :whole].reshape(columns, -1, deep).transpose(1, 2, 0)
    total = (left @ right).sum(axis=0)
    return np.asarray(total if whole == depth else total + a[:, whole:] @ b[:, whole:].T)


def contract(a: Floats, b: Floats) -> Floats:
    """Σ over the last axis of both: a [rows, k], b [columns, k] -> [rows, columns].

    A product that came out finite met no NaN and no infinity. Otherwise the places along k that hold one are taken
    out and added one by one under the rules.
    """
    out = product(a, b)
    if _finite(out):
        return out
    bad = ~(np.isfinite(a).all(axis=0) & np.isfinite(b).all(axis=0))
    if bad.any():
        out = product(a[:, ~bad], b[:, ~bad])
        for k in np.flatnonzero(bad):
            out = add(out, multiply(a[:, k, None], b[None, :, k]))
    return out


def _erf(value: Floats) -> Floats:
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(value)).astype(value.dtype)


def _sigmoid(value: Floats) -> Floats:
    small = np.exp(-np.abs(value))
    return np.asarray(np.where(value >= 0, 1, small) / (1 + small))


UNARY: dict[type[lang.Unary], Callable[[Floats], Floats]] = {
    lang.Exp: np.exp,
    lang.Log: np.log,
    lang.Sqrt: np.sqrt,
    lang.Tanh: np.tanh,
    lang.Erf: _erf,
    lang.Sin: np.sin,
    lang.Cos: np.cos,
    lang.Sigmoid: _sigmoid,
}


def round_to(dtype: str, value: Floats) -> Floats:
    """The nearest number of a floating-point format, ties to even, infinite where it overflows.

    Types that numpy has are left to it. For others scaled by powers of two, which is exact, and so without the second
    rounding that a way over float32 would add.
    """
    if dtype in NUMPY:
        with np.errstate(over="ignore", under="ignore"):
            return value.astype(dtype).astype(value.dtype)
    precision, smallest, largest = FORMATS[dtype]
    wide = value.astype(np.float64)
    _, exponent = np.frexp(wide)
    unit = np.maximum(exponent - 1, smallest) - precision + 1
    rounded = np.ldexp(np.rint(np.ldexp(wide, -unit)), unit)
    out = np.where(np.abs(rounded) >= 2.0 ** (largest + 1), np.copysign(np.inf, wide), rounded)
    return np.where(np.isfinite(wide), out, wide).astype(value.dtype)

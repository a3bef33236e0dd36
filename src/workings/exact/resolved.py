"""A formula that is resolved already, worked straight from its cells: nothing is prepared for a second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb

from workings.exact import values
from workings.exact.cells import round_to
from workings.exact.values import Held
from workings.steps import language as lang
from workings.steps.language import Expr
from workings.terms.address import Address

Cells = Mapping[Address, Held]


def work(node: Expr, cells: Cells) -> Held:
    """The value of a formula at the working precision."""
    make = _WORK.get(type(node))
    if make is None:
        raise TypeError(f"not a value: {node!r}")
    return make(node, cells)


def _cell(node: lang.Cell, cells: Cells) -> Held:
    return cells[node.address]


def _add(node: lang.Add, cells: Cells) -> Held:
    first, *others = node.terms
    total = work(first, cells)
    for term in others:
        total = values.add(total, work(term, cells))
    return total


def _larger(node: lang.Larger, cells: Cells) -> Held:
    return values.largest([work(term, cells) for term in node.terms])


def _subtract(node: lang.Sub, cells: Cells) -> Held:
    return values.subtract(work(node.left, cells), work(node.right, cells))


def _multiply(node: lang.Mul, cells: Cells) -> Held:
    return values.multiply(work(node.left, cells), work(node.right, cells))


def _divide(node: lang.Div, cells: Cells) -> Held:
    return values.divide(work(node.left, cells), work(node.right, cells), node.if_zero)


def _power(node: lang.Pow, cells: Cells) -> Held:
    return values.power(work(node.base, cells), work(node.exponent, cells))


def _unary(node: lang.Unary, cells: Cells) -> Held:
    return values.UNARY[type(node)](work(node.arg, cells))


def _rounded(node: lang.Round, cells: Cells) -> Held:
    return round_to(node.dtype, work(node.arg, cells))


def _constant(node: lang.Const, _: Cells) -> Held:
    return values.rational(node.value)


def _printed(node: lang.Printed, _: Cells) -> Held:
    return values.of_print(node)


def _infinity(node: lang.Infinity, _: Cells) -> Held:
    return values.infinity(node.sign)


def _pi(_: lang.Pi, __: Cells) -> Held:
    return arb.pi()


_WORK: Mapping[type, Callable[[Any, Cells], Held]] = {
    lang.Cell: _cell,
    lang.Add: _add,
    lang.Larger: _larger,
    lang.Sub: _subtract,
    lang.Mul: _multiply,
    lang.Div: _divide,
    lang.Pow: _power,
    lang.Round: _rounded,
    lang.Const: _constant,
    lang.Printed: _printed,
    lang.Infinity: _infinity,
    lang.Pi: _pi,
    **dict.fromkeys(values.UNARY, _unary),
}

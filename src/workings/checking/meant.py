"""Inputs printed with rounded digits that a document says or puts in as what they are.

``ln(9) ≈ 2.1972`` says it of every input 2.1972, and so does ``0.5 × ln(9)`` where K has 2.1972.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from workings.checking.notation import Call, Neg, Node, Num, Op, Statement, nodes, number_of

FUNCTIONS = {"ln": math.log, "sqrt": math.sqrt}
MOST = Fraction(1, 2000)  # half a unit of the third decimal: fewer digits may agree by chance
LARGEST = 10**12  # argument, coefficient and divisor
ONE = Fraction(1)


class Form(NamedTuple):
    """A rational times the logarithm or root of another."""

    name: str
    argument: Fraction
    coefficient: Fraction = ONE

    @property
    def text(self) -> str:
        """As an example file would say it."""
        sign = "-" if self.coefficient < 0 else ""
        top, bottom = abs(self.coefficient.numerator), self.coefficient.denominator
        return f"{sign}{'' if top == 1 else f'{top}*'}{self.name}({self.argument}){'' if bottom == 1 else f'/{bottom}'}"

    def rounds_to(self, number: Num) -> bool:
        """Whether a printed number is this one rounded."""
        value = float(self.coefficient) * FUNCTIONS[self.name](float(self.argument))
        return abs(float(number.value) - value) <= float(number.half)


def written_out(statements: Iterable[Statement], given: Mapping[str, list[list[Num]]]) -> dict[str, str]:
    """For the texts of rounded inputs: the logarithms and roots that the document says they are, or multiplies."""
    rounded = {
        number.text: number
        for rows in given.values()
        for row in rows
        for number in row
        if 0 < number.half <= MOST and not number.infinite
    }
    if not rounded:
        return {}
    links = [statement.links for statement in statements]
    said = [form for members in links for form in _said([link.node for link in members])]
    factors = dict.fromkeys(form for members in links for link in members for form in _factors(link.node))
    found: dict[str, str] = {}
    for form in [*said, *factors, *(form._replace(coefficient=-ONE) for form in factors)]:
        for text, number in rounded.items():
            if text not in found and form.rounds_to(number):
                found[text] = form.text
    return found


def _said(members: list[Node]) -> Iterator[Form]:
    """The logarithms and roots that a chain gives digits of, and does nothing else with."""
    for first, second in pairwise(members):
        form = _form(first)
        number = None if form is None else number_of(second)
        if form is not None and number is not None and form.rounds_to(number):
            yield form


def _factors(node: Node) -> Iterator[Form]:
    """The logarithms and roots of numbers that something is multiplied by, in an expression."""
    for product in nodes(node):
        if isinstance(product, Op) and product.op == "*":
            forms = (_root(part) for part in (product.left, product.right))
            yield from (form for form in forms if form is not None)


def _form(node: Node) -> Form | None:
    """``ln(9)``, ``−√2`` or ``1/2 × ln(3)``."""
    if isinstance(node, Neg):
        inner = _form(node.arg)
        return None if inner is None else inner._replace(coefficient=-inner.coefficient)
    if not isinstance(node, Op) or node.op != "*":
        return _root(node)
    factor, root = _rational(node.left), _root(node.right)
    return None if factor is None or root is None else root._replace(coefficient=factor)


def _root(node: Node) -> Form | None:
    if not isinstance(node, Call) or node.name not in FUNCTIONS or len(node.args) != 1:
        return None
    argument = _rational(node.args[0])
    return Form(node.name, argument) if argument is not None and argument > 0 else None


def _rational(node: Node) -> Fraction | None:
    """A number or a fraction of two, none of them too large."""
    if isinstance(node, Op) and node.op == "/":
        top, bottom = _rational(node.left), _rational(node.right)
        return top / bottom if top is not None and bottom else None
    number = number_of(node)
    small = number is not None and not number.infinite and abs(number.value) <= LARGEST
    return number.value if number is not None and small else None

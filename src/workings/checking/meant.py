"""Inputs printed with rounded digits that a document puts in as what they are: ``0.5 × ln(9)`` where K has 2.1972."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from workings.checking.notation import Call, Node, Num, Op, Statement, nodes

FUNCTIONS = {"ln": math.log, "sqrt": math.sqrt}
MOST = Fraction(1, 2000)  # half a unit of the third decimal: fewer digits may agree by chance
LARGEST = 10**12  # argument


def written_out(statements: Iterable[Statement], given: Mapping[str, list[list[Num]]]) -> dict[str, str]:
    """For the texts of rounded inputs: the logarithms and roots that the document multiplies in their place."""
    rounded = {
        number.text: number
        for rows in given.values()
        for row in rows
        for number in row
        if 0 < number.half <= MOST and not number.infinite
    }
    if not rounded:
        return {}
    forms = {
        (call.name, call.args[0].value): call
        for statement in statements
        for link in statement.links
        for call in _factors(link.node)
        if isinstance(call.args[0], Num)
    }
    found: dict[str, str] = {}
    for name, argument in forms:
        value = FUNCTIONS[name](float(argument))
        for text, number in rounded.items():
            if abs(abs(float(number.value)) - abs(value)) <= float(number.half):
                sign = "-" if (number.value < 0) != (value < 0) else ""
                found.setdefault(text, f"{sign}{name}({argument})")
    return found


def _factors(node: Node) -> Iterator[Call]:
    """The logarithms and roots of numbers that something is multiplied by, in an expression."""
    for product in nodes(node):
        if isinstance(product, Op) and product.op == "*":
            yield from (part for part in (product.left, product.right) if isinstance(part, Call) and _is_form(part))


def _is_form(call: Call) -> bool:
    argument = call.args[0] if len(call.args) == 1 else None
    return call.name in FUNCTIONS and isinstance(argument, Num) and 0 < argument.value <= LARGEST

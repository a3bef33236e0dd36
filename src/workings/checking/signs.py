"""What printed numbers and the names and words around them are by their form alone: sizes, masks, fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workings.checking.naming import SIZE_NAMES
from workings.checking.notation import Mat, Node, Num, Statement, Sym
from workings.checking.setting import number_rows, pure
from workings.steps.language import Const, Div, Expr

MASK = re.compile(r"mask|掩码|遮蔽|遮罩", re.IGNORECASE)
QUOTIENT = re.compile(r"[/÷¼-¾⅐-⅞]|\\(?:[dtc]?frac|div)")


def is_mask(numbers: list[list[Num]]) -> bool:
    """Whether a matrix is of zeros and −∞ alone."""
    signs = [number.infinite for row in numbers for number in row if not number.value]
    return len(numbers) > 1 and len(signs) == sum(map(len, numbers)) and set(signs) == {0, -1}


def is_masked(statement: Statement, named: str | None) -> bool:
    """Whether a matrix that holds −∞ where the words speak of a mask is the masked scores."""
    value = statement.links[-1].node
    if named in ("score", "scaled", "masked") or not isinstance(value, Mat) or not pure(value):
        return False
    words = MASK.search(f"{statement.label} {statement.heading}")
    return bool(words) and any(number.infinite for row in number_rows(value) for number in row)


def is_size(node: Node) -> bool:
    """Whether a node is the name of a size, such as ``d_k``."""
    return isinstance(node, Sym) and node.name in SIZE_NAMES and not node.index


def opens_before(label: str) -> bool:
    """Whether words stand in a bracket that is open where the chain begins; one right before it holds the chain."""
    return label.count("(") > label.count(")") and not label.endswith("(")


def is_quotient(node: Node, members: int) -> bool:
    """Whether a chain begins with a fraction, or a list of them: ``2 / 2 = 1.0``, ``[1/3, 2/3] = [0.33, 0.67]``."""
    if members == 1 or not pure(node):
        return False
    numbers = [number for row in number_rows(node) for number in row]
    return all(not number.half and not number.infinite for number in numbers) and any(
        QUOTIENT.search(number.text) for number in numbers
    )


def quotient(number: Num) -> Expr:
    """A printed fraction as a division."""
    return Div(Const(number.value.numerator), Const(number.value.denominator))


def all_numbers(statement: Statement) -> Iterator[Num]:
    """The numbers that a statement gives, those of its expressions left out."""
    for link in statement.links:
        if pure(link.node):
            yield from (number for row in number_rows(link.node) for number in row)

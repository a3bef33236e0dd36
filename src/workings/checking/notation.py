"""What a document's mathematics says: expressions over numbers, names and matrices, in chains of equalities.

Only data; ``checking/grammar`` makes it from text.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from operator import eq
from typing import NamedTuple

from workings.terms.records import keeping, record


class Span(NamedTuple):
    """Offsets in a source text, end exclusive."""

    start: int
    stop: int
    cell: int | None = None


class Num(NamedTuple):
    """A printed number.

    Attributes:
        text: exactly as printed, without signs of approximation, e.g. ``0.40``, ``40.3%``, ``3.0 \\times 10^{-5}``.
        value: the rational it stands for (a percent is divided by 100).
        half: half a unit of its last printed place; 0 for an integer or a fraction.
        ellipsis: whether ``…`` follows the digits (a value cut on purpose).
        infinite: -1 or 1 for −∞ and ∞, else 0.
    """

    text: str
    value: Fraction
    half: Fraction
    span: Span
    ellipsis: bool = False
    infinite: int = 0


@record
class Sym:
    """A name, in canonical letters: ``Q``, ``W_Q``, ``K``, ``S``, ``d_k``; or words (``Attention weights``).

    ``index`` holds subscripts (and head superscripts as ``("^1",)``) as written: tokens, numbers, letters.
    """

    name: str
    index: tuple[str, ...]
    span: Span


@keeping
class Mat:
    """A matrix, vector or list of expressions. ``flat`` says that it was written as one list: a vector."""

    rows: tuple[tuple[Node, ...], ...]
    span: Span
    flat: bool = False
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> list[list[Num]] | None:
        """Its numbers, row by row; None where it holds anything else, or nothing."""
        rows = [[number for cell in row if (number := number_of(cell)) is not None] for row in self.rows]
        return rows if rows and all(map(eq, map(len, rows), map(len, self.rows))) else None


@record
class Op:
    """``left op right`` with op one of + - * / ^ (``*`` is any product: dot, matrix or of numbers)."""

    op: str
    left: Node
    right: Node
    span: Span


@record
class Neg:
    arg: Node
    span: Span


@record
class Call:
    """A function: exp, ln, sqrt, softmax, sin, cos, tanh, relu, sigmoid, max, sum, concat, transpose."""

    name: str
    args: tuple[Node, ...]
    span: Span


Node = Num | Sym | Mat | Op | Neg | Call


def nodes(node: Node) -> Iterator[Node]:
    """A node and everything under it, in the order in which they are written."""
    ahead = [node]
    while ahead:
        current = ahead.pop()
        yield current
        if isinstance(current, Op):
            ahead += (current.right, current.left)
        elif isinstance(current, Neg):
            ahead.append(current.arg)
        elif isinstance(current, Call):
            ahead += reversed(current.args)
        elif isinstance(current, Mat):
            ahead += [cell for row in reversed(current.rows) for cell in reversed(row)]


def number_of(node: Node) -> Num | None:
    """The number that a node is; a negated one becomes its own."""
    if isinstance(node, Neg) and isinstance(node.arg, Num):
        inner = node.arg
        return Num(f"-{inner.text}", -inner.value, inner.half, inner.span, inner.ellipsis, -inner.infinite)
    return node if isinstance(node, Num) else None


class Link(NamedTuple):
    """One member of a chain: the relation before it (empty for the first) and what it says."""

    relation: str
    node: Node


@record
class Statement:
    """``a = b ≈ c``, or a single expression or matrix that stands for itself.

    Attributes:
        label: the words right before it (``Attention weights``, ``「它」那一行``), freed from markup.
        heading: the nearest heading above.
        links: at least one.
        kind: of the piece it was found in (``maths``, ``prose``, ``code``, ``table``).
        claimed: False between marks that say so.
        bind: the address that a mark binds it to, or empty.
        above: the headings over ``heading``, the nearest first.
        row: what its line calls the row that it gives, under a heading that names an array; else empty.
    """

    label: str
    heading: str
    links: tuple[Link, ...]
    span: Span
    kind: str
    claimed: bool = True
    bind: str = ""
    above: tuple[str, ...] = ()
    row: str = ""


@record
class Unread:
    """A stretch with numbers that was not understood, and why (a message key)."""

    text: str
    why: str
    span: Span

"""HTML in parts, one for each heading, with the address of every number: for a page that does something with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from workings.explaining.tree import Block, Document, Heading, Matrix
from workings.render.html import Blocks
from workings.render.inert import inert
from workings.render.words import Words


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with what stands below it; the first part of a document may have none (level 0).

    Attributes:
        address: the array that it is about; empty where it is about none.
        title, body: markup.
    """

    level: int
    address: str
    title: str
    body: str


def draw_parts(document: Document, words: Words, written: Callable[[str], str]) -> list[Part]:
    """The parts of a document in reading order.

    Args:
        written: what an example's author wrote at an address; empty where nothing can be written.
    """
    blocks = Blocks(words, cell=lambda matrix, row, column: _cell(matrix, row, column, written))
    return [
        Part(
            head.level if head else 0,
            head.address if head else "",
            blocks.inline(head.text) if head else "",
            blocks.blocks(rest),
        )
        for head, rest in _split(document.blocks)
    ]


def _split(blocks: Sequence[Block]) -> Iterator[tuple[Heading | None, list[Block]]]:
    head: Heading | None = None
    rest: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading):
            if head is not None or rest:
                yield head, rest
            head, rest = block, []
        else:
            rest.append(block)
    yield head, rest


def address_of(matrix: Matrix, row: int, column: int) -> str:
    """The address of a number of a matrix."""
    index = [str(row), str(column)] if matrix.columns else [str(row)] if matrix.corner[0] else []
    return f"{matrix.address}[{','.join(index)}]" if index else matrix.address


def _cell(matrix: Matrix, row: int, column: int, written: Callable[[str], str]) -> str:
    if matrix.formula is not None:  # numbers in the shape of the array, but not its own
        return ""
    address = address_of(matrix, row, column)
    text = written(address)
    own = f' data-written="{escape(inert(text))}"' if text else ""
    return f' data-cell="{escape(inert(address))}"{own}'

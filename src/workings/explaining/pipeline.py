"""The way of one token through a model: of every array on it some numbers, and the arithmetic of the first of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workings.explaining.numbers import Numbers
from workings.explaining.steps import does
from workings.explaining.symbols import general_formula
from workings.explaining.tree import Block, Code, Inline, Named, Number, Paragraph, Table, Text, Token
from workings.steps.inputs import GIVEN
from workings.steps.step import Array, Op
from workings.terms.address import Address

SHOWN = 8  # numbers of each array
ROWS = ("token", "query")


@dataclass(frozen=True)
class Stage:
    """One array on the way, or one number of it for each of some places.

    Attributes:
        title: what the step is called.
        cells: the numbers that are shown.
        blocks: what it does, its formula, these numbers, and the arithmetic of the first.
    """

    title: Inline
    cells: tuple[Address, ...]
    blocks: tuple[Block, ...]


def stages(
    numbers: Numbers,
    token: int,
    chosen: Mapping[str, Sequence[int]],
    named: Mapping[str, Mapping[int, str]],
    head: tuple[int | None, int | None] = (None, None),
) -> Iterator[Stage]:
    """The steps of a trace that make something of a token, in order.

    Args:
        chosen: by axis the places that are shown, such as the keys that are looked at most; elsewhere the first few.
        named: by axis the words of places that the trace has none for.
        head: the head that is followed, and the group whose keys and values it reads.
    """
    for op in numbers.trace.ops():
        ours = op.name.head in (None, head[0]) and op.name.group in (None, head[1])
        if ours and op.axes[:1] and op.axes[0] in ROWS and token < op.shape[0] and len(op.axes) <= 2:
            yield _stage(numbers, op, token, chosen, named)


def _stage(
    numbers: Numbers, op: Op, token: int, chosen: Mapping[str, Sequence[int]], named: Mapping[str, Mapping[int, str]]
) -> Stage:
    places: Sequence[int] = ()
    if len(op.axes) == 2:
        places = chosen.get(op.axes[1], range(min(SHOWN, op.shape[1])))
    cells = tuple(Address(op.name, (token, place)) for place in places) or (Address(op.name, (token,)),)
    title = Text("map.stage", {"title": Named(op.step.title), "address": Code(str(op.name))})
    blocks: list[Block] = [Paragraph((does(numbers, op.step),)), *general_formula(numbers.trace.recipe, op)]
    blocks.append(_table(numbers, op.axes[-1], cells, named))
    left = op.shape[1] - len(cells) if places else 0
    if left:
        blocks.append(Paragraph((Text("map.stage.more", {"n": left}),)))
    line = numbers.line(cells[0], whole=False)
    return Stage(title, cells, (*blocks, *([] if line is None else [line])))


def entering(numbers: Numbers, array: Array, token: int) -> Stage:
    """What stands at the beginning of a trace: the token's numbers of an array that no step of it makes."""
    cells = tuple(Address(array.name, (token, place)) for place in range(min(SHOWN, array.shape[1])))
    title = Text("map.stage", {"title": Named(GIVEN[array.name.name].title), "address": Code(str(array.name))})
    left = array.shape[1] - len(cells)
    said = [Paragraph((Text("map.stage.more", {"n": left}),))] if left else []
    return Stage(title, cells, (_table(numbers, array.axes[-1], cells, {}), *said))


def _table(numbers: Numbers, axis: str, cells: Sequence[Address], named: Mapping[str, Mapping[int, str]]) -> Table:
    header = (Text("map.stage.address"), Text("map.stage.place"), Text("map.stage.value"))
    rows: list[tuple[Inline, ...]] = [
        (Code(str(cell)), _place(numbers, axis, cell, named), Number(numbers.shown(cell).text)) for cell in cells
    ]
    return Table(header, tuple(rows))


def _place(numbers: Numbers, axis: str, cell: Address, named: Mapping[str, Mapping[int, str]]) -> Inline:
    """The word or the dimension along the last axis."""
    place = cell.index[-1]
    known = named.get(axis, {}).get(place)
    words = numbers.trace.words(axis)
    return Token(known) if known is not None else Token(words[place]) if words else Code(f"{axis}={place}")

"""A worked example as an exercise: what is given and the formulas, with blanks, and the key on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workings.exercises.blanks import Blanks
from workings.exercises.mark import KEY
from workings.explaining.focus import Focus
from workings.explaining.matrices import matrix_of
from workings.explaining.numbers import Numbers
from workings.explaining.opening import opening
from workings.explaining.options import Options
from workings.explaining.steps import StepWriter
from workings.explaining.tree import (
    Blank,
    Block,
    Cell,
    Code,
    Document,
    Equation,
    Heading,
    Hidden,
    Inline,
    Items,
    Matrix,
    Named,
    Number,
    PageBreak,
    Paragraph,
    Text,
)
from workings.explaining.walk import part
from workings.steps.step import Op
from workings.terms.address import Address
from workings.terms.digits import AUTO_PLACES, AUTO_SIGNIFICANT, Precision

FEW_LINES = 1  # lines worked out on the sheet for each step with blanks: how it is done


def worksheet(blanks: Blanks, precision: Precision, marks: Sequence[str], *, key: bool) -> Document:
    """The sheet; with ``key`` also the answers, each with its working.

    Args:
        marks: what the sheet says of itself to programs.
    """
    numbers = Numbers(blanks.trace, precision)
    title = Text("worksheet.title", {"title": Named(blanks.trace.source.title)})
    blocks: list[Block] = [
        Heading(1, title),
        *(Hidden(f"workings: {mark}") for mark in marks),
        Paragraph((Text("worksheet.name"),)),
        Paragraph(tuple(_task(blanks, numbers))),
        *_sheet(blanks, numbers),
    ]
    if key:
        blocks += [Hidden(f"workings: {KEY}"), PageBreak(), *_key(blanks, numbers)]
    return Document(title, tuple(blocks))


def answers(blanks: Blanks, precision: Precision) -> dict[str, str]:
    """The answer of every blank as it would be printed, by address."""
    numbers = Numbers(blanks.trace, precision)
    return {str(address): numbers.shown(address).text for address in blanks.numbers}


def _task(blanks: Blanks, numbers: Numbers) -> list[Inline]:
    """What is to be done, and how the answers are to be written."""
    count = len(blanks.numbers)
    task = Text("worksheet.task", {"n": count}) if count > 1 else Text("worksheet.task.one")
    return [task, *digits(blanks, numbers), Text("worksheet.forms")]


def digits(blanks: Blanks, numbers: Numbers) -> list[Inline]:
    """With how many digits the answers are to be given."""
    rounded = [shown for shown in map(numbers.shown, blanks.numbers) if not shown.is_exact]
    if not rounded:
        return [Text("worksheet.exact")]
    places = AUTO_PLACES if numbers.precision.places is None else numbers.precision.places
    said: list[Inline] = []
    if any(shown.places == places for shown in rounded):
        said.append(Text("worksheet.decimals", {"places": places}) if places else Text("worksheet.whole"))
    if any(shown.places != places for shown in rounded):
        said.append(Text("worksheet.significant", {"digits": AUTO_SIGNIFICANT}))
    return said


def _sheet(blanks: Blanks, numbers: Numbers) -> list[Block]:
    """What is given, then every step up to the last with a blank."""
    trace = blanks.trace
    silent = replace(trace.source, comments=())  # an author may have said what comes out
    told = Numbers(type(trace)(trace.recipe, trace.engine, silent), numbers.precision)
    writer = StepWriter(trace, numbers, Focus(trace, Options()), None)
    blocks: list[Block] = opening(told.trace, told)
    place: tuple[int | None, int | None, int | None] = (None, None, None)
    for number, op in enumerate(blanks.ops(), start=1):
        here = (op.name.layer, op.name.head, op.name.group)
        if here != place:
            blocks.extend(part(numbers, op, place))
            place = here
        blocks += writer.opening(op, number)
        blocks += [_matrix(blanks, numbers, op), *_lines(blanks, numbers, op)]
    return blocks


def _matrix(blanks: Blanks, numbers: Numbers, op: Op) -> Matrix:
    def cell(address: Address) -> Cell:
        number = blanks.at(address)
        return numbers.shown(address).text if number is None else Blank(number, address not in blanks.numbers)

    whole = matrix_of(numbers, op.name, cell)
    return replace(whole, row_notes=(), column_notes=())  # what an author notes of results may give them away


def _lines(blanks: Blanks, numbers: Numbers, op: Op) -> list[Equation]:
    """A cell worked out to show how, where the step has blanks and a cell that none of them is needed for."""
    cells = list(blanks.trace.cells(op.name))
    if not any(address in blanks.numbers for address in cells):
        return []
    lines: list[Equation] = []
    for address in cells:
        needed = (address, *blanks.trace.inputs(address))
        if len(lines) < FEW_LINES and all(blanks.at(each) is None for each in needed):
            line = numbers.line(address, whole=False)
            lines += [line] if line is not None else []
    return lines


def _key(blanks: Blanks, numbers: Numbers) -> list[Block]:
    """Every answer with its working."""
    title = Text("worksheet.key", {"title": Named(blanks.trace.source.title)})
    blocks: list[Block] = [Heading(2, title)]
    for address, number in blanks.numbers.items():
        label = numbers.label(address)
        where = (
            Text("worksheet.cell", {"address": Code(str(address)), "label": Items(label)})
            if label
            else Code(str(address))
        )
        answer = Number(numbers.shown(address).text)
        blocks.append(Paragraph((Text("worksheet.answer", {"n": number, "cell": where, "answer": answer}),)))
        line = numbers.line(address)
        if line is not None:
            blocks.append(replace(line, label=()))
    return blocks

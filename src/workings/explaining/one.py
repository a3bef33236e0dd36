"""One number: its arithmetic, what it is made from and what is made from it."""

from __future__ import annotations

from workings.explaining.numbers import Numbers
from workings.explaining.steps import does
from workings.explaining.symbols import general_formula
from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Items,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
)
from workings.steps.inputs import INPUTS
from workings.terms.address import Address
from workings.terms.digits import Precision, json_digits
from workings.traces.trace import Trace

MOST_LISTED = 16


def explain_cell(trace: Trace, address: Address, precision: Precision) -> Document:
    """One number explained."""
    numbers = Numbers(trace, precision)
    op = trace.recipe.op(address.array)
    value = Number(json_digits(trace.value(address)).replace("-inf", "−∞").replace("-", "−"))
    title = Named(op.step.title if op is not None else INPUTS[address.array.name].title)
    where = Items(numbers.label(address)) if address.index else Text("cell.scalar")
    blocks: list[Block] = [
        Paragraph((Text("cell.is", {"address": Code(str(address)), "title": title, "where": where, "value": value}),))
    ]
    if op is None:
        blocks.append(Paragraph((Text("cell.given"),)))
    else:
        blocks.append(Paragraph((does(numbers, op.step),)))
        blocks.extend(general_formula(trace.recipe, op))
        line = numbers.line(address)
        if line is not None:
            blocks.append(line)
        blocks.extend(_inputs(trace, numbers, address))
    readers = trace.used_by(address)
    if readers:
        shown = tuple(Code(str(reader)) for reader in readers[:MOST_LISTED])
        rest = len(readers) - len(shown)
        args: dict[str, Inline] = {"readers": Items(shown), "rest": rest}
        blocks.append(Paragraph((Text("cell.used_by_more" if rest else "cell.used_by", args),)))
    return Document(Code(str(address)), tuple(blocks))


def _inputs(trace: Trace, numbers: Numbers, address: Address) -> list[Block]:
    inputs = trace.inputs(address)
    if not inputs:
        return []
    rows: list[tuple[Inline, ...]] = [
        (Code(str(source)), Items(numbers.label(source)), Number(numbers.shown(source).text)) for source in inputs
    ]
    return [
        Heading(3, Text("cell.made_from")),
        Table((Text("cell.address"), Text("cell.where"), Text("cell.value")), tuple(rows)),
    ]

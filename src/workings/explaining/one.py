"""One number: its arithmetic, what it is made from and what is made from it."""

from __future__ import annotations

from workings.explaining.numbers import Numbers, size_of
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
from workings.steps.language import Add, Cell, Expr, Larger, Mul, walk
from workings.terms.address import Address
from workings.terms.digits import Precision, json_digits
from workings.traces.trace import Trace

MOST_LISTED = 16
LONG_TERMS = 16  # a sum of more products is shown as a table of them
MOST_ROWS = 128  # longer tables show the largest terms and what the others add up to


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
        formula = trace.expansion.cell(address)
        long = formula is not None and _longest(formula) > LONG_TERMS
        line = numbers.line(address, whole=not long)
        if line is not None:
            blocks.append(line)
        products = _products(formula)
        blocks.extend(_terms(trace, numbers, products) if products else _inputs(trace, numbers, address))
    readers = trace.used_by(address)
    if readers:
        shown = tuple(Code(str(reader)) for reader in readers[:MOST_LISTED])
        rest = len(readers) - len(shown)
        args: dict[str, Inline] = {"readers": Items(shown), "rest": rest}
        blocks.append(Paragraph((Text("cell.used_by_more" if rest else "cell.used_by", args),)))
    return Document(Code(str(address)), tuple(blocks))


def _longest(formula: Expr) -> int:
    """How many terms the longest sum or maximum of a formula has."""
    return max((len(node.terms) for node in walk(formula) if isinstance(node, (Add, Larger))), default=0)


def _products(formula: Expr | None) -> list[tuple[Address, Address]]:
    """The factors of a long sum of products of two cells; nothing for any other formula."""
    if not isinstance(formula, Add) or len(formula.terms) <= LONG_TERMS:
        return []
    out: list[tuple[Address, Address]] = []
    for term in formula.terms:
        if not (isinstance(term, Mul) and isinstance(term.left, Cell) and isinstance(term.right, Cell)):
            return []
        out.append((term.left.address, term.right.address))
    return out


def _terms(trace: Trace, numbers: Numbers, products: list[tuple[Address, Address]]) -> list[Block]:
    """A long sum of products, one row for each; of a very long one the largest, and the others as one number."""
    made = [trace.engine.evaluate(Mul(Cell(left), Cell(right))) for left, right in products]
    order = sorted(range(len(made)), key=lambda place: size_of(made[place]), reverse=True)
    kept = sorted(order[:MOST_ROWS])
    rows: list[tuple[Inline, ...]] = []
    for place in kept:
        left, right = products[place]
        factors = (numbers.shown(left).text, numbers.shown(right).text, numbers.of(made[place]).text)
        rows.append((Code(str(left)), Number(factors[0]), Code(str(right)), Number(factors[1]), Number(factors[2])))
    head = ("cell.address", "cell.value", "cell.address", "cell.value", "cell.product")
    out: list[Block] = [Heading(3, Text("cell.made_from")), Table(tuple(map(Text, head)), tuple(rows))]
    others = order[MOST_ROWS:]
    if others:
        rest = Add(*(Mul(Cell(products[place][0]), Cell(products[place][1])) for place in sorted(others)))
        said: dict[str, Inline] = {"n": len(others), "value": Number(numbers.of(trace.engine.evaluate(rest)).text)}
        out.append(Paragraph((Text("cell.others", said),)))
    return out


def _inputs(trace: Trace, numbers: Numbers, address: Address) -> list[Block]:
    inputs = trace.inputs(address)
    if not inputs:
        return []
    left_out = max(0, len(inputs) - MOST_ROWS)
    if left_out:
        order = sorted(range(len(inputs)), key=lambda place: size_of(trace.value(inputs[place])), reverse=True)
        inputs = [inputs[place] for place in sorted(order[:MOST_ROWS])]
    rows: list[tuple[Inline, ...]] = [
        (Code(str(source)), Items(numbers.label(source)), Number(numbers.shown(source).text)) for source in inputs
    ]
    return [
        Heading(3, Text("cell.made_from")),
        Table((Text("cell.address"), Text("cell.where"), Text("cell.value")), tuple(rows)),
        *([Paragraph((Text("cell.left_out", {"n": left_out}),))] if left_out else []),
    ]

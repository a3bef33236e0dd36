"""One number: its arithmetic, what it is made from and what is made from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

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
from workings.steps.inputs import GIVEN
from workings.steps.language import Add, Cell, Expr, Larger, Mul, walk
from workings.steps.step import Op
from workings.terms.address import Address
from workings.terms.digits import SUPERSCRIPTS, Precision, json_digits, show
from workings.terms.numbers import Value
from workings.traces.trace import Trace

MOST_LISTED = 16
RECORDED = ("X", "Q", "K", "V")  # what a recording holds of a model
LONG_TERMS = 16  # a sum of more products is shown as a table of them
MOST_ROWS = 128  # longer tables show the largest terms and what the others add up to


@dataclass(frozen=True)
class Run:
    """What is told of a number of a model that ran.

    Attributes:
        dtype: the type that it ran in.
        made: of a number that the model itself computed and that was recorded, the trace in which it is worked again.
        own: what the same steps give in the model's own type, where that is another one.
    """

    dtype: str
    made: Trace | None = None
    own: str | None = None


def explain_cell(
    trace: Trace, address: Address, precision: Precision, run: Run | None = None, truth: Trace | None = None
) -> Document:
    """One number explained.

    Args:
        run: of a model that ran, what is told besides.
        truth: as ``Numbers`` has it.
    """
    told = trace if run is None or run.made is None else run.made
    numbers = Numbers(told, precision, truth)
    op = told.recipe.op(address.array)
    value, ends = headline(trace.value(address), precision)
    title = Named(op.step.title if op is not None else GIVEN[address.array.name].title)
    key = "cell.is" if ends else "cell.is_about"
    where = Items(numbers.label(address)) if address.index else Text("cell.scalar")
    blocks: list[Block] = [
        Paragraph((Text(key, {"address": Code(str(address)), "title": title, "where": where, "value": value}),))
    ]
    if run is not None:
        blocks.extend(told_of_run(trace, address, run))
    elif op is None:
        blocks.append(Paragraph((Text("cell.given"),)))
    if op is not None:
        blocks.extend(about(numbers, op))
        formula = told.expansion.cell(address)
        long = formula is not None and _longest(formula) > LONG_TERMS
        line = numbers.line(address, whole=not long)
        if line is not None:
            blocks.append(line)
        pairs, bias = products(formula) if long else ([], None)
        blocks.extend(_terms(told, numbers, pairs, bias) if pairs else _inputs(told, numbers, address))
    readers = trace.used_by(address)
    if readers:
        shown = tuple(Code(str(reader)) for reader in readers[:MOST_LISTED])
        rest = len(readers) - len(shown)
        args: dict[str, Inline] = {"readers": Items(shown), "rest": rest}
        blocks.append(Paragraph((Text("cell.used_by_more" if rest else "cell.used_by", args),)))
    return Document(Code(str(address)), tuple(blocks))


def about(numbers: Numbers, op: Op) -> list[Block]:
    """What a step does, and its formula for any cell."""
    return [Paragraph((does(numbers, op.step),)), *general_formula(numbers.trace.recipe, op)]


def _longest(formula: Expr) -> int:
    """How many terms the longest sum or maximum of a formula has."""
    return max((len(node.terms) for node in walk(formula) if isinstance(node, (Add, Larger))), default=0)


def told_of_run(trace: Trace, address: Address, run: Run) -> list[Block]:
    """Whether the model itself computed a number, or it was worked here, and how far these are apart."""
    value, dtype = trace.value(address), Code(run.dtype)
    if value.infinite:
        return []
    if value.exact is None:
        low, high = value.bounds(64)
        out: list[Inline] = [Text("models.cell.bound", {"bound": size_shown((high - low) / 2)})]
        if run.own is not None:
            out.append(Text("models.cell.own", {"dtype": dtype, "value": Number(run.own.replace("-", "−"))}))
        return [Paragraph(tuple(out))]
    if run.made is None:
        if address.array.name in RECORDED:
            return [Paragraph((Text("models.cell.recorded", {"dtype": dtype}),))]
        return [] if trace.recipe.op(address.array) is not None else [Paragraph((Text("models.cell.given"),))]
    worked = run.made.value(address)
    said: list[Inline] = [Text("models.cell.recorded", {"dtype": dtype})]
    if not worked.infinite:
        low, high = worked.bounds(64)
        off = size_shown(abs((low + high) / 2 - value.exact))
        said.append(Text("models.cell.worked", {"value": printed(worked), "off": off}))
    return [Paragraph(tuple(said))]


def size_shown(size: Fraction) -> Number:
    """How large a difference is, to two digits."""
    if not size:
        return Number("0")
    digits, _, power = f"{float(size):.1e}".partition("e")
    return Number(f"{digits}×10{str(int(power)).translate(SUPERSCRIPTS)}")


def is_whole(value: Value) -> bool:
    """Whether the printed digits are all there are."""
    return bool(value.infinite) or (value.exact is not None and Fraction(json_digits(value)) == value.exact)


def headline(value: Value, precision: Precision) -> tuple[Number, bool]:
    """A number as its page begins with it, and whether these digits are all there are.

    With as many decimals as are asked for, or as its bounds settle; with all its sure digits where nobody asks.
    """
    if precision.places is None:
        return printed(value), is_whole(value)
    shown = show(value, precision)
    return Number(shown.text), shown.is_exact


def printed(value: Value) -> Number:
    """A number with all its sure digits, twelve at most."""
    return Number(json_digits(value).replace("-inf", "−∞").replace("-", "−"))


def products(formula: Expr | None) -> tuple[list[tuple[Address, Address]], Address | None]:
    """The factors of a sum of products of two cells, and the bias behind it; nothing for any other formula."""
    bias: Address | None = None
    if isinstance(formula, Add) and len(formula.terms) == 2 and isinstance(formula.terms[0], Add):
        formula, last = formula.terms
        if not isinstance(last, Cell):
            return [], None
        bias = last.address
    if not isinstance(formula, Add):
        return [], None
    out: list[tuple[Address, Address]] = []
    for term in formula.terms:
        if not (isinstance(term, Mul) and isinstance(term.left, Cell) and isinstance(term.right, Cell)):
            return [], None
        out.append((term.left.address, term.right.address))
    return out, bias


def _terms(trace: Trace, numbers: Numbers, pairs: list[tuple[Address, Address]], bias: Address | None) -> list[Block]:
    """A long sum of products, one row for each; of a very long one the largest, and the others as one number."""
    made = [trace.engine.evaluate(Mul(Cell(left), Cell(right))) for left, right in pairs]
    order = sorted(range(len(made)), key=lambda place: size_of(made[place]), reverse=True)
    kept = sorted(order[:MOST_ROWS])
    rows: list[tuple[Inline, ...]] = []
    for place in kept:
        left, right = pairs[place]
        factors = (numbers.shown(left).text, numbers.shown(right).text, numbers.of(made[place]).text)
        rows.append((Code(str(left)), Number(factors[0]), Code(str(right)), Number(factors[1]), Number(factors[2])))
    if bias is not None:
        added = Number(numbers.shown(bias).text)
        rows.append((Code(str(bias)), added, Text("cell.bias"), Number("1"), added))
    head = ("cell.address", "cell.value", "cell.address", "cell.value", "cell.product")
    out: list[Block] = [Heading(3, Text("cell.made_from")), Table(tuple(map(Text, head)), tuple(rows))]
    others = order[MOST_ROWS:]
    if others:
        rest = Add(*(Mul(Cell(pairs[place][0]), Cell(pairs[place][1])) for place in sorted(others)))
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

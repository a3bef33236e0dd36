"""An example file that claims results: its printed numbers judged against its own inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from workings.checking.check import trace_of
from workings.checking.claims import Claim, Report
from workings.checking.judging import Judge, Print
from workings.checking.notation import Num, Span
from workings.checking.paper import Paper
from workings.checking.reasons import with_causes
from workings.examples.example import Example
from workings.steps.language import Const, Infinity
from workings.steps.literal import read_literal
from workings.terms.address import Address, parse_address
from workings.terms.errors import BadNumber

INFINITE = tuple(sign + name for sign in ("", "+") for name in ("inf", "infinity", "∞"))  # no input, but printed


def check_example(example: Example, text: str, *, lenient: bool = False) -> Report:
    """Every number of ``[claims]`` judged; the places are those of the strings in the file.

    Raises ``BadNumber`` for a claim that is no number, ``NotFinite`` for NaN.
    """
    paper = Paper(example.path, "example", (text,), ())
    trace = trace_of(example)
    judge = Judge(trace.expansion.cell, trace.value, lenient)
    claims = []
    for name, index, printed, offset in _printed(example, text):
        address = Address(trace.recipe.find(parse_address(name)[0]), index)
        number = _number(printed, Span(offset, offset + len(printed)))
        judgement = judge.judge(address, Print(number.value, number.half, number.infinite))
        claims.append(Claim(number, paper.place(None, offset), address, "", judgement.verdict, judgement))
    claims = with_causes(claims, trace)
    return Report(paper, trace, claims, (), (), "", (), Counter(claim.verdict for claim in claims))


def _printed(example: Example, text: str) -> Iterator[tuple[str, tuple[int, ...], str, int]]:
    """The claimed numbers in the order of the file, each with its offset."""
    table = max(text.find("[claims]"), text.find('"claims"'), 0)
    for name, rows in example.claims.items():
        start = max(text.find(name, table), table)
        for index, printed in _cells(rows):
            if printed:
                found = text.find(printed, start)
                start = start if found < 0 else found
                yield name, index, printed, start
                start += len(printed)


def _cells(rows: Any, index: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str]]:
    if isinstance(rows, str):
        yield index, rows
        return
    for place, row in enumerate(rows):
        yield from _cells(row, (*index, place))


def _number(printed: str, span: Span) -> Num:
    """A claimed string as a printed number."""
    bare, percent, _ = printed.partition("%")
    if bare.strip().lower() in INFINITE:
        return Num(printed, Fraction(0), Fraction(0), span, infinite=1)
    literal = read_literal(bare)
    if isinstance(literal.value, Infinity):
        return Num(printed, Fraction(0), Fraction(0), span, infinite=literal.value.sign)
    if not isinstance(literal.value, Const):
        raise BadNumber(seen=printed)
    decimals, _, power = literal.text.lower().partition("e")
    places = len(decimals.partition(".")[2]) - int(power or 0)
    half = Fraction(1, 2) / Fraction(10) ** places if (places > 0 or percent) and "/" not in decimals else Fraction(0)
    scale = 100 if percent else 1
    return Num(printed, Fraction(literal.value.value) / scale, half / scale, span)

"""Finds what was written into the blanks of a sheet, and reads it as a number."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from workings.checking.grammar.cursor import Unparsed
from workings.checking.grammar.expression import Parser
from workings.checking.grammar.tokens import tokens
from workings.checking.grids import NotAGrid, Reader
from workings.checking.notation import Num, Span
from workings.checking.paper import Paper, Run
from workings.terms.errors import WorkingsError
from workings.terms.numbers import Value
from workings.traces.trace import Engine

PLACES = 12  # decimals to which a root, or another form that no fraction equals, is taken
BITS = 128
LONGEST = 200  # characters of an answer
_LABEL = re.compile(r"(?<![^\s|_])[(（][ \t]*([0-9０-９]{1,9})[ \t]*[)）]")
_CELL_END = re.compile(rf"\||{_LABEL.pattern}")
_GAP = re.compile(rf"[ \t]{{2}}|{_LABEL.pattern}")
_APART = re.compile(r"[ \t]|(?:[-*+>]|\d+\.)?[ \t]*$")  # an indented line, or the beginning of one
_CODE = re.compile(r"(`+)(?!`)(?:[^`\n]|(?!\1(?!`))`)*?\1(?!`)|^[ \t]*```.*?^[ \t]*```", re.MULTILINE | re.DOTALL)
_BOX = re.compile(r'data-blank="([0-9]{1,9})"[^>]*>(.*?)</(?:span|td|div)>', re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_MACRO = re.compile(r"\\workingsblank\s*\{([0-9]{1,9})\}\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_AROUND = " \t\r\n_\u00a0$＿*`"  # what a blank is made of, and marks of emphasis and code
_STOP = re.compile(r"(?<=[0-9０-９%％)}\]])[.。．]$")  # a full stop behind an answer; never one of an ellipsis


class Written(NamedTuple):
    """What stands in a blank: its number, the text and where in the source it stands."""

    number: int
    text: str
    span: Span


def written(paper: Paper, end: int) -> Iterator[Written]:
    """What was written into blanks before an offset; nothing for those that are empty."""
    find = {"html": _in_boxes, "latex": _in_macros}.get(paper.kind, _after_labels)
    for found in find(paper.sources[0][:end]):
        if found.text:
            yield found


def _after_labels(source: str) -> Iterator[Written]:
    """``(3) 0.42``, to the end of the table's cell, the line, or a gap of two spaces."""
    plain = _CODE.sub(lambda found: re.sub(r"[^\n]", "x", found[0]), source)
    for found in _LABEL.finditer(plain):
        start = found.end()
        line = plain[start : start + LONGEST].partition("\n")[0]
        before = plain[plain.rfind("\n", 0, start) + 1 : found.start()]
        inside = "|" in before
        if not (inside or _APART.match(before)):
            continue  # a number in brackets in running text
        stop = (_CELL_END if inside else _GAP).search(line)
        yield _stripped(int(found[1]), source, start, start + (stop.start() if stop else len(line)))


def _in_boxes(source: str) -> Iterator[Written]:
    for found in _BOX.finditer(source):
        text = _bare(html.unescape(_TAG.sub(" ", found[2])))
        inner = found[2].strip(_AROUND)
        start = found.start(2) + found[2].find(inner)
        yield Written(int(found[1]), text, Span(start, start + len(inner)))


def _in_macros(source: str) -> Iterator[Written]:
    for found in _MACRO.finditer(source):
        yield _stripped(int(found[1]), source, found.start(2), found.end(2))


def _stripped(number: int, source: str, start: int, stop: int) -> Written:
    text = source[start:stop]
    start += len(text) - len(text.lstrip(_AROUND))
    text = _bare(text)
    return Written(number, text, Span(start, start + len(text)))


def _bare(text: str) -> str:
    """An answer without what stands around it."""
    return _STOP.sub("", text.strip(_AROUND)).strip(_AROUND)


# --- as a number ----------------------------------------------------------------------------------------------------


def as_number(answer: Written, engine: Engine) -> Num | None:
    """The number that was written, its text as it stands; None for what is no number.

    The last member of a chain counts: ``0.5 + 0.3 = 0.8``. A root or a power stands for its value to twelve decimals.
    """
    run = Run(answer.text, range(len(answer.text) + 1))
    items = [token for token in tokens(run, True) if token.kind not in ("nl", "mopen", "mclose")]
    starts = [place + 1 for place, token in enumerate(items) if token.kind == "rel"]
    parser = Parser(run, items)
    try:
        node = parser.within(starts[-1] if starts else 0, len(items), parser.expression)
        if isinstance(node, Num):
            return _moved(node, answer)
        expression = Reader(lambda _: None, lambda found: found).grid(node).scalar
        return None if expression is None else _worked(engine.evaluate(expression), answer)
    except (Unparsed, NotAGrid, WorkingsError, RecursionError):
        return None


def _moved(number: Num, answer: Written) -> Num:
    """A number of an answer, at its place in the document where the answer stands there as it is."""
    start, stop = answer.span.start + number.span.start, answer.span.start + number.span.stop
    inside = stop <= answer.span.stop
    return number._replace(span=Span(start, stop) if inside else answer.span)


def _worked(value: Value, answer: Written) -> Num:
    if value.infinite:
        return Num(answer.text, Fraction(0), Fraction(0), answer.span, infinite=value.infinite)
    if value.exact is not None:
        return Num(answer.text, value.exact, Fraction(0), answer.span)
    low, high = value.bounds(BITS)
    return Num(answer.text, (low + high) / 2, Fraction(1, 2 * 10**PLACES), answer.span)

"""Sums written one number under another: rows of numbers, a plus sign, a line, and the row of the sums below it."""

from __future__ import annotations

import re
from dataclasses import replace

from workings.checking.grammar.scan import Found
from workings.checking.notation import Link, Mat, Op, Span, Sym, Unread
from workings.checking.paper import Run

_RULE = re.compile(r"[-─—=_]{3,}")
_NAME = re.compile(r"[A-Za-zα-ω](?:_?\w{1,12})?")


def with_sums(run: Run, found: list[Found | Unread]) -> list[Found | Unread]:
    """What was found, a row under a line named as the sum of the rows above it."""
    if not _RULE.search(run.text):
        return found
    return [_sum(run, found, place) or item for place, item in enumerate(found)]


def _sum(run: Run, found: list[Found | Unread], place: int) -> Found | None:
    if place < 2:
        return None
    upper, lower, result = (_row(item) for item in found[place - 2 : place + 1])
    total = found[place]
    if upper is None or lower is None or result is None or not isinstance(total, Found):
        return None
    if not len(upper.rows[0]) == len(lower.rows[0]) == len(result.rows[0]):
        return None
    first, second, third = (_line(run, item) for item in found[place - 2 : place + 1])
    between = [line.strip() for line in run.text[second[1] : third[0]].split("\n") if line.strip()]
    if first[1] > second[0] or len(between) != 1 or not _RULE.fullmatch(between[0]):
        return None
    if not run.text[slice(*second)].strip(" /#*>│|").startswith("+"):
        return None
    links: tuple[Link, ...] = (Link("", Op("+", upper, lower, total.span)), Link("=", result))
    name = run.text[slice(*total.before)].strip(" /#*>│|")
    if _NAME.fullmatch(name):
        links = (Link("", Sym(name, (), _span(run, total))), Link("=", links[0].node), links[1])
    return replace(total, links=links)


def _row(item: Found | Unread) -> Mat | None:
    """The row that was found, if it is nothing but one."""
    if not isinstance(item, Found) or len(item.links) != 1:
        return None
    node = item.links[0].node
    return node if isinstance(node, Mat) and len(node.rows) == 1 else None


def _line(run: Run, item: Found | Unread) -> tuple[int, int]:
    """Where the line begins and ends that something stands on."""
    at = item.at if isinstance(item, Found) else 0
    stop = run.text.find("\n", at)
    return run.text.rfind("\n", 0, at) + 1, len(run.text) if stop < 0 else stop


def _span(run: Run, item: Found) -> Span:
    return Span(run.offsets[item.before[0]], item.span.start, run.cell)

"""Row sums listed in a sentence: ``the row sums are 6.1, 2.2 and 3.0`` says one number for each row, in order."""

from __future__ import annotations

import re
from dataclasses import replace

from workings.checking.grammar.scan import Found
from workings.checking.notation import Link, Mat, Num, Span, Unread
from workings.checking.paper import Run

_MATHS = "\ue000\ue001"  # where a formula within a line begins and ends
_SUMS = re.compile(
    r"(?:\brow[- ](?:sums|totals)|\bsums of (?:the|all|its) rows|\bdenominators|\bnormali[sz]ers"
    r"|[各每]行的?之?和|行和|分母)"
    rf"[\s{_MATHS}]*(?:\bare|\bwere|=|[:：]|分别[是为]|依次[是为]|[是为])?[\s{_MATHS}]*",
    re.IGNORECASE,
)
_JOINT = re.compile(rf"[\s{_MATHS}]*(?:[,，、]\s*(?:and\b|和|与)?|\band\b|和|与)[\s{_MATHS}]*", re.IGNORECASE)
_LONGEST_LEAD = 60  # characters


def with_lists(run: Run, found: list[Found | Unread]) -> list[Found | Unread]:
    """What was found, with numbers that are listed as row sums taken for one vector."""
    if len(found) < 2 or not _SUMS.search(run.text):
        return found
    out: list[Found | Unread] = []
    place = 0
    while place < len(found):
        listed = _listed(run, found, place)
        out.append(_vector(run, listed) if len(listed) > 1 else found[place])
        place += max(len(listed), 1)
    return out


def _listed(run: Run, found: list[Found | Unread], place: int) -> list[tuple[Found, Num]]:
    """The numbers of a list that begins at a place; none where no words before it say that it is one."""
    first = found[place]
    number = _alone(run, first)
    if number is None or not isinstance(first, Found):
        return []
    before = run.text[max(first.before[0], first.at - _LONGEST_LEAD) : first.at]
    if not any(lead.end() == len(before) for lead in _SUMS.finditer(before)):
        return []
    listed = [(first, number)]
    for item in found[place + 1 :]:
        number, (last, last_number) = _alone(run, item), listed[-1]
        if number is None or not isinstance(item, Found):
            break
        if not _JOINT.fullmatch(run.text, last.at + len(last_number.text), item.at):
            break
        listed.append((item, number))
    return listed


def _alone(run: Run, item: Found | Unread) -> Num | None:
    """The number that was found, if it is nothing but one and stands there as it is."""
    if not isinstance(item, Found) or len(item.links) != 1 or item.links[0].relation:
        return None
    node = item.links[0].node
    return node if isinstance(node, Num) and run.text.startswith(node.text, item.at) else None


def _vector(run: Run, listed: list[tuple[Found, Num]]) -> Found:
    first = listed[0][0]
    span = Span(first.span.start, listed[-1][0].span.stop, run.cell)
    row = Mat((tuple(number for _, number in listed),), span, flat=True)
    return replace(first, links=(Link("", row),), span=span, before=(first.before[0], first.at))

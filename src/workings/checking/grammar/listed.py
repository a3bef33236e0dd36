"""Numbers listed in a sentence without brackets: ``row sums are 6.1, 2.2 and 3.0``, ``weights are 0.4, 0.6``."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction

from workings.checking.grammar.around import divided_by, sentence_begin
from workings.checking.grammar.scan import Found
from workings.checking.notation import Link, Mat, Num, Span, Unread
from workings.checking.paper import Run
from workings.checking.vocabulary import array_of_words, names_what_follows

_MATHS = "\ue000\ue001"  # where a formula within a line begins and ends
_SUMS = re.compile(
    r"(?:\brow[- ](?:sums|totals)|\bsums of (?:the|all|its) rows|\bdenominators|\bnormali[sz]ers"
    r"|[各每]行的?之?和|行和|分母)"
    rf"[\s{_MATHS}]*(?:\bare|\bwere|=|[:：]|分别[是为]|依次[是为]|[是为])?[\s{_MATHS}]*",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?:\b(?:are|were|gives?|giving|get|got|obtain|yields?|becomes?|come out as|turn into)"
    rf"|分别[是为]|依次[是为]|[是为]|得到?|[:：])[\s*{_MATHS}]*$",
    re.IGNORECASE,
)
_JOINT = re.compile(rf"[\s{_MATHS}]*(?:[,，、]\s*(?:and\b|和|与)?|\band\b|和|与)[\s{_MATHS}]*", re.IGNORECASE)
_GIVES = re.compile(r"\b(?:gives?|giving|get|got|obtain\w*|yields?|produces?)\b|得到?", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?!(?:respectively|for|as|in|on|to|which|while|with|where|so|from|after|and)\b)[^\W\d]")
_LONGEST_LEAD = 60  # characters


def with_lists(run: Run, found: list[Found | Unread]) -> list[Found | Unread]:
    """What was found, with numbers that are listed behind the name of what they are taken for one vector."""
    if len(found) < 2:
        return found
    sums = _SUMS.search(run.text) is not None
    out: list[Found | Unread] = []
    place = 0
    while place < len(found):
        listed = _listed(run, found, place, sums)
        out.append(_vector(run, listed) if len(listed) > 1 else found[place])
        place += max(len(listed), 1)
    return out


def _listed(run: Run, found: list[Found | Unread], place: int, sums: bool) -> list[tuple[Found, Num]]:
    """The numbers of a list that begins at a place; none where no words before it say that it is one."""
    first = _alone(run, found[place])
    following = found[place + 1] if place + 1 < len(found) else None
    if first is None or following is None or _alone(run, following) is None:
        return []
    told = sums and _are_sums(run, first[0])
    if not told and not _are_named(run, first[0], found[place - 1] if place else None):
        return []
    listed = [first]
    for item in found[place + 1 :]:
        another, (last, last_number) = _alone(run, item), listed[-1]
        if another is None or not _JOINT.fullmatch(run.text, last.at + len(last_number.text), another[0].at):
            break
        listed.append(another)
    last, number = listed[-1]
    return [] if not told and _GOES_ON.match(run.text, last.at + len(number.text)) else listed


def _are_sums(run: Run, first: Found) -> bool:
    """Whether the words before a number say that the sums of the rows follow."""
    before = run.text[max(first.before[0], first.at - _LONGEST_LEAD) : first.at]
    return any(lead.end() == len(before) for lead in _SUMS.finditer(before))


def _are_named(run: Run, first: Found, before: Found | Unread | None) -> bool:
    """Whether the words before a number end with an array's name, or name one and say that its numbers follow."""
    words = run.text[sentence_begin(run, first.before[0], first.at) : first.at]
    told = isinstance(before, Found) and divided_by(run, before, first) is not None
    if _GIVES.search(words) and names_what_follows(words.rstrip(" *" + _MATHS)):
        return True
    return _COPULA.search(words) is not None and (told or array_of_words(words) is not None)


def _alone(run: Run, item: Found | Unread) -> tuple[Found, Num] | None:
    """The number that was found, if it is nothing but one and stands there as it is."""
    if isinstance(item, Unread):
        return _whole(run, item) if item.why == "bare-integer" and item.text.isdecimal() else None
    if len(item.links) != 1 or item.links[0].relation:
        return None
    node = item.links[0].node
    return (item, node) if isinstance(node, Num) and run.text.startswith(node.text, item.at) else None


def _whole(run: Run, item: Unread) -> tuple[Found, Num]:
    """A whole number, which alone may be a count."""
    at = bisect_left(run.offsets, item.span.start)
    number = Num(item.text, Fraction(int(item.text)), Fraction(0), item.span)
    return Found((Link("", number),), item.span, (max(0, run.text.rfind("\n", 0, at) + 1), at), at), number


def _vector(run: Run, listed: list[tuple[Found, Num]]) -> Found:
    first = listed[0][0]
    span = Span(first.span.start, listed[-1][0].span.stop, run.cell)
    row = Mat((tuple(number for _, number in listed),), span, flat=True)
    begin = sentence_begin(run, first.before[0], first.at)
    return replace(first, links=(Link("", row),), span=span, before=(begin, first.at))

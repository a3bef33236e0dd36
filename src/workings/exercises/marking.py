"""Marks a filled-in sheet: every answer judged at its cell, beside the numbers that stand on the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from workings.checking.claims import Claim, Report
from workings.checking.judging import ACCEPTED, Judge, Print
from workings.checking.notation import Num, Span, Unread
from workings.checking.paper import Paper
from workings.checking.reasons import with_causes
from workings.checking.verdicts import Verdict
from workings.exercises.answers import Written, as_number, written
from workings.exercises.blanks import Blanks
from workings.exercises.mark import key_at
from workings.terms.address import Address

Prints = Callable[[Address], Print]
UNIT = Fraction(1, 2)  # half of one, as a number rounded to a whole one may be off
TWICE, NO_NUMBER = "answered-twice", "no-number"


@dataclass(frozen=True)
class Marked(Report):
    """A sheet marked.

    Attributes:
        numbers: the number of every blank, by its address.
        empty: the blanks without an answer.
        coarse: those whose answer is right, but has fewer digits than the sheet asks for.
    """

    numbers: Mapping[Address, int] = field(default_factory=dict)
    empty: tuple[Address, ...] = ()
    coarse: frozenset[Address] = frozenset()

    @property
    def unread_blanks(self) -> tuple[Address, ...]:
        """The blanks whose answer is no number that was understood."""
        read = {claim.address for claim in self.claims}
        return tuple(address for address in self.numbers if address not in read and address not in self.empty)


def mark(paper: Paper, blanks: Blanks, prints: Prints, *, lenient: bool = False) -> Marked:
    """The verdict on every answer.

    Args:
        prints: a cell as it is printed on the sheet; the answers are judged as what follows from these.
        lenient: give every number half a unit of its last place.
    """
    answers, unread = _answers(paper, blanks)
    answers = {address: _as_asked(number, prints(address)) for address, number in answers.items()}
    judge = Judge(blanks.trace.expansion.cell, blanks.trace.value, lenient)
    claims: list[Claim] = []
    for op in blanks.ops():
        for address in blanks.trace.cells(op.name):
            if address in answers:
                claims.append(_judged(paper, judge, address, answers[address]))
            elif blanks.at(address) is None:
                claims.append(_printed(paper, judge, address, prints(address)))
    accepted = {claim.address for claim in claims if claim.verdict in ACCEPTED}
    told = [claim for claim in with_causes(claims, blanks.trace, answers) if claim.address in answers]
    counts = Counter(claim.verdict for claim in told)
    counts[Verdict.UNREAD] = len(unread)
    seen = {item.span for item in unread}
    silent = tuple(
        address
        for address in blanks.numbers
        if address not in answers and not any(span in seen for span in _spans(paper, blanks.numbers[address]))
    )
    coarse = frozenset(
        address for address in answers if address in accepted and _coarse(answers[address], prints(address))
    )
    return Marked(paper, blanks.trace, told, unread, counts=counts, numbers=blanks.numbers, empty=silent, coarse=coarse)


def _as_asked(answer: Num, asked: Print) -> Num:
    """A whole answer is a rounded one where the sheet rounds that number to a whole one."""
    whole = not answer.half and not answer.infinite and answer.value.denominator == 1
    return answer._replace(half=asked.half) if whole and asked.half == UNIT else answer


def _coarse(answer: Num, asked: Print) -> bool:
    """Whether an answer is rounded to fewer digits than the sheet would print."""
    return answer.half > asked.half and answer.value != asked.value


def _spans(paper: Paper, number: int) -> Iterator[Span]:
    return (found.span for found in written(paper, key_at(paper)) if found.number == number)


def _answers(paper: Paper, blanks: Blanks) -> tuple[dict[Address, Num], list[Unread]]:
    """The answers by their cell, and what was written into a blank and is none."""
    addresses = {number: address for address, number in blanks.numbers.items()}
    found: dict[Address, list[tuple[Written, Num | None]]] = {}
    for answer in written(paper, key_at(paper)):
        if answer.number in addresses:
            number = as_number(answer, blanks.trace.engine)
            found.setdefault(addresses[answer.number], []).append((answer, number))
    answers: dict[Address, Num] = {}
    unread: list[Unread] = []
    for address, each in found.items():
        numbers = {(number.value, number.infinite, number.half): number for _, number in each if number is not None}
        if len(numbers) == 1:
            answers[address] = next(iter(numbers.values()))
        else:
            why = TWICE if numbers else NO_NUMBER
            unread += [Unread(answer.text, why, answer.span) for answer, _ in each]
    return answers, unread


def _judged(paper: Paper, judge: Judge, address: Address, number: Num) -> Claim:
    judgement = judge.judge(address, Print(number.value, number.half, number.infinite, number.ellipsis))
    place = paper.place(None, number.span.start)
    return Claim(number, place, address, "", judgement.verdict, judgement)


def _printed(paper: Paper, judge: Judge, address: Address, printed: Print) -> Claim:
    """A number of the sheet itself; it is right, and told apart from answers by its address."""
    judgement = judge.judge(address, printed)
    number = Num("", printed.value, printed.half, Span(0, 0), infinite=printed.infinite)
    return Claim(number, paper.place(None, 0), address, "", judgement.verdict, judgement)

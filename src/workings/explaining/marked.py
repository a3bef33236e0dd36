"""A filled-in worksheet, marked: answer by answer, what is wrong and why, and what is still empty."""

from __future__ import annotations

from collections.abc import Iterator

from workings.checking.claims import Claim, Report
from workings.checking.verdicts import Verdict
from workings.exercises.marking import Marked
from workings.explaining.printed import nearest
from workings.explaining.tree import Block, Document, Heading, Inline, Items, Number, Paragraph, Table, Text, Token
from workings.explaining.verdicts import cause_of, cell, counts, explain_report, not_understood, wrong_numbers
from workings.terms.address import Address
from workings.terms.digits import show

TO_CORRECT = (Verdict.WRONG, Verdict.FOLLOWS, Verdict.TRUNCATED)


def told(report: Report) -> Document:
    """What is to be said of a judged document, or of a filled-in worksheet."""
    return _marked(report) if isinstance(report, Marked) else explain_report(report)


def _marked(report: Marked) -> Document:
    blocks: list[Block] = [Paragraph(tuple(_summary(report)))]
    if report.claims:
        blocks += [Heading(2, Text("worksheet.answers")), _answers(report)]
    blocks += wrong_numbers(report)
    blocks += not_understood(report)
    return Document(Token(report.paper.name), tuple(blocks))


def why(report: Marked) -> Document:
    """What is to be said of a single answer; not what would be right."""
    if not report.claims:
        return Document(Token(report.paper.name), (Paragraph((Text("target.mark.unread"),)),))
    claim = report.claims[0]
    cause = cause_of(claim, several=False) if claim.verdict is Verdict.WRONG else None
    said = (_verdict(report, claim), *(() if cause is None else (cause,)))
    return Document(Token(report.paper.name), tuple(Paragraph((each,)) for each in said))


def _verdict(report: Marked, claim: Claim) -> Text:
    return Text("worksheet.is.coarse" if claim.address in report.coarse else f"worksheet.is.{claim.verdict.value}")


def _summary(report: Marked) -> Iterator[Inline]:
    unread = report.unread_blanks
    if report.claims:
        parts = Items(tuple(counts(report)))
        values: dict[str, Inline] = {"n": len(report.numbers), "answered": len(report.claims), "parts": parts}
        yield Text("worksheet.marked", values)
        if not any(claim.verdict in TO_CORRECT for claim in report.claims):
            yield Text("worksheet.all_right" if len(report.claims) == len(report.numbers) else "worksheet.so_far")
    else:
        yield Text(f"worksheet.marked.{'unread' if unread else 'none'}", {"n": len(report.numbers)})
    yield from _those(report, "coarse", tuple(address for address in report.numbers if address in report.coarse))
    yield from _those(report, "unread", unread)
    if report.claims or unread:
        yield from _those(report, "empty", report.empty)


def _those(report: Marked, key: str, addresses: tuple[Address, ...]) -> Iterator[Inline]:
    """Some of the blanks, by number; nothing where there are none."""
    if addresses:
        blanks = Items(tuple(_number(report.numbers[address]) for address in addresses))
        yield Text(f"worksheet.{key}", {"n": len(addresses), "blanks": blanks})


def _right(claim: Claim) -> str:
    """What should stand in a blank: as the sheet would print it, or as a percentage where that was written."""
    if claim.judgement is None or "%" in claim.number.text:
        return nearest(claim)
    return show(claim.judgement.true).text


def _number(number: int) -> Inline:
    return Text("worksheet.number", {"n": number})


def _answers(report: Marked) -> Table:
    """Every answer with its verdict, in the order of the blanks."""
    header = tuple(Text(f"worksheet.{key}") for key in ("blank", "what", "written", "verdict", "right"))
    return Table(header, tuple(_answer(report, claim) for claim in report.claims))


def _answer(report: Marked, claim: Claim) -> tuple[Inline, ...]:
    number = report.numbers[claim.address] if claim.address is not None else 0
    coarse = claim.address in report.coarse
    right: Inline = Number(_right(claim)) if coarse or claim.verdict in TO_CORRECT else Text("worksheet.nothing")
    return _number(number), cell(claim), Number(claim.number.text), _verdict(report, claim), right

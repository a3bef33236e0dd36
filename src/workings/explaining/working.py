"""One number of a judged document: what it stands for, what it is worth, and how it is worked."""

from __future__ import annotations

from workings.checking.claims import Claim, Report
from workings.checking.verdicts import Verdict
from workings.explaining.beside import GRAVE
from workings.explaining.one import explain_cell, is_whole
from workings.explaining.printed import from_printed_digits, nearest
from workings.explaining.tree import Block, Document, Inline, Number, Paragraph, Text
from workings.explaining.verdicts import cause_of, cell, line_of, place_name
from workings.terms.digits import AUTO, json_digits


def working(report: Report, name: str) -> Document | None:
    """What is to be said of the number at a place, as ``place_name`` calls it; None where there is none."""
    claims = [claim for claim in report.claims if place_name(claim.place) == name]
    if claims:
        return _of_claim(min(claims, key=_rank))
    for item in report.unread:
        place = report.paper.place(item.span.cell, item.span.start)
        if place_name(place) == name:
            return Document(Number(" ".join(item.text.split())), (Paragraph((Text(f"check.why.{item.why}"),)),))
    return None


def _rank(claim: Claim) -> int:
    """A graver verdict is the one that the text shows."""
    return GRAVE.index(claim.verdict) if claim.verdict in GRAVE else len(GRAVE)


def _of_claim(claim: Claim) -> Document:
    printed = Number(claim.number.text)
    verdict = Text(f"target.mark.{claim.verdict.value}")
    at: dict[str, Inline] = {"where": line_of(claim.place), "column": claim.place.column}
    said: list[Inline] = [Text("check.working", {**at, "printed": printed, "verdict": verdict})]
    judgement = claim.judgement
    if judgement is not None:
        said.append(Text("check.address" if claim.address is not None else "check.equality", {"cell": cell(claim)}))
        if not judgement.true.infinite:
            key = "check.working.value" if is_whole(judgement.true) else "check.working.about"
            said.append(Text(key, {"number": Number(json_digits(judgement.true))}))
        from_printed = from_printed_digits(claim)
        if from_printed and from_printed != nearest(claim):
            said.append(Text("check.from_printed", {"number": Number(from_printed)}))
    cause = cause_of(claim, several=False) if claim.verdict is Verdict.WRONG else None
    blocks: list[Block] = [Paragraph(tuple(said)), *([Paragraph((cause,))] if cause is not None else [])]
    if claim.address is not None and claim.trace is not None:
        blocks.extend(explain_cell(claim.trace, claim.address, AUTO).blocks)
    return Document(printed, tuple(blocks))

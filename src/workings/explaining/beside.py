"""A judged document beside its report: its own text, every number in it marked with its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workings.checking.claims import Claim, Report
from workings.checking.paper import Place
from workings.checking.verdicts import Verdict
from workings.explaining.marked import told
from workings.explaining.printed import nearest, right_digits
from workings.explaining.tree import Beside, Mark, Number, Passage, Spread, Text
from workings.explaining.verdicts import PASSED_OVER, place_name, told_name

QUIET = (Verdict.EXACT, Verdict.CORRECTLY_ROUNDED, Verdict.NOT_A_CLAIM)
GRAVE = (Verdict.WRONG, Verdict.FOLLOWS, Verdict.UNSURE, Verdict.TRUNCATED)

UNREAD = Verdict.UNREAD.value


def lay_beside(report: Report) -> Beside:
    """The text of a document with its marks, and its report."""
    many = report.paper.kind == "notebook"
    return Beside(
        tuple(
            Passage(
                text,
                tuple(_apart(_marks(report, cell if many else None))),
                Text("check.cell_of_notebook", {"n": cell + 1}) if many else None,
            )
            for cell, text in enumerate(report.paper.sources)
        ),
        told(report),
    )


def lay_out(reports: Iterable[Report]) -> Spread:
    """Several documents, each beside its report."""
    parts = tuple(map(lay_beside, reports))
    if len(parts) == 1:
        return Spread(parts[0].said.title, parts)
    return Spread(Text("check.several", {"n": len(parts)}), parts)


def _marks(report: Report, cell: int | None) -> Iterator[tuple[int, Mark]]:
    """The marks of one text, each with its rank: a graver one wins where two stand at the same place."""
    for claim in report.claims:
        if claim.number.span.cell == cell:
            rank = GRAVE.index(claim.verdict) if claim.verdict in GRAVE else len(GRAVE)
            yield rank, _mark(claim)
    for item in report.unread:
        if item.span.cell == cell and item.why != PASSED_OVER:
            place = report.paper.place(cell, item.span.start)
            yield len(GRAVE) + 1, Mark(item.span.start, item.span.stop, UNREAD, *_names(place))


def _mark(claim: Claim) -> Mark:
    span, verdict = claim.number.span, claim.verdict
    note = None
    if verdict in (Verdict.WRONG, Verdict.FOLLOWS):
        note = Text("check.mark.right", {"right": Number(right_digits(claim))})
    elif verdict is Verdict.TRUNCATED:
        note = Text("check.mark.nearest", {"right": Number(nearest(claim))})
    return Mark(span.start, span.stop, verdict.value, *_names(claim.place), note, verdict in QUIET)


def _names(place: Place) -> tuple[str, str]:
    return place_name(place), told_name(place)


def _apart(marks: Iterable[tuple[int, Mark]]) -> list[Mark]:
    """Marks that do not overlap, in order; what was not understood gives way to numbers that were."""
    ordered = sorted(marks, key=lambda pair: (pair[1].start, pair[0], pair[1].stop))
    kept: list[Mark] = []
    for _, mark in ordered:
        while kept and mark.start < kept[-1].stop and kept[-1].kind == UNREAD and mark.kind != UNREAD:
            kept.pop()
        if not kept or mark.start >= kept[-1].stop:
            kept.append(mark)
    return kept

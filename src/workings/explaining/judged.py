"""A judged document as plain data: ``workings.check/1``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workings.checking.claims import Claim, Report
from workings.checking.masking import Part
from workings.checking.notation import Span
from workings.checking.paper import Place
from workings.checking.verdicts import Verdict
from workings.exercises.marking import Marked
from workings.terms.digits import json_digits
from workings.terms.numbers import Rational


def report_data(report: Report) -> dict[str, Any]:
    """``workings.check/1``."""
    return {
        "schema": "workings.check/1",
        "document": report.paper.name,
        **_sheet_data(report),
        "counts": {verdict.value: report.counts[verdict] for verdict in Verdict},
        "claims": [_claim_data(claim, declared=bool(report.declared)) for claim in report.claims],
        "unread": [{**_where(report, item.span), "text": item.text, "why": item.why} for item in report.unread],
        "differing": [
            {"address": str(pair.first.address), "lines": [pair.first.place.line, pair.second.place.line]}
            for pair in report.differing
        ],
        "declared": report.declared or None,
        "assumed_divisor": report.assumed or None,
        "masks": [_mask_data(part) for part in report.masks],
    }


def _mask_data(part: Part) -> dict[str, Any]:
    """A mask that was assumed, and where the document tells of it."""
    mask = part.mask if isinstance(part.mask, str) else [list(row) for row in part.mask]
    return {"mask": mask} if part.told is None else {"mask": mask, **_at(part.told)}


def _sheet_data(report: Report) -> dict[str, Any]:
    """Of a filled-in worksheet: its blanks by their numbers, and those empty or with fewer digits than asked for."""
    if not isinstance(report, Marked):
        return {}
    numbers = report.numbers
    return {
        "blanks": {str(number): str(address) for address, number in numbers.items()},
        "empty": [numbers[address] for address in report.empty],
        "too_few_digits": [number for address, number in numbers.items() if address in report.coarse],
    }


def _where(report: Report, span: Span) -> dict[str, int]:
    return _at(report.paper.place(span.cell, span.start))


def _at(place: Place) -> dict[str, int]:
    where = {"line": place.line, "column": place.column}
    return where if place.cell is None else {**where, "cell": place.cell}


def _claim_data(claim: Claim, *, declared: bool) -> dict[str, Any]:
    judgement = claim.judgement
    data: dict[str, Any] = {"line": claim.place.line, "column": claim.place.column}
    if claim.place.cell is not None:
        data["cell"] = claim.place.cell
    data |= {
        "printed": claim.number.text,
        "address": None if claim.address is None else str(claim.address),
        "verdict": claim.verdict.value,
        "value": None if judgement is None else json_digits(judgement.true),
        "from_printed": None if judgement is None else _from_printed(judgement.from_printed),
        "causes": list(claim.causes),
        "first": claim.first,
    }
    if claim.address is None:
        data["expression"] = claim.expression
    if declared and claim.divisor and claim.address is not None:
        data["divisor"] = claim.divisor
    if judgement is not None and judgement.tie:
        data["tie"] = True
    return data


def _from_printed(bounds: tuple[Fraction, Fraction] | None) -> str | None:
    if bounds is None:
        return None
    return json_digits(Rational((bounds[0] + bounds[1]) / 2))

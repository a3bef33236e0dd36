"""A judged document as a display tree and as plain data: the first wrong number first, followers folded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from workings.checking.causes.registry import BY_ID
from workings.checking.claims import Claim, Report
from workings.checking.notation import Num, Unread
from workings.checking.verdicts import Verdict
from workings.explaining.numbers import Numbers
from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Items,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
    Token,
)
from workings.terms.digits import AUTO, json_digits, round_value, show, write
from workings.terms.numbers import Rational, Value

FOLDED = 8  # followers named before the rest is counted


def explain_report(report: Report) -> Document:
    """What a reader wants to know of a checked document."""
    blocks: list[Block] = [Paragraph((_summary(report),))]
    firsts = [claim for claim in report.claims if claim.first]
    others = [claim for claim in report.claims if claim.verdict is Verdict.WRONG and not claim.first]
    follows = _with(report, Verdict.FOLLOWS)
    if firsts:
        blocks.append(Heading(2, Text("check.wrong")))
        for claim in firsts:
            blocks.extend(_wrong(report, claim))
    if others:
        blocks.append(Heading(2, Text("check.wrong_behind")))
        blocks.append(_table(others))
    if follows:
        places = Items(tuple(_place(claim) for claim in follows[:FOLDED]))
        key = "check.follow" if len(follows) <= FOLDED else "check.follow_more"
        blocks.append(Paragraph((Text(key, {"n": len(follows), "places": places}),)))
    for verdict in (Verdict.TRUNCATED, Verdict.UNSURE):
        found = _with(report, verdict)
        if found:
            blocks.append(Heading(2, Text(f"check.{verdict.value}")))
            blocks.append(_table(found))
    blocks.extend(_declared(report))
    if report.differing:
        blocks.append(Heading(2, Text("check.differing")))
        blocks.extend(Paragraph((_differing(pair.first, pair.second),)) for pair in report.differing)
    if report.unread:
        blocks.append(Heading(2, Text("check.unread")))
        rows = tuple(_unread(report, item) for item in report.unread)
        blocks.append(Table((Text("check.where"), Text("check.printed"), Text("check.reason")), rows))
    return Document(Token(report.paper.name), tuple(blocks))


def _unread(report: Report, item: Unread) -> tuple[Inline, ...]:
    line = report.paper.place(item.span.cell, item.span.start).line
    return Text("check.line", {"line": line}), Token(_short(item.text)), Text(f"check.why.{item.why}")


def _with(report: Report, verdict: Verdict) -> list[Claim]:
    return [claim for claim in report.claims if claim.verdict is verdict]


def _summary(report: Report) -> Inline:
    shown = [verdict for verdict in Verdict if report.counts[verdict]]
    parts = tuple(Text(f"check.count.{verdict.value}", {"n": report.counts[verdict]}) for verdict in shown)
    if not report.claims:
        return Text("check.nothing")
    return Text("check.summary", {"n": len(report.claims), "parts": Items(parts)})


def _place(claim: Claim) -> Inline:
    return Text("check.place", {"line": claim.place.line, "printed": Number(claim.number.text)})


def _wrong(report: Report, claim: Claim) -> list[Block]:
    """The right value, its arithmetic, and what the numbers printed before would give."""
    said: list[Inline] = [Text("check.is_wrong", {**_where(claim), "right": Number(right_digits(claim))})]
    line = None
    if claim.address is not None and report.trace is not None:
        numbers = Numbers(report.trace, AUTO)
        label = Items(numbers.label(claim.address))
        said.append(Text("check.address", {"address": Code(str(claim.address)), "label": label}))
        line = numbers.line(claim.address)
    elif claim.expression:
        said.append(Text("check.equality", {"expression": Token(_short(claim.expression))}))
    if claim.causes:
        causes = tuple(Named(BY_ID[cause].title) for cause in claim.causes)
        said.append(Text("check.causes", {"causes": Items(causes)}))
    elif claim.address is not None:
        said.append(Text("check.no_cause"))
    return [Paragraph(tuple(said)), *([line] if line is not None else [])]


def _where(claim: Claim) -> dict[str, Inline]:
    place = claim.place
    return {"line": place.line, "column": place.column, "printed": Number(claim.number.text)}


def _table(claims: Sequence[Claim]) -> Table:
    rows = tuple(
        (
            Text("check.line", {"line": claim.place.line}),
            Code(str(claim.address)) if claim.address is not None else Token(_short(claim.expression)),
            Number(claim.number.text),
            Number(_nearest(claim)),
        )
        for claim in claims
    )
    return Table((Text("check.where"), Text("check.what"), Text("check.printed"), Text("check.nearest")), rows)


def _nearest(claim: Claim) -> str:
    """What the number should be: rounded from what it was cut from, where that was itself wrong."""
    judgement = claim.judgement
    if claim.verdict is Verdict.TRUNCATED and judgement is not None and judgement.behind and judgement.from_printed:
        low, high = judgement.from_printed
        return decimals_like(claim.number.text, claim.number.half, Rational((low + high) / 2))
    return right_digits(claim)


def _declared(report: Report) -> list[Block]:
    """Which divisor the verdicts rest on where the document declares its own."""
    if not report.declared or report.trace is None:
        return []
    used = {claim.divisor for claim in report.claims if claim.address is not None and claim.divisor}
    args: dict[str, Inline] = {"divisor": Number(report.declared), "d_k": report.trace.recipe.sizes["d_k"]}
    return [Paragraph((Text("check.declared" if report.declared in used else "check.declared_unused", args),))]


def _differing(first: Claim, second: Claim) -> Inline:
    return Text(
        "check.differ",
        {
            "address": Code(str(first.address)),
            "first": Number(first.number.text),
            "first_line": first.place.line,
            "second": Number(second.number.text),
            "second_line": second.place.line,
        },
    )


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 60 else f"{plain[:57]}..."


def right_digits(claim: Claim) -> str:
    """The true value with as many decimals as were printed, a percent as a percent."""
    return "" if claim.judgement is None else like_printed(claim.number, claim.judgement.true)


def like_printed(number: Num, value: Value) -> str:
    """A value with as many decimals as a number was printed with."""
    if value.infinite:
        return "−∞" if value.infinite < 0 else "∞"
    return decimals_like(number.text, number.half, value) if number.half else show(value).text


def decimals_like(printed: str, half: Fraction, true: Value) -> str:
    """A value written in the manner of a printed number: the same unit of its last place, percent or not."""
    percent = "%" in printed
    unit = 2 * half * (100 if percent else 1)
    places = 0
    while unit * 10**places < 1:
        places += 1
    rounded = round_value(true, places + (2 if percent else 0)).value * (100 if percent else 1)
    return write(rounded, places).replace("-", "−") + ("%" if percent else "")


def report_data(report: Report) -> dict[str, Any]:
    """``workings.check/1``."""
    return {
        "schema": "workings.check/1",
        "document": report.paper.name,
        "counts": {verdict.value: report.counts[verdict] for verdict in Verdict},
        "claims": [_claim_data(claim) for claim in report.claims],
        "unread": [
            {"line": report.paper.place(item.span.cell, item.span.start).line, "text": item.text, "why": item.why}
            for item in report.unread
        ],
        "differing": [
            {"address": str(pair.first.address), "lines": [pair.first.place.line, pair.second.place.line]}
            for pair in report.differing
        ],
        "declared": report.declared or None,
    }


def _claim_data(claim: Claim) -> dict[str, Any]:
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
    if claim.divisor:
        data["divisor"] = claim.divisor
    return data


def _from_printed(bounds: tuple[Fraction, Fraction] | None) -> str | None:
    if bounds is None:
        return None
    return json_digits(Rational((bounds[0] + bounds[1]) / 2))

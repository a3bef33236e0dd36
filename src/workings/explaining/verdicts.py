"""A judged document as a display tree: the first wrong number first, its step's others and its followers folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workings.checking.causes.registry import BY_ID
from workings.checking.claims import Claim, Differing, Report
from workings.checking.divisor import moved
from workings.checking.masking import CAUSAL, NONE
from workings.checking.notation import Span, Unread
from workings.checking.paper import Place
from workings.checking.setting import UNDIVIDED
from workings.checking.verdicts import Verdict
from workings.explaining.numbers import Numbers
from workings.explaining.printed import from_printed_digits, nearest, right_digits
from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Equation,
    Heading,
    Inline,
    Items,
    Link,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
    Token,
)
from workings.terms.digits import AUTO, show
from workings.terms.numbers import Value

FOLDED = 12  # followers named before the rest is counted
LONGEST = 60  # characters of the document quoted
PASSED_OVER = "bare-integer"  # whole numbers that nothing names are counted, not listed
SUMMED = (
    *(Verdict.WRONG, Verdict.FOLLOWS, Verdict.TRUNCATED, Verdict.UNSURE),
    *(Verdict.EXACT, Verdict.CORRECTLY_ROUNDED, Verdict.CONSISTENT, Verdict.NOT_A_CLAIM),
)


@dataclass
class _Step:
    """The wrong numbers of one step, or one wrong equality."""

    claims: list[Claim] = field(default_factory=list)

    @property
    def lead(self) -> Claim:
        """The number to be told in full: the first that no wrong number lies behind."""
        return next((claim for claim in self.claims if claim.first), self.claims[0])


def explain_report(report: Report) -> Document:
    """What a reader wants to know of a checked document."""
    blocks: list[Block] = [Paragraph(tuple(_summary(report))), *wrong_numbers(report)]
    blocks += _follows(_with(report, Verdict.FOLLOWS))
    for verdict in (Verdict.TRUNCATED, Verdict.UNSURE):
        claims = _with(report, verdict)
        if claims:
            blocks += [Heading(2, Text(f"check.{verdict.value}")), _table(claims)]
    blocks += _masks(report)
    blocks += _declared(report) or _assumed(report)
    blocks += _ties(report)
    if report.differing:
        blocks.append(Heading(2, Text("check.differing")))
        twice = {pair.address for pair in report.differing}
        told = {(claim.place, claim.address): claim for claim in report.claims if claim.address in twice}
        pairs = tuple(_differing(pair, told[pair.first.place, pair.address]) for pair in report.differing)
        blocks.append(Paragraph(pairs))
    blocks += not_understood(report)
    return Document(Token(report.paper.name), tuple(blocks))


def wrong_numbers(report: Report) -> list[Block]:
    """The wrong numbers, step by step, each step's first in full."""
    blocks: list[Block] = []
    steps = _steps(report.claims)
    for key, found in (
        ("check.wrong", [step for step in steps if step.lead.first]),
        ("check.wrong_behind", [step for step in steps if not step.lead.first]),
    ):
        if found:
            blocks.append(Heading(2, Text(key)))
            for step in found:
                blocks += _wrong(step)
    return blocks


def counts(report: Report) -> list[Inline]:
    """How many numbers have each verdict."""
    return [
        Text(f"check.count.{verdict.value}", {"n": report.counts[verdict]})
        for verdict in SUMMED
        if report.counts[verdict]
    ]


def place_name(place: Place) -> str:
    """What a place of the document is called where something leads to it."""
    return f"p{'' if place.cell is None else f'{place.cell}-'}{place.line}-{place.column}"


def told_name(place: Place) -> str:
    """What the place is called at which a number is spoken of."""
    return f"t{place_name(place)[1:]}"


def _with(report: Report, verdict: Verdict) -> list[Claim]:
    return [claim for claim in report.claims if claim.verdict is verdict]


def _steps(claims: Iterable[Claim]) -> list[_Step]:
    """Wrong numbers step by step, the step whose first number is wrong earliest first."""
    found: dict[object, _Step] = {}
    for claim in claims:
        if claim.verdict is Verdict.WRONG:
            bound = claim.address is not None and claim.trace is not None
            key = (id(claim.trace), claim.address.array) if bound and claim.address else id(claim)
            found.setdefault(key, _Step()).claims.append(claim)
    order = {id(claim): place for place, claim in enumerate(claims)}
    return sorted(found.values(), key=lambda step: order[id(step.lead)])


def _summary(report: Report) -> Iterator[Inline]:
    if not report.claims:
        yield Text("check.nothing")
        return
    yield Text("check.summary", {"n": len(report.claims), "parts": Items(tuple(counts(report)))})
    if not report.counts[Verdict.WRONG] and not report.counts[Verdict.FOLLOWS]:
        yield Text("check.none_wrong")


# --- where and what -------------------------------------------------------------------------------------------------


def line_of(place: Place) -> Inline:
    """The line of a place, in words."""
    if place.cell is None:
        return Text("check.line", {"line": place.line})
    return Text("check.line_of_cell", {"line": place.line, "cell": place.cell + 1})


def _place(place: Place) -> Inline:
    return Link(line_of(place), place_name(place), told_name(place))


def cell(claim: Claim) -> Inline:
    """What a number stands for: its address and words, or the equality it is the result of."""
    if claim.address is None or claim.trace is None:
        return Code(_short(claim.expression)) if claim.expression else Text("check.again")
    label = Numbers(claim.trace, AUTO).label(claim.address)
    if not label:
        return Code(str(claim.address))
    return Text("check.cell", {"address": Code(str(claim.address)), "label": Items(label)})


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 3]}..."


# --- wrong numbers --------------------------------------------------------------------------------------------------


def _wrong(step: _Step) -> list[Block]:
    """The first in full, with its arithmetic and cause; the step's others in a table."""
    lead = step.lead
    printed, right = Number(lead.number.text), Number(right_digits(lead))
    where: dict[str, Inline] = {"where": _place(lead.place), "column": lead.place.column}
    said: list[Inline] = [Text("check.is_wrong", {**where, "printed": printed, "right": right})]
    said.append(Text("check.address" if lead.address is not None else "check.equality", {"cell": cell(lead)}))
    from_printed = from_printed_digits(lead)
    if from_printed and from_printed not in (right_digits(lead), lead.number.text):
        said.append(Text("check.from_printed", {"number": Number(from_printed)}))
    line = _arithmetic(lead)
    blocks: list[Block] = [Paragraph(tuple(said)), *([line] if line is not None else [])]
    several = len({str(claim.address) for claim in step.claims}) > 1
    cause = cause_of(lead, several)
    if cause is not None:
        blocks.append(Paragraph((cause,)))
    others = [claim for claim in step.claims if claim is not lead]
    if others:
        blocks.append(Paragraph((Text("check.others", {"n": len(others)}),)))
        blocks.append(_table(others, "check.right"))
    return blocks


def _arithmetic(claim: Claim) -> Equation | None:
    if claim.address is None or claim.trace is None:
        return None
    return Numbers(claim.trace, AUTO).line(claim.address)


def cause_of(claim: Claim, several: bool) -> Inline | None:
    """The slips that give exactly a wrong number, or that none known does."""
    if claim.causes:
        causes = Items(tuple(Text("check.slip", {"cause": Named(BY_ID[cause].title)}) for cause in claim.causes))
        return Text("check.causes" if len(claim.causes) > 1 else "check.cause", {"causes": causes})
    if claim.address is None or (claim.trace is not None and claim.trace.recipe.op(claim.address.array) is None):
        return None  # what is given comes from no step
    return Text("check.no_cause" if several else "check.no_cause_one")


def _follows(claims: Sequence[Claim]) -> list[Block]:
    """Followers by their lines, each number once."""
    lines: dict[tuple[int | None, int], list[Claim]] = {}
    for claim in claims:
        lines.setdefault((claim.place.cell, claim.place.line), []).append(claim)
    places = []
    for found in list(lines.values())[:FOLDED]:
        numbers = ", ".join(dict.fromkeys(claim.number.text for claim in found))
        places.append(Text("check.place", {"where": _place(found[0].place), "printed": Number(numbers)}))
    if not places:
        return []
    key = "check.follow" if len(lines) <= FOLDED else "check.follow_more"
    return [Paragraph((Text(key, {"n": len(claims), "places": Items(tuple(places))}),))]


def _table(claims: Sequence[Claim], last: str = "check.nearest") -> Table:
    rows = tuple(
        (_place(claim.place), cell(claim), Number(claim.number.text), Number(nearest(claim))) for claim in claims
    )
    return Table((Text("check.where"), Text("check.what"), Text("check.printed"), Text(last)), rows)


# --- what else is to be said ----------------------------------------------------------------------------------------


def _masks(report: Report) -> list[Block]:
    """Which mask the verdicts rest on, and what in the document tells of it; nothing where it speaks of none."""
    said: list[Inline] = []
    for part in report.masks:
        if part.told is None or part.mask == NONE:
            if part.told is not None and Text("check.mask_none") not in said:
                said.append(Text("check.mask_none"))
            continue
        key = "check.mask_said" if part.said else "check.mask_shown" if part.mask == CAUSAL else "check.mask_hidden"
        said.append(Text(key, {"where": line_of(part.told)}))
        if not part.whole:
            said.append(Text("check.mask_from"))
    return [Heading(2, Text("check.mask")), Paragraph(tuple(said))] if said else []


def _declared(report: Report) -> list[Block]:
    """Which divisor the verdicts rest on where the document declares its own, and what the choice changes."""
    if not report.declared or report.trace is None:
        return []
    used = {claim.divisor for claim in report.claims if claim.address is not None and claim.divisor}
    root: Inline = Text("check.root", {"d_k": report.trace.recipe.sizes["d_k"]})
    divisor = Number(report.declared)
    key = "check.declared" if report.declared in used else "check.declared_unused"
    said: list[Inline] = [Text(key, {"divisor": divisor, "root": root})]
    effect = moved(report.trace, report.declared)
    if effect is not None:
        row = {"divisor": divisor, "root": root, "array": Code(str(effect.cells[0].array))}
        label = Numbers(report.trace, AUTO).label(effect.cells[0])[:1]
        vectors: dict[str, Inline] = {"declared": _vector(effect.declared), "rooted": _vector(effect.rooted)}
        said.append(Text("check.moved", {**row, "row": Items(label), **vectors}))
    return [Heading(2, Text("check.divisor")), Paragraph(tuple(said))]


def _assumed(report: Report) -> list[Block]:
    """Whether the scores are divided, where the document does not say and its numbers depend on it."""
    if not report.assumed or report.trace is None:
        return []
    key = "check.undivided" if report.assumed == UNDIVIDED else "check.divided"
    d_k: Inline | int = report.trace.recipe.sizes.get("d_k") or Code("d_k")  # unknown where the scores are given
    said = Text(key, {"root": Text("check.root", {"d_k": d_k})})
    return [Heading(2, Text("check.divisor")), Paragraph((said,))]


def _vector(values: Iterable[Value]) -> Inline:
    return Number(f"({', '.join(show(value).text for value in values)})")


def _ties(report: Report) -> list[Block]:
    ties = [claim for claim in report.claims if claim.judgement is not None and claim.judgement.tie]
    if not ties:
        return []
    places = Items(
        tuple(
            Text("check.place", {"where": _place(claim.place), "printed": Number(claim.number.text)})
            for claim in ties[:FOLDED]
        )
    )
    return [Paragraph((Text("check.ties", {"n": len(ties), "places": places}),))]


def _differing(pair: Differing, claim: Claim) -> Inline:
    first, second = pair.first, pair.second
    return Text(
        "check.differ",
        {
            "cell": cell(claim),
            "first": Number(first.number.text),
            "first_where": line_of(first.place),
            "second": Number(second.number.text),
            "second_where": line_of(second.place),
        },
    )


def not_understood(report: Report) -> list[Block]:
    """What was not understood, line by line; whole numbers that nothing names are only counted."""
    rows: dict[tuple[int | None, int, str, str], tuple[Inline, ...]] = {}
    passed = 0
    for item in report.unread:
        if item.why == PASSED_OVER:
            passed += 1
            continue
        place = _at(report, item.span)
        text = _short(item.text)
        rows.setdefault((place.cell, place.line, text, item.why), _unread_row(place, text, item))
    blocks: list[Block] = []
    if rows:
        head = (Text("check.where"), Text("check.printed"), Text("check.reason"))
        blocks += [Heading(2, Text("check.unread")), Table(head, tuple(rows.values()))]
    if passed:
        blocks.append(Paragraph((Text("check.passed_over", {"n": passed}),)))
    return blocks


def _unread_row(place: Place, text: str, item: Unread) -> tuple[Inline, ...]:
    return _place(place), Code(text), Text(f"check.why.{item.why}")


def _at(report: Report, span: Span) -> Place:
    return report.paper.place(span.cell, span.start)

"""Judges a whole document: its setting, then every printed number in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from workings.checking.binding import Binder
from workings.checking.claims import Claim, Report
from workings.checking.masking import BEGIN, Part, parts, where
from workings.checking.notation import Statement, Unread
from workings.checking.paper import Paper
from workings.checking.reasons import with_causes
from workings.checking.scaling import is_better, is_doubtful
from workings.checking.setting import Setting, gather
from workings.checking.verdicts import Verdict
from workings.exact.run import Exact
from workings.examples.example import Example
from workings.steps.language import Const
from workings.steps.literal import read_literal
from workings.traces.trace import Source, Trace


def check(paper: Paper, found: Sequence[Statement | Unread], *, lenient: bool = False) -> Report:
    """The verdicts on a document whose statements have been read."""
    statements = [item for item in found if isinstance(item, Statement)]
    binders = list(_bound(paper, statements, lenient=lenient))
    unread = [item for item in found if isinstance(item, Unread)]
    unread += [item for binder in binders for item in binder.left_unread(statements)]
    judged = (claim for binder in binders for claim in with_causes(binder.claims, binder.trace))
    claims = sorted(judged, key=_reading_order)
    counts = Counter(claim.verdict for claim in claims)
    counts[Verdict.UNREAD] = len(unread)
    differing = [pair for binder in binders for pair in binder.differing()]
    first = binders[0]
    declared = first.setting.divisor if len(first.judges) > 1 else ""
    operands = [pair for binder in binders for pair in binder.operands()]
    masks = [binder.part for binder in binders if binder.trace is not None]
    assumed = next((binder.assumed for binder in binders if binder.assumed and binder.trace is not None), "")
    return Report(paper, first.trace, claims, unread, differing, declared, operands, counts, masks, assumed)


def _bound(paper: Paper, statements: list[Statement], *, lenient: bool) -> Iterator[Binder]:
    """One binder for each example that the document works; another begins where an input gets other numbers."""
    start = 0
    while start == 0 or start < len(statements):
        rest = statements[start:]
        claimed = [item for item in rest if item.claimed]
        setting = gather(claimed, "\n".join(paper.sources))
        after = where(statements[start - 1]) if start else BEGIN
        taken = 0
        for part in parts(claimed, paper, setting, after):
            binder, taken = _judged(paper, setting, part, rest, lenient=lenient)
            if setting.unsaid and is_doubtful(binder.claims):
                other, _ = _judged(paper, setting.with_other_divisor(), part, rest, lenient=lenient)
                binder = other if is_better(other.claims, binder.claims) else binder
                binder.assumed = binder.setting.divisor
            yield binder
        start += taken
        if not rest:
            return


def _judged(
    paper: Paper, setting: Setting, part: Part, statements: Sequence[Statement], *, lenient: bool
) -> tuple[Binder, int]:
    """A part of a document bound and judged, and how many statements belong to its example."""
    worked = setting.worked(part.mask)
    binder = Binder(paper, worked, _traces(worked), lenient=lenient)
    taken = _take_all(binder, statements)
    binder.confine(part)
    return binder, taken


def _take_all(binder: Binder, statements: Sequence[Statement]) -> int:
    """Bind and judge the statements up to where another example begins; how many those are."""
    for place, statement in enumerate(statements):
        if place > 0 and binder.starts_anew(statement):
            return place
        try:
            binder.take(statement)
        except RecursionError:
            binder.give_up(statement)
    return len(statements)


def _reading_order(claim: Claim) -> tuple[int, int, int]:
    return (claim.place.cell or 0, claim.place.line, claim.place.column)


def _traces(setting: Setting) -> list[tuple[str, Trace]]:
    """The computation with the divisor as printed, and with the true root where that is another number."""
    example = setting.example
    if example is None:
        return []
    traces = [(setting.divisor, trace_of(example))]
    given = example.spec.divide_by
    d_k = traces[0][1].recipe.sizes.get("d_k")
    if given is not None and d_k is not None and setting.divisor != "1":
        exact = {**example.given}
        exact = {name: array for name, array in exact.items() if name.name != "divide_by"}
        rooted = replace(example, spec=replace(example.spec, divide_by=None), given=exact)
        traces.append(("sqrt(d_k)", trace_of(rooted)))
        if _rounds_to(d_k, setting.divisor):
            traces.reverse()  # a root printed with rounded digits is meant as the root
    return traces


ROOT_PLACES = 2  # 1.41 and 1.732 are roots written down; a rougher 1.7 is a choice of the author's


def _rounds_to(d_k: int, divisor: str) -> bool:
    """Whether the divisor is the root of d_k correctly rounded."""
    literal = read_literal(divisor).value
    if not isinstance(literal, Const):
        return True
    value = Fraction(literal.value)
    places = len(divisor.partition(".")[2])
    if places < ROOT_PLACES:
        return False
    half = Fraction(1, 2 * 10**places)
    return (value - half) ** 2 <= d_k <= (value + half) ** 2


def trace_of(example: Example) -> Trace:
    """An example worked by the exact engine."""
    recipe = example.recipe()
    source = Source(example.title, example.labels(), example.notes, example.written(), example.comments, example.focus)
    return Trace(recipe, Exact(recipe, example.values()), source)

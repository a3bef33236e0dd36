"""A unified diff that puts the right digits where a number is wrong or follows a wrong one, and nowhere else."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from workings.checking.claims import Claim, Report
from workings.checking.notation import Num
from workings.checking.verdicts import Verdict
from workings.terms.numbers import Value

Digits = Callable[[Num, Value], str]
FIXED = (Verdict.WRONG, Verdict.FOLLOWS)  # and what is truncated from a wrong number: it would be wrong afterwards


def fixed_source(report: Report, digits: Digits, cell: int | None = None) -> str:
    """One source of the document with its wrong numbers and their followers put right, in expressions too.

    Args:
        digits: the right digits for a number as printed, given the value it stands for.
    """
    text = report.paper.sources[cell or 0]
    edits = {number.span: digits(number, value) for number, value in _to_fix(report) if number.span.cell == cell}
    for span in sorted(edits, key=lambda span: -span.start):
        text = text[: span.start] + _like(text[span.start : span.stop], edits[span]) + text[span.stop :]
    return text


def _to_fix(report: Report) -> Iterator[tuple[Num, Value]]:
    """Claims to be changed, and the numbers inside expressions that stand for the same cells."""
    values = {}
    for claim in report.claims:
        if claim.judgement is not None and _is_to_fix(claim):
            yield claim.number, claim.judgement.true
            if claim.address is not None:
                values[claim.address] = claim.judgement.true
    for number, address in report.operands:
        if address in values:
            yield number, values[address]


def _is_to_fix(claim: Claim) -> bool:
    tainted = claim.judgement is not None and claim.judgement.tainted
    return claim.verdict in FIXED or (claim.verdict is Verdict.TRUNCATED and tainted)


def _like(printed: str, digits: str) -> str:
    """Digits with the minus sign and the percent sign that the document uses."""
    if "−" not in printed:
        digits = digits.replace("−", "-")
    bare = digits.removesuffix("%")
    if "%" not in digits:
        return bare
    number, sign, _ = printed.partition("%")
    gap = number[len(number.rstrip(" \\")) :]
    return f"{bare}{gap}{sign or ''}"


def fix(report: Report, digits: Digits) -> str:
    """The diff of the whole document; empty where nothing is wrong. A notebook is compared cell by cell."""
    out: list[str] = []
    for number, old in enumerate(report.paper.sources):
        cell = number if report.paper.kind == "notebook" else None
        new = fixed_source(report, digits, cell)
        if new == old:
            continue
        name = report.paper.name if cell is None else f"{report.paper.name}[{cell}]"
        lines = difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
        for line in lines:
            out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)

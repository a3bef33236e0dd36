"""A unified diff that puts the right digits where a number is wrong or follows a wrong one, and nowhere else."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Callable, Iterator

from workings.checking.claims import Claim, Report
from workings.checking.notation import Num
from workings.checking.notebook_text import cell_texts
from workings.checking.verdicts import Verdict
from workings.terms.numbers import Value

Digits = Callable[[Num, Value], str]
Edit = tuple[int, int, str]  # offsets in the file and what stands there instead
FIXED = (Verdict.WRONG, Verdict.FOLLOWS)  # and what is truncated from a wrong number: it would be wrong afterwards
QUOTED = {"\\": r"\\", '"': r"\"", "\t": r"\t", "\n": r"\n", "\r": r"\r"}


def fix(report: Report, digits: Digits, raw: str) -> str:
    """The diff of a document's file; empty where nothing is wrong.

    Args:
        digits: the right digits for a number as printed, given the value it stands for.
        raw: the file's text as it is: with its line ends, and for a notebook the JSON.
    """
    new = fixed(report, digits, raw)
    if new == raw:
        return ""
    name = _path(report.paper.name)
    lines = difflib.unified_diff(_lines(raw), _lines(new), _quoted(f"a/{name}"), _quoted(f"b/{name}"))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def fixed(report: Report, digits: Digits, raw: str) -> str:
    """The file with its wrong numbers and their followers put right, in expressions too."""
    edits = sorted(_in_notebook(report, digits, raw) if report.paper.kind == "notebook" else _in_text(report, digits))
    out, at = [], 0
    shift = len(raw) - len(raw.removeprefix("\ufeff")) if report.paper.sources[0][:1] != "\ufeff" else 0
    for start, stop, text in edits:
        if start + shift >= at:
            out += [raw[at : start + shift], text]
            at = stop + shift
    return "".join([*out, raw[at:]])


def _in_text(report: Report, digits: Digits) -> Iterator[Edit]:
    text = report.paper.sources[0]
    for number, right in _to_fix(report, digits):
        start, stop = number.span.start, number.span.stop
        yield start, stop, _like(text[start:stop], right)


def _in_notebook(report: Report, digits: Digits, raw: str) -> Iterator[Edit]:
    """Edits of the JSON text; none in a cell that is not what was read."""
    shift = len(raw) - len(raw.removeprefix("\ufeff"))
    cells = cell_texts(raw[shift:])
    for number, right in _to_fix(report, digits):
        cell, start, stop = number.span.cell or 0, number.span.start, number.span.stop
        if cell < len(cells) and cells[cell].text == report.paper.sources[cell]:
            text = _like(cells[cell].text[start:stop], right)
            yield *cells[cell].slice(start, stop), json.dumps(text, ensure_ascii=False)[1:-1]


def _to_fix(report: Report, digits: Digits) -> Iterator[tuple[Num, str]]:
    """Claims to be changed, and the numbers inside expressions that stand for the same cells."""
    values = {}
    for claim in report.claims:
        if claim.judgement is not None and _is_to_fix(claim):
            yield claim.number, digits(claim.number, claim.judgement.true)
            if claim.address is not None:
                values[claim.address] = claim.judgement.true
    for number, address in report.operands:
        if address in values:
            yield number, digits(number, values[address])


def _is_to_fix(claim: Claim) -> bool:
    tainted = claim.judgement is not None and claim.judgement.tainted
    return (claim.free and claim.verdict in FIXED) or (claim.verdict is Verdict.TRUNCATED and tainted)


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


# --- the form of a diff ---------------------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    """Lines as git and patch count them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _path(name: str) -> str:
    """The name as given, seen from the folder in which a patch is applied."""
    if os.path.isabs(name):
        name = os.path.relpath(name)
    return os.path.normpath(name).replace(os.sep, "/")


def _quoted(name: str) -> str:
    """A name as git and patch read it: between quotation marks where it holds what would end it."""
    if not any(character in '"\\' or character < " " for character in name):
        return f"{name}\t" if " " in name else name
    return f'"{"".join(map(_escaped, name))}"'


def _escaped(character: str) -> str:
    if character in QUOTED:
        return QUOTED[character]
    return character if character >= " " else f"\\{ord(character):03o}"

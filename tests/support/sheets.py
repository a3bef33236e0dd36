"""Worksheets in tests: filling them in, and marking what was filled in."""

from __future__ import annotations

from collections.abc import Mapping

from workings.api.checking import Report
from workings.api.view import View
from workings.api.worksheet import Worksheet, mark
from workings.checking.reading import paper_from_text

KINDS = {
    "md": ("markdown", "sheet.md"),
    "text": ("text", "sheet.txt"),
    "html": ("html", "sheet.html"),
    "tex": ("latex", "sheet.tex"),
}
PLACES = {
    "md": "({n}) ____",
    "text": "({n}) ____",
    "html": 'data-blank="{n}"></span>',
    "tex": "\\workingsblank{{{n}}}{{}}",
}
FILLED = {
    "md": "({n}) {answer}",
    "text": "({n}) {answer}",
    "html": 'data-blank="{n}">{answer}</span>',
    "tex": "\\workingsblank{{{n}}}{{{answer}}}",
}


def filled(sheet: Worksheet, answers: Mapping[str, str], target: str = "md") -> str:
    """The sheet with answers, by address, written into its blanks; those without one stay empty."""
    text = sheet.draw(target)
    assert isinstance(text, str)
    for number, address in sheet.numbers.items():
        if address in answers:
            place = PLACES[target].format(n=number)
            assert text.count(place) == 1, place
            text = text.replace(place, FILLED[target].format(n=number, answer=answers[address]))
    return text


def marked(text: str, target: str = "md", lang: str = "en") -> Report:
    """A filled-in sheet marked."""
    report = mark(paper_from_text(text, *KINDS[target]), lenient=False)
    assert report is not None
    return Report(report, View().changed(lang=lang))


def verdicts(report: Report) -> dict[str, str]:
    """The verdict on every answer, by address."""
    return {str(claim.address): claim.verdict.value for claim in report.claims}

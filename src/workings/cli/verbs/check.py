"""`workings check`: every printed number of documents judged, the first wrong one first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workings.cli.command import Verb
from workings.cli.options import Settings, common, targets
from workings.cli.output import emit, note
from workings.cli.progress import busy
from workings.cli.result import FINE, UNSURE, WRONG, write_result
from workings.cli.speaking import Speak

if TYPE_CHECKING:
    from workings.api.checking import Report

NOTHING = 3
EXAMPLES = (
    "workings check notes.md",
    "workings check chapter.tex --lang zh --json",
    "workings check notes.md --fix > notes.patch",
)


def command(speak: Speak, lang: str) -> click.Command:
    """The verb, in a language."""

    def run(documents: tuple[str, ...], fix: bool, lenient: bool, **shared: Any) -> int:
        settings = Settings.of(shared, lang)
        with busy(speak("cli.busy"), wanted=settings.progress):
            reports, codes = _judged(documents, settings, lenient=lenient)
            if fix:
                emit("".join(report.fix() for report in reports), settings.output)
            elif reports:
                from workings.api.checking import Reports

                write_result(reports[0] if len(documents) == 1 else Reports(reports), settings, speak)
        for report in reports:
            codes.append(_code(report, strict=settings.strict))
            if codes[-1] == NOTHING and not settings.quiet:
                note(speak("cli.note.nothing-to-check", path=report.name))
        return _worst(codes)

    params = [
        click.Argument(["documents"], nargs=-1, required=True, metavar="DOC..."),
        click.Option(["--fix"], is_flag=True, help=speak("cli.option.fix")),
        click.Option(["--lenient"], is_flag=True, help=speak("cli.option.lenient")),
        *common(speak, targets(), precision=False),
    ]
    return Verb("check", speak, run, params, EXAMPLES)


def _judged(documents: tuple[str, ...], settings: Settings, *, lenient: bool) -> tuple[list[Report], list[int]]:
    """The documents judged, and the exit codes of those among several that cannot be read."""
    from workings.api.checking import check
    from workings.render.words import Words
    from workings.terms.errors import WorkingsError

    reports, codes = [], []
    for document in documents:
        try:
            reports.append(check(document, lenient=lenient, lang=settings.lang))
        except WorkingsError as error:
            if len(documents) == 1:
                raise
            note(Words(settings.lang).error(error))
            codes.append(error.exit_code)
    return reports, codes


def _code(report: Report, *, strict: bool) -> int:
    counts = report.counts
    if not report.claims and not report.is_worksheet:
        return NOTHING
    if counts["wrong"] or counts["follows"] or (strict and counts["truncated"]):
        return WRONG
    return UNSURE if strict and (counts["unsure"] or report.not_understood) else FINE


def _worst(codes: list[int]) -> int:
    """Several at once: the first of 2, 3, 1, 4."""
    return next((code for code in (2, NOTHING, WRONG, UNSURE) if code in codes), FINE)

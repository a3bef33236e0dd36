"""A judged document as a user holds it: its claims, its first wrong number, and a diff that puts it right."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown
from workings.api.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workings.checking.claims import Claim
    from workings.checking.claims import Report as Judged
    from workings.checking.paper import Paper
    from workings.explaining.tree import Document


EXAMPLES = (".toml", ".json")


class Report(Shown):
    """What a document's printed numbers are worth."""

    def __init__(self, judged: Judged, view: View, raw: str | None = None) -> None:
        self._judged = judged
        self._view = view
        self._raw_text = raw  # None where the document stands in a file

    @property
    def name(self) -> str:
        """The document, as it was named."""
        return self._judged.paper.name

    @property
    def claims(self) -> Sequence[Claim]:
        """Every printed number with its verdict, in reading order."""
        return self._judged.claims

    @property
    def first_wrong(self) -> Claim | None:
        """The first wrong number; None where there is none."""
        return self._judged.first_wrong

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        from workings.checking.verdicts import Verdict

        return {verdict.value: self._judged.counts[verdict] for verdict in Verdict}

    @property
    def is_worksheet(self) -> bool:
        """Whether it is a filled-in worksheet: its blanks are judged, and nothing else."""
        from workings.exercises.marking import Marked

        return isinstance(self._judged, Marked)

    @property
    def not_understood(self) -> int:
        """How many stretches with numbers were not understood; whole numbers that nothing names apart."""
        from workings.explaining.verdicts import PASSED_OVER

        return sum(item.why != PASSED_OVER for item in self._judged.unread)

    def fix(self) -> str:
        """A unified diff that changes the wrong numbers and those that follow them, no others.

        Raises ``FileMissing`` where the document is gone since it was checked.
        """
        from workings.checking.fixing import fix
        from workings.explaining.printed import like_printed

        raw = _raw(self._judged.paper.name) if self._raw_text is None else self._raw_text
        return fix(self._judged, like_printed, raw)

    def document(self) -> Document:
        """The report, as a display tree."""
        from workings.explaining.marked import told

        return told(self._judged)

    def draw(self, target: str, **style: Any) -> str | bytes:
        """The report in a target: ``html`` is a page with the document beside its verdicts."""
        return _page([self], target, **style) if target == "html" else super().draw(target, **style)

    def working(self, place: str) -> Document | None:
        """What one number stands for and how it is worked; ``place`` as the page names it: ``p66-28``, line and column.

        None where no number stands there.
        """
        from workings.explaining.working import working

        return working(self._judged, place)

    def data(self) -> dict[str, Any]:
        """``workings.check/1``."""
        from workings.explaining.judged import report_data

        return report_data(self._judged)

    def __repr__(self) -> str:
        return f"<Report {self._judged.paper.name!r}: {len(self.claims)} numbers, {self.counts['wrong']} wrong>"


class Reports(Shown):
    """Several documents judged."""

    def __init__(self, reports: Sequence[Report]) -> None:
        self.reports = tuple(reports)
        self._view = reports[0]._view

    def document(self) -> Document:
        """The reports, one after the other."""
        from workings.explaining.tree import Document, Text
        from workings.render.inline import with_title

        blocks = [block for report in self.reports for block in with_title(report.document()).blocks]
        return Document(Text("check.several", {"n": len(self.reports)}), tuple(blocks))

    def draw(self, target: str, **style: Any) -> str | bytes:
        """The reports in a target: ``html`` is a page with the documents beside their verdicts."""
        return _page(self.reports, target, **style) if target == "html" else super().draw(target, **style)

    def data(self) -> dict[str, Any]:
        """``workings.checks/1``."""
        return {"schema": "workings.checks/1", "documents": [report.data() for report in self.reports]}


def _page(reports: Sequence[Report], target: str, **style: Any) -> str | bytes:
    """The documents beside their verdicts."""
    from workings.explaining.beside import lay_out
    from workings.render.targets import draw_page

    spread = lay_out([report._judged for report in reports])
    return draw_page(spread, target, reports[0]._view.language, **style)


def check(path: str | os.PathLike[str], *, lenient: bool = False, lang: str | None = None) -> Report:
    """Every printed number of a document judged; of an example file its claims, of a filled-in worksheet its answers.

    Args:
        path: Markdown, LaTeX, text, HTML, a notebook, or an example file.
        lenient: give every earlier number half a unit of its last place to either side.
        lang: the language in which the report is told.

    Raises:
        FileError, ExampleError: what cannot be read.
    """
    view = View().changed(lang=lang)
    if os.fspath(path).lower().endswith(EXAMPLES):
        return Report(_example(os.fspath(path), lenient=lenient), view)
    from workings.checking.reading import read_paper

    return Report(_judged(read_paper(path), lenient=lenient), view)


def check_text(text: str, name: str = "", *, lenient: bool = False, lang: str | None = None) -> Report:
    """The same for a document that stands in no file; its kind is told by the name, or by the text itself."""
    from workings.checking.reading import paper_from_text

    return Report(_judged(paper_from_text(text, name=name), lenient=lenient), View().changed(lang=lang), text)


def _judged(paper: Paper, *, lenient: bool) -> Judged:
    """A document judged, or a worksheet marked."""
    from workings.api.worksheet import mark
    from workings.checking.check import check as judge
    from workings.checking.grammar import statements

    marked = mark(paper, lenient=lenient)
    return judge(paper, statements(paper), lenient=lenient) if marked is None else marked


def _example(path: str, *, lenient: bool) -> Judged:
    """The claims of an example file."""
    from workings.checking.spec import check_example
    from workings.examples.read import read_file

    example = read_file(path)
    return check_example(example, _raw(path), lenient=lenient)


def _raw(path: str) -> str:
    """A file's text, its line ends as they are."""
    from workings.terms.files import reading

    with reading(path), open(path, encoding="utf-8", newline="") as file:
        return file.read()

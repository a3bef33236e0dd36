"""A document that was checked is forgotten as soon as nobody holds its report: nothing of it refers to itself."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from tests.documents.agreement import document
from workings.checking.check import check
from workings.checking.grammar import statements
from workings.checking.reading import read_paper
from workings.explaining.verdicts import explain_report
from workings.render.targets import draw


@pytest.mark.parametrize("number", ["01", "02", "13", "41"])
def test_nothing_waits_for_a_search_for_cycles(number: str) -> None:
    gc.collect()
    gc.disable()
    try:
        paper = read_paper(document(number))
        report = check(paper, statements(paper))
        assert report.first_wrong is not None
        draw(explain_report(report), "text", "en")
        assert report.trace is not None
        alive: list[ref[object]] = [ref(report), ref(report.paper), ref(report.trace), ref(report.trace.expansion)]
        del paper, report
        assert [held() for held in alive] == [None] * len(alive)
    finally:
        gc.enable()

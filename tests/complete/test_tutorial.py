"""The tutorial holds by our own checker, in both languages, and both print the same numbers."""

import re
from pathlib import Path

import pytest

import workings as w
from tests.support.pages import text_of
from tools.file_list import ROOT

PAGES = ("docs/tutorial.md", "docs/tutorial.zh.md")
RIGHT = ("exact", "correctly_rounded", "consistent")
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_number_is_right(page: str) -> None:
    report = w.check(ROOT / page)
    counts = report.counts
    assert sum(counts[verdict] for verdict in RIGHT) == sum(counts.values()) >= 40, counts
    assert report.not_understood == 0


def test_both_languages_work_the_same_arithmetic() -> None:
    english, chinese = map(text_of, PAGES)
    assert DISPLAYED.findall(english) == DISPLAYED.findall(chinese)
    assert len(DISPLAYED.findall(english)) >= 20


@pytest.mark.parametrize("page", PAGES)
def test_all_six_arrays_are_worked_from_the_words(page: str) -> None:
    bound = {str(claim.address).partition("[")[0] for claim in w.check(ROOT / page).claims if claim.address}
    assert {"Q", "K", "V", "score", "exp", "exp_sum", "weight", "head_output"} <= bound


@pytest.mark.parametrize("page", PAGES)
def test_a_changed_digit_is_found(page: str, tmp_path: Path) -> None:
    wrong = ROOT.joinpath(page).read_text(encoding="utf-8").replace(r"7.3891 + 1 &= 8.3891", r"7.3891 + 1 &= 8.3981")
    path = tmp_path / "tutorial.md"
    path.write_text(wrong, encoding="utf-8")
    first = w.check(path).first_wrong
    assert first is not None
    assert first.number.text == "8.3981"

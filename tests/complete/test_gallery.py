"""The gallery: every cause is in it, and the command names it for the document that shows it."""

import re
from pathlib import Path

import pytest

import workings as w
from tools.gallery import WORDS, gallery, page, shows
from workings.checking.causes.registry import BY_ID
from workings.render.words import LANGUAGES

SHOWN = sorted(cause for cause, shown in gallery().items() if shown is not None)
LONGEST = 18  # lines


def test_hardly_a_cause_is_left_to_tensors() -> None:
    assert set(gallery()) == set(BY_ID)
    assert len(SHOWN) >= 80


@pytest.mark.parametrize("cause", SHOWN)
def test_the_command_names_the_cause(cause: str, tmp_path: Path) -> None:
    shown = gallery()[cause]
    assert shown is not None
    assert len(shown.text.splitlines()) <= LONGEST
    path = tmp_path / f"slip.{'md' if shown.language == 'markdown' else shown.language}"
    path.write_text(shown.text, encoding="utf-8")
    report = w.check(path, lang="en")
    assert any(shows(claim, cause) for claim in report.claims)
    if cause != "truncated":
        assert BY_ID[cause].title["en"] in report.to_text().replace("\n", " ")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_cause_is_named_on_the_page(lang: str) -> None:
    text = page(lang)
    for cause in BY_ID:
        kind, _, size = cause.rpartition("-")
        of_sizes = [line for line in text.splitlines() if f"`{kind}-N`" in line]
        assert f"`{cause}`" in text or any(size in re.findall("[0-9]+", line) for line in of_sizes), cause
    assert set(WORDS) == set(LANGUAGES)

"""Pages in a real browser, opened from disk: nothing runs and nothing is asked for, and every reader finds the way."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

import workings as w
from tests.documents.agreement import document
from tests.support.browser import opened
from workings.render.html import Blocks, page, plain
from workings.render.inert import inert
from workings.render.words import Words

TOKENS = (
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "\u202egnp.evil",
    "a\u200bb",
    '"><img src=x onerror=alert(1)>',
    "</pre></style></title><svg onload=alert(1)>",
)
NUMBERS = [[1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [2, 1]]
SCORES = [[sum(a * b for a, b in zip(query, key, strict=True)) for key in NUMBERS] for query in NUMBERS]
EXAMPLE = {"tokens": TOKENS, "inputs": {"Q": NUMBERS, "K": NUMBERS, "V": NUMBERS}}
LANGUAGES = ("en", "zh")


def report_of_example(folder: Path, lang: str) -> str:
    """An example file whose words are hostile, with a wrong score in every row."""
    wrong = [[value + (row == column) for column, value in enumerate(line)] for row, line in enumerate(SCORES)]
    return checked(folder / "example.json", json.dumps({**EXAMPLE, "claims": {"score": wrong}}), lang)


def report_of_text(folder: Path, lang: str) -> str:
    """A document whose name, words and mathematics are hostile."""
    rows = "\n".join(f"| {token} | [{a}, {b}] |" for token, (a, b) in zip(TOKENS, NUMBERS, strict=True))
    arrays = "\n\n".join(f"## {name}\n| token | {name} |\n|---|---|\n{rows}" for name in "QKV")
    scores = "\n".join(f"{token}: $3 \\times 2 = 7$" for token in TOKENS)
    return checked(folder / '"><img src=x onerror=alert(1)>.md', f"{arrays}\n\n{scores}\n", lang)


def explanation(folder: Path, lang: str) -> str:
    """Every block of an explanation, with hostile words along its arrays."""
    document, words = w.explain(EXAMPLE, lang=lang).document(), Words(lang)
    title = plain(document.title, words)
    return page(title, f"<main><h1>{inert('title')}</h1>{Blocks(words).draw(document)}</main>", words)


def checked(path: Path, text: str, lang: str) -> str:
    path.write_text(text, encoding="utf-8")
    return w.check(path, lang=lang).to_html()


PAGES: tuple[Callable[[Path, str], str], ...] = (report_of_example, report_of_text, explanation)


@cache
def published(number: str, lang: str) -> str:
    """The report of a published document."""
    return w.check(document(number), lang=lang).to_html()


def written(folder: Path, text: str) -> Path:
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("make", PAGES)
def test_hostile_words_stay_words(
    make: Callable[[Path, str], str], lang: str, script: bool, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, written(tmp_path, make(tmp_path, lang)), script=script) as found:
        text = found.text()
        assert [token for token in TOKENS if inert(token) not in text] == []
        assert "\u202e" not in text
        assert found.page.locator("script, img, svg, iframe, form, object, embed").count() == 0
        assert found.page.locator("a:not([href^='#'])").count() == 0
        for place in found.page.locator("a.mark").all()[:3]:
            place.click()
        assert found.trouble == []


def test_trouble_would_be_noticed(browser: Browser, tmp_path: Path) -> None:
    text = report_of_example(tmp_path, "en")
    bad = text.replace("</main>", "<script>alert(1)</script><img src='https://example.org/x.png'></main>")
    with opened(browser, written(tmp_path, bad)) as found:
        assert any("Content Security Policy" in note for note in found.trouble), found.trouble
    with opened(browser, written(tmp_path, bad.replace("Content-Security-Policy", "x"))) as found:
        assert {note.partition(":")[0] for note in found.trouble} >= {"dialog", "asked"}, found.trouble


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", ["01", "02", "03", "26"])
def test_every_reader_can_read_a_report(
    number: str, lang: str, dark: bool, width: int, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, written(tmp_path, published(number, lang)), dark=dark, width=width) as found:
        flaws = [
            (flaw["id"], [node["html"][:200] for node in flaw["nodes"]])
            for flaw in Axe().run(found.page).response["violations"]
        ]
        assert flaws == []
        assert found.number("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reader_can_read_an_explanation(lang: str, browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, explanation(tmp_path, lang)), width=390) as found:
        assert [flaw["id"] for flaw in Axe().run(found.page).response["violations"]] == []
        assert found.number("document.documentElement.scrollWidth") <= 390


def test_the_keyboard_leads_from_a_verdict_to_its_place_and_back(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, published("02", "en"))) as found:
        keys, focus = found.page.keyboard, "document.activeElement"
        keys.press("Tab")
        assert found.page.evaluate(f"{focus}.className") == "skip"
        keys.press("Tab")
        assert found.page.evaluate(f"{focus}.id") == "said"
        keys.press("Tab")
        assert found.page.evaluate(f"{focus}.textContent") == "line 70"
        assert found.page.evaluate(f"getComputedStyle({focus}).outlineStyle") == "solid"
        keys.press("Enter")
        marked = found.page.locator("a.mark.wrong:target")
        assert "0.40✗ wrong (0.42 is right)" in (marked.text_content() or "")
        box = marked.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 800
        keys.press("Enter")
        assert found.page.locator(".said a:target").text_content() == "line 70"
        assert marked.count() == 0


def test_the_verdicts_stand_beside_the_document_and_before_it_where_there_is_no_room(
    browser: Browser, tmp_path: Path
) -> None:
    path = written(tmp_path, published("02", "en"))
    tops = "['.said', '.text'].map(part => document.querySelector(part).getBoundingClientRect())"
    with opened(browser, path) as found:
        said, text = found.page.evaluate(tops)
        assert said["left"] >= text["right"]
    with opened(browser, path, width=390) as found:
        said, text = found.page.evaluate(tops)
        assert said["bottom"] <= text["top"]

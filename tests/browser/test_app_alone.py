"""The example as one file, opened from disk: it works, asks nobody, and can be read without scripts."""

from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from tests.browser.test_app_numbers import CELLS
from tests.browser.test_pages import EXAMPLE, TOKENS, written
from tests.support.browser import opened
from tests.support.visiting import printed
from workings.api.view import View
from workings.examples.carried import as_json
from workings.render.inert import inert
from workings.web.example import tell
from workings.web.standalone import draw, standalone

LONG = [f"a-rather-long-word-{place}" for place in range(8)]
WIDE = {"tokens": LONG, "inputs": {name: [[place % 5, 1] for place in range(8)] for name in "QKV"}}
READERS = pytest.mark.parametrize(("lang", "width"), [("en", 1280), ("zh", 390)])


@cache
def file(name: str, lang: str) -> str:
    return standalone(name, View().changed(lang=lang))


def own(example: object, lang: str) -> str:
    return draw(tell("", as_json(example), View().changed(lang=lang)))


@READERS
def test_it_works_from_disk(lang: str, width: int, browser: Browser, tmp_path: Path) -> None:
    numbers = printed("kitten")
    with opened(browser, written(tmp_path, file("kitten", lang)), width=width) as found:
        page = found.page
        panel, strip = page.locator(".panel"), page.locator(".strip [aria-current=step] code")
        expect(panel.locator("h2 code")).to_have_text("score[0,0]")
        assert page.locator(".matrices td[data-cell]").evaluate_all(CELLS).items() <= numbers.items()
        page.locator('td[data-cell="score[2,0]"]').first.click()
        expect(panel.locator("h2 code")).to_have_text("score[2,0]")
        expect(panel.locator(".pairs li")).to_have_count(2)
        expect(page.locator("[aria-live=polite]")).to_contain_text("0.92")
        expect(page.locator('td[data-mark="uses"]')).to_have_count(4)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(".")
        expect(strip).to_have_text("scaled")
        page.keyboard.press("h")
        expect(panel.locator(".hint")).to_be_visible()
        page.keyboard.press("c")
        expect(page.locator("td[data-covered]")).to_have_count(9)
        page.keyboard.press("Enter")
        expect(page.locator("td[data-covered]")).to_have_count(8)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".badge.good")).to_be_visible()
        assert page.get_by_role("button", name="中文", exact=True).count() == 0
        assert found.number("document.documentElement.scrollWidth") <= width
        assert found.trouble == []


@READERS
def test_every_number_and_every_reader(lang: str, width: int, browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, file("two-heads", lang))
    for dark in (False, True):
        with opened(browser, path, width=width, dark=dark) as found:
            expect(found.page.locator(".panel h2 code")).to_be_visible()
            assert [
                (flaw["id"], flaw["nodes"][0]["html"]) for flaw in Axe().run(found.page).response["violations"]
            ] == []
            found.page.keyboard.press("a")
            expect(found.page.locator(".all .one").first).to_be_visible()
            assert found.page.locator(".all td[data-cell]").evaluate_all(CELLS) == printed("two-heads")
            assert found.number("document.documentElement.scrollWidth") <= width
            assert found.trouble == []


@READERS
def test_without_scripts_it_is_the_explanation(lang: str, width: int, browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, file("kitten", lang)), script=False, width=width) as found:
        assert found.page.locator("main td[data-cell]").evaluate_all(CELLS) == printed("kitten")
        assert found.page.locator("main math").count() > 10
        assert found.number("document.documentElement.scrollWidth") <= width
        assert found.trouble == []


def test_hostile_words_stay_words(browser: Browser, tmp_path: Path) -> None:
    for script in (True, False):
        with opened(browser, written(tmp_path, own(EXAMPLE, "en")), script=script) as found:
            if script:
                expect(found.page.locator(".panel h2 code")).to_have_text("score[0,0]")
            text = found.page.locator("main").text_content() or ""
            assert [token for token in TOKENS if inert(token) not in text] == []
            assert "\u202e" not in text
            assert found.page.locator("main").locator("script, img, iframe, form, object, embed, a[href]").count() == 0
            assert found.trouble == []


def test_on_paper_a_long_row_takes_several_lines(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, own(WIDE, "en"))) as found:
        expect(found.page.locator(".panel h2 code")).to_be_visible()
        found.page.keyboard.press("a")
        expect(found.page.locator(".all .one").first).to_be_visible()
        found.page.emulate_media(media="print")
        found.page.set_viewport_size({"width": 680, "height": 900})
        right = "Math.max(...[...document.querySelectorAll('.all td')].map(e => e.getBoundingClientRect().right))"
        assert found.number(right) <= 680
        of = "getComputedStyle(document.querySelector('.cut td'), '::before').content"
        assert found.page.evaluate(of) == f'"{LONG[0]}"'

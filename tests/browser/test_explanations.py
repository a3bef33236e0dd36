"""Explanations in a real browser, opened from disk without scripts: every example, every reader, and on paper."""

from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

import workings as w
from tests.browser.test_pages import EXAMPLE, LANGUAGES, TOKENS, written
from tests.support.browser import opened
from workings.examples import library
from workings.render.inert import inert

WIDE = {
    "tokens": [f"word{place}" for place in range(24)],
    "inputs": {name: [[place % 5, place % 3, 1] for place in range(24)] for name in "QKV"},
}


@cache
def page(name: str, lang: str) -> str:
    return w.explain(name, lang=lang).to_html()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_every_example_shows_itself_and_does_nothing_else(
    name: str, lang: str, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, written(tmp_path, page(name, lang)), script=False) as found:
        assert found.trouble == []
        assert found.page.locator("math").count() > 10
        assert found.page.locator("script, img, svg, iframe, form, object, embed").count() == 0
        links = found.page.locator("nav a").all()
        assert len(links) > 5
        for link in links[-1:]:
            target = str(link.get_attribute("href"))
            assert target.startswith("#")
            assert found.page.locator(f'[id="{target[1:]}"]').count() == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hostile_words_stay_words(lang: str, browser: Browser, tmp_path: Path) -> None:
    whole = w.explain(EXAMPLE, lang=lang)
    for draw in (whole, whole.number("weight[2,0]")):
        with opened(browser, written(tmp_path, draw.to_html())) as found:
            text = found.text()
            shown = TOKENS if draw is whole else TOKENS[2:3]
            assert [token for token in shown if inert(token) not in text] == []
            assert "\u202e" not in text
            assert found.page.locator("script, img, svg, iframe, form, object, embed").count() == 0
            assert found.page.locator("a:not([href^='#'])").count() == 0
            assert found.trouble == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "lang"), [("kitten", "en"), ("kitten", "zh"), ("layer-norm", "en")])
def test_every_reader_can_read_it(
    name: str, lang: str, dark: bool, width: int, browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, written(tmp_path, page(name, lang)), dark=dark, width=width) as found:
        flaws = [(flaw["id"], flaw["nodes"][0]["html"][:200]) for flaw in Axe().run(found.page).response["violations"]]
        assert flaws == []
        assert found.number("document.documentElement.scrollWidth") <= width


def test_a_wide_matrix_scrolls_by_itself(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, w.explain(WIDE, lang="en").to_html()), width=390) as found:
        assert found.number("document.documentElement.scrollWidth") <= 390
        assert found.number("Math.max(...[...document.querySelectorAll('.wide')].map(e => e.scrollWidth))") > 800
        assert found.page.locator("table.cut").count() > 3


@pytest.mark.parametrize("tokens", [8, 16, 24, 40])
def test_on_paper_a_row_that_is_too_long_takes_several_lines(tokens: int, browser: Browser, tmp_path: Path) -> None:
    """At 180 mm, what a sheet of A4 has between its margins, with all numbers still there and none outside."""
    numbers = [[place % 5, place % 3, 1] for place in range(tokens)]
    names = [f"word{place}" for place in range(tokens)]
    example = w.explain({"tokens": names, "inputs": {"Q": numbers, "K": numbers, "V": numbers}}, lang="en")
    with opened(browser, written(tmp_path, example.to_html()), script=False, width=680) as found:
        found.page.emulate_media(media="print")
        assert found.number("document.documentElement.scrollWidth") <= 680
        shown = found.page.locator("table:visible:has(caption:has-text('score'))")
        assert shown.count() == 1
        assert shown.locator("td").count() == tokens * tokens
        right = "Math.max(...[...document.querySelectorAll('td')].map(e => e.getBoundingClientRect().right))"
        assert found.number(right) <= 680
        if tokens > 16:
            beside = "getComputedStyle(document.querySelector('.cut td'), '::before').content === '\"word0\"'"
            assert found.page.evaluate(beside)


@pytest.mark.parametrize("width", [390, 1280])
def test_numbers_of_a_column_have_their_points_below_each_other(width: int, browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, page("kitten", "en")), width=width) as found:
        places = found.page.evaluate(POINTS)
        assert len(places) == 3
        assert max(max(column) - min(column) for column in places) < 1.5


POINTS = """() => {
  const table = document.querySelector('#score ~ .wide table');
  const rows = [...table.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('td')]);
  return rows[0].map((_, column) => rows.map(cells => {
    const text = cells[column].firstChild, point = text.data.indexOf('.'), range = document.createRange();
    range.setStart(text, 0); range.setEnd(text, point < 0 ? text.data.length : point);
    return range.getBoundingClientRect().right;
  }));
}"""


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_on_paper_nothing_is_cut_and_no_heading_is_left_behind(paper: str, browser: Browser, tmp_path: Path) -> None:
    """Nothing is wider than a sheet, and what follows a heading is on the heading's sheet."""
    with opened(browser, written(tmp_path, page("layer-norm", "en")), script=False) as found:
        pdf = found.page.pdf(format=paper)
        assert pdf.startswith(b"%PDF")
        found.page.emulate_media(media="print")
        found.page.set_viewport_size({"width": 680, "height": 900})
        assert found.page.locator("nav").is_hidden()
        rules = found.page.locator("h3").first.evaluate("heading => getComputedStyle(heading).breakAfter")
        assert rules == "avoid"
        wide = (
            "[...document.querySelectorAll('.wide, .equations')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
        )
        assert found.number(wide) == 0

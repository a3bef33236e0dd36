"""Every page of the web app, light and dark, wide and narrow, held against the rules for all readers."""

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from tests.browser.test_app_check import paste
from tests.support.serving import Served
from tests.support.visiting import Reader, Visit, visiting
from tools.generated import NOTES

READERS = (Reader("en"), Reader("en", 1280, dark=True), Reader("zh", 390), Reader("zh", 390, dark=True))


def flaws(visit: Visit) -> list[tuple[str, str]]:
    found = Axe().run(visit.page).response["violations"]
    return [(flaw["id"], flaw["nodes"][0]["html"][:200]) for flaw in found]


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_every_reader_can_use_an_example(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=score&cell=score[2,0]") as visit:
        visit.told("score[2,0]")
        expect(visit.find(".badge.good")).to_be_visible()
        visit.unfold()
        assert flaws(visit) == []
        visit.cell("Q[0,0]").focus()
        visit.page.keyboard.press("5")
        visit.page.keyboard.press("Enter")
        expect(visit.find(".changes")).to_be_visible()
        expect(visit.find(".work[aria-busy=false] > .panel:not(.stale)")).to_be_visible()
        visit.menu("show")
        assert (flaws(visit), visit.fits()) == ([], True)
        visit.press("Escape")
        visit.act(visit.button("layout.all"))
        visit.act(visit.button("cover"))
        expect(visit.find("td[data-covered]").first).to_be_visible()
        assert (flaws(visit), visit.fits()) == ([], True)


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_every_reader_can_take_a_quiz(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&quiz=7&step=score") as visit:
        blank = visit.cell("score[0,0]").locator("input")
        blank.fill("9")
        blank.press("Enter")
        expect(visit.find(".verdict.wrong")).to_be_visible()
        assert (flaws(visit), visit.fits()) == ([], True)
        visit.act(visit.button("help"))
        expect(visit.page.get_by_role("dialog")).to_be_visible()
        assert flaws(visit) == []


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_every_reader_can_have_a_document_checked(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, path="check") as visit:
        expect(visit.find("textarea")).to_be_visible()
        assert flaws(visit) == []
        paste(visit, NOTES)
        visit.act(visit.find(".fix summary"))
        assert (flaws(visit), visit.fits()) == ([], True)

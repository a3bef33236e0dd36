"""A number that is looked at: its arithmetic, what it is made from, what is made from it, and its terms."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.serving import Served
from tests.support.visiting import ALL, BOTH, DESK, PHONE, Reader, printed, visiting

ADDRESS, FACTORS = "score[2,0]", ("Q[2,0]", "K[0,0]")
TERMS = {"Q[2,0]": "1", "K[0,0]": "1", "Q[2,1]": "2", "K[0,1]": "2"}


@pytest.mark.parametrize("reader", ALL, ids=str)
def test_a_number_shows_how_it_comes_about(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=score") as visit:
        visit.point(visit.cell(ADDRESS))
        panel = visit.told(ADDRESS)
        assert panel.locator("h2 strong").text_content() == printed("kitten")[ADDRESS] == "0.92"
        expect(panel.locator(".equation", has_text="0.92").first).to_contain_text("0.9×1.0+0.1×0.2 =0.9+0.02 =0.92")
        assert visit.marked("cell") == {ADDRESS}
        assert visit.marked("uses") == set(TERMS)
        frames = {
            mark: visit.style(visit.find(f'td[data-mark="{mark}"]').first, "outlineStyle") for mark in ("cell", "uses")
        }
        assert frames == {"cell": "solid", "uses": "dashed"}
        numbers = {at: visit.cell(at).get_attribute("data-term") for at in TERMS}
        assert numbers == TERMS
        visit.act(visit.cell(ADDRESS))
        spoken = visit.find("[aria-live=polite]")
        expect(spoken).to_contain_text("0.92")
        expect(spoken).to_contain_text({"en": "times", "zh": "乘"}[reader.lang])
        assert f"cell={ADDRESS}" in visit.page.url.replace("%5B", "[").replace("%2C", ",").replace("%5D", "]")
        assert visit.fits()


@pytest.mark.parametrize("reader", ALL, ids=str)
def test_no_number_moves_when_the_working_comes(reader: Reader, browser: Browser, served: Served) -> None:
    """Where a reader points at must stay under the pointer: matrices wait for no answer about a number."""
    with visiting(browser, served, reader) as visit:
        held: list[Route] = []
        visit.page.route("**/api/cell", lambda route: held.append(route))
        visit.page.goto(f"{served.url}#example=two-heads&step=H0.score&lang={reader.lang}")
        visit.page.reload()
        visit.settle()
        expect(visit.cell("H0.Q[0,0]")).to_be_visible()
        before = visit.places()
        assert {"H0.Q", "H0.K", "H0.score"} == {address.partition("[")[0] for address in before}
        while not held:  # it is asked for when the reader has rested
            visit.page.wait_for_timeout(20)
        for route in held:
            route.continue_()
        visit.told("H0.score[0,0]")
        assert visit.places() == before


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_terms_pair_up(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, f"example=kitten&step=score&cell={ADDRESS}") as visit:
        panel = visit.told(ADDRESS)
        pairs = panel.locator(".pairs button")
        expect(pairs).to_have_count(2)
        expect(pairs.first).to_contain_text(f"{FACTORS[0]} × {FACTORS[1]}")
        visit.point(pairs.first)
        lit = visit.find(".matrices td[data-pulse]")
        expect(lit).to_have_count(2)
        assert set(lit.evaluate_all("cells => cells.map(cell => cell.dataset.cell)")) == set(FACTORS)
        if not reader.touches:
            term = panel.locator('.derivation [data-term="2"]')
            expect(term).to_have_text("0.1×0.2")
            term.hover()
            expect(visit.cell("Q[2,1]")).to_have_attribute("data-pulse", "")
            expect(visit.cell("Q[2,0]")).not_to_have_attribute("data-pulse", "")


def test_the_mouse_only_looks_and_a_click_stays(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score&cell=score[0,0]") as visit:
        visit.told("score[0,0]")
        visit.cell("score[1,2]").hover()
        visit.told("score[1,2]")
        visit.find(".panel").hover()
        visit.told("score[0,0]")
        visit.cell("score[1,2]").click()
        visit.find(".panel").hover()
        visit.told("score[1,2]")
        assert visit.focused() == "score[1,2]"


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_one_number_leads_to_the_next(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&cell=scaled[1,1]") as visit:
        panel = visit.told("scaled[1,1]")
        assert panel.locator("h2 strong").text_content() == printed("kitten")["scaled[1,1]"]
        visit.act(panel.get_by_role("button", name="score[1,1]", exact=True).first)
        panel = visit.told("score[1,1]")
        expect(visit.find(".stage h2")).to_contain_text("(scaled)" if reader.lang == "en" else "（scaled）")
        assert visit.focused() == "score[1,1]"
        visit.act(panel.get_by_role("button", name="Q[1,0]", exact=True).first)
        panel = visit.told("Q[1,0]")
        expect(visit.find(".stage h2")).to_contain_text("Q")
        expect(panel.get_by_role("button", name="score[1,2]", exact=True)).to_be_visible()
        visit.page.go_back()
        visit.told("score[1,1]")


def test_on_a_phone_the_working_folds_away(browser: Browser, served: Served) -> None:
    with visiting(browser, served, PHONE, f"example=kitten&step=score&cell={ADDRESS}") as visit:
        equation = visit.told(ADDRESS).locator(".equation").first
        expect(equation).to_be_in_viewport()
        visit.button("panel.fold").tap()
        expect(equation).not_to_be_in_viewport()
        visit.button("panel.fold").tap()
        expect(equation).to_be_in_viewport()

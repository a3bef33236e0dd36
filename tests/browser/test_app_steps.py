"""Going through the steps by keys, and working a number out before it is shown."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served
from tests.support.visiting import BOTH, DESK, PHONE, Reader, printed, visiting

STEPS = ("score", "scaled", "exp", "exp_sum", "weight", "head_output")


def test_keys_lead_through_the_steps(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score") as visit:
        current = visit.find(".strip [aria-current=step] code")
        for step in STEPS[1:4]:
            visit.press(".")
            expect(current).to_have_text(step)
            expect(visit.find(".stage h2")).to_contain_text(f"({step})")
        visit.press(",")
        expect(current).to_have_text("exp")
        visit.press("ArrowLeft", "ArrowLeft")
        expect(current).to_have_text("score")
        visit.told("score[0,0]")
        visit.press("ArrowRight")
        expect(current).to_have_text("scaled")
        visit.page.go_back()
        expect(current).to_have_text("score")


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_buttons_lead_through_the_steps(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=score") as visit:
        current = visit.find(".strip [aria-current=step] code")
        visit.act(visit.button("step.next"))
        expect(current).to_have_text("scaled")
        visit.act(visit.button("step.previous"))
        expect(current).to_have_text("score")
        visit.act(visit.find(".strip button", "head_output"))
        expect(current).to_have_text("head_output")
        visit.told("head_output[0,0]")
        visit.act(visit.button("layout.all"))
        expect(visit.find(".all .one")).to_have_count(visit.find(".strip li").count())
        visit.act(visit.cell("weight[1,1]"))
        visit.told("weight[1,1]")
        expect(current).to_have_text("weight")
        assert visit.fits()


def test_arrows_move_within_a_matrix(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score") as visit:
        visit.find('.result td[data-cell="score[0,0]"]').focus()
        moves = {"ArrowRight": "score[0,1]", "ArrowDown": "score[1,1]", "End": "score[1,2]", "Home": "score[1,0]"}
        moves |= {"Control+End": "score[2,2]", "ArrowUp": "score[1,2]", "ArrowLeft": "score[1,1]"}
        for key, to in moves.items():
            visit.press(key)
            assert visit.focused() == to, key
        visit.told("score[1,1]")
        edge = visit.find('.result td[data-cell="score[1,1]"]')
        assert visit.style(edge, "outlineStyle") == "solid"
        assert visit.style(edge, "outlineWidth") == "3px"


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_hint_comes_before_the_answer(reader: Reader, browser: Browser, served: Served) -> None:
    numbers = printed("kitten")
    with visiting(browser, served, reader, "example=kitten&step=weight") as visit:
        visit.told("weight[0,0]")
        visit.act(visit.button("cover"))
        covered = visit.find(".result td[data-covered]")
        expect(covered).to_have_count(9)
        assert set(covered.all_text_contents()) == {"?"}
        panel = visit.told("weight[0,0]")
        hint = panel.locator(".hint")
        expect(hint).to_contain_text("A[i,j] =E[i,j]Z[i]")
        assert numbers["weight[0,0]"] not in (visit.find("main").text_content() or "")
        if reader.touches:
            visit.act(visit.button("reveal"))
        else:
            visit.blur()
            visit.press("Enter")
        expect(visit.cell("weight[0,0]")).to_have_text(numbers["weight[0,0]"])
        expect(panel.locator("h2 strong")).to_have_text(numbers["weight[0,0]"])
        expect(covered).to_have_count(8)
        visit.act(visit.button("cover"))
        expect(covered).to_have_count(0)


def test_a_hint_by_its_key(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score") as visit:
        hint = visit.told("score[0,0]").locator(".hint")
        expect(hint).to_have_count(0)
        visit.press("h")
        expect(hint).to_be_visible()
        assert "0.92" not in (hint.text_content() or "")
        visit.press("h")
        expect(hint).to_have_count(0)


@pytest.mark.parametrize("reader", [DESK, PHONE], ids=str)
def test_it_plays_by_itself_until_it_is_paused(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=score") as visit:
        visit.told("score[0,0]")
        visit.page.clock.install()
        if reader.touches:
            visit.button("play").tap()
        else:
            visit.blur()
            visit.press("Space")
        expect(visit.button("pause")).to_be_visible()
        for address in ("score[0,1]", "score[0,2]", "score[1,0]"):
            visit.page.clock.run_for(2500)
            visit.told(address)
        visit.act(visit.button("pause"))
        expect(visit.button("play")).to_be_visible()
        visit.page.clock.run_for(10_000)
        visit.told("score[1,0]")

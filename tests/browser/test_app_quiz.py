"""The quiz: blanks to be filled in, hints, and why an answer is wrong."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served
from tests.support.visiting import BOTH, DESK, Reader, printed, visiting

SLIPS = {
    "scaled[0,1]": ("0.05", {"en": "divided by d_k instead of √d_k", "zh": "除以"}),
    "exp[1,1]": ("1.63", {"en": "2^x in place of e^x", "zh": "2^x"}),
}


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_wrong_answer_is_told_why(reader: Reader, browser: Browser, served: Served) -> None:
    numbers = printed("kitten")
    with visiting(browser, served, reader, "example=kitten&step=scaled") as visit:
        visit.act(visit.button("quiz"))
        panel = visit.find(".panel.quiz")
        expect(panel).to_be_visible()
        expect(visit.find(".score")).to_have_text(visit.say("quiz.score", right="0", of="12"))
        for address, (wrong, why) in SLIPS.items():
            visit.act(visit.find(".strip button", address.partition("[")[0]).first)
            blank = visit.cell(address).locator("input")
            visit.act(blank)
            expect(panel.locator(".question code")).to_have_text(address)
            blank.fill(wrong)
            visit.press("Enter")
            expect(panel.locator(".verdict.wrong")).to_contain_text(visit.say("quiz.wrong"))
            expect(blank).to_have_attribute("aria-invalid", "true")
            visit.act(panel.locator(".why summary"))
            expect(panel.locator(".why")).to_contain_text(why[reader.lang])
            assert numbers[address] not in (panel.text_content() or "")
            blank.fill(numbers[address])
            visit.press("Enter")
            expect(panel.locator(".verdict.right")).to_contain_text(visit.say("quiz.right"))
            expect(blank).not_to_have_attribute("aria-invalid", "true")
        expect(visit.find(".score")).to_have_text(visit.say("quiz.score", right="2", of="12"))
        assert visit.fits()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_hint_and_the_answer(reader: Reader, browser: Browser, served: Served) -> None:
    numbers = printed("kitten")
    with visiting(browser, served, reader, "example=kitten&quiz=7&blanks=12") as visit:
        panel = visit.find(".panel.quiz")
        expect(panel.locator(".question code")).to_have_text("score[0,0]")
        visit.act(panel.get_by_role("button", name=visit.say("hint"), exact=True))
        expect(panel.locator(".hint")).to_contain_text("S[i,j]")
        assert "1.0×1.0" not in (panel.text_content() or "")
        visit.act(visit.button("quiz.reveal"))
        expect(panel.locator(".verdict")).to_contain_text(visit.say("quiz.revealed"))
        expect(visit.cell("score[0,0]").locator("input")).to_have_value(numbers["score[0,0]"])
        expect(visit.find(".score")).to_have_text(visit.say("quiz.score", right="0", of="12"))
        visit.act(visit.button("quiz.next"))
        expect(panel.locator(".question code")).to_have_text("scaled[0,1]")
        visit.act(panel.get_by_role("button", name=visit.say("quiz.stop"), exact=True))
        expect(panel).to_have_count(0)
        expect(visit.find("input.blank-input")).to_have_count(0)
        expect(visit.cell("scaled[0,1]")).to_have_text(numbers["scaled[0,1]"])
        assert "quiz" not in visit.page.url


@pytest.mark.parametrize(
    ("place", "address"), [("step=exp", "exp[1,1]"), ("cell=exp[2,0]", "exp[2,0]"), ("step=Q", "score[0,0]")]
)
def test_an_address_leads_to_a_blank(place: str, address: str, browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, f"example=kitten&quiz=7&{place}") as visit:
        expect(visit.find(".question code")).to_have_text(address)
        expect(visit.cell(address).locator("input")).to_be_visible()


def test_a_whole_quiz_by_keyboard(browser: Browser, served: Served) -> None:
    numbers = printed("kitten")
    with visiting(browser, served, DESK, "example=kitten") as visit:
        visit.told("score[0,0]")
        visit.press("q")
        panel = visit.find(".panel.quiz")
        question = panel.locator(".question code")
        expect(question).to_have_text("score[0,0]")
        for address in ("score[0,0]", "scaled[0,1]", "scaled[1,0]", "exp[1,1]"):
            expect(question).to_have_text(address)
            expect(visit.cell(address).locator("input")).to_be_focused()
            visit.page.keyboard.type(numbers[address])
            visit.press("Enter")
            expect(panel.locator(".verdict.right")).to_be_visible()
            expect(visit.find("[aria-live=polite]")).to_have_text(visit.say("quiz.right"))
            expect(visit.cell(address).locator("input")).to_be_focused()
            visit.press("Enter")
        expect(question).to_have_text("exp[2,0]")
        visit.blur()
        visit.press("p")
        expect(question).to_have_text("exp[1,1]")
        panel.get_by_label(visit.say("quiz.blanks"), exact=True).fill("1")
        panel.get_by_role("button", name=visit.say("quiz.again"), exact=True).click()
        expect(visit.find(".score")).to_have_text(visit.say("quiz.score", right="0", of="1"))
        address = question.text_content() or ""
        blank = visit.cell(address).locator("input")
        blank.fill(numbers[address])
        blank.press("Enter")
        expect(panel).to_contain_text(visit.say("quiz.done"))

"""Given numbers, tokens and settings changed in place: everything that depends on them moves."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served
from tests.support.visiting import BOTH, DESK, Reader, Visit, printed, visiting

GIVEN = "Q[0,0]"


def begin(visit: Visit, address: str) -> None:
    """Opens a given number for editing, as its reader would."""
    if visit.reader.touches:
        if visit.button("edit").get_attribute("aria-pressed") == "false":
            visit.act(visit.button("edit"))
        visit.cell(address).tap()
    else:
        visit.cell(address).dblclick()
    expect(visit.find("input.editor")).to_be_focused()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_given_number_is_changed_in_place(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=score&cell=score[0,0]") as visit:
        visit.told("score[0,0]")
        begin(visit, GIVEN)
        editor = visit.find("input.editor")
        assert editor.input_value() == "1.0"
        assert editor.get_attribute("aria-label") == visit.say("edit.label", address=GIVEN)
        editor.fill("1/3")
        visit.press("Enter")
        expect(visit.cell("score[0,0]")).to_have_text("0.3333")
        visit.settle()
        expect(visit.cell("score[0,0]")).to_have_attribute("data-changed", "")
        expect(visit.cell("score[1,1]")).not_to_have_attribute("data-changed", "")
        expect(visit.find(".changes")).to_contain_text(f"{GIVEN} 1.0 → ")
        expect(visit.find(".changes")).to_contain_text("score[0,0] 1 → 0.3333")
        assert visit.focused() == GIVEN
        expect(visit.page).to_have_url(re.compile("data="))


def test_roots_and_nonsense_and_the_way_back(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score&cell=score[0,0]") as visit:
        visit.refusals = True
        cell, number = visit.cell(GIVEN), visit.cell("score[0,0]")
        cell.focus()
        visit.press("Enter")
        editor, problem = visit.find("input.editor"), visit.find(".bubble")
        for nonsense in ("1/3x", "1/0", "sqrt(", "one"):
            editor.fill(nonsense)
            visit.press("Enter")
            expect(problem).to_be_visible()
            expect(problem).to_have_attribute("role", "alert")
            expect(editor).to_have_attribute("aria-invalid", "true")
            expect(editor).to_have_attribute("aria-describedby", str(problem.get_attribute("id")))
        expect(number).to_have_text("1")
        editor.fill("sqrt(2)")
        expect(problem).to_have_count(0)
        visit.press("Enter")
        expect(number).to_have_text("1.4142")
        visit.settle()
        visit.press("Control+z")
        expect(number).to_have_text("1")
        expect(visit.find(".changes")).to_have_count(0)
        visit.press("Control+y")
        expect(number).to_have_text("1.4142")
        visit.button("undo").click()
        expect(number).to_have_text("1")
        visit.button("redo").click()
        expect(number).to_have_text("1.4142")
        visit.page.go_back()
        expect(number).to_have_text("1")


def test_a_digit_begins_and_escape_ends_an_edit(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score&cell=score[0,0]") as visit:
        visit.cell(GIVEN).focus()
        visit.press("7")
        editor = visit.find("input.editor")
        expect(editor).to_have_value("7")
        visit.press("Escape")
        expect(editor).to_have_count(0)
        assert visit.focused() == GIVEN
        expect(visit.cell(GIVEN)).to_have_text("1.0")
        visit.cell("score[0,0]").dblclick()
        expect(editor).to_have_count(0)


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_tokens_come_and_go(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=weight") as visit:
        visit.refusals = True
        visit.unfold()
        names, shown = visit.find(".token .name"), ["小猫", "吃", "它"]
        expect(names).to_have_text(shown)
        visit.find(".add input").fill("<b>狗</b>")
        visit.act(visit.find(".add button"))
        expect(names).to_have_text([*shown, "<b>狗</b>"])
        expect(visit.find(".result tbody tr")).to_have_count(4)
        assert visit.find(".result b").count() == 0
        visit.act(names.last)
        visit.find(".token input").fill("dog")
        visit.press("Enter")
        expect(names).to_have_text([*shown, "dog"])
        expect(visit.find(".result tbody th").last).to_have_text("dog")
        visit.act(visit.button("tokens.remove", token="吃"))
        expect(names).to_have_text(["小猫", "它", "dog"])
        expect(visit.find(".result tbody tr")).to_have_count(3)
        expect(visit.find(".badge.good")).to_be_visible()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_mask_and_divisor_are_chosen(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=weight&cell=weight[0,2]") as visit:
        visit.refusals = True
        visit.unfold()
        visit.act(visit.find(".options summary"))
        visit.choice("option.mask").select_option("causal")
        expect(visit.cell("weight[0,2]")).to_have_text("0")
        expect(visit.find(".strip code", "masked")).to_have_count(1)
        divisor = visit.page.get_by_label(visit.say("option.divide_by"), exact=True)
        divisor.fill("0")
        visit.press("Enter")
        expect(divisor).to_have_attribute("aria-invalid", "true")
        expect(visit.find(".choices .problem[role=alert]")).to_be_visible()
        divisor.fill("2")
        visit.press("Enter")
        visit.act(visit.find(".options summary"))
        visit.act(visit.find(".strip button", "scaled").first)
        expect(visit.cell("scaled[2,0]")).to_have_text("0.46")
        expect(visit.find(".badge.good")).to_be_visible()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_digits_and_carried_rounding(reader: Reader, browser: Browser, served: Served) -> None:
    address = "scaled[0,0]"
    with visiting(browser, served, reader, f"example=time-machine&step=scaled&cell={address}") as visit:
        cell, badge = visit.cell(address), visit.find(".badge.good")
        expect(badge).to_be_visible()
        visit.menu("show")
        digits, carry = visit.choice("digits"), visit.choice("carry")
        for choice, text in (("8", "1.76470588"), ("exact", "30/17"), ("2", "1.76"), ("auto", "1.7647")):
            digits.select_option(choice)
            expect(cell).to_have_text(text)
            assert text == printed("time-machine", precision=choice if choice.isalpha() else int(choice))[address]
        carry.select_option("2")
        expect(cell).to_have_text("1.76")
        expect(visit.page).to_have_url(re.compile("carry=2"))
        expect(badge).to_be_visible()
        digits.select_option("exact")
        carry.select_option("")
        expect(cell).to_have_text("30/17")
        visit.press("Escape")
        expect(digits).to_be_hidden()
        expect(badge).to_be_visible()

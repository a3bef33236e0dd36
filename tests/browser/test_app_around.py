"""What surrounds an example: files to take away, the address, the other language, help, paper, the keyboard alone."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import workings as w
from tests.support.browser import window
from tests.support.serving import Served
from tests.support.visiting import BOTH, DESK, PHONE, Reader, printed, visiting
from workings.render.words import Words

FILES = {
    "text": ("kitten.txt", "它".encode()),
    "md": ("kitten.md", b"#"),
    "tex": ("kitten.tex", b"% !TeX"),
    "html": ("kitten.html", b"<!DOCTYPE html>"),
    "json": ("kitten.json", b"{"),
    "svg": ("kitten.svg", b"<svg"),
    "csv": ("kitten.csv", b"address"),
    "xlsx": ("kitten.xlsx", b"PK"),
}


def test_every_target_is_saved_as_a_file(browser: Browser, served: Served, tmp_path: Path) -> None:
    with visiting(browser, served, DESK, "example=kitten") as visit:
        for target, (name, start) in FILES.items():
            with visit.page.expect_download() as waited:
                visit.menu("export").get_by_role("button", name=visit.say(f"export.{target}"), exact=True).click()
            assert waited.value.suggested_filename == name
            path = tmp_path / name
            waited.value.save_as(path)
            assert start in path.read_bytes()[:200]
            expect(visit.find(".notice")).to_have_text(visit.say("exported", name=name))
        assert json.loads((tmp_path / "kitten.json").read_text(encoding="utf-8"))["title"]
        assert (tmp_path / "kitten.csv").read_bytes().decode() == w.explain("kitten", lang="en").to_csv()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_address_holds_everything(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&step=weight&cell=weight[2,0]&digits=6") as visit:
        visit.unfold()
        visit.find(".add input").fill("狗")
        visit.act(visit.find(".add button"))
        expect(visit.find(".token .name")).to_have_count(4)
        visit.cell("weight[3,1]").evaluate("cell => cell.focus()")
        visit.told("weight[3,1]")
        visit.settle()
        visit.act(visit.button("cover"))
        expect(visit.find(".result td[data-covered]")).to_have_count(16)
        expect(visit.page).to_have_url(re.compile("cover=1"))  # an edited example is packed before it stands there
        address = visit.page.url
        tokens = visit.find(".token .name").all_text_contents()
        strip = visit.find(".strip code").all_text_contents()
    place = address.partition("#")[2]
    assert place
    other = Reader("en" if reader.lang == "zh" else "zh", reader.width)  # what the address says counts for more
    with visiting(browser, served, other, place) as visit:
        visit.told("weight[3,1]")
        assert visit.find("html").get_attribute("lang") == reader.lang
        assert visit.find(".token .name").all_text_contents() == tokens
        assert visit.find(".strip code").all_text_contents() == strip
        expect(visit.find(".strip [aria-current=step] code")).to_have_text("weight")
        expect(visit.find(".result td[data-covered]")).to_have_count(16)
        visit.act(visit.find(".toolbar button[aria-pressed=true]").last)
        expect(visit.cell("weight[0,0]")).to_have_text("0.306237")
        expect(visit.page).not_to_have_url(re.compile("cover=1"))


def test_an_address_that_says_nonsense(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&cell=nope[9,9]&step=zzz&digits=abc&carry=x&quiz=-1") as visit:
        visit.told("score[0,0]")
        expect(visit.find(".failure")).to_have_count(0)
    with visiting(browser, served, DESK, path="#example=nothing") as visit:
        visit.refusals = True
        expect(visit.find(".failure[role=alert]")).to_contain_text("nothing")
        visit.button("start-over").click()
        visit.settle()
        expect(visit.find(".failure")).to_have_count(0)


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_language_is_switched_in_place(reader: Reader, browser: Browser, served: Served) -> None:
    other = "zh" if reader.lang == "en" else "en"
    with visiting(browser, served, reader, "example=kitten&step=weight&cell=weight[2,0]") as visit:
        titles = {lang: w.explain("kitten", lang=lang).title for lang in ("en", "zh")}
        expect(visit.find("h1")).to_have_text(titles[reader.lang])
        visit.act(visit.button("other-language"))
        expect(visit.find("h1")).to_have_text(titles[other])
        assert visit.find("html").get_attribute("lang") == other
        visit.told("weight[2,0]")
        expect(visit.find(".strip [aria-current=step] code")).to_have_text("weight")
        visit.blur()
        visit.press("l")
        expect(visit.find("h1")).to_have_text(titles[reader.lang])
        expect(visit.page).to_have_title(f"{titles[reader.lang]} · workings")


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_help_lists_the_keys(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten") as visit:
        dialog = visit.page.get_by_role("dialog")
        if reader.touches:
            visit.button("help").tap()
        else:
            visit.blur()
            visit.press("?")
        expect(dialog).to_be_visible()
        for key in ("next-step", "hint", "reveal", "quiz", "undo", "help"):
            expect(dialog).to_contain_text(visit.say(f"key.{key}"))
        visit.press("Escape")
        expect(dialog).to_be_hidden()
        visit.act(visit.button("help"))
        visit.act(dialog.get_by_label(visit.say("help.singles")))
        visit.act(dialog.get_by_role("button", name=visit.say("close"), exact=True))
        step = visit.find(".strip [aria-current=step] code").text_content() or ""
        visit.blur()
        visit.press(".", "q", "a")
        expect(visit.find(".strip [aria-current=step] code")).to_have_text(step)
        expect(visit.find(".quiz")).to_have_count(0)
        visit.press("?")
        expect(dialog).to_be_visible()
        assert visit.fits()


def test_the_keyboard_alone(browser: Browser, served: Served) -> None:
    """From the top of the page to a number, its working, a change and back, with focus to be seen all the way."""
    with visiting(browser, served, DESK, "example=kitten&step=score&cell=score[1,0]") as visit:
        visit.told("score[1,0]")
        focus = visit.find(":focus")
        visit.press("Tab")
        expect(focus).to_have_text(visit.say("skip"))
        expect(focus).to_be_in_viewport()
        visit.press("Enter")
        assert visit.find(":focus").get_attribute("id") == "main"
        seen: list[str] = []
        while "score[1,0]" not in seen and len(seen) < 60:
            visit.press("Tab")
            seen.append(visit.focused())
            assert visit.style(focus, "outlineStyle") != "none", focus.evaluate("element => element.outerHTML")
        assert seen[-1] == "score[1,0]"
        visit.press("ArrowRight", "ArrowRight")
        panel = visit.told("score[1,2]")
        visit.press("Tab")
        while panel.locator(":focus").count() == 0 and len(seen) < 80:
            visit.press("Tab")
            seen.append(visit.focused())
        expect(panel.locator(":focus")).to_have_count(1)
        visit.page.get_by_role("button", name="Q[1,0]", exact=True).first.focus()
        visit.press("Enter")
        expect(visit.cell("Q[1,0]")).to_be_focused()
        visit.press("2", "Enter")
        expect(visit.find(".changes")).to_contain_text("Q[1,0]")
        expect(visit.cell("Q[1,0]")).to_be_focused()
        visit.press("Control+z")
        expect(visit.find(".changes")).to_have_count(0)


@pytest.mark.parametrize("reader", [DESK, PHONE], ids=str)
def test_on_paper(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, "example=kitten&layout=all&cell=weight[2,0]") as visit:
        visit.told("weight[2,0]")
        visit.page.emulate_media(media="print")
        for hidden in (".bar", ".toolbar", ".strip", ".setup", ".actions"):
            expect(visit.find(hidden).first).to_be_hidden()
        for shown in ("h1", ".badge", ".all .one >> nth=-1", ".panel .equation >> nth=0"):
            expect(visit.find(shown)).to_be_visible()
        visit.page.set_viewport_size({"width": 680, "height": 900})
        assert visit.fits()
        assert visit.page.pdf(format="A4").startswith(b"%PDF")


def test_three_pages_lie_behind_one_bar(browser: Browser, served: Served) -> None:
    numbers = printed("kitten")
    with visiting(browser, served, DESK, "example=kitten&step=score") as visit:
        routes = visit.page.get_by_role("navigation", name=visit.say("nav"), exact=True)
        routes.get_by_role("link", name=visit.say("nav.check"), exact=True).click()
        expect(visit.find("h1")).to_have_text(visit.say("check.title"))
        assert visit.page.url.startswith(f"{served.url}check")
        routes.get_by_role("link", name=visit.say("nav.model"), exact=True).click()
        expect(visit.find("main")).to_contain_text(visit.say("model.nothing"))
        visit.page.go_back()
        expect(visit.find("h1")).to_have_text(visit.say("check.title"))
        routes.get_by_role("link", name=visit.say("nav.example"), exact=True).click()
        expect(visit.cell("score[2,0]")).to_have_text(numbers["score[2,0]"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_bar_of_a_small_phone_has_two_lines(lang: str, browser: Browser, served: Served) -> None:
    with visiting(browser, served, Reader(lang, 360), "example=kitten") as visit:
        middles = "all => all.map(one => one.offsetTop + one.offsetHeight / 2)"
        above, below = visit.find(".brand, .routes"), visit.find(".tools > *")
        assert max(above.evaluate_all(middles)) < min(below.evaluate_all(middles))
        for line in (above, below):
            found = line.evaluate_all(middles)
            assert max(found) - min(found) < 10


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_number_that_does_not_hold_is_named(reader: Reader, browser: Browser, served: Served) -> None:
    """It never should happen; where it does, the page says which, and leads there."""
    with visiting(browser, served, reader, "example=kitten") as visit:
        told = {"equalities": 90, "hold": 89, "failures": ["weight[2,1]"], "message": "1/90"}
        visit.page.route("**/api/proof", lambda route: route.fulfill(json=told))
        visit.press("l")
        badge = visit.find(".badge.bad")
        expect(badge).to_contain_text("1/90")
        visit.act(badge.get_by_role("button", name="weight[2,1]"))
        visit.told("weight[2,1]")


@pytest.mark.parametrize(("locale", "lang"), [("zh-TW", "zh"), ("en-US", "en"), ("fr-FR", "en")])
def test_the_language_of_the_browser(locale: str, lang: str, browser: Browser, served: Served) -> None:
    with window(browser, locale=locale) as page:
        page.goto(served.url)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator("nav a").first).to_have_text(Words(lang)["web.nav.example"])


def test_the_keys_for_colours_and_for_sharing(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, "example=kitten&step=score") as visit:
        ground = visit.style(visit.find("body"), "backgroundColor")
        visit.blur()
        visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visit.press("t", "t")
        expect(visit.find("html")).to_have_attribute("data-theme", "dark")
        assert visit.style(visit.find("body"), "backgroundColor") != ground
        visit.press("t")
        expect(visit.find("html")).to_have_attribute("data-theme", "system")
        visit.press("s")
        expect(visit.find(".notice")).to_have_text(visit.say("share.copied"))
        assert visit.page.evaluate("navigator.clipboard.readText()") == visit.page.url


@pytest.mark.parametrize("reader", BOTH, ids=str)
@pytest.mark.parametrize(
    ("name", "option", "to", "step"),
    [
        ("two-heads", "heads", "1", "weight"),
        ("grouped-heads", "d_k", "2", "H3.weight"),
        ("causal", "position", "rope", "angle"),
        ("kitten", "softmax", "shifted", "row_max"),
    ],
)
def test_other_settings_are_chosen(
    name: str, option: str, to: str, step: str, reader: Reader, browser: Browser, served: Served
) -> None:
    with visiting(browser, served, reader, f"example={name}") as visit:
        visit.unfold()
        visit.act(visit.find(".options summary"))
        if option in ("heads", "d_k"):
            field = visit.page.get_by_label(visit.say(f"option.{option}"), exact=True)
            field.fill(to)
            visit.press("Enter")
        else:
            visit.choice(f"option.{option}").select_option(to)
        visit.settle()
        expect(visit.find(".badge.good")).to_be_visible()
        expect(visit.find(".strip code").get_by_text(step, exact=True)).to_have_count(1)

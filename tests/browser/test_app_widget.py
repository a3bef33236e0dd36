"""The widget in a page that knows nothing of it, its channel answered by Python as in a notebook."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import window
from tests.support.mapping import Traced, printed_of
from tests.support.visiting import printed
from workings.web.front import words_of
from workings.web.holding import Opening
from workings.web.widget import MODULE, Desk

HOME = "http://notebook.test/"
PAGE = """<!doctype html><html lang="en"><head><title>notebook</title>
<style>button { text-transform: uppercase; border: 9px solid red } table { display: none }</style>
</head><body><main><h1>notebook</h1><p>above</p><div id="cell"></div><p>below</p></main>
<script type="module" src="/page.js"></script></body></html>"""
SCRIPT = """
import widget from "/widget.js";
const heard = new Set();
const model = {
  get: () => window.start,
  on: (event, then) => heard.add(then),
  off: (event, then) => heard.delete(then),
  send: window.send ?? (async message => {
    const [content, buffers] = JSON.parse(await window.python(JSON.stringify(message)));
    const bytes = buffers.map(text => new DataView(Uint8Array.from(atob(text), one => one.charCodeAt(0)).buffer));
    for (const then of heard) then(content, bytes);
  }),
};
window.model = model;
window.leave = widget.render({ model, el: document.getElementById("cell") });
window.listeners = () => heard.size;
"""
READERS = pytest.mark.parametrize(("lang", "width"), [("en", 1280), ("zh", 390)])


@contextmanager
def shown(
    browser: Browser, opening: Opening, start: dict[str, Any], width: int = 1280, *, style: str = "", send: str = ""
) -> Iterator[Page]:
    """A widget in somebody else's page, which has this style; at the end nobody may have been asked for anything.

    Args:
        send: what its channel does instead of asking Python.
    """
    desk, trouble = Desk(opening), list[str]()
    files = {"": ("text/html", PAGE.replace("</style>", f"{style}</style>")), "page.js": ("text/javascript", SCRIPT)}
    files["widget.js"] = ("text/javascript", MODULE.read_text(encoding="utf-8"))

    def fulfil(route: Route) -> None:
        found = files.get(route.request.url.removeprefix(HOME))
        if found is None:
            trouble.append(f"asked: {route.request.url}")
            route.abort()
        else:
            route.fulfill(content_type=found[0], body=found[1])

    def python(message: str) -> str:
        content, buffers = desk.answer(json.loads(message))
        return json.dumps([content, [base64.b64encode(data).decode() for data in buffers]])

    with window(browser, viewport={"width": width, "height": 900}, reduced_motion="reduce") as page:
        page.route("**", fulfil)
        page.expose_function("python", python)
        page.add_init_script(f"window.start = {json.dumps({**start, 'asleep': words_of(start['lang'])['web.asleep']})}")
        if send:
            page.add_init_script(f"window.send = {send}")
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        page.on("console", lambda said: trouble.append(f"console: {said.text}"))
        page.goto(HOME)
        yield page
    assert trouble == []


@READERS
def test_a_head_in_a_notebook(lang: str, width: int, browser: Browser, traced: Traced) -> None:
    opening = Opening("recording", "short", path=str(traced.folder))
    with shown(browser, opening, {"lang": lang, "page": "model", "hash": "#head=L1.H1&cell=9,4"}, width) as page:
        panel = page.locator(".panel:not(.stale)")
        expect(panel.locator("h2 code")).to_have_text("L1.H1.weight[9,4]")
        assert panel.locator("h2 strong").text_content() == printed_of(traced.folder, "L1.H1.weight[9,4]")
        expect(page.locator(".map[aria-busy=false]")).to_be_visible()
        cell = page.locator('[role=gridcell][tabindex="0"]')
        cell.focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator('[role=gridcell][data-at="9,3"]')).to_be_focused()
        expect(panel.locator("h2 code")).to_have_text("L1.H1.weight[9,3]")
        expect(page.locator('[role=gridcell][data-at="9,3"]')).to_have_text(
            printed_of(traced.folder, "L1.H1.weight[9,3]")
        )
        page.locator("#head-of-map").select_option("L0.H0")
        expect(panel.locator("h2 code")).to_have_text("L0.H0.weight[9,3]")
        assert page.url == HOME
        assert page.evaluate("getComputedStyle(document.body).margin") == "8px"
        assert page.locator(".map-tools button").first.evaluate("one => getComputedStyle(one).borderTopWidth") == "1px"
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.dataset.theme ?? ''") == ""
        page.evaluate("window.leave()")
        expect(page.locator(".map")).to_have_count(0)
        assert page.evaluate("window.listeners()") == 0


def test_keys_stay_with_the_notebook_until_the_widget_has_the_focus(browser: Browser, traced: Traced) -> None:
    opening = Opening("recording", "short", path=str(traced.folder))
    with shown(browser, opening, {"lang": "en", "page": "model", "hash": "#head=L1.H1&cell=9,4"}) as page:
        code = page.locator(".panel:not(.stale) h2 code")
        expect(code).to_have_text("L1.H1.weight[9,4]")
        page.keyboard.press("{")
        page.keyboard.press("ArrowDown")
        expect(code).to_have_text("L1.H1.weight[9,4]")
        page.locator(".widget").focus()
        page.keyboard.press("{")
        expect(code).to_have_text("L1.H0.weight[9,4]")


@READERS
def test_an_example_in_a_notebook(lang: str, width: int, browser: Browser) -> None:
    numbers = printed("kitten")
    with shown(browser, Opening("example", "kitten"), {"lang": lang, "page": "example", "hash": ""}, width) as page:
        cell = page.locator('.matrices td[data-cell="score[2,0]"]').first
        expect(page.locator(".matrices td[data-cell]").first).to_be_visible()
        cell.click()
        panel = page.locator(".panel:not(.stale)")
        expect(panel.locator("h2 code")).to_have_text("score[2,0]")
        assert panel.locator("h2 strong").text_content() == numbers["score[2,0]"]
        expect(page.locator(".badge.good")).to_be_visible()
        page.get_by_role("button", name={"en": "中文", "zh": "English"}[lang], exact=True).click()
        expect(page.get_by_role("button", name={"en": "English", "zh": "中文"}[lang], exact=True)).to_be_visible()
        assert page.url == HOME


@pytest.mark.parametrize(("lang", "cell"), [("en", 700), ("zh", 360)])
def test_a_narrow_cell_in_a_wide_window(lang: str, cell: int, browser: Browser, traced: Traced) -> None:
    """What counts is how wide the widget is."""
    opening, style = Opening("recording", "short", path=str(traced.folder)), f"#cell {{ width: {cell}px }}"
    start = {"lang": lang, "page": "model", "hash": "#head=L1.H1&cell=9,4"}
    with shown(browser, opening, start, style=style) as page:
        expect(page.locator(".panel:not(.stale) h2 code")).to_have_text("L1.H1.weight[9,4]")
        expect(page.locator(".map[aria-busy=false]")).to_be_visible()
        drawn, told = page.locator(".map").bounding_box(), page.locator(".panel").bounding_box()
        assert drawn is not None
        assert told is not None
        assert drawn["width"] > 0.8 * cell
        assert told["y"] > drawn["y"] + drawn["height"]
        overflow = "one => one.scrollWidth - one.clientWidth"
        assert page.locator(".widget").evaluate(overflow) == 0
    start = {"lang": lang, "page": "example", "hash": ""}
    with shown(browser, Opening("example", "kitten"), start, style=style) as page:
        expect(page.locator(".matrices td[data-cell]").first).to_be_visible()
        assert page.locator("details.about").get_attribute("open") is None
        stage, told = page.locator(".stage").bounding_box(), page.locator(".panel").bounding_box()
        assert stage is not None
        assert told is not None
        assert stage["width"] > 0.8 * cell
        assert told["height"] < stage["height"] / 2  # it sticks to the foot, and must leave the matrices in sight
        assert page.locator(".widget").evaluate(overflow) == 0


def test_it_is_as_dark_as_its_notebook(browser: Browser) -> None:
    """Not as the system, which says nothing of a notebook's own colours."""
    style = "body { background: oklch(20% 0.02 260) } body.day { background: #fff }"
    start = {"lang": "en", "page": "example", "hash": ""}
    with shown(browser, Opening("example", "kitten"), start, style=style) as page:
        scheme = "document.querySelector('#cell > div').dataset.theme"
        expect(page.locator(".matrices td[data-cell]").first).to_be_visible()
        assert page.evaluate(scheme) == "dark"
        assert page.locator(".widget").evaluate("one => getComputedStyle(one).colorScheme") == "dark"
        page.evaluate("document.body.classList.add('day')")
        page.wait_for_function(f"() => {scheme} === 'light'")
        page.get_by_text("Settings", exact=True).click()
        page.get_by_role("button", name="dark", exact=True).click()
        page.wait_for_function(f"() => {scheme} === 'dark'")
        page.get_by_role("button", name="as the notebook").click()
        page.wait_for_function(f"() => {scheme} === 'light'")
        expect(page.get_by_text("Print", exact=True)).to_have_count(0)


@pytest.mark.parametrize("send", ["() => {}", "() => { throw new Error('no kernel') }"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_no_python_answers_it_says_what_to_do(lang: str, send: str, browser: Browser) -> None:
    """A notebook that was saved and opened again has no Python until a cell runs."""
    start = {"lang": lang, "page": "example", "hash": ""}
    with shown(browser, Opening("example", "kitten"), start, send=send) as page:
        expect(page.locator(".asleep")).to_be_visible()
        assert page.locator(".asleep").text_content() == words_of(lang)["web.asleep"]
        expect(page.locator(".widget")).to_have_count(0)


def test_a_python_that_left_is_told_of(browser: Browser) -> None:
    with shown(browser, Opening("example", "kitten"), {"lang": "en", "page": "example", "hash": ""}) as page:
        expect(page.locator(".panel:not(.stale) h2 code")).to_have_text("score[0,0]")
        expect(page.locator(".asleep")).to_have_count(0)
        page.evaluate("window.model.send = () => { throw new Error('no kernel') }; 0")
        page.locator('.matrices td[data-cell="score[2,0]"]').first.click()
        expect(page.locator(".widget [role=alert]")).to_contain_text(words_of("en")["web.asleep"])

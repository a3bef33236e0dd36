"""The web app as a person sees and uses it, with everything noted down that should never happen."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Dialog, Locator, Page, Request, expect

import workings as w
from tests.support.browser import window
from tests.support.serving import Served
from workings.render.words import Words

BLOCKED = (
    "document.addEventListener('securitypolicyviolation', event => console.log('policy', event.violatedDirective))"
)
PLACES = """cells => cells.map(cell => {
    const {x, y, width, height} = cell.getBoundingClientRect();
    return [cell.dataset.cell, [x + scrollX, y + scrollY, width, height]];
})"""


class Reader(NamedTuple):
    """Who looks: a language, the width of the window, and the colours."""

    lang: str
    width: int = 1280
    dark: bool = False

    @property
    def touches(self) -> bool:
        return self.width < 600

    def __str__(self) -> str:
        return "-".join([self.lang, "phone" if self.touches else "desktop", *(["dark"] if self.dark else [])])


DESK, PHONE = Reader("en"), Reader("zh", 390)
BOTH = (DESK, PHONE)
ALL = (DESK, PHONE, Reader("zh"), Reader("en", 390))


@dataclass
class Visit:
    """A window of the app."""

    page: Page
    reader: Reader
    words: Words
    trouble: list[str] = field(default_factory=list)
    refusals: bool = False
    """Whether the server may refuse something: the browser puts every refusal on its console."""

    def say(self, key: str, **given: str) -> str:
        """A sentence of the page, as the reader sees it."""
        return self.words.sentence(f"web.{key}", given) if given else self.words[f"web.{key}"]

    def find(self, what: str, text: str | None = None) -> Locator:
        return self.page.locator(what, has_text=text)

    def button(self, key: str, **given: str) -> Locator:
        """The button with this sentence on it, or with it as its name."""
        name = self.say(key, **given)
        return self.page.get_by_role("button", name=name, exact=True)

    def cell(self, address: str) -> Locator:
        """A number in its matrix; a matrix may stand in several places."""
        return self.find(f'.matrices td[data-cell="{address}"]').first

    def choice(self, key: str) -> Locator:
        """The list to choose from that has this name."""
        return self.page.get_by_role("combobox", name=self.say(key), exact=True)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def act(self, what: Locator) -> None:
        """A click, or a tap where there is no mouse."""
        if self.reader.touches:
            what.tap()
        else:
            what.click()

    def point(self, what: Locator) -> None:
        """Points at something with the mouse; a finger can only tap."""
        if self.reader.touches:
            what.tap()
        else:
            what.hover()

    def told(self, address: str) -> Locator:
        """The panel, once it tells of a number."""
        panel = self.find(".panel:not(.stale)")
        expect(panel.locator("h2 code")).to_have_text(address)
        return panel

    def settle(self) -> None:
        """Waits until nothing is being worked out."""
        expect(self.find(".work[aria-busy=false]")).to_be_visible()
        expect(self.find(".stage td[data-cell], .all td[data-cell]").first).to_be_visible()

    def blur(self) -> None:
        """Takes the focus away, so that keys are the page's own."""
        self.page.evaluate("document.activeElement.blur()")

    def focused(self) -> str:
        """The address of the number that has the focus."""
        return str(
            self.page.evaluate(
                "document.activeElement.dataset.cell ?? document.activeElement.closest('td')?.dataset.cell"
            )
        )

    def marked(self, mark: str) -> set[str]:
        """Addresses of the numbers that stand in a frame of one kind."""
        cells = self.find(f'.matrices td[data-mark="{mark}"]')
        return set(cells.evaluate_all("cells => cells.map(cell => cell.dataset.cell)"))

    def places(self) -> dict[str, list[float]]:
        """Where each number stands on the page."""
        return dict(self.find(".matrices td[data-cell]").evaluate_all(PLACES))

    def style(self, what: Locator, name: str) -> str:
        return str(what.evaluate("(element, name) => getComputedStyle(element)[name]", name))

    def fits(self) -> bool:
        """Whether the page is no wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def unfold(self) -> None:
        """Opens what stands above the matrices, where the window is too narrow to show it at once."""
        about = self.find("details.about")
        if about.get_attribute("open") is None:
            self.act(about.locator(":scope > summary"))

    def menu(self, key: str) -> Locator:
        """Opens a menu of the bar."""
        menu = self.find("details.menu").filter(has=self.find("summary", self.say(key)))
        if menu.get_attribute("open") is None:
            self.act(menu.locator("summary"))
        return menu.locator(".sheet")


@contextmanager
def visiting(browser: Browser, served: Served, reader: Reader, place: str = "", path: str = "") -> Iterator[Visit]:
    """The app in a window of its own; at the end nothing may have happened that never should."""
    options = {
        "viewport": {"width": reader.width, "height": 844 if reader.touches else 900},
        "color_scheme": "dark" if reader.dark else "light",
        "has_touch": reader.touches,
        "locale": {"en": "en-GB", "zh": "zh-CN"}[reader.lang],
        "reduced_motion": "reduce",
        "accept_downloads": True,
    }
    with window(browser, **options) as page:
        visit = Visit(page, reader, Words(reader.lang))
        watch(visit, served.url)
        page.goto(f"{served.url}{path}{place and '#' + place}")
        if not path:
            visit.settle()
        yield visit
    assert visit.trouble == []


def printed(source: Any, lang: str = "en", **view: Any) -> dict[str, str]:
    """Every number of an example as Python prints it, by its address."""
    rows = csv.reader(io.StringIO(w.explain(source, lang=lang, **view).to_csv()))
    heads = next(rows)
    (column,) = [place for place, head in enumerate(heads) if head.startswith(("printed", "印出"))]
    return {row[0]: row[column] for row in rows}


def watch(visit: Visit, home: str) -> None:
    """Notes down what the page should never do."""
    page, note = visit.page, visit.trouble.append

    def asked(request: Request) -> None:
        if not request.url.startswith((home, "data:", f"blob:{home}")):
            note(f"asked: {request.url}")

    def dismissed(dialog: Dialog) -> None:
        note(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("request", asked)
    page.on("dialog", dismissed)
    page.on("pageerror", lambda error: note(f"error: {error}"))
    page.on("popup", lambda popup: note(f"opened: {popup.url}"))
    page.on("console", lambda said: None if visit.refusals and "422" in said.text else note(f"console: {said.text}"))
    page.add_init_script(BLOCKED)

"""One head as one file, opened from disk: its colours are worked in the page, its numbers were printed before."""

import random
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

import workings as w
from tests.browser.test_pages import written
from tests.support.browser import opened
from tests.support.mapping import Traced, printed_of
from workings.api.view import View
from workings.models.tiles import SIDE
from workings.render.words import Words
from workings.web.alone import alone
from workings.web.traced import Traced as Open

HEAD, KEYS = "L1.H1", 20
READERS = pytest.mark.parametrize(("lang", "width"), [("en", 1280), ("zh", 390)])
ONE_CODE = 1  # Q and K are kept with 11 bits each: a weight near the edge of two codes may fall on the other side

STATE = "[location.hash, ...[...document.querySelectorAll('.map canvas')].map(one => `${one.width} ${one.height}`)]"
CODES = """(canvas, colours) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const known = new Map(colours.map((colour, code) => [colour, code]));
    const hex = one => one.toString(16).padStart(2, "0");
    const out = [];
    for (let at = 0; at < data.length; at += 4) {
        const colour = `#${hex(data[at])}${hex(data[at + 1])}${hex(data[at + 2])}`;
        out.push(data[at + 3] === 0 ? 0 : (known.get(colour) ?? -1));
    }
    return [width, height, out];
}"""


@lru_cache(maxsize=4)
def file(folder: Path, lang: str) -> str:
    return alone(str(folder), HEAD, View().changed(lang=lang))


def ready(page: Page) -> None:
    expect(page.locator(".map[aria-busy=false]")).to_be_visible()
    expect(page.locator(".row-strip:not(.stale)")).to_be_visible()


def resting(page: Page) -> str:
    """The middle of the map as the address says it, once neither it nor the map's size changes any more."""
    before, now = None, page.evaluate(STATE)
    while before != now:
        page.wait_for_timeout(600)
        before, now = now, page.evaluate(STATE)
    return str(now[0]).partition("&at=")[2].partition("&")[0]


def drawn(page: Page, colours: list[str]) -> tuple[int, int, list[int]]:
    """The codes of all pixels of the map, by their colours."""
    width, height, codes = page.locator(".map .cells").evaluate(CODES, colours)
    return int(width), int(height), codes


@READERS
def test_it_works_from_disk(lang: str, width: int, browser: Browser, traced: Traced, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, file(traced.folder, lang)), width=width) as found:
        page, words = found.page, Words(lang)
        ready(page)
        cells = page.locator("[role=gridcell]")
        page.keyboard.press("v")
        for query, key in ((19, 3), (11, 8), (15, 15)):
            page.keyboard.press("g")
            page.keyboard.type(f"{query},{key}")
            page.keyboard.press("Enter")
            cell = page.locator('[role=gridcell][aria-selected="true"]')
            expect(cell).to_have_attribute("data-at", f"{query},{key}")
            expect(cell).to_have_text(printed_of(traced.folder, f"{HEAD}.weight[{query},{key}]"))
            expect(page.locator(".panel h2 code")).to_have_text(f"{HEAD}.weight[{query},{key}]")
        for at, text in cells.evaluate_all("all => all.map(one => [one.dataset.at, one.textContent])"):
            query, key = map(int, at.split(","))
            masked = words["web.map.masked.cell"]
            assert text == (masked if key > query else printed_of(traced.folder, f"{HEAD}.weight[{at}]")), at
        row = page.locator(".row-strip:not(.stale)")
        expect(row.locator("h2")).to_contain_text("15")
        weights = row.locator(".top button strong").all_text_contents()
        rest, total = (Decimal(row.locator(f".{name} strong").text_content() or "") for name in ("rest", "sum"))
        assert sum(map(Decimal, weights)) + rest == total == 1
        page.keyboard.press("Control+ArrowLeft")
        weight = w.recorded(traced.folder)[HEAD].tile(range(KEYS))[15]
        behind = [key for key in range(1, 15) if weight[key] > weight[key - 1] and weight[key] > weight[key + 1]]
        expect(page.locator(".panel h2 code")).to_have_text(f"{HEAD}.weight[15,{behind[-1]}]")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        assert found.number("document.documentElement.scrollWidth") <= width
        assert found.trouble == []


def test_its_tiles_are_pythons(browser: Browser, long_traced: Traced, tmp_path: Path) -> None:
    tiles = Open(str(long_traced.folder), "").head(HEAD).alone
    page_file = written(tmp_path, file(long_traced.folder, "en"))
    size = tiles.shape(0)[0]
    tile = cache(lambda row, column: tiles.tile(0, row, column, "max"))
    with opened(browser, page_file) as found:
        page = found.page
        ready(page)
        table = long_traced.served.post(
            "table",
            {
                "recording": long_traced.served.ask("GET", "/api/opened").json()["recording"],
                "head": HEAD, "level": 0, "pooled": "max", "against": None, "lang": "en",
            },
        ).json()["colours"]  # fmt: skip
        alike = {code: [other for other in range(1, 256) if table[other] == table[code]] for code in range(1, 256)}
        off = []
        for row, column in ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)):
            query, key = (min(place * SIDE + SIDE // 2, size - 1) for place in (row, column))
            page.goto("about:blank")  # so that the address is that of a page which is opened, not of one that is there
            page.goto(f"{page_file.as_uri()}#cell={query},{key}&z=1&at={query},{key}")
            ready(page)
            at = resting(page)
            width, height, codes = drawn(page, table)
            middle_row, middle_column = map(float, at.split(","))
            top, left = middle_row - height / 4, middle_column - width / 4
            sample = random.Random(row * 3 + column)
            for _ in range(3000):
                x, y = sample.randrange(width), sample.randrange(height)
                q, k = int(top + (y + 0.5) / 2), int(left + (x + 0.5) / 2)
                on_mark = abs(q - query) < 6 or abs(k - key) < 6
                if on_mark or not (0 <= q < size and 0 <= k < size):
                    continue
                expected = int(tile(q // SIDE, k // SIDE)[q % SIDE, k % SIDE])
                code = codes[y * width + x]
                assert (code == 0) is (expected == 0), (q, k)
                off.append(min(abs(one - expected) for one in alike.get(code, [code])))
        assert len(off) > 10_000
        assert max(off) <= ONE_CODE
        assert found.trouble == []


@READERS
def test_every_reader_can_use_it(lang: str, width: int, browser: Browser, traced: Traced, tmp_path: Path) -> None:
    path = written(tmp_path, file(traced.folder, lang))
    for dark in (False, True):
        with opened(browser, path, width=width, dark=dark) as found:
            ready(found.page)
            found.page.keyboard.press("v")
            expect(found.page.locator(".reader")).to_be_visible()
            violations = Axe().run(found.page).response["violations"]
            assert [(flaw["id"], flaw["nodes"][0]["html"]) for flaw in violations] == []
            assert found.number("document.documentElement.scrollWidth") <= width
            assert found.trouble == []


def test_the_address_brings_the_place_back(browser: Browser, traced: Traced, tmp_path: Path) -> None:
    path = written(tmp_path, file(traced.folder, "en"))
    with opened(browser, path) as found:
        found.page.goto("about:blank")
        found.page.goto(f"{path.as_uri()}#cell=9,4&z=6&pooled=sum&table=1")
        ready(found.page)
        expect(found.page.locator(".panel h2 code")).to_have_text(f"{HEAD}.weight[9,4]")
        expect(found.page.locator(".reader")).to_be_visible()
        expect(found.page.locator(".map .mini")).to_be_visible()

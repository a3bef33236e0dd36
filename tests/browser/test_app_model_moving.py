"""The map by hand and by keyboard: pan, zoom, find, go to, local maxima, other heads; and for a screen reader."""

import random

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

import workings as w
from tests.support.mapping import LONG, MapVisit, Traced, mapping, printed_of
from tests.support.visiting import ALL, BOTH, DESK, PHONE, Reader
from workings.render.words import Words

LONG_KEYS = LONG + 1
HEAD = "L1.H1"


def view_of(visit: MapVisit) -> tuple[float, float, float]:
    """Zoom and middle as the address says them."""
    said = visit.hash()
    row, column = said["at"].replace("%2C", ",").split(",")
    return float(said["z"]), float(row), float(column)


def press(visit: MapVisit, *keys: str) -> None:
    for key in keys:
        visit.page.keyboard.press(key)


def resting(visit: MapVisit) -> float:
    """The zoom that the address says once it says the same for a while; it is written when the hand is at rest."""
    visit.page.wait_for_function("() => location.hash.includes('&z=')")
    before, now = -1.0, view_of(visit)[0]
    while before != now:
        visit.page.wait_for_timeout(600)
        before, now = now, view_of(visit)[0]
    return now


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_keys_alone_are_enough(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L0.H1&cell=10,5") as visit:
        press(visit, "ArrowDown", "ArrowRight")
        visit.told("L0.H1.weight[11,6]")
        press(visit, "Shift+ArrowUp")
        visit.told("L0.H1.weight[0,6]")
        press(visit, "Shift+ArrowDown")
        visit.told("L0.H1.weight[16,6]")
        press(visit, "]")
        visit.told("L1.H1.weight[16,6]")
        press(visit, "{")
        visit.told("L1.H0.weight[16,6]")
        press(visit, "[", "}")
        visit.told("L0.H1.weight[16,6]")
        visit.holds(z="")
        press(visit, "+", "+", "+")
        zoom = resting(visit)
        press(visit, "-")
        visit.page.wait_for_function(
            f"() => Math.abs(Number(new URLSearchParams(location.hash.slice(1)).get('z')) - {zoom - 0.5}) < 0.02"
        )
        press(visit, "Enter")
        visit.page.wait_for_function("() => new URLSearchParams(location.hash.slice(1)).get('z') === '6'")
        press(visit, "0")
        visit.holds(z="")
        press(visit, "?")
        help = visit.page.get_by_role("dialog")
        expect(help).to_contain_text(visit.visit.say("key.peak"))
        assert help.locator("kbd").count() > 20
        press(visit, "Escape")
        expect(help).to_be_hidden()
        press(visit, "v")
        expect(visit.page.locator(".reader")).to_be_visible()
        visit.holds(table="1")


def test_local_maxima_are_gone_to(browser: Browser, traced: Traced) -> None:
    weight = w.recorded(traced.folder)["L1.H0"].tile(range(20))
    row = weight[15]
    ahead = [key for key in range(4, 15) if row[key] > row[key - 1] and row[key] > row[key + 1]]
    back = [key for key in range(3) if (key == 0 or row[key] > row[key - 1]) and row[key] > row[key + 1]]
    with mapping(browser, traced.served, DESK, "head=L1.H0&cell=15,3") as visit:
        press(visit, "Control+ArrowRight")
        visit.told(f"L1.H0.weight[15,{ahead[0]}]")
        press(visit, "Control+ArrowRight")
        visit.told(f"L1.H0.weight[15,{ahead[1]}]")
    with mapping(browser, traced.served, DESK, "head=L1.H0&cell=15,3") as visit:
        press(visit, "Control+ArrowLeft")
        visit.told(f"L1.H0.weight[15,{back[-1]}]")
        column = weight[:, back[-1]]
        above = [
            query
            for query in range(15)
            if column[query] > column[query + 1] and (query == 0 or column[query] > column[query - 1])
        ]
        press(visit, "Control+ArrowUp")
        visit.told(f"L1.H0.weight[{above[-1]},{back[-1]}]")


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_pixel_leads_to_the_largest_weight_that_it_shows(
    reader: Reader, browser: Browser, long_traced: Traced
) -> None:
    head = w.recorded(long_traced.folder)[HEAD]
    drawn = random.Random(11)
    for _ in range(3):
        query = drawn.randrange(100, LONG_KEYS)
        key = drawn.randrange(query - 60)
        with mapping(
            browser, long_traced.served, reader, f"head={HEAD}&pooled={'sum' if reader.touches else 'max'}"
        ) as visit:
            pooling = visit.page.locator(".legend-of-map .pooling")
            side = 16 if reader.touches else int((pooling.text_content() or "").split("×")[1].split()[0])
            assert side in (2, 4, 8, 16)
            expect(pooling).to_contain_text("权重之和" if reader.touches else "the largest weight")
            visit.press_at(query, key, LONG_KEYS)
            visit.page.wait_for_function("() => location.hash.includes('&z=6')")
            chosen = tuple(map(int, visit.hash()["cell"].replace("%2C", ",").split(",")))
        spots = [(q, k) for q in (query - 1, query, query + 1) for k in (key - 1, key, key + 1)]
        blocks = {(q // side * side, k // side * side) for q, k in spots}
        largest = set()
        for top, left in blocks:
            tile = head.tile(range(top, min(top + side, LONG_KEYS)), range(left, min(left + side, LONG_KEYS)))
            at = np.unravel_index(np.argmax(tile), tile.shape)
            largest.add((top + int(at[0]), left + int(at[1])))
        assert chosen in largest


def test_the_mouse_drags_turns_and_zooms(browser: Browser, long_traced: Traced) -> None:
    with mapping(browser, long_traced.served, DESK, f"head={HEAD}&cell=300,200&z=4") as visit:
        visit.page.wait_for_function("() => location.hash.includes('&at=')")
        over = visit.page.locator(".map .over")
        over.scroll_into_view_if_needed()
        box = over.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        zoom, row, column = view_of(visit)
        assert (zoom, row, column) == (4, 300.5, 200.5)
        visit.page.mouse.move(x, y)
        visit.page.mouse.down()
        visit.page.mouse.move(x - 20, y - 20)
        visit.page.mouse.move(x - 166, y - 86)
        visit.page.mouse.up()
        visit.page.wait_for_function("() => !location.hash.includes('at=300.5')")
        _, moved_down, moved_along = view_of(visit)
        assert moved_down - row == pytest.approx(86 / 16, abs=0.6)
        assert moved_along - column == pytest.approx(166 / 16, abs=0.6)
        visit.holds(cell="300,200")
        visit.page.mouse.wheel(0, 160)
        visit.page.wait_for_function(f"() => !location.hash.includes('at={moved_down:g}')")
        assert view_of(visit)[1] - moved_down == pytest.approx(10, abs=0.2)
        visit.page.keyboard.down("Control")
        visit.page.mouse.wheel(0, -120)
        visit.page.keyboard.up("Control")
        visit.page.wait_for_function("() => !location.hash.includes('&z=4&')")
        assert view_of(visit)[0] > 4
        mini = visit.page.locator(".map .mini")
        expect(mini).to_be_visible()
        mini.click(position={"x": 4, "y": 100})
        visit.page.wait_for_function(
            "() => Number(new URLSearchParams(location.hash.slice(1)).get('at').split(',')[0]) > 500"
        )


def test_two_fingers_zoom_on_a_phone(browser: Browser, long_traced: Traced) -> None:
    with mapping(browser, long_traced.served, PHONE, f"head={HEAD}&cell=300,200&z=4") as visit:
        visit.page.wait_for_function("() => location.hash.includes('&at=')")
        over = visit.page.locator(".map .over")
        over.scroll_into_view_if_needed()
        box = over.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        hands = visit.page.context.new_cdp_session(visit.page)

        def touch(kind: str, *apart: float) -> None:
            points = [{"x": x + side * far, "y": y, "id": at} for far in apart for at, side in enumerate((-1, 1))]
            hands.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", 30)
        for far in (40, 50, 60):
            touch("touchMove", far)
        touch("touchEnd")
        visit.page.wait_for_function("() => !location.hash.includes('&z=4&')")
        assert view_of(visit)[0] == pytest.approx(5, abs=0.1)
        visit.holds(cell="300,200")


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_words_are_found(reader: Reader, browser: Browser, traced: Traced) -> None:
    tokens = w.recorded(traced.folder).tokens
    cats = [place for place, token in enumerate(tokens) if "cat" in token]
    assert len(cats) == 2
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=19,0") as visit:
        press(visit, "/")
        field = visit.page.get_by_label(visit.visit.say("map.find"), exact=True)
        expect(field).to_be_focused()
        field.fill("CAT")
        expect(visit.page.locator(".asking .count")).to_have_text(visit.visit.say("map.find.count", n="2"))
        press(visit, "Enter")
        visit.told(f"L1.H1.weight[19,{cats[0]}]")
        press(visit, "Enter")
        visit.told(f"L1.H1.weight[19,{cats[1]}]")
        press(visit, "Shift+Enter")
        visit.told(f"L1.H1.weight[19,{cats[0]}]")
        visit.visit.act(visit.page.locator(".asking .segments").get_by_text(visit.visit.say("map.query"), exact=True))
        visit.visit.act(visit.page.locator(".hits button").last)
        visit.told(f"L1.H1.weight[{cats[1]},{cats[0]}]")
        field.press("Escape")
        expect(field).to_have_count(0)
        assert visit.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"


def test_a_place_that_is_none_is_told_of(browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK) as visit:
        for text, key, given in (
            ("5", "map.goto.how", {}),
            ("5,99", "map.goto.outside", {"queries": "19", "keys": "19"}),
        ):
            press(visit, "g") if text == "5" else None
            field = visit.page.locator(".asking input")
            field.fill(text)
            press(visit, "Enter")
            expect(visit.page.locator(".asking [role=alert]")).to_have_text(visit.visit.say(key, **given))


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_screen_reader_finds_every_cell(reader: Reader, browser: Browser, long_traced: Traced) -> None:
    with mapping(browser, long_traced.served, reader, f"head={HEAD}&cell=400,390") as visit:
        grid = visit.page.get_by_role("grid")
        expect(grid).to_have_attribute("aria-rowcount", str(LONG_KEYS + 1))
        expect(grid).to_have_attribute("aria-colcount", str(LONG_KEYS + 1))
        chosen = visit.cell(400, 390)
        expect(chosen).to_have_attribute("tabindex", "0")
        assert visit.page.locator('[role=gridcell][tabindex="0"]').count() == 1
        assert (chosen.get_attribute("aria-colindex"), chosen.locator("..").get_attribute("aria-rowindex")) == (
            "392",
            "402",
        )
        expect(chosen).to_have_text(printed_of(long_traced.folder, f"{HEAD}.weight[400,390]"))
        chosen.focus()
        press(visit, "ArrowLeft")
        expect(visit.cell(400, 389)).to_be_focused()
        spoken = visit.page.locator("[aria-live=polite]").first
        tokens = w.recorded(long_traced.folder).tokens
        where = {"query": "400", "asks": tokens[400], "key": "389", "answers": tokens[389]}
        expect(spoken).to_contain_text(visit.visit.words.sentence("web.map.where", where))
        expect(spoken).to_contain_text(Words(reader.lang)["map.rank"].split("{")[0])
        header = grid.get_by_role("rowheader").nth(4)
        expect(header).to_have_text(f"400 {tokens[400]}")
        ring = visit.visit.style(visit.page.locator(".map"), "outlineStyle")
        assert ring == "solid"


def flaws(visit: MapVisit) -> list[tuple[str, str]]:
    found = Axe().run(visit.page).response["violations"]
    return [(flaw["id"], flaw["nodes"][0]["html"][:200]) for flaw in found]


@pytest.mark.parametrize("reader", [*ALL, Reader("en", 1280, dark=True), Reader("zh", 390, dark=True)], ids=str)
def test_every_reader_can_use_it(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=12,8&table=1&stages=1") as visit:
        expect(visit.page.locator(".way")).to_be_visible()
        assert (flaws(visit), visit.visit.fits()) == ([], True)
        visit.page.locator(".heads select").select_option("sink")
        visit.page.locator(".map-tools select").last.select_option("L0.H0")
        expect(visit.page.locator(".census button").first).to_be_visible()
        press(visit, "/")
        visit.page.locator(".asking input").fill("the")
        expect(visit.page.locator(".hits button").first).to_be_visible()
        assert (flaws(visit), visit.visit.fits()) == ([], True)


def test_paper_has_the_map_and_no_tools(browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK, "head=L1.H1&cell=12,8") as visit:
        visit.page.emulate_media(media="print")
        expect(visit.page.locator(".map-tools")).to_be_hidden()
        expect(visit.page.locator(".map .cells")).to_be_visible()
        expect(visit.page.locator(".panel .derivation")).to_be_visible()

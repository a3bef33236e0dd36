"""The maps of a recording's heads: their colours, their numbers, and what is told of any of them."""

import random
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Route, expect

import workings as w
from tests.support.mapping import Traced, mapping, printed_of
from tests.support.visiting import ALL, BOTH, DESK, Reader
from workings.models.recording import Recording

HEADS = ("L0.H0", "L0.H1", "L1.H0", "L1.H1")
KEYS = 20
PIXELS = """head => {
    const canvas = head.querySelector("canvas");
    const { width, height } = canvas;
    return [width, height, Array.from(canvas.getContext("2d").getImageData(0, 0, width, height).data)];
}"""
SHIFTS = """window.moved = [];
new PerformanceObserver(list => {
    for (const { node, previousRect, currentRect } of list.getEntries().flatMap(entry => entry.sources)) {
        const isMap = node instanceof Element && node.matches(".map, .map .over");
        if (isMap && previousRect.height > 0) window.moved.push([previousRect, currentRect]);
    }
}).observe({ type: "layout-shift", buffered: true });"""
STRIP = """expected => {
    const canvas = document.querySelector(".strip-of-row canvas");
    const { width } = canvas;
    const copy = new OffscreenCanvas(width, 1).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, 1);
    const hex = one => one.toString(16).padStart(2, "0");
    return expected.every((colour, key) => {
        const at = 4 * Math.floor((key + 0.5) / expected.length * width);
        const [red, green, blue, alpha] = data.slice(at, at + 4);
        return colour === (alpha === 0 ? "" : `#${hex(red)}${hex(green)}${hex(blue)}`);
    });
}"""
CELLS = random.Random(5).sample([(query, key) for query in range(KEYS) for key in range(query + 1)], 12)


def tokens_of(traced: Traced) -> int:
    return len(w.recorded(traced.folder).tokens)


def test_the_text_is_as_long_as_these_tests_take_it(traced: Traced) -> None:
    assert tokens_of(traced) == KEYS


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_map_stands_still_while_the_rest_comes(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader) as visit:
        visit.page.add_init_script(SHIFTS)
        visit.page.reload()
        visit.settle()
        assert visit.page.evaluate("window.moved") == []


@pytest.mark.parametrize("reader", [DESK, Reader("zh", 360), Reader("en", 360)], ids=str)
def test_nothing_moves_when_the_numbers_of_a_row_come(reader: Reader, browser: Browser, traced: Traced) -> None:
    """The first row has its place before it is there, and another with fewer numbers takes no less."""
    with mapping(browser, traced.served, reader, "head=L1.H0&cell=17,2") as visit:
        held = list[Route]()
        visit.page.route("**/api/row", lambda one: held.append(one))
        visit.page.reload()
        expect(visit.page.locator(".panel:not(.stale) h2 strong")).to_be_visible()
        row, part = visit.page.locator(".row-strip"), visit.page.locator(".map-part")
        expect(row).to_have_class(re.compile("pending"))
        expect(row.locator("h2")).to_contain_text("17")
        expect(visit.page.locator(".map[aria-busy=false]")).to_be_visible()
        before = part.bounding_box()
        visit.page.route("**/api/row", lambda one: one.continue_())
        for one in held:
            one.continue_()
        expect(row.locator(".top strong")).to_have_count(10)
        assert part.bounding_box() == before
        visit.page.evaluate("location.hash = location.hash.replace('cell=17,2', 'cell=1,0')")
        expect(visit.page.locator(".row-strip:not(.stale) .top strong")).to_have_count(4)
        after = part.bounding_box()
        assert before is not None
        assert after is not None
        assert after["height"] == before["height"]


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_strip_has_the_colours_of_its_row(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L1.H0&cell=17,2") as visit:
        codes = visit.ask(traced.served, "tile", head="L1.H0", level=0, row=0, column=0, pooled="max", against=None)
        colours = visit.ask(traced.served, "recording", lang="en")["table"]["colours"]
        for query in (17, 9, 0):
            visit.page.keyboard.press("g")
            visit.page.keyboard.type(f"{query},0")
            visit.page.keyboard.press("Enter")
            row = codes[query * KEYS : (query + 1) * KEYS]
            expected = [colours[code] if code else "" for code in row]
            visit.page.wait_for_function(STRIP, arg=expected)


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_every_number_shown_is_what_python_prints(reader: Reader, browser: Browser, traced: Traced) -> None:
    head = HEADS[reader.touches]
    with mapping(browser, traced.served, reader, f"head={head}&table=1") as visit:
        for query, key in CELLS:
            address = f"{head}.weight[{query},{key}]"
            visit.page.keyboard.press("g")
            visit.page.keyboard.type(f"{query},{key}")
            visit.page.keyboard.press("Enter")
            panel = visit.told(address)
            expected = printed_of(traced.folder, address)
            assert panel.locator("h2 strong").text_content() == expected
            expect(visit.cell(query, key)).to_have_text(expected)
            expect(visit.page.locator(".under strong")).to_have_text(expected)
        near = visit.page.locator("[role=gridcell]").evaluate_all(
            "cells => cells.map(one => [one.dataset.at, one.textContent])"
        )
        assert len(near) == 81
        for at, text in near:
            query, key = map(int, at.split(","))
            expected = (
                visit.visit.say("map.masked.cell") if key > query else printed_of(traced.folder, f"{head}.weight[{at}]")
            )
            assert text == expected, at


@pytest.mark.parametrize(
    "address", ["L1.H0.Q[5,3]", "L1.H0.score[5,3]", "L1.H0.lse[5]", "L0.X[2,7]", "L1.H1.head_output[4,1]"]
)
def test_any_number_is_found_by_its_name(address: str, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK, f"address={address}") as visit:
        panel = visit.told(address)
        assert panel.locator("h2 strong").text_content() == printed_of(traced.folder, address)
        visit.holds(address=address)
        link = panel.locator(".derivation button.link, .links button.link").first
        to = link.text_content() or ""
        link.click()
        assert visit.told(to).locator("h2 strong").text_content() == printed_of(traced.folder, to)
        visit.page.go_back()
        visit.told(address)


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_is_that_of_its_weight_and_masked_cells_are_clear(
    dark: bool, browser: Browser, traced: Traced
) -> None:
    with mapping(browser, traced.served, Reader("en", 1280, dark), "head=L1.H1&cell=19,0") as visit:
        shared = {"head": "L1.H1", "pooled": "max", "against": None}
        colours = visit.ask(traced.served, "table", level=0, lang="en", **shared)["colours"]
        codes = visit.ask(traced.served, "tile", level=0, row=0, column=0, **shared)
        expected = [
            [colours[code] if code else "" for code in codes[at * KEYS : (at + 1) * KEYS]] for at in range(KEYS)
        ]
        drawn = visit.colours(KEYS)
        assert [row[1:] for row in drawn[:-1]] == [row[1:] for row in expected[:-1]]  # the last query is marked
        assert all((drawn[query][key] == "") is (key > query) for query in range(KEYS) for key in range(KEYS))
        assert "gradient" in visit.visit.style(visit.page.locator(".map .cells"), "backgroundImage")


def test_the_legend_is_drawn_from_the_colours_of_the_map(browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK, "head=L1.H1") as visit:
        table = visit.ask(traced.served, "table", head="L1.H1", level=0, pooled="max", against=None, lang="en")
        script = "bar => Array.from(bar.getContext('2d').getImageData(0, 0, 255, 1).data)"
        pixels = visit.page.locator(".legend-of-map .scale canvas").evaluate(script)
        drawn = ["#" + bytes(pixels[at : at + 3]).hex() for at in range(0, 255 * 4, 4)]
        assert drawn == table["colours"][1:]
        ticks = visit.page.locator(".legend-of-map .tick")
        assert ticks.all_text_contents() == [tick["text"] for tick in table["ticks"]]
        box = visit.page.locator(".legend-of-map .scale").bounding_box()
        assert box is not None
        for place, tick in enumerate(table["ticks"]):
            left = ticks.nth(place).evaluate("tick => parseFloat(tick.style.left)")
            assert left == pytest.approx((tick["code"] - 0.5) / 255 * 100, abs=0.01)


@pytest.mark.parametrize("reader", ALL, ids=str)
def test_a_cell_is_chosen_where_it_is_seen(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L0.H1&cell=19,0") as visit:
        visit.press_at(12, 4, KEYS)
        panel = visit.told("L0.H1.weight[12,4]")
        expect(panel.locator(".rank")).to_contain_text("13")
        expect(panel.locator(".where-of-map")).to_contain_text("12")
        expect(visit.page.locator("[aria-live=polite]").first).to_contain_text(
            {"en": "in its row", "zh": "在这一行"}[reader.lang]
        )
        visit.holds(head="L0.H1", cell="12,4", lang=reader.lang)
        assert visit.visit.fits()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_row_adds_up_to_exactly_one(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L1.H0&cell=17,2") as visit:
        row = visit.page.locator(".row-strip:not(.stale)")
        expect(row.locator("h2")).to_contain_text("17")
        weights = row.locator(".top button strong").all_text_contents()
        assert len(weights) == 8
        assert sorted(weights, key=Decimal, reverse=True) == weights
        rest, total = (Decimal(row.locator(f".{name} strong").text_content() or "") for name in ("rest", "sum"))
        assert sum(map(Decimal, weights)) + rest == total == 1
        keys = [int(key) for key in row.locator(".top .key").all_text_contents()]
        weight = w.recorded(traced.folder)["L1.H0"].row(17)
        assert keys == np.argsort(-weight, kind="stable")[:8].tolist()
        visit.visit.act(row.locator(".top button").nth(1))
        visit.told(f"L1.H0.weight[17,{keys[1]}]")
        visit.chosen(17, keys[1])


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_heads_stand_as_small_pictures_and_are_sorted_by_any_score(
    reader: Reader, browser: Browser, traced: Traced
) -> None:
    scores = _scores(traced)
    with mapping(browser, traced.served, reader) as visit:
        heads = visit.page.locator(".heads [data-head]")
        heads.first.scroll_into_view_if_needed()
        expect(visit.page.locator(".heads .thumb canvas")).to_have_count(4)
        assert heads.evaluate_all("all => all.map(one => one.dataset.head)") == list(HEADS)
        codes = visit.ask(traced.served, "tile", head="L1.H1", level=0, row=0, column=0, pooled="max", against=None)
        script = PIXELS
        width, height, pixels = heads.nth(3).evaluate(script)
        assert (width, height) == (KEYS, KEYS)
        colours = visit.ask(traced.served, "recording", lang="en")["table"]["colours"]
        for at in range(KEYS * KEYS):
            assert bytes(pixels[4 * at : 4 * at + 3]).hex() == (colours[codes[at]][1:] if codes[at] else "000000")
        for name in ("sink", "entropy", "induction"):
            visit.page.locator(".heads select").select_option(name)
            wanted = sorted(HEADS, key=lambda head: -scores[head][name])
            expect(visit.page.locator(".heads .sorted")).to_be_visible()
            assert heads.evaluate_all("all => all.map(one => one.dataset.head)") == wanted
            visit.holds(sort=name)
        visit.visit.act(heads.nth(2))
        visit.holds(head=wanted[2])
        expect(heads.nth(2)).to_have_attribute("aria-pressed", "true")


def _scores(traced: Traced) -> dict[str, Any]:
    from workings.explaining.scores import heads_of

    return {head.address: head.scores for head in heads_of(Recording(str(traced.folder)).told)}


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_address_brings_everything_back(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "sort=sink") as visit:
        visit.page.locator("#head-of-map").select_option("L0.H1")
        visit.page.locator(".map-tools select").last.select_option("L1.H0")
        visit.page.keyboard.press("g")
        visit.page.keyboard.type("9,3")
        visit.page.keyboard.press("Enter")
        visit.told("L0.H1.weight[9,3]")
        visit.visit.blur()
        visit.page.keyboard.press("v")
        visit.holds(head="L0.H1", cell="9,3", sort="sink", against="L1.H0", table="1")
        said = visit.hash()
        assert {"z", "at"} <= said.keys()
        place = visit.page.url.partition("#")[2]
        cell = visit.cell(9, 3).text_content()
    with mapping(browser, traced.served, reader, place) as visit:
        visit.told("L0.H1.weight[9,3]")
        visit.holds(**{name: value for name, value in said.items() if "%" not in value})
        expect(visit.cell(9, 3)).to_have_text(cell or "")
        expect(visit.page.locator(".reader")).to_be_visible()
        assert visit.page.locator(".heads select").input_value() == "sink"


def test_two_languages_say_the_same(browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK, "head=L1.H1&cell=9,3") as visit:
        value = visit.told("L1.H1.weight[9,3]").locator("h2 strong").text_content()
        visit.page.keyboard.press("l")
        expect(visit.page.locator("h1")).to_have_text("story-en 的记录")
        visit.holds(lang="zh", head="L1.H1", cell="9,3")
        panel = visit.told("L1.H1.weight[9,3]")
        expect(panel.locator(".rank")).to_contain_text("在这一行")
        assert panel.locator("h2 strong").text_content() == value


def test_colours_of_the_page_change_with_the_theme(browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, DESK, "head=L1.H1") as visit:
        before = visit.page.locator(".map .over").evaluate("canvas => canvas.toDataURL()")
        visit.page.keyboard.press("t")
        visit.page.keyboard.press("t")
        visit.page.wait_for_function(
            "before => document.querySelector('.map .over').toDataURL() !== before", arg=before
        )

"""What else the model page does: heads and dumps compared, a token's way, figures, and texts read here."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser, expect
from safetensors.numpy import save_file

import workings as w
from tests.support.mapping import TEXT, Traced, mapping, printed_of
from tests.support.serving import Served, serving
from tests.support.visiting import BOTH, DESK, Reader, visiting

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_two_heads_are_held_against_each_other(reader: Reader, browser: Browser, traced: Traced) -> None:
    run = w.recorded(traced.folder)
    apart = run["L1.H1"].tile(range(20)) - run["L0.H0"].tile(range(20))
    order = np.argsort(-np.abs(apart), axis=None, kind="stable")
    first, second = (divmod(int(at), 20) for at in order[:2])
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=12,8&table=1") as visit:
        visit.page.locator(".map-tools select").last.select_option("L0.H0")
        visit.holds(against="L0.H0")
        expect(visit.page.locator(".legend-of-map .label")).to_contain_text("L0.H0")
        rows = visit.page.locator(".census tbody tr")
        expect(rows).to_have_count(20)
        pairs = rows.evaluate_all("all => all.map(row => [row.cells[0].textContent, row.cells[1].textContent].join())")
        assert len(set(pairs)) == 20, "words that stand twice in the text are told apart"
        visit.visit.blur()
        visit.page.keyboard.press("n")
        visit.told(f"L1.H1.weight[{first[0]},{first[1]}]")
        expect(rows.first).to_have_attribute("data-here", "")
        ours, theirs = (
            printed_of(traced.folder, f"{head}.weight[{first[0]},{first[1]}]") for head in ("L1.H1", "L0.H0")
        )
        difference = rows.first.locator("td").last.text_content() or ""
        expect(rows.first).to_contain_text(ours)
        expect(rows.first).to_contain_text(theirs)
        assert float(difference.replace("−", "-")) == pytest.approx(float(apart[first]), abs=1e-4)
        expect(visit.cell(*first)).to_have_text(difference)
        visit.page.keyboard.press("n")
        visit.told(f"L1.H1.weight[{second[0]},{second[1]}]")
        visit.page.keyboard.press("Shift+N")
        visit.told(f"L1.H1.weight[{first[0]},{first[1]}]")
        visit.settle()
        visit.visit.act(rows.nth(1).get_by_role("button"))
        visit.told(f"L1.H1.weight[{second[0]},{second[1]}]")
        visit.page.locator(".map-tools select").last.select_option("")
        visit.holds(against="")
        expect(visit.cell(*second)).to_have_text(printed_of(traced.folder, f"L1.H1.weight[{second[0]},{second[1]}]"))


@pytest.fixture(scope="module")
def against(traced: Traced, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The recording, and a dump of the same head with one weight off."""
    weight = w.recorded(traced.folder)["L1.H1"].tile(range(20)).astype(np.float32)
    weight[9, 4] += 0.125
    dump = tmp_path_factory.mktemp("dump") / "kernel.safetensors"
    save_file({"L1.H1.weight": weight}, str(dump))
    with serving(str(traced.folder), "--against", str(dump)) as found:
        yield found


def test_a_dump_is_held_against_the_model(browser: Browser, against: Served) -> None:
    with mapping(browser, against, DESK, "head=L1.H1&cell=0,0") as visit:
        visit.page.locator(".map-tools select").last.select_option("dump")
        visit.holds(against="dump")
        rows = visit.page.locator(".census tbody tr")
        expect(rows.first).to_be_visible()
        visit.visit.blur()
        visit.page.keyboard.press("n")
        visit.told("L1.H1.weight[9,4]")
        assert Decimal((rows.first.locator("td").last.text_content() or "").replace("−", "-")) == Decimal("-0.125")


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_way_of_a_token_leads_to_its_numbers(reader: Reader, browser: Browser, traced: Traced) -> None:
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=12,8") as visit:
        visit.visit.act(visit.visit.button("stages"))
        way = visit.page.locator(".way button")
        expect(way.first).to_be_visible()
        names = " ".join(way.all_text_contents())
        for step in ("embedding", "L1.H1.Q", "L1.H1.weight", "logits"):
            assert step in names
        stage = way.filter(has_text="L1.H1.Q").last
        visit.visit.act(stage)
        expect(stage).to_have_attribute("aria-current", "step")
        link = visit.page.locator(".stage-html button.link").first
        address = (link.text_content() or "").removeprefix("The working of ").removesuffix(" 的演算")
        visit.visit.act(link)
        assert visit.told(address).locator("h2 strong").text_content() == printed_of(traced.folder, address)
        visit.holds(stages="1", address=address)


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_what_is_seen_is_saved_as_a_figure(reader: Reader, browser: Browser, traced: Traced, tmp_path: Path) -> None:
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=12,8&z=6") as visit:
        with visit.page.expect_download() as got:
            visit.visit.act(visit.visit.button("map.figure"))
        got.value.save_as(tmp_path / "figure.svg")
        root = ElementTree.parse(tmp_path / "figure.svg").getroot()  # noqa: S314
        assert root.tag == f"{SVG}svg"
        text = " ".join(root.itertext())
        assert "L1.H1" in text
        tokens = w.recorded(traced.folder).tokens
        assert tokens[12] in text
        assert got.value.suggested_filename.endswith(".svg")


@pytest.fixture(scope="module")
def model() -> Iterator[Served]:
    """A model that is opened, to read texts."""
    with serving("story-en") as found:
        yield found


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_text_is_read_here(reader: Reader, browser: Browser, model: Served) -> None:
    with visiting(browser, model, reader, path="model") as visit:
        field = visit.page.locator(".run textarea")
        field.fill("The cat sat on the mat.")
        visit.act(visit.button("run.go"))
        expect(visit.find(".map[aria-busy=false]")).to_be_visible()
        expect(visit.find(".panel h2 strong")).to_be_visible()
        heads = visit.find(".heads [data-head]")
        expect(heads).to_have_count(4)
        assert "recording=" in visit.page.url
        field.fill("The dog ran.")
        visit.act(visit.button("run.go"))
        expect(visit.find("[aria-live=polite]").first).not_to_be_empty()
        expect(visit.find(".run progress")).to_have_count(0)
        expect(visit.find("[role=columnheader]", "dog")).to_have_count(1)
        visit.page.go_back()
        expect(visit.find("[role=columnheader]", "sat")).to_have_count(1)


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_number_through_the_training(reader: Reader, browser: Browser, traced: Traced) -> None:
    """The slider says of every snapshot what Python prints of it."""
    address = "L1.H1.weight[12,8]"
    right = [moment.printed for moment in w.over_time("story-en", address, text=TEXT).moments()]
    with mapping(browser, traced.served, reader, "head=L1.H1&cell=12,8") as visit:
        visit.told(address)
        part = visit.page.locator(".over-time")
        visit.visit.act(part.locator("summary"))
        slider, now = part.get_by_role("slider"), part.locator(".now strong")
        expect(now).to_have_text(right[-1])
        slider.focus()
        visit.page.keyboard.press("Home")
        for place, printed in enumerate(right):
            if place:
                visit.page.keyboard.press("ArrowRight")
            expect(now).to_have_text(printed)
            expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(printed)))
        assert part.locator("img").evaluate("image => image.naturalWidth") > 100
        expect(part.locator("tbody tr")).to_have_count(len(right))
        assert visit.visit.fits()

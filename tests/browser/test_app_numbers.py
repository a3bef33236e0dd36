"""Every number that a page shows is Python's, digit for digit, and nothing but these numbers stands in its matrices."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served
from tests.support.visiting import DESK, PHONE, printed, visiting
from workings.examples import library

CELLS = """cells => Object.fromEntries(cells.map(cell => [cell.dataset.cell, cell.textContent.trim()]))"""


@pytest.mark.parametrize("name", library.names())
def test_every_number_of_an_example(name: str, browser: Browser, served: Served) -> None:
    reader = PHONE if len(name) % 2 else DESK
    with visiting(browser, served, reader, f"example={name}&layout=all&lang={reader.lang}") as visit:
        shown = visit.find(".all td[data-cell]").evaluate_all(CELLS)
        numbers = printed(name)
        assert {address: text for address, text in shown.items() if numbers[address] != text} == {}
        text = visit.find("main").text_content() or ""
        assert [
            address for address in set(numbers) - set(shown) if address.endswith("]") or numbers[address] not in text
        ] == []
        expect(visit.find(".badge.good")).to_be_visible()


@pytest.mark.parametrize("precision", ["0", "3", "12", "exact"])
def test_other_digits(precision: str, browser: Browser, served: Served) -> None:
    numbers = printed("cross-attention", precision=precision if precision == "exact" else int(precision))
    with visiting(browser, served, DESK, f"example=cross-attention&layout=all&digits={precision}") as visit:
        assert visit.find(".all td[data-cell]").evaluate_all(CELLS) == numbers


def test_every_number_of_the_panel(browser: Browser, served: Served) -> None:
    """Each number of a step, walked by keyboard, heads its own panel and stands at the end of its arithmetic."""
    numbers = printed("kitten")
    with visiting(browser, served, DESK, "example=kitten&step=weight&cell=weight[0,0]") as visit:
        visit.told("weight[0,0]")
        visit.find('.result td[data-cell="weight[0,0]"]').focus()
        walk = [("weight[0,0]", "")] + [(f"weight[{row},{column}]", key) for row, column, key in WALK]
        for address, key in walk:
            if key:
                visit.press(key)
            panel = visit.told(address)
            assert panel.locator("h2 strong").text_content() == numbers[address]
            expect(panel.locator(".equation", has_text="%").first).to_contain_text(f"≈{numbers[address]}")
    assert {address for address, _ in walk} == {address for address in numbers if address.startswith("weight[")}


WALK = [
    *((0, 1, "ArrowRight"), (0, 2, "ArrowRight")),
    *((1, 2, "ArrowDown"), (1, 1, "ArrowLeft"), (1, 0, "ArrowLeft")),
    *((2, 0, "ArrowDown"), (2, 1, "ArrowRight"), (2, 2, "ArrowRight")),
]

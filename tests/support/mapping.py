"""The model page as a person sees and uses it, and the numbers that Python prints of the same recording."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Locator, expect

from tests.support.serving import Served
from tests.support.visiting import Reader, Visit, visiting
from workings.explaining.numbers import Numbers
from workings.models.recording import Recording
from workings.models.whole import Whole
from workings.terms.digits import AUTO

TEXT = "The cat sat on the mat because it was tired. The dog saw the cat. Then it"
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "the",
    "mat",
    "because",
    "it",
    "was",
    "tired",
    ".",
    "a",
    "dog",
    "saw",
    "the",
    "kitten",
    "and",
    "ran",
    "to",
    "the",
    "tree",
]
LONG = 700  # words


class Traced(NamedTuple):
    """A recording, and the server that shows it."""

    folder: Path
    served: Served


def long_text() -> str:
    """A text that no window shows cell by cell, the same each time."""
    drawn = random.Random(3)
    return " ".join(drawn.choice(WORDS) for _ in range(LONG))


@lru_cache(maxsize=4)
def whole_of(folder: Path) -> Whole:
    return Whole(Recording(folder))


def printed_of(folder: Path, address: str) -> str:
    """A number of a recording as Python prints it."""
    found = whole_of(folder).find(address)
    return str(Numbers(found.trace, AUTO).shown(found.trace.cell(found.address)).text)


class MapVisit:
    """A window of the model page."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.page = visit, visit.page

    @property
    def map(self) -> Locator:
        return self.page.locator(".map")

    def settle(self) -> None:
        """Waits until everything in sight is there."""
        expect(self.page.locator(".map[aria-busy=false]")).to_be_visible()
        expect(self.page.locator(".panel:not(.stale) h2 strong")).to_be_visible()
        expect(self.page.locator(".legend-of-map")).to_be_visible()
        expect(self.page.locator(".row-strip:not(.stale)")).to_be_visible()

    def told(self, address: str) -> Locator:
        """The panel, once it tells of a number."""
        return self.visit.told(address)

    def cell(self, query: int, key: int) -> Locator:
        """A cell of the grid beside the canvas."""
        return self.page.locator(f'[role=gridcell][data-at="{query},{key}"]')

    def chosen(self, query: int, key: int) -> None:
        expect(self.page.locator('[role=gridcell][aria-selected="true"]')).to_have_attribute(
            "data-at", f"{query},{key}"
        )

    def spot(self, query: int, key: int, keys: int) -> dict[str, float]:
        """Where a cell's middle lies on the canvas, when the whole is seen."""
        script = """(canvas, [query, key, keys]) => {
            const side = Math.min(canvas.clientWidth / keys, canvas.clientHeight / keys, 56);
            return { x: canvas.offsetLeft + (key + 0.5) * side, y: canvas.offsetTop + (query + 0.5) * side };
        }"""
        found: dict[str, float] = self.page.locator(".map .cells").evaluate(script, [query, key, keys])
        return found

    def colours(self, keys: int) -> list[list[str]]:
        """The colour of the pixel in every cell's middle, when the whole is seen; empty where it is clear."""
        script = """(canvas, keys) => {
            const [at, { width, height }] = [window.devicePixelRatio, canvas];
            const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
            const side = Math.min(canvas.clientWidth / keys, canvas.clientHeight / keys, 56) * at;
            const hex = one => one.toString(16).padStart(2, "0");
            const colour = (x, y) => {
                const [red, green, blue, alpha] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 4);
                return alpha === 0 ? "" : `#${hex(red)}${hex(green)}${hex(blue)}`;
            };
            const places = Array.from({ length: keys }, (_, place) => Math.floor((place + 0.5) * side));
            return places.map(y => places.map(x => colour(x, y)));
        }"""
        found: list[list[str]] = self.page.locator(".map .cells").evaluate(script, keys)
        return found

    def press_at(self, query: int, key: int, keys: int) -> None:
        """A click, or a tap, on a cell, when the whole is seen."""
        over, spot = self.page.locator(".map .over"), self.spot(query, key, keys)
        over.scroll_into_view_if_needed()
        if self.visit.reader.touches:
            over.tap(position={"x": spot["x"], "y": spot["y"]})
        else:
            over.click(position={"x": spot["x"], "y": spot["y"]})

    def hash(self) -> dict[str, str]:
        """What the address says."""
        return dict(part.split("=", 1) for part in self.page.url.partition("#")[2].split("&") if "=" in part)

    def holds(self, **said: str) -> None:
        """Waits until the address says this; an empty text: until it says nothing of it."""
        script = """wanted => {
            const said = new Map(location.hash.slice(1).split("&").map(part => part.split("=", 2)));
            return Object.entries(wanted).every(([name, value]) => decodeURIComponent(said.get(name) ?? "") === value);
        }"""
        self.page.wait_for_function(script, arg=said)

    def ask(self, served: Served, name: str, **body: Any) -> Any:
        """A request as the page sends it, answered by Python."""
        recording = served.ask("GET", "/api/opened").json()["recording"]
        answer = served.post(name, {"recording": recording, **body})
        assert answer.status == 200, answer.body
        return answer.body if answer.headers["content-type"] == "application/octet-stream" else answer.json()


@contextmanager
def mapping(browser: Browser, served: Served, reader: Reader, place: str = "") -> Iterator[MapVisit]:
    """The model page in a window of its own, once it shows a recording."""
    with visiting(browser, served, reader, place, "model") as visit:
        found = MapVisit(visit)
        found.settle()
        yield found

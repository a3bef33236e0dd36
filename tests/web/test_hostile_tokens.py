"""Tokens of a model that mean harm: on its page, in its figures and in its file they are words."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.support.maps import ask, recording_of
from workings.api.view import View
from workings.render.inert import inert
from workings.web.alone import alone

TOKENS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "</style>",
    "<!--",
    "javascript:alert(1)",
    "]]>",
    "&lt;b&gt;",
    "\u202eevil",
    "\u200b",
    "\ud800",
    "\x00\x1b[31m",
    "مرحبا",
)
ALLOWED = {"p", "div", "span", "table", "thead", "tbody", "tr", "th", "td", "code", "bdi", "h2", "h3", "h4", "h5", "h6"}
MATHS = re.compile("math|m[a-z]+")


class Elements(HTMLParser):
    """Every element and attribute of a piece of markup."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = recording_of("llama", tmp_path_factory.mktemp("hostile"), len(TOKENS))
    index = json.loads((path / "recording.json").read_text())
    index["tokens"][""] = [{"id": place, "text": text} for place, text in enumerate(TOKENS)]
    index["model"]["name"] = "<b>\ud800"
    (path / "recording.json").write_text(json.dumps(index))
    return path


def check(markup: str) -> None:
    elements = Elements(markup)
    assert {tag for tag in elements.found if tag not in ALLOWED and not MATHS.fullmatch(tag)} == set()
    assert not {name for name in elements.attributes if name.startswith("on") or name in ("src", "href", "style")}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_markup_has_no_element_of_theirs(folder: Path, lang: str) -> None:
    last = len(TOKENS) - 1
    page = ask(folder, "recording", lang=lang)
    assert page["words"] == [[inert(text.strip() or text) for text in TOKENS]]
    row = ask(folder, "row", head="L1.H1", query=last, top=len(TOKENS), lang=lang)
    view = {"lang": lang, "precision": "auto", "carry": None}
    cell = ask(folder, "weight", address=f"L1.H1.weight[{last},0]", view=view)
    worst = ask(folder, "worst", head="L1.H1", against={"head": "L1.H2"}, count=100, lang=lang)
    stages = ask(folder, "pipeline", head="L1.H1", query=last, lang=lang)["stages"]
    for markup in (page["html"], row["html"], cell["html"], worst["html"], *(stage["html"] for stage in stages)):
        check(markup)
    assert {one["word"] for one in row["top"]} == {inert(text.strip() or text) for text in TOKENS}


def test_figures_and_files_hold_them_as_text(folder: Path) -> None:
    size = len(TOKENS)
    asked: dict[str, Any] = {"queries": [0, size], "keys": [0, size], "level": 0, "pooled": "max"}
    root = ET.fromstring(ask(folder, "figure", head="L1.H1", **asked).body)  # noqa: S314 -- our own
    names = {one.tag.rpartition("}")[2] for one in root.iter()}
    assert names <= {"svg", "title", "desc", "metadata", "style", "defs", "pattern", "rect", "g", "text", "path"}
    text = alone(str(folder), "L1.H1", View().changed(lang="en"))
    text.encode("utf-8")
    assert text.count("<script") == 2  # the data and the page's own
    main = text[text.index("<main") : text.index("</main>")]
    assert "<img" not in main
    assert "alert(1)&lt;/script&gt;" in main

"""SVG: the legend is true, numbers can be read on their colour, and nothing of the user's is ever more than text."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

import workings as w
from tests.support.reading_arrays import SVG, read_svg
from workings.render.colours import STEPS, TABLE, ink_on, luminance, step_of
from workings.render.inert import display_width, inert
from workings.render.svg import UNIT, wrapped

WORDS = ("=1+1", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "שלום", "a\u200bb", "]]></style>&lt;")
ROWS = [[place % 3, place % 2] for place in range(len(WORDS))]
HOSTILE = {"tokens": WORDS, "title": "</title><script>", "inputs": {"Q": ROWS, "K": ROWS, "V": ROWS}}


def tree(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)  # noqa: S314


def groups(drawn: str) -> Iterator[tuple[str, ElementTree.Element]]:
    for group in tree(drawn).iter(f"{SVG}g"):
        yield group.attrib["data-array"], group


def pairs(group: ElementTree.Element) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Every cell's rectangle and its number, which follows it."""
    nodes = list(group)
    for rect, text in pairwise(nodes):
        if "data-value" in text.attrib:
            yield rect.attrib, text.attrib


def test_the_scale_is_viridis_from_end_to_end() -> None:
    assert (TABLE[0], TABLE[STEPS // 2], TABLE[-1]) == ("#440154", "#21918c", "#fde725")
    light = [luminance(colour) for colour in TABLE]
    assert light == sorted(light)
    assert len(set(TABLE)) == STEPS


def test_every_colour_can_be_written_on() -> None:
    for colour in TABLE:
        on, under = sorted((luminance(ink_on(colour)), luminance(colour)))
        assert (under + 0.05) / (on + 0.05) >= 4.5, colour


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-3.0, 2.0), (-1e308, 1e308), (5.0, 5.0)])
def test_a_step_of_the_scale(ends: tuple[float, float]) -> None:
    steps = [step_of(value, *ends) for value in ends]
    assert steps == ([STEPS // 2] * 2 if ends[0] == ends[1] else [0, STEPS - 1])


@pytest.mark.parametrize("name", ["kitten", "causal", "encoder-six"])
def test_the_legend_is_true(name: str) -> None:
    for _, group in groups(w.explain(name).to_svg()):
        legend = [rect.attrib["fill"] for rect in group.iter(f"{SVG}rect") if rect.get("height") == "12"]
        coloured = [(float(t["data-value"]), r["fill"]) for r, t in pairs(group) if r["fill"].startswith("#")]
        scale = [colour for colour in legend if colour.startswith("#")]
        assert len(scale) in (1, STEPS)
        least, greatest = min(coloured)[0], max(coloured)[0]
        for value, colour in coloured:
            place = (value - least) / (greatest - least) if greatest > least else 0
            assert scale[round(place * (len(scale) - 1))] == colour
        texts = [text.text for text in group.iter(f"{SVG}text")]
        numbers = [
            text.text for text in group.iter(f"{SVG}text") if float(text.get("data-value", "nan")) in (least, greatest)
        ]
        assert set(numbers) <= set(texts[-3:])
        for rect, text in pairs(group):
            assert text["fill"] == (ink_on(rect["fill"]) if rect["fill"].startswith("#") else "#000000")


def test_what_a_mask_keeps_out_is_hatched() -> None:
    for array, group in groups(w.explain("causal", lang="en").to_svg()):
        hatched = [text["data-address"] for rect, text in pairs(group) if rect["fill"].startswith("url(#")]
        masked = [f"{array}[0,1]", f"{array}[0,2]", f"{array}[1,2]"]
        assert hatched == (masked if array in ("masked", "exp", "weight") else [])
        assert ("masked" in [text.text for text in group.iter(f"{SVG}text")]) == bool(hatched)


def test_a_zero_that_is_no_mask_is_coloured() -> None:
    (weight,) = [group for name, group in groups(w.explain("kitten").to_svg()) if name == "V"]
    assert all(rect["fill"].startswith("#") for rect, _ in pairs(weight))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("source", ["kitten", "causal", HOSTILE], ids=["kitten", "causal", "hostile"])
def test_labels_have_room(source: Any, lang: str) -> None:
    """No text reaches into another one of its line, by the width that our texts take on a screen."""
    for _, group in groups(w.explain(source, lang=lang).to_svg()):
        lines: dict[str, list[tuple[float, float]]] = {}
        for text in group.iter(f"{SVG}text"):
            wide, x = UNIT * display_width(text.text or ""), float(text.attrib["x"])
            start = x - {"end": wide, "middle": wide / 2}.get(text.get("text-anchor", ""), 0)
            lines.setdefault(text.attrib["y"], []).append((start, start + wide))
        for spans in lines.values():
            spans.sort()
            assert all(first[1] <= second[0] for first, second in pairwise(spans))
            assert spans[0][0] >= 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_of_the_users_is_more_than_text(lang: str) -> None:
    drawn = w.explain(HOSTILE, lang=lang).to_svg()
    nodes = {node.tag.removeprefix(SVG) for node in tree(drawn).iter()}
    assert nodes == {"svg", "title", "desc", "style", "defs", "pattern", "rect", "g", "text"}
    assert not any(name.startswith("on") or "href" in name for node in tree(drawn).iter() for name in node.attrib)
    texts = "".join(node.text or "" for node in tree(drawn).iter(f"{SVG}text"))
    assert [word for word in WORDS if inert(word) not in texts and len(inert(word)) < 14] == []
    assert re.findall(r"https?://[^\"]*", drawn) == ["http://www.w3.org/2000/svg"]


def test_a_listener_is_told_what_is_seen() -> None:
    root = tree(w.explain("causal", lang="en").array("weight").to_svg())
    title, desc = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
    assert title is not None
    assert desc is not None
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], desc.attrib["id"]]
    assert desc.text == "weight: 3 × 3 numbers from 0.1400 to 1; the hatched ones are masked."
    assert root.attrib["lang"] == "en"


def test_one_array_is_a_figure_of_its_own() -> None:
    trace = w.explain("kitten")
    assert [name for name, _ in groups(trace.array("weight").to_svg())] == ["weight"]
    assert [number.value for number in read_svg(trace["weight"].to_svg())] == [
        float(number) for row in trace["weight"].values() for number in row
    ]


def test_two_figures_share_no_names() -> None:
    one, two = (set(re.findall(r' id="([^"]+)"', w.explain(name).to_svg())) for name in ("kitten", "causal"))
    assert len(one) == len(two) == 3
    assert one.isdisjoint(two)


def test_long_labels_take_more_lines() -> None:
    assert wrapped("one two three four", 9) == ["one two", "three", "four"]
    assert wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("小猫小猫", 4) == ["小猫", "小猫"]
    assert wrapped("", 4) == [""]
    assert "".join(wrapped("a 小b", 2)).replace(" ", "") == "a小b"

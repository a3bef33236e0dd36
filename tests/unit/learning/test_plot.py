"""The plot of a report: a panel for each head, every share where it belongs, baselines of the same run beside it."""

import base64
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from tests.support.learned import tiny_run
from workings.explaining.tree import Code, Document, Line, Panel, Plot, Text
from workings.learning import report as reporting
from workings.learning.door import Learned, learned
from workings.render import plot, targets
from workings.render.svg import WIDTH
from workings.render.words import Words
from workings.terms.model_errors import NothingToPlot

FEW = 40
HEADS = ["L0.H0", "L0.H1", "L1.H0", "L1.H1"]


@cache
def found(lang: str) -> Learned:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reporting, "VALIDATION", FEW)
        patched.setattr(reporting, "HELD_OUT", FEW)
        return learned(tiny_run(), lang=lang)


def read(svg: str) -> ET.Element:
    """The picture without its name space."""
    return ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))  # noqa: S314  # our own text


def panels(root: ET.Element) -> list[ET.Element]:
    return [group for group in root.iter("g") if group.get("data-panel")]


def share_at(panel: ET.Element, y: str | None) -> float:
    """The share that a height of a panel stands for, read from the numbers on its axis."""
    marks = {one.text: float(one.get("y", "")) - 4 for one in panel.findall("text") if one.get("text-anchor") == "end"}
    bottom, top = marks["0 %"], marks["100 %"]
    return (bottom - float(y or "nan")) / (bottom - top)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_head_and_snapshot_stands_where_it_belongs(lang: str) -> None:
    told: dict[str, Any] = found(lang).data()["stories"]
    root = read(found(lang).to_svg())
    assert root.get("lang") == lang
    for head, panel in zip(HEADS, panels(root), strict=True):
        assert panel.get("data-panel", "").startswith(head)
        assert (told["head"] == head) == (panel.get("data-panel") != head)  # only the chosen one says more
        for kind, key in (("main", "held_out"), ("shuffled", "shuffled")):
            dots = [dot for dot in panel.iter("circle") if dot.get("data-line") == kind]
            assert [int(dot.get("data-step", "")) for dot in dots] == [0, 5, 12]
            for dot, one in zip(dots, told["snapshots"], strict=True):
                share = one["heads"][head][key]
                assert float(dot.get("data-value", "")) == share
                assert share_at(panel, dot.get("cy")) == pytest.approx(share, abs=0.001)
                assert dot.findtext("title") == f"{one['step']}: {100 * share:.1f} %"
        levels = {line.get("data-line"): line for line in panel.iter("polyline") if line.get("data-value")}
        assert set(levels) == {"untrained", "chance"}
        assert float(levels["untrained"].get("data-value", "")) == told["untrained"]["heads"][head]
        assert told["untrained"]["heads"][head] == told["snapshots"][0]["heads"][head]["held_out"]
        assert float(levels["chance"].get("data-value", "")) == told["chance"]["largest"]
        for line in levels.values():
            heights = {point.split(",")[1] for point in line.get("points", "").split()}
            (height,) = heights
            assert share_at(panel, height) == pytest.approx(float(line.get("data-value", "")), abs=0.001)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_told_in_words_too(lang: str) -> None:
    root, words = read(found(lang).to_svg()), Words(lang)
    said = ["".join(one.itertext()) for one in root.iter("text")]
    assert root.findtext("title") == words["learning.plot.title"]
    for kind in ("main", "shuffled", "untrained", "chance"):
        assert words[f"learning.plot.{kind}"] in said
    assert said.count(f"{words['learning.plot.across']} →") == len(HEADS)
    assert all(head in (root.findtext("desc") or "") for head in HEADS)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pages_hold_it_and_texts_say_where_it_is(lang: str) -> None:
    report, title = found(lang), Words(lang)["learning.plot.title"]
    (held,) = re.findall(r"!\[([^\]]+)\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)\)", report.to_markdown())
    assert held[0] == title
    assert base64.b64decode(held[1]).decode() == report.to_svg()
    (within,) = re.findall(r"<svg .*?</svg>", report.to_html(), re.DOTALL)
    assert "<style" not in within  # the page lets no other style be
    own, page = panels(read(report.to_svg())), panels(read(within))
    assert [ET.tostring(panel) for panel in own] == [ET.tostring(panel) for panel in page]
    for text in (report.to_text(), report.to_latex()):
        assert title in text
        assert "<svg" not in text


def test_a_text_of_ones_own_has_nothing_to_plot(monkeypatch: pytest.MonkeyPatch) -> None:
    report = found("en")
    monkeypatch.setattr(report, "_found", {**report.data(), "stories": None})
    with pytest.raises(NothingToPlot):
        report.to_svg()


def test_many_heads_and_snapshots_have_room() -> None:
    steps = tuple(range(0, 6000, 100))
    shares = tuple((step / 6000, f"{step / 60:.1f} %") for step in steps)
    kinds = ("main", "shuffled")
    lines = tuple(Line(kind, Text(f"learning.plot.{kind}"), shares) for kind in kinds)
    many = tuple(Panel(Code(f"L{n // 8}.H{n % 8}"), lines) for n in range(48))
    whole = Plot(Text("learning.plot.title"), Text("learning.plot.across"), steps, many, 8)
    root = read(plot.draw(whole, Words("en")))
    assert float(root.get("width", "")) <= WIDTH
    for panel in panels(root):
        below = [one for one in panel.findall("text") if one.get("text-anchor") == "middle"]
        places = [(float(one.get("x", "")), 4 * len(one.text or "")) for one in below]
        assert all(right - half > left + other for (left, other), (right, half) in pairwise(places))
        assert below[-1].text == "5900"
    corners = [tuple(map(float, re.findall(r"[\d.]+", panel.get("transform", "")))) for panel in panels(root)]
    assert len(set(corners)) == 48


@pytest.mark.parametrize("target", targets.TARGETS)
def test_a_run_with_one_snapshot_is_drawn_by_every_target(target: str) -> None:
    line = Line("main", Text("learning.plot.main"), ((0.5, "50.0 %"),))
    level = Line("chance", Text("learning.plot.chance"), ((0.1, "10.0 %"),))
    one = Plot(
        Text("learning.plot.title"), Text("learning.plot.across"), (7,), (Panel(Code("L0.H0"), (line, level)),), 1
    )
    assert targets.draw(Document(Text("learning.plot.title"), (one,)), target, "en")

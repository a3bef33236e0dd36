"""A number through the snapshots of a run: the number that each snapshot has, in every form."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from safetensors.torch import load_file

import workings as w
from tests.support.learned import tiny_run
from workings.learning.over_time import TEXTS, over_time
from workings.terms.errors import IndexOutside, UnknownArray
from workings.terms.model_errors import NoRun, TextNeeded

WEIGHT = 'L1.H1.weight["它","小猫"]'


def test_it_is_what_each_snapshot_gives() -> None:
    found = over_time(tiny_run(), WEIGHT)
    assert found.address == "L1.H1.weight[9,4]"
    assert list(found.values) == [0, 5, 12]
    for step, folder in ((0, tiny_run() / "snapshots/000000"), (12, tiny_run())):
        assert found.values[step]["value"] == str(w.trace(folder, text=TEXTS["zh"]).number(WEIGHT))
    assert len({one["value"] for one in found.values.values()}) == 3


@pytest.mark.parametrize(("address", "tensor", "row", "column"), [
    ("L1.H1.W_Q[3,5]", "q_proj", 13, 3),
    ("L1.W_Q[3,13]", "q_proj", 13, 3),
    ("L0.H0.W_K[-1,0]", "k_proj", 0, 15),
    ("L1.H1.W_O[2,7]", "o_proj", 7, 10),
])  # fmt: skip
def test_a_learned_weight(address: str, tensor: str, row: int, column: int) -> None:
    found = over_time(tiny_run(), address)
    for step, folder in ((5, tiny_run() / "snapshots/000005"), (12, tiny_run())):
        held = load_file(folder / "model.safetensors")
        name = f"model.layers.{address[1]}.self_attn.{tensor}.weight"
        assert found.values[step]["float"] == float(held[name][row, column])
        assert found.values[step]["bound"] == 0
    assert found.text == ""


def test_in_every_form() -> None:
    found = over_time(tiny_run(), "L1.H1.W_Q[3,5]", lang="en")
    data = json.loads(found.to_json())
    assert data["schema"] == "workings.over-time/1"
    assert [one["step"] for one in data["values"]] == [0, 5, 12]
    rows = list(csv.reader(io.StringIO(str(found.draw("csv")))))
    assert [float(row[3]) for row in rows[1:]] == [float(one["value"]) for one in data["values"]]
    assert "step 12" in found.to_text()
    assert "L1.H1.W_Q[3,5]" in repr(found)


def test_the_figure_shows_each_value_where_it_belongs() -> None:
    found = over_time(tiny_run(), WEIGHT, lang="zh")
    root = ET.fromstring(str(found.draw("svg")))  # noqa: S314  # our own text
    texts = [one for one in root.iter() if one.get("data-step")]
    assert [int(one.get("data-step", "")) for one in texts] == [0, 5, 12]
    assert [float(one.get("data-value", "")) for one in texts] == [one["float"] for one in found.values.values()]
    dots = [one for one in root.iter() if one.get("cy")]
    heights = [
        (value["float"], -float(dot.get("cy", ""))) for value, dot in zip(found.values.values(), dots, strict=True)
    ]
    assert all((a[0] < b[0]) == (a[1] < b[1]) for a, b in pairwise(heights))
    (zero,) = (-float(one.get("y1", "")) for one in root.iter() if one.get("y1"))
    assert all(height > zero for _, height in heights)  # weights lie above the line of 0


def test_what_is_not_there() -> None:
    with pytest.raises(UnknownArray):
        over_time(tiny_run(), "L7.H0.W_Q[0,0]")
    with pytest.raises(UnknownArray):
        over_time(tiny_run(), "W_Q[0,0]")
    with pytest.raises(IndexOutside):
        over_time(tiny_run(), "L0.H0.W_Q[0,8]")
    with pytest.raises(NoRun):
        over_time(tiny_run() / "snapshots/000000", "L0.H0.W_Q[0,0]")


def test_a_text_of_ones_own_needs_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.learning.over_time.TEXTS", {})
    with pytest.raises(TextNeeded):
        over_time(tiny_run(), WEIGHT)

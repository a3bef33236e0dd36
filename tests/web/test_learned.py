"""A number of a model that learned, at every snapshot of its training: what the page is told is what Python prints."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

import workings as w
from tests.support.maps import ask
from workings.api.stories import folder_of

TEXT = "在 小羊 旁边 小猫 睡 了 ， 然后 它"
ADDRESSES = ("L1.H1.weight[8,3]", "L0.H0.score[4,2]", "L1.H1.W_Q[3,5]", "L1.W_K[3,5]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("story") / "out"
    w.trace("story-zh", path, text=TEXT)
    return path


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_snapshot_says_what_python_says(address: str, folder: Path) -> None:
    assert ask(folder, "recording", lang="zh")["learned"] is True
    told = ask(folder, "over-time", address=address, lang="zh")
    right = w.over_time("story-zh", address, text=TEXT, lang="zh")
    assert told["address"] == right.address
    assert told["moments"] == [{"step": one.step, "printed": one.printed} for one in right.moments()]
    assert len(told["moments"]) >= 3
    assert len({one["printed"] for one in told["moments"]}) > 1
    for one in told["moments"]:
        assert one["printed"] in told["html"]
    drawn = ElementTree.fromstring(base64.b64decode(told["picture"]))  # noqa: S314
    assert drawn.tag.endswith("svg")


def test_a_model_that_was_not_trained_here(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(folder_of("story-zh"), model, ignore=shutil.ignore_patterns("learning.json", "snapshots"))
    w.trace(model, tmp_path / "out", text=TEXT)
    assert ask(tmp_path / "out", "recording")["learned"] is False
    told = ask(tmp_path / "out", "over-time", address=ADDRESSES[0], status=404)
    assert "workings learn" in told["error"]["message"]

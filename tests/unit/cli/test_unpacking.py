"""Before the weights of a GGUF file are unpacked and kept, a note says where, and about how large they are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.support.tiny_gguf import write_llama
from tests.unit.cli.command import Done, here
from workings.models.cache import PLACE
from workings.models.record import Heard, Wish, record


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A GGUF file, with a cache of its own."""
    monkeypatch.setenv(PLACE, str(tmp_path / "cache"))
    return write_llama(tmp_path / "tiny.gguf")


@pytest.mark.parametrize(("lang", "said"), [("en", "are unpacked, and kept in"), ("zh", "的权重要先解开")])
def test_once_and_with_the_way_out(
    lang: str, said: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(name: str, *more: str) -> Done:
        line = ("trace", str(model), "--text", "a", "-o", str(tmp_path / name), "--lang", lang, "--no-progress", *more)
        done = here(capsys, *line)
        assert (done.code, done.out) == (0, "")
        return done

    assert said not in run("none", "--no-cache").err
    assert not (tmp_path / "cache").exists()
    first, *after = run("first").err.splitlines()
    for word in (said, str(tmp_path / "cache"), "--no-cache", "WORKINGS_CACHE=off"):
        assert word in first
    size = re.search(r"([0-9.]+) MB", first)
    assert size is not None
    (kept,) = (tmp_path / "cache").glob("*/model.safetensors")
    assert float(size[1]) == pytest.approx(kept.stat().st_size / 1e6, abs=0.06)
    assert not any(said in line for line in after)
    assert said not in run("second").err


def test_quiet_says_nothing(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ("trace", str(model), "--text", "a", "-o", str(tmp_path / "out"), "--quiet")
    assert here(capsys, *line) == Done(0, "", "")
    assert list((tmp_path / "cache").glob("*/model.safetensors"))


def test_it_is_told_before_anything_is_kept(model: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, list[str]]] = []

    def unpacking(folder: str, size: int) -> None:
        told.append((folder, size, [name for name in os.listdir(folder) if not name.startswith(".")]))

    record(model, tmp_path / "out", Wish("a"), heard=Heard(unpacking=unpacking))
    ((folder, size, entries),) = told
    assert (folder, entries) == (str(tmp_path / "cache"), [])
    assert size > 0

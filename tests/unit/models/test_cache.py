"""Weights kept between runs: taken as they were, made again where they were damaged, and never half there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from workings.models import cache
from workings.models.cache import MANIFEST, PLACE, folder_of_cache, is_whole, kept

KEY = "a" * 64


class Make:
    """Writes two files, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, folder: str) -> None:
        self.times += 1
        for name in ("config.json", "model.safetensors"):
            (Path(folder) / name).write_text(name * 100, encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv(PLACE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_made_once(place: Path) -> None:
    make = Make()
    entry = kept(KEY, make)
    assert entry is not None
    assert kept(KEY, make) == entry
    assert make.times == 1
    assert sorted(os.listdir(entry)) == ["config.json", MANIFEST, "model.safetensors"]
    assert os.listdir(place) == [Path(entry).name]
    assert kept("b" * 64, make) not in (None, entry)


@pytest.mark.parametrize("damage", ["flip", "cut", "gone", "more", "no-manifest", "odd-manifest", "other-key"])
def test_made_again_where_it_is_damaged(damage: str, place: Path) -> None:
    make = Make()
    entry = Path(kept(KEY, make) or "")
    weights, manifest = entry / "model.safetensors", entry / MANIFEST
    data = weights.read_bytes()
    if damage == "flip":
        weights.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    elif damage == "cut":
        weights.write_bytes(data[:-1])
    elif damage == "gone":
        weights.unlink()
    elif damage == "more":
        (entry / "modeling.py").write_text("raise SystemExit", encoding="utf-8")
    elif damage == "no-manifest":
        manifest.unlink()
    elif damage == "odd-manifest":
        manifest.write_text("[" * 1000, encoding="utf-8")
    else:
        manifest.write_text(manifest.read_text(encoding="utf-8").replace(KEY, "c" * 64), encoding="utf-8")
    assert not is_whole(str(entry), KEY)
    assert kept(KEY, make) == str(entry)
    assert make.times == 2
    assert is_whole(str(entry), KEY)
    assert weights.read_bytes() == data
    assert os.listdir(place) == [entry.name]


@pytest.mark.usefixtures("place")
def test_a_stop_in_the_middle_leaves_nothing(place: Path) -> None:
    def stopped(folder: str) -> None:
        (Path(folder) / "config.json").write_text("half", encoding="utf-8")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept(KEY, stopped)
    assert os.listdir(place) == []


def test_no_room_is_no_error(place: Path) -> None:
    def full(folder: str) -> None:
        raise OSError(28, "No space left on device")

    assert kept(KEY, full) is None
    assert os.listdir(place) == []
    place.rmdir()
    place.write_text("a file", encoding="utf-8")
    assert kept(KEY, Make()) is None


def test_two_at_once(place: Path) -> None:
    """Whoever comes second finds what the first has left, and takes it."""
    make = Make()

    def raced(folder: str) -> None:
        make(folder)
        if make.times == 1:
            assert kept(KEY, make) is not None

    entry = kept(KEY, raced)
    assert entry is not None
    assert is_whole(entry, KEY)
    assert os.listdir(place) == [Path(entry).name]


def test_where_it_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "here"))
    assert folder_of_cache() == str(tmp_path / "here")
    for off in ("off", "OFF", "no", "0"):
        monkeypatch.setenv(PLACE, off)
        assert folder_of_cache() is None
        assert kept(KEY, Make()) is None
    monkeypatch.delenv(PLACE)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder_of_cache() == str(tmp_path / "xdg" / "workings")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which the specification says to ignore
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of_cache() == str(tmp_path / ".cache" / "workings")


def test_another_library_makes_another_entry(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept(KEY, Make())
    monkeypatch.setattr(cache, "version", lambda name: "0.0")
    assert kept(KEY, Make()) != first

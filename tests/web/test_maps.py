"""The maps of recorded heads: every code, digit and sum against Python's own results over the whole matrix."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.dumps import safetensors
from tests.support.maps import TOKENS, ask, blocks, codes_of, expected, number, recording_of, weights_of
from workings.models import differences
from workings.models.picture import Picture
from workings.models.recording import Layer, Recording
from workings.models.shelf import Shelf
from workings.models.tiles import OtherHead
from workings.terms.address import Name
from workings.terms.digits import AUTO, Precision, show
from workings.web import maps, traced

FAMILIES = ("llama", "gpt_oss")  # grouped keys; sinks, a window and grouped keys
HEADS = ("L0.H1", "L1.H2")
VIEW = {"lang": "en", "precision": "auto", "carry": None}


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recording_of(request.param, tmp_path_factory.mktemp(request.param))


def edges(size: int, level: int) -> Any:
    return np.arange(0, size, 16**level)


def near(found: Any, wanted: Any) -> None:
    """The same codes; a number that lies on the border of two may be counted to either."""
    assert ((found == 0) == (wanted == 0)).all()
    assert (abs(found - wanted) <= 1).all()
    assert (found == wanted).mean() > 0.99


# --- colours ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", HEADS)
def test_tiles_of_weights(folder: Path, head: str) -> None:
    weights, masked = weights_of(folder, head)
    whole = expected(weights, masked, 0.0)
    for row, column in ((0, 0), (1, 0), (0, 1), (1, 1)):
        part = whole[256 * row : 256 * (row + 1), 256 * column : 256 * (column + 1)]
        near(codes_of(ask(folder, "tile", head=head, level=0, row=row, column=column, pooled="max"), part.shape), part)


@pytest.mark.parametrize("pooled", ["max", "sum"])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("head", HEADS)
def test_tiles_of_blocks(folder: Path, head: str, level: int, pooled: str) -> None:
    weights, masked = weights_of(folder, head)
    at = edges(TOKENS, level), edges(TOKENS, level)
    high = level * math.log(16) if pooled == "sum" else 0.0
    wanted = expected(blocks(weights, at, pooled), blocks(masked, at, "all"), high)
    near(codes_of(ask(folder, "tile", head=head, level=level, row=0, column=0, pooled=pooled), wanted.shape), wanted)


@pytest.mark.parametrize("pooled", ["max", "sum"])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_tiles_of_two_heads(folder: Path, level: int, pooled: str) -> None:
    (ours, out), (theirs, others) = weights_of(folder, "L0.H1"), weights_of(folder, "L1.H2")
    at = edges(TOKENS, level), edges(TOKENS, level)
    values = blocks(ours - theirs, at, "extreme" if pooled == "max" else "sum")
    if pooled == "sum" and level:
        values[abs(values) < 1e-9] = 0  # rows that lie within a block add up to the same: what is left is rounding
    high = level * math.log(16) if pooled == "sum" else 0.0
    wanted = expected(values, blocks(out & others, at, "all"), high, signed=True)[:256, :256]
    asked: dict[str, Any] = {
        "head": "L0.H1",
        "level": level,
        "row": 0,
        "column": 0,
        "pooled": pooled,
        "against": {"head": "L1.H2"},
    }
    near(codes_of(ask(folder, "tile", **asked), wanted.shape), wanted)


def test_a_head_and_itself_are_equal(folder: Path) -> None:
    _, masked = weights_of(folder, "L0.H1")
    asked: dict[str, Any] = {
        "head": "L0.H1",
        "level": 0,
        "row": 0,
        "column": 0,
        "pooled": "max",
        "against": {"head": "L0.H1"},
    }
    found = codes_of(ask(folder, "tile", **asked), (256, 256))
    assert (found == np.where(masked[:256, :256], 0, 128)).all()
    told = ask(folder, "worst", head="L0.H1", against={"head": "L0.H1"}, count=5)
    assert (told["worst"], told["differ"]) == ([], 0)
    assert told["elements"] == int((~masked).sum())


@pytest.mark.parametrize("size", [5, 64])
def test_small_pictures_leave_nothing_out(folder: Path, size: int) -> None:
    told = ask(folder, "thumbs", heads=list(HEADS), size=size)
    for head in HEADS:
        weights, masked = weights_of(folder, head)
        starts = np.arange(size) * TOKENS // size
        if size * 16 < TOKENS:  # made of blocks of 16 × 16
            count = -(-TOKENS // 16)
            starts = 16 * (np.arange(size) * count // size)
        at = starts, starts
        wanted = expected(blocks(weights, at, "max"), blocks(masked, at, "all"), 0.0)
        assert told["shape"][head] == [size, size]
        near(codes_of(told["thumbs"][head], wanted.shape), wanted)


def test_pictures_that_take_long_are_left_to_the_next_request(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ask(folder, "thumbs", heads=list(HEADS), size=9)
    monkeypatch.setattr(maps, "SECONDS", -1.0)
    for head in HEADS:
        told = ask(folder, "thumbs", heads=[head, *HEADS], size=9)
        assert told["thumbs"] == {head: whole["thumbs"][head]}


def test_differences_are_the_same_however_many_rows_are_kept_together(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for place, size in enumerate((2**26, 1)):
        monkeypatch.setattr(differences, "BAND", size)
        shelf = Shelf(str(tmp_path / str(place)))
        (tmp_path / str(place)).mkdir()
        recording = Recording(folder)
        pictures = [Picture(recording, Name("", layer), head) for layer, head in ((0, 1), (1, 2))]
        found = differences.Differences(pictures[0], OtherHead(pictures[1]), shelf, "key")
        told.append((*(each.tolist() for each in found.blocks()), found.census()))
        assert len(list((tmp_path / str(place)).iterdir())) == (2 if place == 0 else 2 * -(-TOKENS // 16))
    assert told[0][:3] == told[1][:3]
    assert told[0][3].worst == told[1][3].worst
    assert told[0][3][:4] == told[1][3][:4]
    assert told[0][3].mean == pytest.approx(told[1][3].mean, rel=1e-12)


def test_the_legend_is_that_of_the_codes(folder: Path) -> None:
    """A tick says of a power of ten which code it has."""
    told = ask(folder, "table", head="L0.H1", level=0, pooled="max")
    assert [tick["text"] for tick in told["ticks"]] == ["≤ 10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1"]
    for power, tick in enumerate(told["ticks"], start=-7):
        wanted = expected(np.array([[10.0**power]]), np.array([[False]]), 0.0)
        assert tick["code"] == wanted[0, 0]
    assert len(set(told["colours"])) > 240
    both = ask(folder, "table", head="L0.H1", level=1, pooled="sum", against={"head": "L1.H2"}, lang="zh")
    codes = {tick["text"]: tick["code"] for tick in both["ticks"]}
    assert codes["相等"] == 128
    assert codes["−1"] == 256 - codes["+1"]
    assert "L0.H1 减 L1.H2" in both["label"]
    assert "16 × 16" in both["text"]


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_digits_are_those_of_the_number_at_its_address(folder: Path) -> None:
    run = w.recorded(folder)
    _, masked = weights_of(folder, "L1.H2")
    for queries, keys in (([0, 9], [0, 9]), ([260, 270], [255, 275])):
        found = ask(folder, "digits", head="L1.H2", queries=queries, keys=keys)["digits"]
        for query, row in zip(range(*queries), found, strict=True):
            for key, text in zip(range(*keys), row, strict=True):
                value = run.number(f"L1.H2.weight[{query},{key}]")._value
                assert text == ("" if masked[query, key] else show(value, AUTO).text)


def test_digits_of_differences_are_sure(folder: Path) -> None:
    ours, theirs = (weights_of(folder, head)[0] for head in HEADS)
    asked: dict[str, Any] = {"head": HEADS[0], "against": {"head": HEADS[1]}, "queries": [20, 30], "keys": [10, 30]}
    for query, row in zip(range(20, 30), ask(folder, "digits", **asked)["digits"], strict=True):
        for key, text in zip(range(10, 30), row, strict=True):
            off = ours[query, key] - theirs[query, key]
            if text:
                assert float(number(text)) == pytest.approx(off, rel=5e-4, abs=5e-5 if abs(off) > 1e-3 else 1e-12)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("head", HEADS)
def test_a_row_adds_up_as_printed(folder: Path, head: str, lang: str) -> None:
    run = w.recorded(folder)
    weights, masked = weights_of(folder, head)
    sinks = "sinks" in run._recording.layers[next(iter(run._recording.layers))].told
    for query in (0, 1, 7, 8, 100, 299):
        told = ask(folder, "row", head=head, query=query, top=8, lang=lang)
        seen = int((~masked[query]).sum())
        assert [one["key"] for one in told["top"]] == list(np.argsort(-weights[query], kind="stable")[: min(8, seen)])
        total = sum((number(one["weight"]) for one in told["top"]), number(told["rest"]))
        assert total == number(told["sum"])
        assert (told["sink"] is not None) == (sinks and told["sum"] != "1") or told["sink"] == "0"
        assert total + number(told["sink"] or "0") == 1
        for one in told["top"]:
            value = run.number(one["address"]).explain(precision=told["places"])._value
            assert one["weight"] == show(value, Precision(places=told["places"])).text
        rest = weights[query].sum() - sum(weights[query][one["key"]] for one in told["top"])
        assert float(number(told["rest"])) == pytest.approx(rest, abs=0.51 * 10.0 ** -told["places"])
        assert told["others"] == seen - len(told["top"])
        assert told["lse"] == show(run.number(f"{head}.lse[{query}]")._value, AUTO).text
        near(codes_of(told["strip"], (1, TOKENS)), expected(weights[[query]], masked[[query]], 0.0))
        for one in told["top"]:
            assert one["weight"] in told["html"]


def test_a_peak_is_larger_than_both_its_neighbours(folder: Path) -> None:
    weights, masked = weights_of(folder, "L0.H1")
    steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    for towards, (down, right) in steps.items():
        query, key = wanted = 150, 149
        while True:
            query, key = query + down, key + right
            if not (0 <= query < TOKENS and 0 <= key < TOKENS):
                break
            beside = [(query - down, key - right), (query + down, key + right)]
            sides = [-1.0 if not (0 <= q < TOKENS and 0 <= k < TOKENS) else weights[q, k] for q, k in beside]
            if not masked[query, key] and weights[query, key] > max(sides):
                wanted = query, key
                break
        found = ask(folder, "peak", head="L0.H1", query=150, key=149, towards=towards)
        assert found == ({"none": True} if wanted == (150, 149) else {"query": wanted[0], "key": wanted[1]})


def test_of_equal_numbers_the_first_is_the_peak() -> None:
    line = [0.0, 2.0, 2.0, 1.0, 3.0, 3.0]
    assert maps.next_peak(line, 0, 1) == 1
    assert maps.next_peak(line, 2, 1) == 4
    assert maps.next_peak(line, 4, 1) is None
    assert maps.next_peak(line, 3, -1) == 2
    assert maps.next_peak([-math.inf] * 4, 0, 1) is None


# --- what a kernel wrote ---------------------------------------------------------------------------------------------


@pytest.fixture(params=["weight", "L0.weight", "L0.H1.weight"])
def dump(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Path:
    """The weights of a layer as float32, two of one head's altered."""
    heads = [weights_of(folder, f"L0.H{head}")[0].astype("<f4") for head in range(4)]
    heads[1][70, 3] += 0.25
    heads[1][71, 71] -= 1e-4
    alone = request.param.count(".") == 2
    safetensors(tmp_path / "kernel.safetensors", {request.param: ("F32", heads[1] if alone else np.array(heads))})
    return tmp_path / "kernel.safetensors"


def test_what_a_kernel_wrote(folder: Path, dump: Path) -> None:
    weights, masked = weights_of(folder, "L0.H1")
    told = ask(folder, "worst", dump=str(dump), head="L0.H1", against={"dump": True}, count=2)
    assert [(one["query"], one["key"]) for one in told["worst"]] == [(70, 3), (71, 71)]
    assert told["differ"] <= 2 + 0.01 * told["elements"]  # float32 of float64 that is a little off itself
    assert told["elements"] == int((~masked).sum()) + bool(masked[70, 3]) + bool(masked[71, 71])
    first = told["worst"][0]
    assert float(number(first["difference"])) == pytest.approx(-0.25, abs=1e-4)
    assert float(number(first["theirs"])) == pytest.approx(weights[70, 3] + 0.25, abs=1e-4)
    asked: dict[str, Any] = {
        "head": "L0.H1",
        "level": 0,
        "row": 0,
        "column": 0,
        "pooled": "max",
        "against": {"dump": True},
    }
    found = codes_of(ask(folder, "tile", dump=str(dump), **asked), (256, 256))
    assert found[70, 3] < 10
    assert (found[:70][~masked[:70, :256]] > 60).all()
    pooled = codes_of(ask(folder, "tile", dump=str(dump), **{**asked, "level": 1}), (19, 19))
    assert pooled[4, 0] == found[70, 3]


def test_dumps_that_do_not_fit(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    safetensors(path, {"weight": ("F32", np.zeros((4, 3, 3), "<f4"))})
    against: dict[str, Any] = {"head": "L0.H1", "against": {"dump": True}, "count": 2}
    assert "cannot be compared" in ask(folder, "worst", dump=str(path), status=422, **against)["error"]["message"]
    safetensors(path, {"logits": ("F32", np.zeros((4, 3, 3), "<f4"))})
    assert "logits" in ask(folder, "worst", dump=str(path), status=400, **against)["error"]["message"]
    assert ask(folder, "worst", status=422, **against)["error"]["code"] == "no-dump"


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_of_a_recording(folder: Path, lang: str) -> None:
    told = ask(folder, "recording", lang=lang)
    run = w.recorded(folder, lang=lang)
    assert [head for layer in told["layers"] for head in layer["heads"]] == [one.address for one in run.scores]
    assert [score["name"] for score in told["scores"]] == list(run.scores.names)
    printed = run.scores.to_text()
    for address, one in told["heads"].items():
        assert one["sort"] == {name: run.scores[address].scores[name] for name in run.scores.names}
        (line,) = (line for line in printed.splitlines() if address in line.split())
        assert list(one["shown"].values()) == line.split()[-len(one["shown"]) :]
    assert [len(words) for words in told["words"]] == [TOKENS]
    assert {layer["query_words"] for layer in told["layers"]} == {0}


def test_a_figure_has_its_numbers_as_data(folder: Path) -> None:
    weights, masked = weights_of(folder, "L1.H2")
    asked: dict[str, Any] = {"head": "L1.H2", "queries": [32, 96], "keys": [0, 48], "level": 1, "pooled": "max"}
    found = ask(folder, "figure", **asked)
    assert (found.media, found.filename) == ("image/svg+xml", "L1.H2.svg")
    svg = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(found.body)  # noqa: S314 -- our own
    told = json.loads(root.findtext(f"{svg}metadata") or "")
    assert (told["head"], told["level"], told["queries"], told["keys"]) == ("L1.H2", 1, [32, 96], [0, 48])
    rows = [group for group in root.iter(f"{svg}g") if "data-query" in group.attrib]
    assert [int(row.attrib["data-query"]) for row in rows] == [32, 48, 64, 80]
    for row in rows:
        for square in row:
            query, key = int(row.attrib["data-query"]), int(square.attrib["data-key"])
            block = weights[query : query + 16, key : key + 16]
            assert float(square.attrib["data-value"]) == pytest.approx(block.max(), rel=1e-4)
            assert square.attrib["fill"].startswith("url(") == masked[query : query + 16, key : key + 16].all()
    text = " ".join(one.text or "" for one in root.iter(f"{svg}text"))
    assert "16 × 16" in text
    assert "key →" in text


# --- wrong requests --------------------------------------------------------------------------------------------------

TILE: dict[str, Any] = {"head": "L0.H1", "level": 0, "row": 0, "column": 0, "pooled": "max"}
DIGITS: dict[str, Any] = {"head": "L0.H1", "queries": [0, 4], "keys": [0, 4]}
WRONG: list[tuple[str, dict[str, Any], int]] = [
    ("tile", {**TILE, "row": 2}, 400),
    ("tile", {**TILE, "column": -1}, 400),
    ("tile", {**TILE, "level": 17}, 400),
    ("tile", {**TILE, "level": 1.5}, 400),
    ("tile", {**TILE, "level": True}, 400),
    ("tile", {**TILE, "pooled": "mean"}, 400),
    ("tile", {**TILE, "head": "L0.H9"}, 422),
    ("tile", {**TILE, "head": "L7.H1"}, 422),
    ("tile", {**TILE, "head": "L0"}, 422),
    ("tile", {**TILE, "head": "../../etc/passwd"}, 422),
    ("tile", {**TILE, "head": 3}, 400),
    ("tile", {**TILE, "against": {"head": "L0.H9"}}, 422),
    ("tile", {**TILE, "against": {"path": "/etc/passwd"}}, 400),
    ("tile", {**TILE, "against": "L1.H1"}, 400),
    ("tile", {**TILE, "recording": "/etc"}, 404),
    ("tile", {**TILE, "recording": None}, 400),
    ("digits", {**DIGITS, "queries": [0, 301]}, 400),
    ("digits", {**DIGITS, "queries": [4, 4]}, 400),
    ("digits", {**DIGITS, "queries": [-1, 4]}, 400),
    ("digits", {**DIGITS, "queries": [0, True]}, 400),
    ("digits", {**DIGITS, "keys": [0, 4, 5]}, 400),
    ("digits", {**DIGITS, "queries": [0, 200], "keys": [0, 200]}, 400),
    ("thumbs", {"heads": ["L0.H1"] * 17}, 400),
    ("thumbs", {"heads": ["L0.H1"], "size": 0}, 400),
    ("thumbs", {"heads": ["L0.H1"], "size": 257}, 400),
    ("row", {"head": "L0.H1", "query": 300}, 400),
    ("row", {"head": "L0.H1", "query": 0, "top": 65}, 400),
    ("row", {"head": "L0.H1", "query": 0, "lang": "fr"}, 400),
    ("peak", {"head": "L0.H1", "query": 0, "key": 0, "towards": "in"}, 400),
    ("worst", {"head": "L0.H1", "count": 3}, 400),
    ("figure", {"head": "L0.H1", "queries": [0, 200], "keys": [0, 200], "level": 0, "pooled": "max"}, 400),
    ("weight", {"address": "L0.H1.weight[0]", "view": VIEW}, 422),
    ("weight", {"address": "L0.H1.weight[0,900]", "view": VIEW}, 422),
    ("weight", {"address": "nothing[0]", "view": VIEW}, 422),
]


@pytest.mark.parametrize(("what", "body", "status"), WRONG, ids=str)
def test_wrong_requests_are_told(what: str, body: dict[str, Any], status: int, folder: Path) -> None:
    found = ask(folder, what, status=status, **body)
    assert set(found) == {"error"}
    assert found["error"]["message"]


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_a_shelf_has_an_end(tmp_path: Path) -> None:
    shelf, made = Shelf(str(tmp_path), most=3000), list[str]()

    def take(key: str) -> Any:
        def make() -> Any:
            made.append(key)
            return np.full(100, float(len(key)))

        return shelf.take(key, make)

    for key in ("a", "bb", "a", "ccc"):
        assert (take(key) == len(key)).all()
    assert made == ["a", "bb", "ccc"]  # the second time from its file
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 3000
    assert (take("dddd") == 4).all()
    assert (take("bb") == 2).all()
    assert made == ["a", "bb", "ccc", "dddd", "bb"]  # what was not asked for longest was given up
    for path in tmp_path.iterdir():
        path.write_bytes(b"nonsense")
    assert (take("bb") == 2).all()  # what was damaged is made again


def test_a_recording_opens_once_in_a_process(folder: Path) -> None:
    traced._traced.cache_clear()
    for _ in range(3):
        ask(folder, "row", head="L0.H1", query=3)
    assert traced._traced.cache_info().misses == 1


def test_of_long_texts_fewer_heads_are_kept(folder: Path) -> None:
    recording = Recording(folder)
    assert traced.heads_kept(recording) == 64
    layer = next(iter(recording.layers.values()))
    for tokens, kept in ((2**16, 64), (2**18, 16), (2**22, 2)):
        long = Layer(layer.folder, {**layer.told, "queries": tokens, "keys": tokens, "d_k": 8})
        recording.layers = {layer.place: long}
        assert traced.heads_kept(recording) == kept

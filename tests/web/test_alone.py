"""A head as one file: what its page works from the operands that it holds is what Python says, and it stays small."""

from __future__ import annotations

import base64
import json
import re
import warnings
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.maps import ask, codes_of, recording_of
from tests.support.tiny_models import build, inputs_of
from tests.unit.cli.command import here
from workings.api.view import View
from workings.models.packing import halves
from workings.models.record import Wish, record
from workings.web.alone import alone

FAMILIES = ("llama", "gpt_oss", "mistral", "gemma2", "bert", "bloom", "t5")
TOKENS = 150  # more than a block of level 1, and no whole number of them
DATA = re.compile(r'<script type="text/plain" id="workings-standalone">([^<]+)</script>')


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recording_of(request.param, tmp_path_factory.mktemp(request.param), TOKENS)


@cache
def first_head(folder: Path) -> str:
    """A head of the last layer of the model's first stack."""
    index = json.loads((folder / "recording.json").read_text())
    part = index["layers"][0]["part"]
    return str([layer for layer in index["layers"] if layer["part"] == part][-1]["address"]) + ".H2"


@cache
def held(folder: Path, head: str, lang: str = "en") -> dict[str, Any]:
    """What lies in the file."""
    (found,) = DATA.findall(alone(str(folder), head, View().changed(lang=lang)))
    return dict(json.loads(zlib.decompress(base64.b64decode(found))))


def array(text: str, kind: str, *shape: int) -> Any:
    return np.frombuffer(base64.b64decode(text), kind).reshape(shape)


def codes(told: dict[str, Any]) -> tuple[Any, Any]:
    """The whole of level 0 from what the file holds, as its page works it, and how far off half precision leaves it."""
    queries, keys, width = told["queries"], told["keys"], told["d_k"]
    q, k = (
        np.ldexp(array(told[name]["values"], "<f2", size, width).astype(float), told[name]["exponent"])
        for name, size in (("q", queries), ("k", keys))
    )
    logits = q @ k.T * told["scale"]
    if told["softcap"]:
        logits = told["softcap"] * np.tanh(logits / told["softcap"])
    i, j = np.arange(queries)[:, None], np.arange(keys)[None]
    if told["bias"]:
        line = np.frombuffer(base64.b64decode(told["bias"]["values"]), "<f4")
        logits = logits + (line[j] if told["bias"]["kind"] == "by-key" else line[j - i + queries - 1])
    left, right, own = told["window"]["left"], told["window"]["right"], i + told["window"]["offset"]
    out = np.isneginf(logits)
    if left is not None:
        out |= j < own - left
    if right is not None:
        out |= j > own + right
    logs = logits - array(told["lse"], "<f4", queries, 1)
    place = np.clip((logs - told["low"]) / (told["high"] - told["low"]), 0, 1)
    rounded = 2.0**-10 * np.abs(q) @ np.abs(k).T * told["scale"]  # each factor by 2^-11 of it
    off = 1 + 254 * (rounded + 1e-5) / (told["high"] - told["low"])
    return np.where(out, 0, 1 + np.rint(254 * place)).astype(int), off


def test_its_tiles_are_pythons(folder: Path) -> None:
    head = first_head(folder)
    told = held(folder, head)["map"]
    assert (told["schema"], told["head"]) == ("workings.map-file/1", head)
    asked: dict[str, Any] = {"row": 0, "column": 0, "head": head}
    found = ask(folder, "tile", **asked, level=0, pooled="max")
    (mine, off), theirs = codes(told), codes_of(found, (told["queries"], told["keys"]))
    assert ((mine == 0) == (theirs == 0)).all()
    assert (abs(mine - theirs) <= off).all()
    assert abs(mine - theirs).mean() < 0.2
    for level in told["levels"]:
        for pooled in ("max", "sum"):
            found = ask(folder, "tile", **asked, level=level["level"], pooled=pooled)
            assert base64.b64decode(level[pooled]) == found.body
    assert told["levels"][-1]["shape"] == [1, 1]
    thumb = ask(folder, "thumbs", heads=[head], size=64)
    assert (told["thumb"]["codes"], told["thumb"]["shape"]) == (thumb["thumbs"][head], thumb["shape"][head])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_its_words_and_tables_are_the_pages(folder: Path, lang: str) -> None:
    head = first_head(folder)
    data = held(folder, head, lang)
    page, whole = data["map"]["page"], ask(folder, "recording", lang=lang)
    assert page["heads"] == {name: one for name, one in whole["heads"].items() if name == head}
    assert [layer["heads"] for layer in page["layers"]] == [[head]]
    for name, table in data["map"]["tables"].items():
        level, _, pooled = name.partition(":")
        assert table == ask(folder, "table", head=head, level=int(level), pooled=pooled, lang=lang)
    assert {name.partition(".")[0] for name in data["words"]} == {"web", "map"}


def test_its_rows_are_pythons(folder: Path) -> None:
    head = first_head(folder)
    told = held(folder, head)["map"]
    rows, size = told["rows"], told["queries"]
    keys, others = array(rows["keys"], "<i4", size, rows["top"]), array(rows["others"], "<i4", size)
    lines = {name: rows[name].split("\n") for name in ("weights", "rest", "sum", "sink", "entropy", "lse")}
    for query in range(size):
        row = ask(folder, "row", head=head, query=query, top=rows["top"])
        assert [int(key) for key in keys[query] if key >= 0] == [one["key"] for one in row["top"]]
        assert lines["weights"][query].split() == [one["weight"] for one in row["top"]]
        assert int(others[query]) == row["others"]
        assert (lines["sink"][query] or None) == row["sink"]
        for name in ("rest", "sum", "entropy", "lse"):
            assert lines[name][query] == row[name]
        for one in row["top"]:
            assert one["word"] in told["names"][one["key"]]
    if told["digits"] is not None:
        digits = ask(folder, "digits", head=head, queries=[0, 10], keys=[0, 40])["digits"]
        held_digits = [line.split(" ") for line in told["digits"].split("\n")]
        assert [[text or "·" for text in row] for row in digits] == [row[:40] for row in held_digits[:10]]


def test_all_digits_of_a_short_text(tmp_path: Path) -> None:
    folder = recording_of("llama", tmp_path, 20)
    lines = [line.split(" ") for line in held(folder, "L0.H1")["map"]["digits"].split("\n")]
    digits = ask(folder, "digits", head="L0.H1", queries=[0, 20], keys=[0, 20])["digits"]
    assert lines == [[text or "·" for text in row] for row in digits]


def test_the_file_is_small(tmp_path: Path) -> None:
    """2,048 tokens with a width of 64; its numbers are random, so that hardly anything can be packed away."""
    sizes: dict[str, Any] = {
        "num_hidden_layers": 1,
        "head_dim": 64,
        "max_position_embeddings": 2048,
        "num_attention_heads": 2,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build("llama", **sizes, num_key_value_heads=1).save_pretrained(tmp_path / "model")
    given = {name: values.numpy() for name, values in inputs_of("llama", 2048).items()}
    record(tmp_path / "model", tmp_path / "out", Wish(inputs=given))
    text = alone(str(tmp_path / "out"), "L0.H1", View().changed(lang="en"))
    assert len(text.encode()) < 2_500_000
    assert "default-src 'none'" in text


def test_what_it_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(recording_of("llama", tmp_path, 12))
    line = ("explain", folder, "--to", "html", "--interactive")
    done = here(capsys, *line, "--head", "L0.H1", "-o", str(tmp_path / "head.html"), "--lang", "zh")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "head.html").read_text().startswith('<!DOCTYPE html>\n<html lang="zh">')
    for more, code, said in (
        ((), 2, "--head"),
        (("--head", "L0.H9"), 2, "L0.H9"),
        (("--head", "L0"), 2, "L0"),
        (("--head", "L0.H1", "--token", "a"), 2, "--token"),
        (("--head", "L0.H1", "--precision", "3"), 2, "--precision"),
        (("--head", "L0.H1", "--carry", "3"), 2, "--carry"),
    ):
        done = here(capsys, *line, *more)
        assert (done.code, done.out) == (code, "")
        assert said in done.err
    assert here(capsys, "explain", "kitten", "--to", "html", "--interactive", "--head", "L0.H1").code == 3


def test_halves_hold_any_size() -> None:
    for factor in (1e-30, 1.0, 1e6, 1e30):
        values = np.random.default_rng(3).normal(size=(40, 8)) * factor
        exponent, found = halves(values)
        back = np.ldexp(found.astype(float), exponent)
        assert abs(back - values).max() <= 2.0**-10 * abs(values).max()
        assert (abs(back - values) <= 2.0**-11 * abs(values) + 2.0**-24 * 2.0**exponent).all()
    assert halves(np.zeros((2, 2))).exponent == 0


def test_a_reader_without_scripts_sees_a_row(folder: Path) -> None:
    head = first_head(folder)
    text = alone(str(folder), head, View().changed(lang="en"))
    plain = text[text.index('<main class="page plain">') : text.index("</main>")]
    row = ask(folder, "row", head=head, query=held(folder, head)["map"]["queries"] - 1, top=8)
    assert row["html"] in plain
    assert w.recorded(folder).data()["model"]["name"] in plain

"""A recorded model as a user holds it, from Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.real_models import minilm
from tests.unit.cli.command import here
from workings.terms.errors import BadAddress, IndexOutside, TokenNotUnique, UnknownChoice, UnknownToken
from workings.terms.model_errors import NotRecorded, PlaceMissing

TEXT = "The cat ate because it was hungry."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of MiniLM."""
    path = tmp_path_factory.mktemp("recorded") / "out"
    w.trace(minilm(), path, text=TEXT)
    return path


def test_numbers_rows_and_tiles_agree(folder: Path) -> None:
    run = w.recorded(folder)
    head = run["L5.H3"]
    row = head.row(5)
    assert run.tokens[5] == "it"
    assert float(run["L5.H3.weight"][5, 2]) == pytest.approx(row[2], rel=1e-15)
    assert float(run['L5.H3.weight["it","cat"]']) == float(run.number("L5.H3.weight[5,2]"))
    assert np.array_equal(head.tile(range(4, 6), range(2, 4)), head.tile(range(4, 6))[:, 2:4])
    assert head.entropy.shape == (10,)
    expected = -(row * np.log(row)).sum()  # ten terms, each rounded a few times
    assert head.entropy[5] == pytest.approx(expected, rel=1e-14)
    top = head.top(5, k=3)
    assert [one.weight for one in top] == sorted(row)[::-1][:3]
    assert top[0].word == run.tokens[top[0].key]
    assert float(run["L5.H3.lse[5]"]) == pytest.approx(head.lse[5], rel=1e-15)


def test_tokens_stand_for_places(folder: Path) -> None:
    run = w.recorded(folder)
    head = run.head("L5.H3")
    whole = head.tile(range(10))  # rows worked together are added up in another order than alone

    def same(mine: Any, theirs: Any) -> bool:
        return mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-13, atol=0)

    assert np.array_equal(head.row("it"), head.row(5))
    assert np.array_equal(head.row(-1), head.row(9))
    assert head.top("it", 2) == head.top(5, 2)
    assert head.tile("it", ["cat", 0, -1]).tolist() == [[head.row(5)[key] for key in (2, 0, 9)]]
    assert same(head.tile([5, 6, 2], range(2, 8, 3)), whole[[5, 6, 2]][:, [2, 5]])
    assert same(head.tile(slice(2, None, 4)), whole[[2, 6]])
    for wrong, error in (("dog", UnknownToken), (10, IndexOutside), (range(9, 12), IndexOutside)):
        with pytest.raises(error):
            head.tile(wrong)
    assert run["L5.H3.weight"]["it", "cat"].bound > 0
    with pytest.raises(BadAddress):
        run.head("L5")


def test_a_token_that_stands_twice(tmp_path: Path) -> None:
    run = w.trace(minilm(), tmp_path / "out", text="the cat saw the dog", layers=[0])
    with pytest.raises(TokenNotUnique, match="1 and 4"):
        run.number('L0.H0.weight["cat","the"]')
    with pytest.raises(TokenNotUnique):
        run.head("L0.H0").row("the")
    assert run.number('L0.H0.weight["cat","the"#2]').address == "L0.H0.weight[2,4]"
    assert np.array_equal(run.head("L0.H0").row("the#2"), run.head("L0.H0").row(4))


def test_a_number_says_how_far_off_it_may_be(folder: Path) -> None:
    number = w.recorded(folder).number("L5.H3.weight[5,2]").explain(lang="zh")
    told = number.data()
    assert told["dtype"] == "float32"
    assert 0 < told["bound"] < 1e-12
    assert w.recorded(folder).number("L5.H3.Q[0,0]").data()["bound"] == 0


def test_the_dot_product_is_a_table(folder: Path) -> None:
    text = w.recorded(folder).number("L5.H3.score[5,2]").explain(lang="en").to_markdown()
    rows = [line for line in text.splitlines() if line.startswith("| `L5.H3.Q[5,")]
    assert len(rows) == 32
    products = [float(row.split("|")[5].strip().replace("−", "-")) for row in rows]
    shown = float(w.recorded(folder).number("L5.H3.score[5,2]"))
    assert sum(products) == pytest.approx(shown, abs=32 * 0.00005)  # each product is rounded to four decimals


def test_what_is_not_there(folder: Path) -> None:
    run = w.recorded(folder)
    for address in ("L6.H0.weight[0,0]", "L0.H12.weight[0,0]"):
        with pytest.raises(NotRecorded):
            run.number(address)
    with pytest.raises(PlaceMissing):
        run.number("weight[0,0]")
    with pytest.raises(IndexOutside):
        run.number("L0.H0.weight[0,10]")
    with pytest.raises(IndexOutside):
        run["L0.H0"].tile(range(9, 11))
    with pytest.raises(UnknownToken):
        run.number('L0.H0.weight["dog",0]')
    with pytest.raises(BadAddress):
        run.number("L0.H0.weight")


def test_a_head_as_a_picture(folder: Path) -> None:
    head = w.recorded(folder)["L5.H3"]
    weights = head.tile(range(10))
    assert np.allclose(head.picture.tile(range(2, 6), range(3, 9)), weights[2:6, 3:9], rtol=1e-3)
    maxima, sums = head.pyramid(1)
    assert maxima.shape == sums.shape == (1, 1)
    assert maxima[0, 0] == pytest.approx(weights.max(), rel=1e-3)
    assert sums[0, 0] == pytest.approx(10, rel=1e-3)


def test_scores_are_a_table_that_can_be_sorted(folder: Path) -> None:
    scores = w.recorded(folder, lang="en").scores
    assert len(scores) == 72
    assert scores.names == ("entropy", "sink", "previous", "self", "near", "distance")  # no token stands twice
    values = [head.scores["entropy"] for head in scores.by("entropy")]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]
    least = scores.by("distance", least_first=True).first(3)
    assert [head.address for head in least] == [head.address for head in scores.by("distance")][:-4:-1]
    near = scores.by("near")
    assert (
        [head.address for head in near[:3]]
        == [head.address for head in near.first(3)]
        == [near[0].address, near[1].address, near[2].address]
    )
    assert [head.address for head in near[::-36]] == [near[-1].address, near[35].address]
    assert len(json.loads(near[:3].to_json())["heads"]) == 3
    assert scores["L5.H3"] == next(head for head in scores if head.address == "L5.H3")
    mean = w.recorded(folder)["L5.H3"].entropy.mean()
    found, bound = scores["L5.H3"].scores["entropy"], scores["L5.H3"].bounds["entropy"]
    assert found is not None
    assert bound is not None
    assert abs(found - mean) <= bound
    told = json.loads(scores.to_json())
    assert (told["schema"], len(told["heads"]), told["formulas"]["sink"]) == ("workings.scores/1", 72, "p[0]")
    for lang, word in (("en", "previous token"), ("zh", "前一个词")):
        text = w.recorded(folder, lang=lang).scores.to_text()
        assert word in text
        assert "L5.H11" in text
    with pytest.raises(UnknownChoice):
        scores.by("beauty")
    with pytest.raises(NotRecorded):
        scores["L9.H0"]


def test_without_a_folder_it_is_gone_with_its_object() -> None:
    run = w.trace(minilm(), text="late", layers=[0], heads=[1])
    path = Path(run.path)
    assert path.is_dir()
    del run
    assert not path.exists()


def test_trace_and_cell_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    done = here(capsys, "trace", str(minilm()), "--text", TEXT, "-o", out, "--summary", "--lang", "en")
    assert done.code == 0
    assert "30,522" in done.out
    assert "query, key and value" in done.out
    assert "MB on the disk" in done.err
    assert "first key" in done.out
    cell = here(capsys, "cell", out, 'L5.H3.weight["it","cat"]', "--json")
    assert json.loads(cell.out)["address"] == "L5.H3.weight[5,2]"
    again = here(capsys, "trace", str(minilm()), "--text", TEXT, "-o", out)
    assert again.code == 3
    assert len(again.err.splitlines()) == 1 or "MB" in again.err


def test_all_heads_sorted_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--text", TEXT, "-o", str(tmp_path / "out"), "--scores", "sink", "--lang", "en"]
    done = here(capsys, "trace", str(minilm()), *asked)
    assert done.code == 0
    heads = [line.split() for line in done.out.splitlines() if line.startswith("  L")]
    values = [float(line[2]) for line in heads]
    assert len(values) == 72
    assert values == sorted(values, reverse=True)


MISUSES: dict[str, list[str]] = {
    "nothing-to-read": ["-o", "out"],
    "two-texts": ["--text", "a", "--file", "b", "-o", "out"],
    "no-place": ["--text", "a"],
    "layers": ["--text", "a", "-o", "out", "--layers", "a"],
    "too-many": ["--text", "a", "-o", "out", "--heads", "0-99999"],
    "score": ["--text", "a", "-o", "out", "--scores", "beauty"],
    "type": ["--text", "a", "-o", "out", "--dtype", "int8"],
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse_is_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    done = here(capsys, "trace", str(minilm()), *MISUSES[name])
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_text_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_bytes(b"abc\xff")
    done = here(capsys, "trace", str(minilm()), "--file", str(tmp_path / "text"), "-o", str(tmp_path / "out"))
    assert done.code == 3
    assert "3" in done.err


def test_inputs_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "inputs.npz", input_ids=np.arange(1000, 1006)[None])
    out = tmp_path / "out"
    done = here(capsys, "trace", str(minilm()), "--inputs", str(tmp_path / "inputs.npz"), "-o", str(out), "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert [token["id"] for token in told["tokens"][""]] == list(range(1000, 1006))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_head_is_a_page(lang: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "explain", str(folder), "--head", "L5.H3", "--token", "it", "--lang", lang, "--to", "md")
    assert (done.code, done.err) == (0, "")
    rows = w.recorded(folder).head("L5.H3").top("it")
    assert f"`{rows[0].word}`" in done.out
    for step in ("score", "scaled", "exp_shifted", "weight", "lse", "head_output"):
        assert f"`L5.H3.{step}`" in done.out
    assert "\n" not in w.recorded(folder, lang=lang).head("L5.H3").to_html()[:14]
    overview = here(capsys, "explain", str(folder), "--lang", lang)
    assert (overview.code, "30,522" in overview.out) == (0, True)


def test_a_head_as_data(folder: Path) -> None:
    head = w.recorded(folder).head("L5.H3")
    told = head.explain(token="it").data()
    assert (told["schema"], told["address"], told["query"], len(told["rows"])) == ("workings.head/1", "L5.H3", 5, 10)
    first = told["rows"][5]
    assert first["entropy"] == pytest.approx(head.entropy[5], rel=1e-13)
    assert [(one["key"], one["word"]) for one in first["top"]] == [(one.key, one.word) for one in head.top("it")]
    (weights,) = (step["values"] for step in told["steps"] if step["name"] == "weight")
    assert [float(one) for one in weights] == pytest.approx(head.row(5).tolist(), rel=1e-11)
    assert head.data()["query"] == 9


def test_a_head_is_asked_for_of_a_recording(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused: dict[tuple[str, ...], int] = {
        ("kitten", "--head", "L5.H3"): 3,
        (str(folder), "--head", "L9.H3"): 2,
        (str(folder), "--head", "L5"): 2,
    }
    refused[(str(folder), "--head", "L5.H3", "--carry", "2")] = 2
    refused[(str(folder), "--head", "L5.H3", "--token", "dog")] = 2
    for line, code in refused.items():
        done = here(capsys, "explain", *line)
        assert (done.code, done.out, len(done.err.splitlines())) == (code, "", 1), line

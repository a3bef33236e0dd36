"""`workings compare` on the command line: codes, options from everywhere, and what is shown of hostile names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.dumps import plain_dump
from tests.support.reading_back import READERS
from tests.support.rotary_kernel import Kernel
from tests.unit.cli.command import here
from workings.render.targets import TARGETS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_right_and_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = plain_dump()
    np.savez("right.npz", **dump)
    np.savez("wrong.npz", **{**dump, "weight": dump["weight"][:, ::-1]})
    assert here(capsys, "compare", "right.npz", "--strict").code == 0
    done = here(capsys, "compare", "wrong.npz", "--json")
    found = json.loads(done.out)
    assert (done.code, done.err, found["schema"], found["first_step"]) == (1, "", "workings.compare/1", "weight")
    assert [cause["id"] for cause in found["causes"]] == ["rows-swapped"]
    assert {"elements", "differ", "over_tolerance", "nan", "inf", "max_ulps", "worst"} <= set(found["arrays"][0])


@pytest.mark.parametrize(
    ("more", "said"),
    [({"note": np.zeros(2)}, "Not read"), ({"masked": np.zeros((2, 5, 5), np.float32)}, "Not judged")],
    ids=["not-read", "not-judged"],
)
def test_what_was_passed_over_is_a_failure_under_strict(
    folder: Path, capsys: pytest.CaptureFixture[str], more: dict[str, Any], said: str
) -> None:
    dump = {**plain_dump(), **more}
    np.savez("right.npz", **dump)
    np.savez("wrong.npz", **{**dump, "weight": dump["weight"] + np.float32(7)})
    done = here(capsys, "compare", "right.npz", "--lang", "en")
    assert (done.code, said in done.out) == (0, True)
    assert here(capsys, "compare", "right.npz", "--strict").code == 4
    assert here(capsys, "compare", "wrong.npz", "--strict").code == 1


def test_a_tolerance_that_cannot_tell_is_a_failure_under_strict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    q = np.full((2, 4), 1000.0, np.float16)
    np.savez("a.npz", Q=q, K=q, weight=np.full((2, 2), 0.5, np.float16))
    done = here(capsys, "compare", "a.npz", "--softmax-dtype", "float16", "--lang", "en")
    assert (done.code, "cannot tell right from wrong" in done.out) == (0, True)
    assert here(capsys, "compare", "a.npz", "--softmax-dtype", "float16", "--strict").code == 4


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("target", [*TARGETS])
def test_every_way_of_telling(folder: Path, capsys: pytest.CaptureFixture[str], lang: str, target: str) -> None:
    dump = plain_dump(tokens=2)
    dump["weight"][0, 0] = np.nan
    dump["../../etc/passwd<script>\x1b[31m"] = dump["V"]
    np.savez("a.npz", **{name: values for name, values in dump.items() if "/" not in name})
    done = here(capsys, "compare", "a.npz", "--to", target, "--lang", lang)
    assert (done.code, done.err) == (1, "")
    assert "weight" in READERS[target](done.out)
    assert "{" not in READERS[target](done.out)


def test_flags_beat_the_file_and_the_file_beats_the_dump(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez("a.npz", **plain_dump(), workings='{"multiply_by": 3, "causal": "top-left"}')
    Path("options.json").write_text('{"causal": "none", "softcap": 7}', encoding="utf-8")
    flags = ["--multiply-by", "1/2", "--softcap", "1e9"]
    done = here(capsys, "compare", "a.npz", "--options", "options.json", *flags, "--json")
    options = json.loads(done.out)["options"]
    assert (options["multiply_by"], options["causal"], options["softcap"]) == (0.5, "none", 1e9)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["none.npz"], 3),
        (["a.npz", "--causal", "left"], 2),
        (["a.npz", "--window", "3"], 2),
        (["a.npz", "--multiply-by", "x"], 2),
        (["none.npz", "--softcap", "-1"], 2),
        (["a.npz", "--heads", "0"], 2),
        (["a.npz", "--options", "form.json"], 3),
        (["a.npz", "--options", "bad.json"], 3),
        (["a.npz", "--heads", "x"], 2),
        (["none.npz", "--rotary-dim", "0"], 2),
        (["a.npz", "--rotary-dim", "2.5"], 2),
        (["a.npz", "--rotary-dim", "4"], 3),
        (["before.npz", "--rope", "half", "--rotary-dim", "3"], 3),
        (["before.npz", "--rope", "half", "--rotary-dim", "6"], 3),
        (["inputs.npz"], 3),
        (["shapes.npz"], 3),
        ([], 2),
    ],
)
def test_what_cannot_be_meant_or_read(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    dump = plain_dump()
    np.savez("a.npz", **dump)
    np.savez("inputs.npz", Q=dump["Q"], K=dump["K"], V=dump["V"])
    np.savez("before.npz", **dump, q_proj=dump["Q"], k_proj=dump["K"])
    np.savez("shapes.npz", **{**dump, "K": np.zeros((2, 5, 5), np.float32)})
    Path("bad.json").write_text('{"mask": 1}', encoding="utf-8")
    Path("form.json").write_text('{"softcap": -1}', encoding="utf-8")
    done = here(capsys, "compare", *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.count("\n") == 1
    if "--rotary-dim" in arguments:
        assert ("--rotary-dim" in done.err, f"{arguments[0]}:" in done.err) == (code == 2, code == 3)


def test_how_many_dimensions_turn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez("a.npz", **Kernel(turned=4).dump())
    arguments = ("compare", "a.npz", "--rope", "half", "--rope-base", "100")
    assert here(capsys, *arguments, "--rotary-dim", "4", "--strict").code == 0
    assert here(capsys, *arguments).code == 1
    Path("options.json").write_text('{"rotary_dim": 4}', encoding="utf-8")
    done = here(capsys, *arguments, "--options", "options.json", "--json")
    assert (done.code, json.loads(done.out)["options"]["rotary_dim"]) == (0, 4)


def test_a_hostile_name_is_shown_inert(folder: Path) -> None:
    import workings

    found = workings.compare({**plain_dump(), "../../etc/passwd<script>\x1b[31m\n": np.zeros(2)}, lang="en")
    assert found.holds
    assert "\x1b" not in found.to_text()
    assert "`../../etc/passwd<script>" in found.to_markdown()
    assert set(found._repr_mimebundle_()) >= {"text/plain", "text/markdown"}

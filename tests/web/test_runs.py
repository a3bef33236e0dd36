"""`workings serve` with a recording or a model: what it opens, runs that go on while one reads, and many who ask."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.maps import recording_of, weights_of
from tests.support.serving import KITTEN, PATIENCE, Served, serving
from tests.support.tiny_gguf import write_llama
from tests.unit.cli.command import here
from workings.api.stories import folder_of
from workings.web.holding import Holding, Opening

TEXT = "the cat sat on the mat because the cat was tired."
SENT = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recording_of("llama", tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def recorded(folder: Path) -> Iterator[Served]:
    with serving(str(folder)) as found:
        yield found


@pytest.fixture(scope="module")
def model() -> Iterator[Served]:
    with serving("story-zh") as found:
        yield found


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(one) for path in tasks for one in _of_process(path).split()]
    commands = {one: _command(one) for one in found}
    return [one for one, command in commands.items() if command and b"multiprocessing" not in command]


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


@contextmanager
def running(served: Served, text: str, lang: str = "en") -> Iterator[http.client.HTTPResponse]:
    """The answer to a run, as far as its head; the client leaves with the block."""
    body = json.dumps({"text": text, "lang": lang})
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)) as connection:
        connection.request("POST", "/api/run", body, {**SENT, "X-Workings": served.token})
        with closing(connection.getresponse()) as answer:
            yield answer


def told_by(served: Served, text: str, lang: str = "en") -> list[Any]:
    """Everything that a run tells."""
    with running(served, text, lang) as answer:
        return [json.loads(line) for line in answer]


def at_work(served: Served) -> list[int]:
    """The processes of runs."""
    return [one for one in children(served.process.pid) if b"workings.web.running" in _command(one)]


# --- what was opened -------------------------------------------------------------------------------------------------


def test_a_recording_that_is_opened(recorded: Served, folder: Path) -> None:
    told = recorded.ask("GET", "/api/opened").json()
    assert (told["kind"], "dump" in told) == ("recording", False)
    assert str(folder) not in json.dumps(told)
    found = recorded.post("tile", {**tile("L0.H1", 0), "recording": told["recording"]})
    assert (found.status, found.headers["content-type"]) == (200, "application/octet-stream")
    assert len(found.body) == 256 * 256
    assert found.headers["cache-control"] == "no-store"
    for wrong in ("", str(folder), told["recording"] + "x", "../out"):
        assert recorded.post("tile", {**tile("L0.H1", 0), "recording": wrong}).status == 404


def test_a_recording_beside_a_dump(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    np.savez(tmp_path / "kernel.npz", weight=np.array([weights_of(folder, f"L0.H{head}")[0] for head in range(4)]))
    with serving(str(folder), "--against", str(tmp_path / "kernel.npz")) as served:
        told = served.ask("GET", "/api/opened").json()
        assert told["dump"] == "kernel.npz"
        asked = {"recording": told["recording"], "head": "L0.H2", "against": {"dump": True}, "count": 3, "lang": "zh"}
        found = served.post("worst", asked).json()
        assert found["elements"] == 300 * 301 // 2
        assert all(abs(float(one["ours"]) - float(one["theirs"])) < 1e-9 for one in found["worst"])


def test_what_cannot_be_opened(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel.npz").write_bytes(b"nonsense")
    for lang, said in (("en", "compared with a recording"), ("zh", "只能和一份记录比较")):
        done = here(capsys, "serve", "kitten", "--against", str(tmp_path / "kernel.npz"), "--no-open", "--lang", lang)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
    assert here(capsys, "serve", str(folder), "--against", str(tmp_path / "kernel.npz"), "--no-open").code == 3
    (tmp_path / "config.json").write_text("{}")
    assert here(capsys, "serve", str(tmp_path), "--no-open").code == 3


def test_nothing_heavy_is_loaded_for_an_example() -> None:
    with serving("kitten") as served:
        loaded = Path(f"/proc/{served.process.pid}/maps").read_text()
        assert "torch" not in loaded
        assert "numpy" not in loaded


def test_nothing_is_left_behind(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving(str(folder)) as served:
        told = served.ask("GET", "/api/opened").json()
        assert served.post("thumbs", {"recording": told["recording"], "heads": ["L0.H0"], "size": 8}).status == 200
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


# --- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_tells_how_far_it_is_and_is_then_a_recording(model: Served, tmp_path: Path) -> None:
    opened = model.ask("GET", "/api/opened").json()
    assert (opened["kind"], opened["name"]) == ("model", "story-zh")
    text = "小猫坐在垫子上，因为小猫累了。"
    with running(model, text, "zh") as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        told = [json.loads(line) for line in answer]
    stages = [one["stage"] for one in told[:-1]]
    assert list(dict.fromkeys(stages)) == ["load", "run", "finish"]
    running_ones = [one for one in told if one.get("stage") == "run"]
    assert [one["label"] for one in running_ones] == ["第 1 层，共 2 层", "第 2 层，共 2 层"]
    assert set(told[-1]) == {"recording"}
    expected = w.trace("story-zh", tmp_path / "out", text=text)
    asked = {"recording": told[-1]["recording"], "head": "L1.H1", "query": 4, "lang": "zh"}
    row = model.post("row", asked).json()
    assert [one["key"] for one in row["top"]] == [one.key for one in expected["L1.H1"].top(4, len(row["top"]))]


@pytest.mark.parametrize(("lang", "said"), [("en", "are unpacked, and kept in"), ("zh", "的权重要先解开")])
def test_where_unpacked_weights_are_kept_is_told_once(
    lang: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the model is loaded for the first time; a page does not tell the name of the user's own folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WORKINGS_CACHE", str(tmp_path / "kept"))
    with serving(str(write_llama(tmp_path / "tiny.gguf"))) as served:
        first, second = (told_by(served, "a cat", lang) for _ in range(2))
    notes = [one.get("note", "") for one in first if one.get("stage") == "load"]
    assert notes[0] == ""
    assert all(said in note for note in notes[1:])
    assert {
        part for part in (os.path.join("~", "kept"), "WORKINGS_CACHE=off", "0.1 MB") if part not in notes[-1]
    } == set()
    assert str(tmp_path) not in json.dumps(first)
    assert not any("note" in one for one in [*first[-2:], *second])


def test_wrong_runs(model: Served, recorded: Served) -> None:
    assert model.post("run", {"text": "  ", "lang": "en"}).status == 400
    assert model.post("run", {"text": TEXT, "lang": "fr"}).status == 400
    assert model.post("run", {"text": 5, "lang": "en"}).status == 400
    assert model.post("run", "nonsense").status == 400
    assert model.post("run", {"text": "a" * 2**21, "lang": "en"}).status == 413
    assert model.ask("POST", "/api/run", "{}", {**SENT, "X-Workings": "other"}).status == 403
    assert recorded.post("run", {"text": TEXT, "lang": "zh"}).json()["error"]["code"] == "no-model"


def test_an_error_of_a_run_is_told(tmp_path: Path) -> None:
    model = Path(str(folder_of("story-en")))
    shutil.copytree(model, tmp_path / "mine")
    with serving(str(tmp_path / "mine")) as served:
        shutil.rmtree(tmp_path / "mine")
        (last,) = told_by(served, TEXT, "zh")[-1:]
    assert last["error"]["code"] == "file-missing"
    assert "mine" in last["error"]["message"]


def test_a_run_ends_with_its_reader_and_there_is_one_at_a_time(model: Served) -> None:
    with running(model, TEXT) as answer:
        assert json.loads(answer.readline())["stage"] == "load"
        (mine,) = at_work(model)
        assert model.post("run", {"text": TEXT, "lang": "en"}).status == 503
    assert until(lambda: mine not in at_work(model))
    assert until(lambda: told_by(model, TEXT)[-1].keys() == {"recording"})


def test_a_run_that_dies_is_told(model: Served) -> None:
    with running(model, TEXT, "zh") as answer:
        answer.readline()
        os.kill(at_work(model)[0], signal.SIGKILL)
        assert [json.loads(line) for line in answer][-1]["error"]["code"] == "stopped"


def _command(pid: int) -> bytes:
    return _of_process(Path(f"/proc/{pid}/cmdline"))


def _of_process(path: Path) -> bytes:
    """What the system tells of a process; nothing of one that has ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_the_last_few_runs_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    holding = Holding(Opening("model", "mine", path="/models/mine"), begun=False)
    assert not list(tmp_path.iterdir())
    holding.begin()
    folders = [holding.new_folder() for _ in range(6)]
    names = []
    for folder in folders:
        os.mkdir(folder)
        names.append(holding.add_run(folder))
    assert [os.path.isdir(folder) for folder in folders] == [False, False, True, True, True, True]
    assert list(holding.sources.recordings) == names[2:]
    holding.close()
    assert not list(tmp_path.iterdir())


# --- many who ask ----------------------------------------------------------------------------------------------------


def tile(head: str, level: int) -> dict[str, Any]:
    return {"head": head, "level": level, "row": 0, "column": 0, "pooled": "sum"}


def memory(pid: int) -> int:
    """Bytes in the memory of a process and its children."""
    out = 0
    for one in (pid, *children(pid)):
        lines = _of_process(Path(f"/proc/{one}/status")).splitlines()
        out += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"VmRSS"))
    return out


def test_many_heavy_requests_at_once(recorded: Served) -> None:
    """At most so many processes, whatever is asked; the rest is told to come again, and small requests are answered."""
    name = recorded.ask("GET", "/api/opened").json()["recording"]
    heads = [f"L{layer}.H{head}" for layer in range(2) for head in range(4)]
    pairs = [(one, other) for one in heads for other in heads if one != other][:50]

    def ask(pair: tuple[str, str]) -> Any:
        one, other = pair
        return recorded.post("worst", {"recording": name, "head": one, "against": {"head": other}, "lang": "en"})

    with ThreadPoolExecutor(50) as pool:
        asked = [pool.submit(ask, pair) for pair in pairs]
        small = recorded.post("cell", {**KITTEN, "address": "score[2,0]"})
        most, largest = 0, 0
        while not all(one.done() for one in asked):
            most = max(most, len(children(recorded.process.pid)))
            largest = max(largest, memory(recorded.process.pid))
            time.sleep(0.05)
        found = [one.result() for one in asked]
    assert small.json()["value"] == "0.92"
    statuses = [one.status for one in found]
    assert set(statuses) <= {200, 503, 504}
    assert statuses.count(503) >= 1
    assert statuses.count(200) >= 1
    assert all(one.headers["retry-after"] for one in found if one.status == 503)
    assert most <= 4
    assert largest < 4 * 2**30
    assert recorded.post("row", {"recording": name, "head": "L0.H0", "query": 5, "lang": "en"}).status == 200

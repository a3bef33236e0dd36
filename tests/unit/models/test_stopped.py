"""A run in chunks that is stopped, or finds no room: the recording is there whole or not at all, and can go on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_models import build
from workings.api.recorded import looks_recorded
from workings.models.record import Heard, Wish, record
from workings.models.store import HALF, partial_of
from workings.terms.errors import FileUnwritable
from workings.terms.model_errors import FolderTaken, ResumeDiffers

IDS = np.arange(3, 26)[None]
CHUNK = 7

PROGRAM = """
import itertools, os, signal, sys
import numpy as np
from workings.models import record as running, store
from workings.models.record import Wish, record
model, out, at, resume = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "resume"
count = itertools.count(1)  # threads count as well
def counted(real):
    def call(*given, **more):
        if next(count) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **more)
    return call
store.Growing.put = counted(store.Growing.put)
store.os.fsync = counted(os.fsync)
store.os.replace = counted(os.replace)
store.os.rename = counted(os.rename)
record(model, out, Wish(inputs={"input_ids": np.arange(3, 26)[None]}, chunk=7), resume=resume)
print(next(count) - 1)
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama of random weights."""
    folder = tmp_path_factory.mktemp("model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build("llama").save_pretrained(folder)
    return folder


def _child(*arguments: str) -> tuple[int, str]:
    child = [sys.executable, "-W", "ignore", "-c", PROGRAM, *arguments]
    done = subprocess.run(child, capture_output=True, check=False, text=True)
    return done.returncode, done.stdout


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_killed_anywhere_in_chunks(model: Path, tmp_path: Path) -> None:
    code, told = _child(str(model), str(tmp_path / "clean"), "0", "anew")
    assert code == 0
    clean, steps = _bytes(tmp_path / "clean"), int(told)
    assert steps > 20
    for at in range(1, steps + 1, 6):
        out = tmp_path / f"killed{at}"
        assert _child(str(model), str(out), str(at), "anew")[0] == -signal.SIGKILL
        if not out.exists():  # else it was moved there whole before
            assert _child(str(model), str(out), "0", "resume")[0] == 0
        assert _bytes(out) == clean


@pytest.mark.parametrize("chunk", [0, CHUNK])
def test_interrupted_and_gone_on_with(chunk: int, model: Path, tmp_path: Path) -> None:
    wish = Wish(inputs={"input_ids": IDS}, chunk=chunk)

    def stop(name: str, done: int, of: int) -> None:
        if (name, done) == ("run", of - 1):
            raise KeyboardInterrupt

    record(model, tmp_path / "clean", wish)
    with pytest.raises(KeyboardInterrupt):
        record(model, tmp_path / "out", wish, heard=Heard(stage=stop))
    assert not (tmp_path / "out").exists()
    assert Path(partial_of(str(tmp_path / "out"))).is_dir()
    with pytest.raises(ResumeDiffers):
        record(model, tmp_path / "out", Wish(inputs={"input_ids": IDS}, chunk=5), resume=True)
    record(model, tmp_path / "out", wish, resume=True)
    assert _bytes(tmp_path / "out") == _bytes(tmp_path / "clean")
    assert not [name for name in os.listdir(tmp_path / "out") if name.endswith(HALF)]


@pytest.mark.parametrize("limit", [100, 3000])
def test_a_full_disk_in_chunks(limit: int, model: Path, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(FileUnwritable):
            record(model, tmp_path / "out", Wish(inputs={"input_ids": IDS}, chunk=CHUNK))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(tmp_path.iterdir()) == []


def test_odd_places(model: Path, tmp_path: Path) -> None:
    """A name with a line break is one; a link that leads nowhere is not written through."""
    wish: Any = Wish(inputs={"input_ids": IDS}, chunk=CHUNK)
    assert looks_recorded(record(model, tmp_path / "a\nb", wish))
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FolderTaken):
        record(model, tmp_path / "link", wish)
    assert not (tmp_path / "nowhere").exists()

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.command import here, one_line, process
from workings.cli import output
from workings.terms.errors import FileUnwritable

EXPLAIN = ("explain", "kitten", "--to", "json")


def _leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".workings-")]


def test_a_file_holds_what_standard_output_would(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    printed = here(capsys, *EXPLAIN)
    target = tmp_path / "out.json"
    done = here(capsys, *EXPLAIN, "-o", str(target))
    assert (done.code, done.out) == (0, "")
    assert one_line(done.err) == f"Wrote {target}."
    assert target.read_text(encoding="utf-8") == printed.out
    assert here(capsys, *EXPLAIN, "-o", str(target), "--quiet").err == ""
    assert here(capsys, *EXPLAIN, "-o", "-").out == printed.out


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    target = tmp_path / "out"
    mask = os.umask(0o027)
    try:
        output.write_whole(str(target), b"1")
    finally:
        os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o640
    target.chmod(0o604)
    output.write_whole(str(target), b"2")
    assert target.stat().st_mode & 0o777 == 0o604
    assert target.read_bytes() == b"2"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    output.write_whole(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_odd_names_are_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "two\nlines \x1b[31m"
    done = here(capsys, *EXPLAIN, "-o", str(target))
    assert done.code == 0
    assert "\x1b" not in one_line(done.err)
    assert target.exists()


@pytest.mark.parametrize("path", ["missing/out", "folder", "file/out", "a\0b", ""])
def test_what_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"kept")
    done = here(capsys, *EXPLAIN, "-o", f"{tmp_path}/{path}")
    assert (done.code, done.out) == (3, "")
    one_line(done.err)
    assert (tmp_path / "file").read_bytes() == b"kept"
    assert _leftovers(tmp_path) == []


def test_a_folder_or_file_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"kept")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere, so the answer is given here
    with pytest.raises(FileUnwritable) as caught:
        output.write_whole(str(target), b"new")
    assert caught.value.values["path"] == str(target)
    assert target.read_bytes() == b"kept"


@pytest.mark.parametrize("broken", ["fsync", "replace", "chmod"])
def test_a_failure_on_the_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"kept")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(FileUnwritable):
        output.write_whole(str(target), b"new")
    assert target.read_bytes() == b"kept"
    assert _leftovers(tmp_path) == []


def _full() -> None:
    """What a child may write ends after 100 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_full_disk(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"kept")

    command = [sys.executable, "-m", "workings", *EXPLAIN, "-o", str(target)]
    done = subprocess.run(command, preexec_fn=_full, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, b"")
    one_line(done.stderr.decode())
    assert target.read_bytes() == b"kept"
    assert _leftovers(tmp_path) == []


def test_a_device_is_written_into(capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, *EXPLAIN, "-o", os.devnull).code == 0
    assert Path(os.devnull).is_char_device()


def test_standard_output_on_a_full_disk(tmp_path: Path) -> None:
    with open(tmp_path / "out", "wb") as full:
        command = [sys.executable, "-m", "workings", *EXPLAIN]
        done = subprocess.run(command, preexec_fn=_full, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    one_line(done.stderr.decode())


def test_standard_output_that_is_closed() -> None:
    command = ["bash", "-c", 'exec "$@" >&-', "bash", sys.executable, "-m", "workings", *EXPLAIN]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 3
    one_line(done.stderr.decode())


def test_a_reader_that_leaves() -> None:
    command = [sys.executable, "-m", "workings", "explain", "encoder-six", "--to", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


def test_piped_lines_are_not_wrapped() -> None:
    wide = process("explain", "encoder-six", "--show", "all", env={"COLUMNS": "40"})
    narrow = process("explain", "encoder-six", "--show", "all", env={"COLUMNS": ""})
    assert wide.stdout == narrow.stdout
    assert max(map(len, wide.stdout.decode().splitlines())) > 100
    assert b"\x1b" not in wide.stdout
    assert wide.stderr == b""


def test_notes_never_reach_standard_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = here(capsys, "doctor", "-o", str(tmp_path / "doctor.txt"))
    assert done.out == ""
    assert "Wrote" in done.err

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.command import here, one_line, process
from workings.cli.output import wants_color
from workings.examples.library import text

TOML = text("kitten").encode()
JSON = b'{"tokens": ["a"], "inputs": {"Q": [["1/3"]], "K": [[3]], "V": [[1]]}}'


def test_standard_input_is_toml_or_json() -> None:
    from_input = process("explain", "-", "--to", "json", stdin=TOML)
    assert from_input.returncode == 0
    assert from_input.stdout == process("explain", "kitten", "--to", "json").stdout
    score = process("cell", "-", "score[0,0]", "--json", stdin=b"\n  " + JSON)
    assert json.loads(score.stdout)["exact"] == "1"


@pytest.mark.parametrize(("stdin", "code"), [(b"\xff", 3), (b"{", 3), (b"tokens", 3), (b"", 2), (b"[]", 2)])
def test_standard_input_that_is_no_example(stdin: bytes, code: int) -> None:
    done = process("explain", "-", stdin=stdin)
    assert (done.returncode, done.stdout) == (code, b"")
    one_line(done.stderr.decode())


def test_standard_input_without_bytes_or_without_a_stream(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(JSON.decode()))
    assert here(capsys, "explain", "-").code == 0
    monkeypatch.setattr(sys, "stdin", None)
    assert here(capsys, "explain", "-").code == 2


def test_a_name_beats_a_file_of_that_name_and_a_path_beats_a_name(tmp_path: Path) -> None:
    (tmp_path / "kitten").write_bytes(JSON)
    (tmp_path / "mine").write_bytes(JSON)
    named = process("explain", "kitten", cwd=tmp_path).stdout
    assert "小猫".encode() in named
    assert process("explain", "./kitten", cwd=tmp_path).stdout != named
    assert process("explain", "mine", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1", "xx_YY.nonsense", ""])
def test_output_is_utf_8_in_every_locale(locale: str) -> None:
    env = {"LC_ALL": locale, "LANG": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("explain", "kitten", "--lang", "zh", env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "小猫" in done.stdout.decode("utf-8")


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.toml")
    for arguments in (["explain", name], ["explain", "kitten", "--token", name], [name], ["cell", "kitten", name]):
        done = process(*arguments, cwd=tmp_path)
        assert done.returncode in (2, 3)
        assert done.stdout == b""
        one_line(done.stderr.decode("utf-8"))
    assert process("explain", "kitten", "-o", name, cwd=tmp_path).returncode == 0
    assert os.fsencode(name) in os.listdir(os.fsencode(tmp_path))


def test_a_lone_surrogate_in_an_example_is_an_error_of_the_example() -> None:
    done = process("explain", "-", stdin=b'{"tokens": ["\\ud800"], "inputs": {"Q": [[1]], "K": [[1]], "V": [[1]]}}')
    assert done.returncode in (0, 2, 3)
    done.stdout.decode("utf-8")
    if done.returncode:
        one_line(done.stderr.decode("utf-8"))


@pytest.mark.parametrize(
    ("choice", "environment", "expected"),
    [
        ("auto", {}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "0"}, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"NO_COLOR": ""}, False),
    ],
)
def test_when_there_is_colour(choice: str, environment: dict[str, str], expected: bool) -> None:
    assert wants_color(choice, environment) is expected


def test_colour_asked_for_in_a_pipe_changes_no_line() -> None:
    plain = process("explain", "encoder-six").stdout.decode()
    coloured = process("explain", "kitten", "--color", "always", env={"COLUMNS": "30", "NO_COLOR": "1"}).stdout
    assert b"\x1b[" in coloured
    assert "\x1b" not in plain
    assert b"\x1b" not in process("explain", "kitten", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout
    assert b"\x1b" in process("explain", "kitten", env={"FORCE_COLOR": "1"}).stdout
    assert b"\x1b" not in process("explain", "kitten", "--to", "md", "--color", "always").stdout


def test_a_terminal_gets_colour_and_its_own_width() -> None:
    lead, follow = pty.openpty()
    command = [sys.executable, "-m", "workings", "cell", "kitten", "weight[2,0]"]
    child = subprocess.Popen(command, stdout=follow, env={**os.environ, "TERM": "xterm", "COLUMNS": "60"})
    os.close(follow)
    out = b""
    while True:
        try:
            block = os.read(lead, 65536)
        except OSError:  # the other end has gone
            break
        if not block:
            break
        out += block
    os.close(lead)
    assert child.wait() == 0
    assert b"\x1b[" in out
    assert "0.402653153134" in out.decode()

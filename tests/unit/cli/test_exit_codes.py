import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.command import here, one_line, process

MISTAKES = [
    (["--nope"], 2, "--nope"),
    (["explian", "kitten"], 2, "workings explain"),
    (["frobnicate"], 2, "cell"),
    (["explain"], 2, "EXAMPLE"),
    (["explain", "kitten", "more"], 2, "more"),
    (["explain", "kitten", "--tokn", "x"], 2, "--token"),
    (["explain", "kitten", "--token"], 2, "--token"),
    (["explain", "kitten", "--quiet=yes"], 2, "--quiet"),
    (["explain", "kitten", "--to", "pdf"], 2, "json"),
    (["explain", "kitten", "--show", "auto"], 2, "cell"),
    (["explain", "kitten", "--color", "blue"], 2, "never"),
    (["explain", "kitten", "--precision", "-1"], 2, "-1"),
    (["explain", "kitten", "--precision", "1001"], 2, "1000"),
    (["explain", "kitten", "--precision", "٣"], 2, "exact"),
    (["explain", "kitten", "--carry", "two"], 2, "two"),
    (["explain", "kitten", "--lang", "fr"], 2, "zh"),
    (["--lang", "fr", "explain", "kitten"], 2, "zh"),
    (["explain", "kitten", "--json", "--to", "md"], 2, "--json"),
    (["explain", "kitten", "--to", "html", "--standalone"], 2, "tex"),
    (["explain", "kitten", "--standalone"], 2, "tex"),
    (["explain", "kitten", "--interactive"], 2, "--to html"),
    (["explain", "kitten", "--interactive", "--json"], 2, "--to html"),
    (["explain", "kitten", "--interactive", "--to", "html", "--array", "weight"], 2, "--array"),
    (["explain", "kitten", "--interactive", "--to", "html", "--token", "它"], 2, "--token"),
    (["explain", "kittn", "--interactive", "--to", "html"], 2, "kitten"),
    (["explain", "missing.toml", "--interactive", "--to", "html"], 3, "missing.toml"),
    (["explain", "kitten", "--token", "狗"], 2, "小猫"),
    (["explain", "kitten", "--token", "它#2"], 2, "它"),
    (["explain", "kittn"], 2, "kitten"),
    (["explain", "missing.toml"], 3, "missing.toml"),
    (["explain", "."], 3, "."),
    (["cell", "kitten"], 2, "ADDRESS"),
    (["cell", "kitten", "weight"], 2, "weight"),
    (["cell", "kitten", "weight[2,:]"], 2, "weight[2,:]"),
    (["cell", "kitten", "weight[2"], 2, "weight[2"),
    (["cell", "kitten", "weight[3,0]"], 2, "3"),
    (["cell", "kitten", "wait[0,0]"], 2, "weight"),
    (["cell", "kitten", 'weight["狗",0]'], 2, "狗"),
    (["completion", "tcsh"], 2, "fish"),
    (["completion"], 2, "SHELL"),
    (["doctor", "kitten"], 2, "kitten"),
    (["doctor", "--to", "md"], 2, "json"),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("arguments", "code", "named"), MISTAKES, ids=lambda value: str(value))
def test_a_mistake_is_one_clear_line(
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    named: str,
    lang: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "en_GB.UTF-8", "zh": "zh_CN.UTF-8"}[lang])
    done = here(capsys, *arguments)
    assert done.code == code
    assert done.out == ""
    line = one_line(done.err)
    assert named in line
    chinese = any(
        "\u4e00" <= character <= "\u9fff"
        for character in line.replace("小猫", "").replace("它", "").replace("狗", "").replace("吃", "")
    )
    assert chinese == (lang == "zh")


@pytest.fixture
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_in_an_empty_folder")
def test_a_field_of_an_example_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('tokens = ["a"]\n[inputs]\nQ = [["x"]]\nK = [[1]]\nV = [[1]]\n', encoding="utf-8")
    done = here(capsys, "explain", wrong.name)
    assert (done.code, done.out) == (2, "")
    assert "wrong.toml" in one_line(done.err)
    assert "Q" in done.err


@pytest.mark.usefixtures("_in_an_empty_folder")
def test_a_division_by_zero_names_the_file_and_the_cell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = tmp_path / "zero.toml"
    text = 'tokens = ["a"]\n[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n[attention]\ndivide_by = 0\n'
    wrong.write_text(text, encoding="utf-8")
    done = here(capsys, "explain", wrong.name)
    assert (done.code, done.out) == (2, "")
    assert "zero.toml" in one_line(done.err)


@pytest.mark.usefixtures("_in_an_empty_folder")
@pytest.mark.parametrize("content", [b"\xff\xfe", b"tokens = [", b"{", b""], ids=["bytes", "toml", "json", "empty"])
def test_a_malformed_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_bytes(content)
    done = here(capsys, "explain", broken.name)
    assert done.code == (3 if content else 2)  # an empty file is TOML without its fields
    assert done.out == ""
    assert "broken.toml" in one_line(done.err) or not content


def test_no_command_at_all_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys)
    assert (done.code, done.out) == (2, "")
    assert "workings explain kitten" in done.err


def test_ctrl_c(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workings.api.door.explain", interrupted)
    done = here(capsys, "explain", "kitten")
    assert (done.code, done.out, done.err.strip()) == (130, "", "")


def test_an_error_of_ours_is_said_to_be_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise LookupError("line one\nline two")

    monkeypatch.setattr("workings.api.door.explain", broken)
    done = here(capsys, "explain", "kitten")
    assert (done.code, done.out) == (3, "")
    assert "LookupError: line one line two" in one_line(done.err)
    monkeypatch.setenv("WORKINGS_DEBUG", "1")
    with pytest.raises(LookupError):
        here(capsys, "explain", "kitten")


def test_a_library_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'flint'", name="flint")

    monkeypatch.setattr("workings.api.door.explain", missing)
    done = here(capsys, "explain", "kitten")
    assert (done.code, done.out) == (3, "")
    assert one_line(done.err).startswith("flint is not installed.")


def test_the_process_ends_with_the_same_codes() -> None:
    assert process("explain", "kitten").returncode == 0
    assert process("explain", "kittn").returncode == 2
    assert process("explain", "missing.toml").returncode == 3


def test_an_interrupted_process_is_quiet() -> None:
    program = (
        "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored by a parent\n"
    )
    program += "from workings.api import door\n"
    program += "door.explain = lambda *a, **k: os.kill(os.getpid(), signal.SIGINT)\n"
    program += "import sys\nsys.argv = ['workings', 'explain', 'kitten']\nfrom workings.cli.main import main\nmain()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, env=dict(os.environ))
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")

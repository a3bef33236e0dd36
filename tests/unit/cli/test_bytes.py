"""Bytes that are not UTF-8, in every option and argument of every verb: a result or one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

import workings as w
from tests.support.dumps import plain_dump
from tests.support.tiny_models import saved
from tests.unit.cli.command import here, one_line
from workings.cli.command import VERBS, Program
from workings.cli.options import Said
from workings.cli.speaking import speaker
from workings.terms.errors import BadCount, NotUnicode, UnknownChoice

BAD = "caf\udce9"  # as Python reads the bytes "caf\xe9" of a command line
BASES = {
    "explain": "explain kitten",
    "cell": "cell kitten weight[2,0]",
    "worksheet": "worksheet kitten",
    "check": "check notes.md",
    "compare": "compare kernel.npz",
    "trace": "trace story-en --text cat -o new",
    "learn": "learn story-en -o new --steps 0",
    "serve": "serve kitten --port 70000",
    "doctor": "doctor",
    "completion": "completion bash",
}


def taken(verb: str) -> list[click.Parameter]:
    """The options and arguments of a verb that take a value."""
    program = Program(speaker("en"), "en", "0")
    command = program.get_command(click.Context(program), verb)
    assert command is not None
    return [param for param in command.params if not getattr(param, "is_flag", False)]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_option(
    verb: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text("$2 * 3 = 6$\n", encoding="utf-8")
    np.savez("kernel.npz", **plain_dump())
    for param in taken(verb):
        words = BASES[verb].split()
        if isinstance(param, click.Argument):
            words[1 if param.name != "address" else 2] = BAD
        elif param.opts[-1] in words:
            words[words.index(param.opts[-1]) + 1] = BAD
        else:
            words += [param.opts[-1], BAD]
        done = here(capsys, "--lang", lang, *words)
        where = f"{verb} {param.opts[-1]}: {done}"
        assert "our fault" not in done.err, where
        assert "我们的错" not in done.err, where
        if isinstance(param.type, Said):
            assert (done.code, done.out) == (2, ""), where
            assert "UTF-8" in one_line(done.err), where
            assert param.human_readable_name in done.err or param.opts[-1] in done.err, where
            assert "U+DCE9" in done.err, where
        elif done.code:
            assert done.code in (2, 3), where
            assert one_line(done.err), where


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("seen", ["-3", "1000001", "2.5", "many"])
def test_a_number_of_tokens_says_what_it_may_be(seen: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = here(capsys, "trace", "story-en", "--text", "cat", "-o", "/nonexistent/new", "--chunk", seen, "--lang", lang)
    assert done.code == 2
    said = one_line(done.err)
    for word in ("--chunk", seen, "1000000"):
        assert word in said


def test_text_that_no_encoding_holds_from_python() -> None:
    with pytest.raises(NotUnicode, match="DCE9"):
        w.trace("story-en", text=f"the {BAD}")


@pytest.mark.parametrize(
    ("given", "error"), [({"chunk": -3}, BadCount), ({"chunk": 2.5}, BadCount), ({"dtype": "int8"}, UnknownChoice)]
)
def test_what_python_refuses(given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        w.trace("story-en", text="cat", **given)


def test_a_text_without_a_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = saved("gpt2", tmp_path / "model")
    words = Tokenizer(WordLevel({"[UNK]": 0, "cat": 1}, unk_token="[UNK]"))  # no token at the beginning of its own
    fast: Any = PreTrainedTokenizerFast
    fast(tokenizer_object=words, unk_token="[UNK]").save_pretrained(model)
    for lang, said in (("en", "The text is empty"), ("zh", "文字是空的")):
        done = here(capsys, "trace", str(model), "--text", "", "-o", str(tmp_path / "new"), "--lang", lang)
        assert (done.code, done.out) == (2, "")
        assert said in one_line(done.err)

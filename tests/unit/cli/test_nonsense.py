"""Whatever is typed, the answer is a result or one clear line, and never a traceback."""

from __future__ import annotations

import contextlib
import io
import sys

from hypothesis import given
from hypothesis import strategies as st

from workings.cli.command import VERBS
from workings.cli.main import run

WORDS = [
    *VERBS,
    *("kitten", "kittn", "-", "--", "", "=", "[", "weight[2,0]", "weight[", "它", "它#2", "\udcff", "\x00", "\x1b[31m"),
    *("--to", "--to=", "--json", "--lang", "zh", "en", "--precision", "exact", "auto", "3", "-3", "9" * 30),
    *("--show", "all", "row", "--token", "--carry", "0", "--color", "always", "--quiet", "--strict", "--no-progress"),
    *("-h", "--help", "--version", "-x", "---", "-o", "/nonexistent/out", "bash", "--output=", "%s", "{}", "%(x)s"),
]
ARGUMENTS = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=7)


@given(ARGUMENTS)
def test_nonsense_gets_a_result_or_one_line(arguments: list[str]) -> None:
    if any(argument.startswith(("-o", "--output")) for argument in arguments):
        arguments = [*arguments, "-o", "/nonexistent/out"]  # a test writes no files of random names
    if "serve" in arguments:
        arguments = [*arguments, "--port", "70000"]  # nor does it leave a server behind
    out, err = io.StringIO(), io.StringIO()
    stdin = sys.stdin
    sys.stdin = io.StringIO("")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(arguments)
    finally:
        sys.stdin = stdin
    assert code in (0, 2, 3, 4)
    said = err.getvalue()
    assert "our fault" not in said
    assert "我们的错" not in said
    assert "Traceback" not in said
    if code in (2, 3):
        assert out.getvalue() == ""
        assert said.startswith(("workings: ", "Usage", "用法"))
        most = len(arguments) if "check" in arguments else 1  # a line for each document
        assert 1 <= said.count("\n") <= most or not arguments or "Usage" in said or "用法" in said
        assert "\x1b" not in said
        assert "\x00" not in said

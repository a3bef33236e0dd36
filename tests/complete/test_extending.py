"""What ``docs/extending.md`` says is enough: its own lines add a step, a target, a cause, an example, in memory."""

import inspect
import re
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import workings as w
from tests.support.pages import blocks, text_of
from tools.file_list import ROOT
from workings.api import language
from workings.checking.causes import registry, scores, search
from workings.checking.causes.cause import Cause
from workings.cli.main import run
from workings.examples import library
from workings.render import targets, words
from workings.render.words import LANGUAGES, PARTS, Words
from workings.steps import build, softmax

PAGES = ("docs/extending.md", "docs/extending.zh.md")
SLIP = """Q = [[1, 2], [3, 1]]

K = [[1, 0], [2, 1]]

Scaled by √2: scaled scores = [[1.4142, 5.6569], [4.2426, 9.8995]]
"""


def told(place: str, page: str = PAGES[0]) -> str:
    """The lines that the page gives for a place, without the comment that names it."""
    (found,) = (text for _, text in blocks(page) if text.startswith(f"# src/workings/{place}\n"))
    return found.partition("\n")[2]


def test_both_pages_give_the_same_lines() -> None:
    first, second = ([text for _, text in blocks(page)] for page in PAGES)
    assert first == second
    assert len(first) >= 8


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists_or_is_the_new_one(page: str) -> None:
    named = set(re.findall(r"\b(?:src|tools|tests)/[\w./-]+\w", text_of(page)))
    new = {"src/workings/render/outline.py", "src/workings/examples/builtin/breakfast.toml"}
    assert {path for path in named if not (ROOT / path).exists()} == new
    assert len(named) >= 12


def test_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = dict(vars(softmax))
    exec(told("steps/softmax.py"), names)  # noqa: S102 - our own document
    monkeypatch.setattr(softmax, "CONCENTRATION", names["CONCENTRATION"], raising=False)
    _with_line(monkeypatch, told("steps/build.py, in _softmax"))
    for lang in LANGUAGES:
        key, sentence = told(f"render/words_{lang}.py").strip().split(": ", 1)
        said = import_module(f"workings.render.words_{lang}").WORDS
        monkeypatch.setitem(said, key.strip('"'), sentence.strip('"'))
    kitten = w.explain("kitten", lang="zh")
    assert kitten.number("concentration[2]").digits(4) == "0.3474"
    assert (
        kitten.number("concentration[2]").arithmetic() == "0.4027 × 0.4027 + 0.2403 × 0.2403 + 0.3570 × 0.3570 ≈ 0.3474"
    )
    assert "集中度（concentration）" in kitten.to_text()
    assert "平均看 n 个词得 1/n" in kitten.to_text()


def _with_line(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """The recipe's builder with one line more behind that which adds ``weight``."""
    source = textwrap.dedent(inspect.getsource(build.Builder._softmax))
    first = re.search(r"^( +)weight = .*\n", source, re.MULTILINE)
    assert first is not None
    longer = source[: first.end()] + first[1] + line.strip() + "\n" + source[first.end() :]
    names: dict[str, Any] = dict(vars(build))
    exec(f"from __future__ import annotations\n{longer}", names)  # noqa: S102 - our own source
    monkeypatch.setattr(build.Builder, "_softmax", names["_softmax"])


def test_a_target(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = ModuleType("workings.render.outline")
    exec(told("render/outline.py"), vars(module))  # noqa: S102 - our own document
    monkeypatch.setitem(sys.modules, module.__name__, module)
    row = eval(f"{{{told('render/targets.py, in TARGETS')}}}", dict(vars(targets)))  # noqa: S307 - our own document
    monkeypatch.setitem(targets.TARGETS, "outline", row["outline"])
    assert run(["explain", "kitten", "--to", "outline", "--lang", "zh"]) == 0
    assert "第 1 步：得分（score）" in capsys.readouterr().out.splitlines()
    assert run(["explain", "-h"]) == 0
    assert "|outline|" in capsys.readouterr().out


def test_a_cause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    new: Cause = eval(told("checking/causes/scores.py, in SCORES"), dict(vars(scores)))  # noqa: S307
    causes = (*registry.CAUSES, new)
    monkeypatch.setattr(search.find_causes, "__defaults__", (None, causes))
    monkeypatch.setitem(registry.BY_ID, new.id, new)
    path = tmp_path / "slip.md"
    path.write_text(SLIP, encoding="utf-8")
    report = w.check(path, lang="en")
    first = report.first_wrong
    assert first is not None
    assert "scale:half" in first.causes
    assert "divided by half of √d_k" in report.to_text()


@pytest.mark.parametrize("page", PAGES)
def test_an_example(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = told("examples/builtin/breakfast.toml", page)
    (tmp_path / "breakfast.toml").write_text(toml, encoding="utf-8")
    monkeypatch.setattr(library, "_FOLDER", str(tmp_path))
    monkeypatch.setattr(library, "_NAMES", (*library._NAMES, "breakfast"))
    assert w.explain("breakfast", lang="zh").title == "茶还是咖啡？"


def test_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {path.stem.removesuffix("_en") for path in ROOT.glob("src/workings/render/*_en.py")}
    assert "`src/workings/render/*_en.py`" in text_of(PAGES[0])
    assert files == {"words", *PARTS.values()}
    assert language.LANGUAGES == words.LANGUAGES
    for name in files:
        module = ModuleType(f"workings.render.{name}_eo")
        vars(module)["WORDS"] = dict(import_module(f"workings.render.{name}_en").WORDS)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(words, "LANGUAGES", (*LANGUAGES, "eo"))
    assert Words("eo").named({"en": "scores", "zh": "得分"}) == "scores"
    assert Words("eo")["part.given"] == Words("en")["part.given"]

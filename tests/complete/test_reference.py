"""The made pages leave nothing out: every step, cause, term, array, verb and option has its place."""

import re
from pathlib import Path

import click
import pytest

from tests.support.pages import text_of
from tools.causes import changes
from tools.causes import page as causes_page
from tools.commands import CODES
from tools.commands import page as commands_page
from tools.glossary import WORDS, names_of, page, sentence_of
from tools.glossary_terms import TERMS
from tools.steps import declared, variants
from workings.checking.causes.registry import CAUSES
from workings.cli.command import VERBS, Program, Verb
from workings.cli.main import run
from workings.cli.speaking import speaker
from workings.render.words import LANGUAGES
from workings.steps.inputs import INPUTS
from workings.terms import errors, model_errors


def test_every_declared_step_is_shown() -> None:
    shown = {(name, seen.op.step.formula) for name, found in variants().items() for seen in found}
    assert [step for step in declared() if (step.name, step.formula) not in shown] == []


@pytest.mark.parametrize("name", variants())
def test_pages_of_steps_hold_what_is_declared(name: str) -> None:
    english, chinese = text_of(f"docs/steps/{name}.md"), text_of(f"docs/steps/{name}.zh.md")
    for seen in variants()[name]:
        step = seen.op.step
        assert step.title["en"] in english
        assert step.title["zh"] in chinese
        assert step.source in english
        assert all(f"`{axis}`" in english for axis in seen.op.axes)
    worked = re.findall(r"```text\n(.*?)```", english, re.DOTALL)
    assert len(worked) == len(variants()[name])
    assert all("=" in block and len(block.splitlines()) >= 2 for block in worked)
    assert english.count("workings cell ") == len(worked)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_cause_is_on_its_page_once(lang: str) -> None:
    text = causes_page(lang)
    rows = re.findall(r"^\| (.*?) \| `([^`]*)` \|", text, re.MULTILINE)
    for cause in CAUSES:  # causes of several sizes may share a row, which names the sizes
        kind, _, size = cause.id.rpartition("-")
        own = [name for title, name in rows if (title, name) == (cause.title[lang], cause.id)]
        shared = [name for title, name in rows if name == f"{kind}-N" and size in re.findall("[0-9]+", title)]
        assert len(own + shared) == 1, cause.id
    assert {name for _, name in rows if not name.endswith("-N")} <= {cause.id for cause in CAUSES}


def test_nearly_every_cause_says_what_is_computed_instead() -> None:
    told = {cause for cause, found in changes().items() if found and found.formulas("en")[0] != "–"}
    silent = [cause for cause in changes() if cause not in told and not _is_of_a_size(cause, told)]
    assert len(silent) <= 15


def _is_of_a_size(cause: str, told: set[str]) -> bool:
    """Whether a cause is one that is told, with blocks of some size."""
    kind, _, size = cause.rpartition("-")
    return kind in told and kind.startswith("online-rescale:") and size.isdecimal()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_array_is_in_the_glossary(lang: str) -> None:
    text = page(lang)
    titles = [(name, found[0].op.step.title[lang]) for name, found in variants().items()]
    titles += [(name, given.title[lang]) for name, given in INPUTS.items()]
    assert [name for name, title in titles if f"`{name}`" not in text or title not in text] == []
    assert set(WORDS) == set(LANGUAGES)


def test_no_declared_title_is_typed_again() -> None:
    titles = {seen.op.step.title["en"].lower() for found in variants().values() for seen in found}
    titles |= {given.title["en"].lower() for given in INPUTS.values()}
    assert [term.en for term in TERMS if term.en.lower() in titles] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_term_is_one_sentence(lang: str) -> None:
    for term in TERMS:
        said = sentence_of(term, lang)
        assert said.endswith({"en": ".", "zh": "。"}[lang]), term
        assert names_of(term)[lang], term
    names = [names_of(term)[lang] for term in TERMS]
    assert len(set(names)) == len(names) >= 45


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_in_the_reference(verb: str, lang: str) -> None:
    text = commands_page(lang).replace("\\|", "|")
    program = Program(speaker(lang), lang, "0")
    command = program.get_command(click.Context(program), verb)
    assert isinstance(command, Verb)
    own = text[text.index(f"## `workings {verb}`") :].split("\n## ")[0]
    for param in command.params:
        names = param.opts if isinstance(param, click.Option) else [param.human_readable_name]
        assert all(name in own for name in names), param
    assert all(example in own for example in command.examples)
    assert str(command.help) in own


def test_every_exit_code_is_told() -> None:
    raised = {
        found.exit_code
        for found in (*vars(errors).values(), *vars(model_errors).values())
        if isinstance(found, type) and issubclass(found, errors.WorkingsError)
    }
    assert raised | {0, 1, 4, 130} <= set(CODES)


def test_exit_codes_are_those_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, cut = tmp_path / "wrong.md", tmp_path / "cut.md"
    wrong.write_text("$2 + 2 = 5$\n", encoding="utf-8")
    cut.write_text("$2 / 3 = 0.66$\n", encoding="utf-8")
    assert run(["explain", "kitten"]) == 0
    assert run(["check", str(wrong)]) == 1
    assert run(["check", str(cut)]) == 0
    assert run(["check", str(cut), "--strict"]) == 1
    assert run(["explain", "kittn"]) == 2
    assert run(["explain", "missing.toml"]) == 3
    assert run(["check", str(wrong), "missing.md"]) == 3
    capsys.readouterr()

"""Every target shows the same numbers in the same order, read back from each by a reader of its own."""

from functools import cache
from typing import Any

import pytest

import workings as w
from tests.support.reading_back import READERS, numbers
from workings.examples import library
from workings.explaining.tree import Document
from workings.render.targets import TARGETS
from workings.render.words import LANGUAGES, Words

HOSTILE = (
    "<script>alert(1)</script>",
    "\\input{/etc/passwd}",
    "$x$ % # & _ ^ ~ { }",
    "[x](javascript:alert(1))",
    "\\write18{id}^^5cinput*",
    "--,,``''\"?`!`<<>>|",
)
NUMBERS = [[1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [2, 1]]


def styles(target: str) -> list[dict[str, Any]]:
    """Every way in which a target draws."""
    own = TARGETS[target]
    more = [{"standalone": True}] if own.standalone else []
    return [{}, *more, *([dict(own.notebook)] if own.notebook else [])]


WAYS = [(target, style) for target in TARGETS for style in styles(target)]


@cache
def document(name: str) -> Document:
    return w.explain(name).document()


@cache
def expected(name: str, lang: str) -> list[str]:
    drawn = TARGETS["text"].draw(document(name), Words(lang))
    assert isinstance(drawn, str)
    return numbers(drawn)


def test_every_target_has_a_reader() -> None:
    assert set(READERS) == set(TARGETS)


@pytest.mark.parametrize(("target", "style"), WAYS, ids=str)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_the_same_numbers_in_the_same_order(name: str, lang: str, target: str, style: dict[str, Any]) -> None:
    drawn = TARGETS[target].draw(document(name), Words(lang), **style)
    assert isinstance(drawn, str)
    assert numbers(READERS[target](drawn)) == expected(name, lang)
    assert len(expected(name, lang)) > 50


@pytest.mark.parametrize(("target", "style"), WAYS, ids=str)
@pytest.mark.parametrize("show", ["cell", "all"])
def test_the_same_numbers_however_much_is_shown(show: str, target: str, style: dict[str, Any]) -> None:
    told, words = w.explain("two-heads", show=show).document(), Words("en")
    drawn, text = TARGETS[target].draw(told, words, **style), TARGETS["text"].draw(told, words)
    assert isinstance(drawn, str)
    assert isinstance(text, str)
    assert numbers(READERS[target](drawn)) == numbers(text)


@pytest.mark.parametrize(("target", "style"), WAYS, ids=str)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_hostile_words_are_read_back_as_they_are(lang: str, target: str, style: dict[str, Any]) -> None:
    told = w.explain({"tokens": HOSTILE, "inputs": {"Q": NUMBERS, "K": NUMBERS, "V": NUMBERS}}, lang=lang).document()
    drawn = TARGETS[target].draw(told, Words(lang), **style)
    assert isinstance(drawn, str)
    read = READERS[target](drawn) if target != "md" else drawn
    assert [word for word in HOSTILE if word.replace(" ", "") not in read.replace(" ", "").replace("\n", "")] == []

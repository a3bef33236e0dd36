"""Every language says the same things: the same keys with the same fields, and a sentence for every error."""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest

from tools.file_list import ROOT
from workings.render.words import LANGUAGES, PARTS, Words
from workings.terms import errors, model_errors
from workings.terms.errors import WorkingsError

FOLDER = ROOT / "src/workings/render"
FILES = sorted({"words", *PARTS.values()})
FULL_WIDTH = {",": "，", ";": "；", "?": "？", "!": "！"}


def said(part: str, lang: str) -> dict[str, str]:
    """Every sentence of one file."""
    words: dict[str, str] = import_module(f"workings.render.{part}_{lang}").WORDS
    return words


def fields(sentence: str) -> set[str]:
    return {piece.partition("}")[0] for piece in sentence.split("{")[1:]}


def classes(base: type[WorkingsError] = WorkingsError) -> Iterator[type[WorkingsError]]:
    """Every error that can be raised."""
    for child in base.__subclasses__():
        if child.__module__ not in (errors.__name__, model_errors.__name__):
            continue
        if not child.__subclasses__():
            yield child
        yield from classes(child)


ERRORS = sorted(classes(), key=lambda error: error.code)


def test_every_language_has_every_file() -> None:
    for part in FILES:
        assert sorted(path.stem for path in FOLDER.glob(f"{part}_??.py")) == [f"{part}_{lang}" for lang in LANGUAGES]


@pytest.mark.parametrize("part", FILES)
@pytest.mark.parametrize(("one", "other"), list(combinations(LANGUAGES, 2)))
def test_same_keys_with_the_same_fields(part: str, one: str, other: str) -> None:
    first, second = said(part, one), said(part, other)
    assert list(first) == list(second), set(first) ^ set(second)
    different = {key for key in first if fields(first[key]) != fields(second[key])}
    assert different == set()


@pytest.mark.parametrize("part", FILES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_keys_are_found_in_their_file(part: str, lang: str) -> None:
    words = Words(lang)
    assert [key for key, text in said(part, lang).items() if key not in words or words[key] != text] == []


@pytest.mark.parametrize("part", FILES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_braces_hold_nothing_but_names(part: str, lang: str) -> None:
    for text in said(part, lang).values():
        assert text.count("{") == text.count("}")
        assert all(name.isidentifier() for name in fields(text)), text


@pytest.mark.parametrize("part", FILES)
def test_chinese_has_full_width_punctuation(part: str) -> None:
    """Between two Chinese characters; what is to be typed, or counted 0, 1, 2, stays as it is."""
    wrong = [
        text
        for text in said(part, "zh").values()
        for before, mark, after in zip(text, text[1:], text[2:], strict=False)
        if mark in FULL_WIDTH and "一" <= before <= "鿿" and "一" <= after <= "鿿"
    ]
    assert wrong == []


LETTERS_TOUCH = re.compile(r"[0-9A-Za-z][一-鿿]|[一-鿿][0-9A-Za-z]")


@pytest.mark.parametrize("part", FILES)
def test_chinese_sets_letters_and_digits_apart(part: str) -> None:
    assert [text for text in said(part, "zh").values() if LETTERS_TOUCH.search(text)] == []


def test_chinese_sets_what_fills_a_sentence_apart() -> None:
    """A field touches Chinese only where sentences of our own fill it, whose letters bring their space along."""
    catalog = said("errors", "zh")
    for key, text in catalog.items():
        for found in re.finditer(r"(?<=[一-鿿]){(\w+)}|{(\w+)}(?=[一-鿿])", text):
            field = found[1] or found[2]
            values = [value for name, value in catalog.items() if name.startswith(f"error.{field}.")]
            filled = [text[: found.start()] + value + text[found.end() :] for value in values]
            assert filled, (key, field)
            assert [each for each in filled if LETTERS_TOUCH.search(each)] == [], key


def example(error: type[WorkingsError], empty: tuple[str, ...] = ()) -> WorkingsError:
    values: dict[str, Any] = {name: f"<{name}>" for name in error.fields}
    values |= {name: [3, 2] for name in ("shape", "positions", "known", "axes", "choices") if name in values}
    values |= {name: 2**21 for name in ("size", "limit", "needed") if name in values}
    for name in empty:
        values[name] = 0 if name == "needed" else [] if isinstance(values[name], list) else ""
    return error(**values)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_every_error_has_a_sentence_with_its_fields(error: type[WorkingsError], lang: str) -> None:
    words = Words(lang)
    key = f"error.{error.code}"
    assert fields(words[key]) == set(error.fields)
    plain = words.error(example(error))
    assert "{" not in plain
    assert "⟨" not in plain
    assert words.error(example(error).at("kitten.toml, line 7, [inputs].Q")) != plain
    for name in error.fields:
        if f"{key}.without-{name}" in words:
            assert words.error(example(error, (name,))) != plain


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_for_an_error_that_is_gone(lang: str) -> None:
    codes = {error.code for error in ERRORS}
    names = {name for error in ERRORS for name in error.fields}
    for key in said("errors", lang):
        kind, _, rest = key.partition(".")
        assert kind in ("error", "target")
        assert kind == "target" or rest.partition(".")[0] in codes | names, key


SOURCE_KEYS = {"why": r'\bwhy="([a-z-]+)"', "expected": r'\bwrong_type\([^,()]+, "([a-z-]+)"'}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("field", SOURCE_KEYS)
def test_every_key_that_the_source_gives_has_a_sentence(field: str, lang: str) -> None:
    words = Words(lang)
    texts = (path.read_text(encoding="utf-8") for path in FOLDER.parent.rglob("*.py"))
    keys = {key for text in texts for key in re.findall(SOURCE_KEYS[field], text)}
    assert len(keys) > 3
    assert {key for key in keys if f"error.{field}.{key}" not in words} == set()

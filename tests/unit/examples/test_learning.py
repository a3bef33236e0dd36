"""The table [learn] of an example: what it takes, what it refuses, and how an example that has one is changed."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import pytest

from tests.support.opening import open_trace
from workings.api.opening import read_source
from workings.examples.editing import Editor
from workings.terms.address import Address, Name
from workings.terms.errors import (
    ExponentTooLarge,
    FieldConflict,
    MissingField,
    NotPositive,
    ShapeMismatch,
    UnknownField,
    WordNotInVocabulary,
    WordTwice,
    WorkingsError,
    WrongType,
)

Data = dict[str, Any]
TEXT = (resources.files("workings") / "examples/builtin/learn-one-step.toml").read_text(encoding="utf-8")
WORDS = ["小猫", "吃", "它", "饱"]


def plain() -> Data:
    return tomllib.loads(TEXT)


def embedded() -> Data:
    """The same with an embedding by word, whose words are the vocabulary."""
    data = plain()
    del data["inputs"]["X"], data["learn"]["words"]
    data["inputs"]["embedding"] = dict(zip(WORDS, [[1, 0], [0, 1], [0.5, 0.5], [1, 1]], strict=True))
    data["inputs"]["W_U"] = [[1, 0], [0, 1], [-1, 0.5], [1, 1]]
    return data


def put(table: str, **fields: Any) -> Callable[[Data], None]:
    return lambda data: data.setdefault(table, {}).update(fields)


def drop(table: str, field: str) -> Callable[[Data], None]:
    return lambda data: data[table].pop(field)


@pytest.mark.parametrize(("change", "kind", "where"), [
    (drop("learn", "words"), MissingField, "learn.words"),
    (put("learn", words=[]), MissingField, "learn.words"),
    (put("learn", words=["饱", "饱", "跑"]), WordTwice, "learn.words[1]"),
    (put("learn", words=["饱", "鱼"]), ShapeMismatch, "[inputs].W_U"),
    (put("learn", words="饱"), WrongType, "learn.words"),
    (drop("learn", "next"), MissingField, "learn.next"),
    (put("learn", next=["", "", ""]), MissingField, "learn.next"),
    (put("learn", next=["饱"]), ShapeMismatch, "learn.next"),
    (put("learn", next=["", "狗", "饱"]), WordNotInVocabulary, "learn.next[1]"),
    (drop("learn", "rate"), MissingField, "learn.rate"),
    (put("learn", rate=0), NotPositive, "learn.rate"),
    (put("learn", momentum=1), UnknownField, "learn.momentum"),
    (drop("inputs", "W_U"), MissingField, "[inputs].W_U"),
    (drop("inputs", "W_V"), MissingField, "[inputs].V"),
    (put("attention", softmax="shifted"), FieldConflict, "learn"),
    (put("attention", softmax="online", block_size=2), FieldConflict, "learn"),
])  # fmt: skip
def test_what_cannot_be_learned(change: Callable[[Data], None], kind: type[WorkingsError], where: str) -> None:
    data = plain()
    change(data)
    with pytest.raises(kind) as caught:
        open_trace(data)
    assert caught.value.where == where


def test_a_model_has_one_vocabulary() -> None:
    trace = open_trace(embedded())
    assert trace.labels("word") == tuple(WORDS)
    assert trace.recipe.tables["target"] == (-1, -1, 3)
    data = embedded()
    data["learn"]["words"] = WORDS
    assert open_trace(data).labels("word") == tuple(WORDS)
    data["learn"]["words"] = WORDS[::-1]
    with pytest.raises(FieldConflict):
        open_trace(data)


def test_large_scores_keep_the_softmax_that_has_a_derivative() -> None:
    data = plain()
    data["inputs"]["W_Q"] = [[100, 0], [0, 100]]
    assert open_trace(data).recipe.spec.softmax == "plain"
    data["inputs"]["W_Q"] = [["1e5", 0], [0, "1e5"]]
    trace = open_trace(data)
    with pytest.raises(ExponentTooLarge):
        trace.value(trace.cell("loss"))


# --- changed --------------------------------------------------------------------------------------------------------


def changed(data: Data, change: Callable[[Editor], None]) -> Mapping[str, Any]:
    """The data of an example after a change, which it can still be worked from."""
    before = copy.deepcopy(data)
    editor = Editor(data, read_source(data))
    change(editor)
    assert data == before
    open_trace(editor.data)
    return editor.data


def test_the_rate_is_changed_like_any_number() -> None:
    now = changed(plain(), lambda editor: editor.set_cell(Address(Name("rate")), "0.25"))
    assert now["learn"]["rate"] == "0.25"


def test_what_comes_next_follows_the_words() -> None:
    assert changed(plain(), lambda editor: editor.add_token("又"))["learn"]["next"] == ["", "", "饱", "饱"]
    assert changed(plain(), lambda editor: editor.remove_token(0))["learn"]["next"] == ["", "饱"]
    with pytest.raises(MissingField):  # nothing is left to be learned
        changed(plain(), lambda editor: editor.remove_token(2))


def test_a_new_word_has_a_row_of_every_table() -> None:
    now = changed(embedded(), lambda editor: editor.add_token("又"))
    assert list(now["inputs"]["embedding"]) == [*WORDS, "又"]
    assert now["inputs"]["W_U"][-1] == now["inputs"]["W_U"][WORDS.index("它")]
    data = embedded()
    data["learn"]["words"] = WORDS
    assert open_trace(changed(data, lambda editor: editor.add_token("又"))).labels("word") == (*WORDS, "又")


def test_a_word_that_is_renamed_comes_next_under_its_new_name() -> None:
    data = embedded()
    data["tokens"], data["learn"]["next"] = ["小猫", "饱"], ["饱", ""]
    now = changed(data, lambda editor: editor.rename_token(1, "满"))
    assert list(now["inputs"]["embedding"]) == ["小猫", "吃", "它", "满"]
    assert now["learn"]["next"] == ["满", ""]

"""What arrays of a dump are called elsewhere: read where it can mean one thing, told in the report, else left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.dumps import plain_dump
from tests.support.outcomes import told_in_every_language
from workings.checking.dumps.inputs import PRODUCED
from workings.checking.dumps.names import MEANT, USUAL
from workings.terms.errors import HeadsApart, MissingTensor, TensorShape

OTHER = {"Q": "query", "K": "Key", "V": "v", "weight": "attn_weights", "head_output": "out"}


def renamed(names: dict[str, str], **more: Any) -> dict[str, Any]:
    return {names.get(name, name): values for name, values in plain_dump(**more).items()}


def test_a_usual_name_stands_for_one_of_ours() -> None:
    others = [other for names in USUAL.values() for other in names]
    assert len(MEANT) == len(others)
    assert all(other == other.lower() for other in others)
    assert not {*others} & {*PRODUCED, *USUAL}


def test_a_dump_with_usual_names_is_judged_as_one_with_ours() -> None:
    ours, others = w.compare(plain_dump(), lang="en"), w.compare(renamed(OTHER), lang="en")
    assert others.data()["arrays"] == ours.data()["arrays"]
    assert others.data()["read_as"] == {written: name for name, written in OTHER.items()}
    assert ours.data()["read_as"] == {}
    text = others.to_text()
    assert "query as Q" in text
    assert "attn_weights as weight" in text
    assert "按这里的名字读取" in w.compare(renamed(OTHER), lang="zh").to_text()


def test_a_wrong_number_is_found_under_a_usual_name() -> None:
    dump = renamed(OTHER)
    dump["attn_weights"][0, 2, 1] += 0.01
    assert w.compare(dump).data()["first_step"] == "weight"


@pytest.mark.parametrize(("name", "other"), [(name, other) for name in OTHER for other in USUAL[name]])
def test_every_usual_name_is_read(name: str, other: str) -> None:
    found = w.compare(renamed({name: other})).data()
    assert (found["read_as"], found["unused"], found["holds"]) == ({other: name}, [], True)


def test_our_own_name_goes_first() -> None:
    dump = plain_dump()
    found = w.compare({"attn": dump["weight"] * 2, "attn_weights": dump["weight"] * 3, **dump}).data()
    assert (found["holds"], found["unused"]) == (True, ["attn", "attn_weights"])


def test_of_two_usual_names_for_one_array_the_second_is_left_alone() -> None:
    dump = renamed({"weight": "attn"})
    found = w.compare({**dump, "probs": dump["attn"] * 2}).data()
    assert (found["read_as"], found["unused"]) == ({"attn": "weight"}, ["probs"])


def test_queries_are_not_guessed_where_a_rotation_changes_them() -> None:
    with pytest.raises(MissingTensor) as caught:
        w.compare(renamed({"Q": "query", "K": "key"}), rope="half")
    told_in_every_language(caught.value)
    assert "query (2 × 5 × 4)" in str(caught.value)


def test_a_result_with_its_heads_side_by_side_is_not_guessed() -> None:
    """It may stand before or behind the weights of the output."""
    dump = plain_dump()
    beside = dump.pop("head_output").transpose(1, 0, 2).reshape(5, 8)
    found = w.compare({**dump, "out": beside}).data()
    assert (found["read_as"], found["unused"]) == ({}, ["out"])


@pytest.mark.parametrize("name", ["output", "concat"])
def test_an_output_with_its_heads_apart_is_told_its_name(name: str) -> None:
    dump = {key: values[None] for key, values in plain_dump().items()}
    dump[name] = dump.pop("head_output")
    with pytest.raises(HeadsApart, match="head_output") as caught:
        w.compare(dump)
    assert caught.value.values["shape"] == [1, 2, 5, 4]
    told_in_every_language(caught.value)


@pytest.mark.parametrize("name", ["K", "V"])
def test_a_shape_that_differs_is_told_under_the_names_of_the_dump(name: str) -> None:
    dump = renamed(OTHER)
    dump[OTHER[name]] = np.zeros((2, 5, 3) if name == "K" else (2, 4, 4), np.float32)
    with pytest.raises(TensorShape) as caught:
        w.compare(dump)
    assert f"{OTHER[name]} is" in str(caught.value)
    assert "query (2 × 5 × 4)" in str(caught.value)

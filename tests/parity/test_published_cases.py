"""Published worked examples recomputed: every correct number of a step of a recipe, to the digits it is given with."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from typing import Any

import pytest

from tests.parity.published import (
    FOLDER,
    NUMBERS,
    ORIGINALS,
    Place,
    case,
    digest,
    not_expressed,
    same_digits,
    trace,
)
from workings.steps.build import build
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Name
from workings.terms.digits import json_digits
from workings.terms.errors import MissingField

CASES, STEPS, FIGURES = 39, 232, 1155
MAPPED_STEPS, MAPPED_FIGURES = 227, 1144


def _entries(kind: str) -> list[tuple[str, str]]:
    return [(number, entry["name"]) for number in NUMBERS for entry in case(number)[kind] if "at" in entry]


def _entry(number: str, kind: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in case(number)[kind] if entry["name"] == name)
    return found


def _computed(number: str, entry: dict[str, Any]) -> list[Any]:
    example = entry.get("example", next(iter(case(number)["examples"])))
    return Place.read(entry).values(trace(number, example))


def _count(entries: list[tuple[str, str]]) -> int:
    return sum(len(row) for number, name in entries for row in _entry(number, "steps", name)["correct"])


@pytest.mark.parametrize(("number", "name"), _entries("steps"))
def test_correct_values_are_reproduced(number: str, name: str) -> None:
    entry = _entry(number, "steps", name)
    printed = [text for row in entry["correct"] for text in row]
    values = _computed(number, entry)
    assert len(values) == len(printed)
    wrong = [
        (text, json_digits(value)) for value, text in zip(values, printed, strict=True) if not same_digits(value, text)
    ]
    assert wrong == []


@pytest.mark.parametrize(("number", "name"), _entries("inputs"))
def test_examples_hold_the_published_inputs(number: str, name: str) -> None:
    entry = _entry(number, "inputs", name)
    written = [text for row in entry["values"] for text in row]
    values = _computed(number, entry)
    assert len(values) == len(written)
    assert [value.exact for value in values] == [Fraction(text) for text in written]


def test_every_input_is_placed() -> None:
    entries = [entry for number in NUMBERS for entry in case(number)["inputs"]]
    assert all(("at" in entry) != ("enters" in entry) for entry in entries)


def test_every_step_is_mapped_or_listed_and_never_both() -> None:
    every = [(number, entry["name"]) for number in NUMBERS for entry in case(number)["steps"]]
    assert len(set(every)) == len(every)
    mapped, listed = set(_entries("steps")), set(not_expressed())
    assert mapped | listed == set(every)
    assert mapped & listed == set()
    assert all(reason.strip() for reason in not_expressed().values())


def test_counts_are_those_stated() -> None:
    every = [(number, entry["name"]) for number in NUMBERS for entry in case(number)["steps"]]
    assert (len(NUMBERS), len(every), _count(every)) == (CASES, STEPS, FIGURES)
    assert (len(_entries("steps")), _count(_entries("steps"))) == (MAPPED_STEPS, MAPPED_FIGURES)


def test_correct_values_have_twelve_digits() -> None:
    for number in NUMBERS:
        for entry in case(number)["steps"]:
            for text in (text for row in entry["correct"] for text in row):
                digits = text.partition("e")[0].replace(".", "").lstrip("-0")
                assert len(digits) == 12 or text in ("0.0", "-inf"), (number, entry["name"], text)


def test_scores_alone_need_a_divisor() -> None:
    given = {Name("score"): (1, 3)}
    with pytest.raises(MissingField) as caught:
        build(AttentionSpec(), BlockSpec(), given, {"token": 1, "key": 3, "past": 0}, {}, cross=True)
    assert caught.value.values["field"] == "d_k"


# --- the copy is the original ------------------------------------------------------------------------------------


def _checksums() -> dict[str, str]:
    sums: dict[str, str] = tomllib.loads((FOLDER / "checksums.toml").read_text(encoding="utf-8"))
    return sums


def test_copied_figures_keep_their_checksums() -> None:
    copied = {}
    for number in NUMBERS:
        inputs = {entry["name"]: entry["values"] for entry in case(number)["inputs"]}
        copied[case(number)["case"]] = digest(inputs, {e["name"]: e["correct"] for e in case(number)["steps"]})
    assert copied == _checksums()


def test_originals_where_present_have_the_same_checksums() -> None:
    """Compares whatever originals stand beside the checkout; without them there is nothing to compare."""
    present = {}
    for path in sorted(ORIGINALS.glob("*.json")):
        original = json.loads(path.read_text(encoding="utf-8"))
        present[path.stem] = digest(original["inputs"], {s["name"]: s["correct"] for s in original["steps"]})
    assert present in ({}, _checksums())


def test_a_changed_figure_is_noticed() -> None:
    entry = _entry("02", "steps", "a3")
    value = _computed("02", entry)[0]
    assert same_digits(value, "0.402653153134")
    assert not same_digits(value, "0.402653153135")
    assert digest({"Q": [["1"]]}, {}) != digest({"Q": [["1.0"]]}, {})


# --- the two seeds -----------------------------------------------------------------------------------------------

KITTEN = {
    "scaled[2,:]": ["0.650538238692", "0.134350288425", "0.530330085890"],
    "exp[2,:]": ["1.91657212472", "1.14379340707", "1.69949319477"],
    "exp_sum[2]": ["4.75985872656"],
    "weight[2,:]": ["0.402653153134", "0.240299864508", "0.357046982358"],
    "output[2,:]": ["4.38357851370", "2.76004562744"],
}


@pytest.mark.parametrize("at", KITTEN)
def test_kitten_row_of_the_pronoun(at: str) -> None:
    values = Place(at).values(trace("02", "main"))
    assert [same_digits(value, text) for value, text in zip(values, KITTEN[at], strict=True)] == [True] * len(values)


def test_time_machine_with_the_true_root() -> None:
    found = trace("01", "true-root")
    assert [value.exact for value in Place("Q[1,:]").values(found)] == [0, 2, 1]
    weights = [json_digits(value) for value in Place("weight[1,:]").values(found)]
    assert [weight[:11] for weight in weights] == ["0.359542524", "0.640457475"]

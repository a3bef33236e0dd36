"""The documents of the published cases hold their figures where the lists say; the rules judge them as listed."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any
from urllib.parse import unquote

import pytest

from tests.documents.expected import (
    EXACT,
    FOLLOWS,
    PUBLISHED,
    ROUNDED,
    WRONG,
    cases,
    differences,
    mapping,
    verdicts,
)
from tests.documents.published.places import Lines, document, lines_of, move, written
from tests.parity.published import ORIGINALS

NUMBERS = sorted(cases())
CLEAN = 21
TWICE = {("13", "Q", 1, 0), ("13", "Q", 1, 1)}  # term by term, and in the matrix


def _lines(number: str) -> Lines:
    path = document(number)
    return lines_of(path.read_text(encoding="utf-8"), path.suffix == ".ipynb")


def _places(number: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((PUBLISHED / f"{number}.json").read_text(encoding="utf-8"))
    return listed


def _spellings(printed: str) -> set[str]:
    """How a document may write a printed number, besides as it is."""
    power = re.sub(r"e(-?\d+)$", r" \\times 10^{\1}", printed)
    fraction = re.sub(r"^(\d)/(\d)$", r"\\frac\1\2", printed)
    infinite = {printed.replace("inf", sign) for sign in ("\\infty", "∞")}
    return {printed.replace("%", "\\%"), power, fraction, *infinite} - {printed}


def _printed(number: str) -> dict[tuple[str, int, int], tuple[str, str]]:
    """The printed numbers of a case with their verdicts, by step and cell."""
    return {
        (step["name"], i, j): (text, step["verdict"][i][j])
        for step in cases()[number]["steps"]
        for i, row in enumerate(step["printed"])
        for j, text in enumerate(row)
        if text is not None
    }


# --- documents and lists ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_every_listed_number_stands_where_the_list_says(number: str) -> None:
    lines = _lines(number)
    for place in _places(number):
        line = lines[place.get("cell_index")][place["line"] - 1]
        spelled, start = place.get("spelled", place["printed"]), place["column"] - 1
        before, after = unquote(line[:start]), unquote(line[start + len(spelled) :])
        assert line[start:].startswith(spelled), place
        assert not re.search(r"[0-9.]$", before), place
        assert not re.match(r"\d|\.\d", after), place
        assert "spelled" not in place or spelled in _spellings(place["printed"]), place


@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_of_the_case_is_listed_with_its_verdict(number: str) -> None:
    listed = Counter((place["step"], *place["cell"]) for place in _places(number))
    assert {key for key, times in listed.items() if times > 1} == {key[1:] for key in TWICE if key[0] == number}
    found = {(p["step"], *p["cell"]): (p["printed"], p["verdict"]) for p in _places(number)}
    assert found == _printed(number)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_list_is_in_reading_order(number: str) -> None:
    order = [(place.get("cell_index", 0), place["line"], place["column"]) for place in _places(number)]
    assert order == sorted(set(order))


@pytest.mark.parametrize("number", NUMBERS)
def test_the_list_follows_an_edited_document(number: str) -> None:
    old = _lines(number)
    new = {cell: ["1.0 first", *(line.replace("the ", "that same ") for line in lines)] for cell, lines in old.items()}
    moved = move(_places(number), old, new)
    assert move(moved, new, old) == _places(number)
    assert [place["line"] - 1 for place in moved] == [place["line"] for place in _places(number)]
    assert written(_places(number)) == (PUBLISHED / f"{number}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", NUMBERS)
def test_the_inputs_stand_in_the_document(number: str) -> None:
    text = unquote("\n".join(line for lines in _lines(number).values() for line in lines))
    numbers = [float(found) for found in re.findall(r"-?[0-9]+(?:\.[0-9]+)?", text)]
    for name, rows in cases()[number]["inputs"].items():
        for row in rows:
            wanted, n = [float(cell) for cell in row], len(row)
            in_a_row = any(numbers[i : i + n] == wanted for i in range(len(numbers)))
            assert in_a_row or (number == "17" and set(wanted) <= set(numbers)), (name, row)


@pytest.mark.parametrize("number", NUMBERS)
def test_documents_carry_no_marks(number: str) -> None:
    assert "workings:" not in document(number).read_text(encoding="utf-8")


def test_originals_where_present_hold_the_same_figures() -> None:
    """Compares whatever originals stand beside the checkout; without them there is nothing to compare."""
    present = {}
    for path in sorted(ORIGINALS.glob("*.json")):
        original = json.loads(path.read_text(encoding="utf-8"))
        steps = [{key: step[key] for key in ("name", "expr", "printed", "verdict")} for step in original["steps"]]
        present[path.stem[:2]] = {"case": original["id"], "inputs": original["inputs"], "steps": steps}
    assert present in ({}, cases())


# --- the rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_the_rules_give_the_case_s_verdicts_or_what_the_mapping_lists(number: str) -> None:
    ours = verdicts(number)
    listed = {key[1:]: entry[:2] for key, entry in mapping().items() if key[0] == number}
    found = {
        (name, i, j): (theirs, ours[name][i][j])
        for (name, i, j), (_, theirs) in _printed(number).items()
        if theirs != ours[name][i][j]
    }
    assert found == listed


def test_the_mapping_is_the_list_of_differences() -> None:
    assert {key: entry[:2] for key, entry in mapping().items()} == differences()
    assert len(mapping()) == 32


def test_clean_cases_are_clean_by_the_rules_too() -> None:
    def is_clean(found: list[list[str | None]]) -> bool:
        return all(verdict not in (WRONG, FOLLOWS) for row in found for verdict in row)

    by_case = {n for n in NUMBERS if all(is_clean(step["verdict"]) for step in cases()[n]["steps"])}
    assert len(by_case) == CLEAN
    assert all(is_clean(found) for n in by_case for found in verdicts(n).values())


def test_a_changed_digit_is_noticed() -> None:
    before = verdicts("03")["A"][0][0]
    cell = cases()["03"]["steps"][6]["printed"][0]
    kept = cell[0]
    try:
        cell[0] = "0.4012"
        assert (before, verdicts("03")["A"][0][0]) == (ROUNDED, WRONG)
    finally:
        cell[0] = kept
    assert verdicts("03")["Q"][0][0] == EXACT

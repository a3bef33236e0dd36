"""Targets that draw arrays show the numbers of the text target, in its order, with the values that they stand for."""

import tomllib
from functools import cache
from typing import Any

import pytest

import workings as w
from tests.support.reading_arrays import READERS
from tests.support.reading_back import numbers
from tools.showcase import SHOWCASE
from workings.examples import library
from workings.explaining.tree import Matrix
from workings.render.layout import matrix_grid
from workings.render.targets import ARRAYS
from workings.render.words import LANGUAGES, Words

NAMES = [*library.names(), *range(len(SHOWCASE))]


@cache
def opened(name: str | int) -> Any:
    return w.explain(name if isinstance(name, str) else tomllib.loads(SHOWCASE[name]))


@cache
def in_text(name: str | int, lang: str) -> list[str]:
    """The numbers of the matrices as the text target lays them out."""
    trace, words = opened(name).explain(lang=lang), Words(lang)
    lines: list[str] = []
    for block in trace.document().blocks:
        if isinstance(block, Matrix):
            grid = matrix_grid(block, words)
            rows = list(zip(*(column[grid.headings :] for column in grid.columns), strict=True))
            assert all("  ".join(row).rstrip() in trace.to_text() for row in rows)
            lines += [cell.strip() for row in rows for cell in row]
    return lines


def test_every_target_has_a_reader() -> None:
    assert set(READERS) == set(ARRAYS)


@pytest.mark.parametrize("target", ARRAYS)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_numbers_in_the_same_order(name: str | int, lang: str, target: str) -> None:
    trace = opened(name).explain(lang=lang)
    read = READERS[target](trace.draw(target))
    assert [number.text for number in read] == in_text(name, lang)
    assert len(read) > 20
    for number in read:
        if number.address:
            assert number.value == float(trace[number.address]), number
        if "/" not in number.text and "∞" not in number.text:
            (printed,) = numbers(number.text)
            assert float(printed.replace("×10^", "e")) == pytest.approx(number.value, rel=5e-4, abs=6e-5)


@pytest.mark.parametrize("target", ["svg", "csv"])
@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_its_address_in_order(name: str | int, target: str) -> None:
    read = [number.address for number in READERS[target](opened(name).draw(target)) if number.address]
    arrays = {array: opened(name).array(array) for array in opened(name).names}
    shown = [array for key, array in arrays.items() if array.shape or key == "loss"]  # other single numbers are given
    own = [str(number.address) for array in shown for number in _flat(array.values())]
    assert sorted(read) == sorted(own)
    assert len(set(read)) == len(read)


@pytest.mark.parametrize("target", ARRAYS)
@pytest.mark.parametrize("precision", [0, 2, 9])
def test_the_digits_asked_for(precision: int, target: str) -> None:
    trace = w.explain("rotary-position", precision=precision)
    matrices = [block for block in trace.document().blocks if isinstance(block, Matrix)]
    read = [number.text for number in READERS[target](trace.draw(target))]
    if target == "xlsx":  # spreadsheets keep the sign of what they show as 0
        read = [text.removeprefix("−") if set(text) <= set("−0.") else text for text in read]
    assert read == [cell for matrix in matrices for row in matrix.cells for cell in row]


def _flat(nested: Any) -> list[Any]:
    return [one for part in nested for one in _flat(part)] if isinstance(nested, list) else [nested]

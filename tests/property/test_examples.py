"""Random files and mappings: what comes out is a sound example or an error told in every language."""

import json
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.outcomes import read_or_told
from workings.api.opening import settled
from workings.examples.example import Example
from workings.examples.fields import ATTENTION, BLOCK, TOP
from workings.examples.place import Place, Source
from workings.examples.read import read_bytes, read_mapping, read_text
from workings.terms.address import Name
from workings.terms.numbers import MIN_BITS

NAMES = [*TOP, *ATTENTION, *BLOCK, "Q", "K", "V", "W_Q", "past", "seed", "en", "rows", "embedding"]
PIECES = [
    *NAMES,
    *'[]{}=,.:"\n #',
    '"a"',
    "[inputs]\n",
    "[[layer]]\n",
    "[attention]\n",
    "1",
    "0.5",
    "true",
    '"""',
    "\\u",
]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["causal", "rope", "relu", "1/3", "-inf", "window:2", "sqrt(2)"]),
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=3), inner),
    max_leaves=20,
)
NUMBERS = st.one_of(
    st.integers(-99, 99),
    st.floats(allow_nan=False, allow_infinity=False),
    st.fractions(max_denominator=50),
    st.sampled_from(["1/3", "sqrt(2)", "0.10", "-ln(3)"]),
)


def attempt(data: Any) -> None:
    """Reading ends with an example that can be worked, or with one of our errors, told in every language."""
    example = read_or_told(lambda: read(data))
    if example is not None:
        sound(example)


def read(data: Any) -> Example:
    if isinstance(data, str):
        return read_text(data)
    return read_bytes(data) if isinstance(data, bytes) else read_mapping(data)


def sound(example: Example) -> None:
    """Every number of an example stands where its shape says, and its last array can be worked from them."""
    assert example.tokens
    for given_array in example.given.values():
        places = product(*map(range, given_array.shape))
        assert sorted(given_array.cells) == list(places)
    trace = read_or_told(lambda: settled(example)[1])
    if trace is not None:
        *_, last = trace.ops()
        value = read_or_told(lambda: trace.value(next(iter(trace.cells(last.name)))))
        assert value is None or value.infinite or value.bounds(MIN_BITS)[0] <= value.bounds(MIN_BITS)[1]


@given(st.text())
def test_any_text(text: str) -> None:
    attempt(text)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    attempt(data)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_text_of_likely_pieces(text: str) -> None:
    attempt(text)
    for kind in ("toml", "json"):
        str(Place(Source("x", text, kind), ("inputs", "Q", 0, 1)))


@given(DATA)
def test_any_data(data: Any) -> None:
    attempt(data)
    attempt({"tokens": ["a"], "inputs": data})
    attempt({"tokens": ["a"], "inputs": {"Q": data, "K": [[1]], "V": [[1]]}})


@given(st.dictionaries(st.sampled_from(ATTENTION), DATA), st.dictionaries(st.sampled_from(BLOCK), DATA))
def test_any_settings(attention: Any, block: Any) -> None:
    matrix = [[1, 2], [3, 4]]
    inputs = {"X": matrix, "W_Q": matrix, "W_K": matrix, "W_V": matrix}
    attempt({"tokens": ["a", "b"], "inputs": inputs, "attention": attention, "block": block})


@given(DATA.map(lambda data: json.dumps(data)))
def test_any_json(text: str) -> None:
    attempt(text)


@given(st.data(), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_round_trip(data: st.DataObject, tokens: int, d_k: int, d_v: int) -> None:
    def matrix(width: int) -> Any:
        return data.draw(st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=tokens, max_size=tokens))

    words = data.draw(st.lists(st.text(st.characters(codec="utf-8")), min_size=tokens, max_size=tokens))
    inputs = {"Q": matrix(d_k), "K": matrix(d_k), "V": matrix(d_v)}
    example = read_mapping({"tokens": words, "inputs": inputs})
    assert example.tokens == tuple(words)
    for name, rows in inputs.items():
        given_array = example.given[Name(name)]
        assert given_array.shape == (tokens, len(rows[0]))
        for (i, j), literal in given_array.cells.items():
            seen = rows[i][j]
            assert literal.text == (repr(seen) if isinstance(seen, float) else str(seen))
    again = {
        name: [[given_array.cells[i, j].text for j in range(given_array.shape[1])] for i in range(tokens)]
        for name, given_array in ((name.name, array) for name, array in example.given.items())
    }
    assert read_mapping({"tokens": words, "inputs": again}) == example
    assert read_text(json.dumps({"tokens": words, "inputs": again})).given == example.given

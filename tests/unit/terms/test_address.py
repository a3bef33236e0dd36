"""Addresses: what may be written, what it means, and what is said when it means nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.outcomes import read_or_told
from workings.terms.address import WHOLE, Address, Name, TokenIndex, cell_address, parse_address, resolve
from workings.terms.errors import (
    BadAddress,
    IndexOutside,
    TokenNotUnique,
    UnknownToken,
    WholeRowNotCell,
    WrongIndexCount,
)

WORDS = ("它", "小猫", "它")


@pytest.mark.parametrize(
    ("text", "name", "items"),
    [
        ("weight", Name("weight"), ()),
        ("weight[2,0]", Name("weight"), (2, 0)),
        ("weight[ 2 , -1 ]", Name("weight"), (2, -1)),
        ("L3.H7.score[5,2]", Name("score", 3, 7), (5, 2)),
        ("L0.G1.K[0,1]", Name("K", 0, group=1), (0, 1)),
        ("enc.L0.H1.weight[5,:]", Name("weight", 0, 1, part="enc"), (5, WHOLE)),
        ("dec.cross.L2.H0.lse[1]", Name("lse", 2, 0, part="dec", cross=True), (1,)),
        ('weight["它"#2,"小猫"]', Name("weight"), (TokenIndex("它", 2), TokenIndex("小猫"))),
        (r'weight["a\"]b",0]', Name("weight"), (TokenIndex('a"]b'), 0)),
    ],
)
def test_what_may_be_written(text: str, name: Name, items: tuple[object, ...]) -> None:
    assert parse_address(text) == (name, items)


@pytest.mark.parametrize(
    ("text", "position"), [("", 0), ("9x", 0), ("weight[", 7), ("weight[1,]", 9), ("weight[1] ", 8), ("weight(1)", 6)]
)
def test_where_it_stops_being_an_address(text: str, position: int) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert caught.value.values["position"] == position


def test_words_stand_for_indices() -> None:
    labels = [WORDS, WORDS]
    assert resolve(Name("weight"), (TokenIndex("小猫"), TokenIndex("它", 2)), ("query", "key"), (3, 3), labels) == (
        1,
        2,
    )
    assert resolve(Name("weight"), (-1, WHOLE), ("query", "key"), (3, 3), labels) == (2, WHOLE)


def test_a_word_that_occurs_twice_needs_its_number() -> None:
    for item in (TokenIndex("它"), TokenIndex("它", 3)):
        with pytest.raises(TokenNotUnique) as caught:
            resolve(Name("lse"), (item,), ("query",), (3,), [WORDS])
        assert caught.value.values["positions"] == [0, 2]


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownToken):
        resolve(Name("lse"), (TokenIndex("吃"),), ("query",), (3,), [WORDS])
    with pytest.raises(IndexOutside):
        resolve(Name("lse"), (3,), ("query",), (3,), [WORDS])
    with pytest.raises(WrongIndexCount):
        resolve(Name("lse"), (0, 0), ("query",), (3,), [WORDS])
    with pytest.raises(WholeRowNotCell, match="weight"):
        cell_address(Name("weight"), (0, WHOLE))


@given(st.integers(0, 99), st.integers(0, 99), st.lists(st.integers(0, 999), min_size=1, max_size=3))
def test_what_is_printed_can_be_read_back(layer: int, head: int, index: list[int]) -> None:
    address = Address(Name("weight", layer, head), tuple(index))
    assert parse_address(str(address)) == (address.array, address.index)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_or_told(lambda: parse_address(text))
    if found is None:
        position = _position_of_failure(text)
        assert position is not None
        assert 0 <= position <= len(text)
    else:
        name, items = found
        assert parse_address(str(Address(name, items))) == found  # type: ignore[arg-type]


def _position_of_failure(text: str) -> int | None:
    try:
        parse_address(text)
    except BadAddress as error:
        return int(error.values["position"])
    return None

"""A trace answers for its addresses: names with and without prefixes, words for indices, where numbers go."""

import pytest

from tests.support.effort import effort
from tests.support.opening import open_trace
from workings.terms.address import Address, Name
from workings.terms.errors import UnknownArray, UnknownToken, WholeRowNotCell
from workings.traces.trace import Trace


@pytest.fixture(scope="module")
def kitten() -> Trace:
    return open_trace("kitten")


@pytest.fixture(scope="module")
def heads() -> Trace:
    return open_trace("two-heads")


def test_cells_by_number_and_by_word(kitten: Trace) -> None:
    assert kitten.cell('weight["它","小猫"]') == kitten.cell("weight[2,0]") == Address(Name("weight"), (2, 0))


def test_prefixes_that_are_not_needed_may_be_written(kitten: Trace) -> None:
    assert kitten.cell("L0.H0.score[0,0]") == Address(Name("score"), (0, 0))


def test_a_layer_or_head_that_is_not_there_is_refused(kitten: Trace, heads: Trace) -> None:
    for trace, text in ((kitten, "L1.score[0,0]"), (kitten, "H1.score[0,0]"), (heads, "score[0,0]"), (heads, "H2.Q")):
        with pytest.raises(UnknownArray):
            trace.cell(text)


def test_refusals(kitten: Trace) -> None:
    with pytest.raises(UnknownToken):
        kitten.cell('weight["狗",0]')
    with pytest.raises(WholeRowNotCell):
        kitten.cell("weight[0,:]")


def test_where_a_number_comes_from_and_goes_to(kitten: Trace) -> None:
    score = kitten.cell("score[2,0]")
    assert [str(a) for a in kitten.inputs(score)] == ["Q[2,0]", "K[0,0]", "Q[2,1]", "K[0,1]"]
    assert [str(a) for a in kitten.used_by(score)] == ["scaled[2,0]"]
    assert [str(a) for a in kitten.used_by(kitten.cell("K[0,0]"))] == ["score[0,0]", "score[1,0]", "score[2,0]"]
    assert kitten.inputs(kitten.cell("Q[0,0]")) == []


def test_heads_read_their_own_columns_and_stand_side_by_side(heads: Trace) -> None:
    assert [str(a) for a in heads.inputs(heads.cell("H1.Q[0,0]"))][1::2] == [f"W_Q[{m},2]" for m in range(4)]
    assert [str(a) for a in heads.inputs(heads.cell("concat[1,3]"))] == ["H1.head_output[1,1]"]


def test_where_one_number_goes_is_found_without_working_out_the_rest() -> None:
    seeds = {"X": {"seed": 3}, "W_Q": {"seed": 1}, "W_K": {"seed": 2}, "W_V": {"seed": 4}}
    sizes = {"d_model": 64, "d_k": 64, "d_v": 64}
    trace = open_trace({"tokens": [f"t{i}" for i in range(64)], "inputs": seeds, "attention": sizes})
    key, weight = trace.cell("K[5,2]"), trace.cell("W_V[7,2]")
    assert effort(lambda: trace.used_by(key)) < 100_000  # working out every score's formula takes millions of calls
    assert [str(a) for a in trace.used_by(key)] == [f"score[{i},5]" for i in range(64)]
    assert [str(a) for a in trace.used_by(weight)] == [f"V[{i},2]" for i in range(64)]

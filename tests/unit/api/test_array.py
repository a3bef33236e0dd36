import pytest

import workings as w
from workings.api.array import Array
from workings.api.number import Number
from workings.terms.errors import ArgumentForm, IndexOutside, TokenNotUnique, UnknownToken, WrongIndexCount

REPEATED = {
    "tokens": ["it", "saw", "it", "a#1"],
    "inputs": {"Q": [[1], [2], [3], [4]], "K": [[1], [1], [1], [1]], "V": [[1], [2], [3], [4]]},
}


def test_an_array_knows_its_shape_and_words() -> None:
    weight = w.explain("kitten")["weight"]
    assert isinstance(weight, Array)
    assert (weight.shape, weight.axes, weight.address) == ((3, 3), ("query", "key"), "weight")
    assert weight.labels == (("小猫", "吃", "它"), ("小猫", "吃", "它"))
    assert len(weight) == 3
    assert repr(weight) == "<Array weight: query × key = 3 × 3>"


def test_what_an_index_gives() -> None:
    weight = w.explain("kitten")["weight"]
    assert isinstance(weight[2, 0], Number)
    assert [number.address for number in weight[2]] == ["weight[2,0]", "weight[2,1]", "weight[2,2]"]
    assert weight["它", "小猫"].address == weight[-1, -3].address == "weight[2,0]"
    assert [[number.address for number in row] for row in weight[1:, ::2]] == [
        ["weight[1,0]", "weight[1,2]"],
        ["weight[2,0]", "weight[2,2]"],
    ]
    assert [row[0].address for row in weight] == [row[0].address for row in weight.values()]


def test_a_word_that_stands_twice_needs_its_number() -> None:
    query = w.explain(REPEATED)["Q"]
    assert query["it#2", 0].address == "Q[2,0]"
    assert query["a#1", 0].address == "Q[3,0]"
    with pytest.raises(TokenNotUnique):
        query["it", 0]
    with pytest.raises(TokenNotUnique):
        query["it#3", 0]


def test_an_index_that_is_not_there() -> None:
    weight = w.explain("kitten")["weight"]
    with pytest.raises(IndexOutside):
        weight[3, 0]
    with pytest.raises(UnknownToken):
        weight["狗"]
    with pytest.raises(WrongIndexCount):
        weight[0, 0, 0]
    with pytest.raises(ArgumentForm):
        weight[0.5]


def test_an_array_draws_itself() -> None:
    score = w.explain("kitten")["score"]
    assert "0.92" in score.to_text()
    assert "| 它 |" in score.to_markdown() or "0.92" in score.to_markdown()
    assert score.data()["exact"][2][0] == "23/25"
    assert set(score._repr_mimebundle_()) == {"text/plain", "text/markdown", "text/latex", "text/html"}


def test_an_arrays_data_is_its_entry_in_the_trace() -> None:
    trace = w.explain("kitten")
    whole = trace.data()
    for entry in [*whole["inputs"], *whole["steps"]]:
        assert trace[entry["address"]].data() == entry


def test_enormous_rationals_are_written_in_full() -> None:
    row = [f"1/{10**380 + 2 * place + 1}" for place in range(14)]
    trace = w.explain({"tokens": ["a"], "inputs": {"Q": [row], "K": [row], "V": [[1]]}})
    exact = trace["score"].data()["exact"][0][0]
    assert len(exact) > 2 * 4300
    assert exact.replace("/", "").isdecimal()
    assert exact in trace.explain(precision="exact").to_text()

"""CSV: RFC 4180, numbers that round trip, and no text that a spreadsheet would run."""

import re
from fractions import Fraction

import pytest

import workings as w
from tests.support.reading_arrays import records
from workings.render.csv import guarded
from workings.render.inert import inert

WORDS = ("=1+1", "+1", "-1", "@SUM(1)", "'quoted", '"a","b"', "a\r\nb", "\t=1", "＝1", "plain")
ROWS = [[place % 3, place % 2] for place in range(len(WORDS))]
HOSTILE = {"tokens": WORDS, "inputs": {"Q": ROWS, "K": ROWS, "V": ROWS}}


def test_a_record_says_what_and_where() -> None:
    header, *others = records(w.explain("kitten", lang="en").to_csv())
    assert header[0] == "address"
    assert "nearest float64" in header[12]
    assert "ties away from zero" in header[11]
    (found,) = [record for record in others if record[0] == "weight[2,0]"]
    assert found[1:] == [
        "weight",
        "",
        "",
        "",
        "query",
        "2",
        "它",
        "key",
        "0",
        "小猫",
        "0.4027",
        "0.402653153133793",
        "",
    ]
    assert next(record for record in others if record[0] == "K[0,1]")[-3:] == ["0.2", "0.2", "1/5"]


def test_layers_heads_and_groups_have_columns_of_their_own() -> None:
    layered = {tuple(record[2:5]) for record in records(w.explain("encoder-six").to_csv())[1:]}
    assert ("5", "1", "") in layered
    assert ("", "", "1") in {tuple(record[2:5]) for record in records(w.explain("grouped-heads").to_csv())[1:]}


def test_the_numbers_of_the_setting_come_first() -> None:
    first = records(w.explain("layer-norm").to_csv())[1]
    assert first[0] == "eps"
    assert first[5:11] == [""] * 6
    assert float(first[12]) == float(Fraction(first[13]))


def test_values_round_trip() -> None:
    trace = w.explain("rotary-position")
    for record in records(trace.to_csv())[1:]:
        assert float(record[12]) == float(trace[record[0]])
        assert repr(float(record[12])) == record[12]


def test_minus_infinity_is_a_number_that_programs_read() -> None:
    masked = [record for record in records(w.explain("causal").to_csv()) if record[11] == "−∞"]
    assert {record[12] for record in masked} == {"-inf"}
    assert len(masked) == 3


def test_every_line_ends_as_the_standard_says() -> None:
    drawn = w.explain(HOSTILE).to_csv()
    assert drawn.endswith("\r\n")
    assert re.search(r"(?<!\r)\n|\r(?!\n)", drawn) is None
    assert len({len(record) for record in records(drawn)}) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_word_is_a_formula_and_every_word_comes_back(lang: str) -> None:
    found = records(w.explain(HOSTILE, lang=lang).to_csv())[1:]
    words = {record[7] for record in found}
    assert all(word[:1] not in "=+-@\t\r\n＝＋－＠" for word in words)
    assert {guarded(inert(word)) for word in WORDS} == words


def test_negative_numbers_stay_numbers() -> None:
    found = {record[12] for record in records(w.explain("encoder-six").to_csv())[1:]}
    assert any(value.startswith("-") for value in found)
    assert not any(value.startswith("'") for value in found)


def test_a_number_for_comparison_has_no_address() -> None:
    found = records(w.explain("time-machine").to_csv())
    assert [record[1] for record in found if not record[0]] == ["scaled"] * 4

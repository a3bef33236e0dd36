"""The worked-example page as data: every number it shows, and everything that can be done to it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import workings as w
from workings.examples import library
from workings.explaining.numbers import Numbers
from workings.terms.digits import AUTO
from workings.terms.errors import UnknownChoice, UnknownField, WorkingsError
from workings.web import example
from workings.web.asked import Asked, Refused

CELL = re.compile(
    r'<td class="[^"]*"(?: data-of="[^"]*")? data-cell="([^"]+)"(?: data-written="([^"]*)")?>([^<]*)</td>'
)
LANGUAGES = ("en", "zh")


def asked(name: str = "kitten", data: str = "", lang: str = "en", **more: Any) -> Asked:
    view = {"lang": lang, "precision": more.pop("precision", "auto"), "carry": more.pop("carry", None)}
    return Asked({"source": {"data": data} if data else {"name": name}, "view": view, **more})


def cells(page: dict[str, Any]) -> dict[str, str]:
    return {address: text for step in page["steps"] for address, _, text in CELL.findall(step["html"])}


def edited(*edits: dict[str, Any], name: str = "kitten", data: str = "") -> dict[str, Any]:
    return example.edit(asked(name, data, edits=list(edits)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_every_number_is_pythons(name: str, lang: str) -> None:
    trace = w.explain(name, lang=lang)
    inner = trace._trace
    numbers = Numbers(inner, AUTO)
    expected = {
        str(address): numbers.shown(address).text
        for array in inner.recipe.names()
        for address in inner.cells(array)
        if inner.array(array).axes or array not in inner.recipe.given
    }
    assert cells(example.example(asked(name, lang=lang))) == expected


@pytest.mark.parametrize("name", library.names())
def test_every_step_tells_what_it_is_made_from(name: str) -> None:
    inner = w.explain(name)._trace
    used = {
        str(array): {str(source.array) for address in inner.cells(array) for source in inner.inputs(address)}
        for array in inner.recipe.names()
    }
    for step in example.example(asked(name))["steps"]:
        assert set(step["made_from"]) == used.get(step["address"], set())


def test_what_a_step_is_made_from_stands_in_the_order_of_its_formula() -> None:
    steps = {step["address"]: step["made_from"] for step in example.example(asked("two-heads"))["steps"]}
    assert steps["H1.score"] == ["H1.Q", "H1.K"]
    assert steps["concat"] == ["H0.head_output", "H1.head_output"]
    assert steps["X"] == []


@pytest.mark.parametrize("name", library.names())
def test_what_can_be_edited_is_what_was_written(name: str) -> None:
    page = example.example(asked(name))
    written = {str(address): literal.text for address, literal in w.explain(name)._trace.source.written.items()}
    shown = {a: text for step in page["steps"] for a, text, _ in CELL.findall(step["html"]) if text}
    assert shown == {address: text for address, text in written.items() if address in shown}
    assert {address for address in written if "[" in address} == set(shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_cell(lang: str) -> None:
    found = example.cell(asked(lang=lang, address='score["它","小猫"]'))
    number = w.explain("kitten", lang=lang).number("score[2,0]")
    assert (found["address"], found["value"], found["digits"]) == ("score[2,0]", "0.92", str(number))
    assert found["uses"] == [source.address for source in number.inputs]
    assert found["used_by"] == number.used_by == ["scaled[2,0]"]
    assert found["pairs"] == [["Q[2,0]", "K[0,0]"], ["Q[2,1]", "K[0,1]"]]
    assert found["holds"] == "exact"
    assert found["written"] is None
    assert "<mn>0.92</mn>" in found["html"]
    assert "0.92" not in found["hint"]


SPOKEN = {
    ("en", "score[2,0]"): "0.9 times 1.0 plus 0.1 times 0.2 equals 0.9 plus 0.02 equals 0.92",
    ("zh", "score[2,0]"): "0.9 乘以 1.0 加 0.1 乘以 0.2 等于 0.9 加 0.02 等于 0.92",
    ("en", "exp[2,0]"): "e to the power 0.65054 is about 1.9166",
    ("zh", "scaled[2,0]"): "根号 2 分之 0.92 约等于 0.6505",
    ("en", "Q[2,0]"): "0.9",
}


@pytest.mark.parametrize(("lang", "address"), SPOKEN)
def test_a_cell_read_out(lang: str, address: str) -> None:
    assert example.cell(asked(lang=lang, address=address))["spoken"] == SPOKEN[lang, address]


def test_rounding_on_the_way() -> None:
    page = example.example(asked(carry=2))
    assert cells(page)["weight[2,0]"] == "0.40"
    found = example.cell(asked(carry=2, address="weight[2,0]"))
    assert found["value"] == "0.40"
    assert w.explain("kitten").explain(carry=2).to_html().count("0.40") > 0


@pytest.mark.parametrize("name", library.names())
def test_everything_printed_holds(name: str) -> None:
    found = example.proof(asked(name))
    assert found["hold"] == found["equalities"] > 20
    assert str(found["equalities"]) in found["message"]


# --- editing ---------------------------------------------------------------------------------------------------------


def test_a_number() -> None:
    page = edited({"set": "Q[2,0]", "to": "sqrt(2)"})
    own = w.explain(json.loads(page["data"]))
    assert own["Q[2,0]"].digits(6) == "1.41421"
    assert cells(page)["score[2,0]"] == "1.4342"
    moved = {change["address"]: (change["before"], change["after"]) for change in page["changed"]}
    assert moved["score[2,0]"] == ("0.92", "1.4342")
    assert "score[0,0]" not in moved
    assert page["name"] == ""


@pytest.mark.parametrize("name", library.names())
def test_every_given_number_can_be_another(name: str) -> None:
    opened = w.explain(name)._trace
    arrays = {address.array: address for address in opened.source.written}
    for address in arrays.values():
        if address.array.name not in ("eps", "position_base", "divide_by", "softcap", "alibi_slope"):
            page = edited({"set": str(address), "to": "7/5"}, name=name)
            assert w.explain(json.loads(page["data"]))[str(address)].exact.as_integer_ratio() == (7, 5), address


@pytest.mark.parametrize("name", library.names())
def test_words_come_go_and_change(name: str) -> None:
    before = w.explain(name)
    count = len(before.tokens)
    more = edited({"add_token": "新"}, name=name)
    assert more["tokens"] == [*before.tokens, "新"]
    less = edited({"remove_token": count}, data=more["data"])
    assert less["tokens"] == list(before.tokens)
    own = cells(example.example(asked(name)))
    assert {address: text for address, text in cells(less).items() if address in own} == own
    assert len(cells(more)) > len(own)
    other = edited({"rename_token": 0, "to": "別"}, name=name)
    assert other["tokens"][0] == "別"
    assert {address: text for address, text in cells(other).items() if address in own} == own


def test_settings() -> None:
    page = edited({"option": "mask", "to": "causal"}, {"option": "divide_by", "to": "2"}, {"option": "d_k", "to": "3"})
    now = {option["name"]: option["value"] for option in page["options"]}
    assert (now["mask"], now["divide_by"], now["d_k"]) == ("causal", "2", "3")
    assert (cells(page)["K[0,2]"], cells(page)["K[0,1]"]) == ("0", "0.2")
    assert edited({"option": "heads", "to": "1"}, name="two-heads")["options"][4]["value"] == "1"


def width(page: dict[str, Any], name: str) -> int:
    """How many columns an array has."""
    return 1 + max(int(address.partition(",")[2][:-1]) for address in cells(page) if address.startswith(f"{name}[0,"))


@pytest.mark.parametrize(("name", "heads", "groups"), [("two-heads", 2, 2), ("grouped-heads", 4, 2), ("causal", 1, 1)])
def test_every_head_gets_another_d_k(name: str, heads: int, groups: int) -> None:
    before = cells(example.example(asked(name)))
    old = width(example.example(asked(name)), "W_Q") // heads
    page = edited({"option": "d_k", "to": str(old + 1)}, name=name)
    now = cells(page)
    assert (width(page, "W_Q"), width(page, "W_K")) == (heads * (old + 1), groups * (old + 1))
    for head in range(heads):
        assert now[f"W_Q[0,{head * (old + 1) + old}]"] == "0"
        for column in range(old):
            assert now[f"W_Q[0,{head * (old + 1) + column}]"] == before[f"W_Q[0,{head * old + column}]"]
    assert width(edited({"option": "d_k", "to": "1"}, name=name), "W_Q") == heads


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        ({"set": "weight[0,0]", "to": "1"}, UnknownField),
        ({"set": "Q[0,0]", "to": "one"}, WorkingsError),
        ({"set": "Q[0,0]", "to": ""}, WorkingsError),
        ({"set": "Q[9,0]", "to": "1"}, WorkingsError),
        ({"option": "colour", "to": "red"}, UnknownChoice),
        ({"option": "heads", "to": "-1"}, UnknownChoice),
        ({"option": "d_k", "to": "0"}, UnknownChoice),
        ({"remove_token": 7}, WorkingsError),
        ({"add_token": " "}, Refused),
        ({}, Refused),
        ({"set": 3, "to": "1"}, Refused),
    ],
)
def test_what_cannot_be(edit: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        edited(edit)


# --- the quiz and files ----------------------------------------------------------------------------------------------


def test_a_quiz() -> None:
    sheet = example.blanks(asked(seed=3, blanks=5))
    answers = w.worksheet("kitten", seed=3, blanks=5).answers
    assert [blank["address"] for blank in sheet["blanks"]] == list(answers)
    for address, right in answers.items():
        good = example.answer(asked(seed=3, blanks=5, address=address, answer=right))
        assert good["right"], (address, right, good)
        bad = example.answer(asked(seed=3, blanks=5, address=address, answer="123.4"))
        assert (bad["right"], bad["verdict"]) == (False, "wrong")
        assert bad["html"]
        for nonsense in ("", "cat", "<script>", "(2) 7"):
            none = example.answer(asked(seed=3, blanks=5, address=address, answer=nonsense))
            assert not none["right"]
            assert "<script" not in none["html"]


def test_a_slip_is_named() -> None:
    """The score itself where the scaled score is asked for: the division was forgotten."""
    sheet = asked(seed=1, blanks=1, steps=["scaled"])
    address = example.blanks(sheet)["blanks"][0]["address"]
    score = w.explain("kitten")[address.replace("scaled", "score")]
    found = example.answer(asked(seed=1, blanks=1, steps=["scaled"], address=address, answer=str(score)))
    assert not found["right"]
    assert "slip" in found["html"]
    assert "scale" in found["html"]


def test_blanks_that_there_are_not() -> None:
    with pytest.raises(UnknownChoice):
        example.blanks(asked(seed=1, blanks=10_000))
    with pytest.raises(Refused):
        example.answer(asked(seed=1, blanks=2, address="Q[0,0]", answer="1"))


@pytest.mark.parametrize("target", ["text", "md", "tex", "html", "json", "svg", "csv", "xlsx"])
def test_every_target_is_exported(target: str) -> None:
    name, media, content = example.export(asked(target=target, lang="zh"))
    assert name.startswith("kitten.")
    assert "/" in media
    trace = w.explain("kitten", lang="zh")
    if target not in ("xlsx", "tex"):
        assert content == str(trace.draw(target)).encode()
    assert content[:2] == b"PK" if target == "xlsx" else "小猫" in content.decode()


def test_no_other_target() -> None:
    with pytest.raises(Refused):
        example.export(asked(target="exe"))

"""Any sheet: every blank can be worked from what is left, gives nothing away, and is marked as it deserves."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workings as w
from tests.support.amounts import at_most
from tests.support.sheets import filled, marked, verdicts
from workings.api.opening import open_example
from workings.api.worksheet import Worksheet
from workings.examples import library
from workings.exercises.blanks import root_of
from workings.explaining.numbers import Numbers
from workings.explaining.tree import Blank, Equation, Hidden, Matrix
from workings.explaining.worksheet import worksheet as drawn
from workings.steps.language import Cell
from workings.terms.address import Address
from workings.terms.digits import AUTO, nearest_decimal, write
from workings.traces.trace import Trace

SMALL = [name for name in library.names() if name != "encoder-six"]
ACCEPTED = {"exact", "correctly_rounded", "consistent"}


@cache
def traced(name: str) -> Trace:
    return open_example(name)[1]


@cache
def most(name: str) -> int:
    """How many blanks an example can have."""
    with pytest.raises(w.WorkingsError) as caught:
        w.worksheet(name, blanks=10**6)
    (choice,) = caught.value.values["choices"]
    return int(choice.rpartition(" ")[2])


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, Worksheet]:
    name = draw(st.sampled_from(SMALL))
    count = draw(st.integers(1, most(name)))
    return name, w.worksheet(name, seed=draw(st.integers(0, 10**6)), blanks=count, lang="en")


def on_the_sheet(sheet: Worksheet, trace: Trace) -> dict[Address, str]:
    """The numbers that stand in the sheet's matrices, by their cell; blanks are left out."""
    blocks = sheet.document().blocks
    end = next(place for place, block in enumerate(blocks) if block == Hidden("workings: key"))
    found: dict[Address, str] = {}
    for block in blocks[:end]:
        if isinstance(block, Matrix):
            name = trace.find(block.address)[0]
            for i, row in enumerate(block.cells):
                for j, cell in enumerate(row):
                    if not isinstance(cell, Blank):
                        index = (i, j) if block.columns else (i,) if trace.array(name).axes else ()
                        found[Address(name, index)] = cell
    return found


@given(sheets())
@at_most(300)
def test_every_blank_can_be_worked_from_what_is_left(made: tuple[str, Worksheet]) -> None:
    name, sheet = made
    trace = traced(name)
    known = set(on_the_sheet(sheet, trace))
    known |= {Address(given, ()) for given in trace.recipe.given if not trace.array(given).axes}
    for op in trace.ops():
        for address in trace.cells(op.name):
            blank = {str(address), str(root_of(trace, address))} & sheet.answers.keys()
            if address not in known and not blank:
                continue  # of a step that the sheet does not show
            if address not in known:
                assert set(trace.inputs(address)) <= known, address
                known.add(address)
    assert {trace.cell(address) for address in sheet.answers} <= known


@given(sheets())
@at_most(300)
def test_no_answer_stands_on_the_sheet(made: tuple[str, Worksheet]) -> None:
    """Nothing that a sheet says is made from the digits of a blank; and no result that a blank leads to shows them."""
    name, sheet = made
    trace, blanks = traced(name), sheet._blanks
    secret = {trace.cell(address) for address in sheet.answers}

    class Closed(Numbers):
        def _show(self, address: Address) -> Any:
            assert root_of(trace, address) not in secret, address
            return super()._show(address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workings.explaining.worksheet.Numbers", Closed)
        patch.setattr("workings.explaining.worksheet.digits", lambda *_: [])
        document = drawn(blanks, AUTO, [], key=False)
    lines = [block for block in document.blocks if isinstance(block, Equation) and block.address and block.label]
    assert all(root_of(trace, trace.cell(line.address)) not in secret for line in lines if "[" in line.address)
    shown = on_the_sheet(sheet, trace)
    for address, text in shown.items():
        assert root_of(trace, address) not in secret
        formula = trace.expansion.cell(address)
        if formula is not None and not isinstance(formula, Cell):
            behind = {root_of(trace, each) for each in trace.inputs(address)} & secret
            assert all(sheet.answers[str(each)] != text for each in behind)


@given(sheets(), st.data())
@at_most(300)
def test_the_same_seed_gives_the_same_sheet(made: tuple[str, Worksheet], data: st.DataObject) -> None:
    name, sheet = made
    again = w.worksheet(name, seed=sheet.seed, blanks=len(sheet.answers), lang="en")
    assert again.to_text() == sheet.to_text()
    assert list(again.answers) == list(sheet.answers)


@given(sheets(), st.sampled_from(["md", "text", "html", "tex"]))
@at_most(300)
def test_right_answers_are_all_accepted(made: tuple[str, Worksheet], target: str) -> None:
    _, sheet = made
    report = marked(filled(sheet, sheet.answers, target), target)
    assert verdicts(report).keys() == sheet.answers.keys()
    assert set(verdicts(report).values()) <= ACCEPTED


def one_more(answer: str) -> str:
    """An answer that no rounding on the way excuses."""
    places = len(answer.partition(".")[2])
    value = Fraction(answer.replace("−", "-")) * 2 + Fraction(7, 10**places)
    return write(value, places)


@given(sheets(), st.data())
@at_most(300)
def test_one_wrong_answer_is_the_only_wrong_one(made: tuple[str, Worksheet], data: st.DataObject) -> None:
    """The others are right, or follow from it where they are cells that it leads to."""
    _, sheet = made
    plain = [address for address, answer in sheet.answers.items() if "×" not in answer and "/" not in answer]
    if not plain:
        return
    changed = data.draw(st.sampled_from(plain))
    answers = {**sheet.answers, changed: one_more(sheet.answers[changed])}
    found = verdicts(marked(filled(sheet, answers)))
    assert found[changed] == "wrong"
    assert {found[address] for address in found if address != changed} <= ACCEPTED


@pytest.mark.parametrize("name", SMALL)
def test_what_follows_from_a_wrong_answer_is_not_wrong_again(name: str) -> None:
    """One wrong answer early on, and everything after it worked rightly from it."""
    sheet, trace = w.worksheet(name, blanks=most(name), lang="en"), traced(name)
    plain = [address for address, answer in sheet.answers.items() if "×" not in answer and "/" not in answer]
    wrong = next(address for address in map(trace.cell, plain) if {*map(str, trace.used_by(address))} & {*plain})
    answers = {**sheet.answers, str(wrong): one_more(sheet.answers[str(wrong)])}
    reached = {wrong: Fraction(answers[str(wrong)].replace("−", "-"))}
    for op in trace.ops():
        for address in trace.cells(op.name):
            formula = trace.expansion.cell(address)
            if address in reached or formula is None or not reached.keys() & set(trace.inputs(address)):
                continue
            low, high = trace.engine.evaluate(_put(formula, reached)).bounds(256)
            written = nearest_decimal((low + high) / 2, 5)
            if str(address) in answers:
                answers[str(address)] = write(written, 5)
            if str(address) in answers or isinstance(formula, Cell):  # a cell that is printed is taken as it stands
                reached[address] = written
    found = verdicts(marked(filled(sheet, answers)))
    assert found.pop(str(wrong)) == "wrong"
    assert set(found.values()) <= ACCEPTED | {"follows"}
    assert "follows" in found.values()


def _put(formula: Any, reached: dict[Address, Fraction]) -> Any:
    """A formula with what was worked out from the wrong answer put in."""
    from workings.steps.language import Const, rebuild

    def change(node: Any) -> Any:
        if isinstance(node, Cell):
            return Const(reached[node.address]) if node.address in reached else node
        return rebuild(node, change)

    return change(formula)

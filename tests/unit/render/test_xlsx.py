"""The workbook: formulas made from the declared ones, values beside them, and words that are never formulas."""

import re
import tomllib
import zipfile
from fractions import Fraction
from io import BytesIO
from typing import Any

import pytest

import workings as w
from tests.support.reading_arrays import Cell, cells, numbers_of, shown
from tools.showcase import SHOWCASE
from workings.examples import library
from workings.render.inert import inert
from workings.render.xlsx import number_format
from workings.render.xlsx_formulas import Formulas, NotWritten, Place
from workings.steps.language import Add, Const, Erf, Exp, Larger, Mul, Pow, Round, Sigmoid, Sub, absolute
from workings.steps.language import Cell as At
from workings.terms.address import Address, Name

WORDS: tuple[str, ...] = ("=1+1", "+1", "-1", "@SUM(1)", "'quoted", "http://x.example", "1", "{=1}")
WORDS += ('=HYPERLINK("http://x.example")', "\t=1")
ROWS = [[place % 3, place % 2] for place in range(len(WORDS))]
HOSTILE = {"tokens": WORDS, "title": "=1+1", "inputs": {"Q": ROWS, "K": ROWS, "V": ROWS}}
OWN = r"SUMPRODUCT|SUM|MMULT|MAX|EXP|LN|SQRT|TANH|ERF|SIN|COS|POWER|ABS|IF|ROUND|PI"
GRAMMAR = re.compile(rf"(?:{OWN}|minus_infinity|'[^']+'!|[A-Z]{{1,2}}\d+|\d+(?:\.\d+)?(?:E[+-]\d+)?|[-+*/^<>=(),:])+")


def formulas(data: bytes) -> dict[str, str]:
    return {f"{cell.sheet}!{cell.place}": cell.formula for cell in cells(data) if cell.formula}


def worked(example: dict[str, Any] | str) -> list[Cell]:
    return numbers_of(w.explain(example, lang="en").to_xlsx())


def test_the_steps_of_a_small_example() -> None:
    found = formulas(w.explain("kitten", lang="en").to_xlsx())
    assert found["steps!B9"] == "SUMPRODUCT('given'!B8:C8,'given'!B12:C12)"
    assert found["steps!B15"] == "B7/SQRT(2)"
    kinds = {re.sub(r"[A-Z]\d+", "x", formula) for formula in found.values()}
    assert {"EXP(x)", "SUM(x:x)", "x/x", "LN(x)", "SUM(MMULT(x:x,'given'!x:x))", "x"} <= kinds


@pytest.mark.parametrize("name", [*library.names(), *range(len(SHOWCASE))])
def test_every_worked_number_is_a_formula(name: str | int) -> None:
    trace = w.explain(name if isinstance(name, str) else tomllib.loads(SHOWCASE[name]), lang="en")
    found = numbers_of(trace.to_xlsx())
    given = [cell for cell in found if "given" in cell.sheet]
    assert all(cell.formula for cell in found if cell not in given)
    assert [cell.formula for cell in found if cell.formula and not GRAMMAR.fullmatch(cell.formula)] == []
    assert len(found) > len(given) > 0
    for cell in found:
        assert cell.value == repr(float(cell.value)) or float(cell.value) == int(float(cell.value)) or not cell.formula


def test_given_numbers_stay_exact() -> None:
    example = {
        "tokens": ["a", "b"],
        "inputs": {"Q": [["1/3", "sqrt(2)"], ["-2*sqrt(3)", "ln(2)"]], "K": [[0.5, 2], [-1, 0]], "V": [[1], [2]]},
    }
    given = [cell for cell in worked(example) if cell.sheet == "given"]
    assert [cell.formula for cell in given] == ["1/3", "SQRT(2)", "(-2)*SQRT(3)", "LN(2)", "", "", "", "", "", ""]
    assert [cell.format for cell in given[:5]] == ["?/?", "0.0000", "0.0000", "0.0000", "0.0"]


def test_a_masked_row_gives_what_is_declared() -> None:
    example = {
        "tokens": ["a", "b"],
        "inputs": {"Q": [[1], [2]], "K": [[1], [1]], "V": [[1], [2]]},
        "attention": {"mask": [[0, 0], [1, 1]], "softmax": "shifted"},
    }
    found = [cell.formula for cell in worked(example)]
    assert "minus_infinity" in found
    assert any(re.fullmatch(r"EXP\(IF\(B\d+<-1E\+290,minus_infinity,B\d+-B\d+\)\)", formula) for formula in found)
    assert any(re.fullmatch(r"IF\(B\d+=0,0,B\d+/B\d+\)", formula) for formula in found)
    assert any(re.fullmatch(r"B\d+\+IF\(B\d+>0,LN\(B\d+\),minus_infinity\)", formula) for formula in found)


def test_hand_mode_rounds_what_is_worked() -> None:
    found = numbers_of(w.explain("kitten", carry=2, lang="en").to_xlsx())
    steps = [cell.formula for cell in found if cell.sheet == "steps"]
    assert any(formula.startswith("ROUND(EXP(") and formula.endswith(",2)") for formula in steps)
    assert any(formula.startswith("ROUND(ROUND(SUMPRODUCT(") and formula.endswith(",10),2)") for formula in steps)
    assert all(formula.startswith("ROUND(") or re.fullmatch(r"[A-Z]\d+", formula) for formula in steps)


def test_a_single_array_holds_values_where_its_operands_are_elsewhere() -> None:
    found = numbers_of(w.explain("kitten").array("weight").to_xlsx())
    numbers = [float(number) for row in w.explain("kitten")["weight"].values() for number in row]
    assert [float(cell.value) for cell in found] == pytest.approx(numbers, rel=1e-15)
    assert not any(cell.formula for cell in found)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_word_is_a_formula(lang: str) -> None:
    data = w.explain(HOSTILE, lang=lang).to_xlsx()
    found = list(cells(data))
    texts = {cell.value: cell for cell in found if cell.kind == "s"}
    for word in WORDS:
        assert not texts[inert(word)].formula
        assert texts[inert(word)].quoted == word.startswith(("=", "+", "-", "@", "'"))
    assert all(GRAMMAR.fullmatch(cell.formula) for cell in found if cell.formula)
    with zipfile.ZipFile(BytesIO(data)) as book:
        assert not [name for name in book.namelist() if "external" in name or "vba" in name or "drawing" in name]
        sheets = [book.read(name).lower() for name in book.namelist() if "worksheets" in name]
        assert not any(b"hyperlink" in sheet for sheet in sheets)


def test_the_same_arrays_give_the_same_bytes() -> None:
    assert w.explain("causal").to_xlsx() == w.explain("causal").to_xlsx()


def test_a_number_beyond_all_floats_is_a_text() -> None:
    example = {"tokens": ["a"], "inputs": {"Q": [["1e300"]], "K": [["1e300"]], "V": [[1]]}}
    assert any(cell.kind == "s" and "×10⁶⁰⁰" in cell.value for cell in cells(w.explain(example).to_xlsx()))


@pytest.mark.parametrize(
    ("text", "value", "code"),
    [
        ("2", 2.0, "0"),
        ("−0.50", -0.5, "0.00"),
        ("1.234×10⁻⁵", 1.2344e-5, "0.000E+00"),
        ("2×10¹⁷", 2e17, "0E+00"),
        ("−7/3", -7 / 3, "?/?"),
        ("1/128", 1 / 128, "???/???"),
        ("−∞", -1e300, '[<-1E+290]"−∞";General'),
    ],
)
def test_a_number_is_shown_as_it_is_printed(text: str, value: float, code: str) -> None:
    assert number_format(text) == code
    assert shown(value, code) == text


# --- formulas ----------------------------------------------------------------------------------------------------

ACROSS = [Address(Name("across"), (0, n)) for n in range(4)]
DOWN = [Address(Name("down"), (n, 0)) for n in range(4)]
PLACES = {
    **{address: Place("one", 0, 1 + n) for n, address in enumerate(ACROSS)},
    **{address: Place("it's", 1 + n, 26) for n, address in enumerate(DOWN)},
}
A, D = [At(address) for address in ACROSS], [At(address) for address in DOWN]


@pytest.mark.parametrize(
    ("node", "wanted"),
    [
        (Add(*map(Mul, A, A)), "=SUMPRODUCT(B1:E1,B1:E1)"),
        (Add(*map(Mul, A, D)), "=SUM(MMULT(B1:E1,'it''s'!AA2:AA5))"),
        (Add(*map(Mul, D, A)), "=SUM(MMULT(B1:E1,'it''s'!AA2:AA5))"),
        (Add(*A), "=SUM(B1:E1)"),
        (Add(*A[:2]), "=B1+C1"),
        (Add(A[2], A[0], A[1]), "=D1+B1+C1"),
        (Add(*(Pow(Sub(cell, D[0]), Const(2)) for cell in A)), "=SUMPRODUCT((B1:E1-'it''s'!AA2)^2)"),
        (Add(*(Exp(Sub(a, d)) for a, d in zip(A, D, strict=True))), None),
        (Sub(A[0], Sub(A[1], A[2])), "=B1-(C1-D1)"),
        (Mul(A[0], Add(A[1], Const(Fraction(-1, 2)))), "=B1*(C1+-0.5)"),
        (Mul(Const(Fraction(-1, 3)), A[0]), "=(-1/3)*B1"),
        (Pow(Const(10000), Mul(A[0], A[1])), "=POWER(10000,B1*C1)"),
        (Larger(Larger(*A), D[0]), "=MAX(B1:E1,'it''s'!AA2)"),
        (absolute(A[0]), "=ABS(B1)"),
        (Mul(A[0], Sigmoid(A[0])), "=B1*(1/(1+EXP(-B1)))"),
        (Erf(A[0]), "=ERF(B1)"),
    ],
    ids=str,
)
def test_a_formula(node: Any, wanted: str | None) -> None:
    class Known(dict[Address, Any]):
        def __missing__(self, address: Address) -> Any:
            raise KeyError(address)

    trace = w.explain("kitten")
    (sample,) = [cell for cell in trace.arrays().cells() if str(cell.address) == "score[0,0]"]
    known = dict.fromkeys(PLACES, sample)
    written = Formulas(PLACES, known).formula(node, "one")
    assert written == wanted or (wanted is None and written.startswith("=EXP(") and written.count("EXP") == 4)


def test_what_no_spreadsheet_does_is_not_written() -> None:
    book = Formulas(PLACES, {})
    for node in (At(Address(Name("elsewhere"))), Round("bfloat16", Const(1)), Add(At(Address(Name("x"))), *A[:2])):
        with pytest.raises(NotWritten):
            book.formula(node, "one")

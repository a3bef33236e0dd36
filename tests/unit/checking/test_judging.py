"""The verdicts, rule by rule, on the two worked documents and on small computations of their own."""

from collections.abc import Iterable
from fractions import Fraction

import pytest

from tests.support.opening import open_trace
from workings.checking.judging import Judge, Judgement, Print
from workings.checking.verdicts import Verdict
from workings.steps.language import Add, Cell, Const, Expr, Mul
from workings.terms.address import Address, Name
from workings.terms.numbers import Rational, Value


def printed(text: str, *, approximate: bool = False) -> Print:
    percent, text = text.endswith("%"), text.rstrip("%")
    places = len(text.partition(".")[2])
    half = Fraction(1, 2 * 10**places) if places or percent or approximate else Fraction(0)
    scale = 100 if percent else 1
    return Print(Fraction(text) / scale, half / scale)


def judged(example: str, prints: Iterable[tuple[str, str]], *, lenient: bool = False) -> list[Judgement]:
    trace = open_trace(example)
    judge = Judge(trace.expansion.cell, trace.value, lenient)
    return [judge.judge(trace.cell(address), printed(text)) for address, text in prints]


def verdicts(example: str, prints: Iterable[tuple[str, str]]) -> list[str]:
    return [judgement.verdict.value for judgement in judged(example, prints)]


ROW = [("scaled[2,0]", "0.650"), ("scaled[2,1]", "0.134"), ("scaled[2,2]", "0.530")]
EXP = [("exp[2,0]", "1.916"), ("exp[2,1]", "1.143"), ("exp[2,2]", "1.699"), ("exp_sum[2]", "4.758")]
SHARES = [("weight[2,0]", "0.403"), ("weight[2,1]", "0.240"), ("weight[2,2]", "0.357")]


def test_the_kittens_row() -> None:
    found = verdicts("kitten", [*ROW, *EXP, *SHARES, ("output[2,0]", "4.387"), ("output[2,1]", "2.757")])
    assert found[:3] == ["truncated", "correctly_rounded", "correctly_rounded"]
    assert found[3:7] == ["consistent", "consistent", "correctly_rounded", "consistent"]
    assert found[7:] == ["correctly_rounded"] * 3 + ["consistent"] * 2


def test_a_wrong_row_is_wrong_and_nothing_else() -> None:
    rows = [("0.40", "0.21", "0.39"), ("0.24", "0.43", "0.33"), ("0.40", "0.24", "0.36")]
    prints = [(f"weight[{i},{j}]", text) for i, row in enumerate(rows) for j, text in enumerate(row)]
    assert verdicts("kitten", prints) == ["wrong"] * 6 + ["correctly_rounded"] * 3


def test_what_is_made_from_a_wrong_number_follows() -> None:
    prints = [("score[0,0]", "2"), ("scaled[0,0]", "1.414"), ("exp[0,0]", "4.11")]
    found = judged("kitten", prints)
    assert [judgement.verdict for judgement in found] == [Verdict.WRONG, Verdict.FOLLOWS, Verdict.FOLLOWS]
    assert [judgement.behind for judgement in found] == [False, True, True]


def test_a_wrong_number_behind_a_wrong_one_is_not_the_first() -> None:
    found = judged("kitten", [("score[0,0]", "2"), ("scaled[0,0]", "9.999")])
    assert found[1].verdict is Verdict.WRONG
    assert found[1].behind


def test_right_again_after_a_wrong_number() -> None:
    assert verdicts("kitten", [("score[0,0]", "2"), ("scaled[0,0]", "0.707")]) == ["wrong", "correctly_rounded"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("0.92", "exact"),
        ("0.9", "correctly_rounded"),
        ("92%", "exact"),
        ("0.91", "wrong"),
        ("1", "wrong"),
        ("90%", "wrong"),
    ],
)
def test_one_number(text: str, verdict: str) -> None:
    assert verdicts("kitten", [("score[2,0]", text)]) == [verdict]


def test_ties_are_taken_either_way() -> None:
    assert (
        verdicts("time-machine", [("weight[1,0]", "0.5"), ("output[1,1]", "4"), ("output[1,1]", "3.5")])[0] == "exact"
    )
    half = Address(Name("half"))
    for text in ("0.12", "0.13"):
        judgement = Judge(lambda at: None, lambda at: Rational(Fraction(1, 8))).judge(half, printed(text))
        assert judgement.verdict is Verdict.CORRECTLY_ROUNDED


def test_a_whole_number_behind_about_has_half_a_unit() -> None:
    trace = open_trace("kitten")
    judge = Judge(trace.expansion.cell, trace.value)
    assert judge.judge(trace.cell("exp[2,0]"), printed("2", approximate=True)).verdict is Verdict.CORRECTLY_ROUNDED
    assert judge.judge(trace.cell("exp[2,0]"), printed("2")).verdict is Verdict.WRONG


def test_a_cut_that_leaves_nothing_is_no_cut() -> None:
    assert verdicts("kitten", [("scaled[0,1]", "0.0")]) == ["wrong"]
    assert verdicts("kitten", [("scaled[0,1]", "0.07")]) == ["correctly_rounded"]
    assert verdicts("kitten", [("scaled[0,1]", "0.0707106")]) == ["truncated"]


class Chain:
    """a (given 1/3), b = 3a, c = a + b."""

    def formula(self, address: Address) -> Expr | None:
        a, b = Cell(Address(Name("a"))), Cell(Address(Name("b")))
        formulas: dict[str, Expr] = {"b": Mul(Const(3), a), "c": Add(a, b)}
        return formulas.get(address.array.name)

    def true(self, address: Address) -> Value:
        return Rational({"a": Fraction(1, 3), "b": Fraction(1), "c": Fraction(4, 3)}[address.array.name])

    def verdicts(self, *prints: tuple[str, str]) -> list[str]:
        judge = Judge(self.formula, self.true)
        return [judge.judge(Address(Name(name)), printed(text)).verdict.value for name, text in prints]


def test_carried_as_printed_or_unrounded() -> None:
    assert Chain().verdicts(("a", "0.3"), ("b", "0.9")) == ["correctly_rounded", "consistent"]
    assert Chain().verdicts(("a", "0.3"), ("b", "1")) == ["correctly_rounded", "exact"]
    assert Chain().verdicts(("a", "0.3"), ("b", "0.95")) == ["correctly_rounded", "consistent"]
    assert Chain().verdicts(("a", "0.3"), ("b", "0.8")) == ["correctly_rounded", "wrong"]


def test_an_exact_print_has_no_width() -> None:
    assert verdicts("kitten", [("score[2,0]", "0.92"), ("scaled[2,0]", "0.64")]) == ["exact", "wrong"]


def test_a_number_printed_later_changes_what_was_worked_out_before() -> None:
    assert Chain().verdicts(("c", "1.33"), ("a", "0.3"), ("c", "1.2")) == ["correctly_rounded"] * 2 + ["consistent"]


def test_lenient_gives_half_a_unit() -> None:
    prints = [("scaled[2,0]", "0.65"), ("exp[2,0]", "1.92"), ("exp[2,0]", "1.91")]
    strict = [judgement.verdict for judgement in judged("kitten", prints)]
    loose = [judgement.verdict for judgement in judged("kitten", prints, lenient=True)]
    assert strict[2] is Verdict.WRONG or strict[2] is Verdict.TRUNCATED
    assert loose[2] is Verdict.CONSISTENT


def test_a_softmax_is_taken_at_its_corners() -> None:
    prints = [("scaled[2,0]", "0.7"), ("weight[2,0]", "0.410"), ("weight[2,1]", "0.237"), ("weight[2,0]", "0.416")]
    assert verdicts("kitten", prints) == ["correctly_rounded", "consistent", "consistent", "wrong"]

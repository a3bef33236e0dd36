"""What the forms of our own documents are bound to: tables, the lines below them, steps of a kind, sentences."""

import pytest

from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.checking.sentences import share


def judged(text: str, name: str = "a.md") -> Report:
    paper = paper_from_text(text, name=name)
    return check(paper, statements(paper))


def said(text: str) -> list[str]:
    """The claims on a Markdown text, each as its number, its address and its verdict."""
    return [f"{claim.number.text} {claim.address} {claim.verdict.value}" for claim in judged(text).claims]


def table(name: str, rows: dict[str, str], columns: str, corner: str = "token") -> str:
    head = " | ".join(columns.split())
    lines = [f"| {label} | {' | '.join(row.split())} |" for label, row in rows.items()]
    rule = "| --- " * (len(columns.split()) + 1)
    return "\n".join([f"{name}:", "", f"| {corner} \\ axis | {head} |", f"{rule}|", *lines, "", ""])


GIVEN = "".join(table(name, {"cat": "1 0", "sat": "0 2"}, "0 1") for name in "QKV")
SCORES = table("S (score)", {"cat": "1 0", "sat": "0 4"}, "cat sat", "query")
NORM = "## Step 1: the mean (norm1_mean)\n\n0.5\n\n"


def test_counted_columns_give_inputs_and_tables_are_bound() -> None:
    assert said(GIVEN + SCORES) == [
        *("1 score[0,0] exact", "0 score[0,1] exact", "0 score[1,0] exact", "4 score[1,1] exact")
    ]
    assert said((GIVEN + SCORES).replace("0 | 4", "0 | 5"))[-1] == "5 score[1,1] wrong"


def test_a_document_of_other_steps_is_judged_by_its_own_equations() -> None:
    assert judged(NORM + GIVEN + SCORES).trace is None
    assert judged(GIVEN + SCORES + NORM).trace is None
    weights = table("A (weight)", {"cat": "0.7 0.3", "sat": "0.1 0.9"}, "cat sat", "query")
    assert judged(GIVEN + SCORES + weights + NORM).trace is not None  # a norm behind attention changes no weight
    assert judged(GIVEN + SCORES.replace("(score)", "(H0.score)")).trace is None
    assert judged(GIVEN + SCORES.replace("(score)", "(raw)")).trace is not None


LINES = "cat, cat: 1 × 1 = 1\n\ncat, sat: 1 × 0 = 0\n\nsat, sat: 3 + 1.5 = 4.5\n"
BELOW = NORM + table("E (exp)", {"cat": "1 0", "sat": "0 4.5"}, "cat sat", "query") + LINES


def test_a_table_is_judged_by_the_lines_below_it() -> None:
    assert said(BELOW) == ["1 None exact", "0 None exact", "4.5 None exact"] * 2
    assert said(BELOW.replace("0 | 4.5", "0 | 4.9")).count("4.9 None wrong") == 1
    assert said(BELOW.replace("1.5 = 4.5", "1.5 = 4.9")) == [
        *("1 None exact", "0 None exact", "4.5 None exact", "1 None exact", "0 None exact", "4.9 None wrong")
    ]
    left = [item.text for item in judged(BELOW).unread]
    assert "0" in left  # the cell that no line works out


def test_a_line_of_rounded_numbers_says_nothing_of_more_digits() -> None:
    rounded = NORM + table("A (raw)", {"cat": "0.4027 0.5"}, "cat sat", "query") + "cat, cat: 1.92 ÷ 4.76 ≈ 0.403\n"
    assert said(rounded) == ["0.403 None correctly_rounded"]


ROOTS = "".join(table(name, {"cat": "1", "sat": "2"}, "0") for name in "QV")
LOGS = ROOTS + table("K", {"cat": "2.1972", "sat": "0"}, "0")
POWERS = table("E (exp)", {"cat": "9 1", "sat": "81 1"}, "cat sat", "query")


def test_a_rounded_input_is_what_the_document_puts_in_for_it() -> None:
    assert said(LOGS + "cat, cat: 1 × ln(9) ≈ 2.1972\n\n" + POWERS)[1:] == [
        *("9 exp[0,0] exact", "1 exp[0,1] exact", "81 exp[1,0] exact", "1 exp[1,1] exact")
    ]
    assert said(LOGS + POWERS)[0] == "9 exp[0,0] wrong"


def test_a_context_is_looked_at() -> None:
    given = table("X", {"cat": "1 0", "sat": "0 1"}, "0 1") + table("C (context)", {"le": "2 1"}, "0 1")
    weights = "".join(table(f"W_{letter}", {"0": "1 0", "1": "0 1"}, "0 1") for letter in "QKV")
    scores = table("S (score)", {"cat": "2", "sat": "1"}, "le", "query")
    assert said(given + weights + scores)[-2:] == ["2 score[0,0] exact", "1 score[1,0] exact"]


ASIDES = [
    "Multiplying out X·W_Q would give (0, 2) for it, not (1, 2).\n\n",
    "## From printed Q, K and V\n\nHere sat gets (7, 8) in the end.\n\n",
    "# 从印好的 Q、K、V 算起\n\n会得到 (7, 8)，而不是 (7, 9)。\n\n",
]


@pytest.mark.parametrize("aside", ASIDES)
def test_what_a_sentence_mentions_is_no_input(aside: str) -> None:
    assert said(aside + GIVEN + SCORES)[-1] == "4 score[1,1] exact"


SHARES = [
    ("cat 最关注 cat：57.6 %；其次 sat 28.4 % 和 mat 14.0 %。", 1, "；其次 sat ", "cat 最关注 cat："),
    ("A looks most at B: 60 %; then C 30 % and D 10 %.", 2, " and D ", "A looks most at B: "),
]


@pytest.mark.parametrize(("text", "place", "before", "opening"), SHARES)
def test_a_semicolon_ends_no_sentence(text: str, place: int, before: str, opening: str) -> None:
    starts = [
        at for at, sign in enumerate(text) if sign.isdigit() and not (text[at - 1].isdigit() or text[at - 1] == ".")
    ]
    found = share(text, starts[place])
    assert found is not None
    assert (found.before.strip("；; "), found.opening) == (before.strip("；; "), opening)


LOOKS = [
    "cat looks most at sat: 73.1 %; then cat 26.9 %.",
    "cat 最关注 sat：73.1 %；其次 cat 26.9 %。",
    "cat took 26.9 % of its own value (cat) and 73.1 % of sat.",
    "cat 取了自己（cat）的 26.9 % 和 sat 的 73.1 %。",
]
HEADED = "softmax of the scores:\n\n"


@pytest.mark.parametrize("sentence", LOOKS)
def test_percentages_find_their_words_on_either_side(sentence: str) -> None:
    given = "".join(table(name, {"cat": "1", "sat": "0"}, "0") for name in "QV")
    given += table("K", {"cat": "0", "sat": "1"}, "0")
    claims = said(given + HEADED + sentence)
    assert [claim.split()[-1] for claim in claims] == ["correctly_rounded"] * 2
    swapped = sentence.replace("73.1", "x").replace("26.9", "73.1").replace("x", "26.9")
    assert [claim.split()[-1] for claim in said(given + HEADED + swapped)] == ["unsure"] * 2


HALVES = "".join(table(name, {"cat": "1 0", "sat": "0 0.7"}, "0 1") for name in "QKV")
WHOLE = table("S (score)", {"cat": "1 0", "sat": "0 0"}, "cat sat", "query")  # the last one is 0.49


@pytest.mark.parametrize(
    "sentence",
    [
        "Results are rounded to whole numbers.",
        "All numbers below are rounded to the nearest\ninteger.",
        "The values were rounded off to integers.",
        "结果四舍五入到整数。",
        "以下数值都保留整数。",
    ],
)
def test_whole_numbers_are_rounded_where_the_document_says_so(sentence: str) -> None:
    assert said(HALVES + sentence + "\n\n" + WHOLE)[-1] == "0 score[1,1] correctly_rounded"
    assert said(HALVES + sentence + "\n\n" + WHOLE.replace("0 | 0 |", "0 | 1 |"))[-1] == "1 score[1,1] wrong"


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "The percentages are rounded to whole numbers.",
        "Results are rounded to two decimals, not to whole numbers.",
        "权重四舍五入到两位小数，再写成整数百分比。",
    ],
)
def test_whole_numbers_are_exact_where_it_does_not(sentence: str) -> None:
    assert said(HALVES + sentence + "\n\n" + WHOLE)[-1] == "0 score[1,1] wrong"

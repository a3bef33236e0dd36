"""A filled-in sheet: how answers are found and read, and which slip is named for wrong ones."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

import workings as w
from tests.support.sheets import filled, marked, verdicts
from tools.gallery import CROSS, EVEN, HEADS, MADE, NORMED, SIX, SLOPES, THREE, TWO, WIDE
from workings.api.opening import open_example
from workings.api.worksheet import Worksheet
from workings.checking.causes.cause import Cause
from workings.checking.causes.online import BLOCKS, SLIPS
from workings.checking.causes.registry import BY_ID, CAUSES
from workings.checking.divisor import given_cells
from workings.exact.run import Exact
from workings.render.words import LANGUAGES
from workings.steps.recipe import Recipe
from workings.terms.address import Address
from workings.terms.digits import show
from workings.terms.errors import WorkingsError, WorksheetMark

OWN = {
    "projections": MADE,
    "two heads": HEADS,
    "equal": EVEN,
    "three": THREE,
    "softcap": f"{TWO}[attention]\nsoftcap = 2\n",
    "softcap, causal": f'{THREE}[attention]\nmask = "causal"\nsoftcap = 2\n',
    "top-left": f'{CROSS}[attention]\nmask = "causal-top-left"\n',
    "padding": f"{THREE}[attention]\nmask = [[1, 1, 0], [1, 1, 0], [1, 1, 0]]\n",
    "packing": f"{THREE}[attention]\nmask = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]\n",
    "empty row": f"{THREE}[attention]\nmask = [[0, 0, 0], [1, 1, 0], [1, 1, 1]]\n",
    "halves": f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "half", base = 100}}\n',
    "pairs": f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "interleaved", base = 100}}\n',
    "later": f'{WIDE}[attention]\nposition = "rope"\nrope = {{pairs = "half", position = [1, 2]}}\n',
    "in part": f"{SIX}[attention]\nrope = {{base = 100, rotary_dim = 4}}\n",
    "slopes": SLOPES,
    "normed": f'{NORMED}[attention]\nqk_norm = "rms"\nrope = {{base = 100}}\n',
    "biased": f"{MADE}b_Q = [0.5, 1]\n",
    "shifted": f'{TWO}[attention]\nsoftmax = "shifted"\n',
    "one by one": f'{THREE}[attention]\nsoftmax = "online"\nblock_size = 1\n',
    "sink by blocks": f'{THREE}[attention]\nsink = ["1/2"]\nsoftmax = "online"\nblock_size = 2\n',
}
# Slip -> the example in which somebody makes it (a built-in one, or one of those above), and the step that shows it.
SHOWN_IN = {
    "scale:missing": ("kitten", "scaled"),
    "scale:d_k": ("kitten", "scaled"),
    "scale:sqrt-d_model": ("time-machine-true", "scaled"),
    "scale:twice": ("kitten", "scaled"),
    "scale:multiplied": ("kitten", "scaled"),
    "scale:folded": ("kitten", "score"),
    "declared-constant": ("kitten", "scaled"),
    "k-untransposed": ("projections", "score"),
    "score-transposed": ("kitten", "score"),
    "w-transposed": ("causal", "score"),
    "projection-bias": ("biased", "Q"),
    "strides": ("kitten", "head_output"),
    "kv-offset": ("kitten", "score"),
    "softcap-order:after-mask": ("softcap, causal", "exp_sum"),
    "softcap-order:missing": ("softcap", "capped"),
    "softcap-order:before-scale": ("softcap", "capped"),
    "gqa-order:tiled": ("grouped-heads", "H1.scaled"),
    "gqa-order:summed-queries": ("grouped-heads", "H0.scaled"),
    "gqa-order:repeated-tokens": ("grouped-heads", "H0.scaled"),
    "head-split": ("two-heads", "H0.score"),
    "block-mask": ("kitten", "score"),
    "mask-polarity": ("causal", "exp"),
    "causal-alignment:top-left": ("kv-cache", "exp"),
    "causal-alignment:bottom-right": ("top-left", "exp_sum"),
    "causal-alignment:shifted": ("causal", "exp_sum"),
    "sliding-window:one-more": ("sliding-window", "exp_sum"),
    "sliding-window:one-less": ("sliding-window", "exp"),
    "sliding-window:ignored": ("sliding-window", "exp_sum"),
    "output-attentions": ("causal", "exp_sum"),
    "padding-leak": ("padding", "exp_sum"),
    "packing": ("packing", "exp_sum"),
    "mask-after-softmax": ("causal", "head_output"),
    "mask-additive-1": ("causal", "exp_sum"),
    "mask-value:-1": ("causal", "exp_sum"),
    "mask-value:-5": ("causal", "exp_sum"),
    "mask-value:-10": ("causal", "exp_sum"),
    "mask-value:-20": ("causal", "weight"),
    "mask-value:-50": ("causal", "weight"),
    "mask-value:-100": ("causal", "weight"),
    "mask-value:-1000": ("empty row", "head_output"),
    "mask-value:-10000": ("empty row", "head_output"),
    "mask-value:-65504": ("empty row", "head_output"),
    "mask-value:-100000": ("empty row", "head_output"),
    "fully-masked-row:uniform": ("empty row", "head_output"),
    "softmax-axis": ("kitten", "weight"),
    "softmax-base-2": ("kitten", "exp"),
    "softmax-overflow": ("kitten", "weight"),
    "exp-missing": ("kitten", "weight"),
    "weights-semantics:mean-of-heads": ("two-heads", "H0.weight"),
    "weights-semantics:logits": ("kitten", "weight"),
    "attention-sink:ignored": ("attention-sink", "exp_sum"),
    "attention-sink:twice": ("attention-sink", "exp_sum"),
    "softmax-sum": ("kitten", "weight"),
    "lse-base:2": ("kitten", "lse"),
    "lse-maximum": ("shifted", "lse"),
    "online-rescale:output": ("one by one", "running_output2"),
    "online-rescale:sum": ("one by one", "running_sum2"),
    "online-rescale:both": ("one by one", "head_output"),
    "online-rescale:output-1": ("shifted", "weight"),
    "online-rescale:sum-1": ("shifted", "weight"),
    "online-rescale:both-1": ("shifted", "weight"),
    "fp16-overflow": ("kitten", "score"),
    "softmax-dtype:bfloat16-logits": ("kitten", "scaled"),
    "softmax-dtype:bfloat16-weights": ("kitten", "weight"),
    "softmax-dtype:bfloat16": ("kitten", "exp"),
    "softmax-dtype:bfloat16-output": ("kitten", "head_output"),
    "batch-dependence:bfloat16": ("kitten", "score"),
    "softmax-dtype:float16-logits": ("kitten", "scaled"),
    "softmax-dtype:float16-weights": ("kitten", "weight"),
    "softmax-dtype:float16": ("kitten", "exp"),
    "softmax-dtype:float16-output": ("kitten", "head_output"),
    "batch-dependence:float16": ("kitten", "score"),
    "rope-pairing:half": ("pairs", "Q"),
    "rope-pairing:interleaved": ("halves", "Q"),
    "rope-pairing:base-10000": ("halves", "angle"),
    "rope-pairing:base-100000": ("halves", "angle"),
    "rope-pairing:base-500000": ("halves", "angle"),
    "rope-pairing:base-1000000": ("halves", "angle"),
    "rope-pairing:base-5000000": ("halves", "angle"),
    "rope-pairing:base-10000000": ("halves", "angle"),
    "rope-pairing:missing": ("rotary-position", "Q"),
    "rope-pairing:part": ("halves", "Q"),
    "rope-pairing:all": ("in part", "Q"),
    "rope-pairing:speeds": ("in part", "angle"),
    "qk-norm:order": ("normed", "Q"),
    "left-padding": ("later", "angle"),
    "left-padding:shifted": ("rotary-position", "angle"),
    "alibi:one-sequence": ("slopes", "alibi_slope"),
    "alibi:ignored": ("slopes", "H0.masked"),
}
# Slips seen in the answers of a whole row: what somebody writes into the weights of an example.
Rows = list[list[str]]
ROWS: dict[str, tuple[str, Callable[[Rows], Rows]]] = {
    "rows-swapped": ("three", lambda rows: [rows[1], rows[0], rows[2]]),
    "row-copied": ("three", lambda rows: [rows[0], rows[0], rows[2]]),
    "row-adjusted": ("equal", lambda rows: [["0.3334", *rows[0][1:]], *rows[1:]]),
    "dropout-weights": ("three", lambda rows: [[f"{2 * float(rows[0][0]):.4f}", "0", "0"], *rows[1:]]),
}
TOO_SMALL = "what is left of e to so large a negative number shows in no digits"
CANNOT = {
    "truncated": "a verdict of its own",
    "dropout-eval": "needs the terms of a sum, key by key, which no sheet asks for",
    "mask-value:-1000000": TOO_SMALL,
    "mask-value:-1000000000": TOO_SMALL,
    "mask-value:-10000000000": TOO_SMALL,
    "mask-value:-2147483648": TOO_SMALL,
    "mask-value:sum-overflow": "gives infinities, which nobody writes",
    "mask-value:product": "gives what is no number, which nobody writes",
    "fully-masked-row:nan": "gives what is no number, which nobody writes",
    "fully-masked-row:zero": "is the convention of the sheet",
    "fully-masked-row:clamped": TOO_SMALL,
    "lse-base:e": "an example has the natural logarithm",
    "zero-length": "an example has at least one key",
    "online-softmax": "gives what is no number, which nobody writes",
    "nan-times-zero": "gives what is no number, which nobody writes",
    **{
        f"online-rescale:{slip.id}-{size}": "blocks of a kernel, which no short example has"
        for slip in SLIPS
        for size in BLOCKS[1:]
    },
}


def source(name: str) -> Any:
    return tomllib.loads(OWN[name]) if name in OWN else name


def whole(name: str, step: str) -> Worksheet:
    """A sheet whose step is blank wherever it can be."""
    with pytest.raises(WorkingsError) as caught:
        w.worksheet(source(name), blanks=10**6, steps=[step])
    (choice,) = caught.value.values["choices"]
    return w.worksheet(source(name), blanks=int(choice.rpartition(" ")[2]), steps=[step], lang="en")


def slipped(recipe: Recipe, name: str, sheet: Worksheet) -> Mapping[str, str] | None:
    """The answers that an altered recipe gives; None where one has no digits or nothing is changed."""
    trace = open_example(source(name))[1]
    engine = Exact(recipe, given_cells(trace))
    try:
        cells: dict[str, Address] = {address: trace.cell(address) for address in sheet.answers}
        values = {address: engine.value(cell.array, cell.index) for address, cell in cells.items()}
    except WorkingsError:
        return None
    answers = {address: show(value).text for address, value in values.items() if not value.infinite}
    return answers if any(answers[address] != sheet.answers[address] for address in answers) else None


def test_every_slip_is_in_one_of_the_tables() -> None:
    tables = [SHOWN_IN.keys(), ROWS.keys(), CANNOT.keys()]
    assert sorted(cause for table in tables for cause in table) == sorted(BY_ID)


@pytest.mark.parametrize("cause", [cause for cause in CAUSES if cause.id in SHOWN_IN], ids=lambda cause: cause.id)
def test_a_slip_is_named(cause: Cause) -> None:
    name, step = SHOWN_IN[cause.id]
    sheet = whole(name, step)
    recipe = open_example(source(name))[1].recipe
    given = [answers for altered in cause.recipes(recipe) if (answers := slipped(altered, name, sheet)) is not None]
    named = [claim.causes for answers in given for claim in marked(filled(sheet, answers)).claims]
    assert any(cause.id in causes for causes in named)


ONLINE = ("softmax-axis", "softmax-base-2", "exp-missing", "weights-semantics:logits", "softmax-dtype:bfloat16-logits")


@pytest.mark.parametrize("cause", ONLINE)
def test_a_slip_is_named_in_a_softmax_by_blocks(cause: str) -> None:
    sheet = whole("online-softmax", "weight")
    given = (
        slipped(each, "online-softmax", sheet)
        for each in BY_ID[cause].recipes(open_example("online-softmax")[1].recipe)
    )
    named = [claim.causes for answers in given if answers for claim in marked(filled(sheet, answers)).claims]
    assert any(cause in causes for causes in named)


@pytest.mark.parametrize(
    ("cause", "step"), [("ignored", "running_sum1"), ("twice", "running_sum1"), ("ignored", "weight")]
)
def test_a_slip_of_the_sink_is_named_in_a_softmax_by_blocks(cause: str, step: str) -> None:
    name, slip = "sink by blocks", f"attention-sink:{cause}"
    sheet = whole(name, step)
    given = (slipped(each, name, sheet) for each in BY_ID[slip].recipes(open_example(source(name))[1].recipe))
    named = [claim.causes for answers in given if answers for claim in marked(filled(sheet, answers)).claims]
    assert any(slip in causes for causes in named)


@pytest.mark.parametrize("name", ["kitten", "causal", "two-heads", "layer-norm", "online-softmax", "learn-one-step"])
def test_whole_numbers_are_right_answers_of_a_sheet_that_asks_for_them(name: str) -> None:
    for lang in LANGUAGES:
        sheet = w.worksheet(name, precision=0, lang=lang)
        answers = {address: text for address, text in sheet.answers.items() if "." not in text}
        assert len(answers) == len(sheet.answers)
        assert set(verdicts(marked(filled(sheet, answers))).values()) <= {"exact", "correctly_rounded"}
        off = {address: str(int(text.replace("−", "-")) + 2) for address, text in answers.items()}
        assert "wrong" in verdicts(marked(filled(sheet, off))).values()


@pytest.mark.parametrize("cause", ROWS)
def test_a_slip_of_whole_rows_is_named(cause: str) -> None:
    name, slip = ROWS[cause]
    sheet = whole(name, "weight")
    rows = [[sheet.answers[f"weight[{i},{j}]"] for j in range(3)] for i in range(3)]
    answers = {f"weight[{i},{j}]": text for i, row in enumerate(slip(rows)) for j, text in enumerate(row)}
    report = marked(filled(sheet, answers))
    assert any(cause in claim.causes for claim in report.claims)


# --- how answers are written ----------------------------------------------------------------------------------------


@cache
def kitten() -> Worksheet:
    return w.worksheet("kitten", blanks=6, steps=["scaled"], lang="en")


WAYS = [
    *("0.7071", "0.71", "≈ 0.7071", "= 0.7071", "1/√2", "√2/2", "sqrt(2)/2", "\\frac{1}{\\sqrt{2}}", "$0.7071$"),
    *("70.71%", "70.71 %", "０．７０７１", "7.071×10⁻¹", "1 ÷ √2 ≈ 0.7071", "__0.7071__", "0.707…"),
    *("0.7071.", "1/√2。", "70.71 %.", "**0.7071**", "`0.7071`", "0.707..."),
]


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_may_be_written_in_many_ways(way: str) -> None:
    address = next(address for address, answer in kitten().answers.items() if answer == "0.7071")
    assert set(verdicts(marked(filled(kitten(), {address: way}))).values()) <= {"exact", "correctly_rounded"}


@pytest.mark.parametrize(("way", "verdict"), [("0.70", "truncated"), ("0.5", "wrong"), ("-0.7071", "wrong")])
def test_other_answers_are_not_right(way: str, verdict: str) -> None:
    address = next(address for address, answer in kitten().answers.items() if answer == "0.7071")
    assert verdicts(marked(filled(kitten(), {address: way}))) == {address: verdict}


def test_what_is_no_number_is_said_so_and_the_rest_is_empty() -> None:
    first, second, *others = kitten().answers
    report = marked(filled(kitten(), {first: "no idea", second: "0,5"}))
    assert [(item.text, item.why) for item in report._judged.unread] == [("no idea", "no-number"), ("0,5", "no-number")]
    assert report.data()["empty"] == [number for number, address in kitten().numbers.items() if address in others]
    assert report.claims == []


def test_two_answers_for_one_blank_are_not_chosen_between() -> None:
    first = next(iter(kitten().answers))
    text = filled(kitten(), {first: "0.5"})
    report = marked(f"{text.partition('<!-- workings: key')[0]}\n(1) 0.7\n")
    assert {item.why for item in report._judged.unread} == {"answered-twice"}


def test_an_example_of_ones_own_goes_with_its_sheet() -> None:
    data = tomllib.loads(f'{THREE}[attention]\nmask = "causal"\n[claims]\nlse = ["0.5", "", ""]\n')
    sheet = w.worksheet(data, blanks=5, lang="zh")
    report = marked(filled(sheet, sheet.answers))
    assert verdicts(report).keys() == sheet.answers.keys()
    assert report.counts["wrong"] == 0


def test_a_word_like_a_blank_is_not_taken_for_one() -> None:
    data = {
        "tokens": ["(1)", "（2） 7"],
        "inputs": {"Q": [[1, 0.5], [0, 1]], "K": [[1, 2], [3, 1]], "V": [[1, 0], [0, 1]]},
    }
    for target in ("md", "text"):
        sheet = w.worksheet(data, blanks=9, lang="en")
        assert min(sheet.numbers) == 3
        assert set(verdicts(marked(filled(sheet, sheet.answers, target), target))) == set(sheet.answers)
        assert marked(filled(sheet, {}, target), target).claims == []


MARKS = [
    ("kitten seed", "kittn seed"),
    ("seed=1", "seed=one"),
    ("1=scaled", "1=scald"),
    ("1=scaled", "2=scaled"),
    ("workings: blanks", "workings: blank"),
]


@pytest.mark.parametrize(("before", "after"), MARKS)
def test_marks_that_were_changed_are_refused(before: str, after: str) -> None:
    text = filled(kitten(), {})
    assert before in text
    with pytest.raises(WorksheetMark):
        marked(text.replace(before, after))


def test_a_damaged_example_is_refused() -> None:
    sheet = w.worksheet(tomllib.loads(THREE), blanks=2, lang="en")
    text = filled(sheet, {})
    for damage in ("workings: example AAAA", "workings: example eJ", "workings: example %%"):
        with pytest.raises(WorksheetMark):
            marked(text.replace("workings: example", damage))

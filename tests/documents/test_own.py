"""The checker against our own documents: nothing is called wrong, no less is read, an altered digit is found."""

import random
from typing import Any

import pytest

import workings as w
from tests.documents.own import BAD, LANGUAGES, TARGETS, Read, judged, known, read, text
from workings.checking.claims import Claim, Report
from workings.checking.verdicts import Verdict
from workings.examples import library

LONG = "encoder-six"  # thousands of numbers: each target in one language
SHORT = [name for name in library.names() if name != LONG]
DOCUMENTS = [
    (example, lang, target)
    for example in library.names()
    for at, target in enumerate(TARGETS)
    for lang in ([LANGUAGES[at % 2]] if example == LONG else LANGUAGES)
]
VIEWS: list[dict[str, Any]] = [
    {"precision": 0},
    {"precision": 1},
    {"precision": 2},
    {"precision": 3},
    {"carry": 2},
    {"carry": 3},
]
VIEWED = [  # each view of each example by one target in one language, all of them in turn
    (example, view, LANGUAGES[(at + step) % 2], list(TARGETS)[(at + step // 2) % len(TARGETS)])
    for at, example in enumerate(library.names())
    for step, view in enumerate(VIEWS)
]
SPOKEN = (Verdict.UNSURE, Verdict.WRONG, Verdict.FOLLOWS, Verdict.TRUNCATED)
MOST_ROUNDED = 20
MOST_OF = 0.8  # of the numbers that are read with the usual digits
FOUND = (Verdict.WRONG, Verdict.FOLLOWS)


@pytest.mark.parametrize(("example", "lang", "target"), DOCUMENTS)
def test_nothing_is_wrong_and_no_less_is_read(example: str, lang: str, target: str) -> None:
    report = judged(text(example, lang, target), target)
    assert _bad(report) == []
    before, now = known()[example, lang][target], read(report)
    assert now.claims >= before.claims, "python -m tests.documents.own --write, and look"
    assert now.bound >= before.bound


@pytest.mark.parametrize(("example", "view", "lang", "target"), VIEWED)
def test_nothing_is_wrong_with_the_digits_asked_for(example: str, view: dict[str, Any], lang: str, target: str) -> None:
    show = "auto" if example == LONG else "all"
    report = judged(text(example, lang, target, show, **view), target)
    assert _bad(report) == []
    assert len(report.claims) > MOST_OF * known()[example, lang][target].claims or example == LONG


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("example", SHORT)
def test_whole_numbers_are_read_as_rounded_where_a_page_says_so(example: str, lang: str, target: str) -> None:
    report = judged(text(example, lang, target, precision=0), target)
    assert _bad(report) == []
    if known()[example, lang][target].bound:
        assert report.counts[Verdict.CORRECTLY_ROUNDED] > MOST_ROUNDED


@pytest.mark.parametrize("word", ["No mask is needed.", "没有用掩码。"])
def test_weights_that_are_rounded_to_0_show_no_mask(word: str) -> None:
    for lang in LANGUAGES:
        assert _bad(judged(f"{text('kitten', lang, 'md', precision=0)}\n\n{word}\n", "md")) == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_slip_among_rounded_whole_numbers_is_found(lang: str, target: str) -> None:
    source = text("kitten", lang, target, precision=0)
    for name in ("score", "scaled", "exp", "weight", "head_output"):
        claims = [c for c in judged(source, target).claims if c.address is not None and not c.expression]
        start, stop = next(c.number.span[:2] for c in claims if c.address is not None and c.address.array.name == name)
        report = judged(f"{source[:start]}9{source[stop:]}", target)
        assert [str(c.address) for c in report.claims if c.verdict is Verdict.WRONG] == [f"{name}[0,0]"]


NEAR = [["0.43", "0.41"], ["0.4", "0.4"], ["0.7", "-1.2"], ["-0.7", "-0.4"]]  # 0.4 is what 0.43 is rounded to


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("tokens", ["a b c d", "t0 t1 t10 t11", "it it cat cat"])
def test_words_with_numbers_and_numbers_that_others_round_to(tokens: str, target: str) -> None:
    """A line is about the cell that its label names, and "t0 took 80 % of t1. t2 before …" says nothing of t1."""
    example = {"tokens": tokens.split(), "inputs": dict.fromkeys("QKV", NEAR)}
    for lang in LANGUAGES:
        for precision in ("auto", 0, 2):
            told = w.explain(example, lang=lang).explain(show="all", precision=precision)
            report = judged(str(told.draw(target)), target)
            assert _bad(report) == []
            assert report.counts[Verdict.CORRECTLY_ROUNDED] > MOST_ROUNDED


ROOTS: dict[str, Any] = {
    "tokens": ["a", "b", "c"],
    "inputs": {
        "Q": [["ln(3)", "sqrt(2)"], ["1", "0"], ["1/3", "2"]],
        "K": [["-sqrt(3)", "1"], ["0", "ln(2)/3"], ["1", "2*ln(1/2)"]],
        "V": [["sqrt(5)", "1"], ["1.23456789e-5", "10"], ["ln(7)", "3"]],
    },
}

ONE = [["1", "0.3"], ["0", "1"]]
BLOCK: dict[str, Any] = {
    "tokens": ["a", "b", "c"],
    "inputs": {"X": ROOTS["inputs"]["Q"], "W_Q": ONE, "W_K": ONE, "W_V": ONE},
    "block": {"residual": True, "norm": "post-layer"},
}


@pytest.mark.parametrize("example", [ROOTS, BLOCK], ids=["alone", "block"])
@pytest.mark.parametrize("show", ["cell", "all"])
@pytest.mark.parametrize("view", [{}, {"precision": "exact"}, *VIEWS], ids=str)
def test_given_numbers_without_end_are_declared(view: dict[str, Any], show: str, example: dict[str, Any]) -> None:
    for lang, target in zip((*LANGUAGES, *LANGUAGES), TARGETS, strict=True):
        report = judged(str(w.explain(example, lang=lang).explain(show=show, **view).draw(target)), target)
        assert _bad(report) == []
        assert report.counts[Verdict.CORRECTLY_ROUNDED] > MOST_ROUNDED


@pytest.mark.parametrize("target", TARGETS)
def test_hand_mode_with_the_maximum_subtracted(target: str) -> None:
    """Rounded exponentials of many words: their sum is far from the true one, and the weights follow those printed."""
    inputs = {"X": {"seed": 3}, "W_Q": {"seed": 1}, "W_K": {"seed": 2}, "W_V": {"seed": 4}}
    attention = {"d_model": 8, "d_k": 8, "d_v": 2, "softmax": "shifted"}
    example = {"tokens": [f"t{place}" for place in range(16)], "inputs": inputs, "attention": attention}
    report = judged(str(w.explain(example, lang="en", carry=2).explain(show="cell").draw(target)), target)
    assert _bad(report) == []
    bound = {claim.address.array.name for claim in report.claims if claim.address is not None}
    assert {"row_max", "exp_shifted", "exp_shifted_sum", "weight"} <= bound
    assert report.counts[Verdict.CONSISTENT] > MOST_ROUNDED


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("words", ["x + y", "Q K V"])
def test_words_may_have_the_names_of_arrays(words: str, target: str) -> None:
    inputs = {"Q": [[1, 0], [0, 2], [1, 1]], "K": [[1, -1], [0, 1], [1, 1]], "V": [[0.5, 2], [3, 0.25], [10, 7]]}
    for lang in LANGUAGES:
        told = w.explain({"tokens": words.split(), "inputs": inputs}, lang=lang).explain(show="all")
        report = judged(str(told.draw(target)), target)
        assert _bad(report) == []
        assert report.counts[Verdict.CORRECTLY_ROUNDED] > MOST_ROUNDED


def test_a_weight_that_is_next_to_nothing_is_read_in_every_target() -> None:
    inputs = {"Q": [[1, 0], [0, 6]], "K": [[8, -9], [0, 1]], "V": [[0.001, 2], [3, 0.004]]}
    for target in TARGETS:
        told = w.explain({"tokens": ["cat", "sat"], "inputs": inputs}, lang="en").explain(show="all")
        report = judged(str(told.draw(target)), target)
        assert _bad(report) == []


def test_a_given_number_without_end_is_said_to_be_one() -> None:
    text = w.explain(ROOTS, precision=2, lang="en").to_text()
    for line in ("ln(3) ≈ 1.0986", "(1/3) × ln(2) ≈ 0.2310", "2 × ln(0.5) ≈ −1.3863"):
        assert text.count(f"\n  {line}\n") == 1
    assert judged(text.replace("ln(3) ≈ 1.0986", "ln(3) ≈ 1.0987"), "text").first_wrong is not None


def test_every_target_is_read_alike() -> None:
    for counts in known().values():
        most = max(count.claims for count in counts.values())
        assert all(count.claims > 0.95 * most for count in counts.values())


def test_the_table_has_every_example() -> None:
    assert set(known()) == {(example, lang) for example in library.names() for lang in LANGUAGES}
    assert all(isinstance(count, Read) for counts in known().values() for count in counts.values())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("example", SHORT)
def test_an_altered_digit_is_found(example: str, target: str) -> None:
    chance = random.Random(f"{example} {target}")
    lang = chance.choice(LANGUAGES)
    source = text(example, lang, target)
    worked = [claim for claim in judged(source, target).claims if claim.expression and "." in claim.number.text]
    claim = chance.choice(worked)
    altered, told = _altered(source, claim, chance), f"{lang} {claim.place} {claim.number.text} {claim.expression}"
    report = judged(altered, target)
    assert any(other.verdict in FOUND for other in report.claims), told
    here = [other for other in report.claims if other.number.span.start == claim.number.span.start]
    assert all(other.verdict in SPOKEN for other in here), told


def _bad(report: Report) -> list[tuple[object, str, str]]:
    return [
        (claim.place, claim.number.text, str(claim.address)) for claim in report.claims if claim.verdict.value in BAD
    ]


def _altered(source: str, claim: Claim, chance: random.Random) -> str:
    """The text with the first decimal of a number changed."""
    start, stop = claim.number.span[:2]
    at = source.index(".", start, stop) + 1
    digit = chance.choice([other for other in "0123456789" if other != source[at]])
    return source[:at] + digit + source[at + 1 :]

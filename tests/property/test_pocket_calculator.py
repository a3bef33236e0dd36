"""Whoever takes a pocket calculator to a printed line gets what the line says."""

import re
from typing import Any

import pytest

import workings as w
from tests.support.calculator import holds
from workings.examples import library

LANGUAGES = ("en", "zh")
VIEWS: tuple[dict[str, Any], ...] = (
    {"precision": 0},
    {"precision": 1},
    {"precision": 2},
    {"precision": 3},
    {"carry": 1},
    {"carry": 2},
)
LABEL = re.compile(r"^  (.*?)(?:: |：)(?=[^:：]*$)")
NUMBER = re.compile(r"−?\d+(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")


def arithmetic(text: str) -> list[str]:
    """The printed lines of arithmetic: indented, with a relation, and no symbols of a general formula."""
    lines = [line for line in text.splitlines() if line.startswith("  ") and re.search("[=≈] ", line)]
    chains = [LABEL.sub("", line).strip() for line in lines]
    return [chain for chain in chains if not re.search(r"\[|Σ|[a-df-z]_|max_", chain) and re.search(r"\d|∞", chain)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("show", ["auto", "all"])
@pytest.mark.parametrize("name", library.names())
def test_every_line_holds(name: str, show: str, lang: str) -> None:
    chains = arithmetic(w.explain(name).explain(show=show, lang=lang).to_text())
    assert len(chains) >= 5
    wrong = [chain for chain in chains if not holds(chain)]
    assert wrong == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_exact_formulas_hold(name: str, lang: str) -> None:
    chains = arithmetic(w.explain(name).explain(precision="exact", lang=lang).to_text())
    assert [chain for chain in chains if not holds(chain)] == []


@pytest.mark.parametrize("at", range(len(VIEWS)))
@pytest.mark.parametrize("name", library.names())
def test_every_line_holds_with_the_digits_asked_for(name: str, at: int) -> None:
    lang = LANGUAGES[at % 2]
    chains = arithmetic(w.explain(name, lang=lang, **VIEWS[at]).to_text())
    assert len(chains) >= 5
    assert [chain for chain in chains if not holds(chain)] == []


def test_a_wrong_line_is_seen() -> None:
    assert not holds("0.9 × 1.0 + 0.1 × 0.2 = 0.93")
    assert not holds("e^0.6505 ≈ 1.9166")
    assert holds("e^0.65054 ≈ 1.9166")


@pytest.mark.parametrize("places", [2, 3, 6])
def test_fixed_decimals_are_the_true_value_rounded(places: int) -> None:
    exact = w.explain("kitten")
    told = exact.explain(precision=places).to_text()
    weight = exact["weight[2,0]"].digits(places)
    assert weight in told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", library.names())
def test_markdown_shows_the_same_numbers_in_the_same_order(name: str, lang: str) -> None:
    told = w.explain(name).explain(lang=lang)
    shown = told.to_markdown().replace("\\", "")
    assert NUMBER.findall(told.to_text()) == NUMBER.findall(shown)


@pytest.mark.parametrize("scale", ["1e15", "123456789012345678901", "1e40"])
def test_lines_with_large_numbers_hold(scale: str) -> None:
    rows = [["1.5", scale], ["2", "-1/3"], ["0.1", "-7"]]
    one = [["1", "0.3"], ["0", "1"]]
    inputs = {"X": rows, "W_Q": one, "W_K": one, "W_V": one}
    chains = arithmetic(
        w.explain({"tokens": ["a", "b", "c"], "inputs": inputs, "block": {"residual": True}})
        .explain(show="all", lang="en")
        .to_text()
    )
    assert any("×10¹" in chain or "×10²" in chain or "×10⁴" in chain for chain in chains)
    assert [chain for chain in chains if not holds(chain)] == []


SEEDS: dict[str, Any] = {
    "tokens": [f"t{i}" for i in range(64)],
    "inputs": {"X": {"seed": 3}, "W_Q": {"seed": 1}, "W_K": {"seed": 2}, "W_V": {"seed": 4}},
    "attention": {"d_model": 8, "d_k": 8, "d_v": 2},
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("softmax", ["plain", "shifted"])
def test_long_lines_hold_with_their_smaller_terms_as_one_number(softmax: str, lang: str) -> None:
    data = {**SEEDS, "attention": {**SEEDS["attention"], "softmax": softmax}}
    text = w.explain(data).explain(lang=lang).to_text()
    chains = arithmetic(text)
    assert [chain for chain in chains if not holds(chain)] == []
    assert max(chain.count(" + ") for chain in chains) == 8
    said = {"en": "the last number stands for 56 more", "zh": "最后一个数代表其余 56 项"}[lang]
    lines = 3 if softmax == "shifted" else 2  # the sum of the exponentials, the mixed values, the maximum
    assert len([line for line in text.splitlines() if said in line]) == lines


def test_all_terms_stand_where_all_is_asked_for() -> None:
    data = {**SEEDS, "tokens": SEEDS["tokens"][:17]}
    short = arithmetic(w.explain(data).explain(show="row", lang="en").to_text())
    long = arithmetic(w.explain(data).explain(show="all", lang="en").to_text())
    assert [chain for chain in [*short, *long] if not holds(chain)] == []
    assert max(chain.count(" + ") for chain in short) == 8
    assert max(chain.count(" + ") for chain in long) == 16

"""Rotary position of some dimensions alone: worked by hand, in both pairings, and what is said of its cases."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import workings as w
from workings.render.words import LANGUAGES, Words
from workings.terms.errors import BadRotaryDim

FIVE: list[list[int]] = [[int(row == column) for column in range(5)] for row in range(5)]
INPUTS = {"X": [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], "W_Q": FIVE, "W_K": FIVE, "W_V": FIVE}
PAIRS = {"half": ((0, 2), (1, 3)), "interleaved": ((0, 1), (2, 3))}  # of four dimensions


def turned(pairs: str, **more: Any) -> w.Trace:
    """Two words at the places 0 and 3, their vectors as queries and keys."""
    rope = {"pairs": pairs, "base": 100, "position": [0, 3], "rotary_dim": 4}
    return w.explain({"tokens": ["a", "b"], "inputs": INPUTS, "attention": {"rope": rope, **more}})


@pytest.mark.parametrize("pairs", PAIRS)
def test_the_first_dimensions_turn_and_the_last_stays(pairs: str) -> None:
    """The speeds go by how many dimensions turn: 3 radians for the first pair, 3 ÷ √100 for the second."""
    trace, row = turned(pairs), [6, 7, 8, 9, 10]
    wanted = {4: 10.0}
    for (first, second), angle in zip(PAIRS[pairs], (3, 0.3), strict=True):
        wanted[first] = row[first] * math.cos(angle) - row[second] * math.sin(angle)
        wanted[second] = row[first] * math.sin(angle) + row[second] * math.cos(angle)
    for letter in "QK":
        assert [str(trace[f"{letter}[0,{place}]"]) for place in range(5)] == ["1", "2", "3", "4", "5"]
        for place, number in wanted.items():
            assert math.isclose(float(trace[f"{letter}[1,{place}]"]), number, rel_tol=1e-12)
        made = trace[f"{letter}[1,4]"].inputs
        assert [number.address for number in made] == [f"{letter.lower()}_proj[1,4]"]
        assert trace[f"{letter.lower()}_proj[1,4]"].data()["used_by"] == [f"{letter}[1,4]"]
    assert trace.array("angle").shape == (2, 2)


SLIP = """tokens = ["a", "b"]
[inputs]
X = {X}
W_Q = {W_Q}
W_K = {W_K}
W_V = {W_V}
[attention]
rope = {{ pairs = "{pairs}", base = 100, position = [0, 3], rotary_dim = 4 }}
[claims]
Q = {claimed}
"""


@pytest.mark.parametrize(("pairs", "other"), [("half", "interleaved"), ("interleaved", "half")])
def test_the_other_pairing_is_named_as_the_cause(pairs: str, other: str, tmp_path: Path) -> None:
    """The last dimension is right in either pairing."""
    trace = turned(other)
    claimed = [[f"{float(trace[f'Q[{row},{place}]']):.3f}" for place in range(5)] for row in range(2)]
    path = tmp_path / "slip.toml"
    path.write_text(SLIP.format(**INPUTS, pairs=pairs, claimed=claimed), encoding="utf-8")
    report = w.check(path)
    assert report.first_wrong is not None
    assert str(report.first_wrong.address) == "Q[1,0]"
    assert report.first_wrong.causes == (f"rope-pairing:{other}",)
    assert report.counts["wrong"] == 4


TURNED = {  # of eight dimensions: how many should turn; how many do, and by how many their speeds go
    "rope-pairing:all": (4, 8, 8),
    "rope-pairing:speeds": (4, 4, 8),
    "rope-pairing:part": (8, 2, 2),
}


@pytest.mark.parametrize("claimed", ["Q", "score"])
@pytest.mark.parametrize("pairs", PAIRS)
@pytest.mark.parametrize("cause", TURNED)
def test_another_number_of_dimensions_is_named_as_the_cause(
    cause: str, pairs: str, claimed: str, tmp_path: Path
) -> None:
    asked, count, width = TURNED[cause]
    rows = [[(row + 2) * (place % 3 + 1) - place for place in range(8)] for row in range(2)]
    moved = [_by_hand(values, place, pairs, count, width) for values, place in zip(rows, (0, 3), strict=True)]
    score = [[sum(a * b for a, b in zip(one, two, strict=True)) for two in moved] for one in moved]
    claims = [[f"{number:.3f}" for number in row] for row in {"Q": moved, "score": score}[claimed]]
    unit = [[int(row == column) for column in range(8)] for row in range(8)]
    inputs = {"X": rows, "W_Q": unit, "W_K": unit, "W_V": unit}
    text = SLIP.replace("rotary_dim = 4", f"rotary_dim = {asked}").replace("Q = {claimed}", f"{claimed} = {claims}")
    path = tmp_path / "slip.toml"
    path.write_text(text.format(**inputs, pairs=pairs), encoding="utf-8")
    found = w.check(path).first_wrong
    assert found is not None
    assert found.causes == (cause,)


def _by_hand(row: list[int], place: int, pairs: str, count: int, width: int) -> list[float]:
    """A row whose first dimensions are turned in pairs, to base 100."""
    out = [float(number) for number in row]
    for pair in range(count // 2):
        first, second = (pair, pair + count // 2) if pairs == "half" else (2 * pair, 2 * pair + 1)
        angle = place * 100 ** (-2 * pair / width)
        out[first] = row[first] * math.cos(angle) - row[second] * math.sin(angle)
        out[second] = row[first] * math.sin(angle) + row[second] * math.cos(angle)
    return out


@pytest.mark.parametrize("count", [1, 3, 6])
def test_an_odd_number_of_dimensions_or_too_many_cannot_turn(count: int) -> None:
    with pytest.raises(BadRotaryDim) as caught:
        turned("half", rope={"rotary_dim": count})
    assert caught.value.values == {"rotary_dim": count, "d_k": 5}
    assert caught.value.where == "[attention].rope.rotary_dim"
    for lang in LANGUAGES:
        said = Words(lang).error(caught.value)
        assert f" {count} " in said or f" {count}：" in said
        assert " 5 " in said


CASES = {
    "half": ["where d < rotary_dim//2:", "elsewhere, where d < rotary_dim:", "elsewhere: Q[i,d] = q_proj[i,d]"],
    "interleaved": [
        "where d < rotary_dim, d mod 2 = 0:",
        "elsewhere, where d < rotary_dim:",
        "elsewhere: Q[i,d] = q_proj[i,d]",
    ],
}


@pytest.mark.parametrize("pairs", PAIRS)
def test_each_case_has_its_formula(pairs: str) -> None:
    text = turned(pairs)["Q[1,4]"].explain(lang="en").to_text()
    lines = [line.strip() for line in text.splitlines() if "[i,d] =" in line]
    assert [line.startswith(case) for line, case in zip(lines, CASES[pairs], strict=True)] == [True] * 3


def test_a_norm_takes_in_what_stays() -> None:
    """Before the rotation or after it: the mean square of a row is that of all its dimensions."""
    for kind in ("rms", "rms-after-rope"):
        trace = turned("half", qk_norm=kind)
        assert float(trace["q_mean_square[1]"]) == pytest.approx((36 + 49 + 64 + 81 + 100) / 5, rel=1e-12)
        assert float(trace["Q[1,4]"]) == pytest.approx(10 / math.sqrt(66 + 1e-5), rel=1e-9)

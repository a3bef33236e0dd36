"""Queries and keys normalised: worked by hand, and the order of norm and rotation as a published bug has it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import workings as w
from workings.terms.errors import FieldConflict

I2 = [[1, 0], [0, 1]]


def explained(x: list[list[int]], gain: list[int] | None, **attention: Any) -> w.Trace:
    inputs = {"X": x, "W_Q": I2, "W_K": I2, "W_V": I2}
    gains = {} if gain is None else {"q_norm_gain": gain, "k_norm_gain": gain}
    tokens = [f"t{i}" for i in range(len(x))]
    return w.explain({"tokens": tokens, "inputs": {**inputs, **gains}, "attention": attention, "block": {"eps": 0}})


def test_a_row_is_divided_by_its_root_mean_square() -> None:
    """(1 + 49) ÷ 2 = 25, (4 + 196) ÷ 2 = 100: both rows become (1, 7) ÷ 5; with gains, the second number doubles."""
    plain = explained([[1, 7], [2, 14]], None, qk_norm="rms")
    assert [str(plain[f"q_mean_square[{i}]"]) for i in range(2)] == ["25", "100"]
    assert [str(plain[f"Q[{i},{j}]"]) for i in range(2) for j in range(2)] == ["0.2", "1.4"] * 2
    assert str(plain["score[0,1]"]) == "2"  # as long as √d_k · √d_k, whatever the row was
    gained = explained([[1, 7], [2, 14]], [1, 2], qk_norm="rms")
    assert [str(gained[f"K[{i},{j}]"]) for i in range(2) for j in range(2)] == ["0.2", "2.8"] * 2
    assert str(gained["score[0,1]"]) == "7.88"  # 0.04 + 2.8²


@pytest.mark.parametrize(
    ("kind", "middle", "wanted"),
    [
        ("rms", ("q_normed", 0.848528137424, 2.26274169980), (-1.44556977725, 1.93657636542)),
        ("rms-after-rope", ("q_rotated", -1.74497702163, 4.68562217790), (-0.493554034003, 2.65058817285)),
    ],
)
def test_norm_and_rotation_do_not_commute(
    kind: str, middle: tuple[str, float, float], wanted: tuple[float, float]
) -> None:
    """The numbers of vllm-metal#660, where the norm stood on the wrong side: x = (3, 4), gains (1, 2), one radian."""
    trace = explained([[3, 4]], [1, 2], qk_norm=kind, rope={"position": [1]})
    name, *between = middle
    for array, numbers in ((name, between), ("Q", wanted), (name.replace("q", "k", 1), between), ("K", wanted)):
        for place, number in enumerate(numbers):
            assert math.isclose(float(trace[f"{array}[0,{place}]"]), number, rel_tol=1e-10)


def test_scores_that_are_given_have_no_queries_to_normalise() -> None:
    example = {"tokens": ["a"], "inputs": {"score": [[1]]}, "attention": {"divide_by": 1, "qk_norm": "rms"}}
    with pytest.raises(FieldConflict, match="leave qk_norm out"):
        w.explain(example)

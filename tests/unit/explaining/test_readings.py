"""Scores, weights and outputs in words, and which cells are written out."""

from typing import Any

import pytest

import workings as w
from workings.terms.errors import TokenNotUnique, UnknownChoice, UnknownToken

PLAIN: dict[str, Any] = {
    "tokens": ["a", "b", "c"],
    "inputs": {"Q": [[1], [0], [2]], "K": [[1], [1], [0]], "V": [[3], [5], [7]]},
}


def told(data: Any, **how: Any) -> str:
    return str(w.explain(data).explain(lang="en", **how).to_text())


def with_attention(**attention: Any) -> dict[str, Any]:
    return {**PLAIN, "attention": attention}


def test_the_kitten_is_looked_at_most() -> None:
    text = told("kitten")
    assert "它 looks most at 小猫: 40.3 %; then 它 35.7 % and 吃 24.0 %." in text
    assert "它 before (its own value): [1, 1]; after attention: [4.3836, 2.7600]." in text
    assert "它 took 40.3 % of 小猫, 35.7 % of its own value (它) and 24.0 % of 吃." in text


def test_no_match_and_a_plain_average() -> None:
    text = told("time-machine")
    assert "Time's query doesn't match Machine's key at all." in text
    assert "Machine looks at Time and Machine with equal weights: a plain average (50 % each)." in text
    assert "The true √3 in place of 1.7 would give:" in text


def test_equal_scores_are_said_once() -> None:
    assert "b's query matches every key equally: 0." in told(PLAIN)


def test_the_authors_word_is_followed_unless_another_is_asked_for() -> None:
    assert "Query: the query of Time" in told("time-machine")
    assert "Query: the query of Machine" in told("time-machine", token="Machine")
    assert "Query: the query of c is" in told(PLAIN)
    assert "Query: the query of a is" in told({**PLAIN, "focus": "a"})


def test_the_authors_word_must_exist() -> None:
    with pytest.raises(UnknownToken, match="focus"):
        w.explain({**PLAIN, "focus": "d"})


@pytest.mark.parametrize(("show", "lines"), [("cell", 1), ("row", 3), ("all", 9)])
def test_how_much_is_written_out(show: str, lines: int) -> None:
    text = told(PLAIN, show=show)
    step = text.split("Step 2: ")[1].split("Step 3: ")[0]
    assert step.count(" ÷ √1") == lines


def test_unknown_wishes_are_refused() -> None:
    with pytest.raises(UnknownChoice):
        told(PLAIN, show="some")
    with pytest.raises(UnknownToken):
        told(PLAIN, token="d")
    with pytest.raises(TokenNotUnique):
        told({**PLAIN, "tokens": ["a", "b", "a"]}, token="a")


def test_the_second_of_two_equal_words_can_be_followed() -> None:
    text = told({**PLAIN, "tokens": ["a", "b", "a"]}, token="a#2")
    assert "the query of a is [2]" in text


def test_one_key_takes_everything() -> None:
    text = told(with_attention(mask="causal"))
    assert "a looks only at a: 100 %." in text


def test_nothing_allowed_is_said() -> None:
    text = told(with_attention(mask=[[0, 0, 0], [1, 1, 1], [1, 1, 1]]), token="a")
    assert "a may look at nothing: its weights are 0 by convention, its output is 0 and its lse −∞." in text
    assert "Nothing is allowed for a: the sum is 0 and its logarithm −∞." in text


def test_shifted_softmax_says_that_both_agree() -> None:
    assert "Subtracting the maximum changes no weight" in told(with_attention(softmax="shifted"))


def test_large_scores_are_shifted_unasked() -> None:
    large = {**PLAIN, "inputs": {**PLAIN["inputs"], "Q": [[20], [0], [2]]}}
    assert "exp_shifted" in w.explain(large).names
    assert "exp_shifted" not in w.explain({**large, "attention": {"softmax": "plain"}}).names


def test_hand_mode_says_how_far_it_drifted() -> None:
    text = told("kitten", carry=2)
    assert "它, 小猫: 0.92 ÷ √2 ≈ 0.65" in text
    assert "它, 小猫: 1.92 ÷ 4.76 ≈ 0.40 = 40 %" in text
    assert (
        "Hand mode: furthest from the truth in this step is exp_sum[0], carried as 4.87; the true value is 4.862040."
        in text
    )
    assert "Hand mode: nothing was lost by rounding in this step." in text


def test_the_table_beside_a_real_model_holds_this_examples_sizes() -> None:
    text = told("encoder-six")
    table = text.split("This toy beside a real model")[1]
    for expected in ("X·W with weights written down", "6–120, one refining the other", "30,000–260,000"):
        assert expected in table


def test_summary_goes_on_through_all_layers() -> None:
    assert "Layers: after 6 layers, sleeps is [" in told("encoder-six")

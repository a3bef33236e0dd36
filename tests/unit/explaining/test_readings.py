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
    assert "the query of “a#2” is [2]" in text


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


def heads(rows: list[list[int]], **attention: Any) -> dict[str, Any]:
    given = [rows, rows]
    return {
        "tokens": ["a", "b", "c"],
        "inputs": {"Q": given, "K": given, "V": given},
        "attention": {"heads": 2, **attention},
    }


def test_a_tie_for_the_first_place_names_both() -> None:
    text = told(PLAIN)
    assert "a's query matches the keys of a and b best: 1 each." in text
    assert "a looks most at a and b: 42.2 % each; then c 15.5 %." in text


def test_a_sinks_share_is_said() -> None:
    text = told(with_attention(mask="causal", sink=[0]))
    assert "a looks only at a: 73.1 %." in text
    assert "The sink takes 26.9 % of what a could give." in text
    assert "b looks at a and b with equal weights: 33.3 % each." in text
    assert "plain average" not in text


def test_rounding_in_hand_mode_is_no_mask() -> None:
    text = told("kitten", carry=0)
    assert "may look at nothing" not in text
    assert "doesn't match" not in text
    assert "它: rounding has left nothing of any weight." in text


def test_what_is_masked_has_no_line() -> None:
    assert "−∞ = −∞" not in told(with_attention(mask="causal"), show="all")


def test_shares_that_are_not_named_are_summed() -> None:
    rows = {"Q": [[1]] * 6, "K": [[-i] for i in range(6)], "V": [[0]] * 6}
    text = told({"tokens": list("abcdef"), "inputs": rows}, token="a")
    assert "and 1.6 % of 2 others." in text


def test_a_key_of_zeros_matches_no_query_at_all() -> None:
    one, nothing = [[1, 0], [0, 1]], [[0, 0], [0, 0]]
    inputs = {"X": [[1, 2], [3, 4]], "W_Q": one, "W_K": nothing, "W_V": one}
    data = {"tokens": ["a", "b"], "inputs": inputs, "attention": {"position": "rope"}}
    assert w.explain(data)["score"][1, 0].exact == 0
    assert "b's query matches every key equally: 0." in told(data)


def test_equal_words_are_told_apart() -> None:
    text = told({**PLAIN, "tokens": ["a", "b", "a"]})
    assert "“a#2” looks most at “a#1” and b: 46.8 % each; then “a#2” 6.3 %." in text


def test_the_summary_says_which_head_it_follows() -> None:
    rows = [[1], [0], [2]]
    text = told(heads(rows))
    assert "Query: in head H0 the query of c is [2], as given." in text
    assert "In head H0: c looks most at c" in text
    assert "together they give [" in text


def test_alibi_is_a_penalty_on_either_side() -> None:
    text = told(heads([[0], [0], [0]], position="alibi"))
    assert "M[i,j] = S′[i,j] + m[h] × (−|j−i|)" in text
    assert "b looks most at b:" in text
    assert "Goes into H0.masked and H1.masked." in text


def test_scores_too_large_for_any_float() -> None:
    text = told({**PLAIN, "inputs": {**PLAIN["inputs"], "Q": [[20_000], [0], [2]]}}, token="a")
    assert "a looks most at a and b: 50.0 % each; then c 6.447×10⁻⁸⁶⁸⁵ %." in text


def test_scores_alone_need_no_width() -> None:
    trace = w.explain({"tokens": ["a"], "inputs": {"score": [[1]]}, "attention": {"divide_by": 2}})
    text = str(trace.explain(lang="en").to_text())
    assert "The scores are divided by 2." in text
    assert "dimensions per head" not in text
    assert "The scores are divided by 2." in str(trace["scaled"][0, 0].to_text())


def formulas(data: dict[str, Any], step: str) -> list[str]:
    """The general formulas of a step."""
    text = told(data).split(f"({step})\n")[1].split("\n\n")[1]
    return [line.strip() for line in text.splitlines()]


def test_alibi_shows_only_the_cases_that_occur() -> None:
    rows = [[1], [0], [2]]
    inputs = {name: [rows] * 6 for name in "QKV"}
    six = {"tokens": ["a", "b", "c"], "inputs": inputs, "attention": {"heads": 6, "position": "alibi"}}
    assert formulas(heads(rows, position="alibi"), "alibi_slope") == ["m[h] = 2^((−8·(h+1)) ÷ 2)"]
    assert formulas(six, "alibi_slope") == [
        "where h < 4: m[h] = 2^((−8·(h+1)) ÷ 4)",
        "elsewhere: m[h] = 2^((−4·(2·(h−4)+1)) ÷ 4)",
    ]


@pytest.mark.parametrize(
    ("mask", "lines"),
    [
        ("causal", ["where j ≤ i: M[i,j] = S′[i,j]", "elsewhere: M[i,j] = −∞"]),
        ("window:2", ["where j ≤ i, j > i−2: M[i,j] = S′[i,j]", "elsewhere: M[i,j] = −∞"]),
        ("window:3", ["where j ≤ i: M[i,j] = S′[i,j]", "elsewhere: M[i,j] = −∞"]),
        ([[1, 1, 1]] * 3, ["M[i,j] = S′[i,j]"]),
        ([[0, 0, 0]] * 3, ["M[i,j] = −∞"]),
    ],
)
def test_a_condition_that_no_cell_breaks_is_left_out(mask: Any, lines: list[str]) -> None:
    assert formulas(with_attention(mask=mask), "masked") == lines


def test_the_same_word_in_another_text_is_not_the_words_own_key() -> None:
    rows = [[1], [2]]
    one = [[1]]
    inputs = {"X": rows, "W_Q": one, "context": rows, "W_K": one, "W_V": one}
    text = told({"tokens": ["a", "b"], "key_tokens": ["c", "b"], "inputs": inputs})
    assert "b took 88.1 % of b and 11.9 % of c." in text
    assert "its own value" not in text


def test_keys_that_are_not_named_are_counted() -> None:
    rows = {"Q": [[1]] * 6, "K": [[-i] for i in range(6)], "V": [[0]] * 6}
    data = {"tokens": list("abcdef"), "inputs": rows}
    assert "a looks most at a: 63.4 %; then b 23.3 %, c 8.6 %, d 3.2 % and 2 others 1.6 % together." in told(
        data, token="a"
    )
    seen = {**data, "attention": {"mask": [[1, 1, 1, 1, 1, 0]] * 6}}
    assert "d 3.2 % and e 1.2 %." in told(seen, token="a")  # one key more needs no count


def test_a_sink_leaves_the_keys_that_are_not_named_their_own_share() -> None:
    rows = {"Q": [[1]] * 6, "K": [[-i] for i in range(6)], "V": [[0]] * 6}
    text = told({"tokens": list("abcdef"), "inputs": rows, "attention": {"sink": [0]}}, token="a")
    assert "a looks most at a: 38.8 %; then b 14.3 %, c 5.2 %, d 1.9 % and 2 others 1.0 % together." in text
    assert "The sink takes 38.8 % of what a could give." in text

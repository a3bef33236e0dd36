"""What an explanation says of an example before it begins: only what holds for this one."""

from typing import Any

import pytest

import workings as w
from workings.render.words import Words
from workings.steps import block

ROWS = [[1, 2], [3, 5]]
ONE = [[1, 0], [0, 1]]
PROJECTED: dict[str, Any] = {"tokens": ["a", "b"], "inputs": {"X": ROWS, "W_Q": ONE, "W_K": ONE, "W_V": ONE}}
WIDTHS = {"wider": [[1, 0, 1], [0, 1, 1]], "same": ONE, "narrower": [[1], [1]]}


def opened(data: dict[str, Any], lang: str = "en") -> str:
    """The text before the given numbers."""
    text = str(w.explain(data).explain(lang=lang).to_text())
    return text.split({"en": "\nWhat is given", "zh": "\n已知的数"}[lang])[0]


def told(data: dict[str, Any], lang: str = "en") -> str:
    return str(w.explain(data).explain(lang=lang).to_text())


def around(ffn: list[list[int]] | None = None, inputs: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    given = {**PROJECTED["inputs"], **(inputs or {})}
    if ffn is not None:
        given |= {"W_1": ffn, "W_2": [list(row) for row in zip(*ffn, strict=True)]}
        fields["ffn"] = "relu"
    return {**PROJECTED, "inputs": given, "block": fields}


@pytest.mark.parametrize(
    ("norm", "residual", "feed_forward", "said"),
    [
        ("pre-layer", False, False, "LayerNorm before attention."),
        ("pre-rms", True, True, "RMSNorm before attention and before the feed-forward."),
        ("post-layer", False, False, "LayerNorm after attention."),
        ("post-layer", False, True, "LayerNorm after attention and after the feed-forward."),
        ("post-rms", True, False, "RMSNorm after the residual."),
        ("post-rms", True, True, "RMSNorm after each residual."),
    ],
)
def test_norms_stand_where_they_are_worked(norm: str, residual: bool, feed_forward: bool, said: str) -> None:
    data = around(ONE if feed_forward else None, norm=norm, residual=residual)
    assert [line for line in opened(data).splitlines() if "Norm " in line] == [said]


def test_how_many_dimensions_turn_is_said() -> None:
    wide = [[1, 0, 1], [0, 1, 1]]
    data = {**PROJECTED, "inputs": {**PROJECTED["inputs"], "W_Q": wide, "W_K": wide}}
    part = {**data, "attention": {"rope": {"rotary_dim": 2}}}
    assert "of the 3 dimensions of queries and keys the first 2 are rotated" in opened(part)
    assert "3 个维度中，旋转前 2 个" in opened(part, "zh")
    whole = {**PROJECTED, "attention": {"rope": {"rotary_dim": 2}}}
    assert told(whole) == told({**PROJECTED, "attention": {"position": "rope"}})


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        ({"qk_norm": "rms"}, "Queries and keys are normalised: each row"),
        ({"qk_norm": "rms", "position": "rope"}, "normalised before they are rotated"),
        ({"qk_norm": "rms-after-rope", "position": "rope"}, "normalised after they are rotated"),
    ],
)
def test_where_queries_and_keys_are_normalised_is_said(attention: dict[str, str], said: str) -> None:
    data = {**PROJECTED, "attention": attention}
    assert said in opened(data)
    assert "ε" in opened(data)
    assert "归一化" in opened(data, "zh")


def test_norms_in_chinese() -> None:
    assert "残差相加之后做一次层归一化。" in opened(around(norm="post-layer", residual=True), "zh")


def test_a_norm_that_is_never_worked_is_not_said() -> None:
    inputs = {name: PROJECTED["inputs"][name] for name in ("X", "W_Q", "W_K")}
    assert "Norm" not in opened({**PROJECTED, "inputs": inputs, "block": {"norm": "post-layer"}})


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "divided by its deviation: mean 0 and, but for ε, spread 1."),
        ({"norm1_gain": [2, 3]}, "divided by its deviation, times the gain."),
        ({"norm1_bias": [2, 3]}, "divided by its deviation, plus the bias."),
        ({"norm1_gain": [2, 3], "norm1_bias": [2, 3]}, "divided by its deviation, times the gain, plus the bias."),
    ],
)
def test_what_a_gain_and_a_bias_change_is_said(inputs: dict[str, Any], said: str) -> None:
    assert said in told(around(None, inputs, norm="post-layer"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("gain", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_every_norm_has_its_sentence(gain: bool, bias: bool, lang: str) -> None:
    for step in (block.layer_norm(gain, bias), block.rms_norm(gain, bias)):
        assert f"step.{step.about}" in Words(lang)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_feed_forward_says_what_becomes_of_the_width(width: str) -> None:
    text = told(around(WIDTHS[width]))
    said = {"wider": "that makes it wider", "same": "that keeps its width", "narrower": "that makes it narrower"}
    assert [word for word in said if said[word] in text] == [width]
    assert "widened" not in text


def test_sinks_and_a_bias_are_said() -> None:
    attention = {"sink": [0], "bias": [[0, 1], [1, 0]]}
    text = opened({**PROJECTED, "attention": attention})
    assert "Each head has a sink: one logit more" in text
    assert "A bias of its own is added to each score." in text
    assert "sink" not in opened(PROJECTED)
    assert "bias" not in opened(PROJECTED)


def test_positions_that_do_not_begin_at_0_are_said() -> None:
    past = {"K": ROWS, "V": ROWS, "tokens": ["y", "z"]}
    cached = {**PROJECTED, "inputs": {**PROJECTED["inputs"], "past": past}, "attention": {"position": "rope"}}
    assert "Positions are counted from 2." in opened(cached)
    assert "位置从 2 数起。" in opened(cached, "zh")
    stated = {**PROJECTED, "attention": {"rope": {"position": [4, 9]}}}
    assert "The positions are 4 and 9." in opened(stated)
    assert "ositions" not in opened({**PROJECTED, "attention": {"position": "rope"}})


def test_a_formula_is_shown_again_where_it_reads_other_arrays() -> None:
    """As for a later block of keys; for another head it is the same."""
    blocks = w.explain("online-softmax", lang="en").to_text()
    for formula in ("E₁[i,j] = e^(S′[i,j] − m₁[i])", "E₂[i,j] = e^(S′[i,2+j] − m₂[i])"):
        assert blocks.count(f"  {formula}\n") == 1
    assert w.explain("two-heads", lang="en").to_text().count("  S[i,j] = Σ_d Q[i,d] × K[j,d]\n") == 1


def test_what_the_sink_takes_is_told_of_the_flow_too() -> None:
    flow = w.explain("attention-sink", lang="en").to_text().partition("How the data flowed")[2]
    assert "25 % each. The sink takes 50 % of what bored could give." in flow

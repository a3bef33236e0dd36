"""A kernel that goes through the keys block by block and forgets to rescale what earlier blocks left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.checking.dumps.test_named import CAUSAL, KEY, OWN, TOKENS, inputs, judged, kernel, named
from workings.checking.causes.registry import BY_ID
from workings.render.words import LANGUAGES

KINDS = {"output": (False, True), "sum": (True, False), "both": (False, False)}  # is output, is sum rescaled
SIZES = [1, 2, 4, 8]
SINKS = np.array([0.5, -1.0], np.float32)


def by_blocks(given: dict[str, Any], size: int, kind: str, allowed: Any = True, sinks: Any = None) -> dict[str, Any]:
    """The output and log-sum-exp of such a kernel; ``right`` rescales both."""
    output, total = KINDS.get(kind, (True, True))
    logits = np.where(allowed, given["Q"] @ given["K"].swapaxes(-1, -2) / np.sqrt(given["Q"].shape[-1]), -np.inf)
    top = np.full((*logits.shape[:2], 1), -np.inf) if sinks is None else np.tile(sinks[:, None, None], (1, TOKENS, 1))
    added, mixed = np.zeros_like(top), np.zeros_like(given["V"], np.float64)
    for start in range(0, TOKENS, size):
        block = logits[..., start : start + size]
        higher = np.maximum(top, block.max(-1, keepdims=True))
        with np.errstate(invalid="ignore"):
            factor, power = (np.nan_to_num(np.exp(part - higher)) for part in (top, block))
        added = added * (factor if total else 1) + power.sum(-1, keepdims=True)
        mixed = mixed * (factor if output else 1) + power @ given["V"][:, start : start + size]
        top = higher
    added = added if sinks is None else added + np.exp(sinks[:, None, None] - top)
    return {"lse": (top + np.log(added))[..., 0], "head_output": mixed / added}


@pytest.mark.parametrize("size", [*SIZES, TOKENS])
@pytest.mark.parametrize("allowed", [True, CAUSAL], ids=["all", "causal"])
def test_what_is_rescaled_is_right(size: int, allowed: Any) -> None:
    options = {} if allowed is True else {"causal": "bottom-right"}
    found = judged(inputs(), by_blocks(inputs(), size, "right", allowed), **options)
    assert (found.first_step, named(found)) == (None, [])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_rescaled_is_named_with_the_size_of_the_blocks(kind: str, size: int) -> None:
    found = judged(inputs(), by_blocks(inputs(), size, kind), "head_output")
    assert (found.first_step, named(found)) == ("head_output", [f"online-rescale:{kind}-{size}"])


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_named_beside_right_weights_and_under_a_mask(kind: str) -> None:
    made = kernel(inputs())
    made["head_output"] = by_blocks(inputs(), 4, kind)["head_output"]
    found = judged(inputs(), made, "weight", "lse", "head_output")
    assert (found.first_step, named(found)) == ("head_output", [f"online-rescale:{kind}-4"])
    allowed = (KEY <= OWN) & (KEY >= OWN - 6)
    found = judged(inputs(), by_blocks(inputs(), 4, kind, allowed), "head_output", causal="bottom-right", window=[6, 0])
    assert named(found) == [f"online-rescale:{kind}-4"]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_named_beside_a_sink(kind: str) -> None:
    given = {**inputs(), "sinks": SINKS}
    right = judged(given, by_blocks(given, 4, "right", sinks=SINKS))
    assert (right.first_step, named(right)) == (None, [])
    assert named(judged(given, by_blocks(given, 4, kind, sinks=SINKS), "head_output")) == [f"online-rescale:{kind}-4"]


@pytest.mark.parametrize("kind", ["sum", "both"])
def test_a_log_sum_exp_tells_of_the_sum_alone(kind: str) -> None:
    found = judged(inputs(), by_blocks(inputs(), 4, kind))
    assert (found.first_step, named(found)) == ("lse", ["online-rescale:sum-4", "online-rescale:both-4"])


def test_a_maximum_that_never_grows_leaves_nothing_to_rescale() -> None:
    given = inputs()
    given["Q"][..., 0], given["K"][..., 0] = 100, -np.arange(TOKENS)
    for kind in KINDS:
        assert judged(given, by_blocks(given, 4, kind)).first_step is None


def test_blocks_of_no_usual_size_are_not_named() -> None:
    assert named(judged(inputs(), by_blocks(inputs(), 5, "output"), "head_output")) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_said_in_every_language(kind: str) -> None:
    assert set(BY_ID[f"online-rescale:{kind}-64"].title) == set(LANGUAGES)
    assert all("64" in title for title in BY_ID[f"online-rescale:{kind}-64"].title.values())

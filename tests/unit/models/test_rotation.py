"""Ways of rotating: the speeds and factors of transformers' own functions, and what tells no way."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import workings as w
from tests.support.speaking import LLAMA3, LONGROPE, ROPE, YARN, speaking
from tests.support.tiny_models import inputs_of
from workings.models.record import Wish, record
from workings.models.rotation import attention_factor_of, is_rope, ropes_of, speeds_of
from workings.models.store import INDEX
from workings.terms.errors import ShapeMismatch
from workings.terms.model_errors import NotReached

D_K = 16
LISTS = {"short_factor": [1 + pair / 10 for pair in range(8)], "long_factor": [1 + pair for pair in range(8)]}
LINEAR = {**ROPE, "rope_type": "linear", "factor": 4.0}
LONG = {**LONGROPE, **LISTS}
WAYS: dict[str, dict[str, Any]] = {
    "linear": LINEAR,
    "llama3": LLAMA3,
    "yarn": {**YARN, "original_max_position_embeddings": 4096, "beta_fast": 32.0},
    "yarn-short": {**YARN, "factor": 0.5},
    "yarn-by-hand": {**YARN, "attention_factor": 0.75, "beta_slow": 0.5},
    "yarn-ratio": {**YARN, "mscale": 0.7, "mscale_all_dim": 1.3},
    "yarn-one": {**YARN, "mscale": 0.7},
    "yarn-whole": {**YARN, "truncate": False},
    "yarn-narrow": {**YARN, "rope_theta": 1e6, "original_max_position_embeddings": 2},
    "longrope": LONG,
    "longrope-short": {**LONG, "original_max_position_embeddings": 20},
    "longrope-by-hand": {**LONG, "attention_factor": 1.25},
    "longrope-shrunk": {**LONG, "factor": 0.5},
}
TOKENS = 20


def _config(way: dict[str, Any]) -> Any:
    from transformers import LlamaConfig

    sizes: dict[str, Any] = {"hidden_size": 4 * D_K, "num_attention_heads": 4, "num_hidden_layers": 2}
    return LlamaConfig(**sizes, rope_parameters=dict(way))


@pytest.mark.parametrize("name", WAYS)
def test_speeds_and_factors_are_those_of_transformers(name: str) -> None:
    """It works in float32."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = _config(WAYS[name])
    theirs, factor = ROPE_INIT_FUNCTIONS[WAYS[name]["rope_type"]](config, seq_len=TOKENS)
    ropes = ropes_of(config, 2, TOKENS, at_once=True)
    assert ropes is not None
    assert len(ropes) == 2
    told = json.loads(json.dumps(ropes[1]))
    assert is_rope(told)
    assert speeds_of(told, D_K) == pytest.approx(theirs.tolist(), rel=1e-6)
    assert (attention_factor_of(told) or 1) == pytest.approx(factor, rel=1e-12)


TELLS_NOTHING: dict[str, Any] = {
    "no-table": [], "no-base": {"rope_type": "default"}, "unknown": {**ROPE, "rope_type": "other"},
    "base": {**ROPE, "rope_theta": 0.0}, "endless": {**ROPE, "rope_theta": 10**400},
    "nan": {**LINEAR, "factor": float("nan")}, "no-factor": {**ROPE, "rope_type": "linear"},
    "bands": {**LLAMA3, "high_freq_factor": 1.0}, "base-1": {**YARN, "rope_theta": 1.0},
    "word": {**YARN, "beta_fast": "4"}, "tiny": {**YARN, "beta_slow": 1e-300}, "no-list": LONGROPE,
    "no-numbers": {**LONGROPE, "factors": [1.0, "2"]}, "minus": {**LONGROPE, "factors": [1.0, -2.0]},
    "length": {**LONGROPE, "factors": [1.0], "original_max_position_embeddings": 1},
}  # fmt: skip


@pytest.mark.parametrize("name", TELLS_NOTHING)
def test_what_tells_no_way(name: str) -> None:
    assert not is_rope(TELLS_NOTHING[name])


def test_a_way_that_is_not_declared_is_not_told() -> None:
    assert ropes_of(_config({**ROPE, "rope_type": "dynamic", "factor": 2.0}), 2, TOKENS, at_once=True) is None


def test_lists_that_change_between_chunks_are_not_told(tmp_path: Path) -> None:
    """The early keys were turned by other factors than the late ones."""
    model, given = speaking("llama-longrope", tmp_path), inputs_of("llama", 12)
    whole = w.recorded(record(model, tmp_path / "whole", Wish(inputs=given)))
    assert whole.number("L1.cos[5,1]").bound < 1e-9
    chunked = w.recorded(record(model, tmp_path / "chunked", Wish(inputs=given, chunk=4)))
    assert float(chunked.number("L1.H0.weight[5,3]")) > 0
    with pytest.raises(NotReached) as caught:
        chunked.number("L1.cos[5,1]")
    assert caught.value.values["lacking"] == "family"


@pytest.mark.parametrize("count", [3, 5])
def test_more_factors_or_fewer_than_pairs(count: int, tmp_path: Path) -> None:
    out = Path(record(speaking("llama-longrope", tmp_path), tmp_path / "out", Wish(inputs=inputs_of("llama", 12))))
    told = json.loads((out / INDEX).read_text(encoding="utf-8"))
    for rope in told["around"]["rope"]:
        rope["factors"] = [1.0] * count
    (out / INDEX).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ShapeMismatch):
        w.recorded(out).number("L1.cos[5,1]")


@pytest.mark.parametrize("lacking", ["original_max_position_embeddings", "short_factor"])
def test_a_list_of_factors_that_is_not_there_tells_no_way(lacking: str) -> None:
    table = {name: value for name, value in {**LONG, "original_max_position_embeddings": 64}.items() if name != lacking}
    assert ropes_of(SimpleNamespace(rope_parameters=table), 1, TOKENS, at_once=True) is None

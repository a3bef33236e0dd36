"""Ways of rotating: the speeds and factors of transformers' own functions, and what tells no way."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import workings as w
from tests.support.speaking import LLAMA3, LONGROPE, ROPE, YARN, speaking
from tests.support.tiny_models import build, inputs_of
from workings.models.record import Wish, record
from workings.models.recording import Recording
from workings.models.rotation import attention_factor_of, is_rope, ropes_of, speeds_of
from workings.terms.errors import BadRotaryDim, ShapeMismatch
from workings.terms.files import RECORDING

D_K = 16
LISTS: dict[str, list[float]] = {
    "short_factor": [1 + pair / 10 for pair in range(8)],
    "long_factor": [1 + pair for pair in range(8)],
}
LINEAR = {**ROPE, "rope_type": "linear", "factor": 4.0}
LONG = {**LONGROPE, **LISTS}
DYNAMIC = {**ROPE, "rope_type": "dynamic", "factor": 2.0}
WAYS: dict[str, dict[str, Any]] = {
    "linear": LINEAR,
    "dynamic": DYNAMIC,
    "dynamic-shrunk": {**DYNAMIC, "factor": 0.5},
    "dynamic-short": {**DYNAMIC, "max_position_embeddings": 32},
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
BY_LENGTH = {"longrope": LONGROPE, "dynamic": DYNAMIC}


def _config(way: dict[str, Any]) -> Any:
    from transformers import LlamaConfig

    sizes: dict[str, Any] = {"hidden_size": 4 * D_K, "num_attention_heads": 4, "num_hidden_layers": 2}
    table = dict(way)
    places = table.pop("max_position_embeddings", 16)
    return LlamaConfig(**sizes, rope_parameters=table, max_position_embeddings=places)


@pytest.mark.parametrize(("name", "turned"), [*product(WAYS, (16, 12))])
def test_speeds_and_factors_are_those_of_transformers(name: str, turned: int) -> None:
    """It works in float32. Of all dimensions, and of three quarters."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    part = {kind: factors[: turned // 2] for kind, factors in LISTS.items() if kind in WAYS[name]}
    config = _config({**WAYS[name], **part, "partial_rotary_factor": turned / D_K})
    theirs, factor = ROPE_INIT_FUNCTIONS[WAYS[name]["rope_type"]](config, seq_len=TOKENS)
    ropes = ropes_of(config, 2, TOKENS, partial=True)
    assert ropes is not None
    assert len(ropes) == 2
    told = json.loads(json.dumps(ropes[1]))
    assert is_rope(told)
    assert told.get("rotary_dim", D_K) == turned == 2 * len(theirs)
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
    "odd": {**ROPE, "rotary_dim": 3}, "none-turn": {**ROPE, "rotary_dim": 0}, "half-one": {**ROPE, "rotary_dim": 2.0},
    "flag": {**ROPE, "rotary_dim": True}, "untold": {**ROPE, "rotary_dim": None},
}  # fmt: skip


@pytest.mark.parametrize("name", TELLS_NOTHING)
def test_what_tells_no_way(name: str) -> None:
    assert not is_rope(TELLS_NOTHING[name])


def test_a_way_that_is_not_declared_is_not_told() -> None:
    config = _config(ROPE)
    config.rope_parameters["rope_type"] = "proportional"
    assert ropes_of(config, 2, TOKENS) is None


@pytest.mark.parametrize(("share", "partial"), [(0.5, False), (0.2, True), (0.0, True), (1.5, True), ("a", True)])
def test_a_share_that_a_family_does_not_heed_or_that_cannot_turn_is_not_told(share: Any, partial: bool) -> None:
    config = _config(ROPE)
    config.rope_parameters["partial_rotary_factor"] = share
    assert ropes_of(config, 2, TOKENS, partial=partial) is None


@pytest.mark.parametrize(("family", "rope"), [*product(["llama", "gemma3"], BY_LENGTH), ("phi3", "longrope")])
def test_what_goes_by_the_length_is_chosen_once_for_all_chunks(family: str, rope: str, tmp_path: Path) -> None:
    """The keys of early chunks are turned as in one pass, not as if the text ended there."""
    kinds = {kind: dict(BY_LENGTH[rope]) for kind in ("sliding_attention", "full_attention")}
    changes: dict[str, Any] = {"rope_parameters": kinds if family == "gemma3" else dict(BY_LENGTH[rope])}
    if family == "phi3":
        changes["original_max_position_embeddings"] = 8
    model = build(family, **changes, max_position_embeddings=8)
    model.double().save_pretrained(tmp_path / family)
    given = inputs_of("llama", 12)
    runs = {}
    for chunk in (0, 4):
        wish = Wish(inputs=given, chunk=chunk, dtype="float64")
        runs[chunk] = Recording(record(tmp_path / family, tmp_path / f"{chunk}", wish))
    assert runs[0].told["around"] == runs[4].told["around"]
    assert runs[4].told["around"] is not None
    for whole, parts in zip(runs[0].layers.values(), runs[4].layers.values(), strict=True):
        for head in range(2):
            right, found = whole.numbers("k", head), parts.numbers("k", head)
            assert np.abs(found - right).max() <= 4096 * 2.0**-53 * max(1.0, np.abs(right).max())


def test_a_long_text_in_chunks_is_told_from_its_tokens(tmp_path: Path) -> None:
    out = record(speaking("phi3-longrope", tmp_path), tmp_path / "out", Wish(inputs=inputs_of("phi3", 12), chunk=4))
    number = w.recorded(out).number("L1.H0.K[2,3]")
    assert float(number.data()["worked"]) == pytest.approx(float(number), rel=1e-4)
    assert w.recorded(out).number("L1.cos[5,1]").bound < 1e-9


@pytest.mark.parametrize("count", [3, 5])
def test_more_factors_or_fewer_than_pairs(count: int, tmp_path: Path) -> None:
    out = Path(record(speaking("llama-longrope", tmp_path), tmp_path / "out", Wish(inputs=inputs_of("llama", 12))))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    for rope in told["around"]["rope"]:
        rope["factors"] = [1.0] * count
    (out / RECORDING).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ShapeMismatch):
        w.recorded(out).number("L1.cos[5,1]")


@pytest.mark.parametrize("count", [10, 2**60])
def test_a_recording_of_which_more_dimensions_turn_than_there_are(count: int, tmp_path: Path) -> None:
    name = "phi3-partial-longrope"
    out = Path(record(speaking(name, tmp_path), tmp_path / "out", Wish(inputs=inputs_of("phi3", 12))))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    assert [rope["rotary_dim"] for rope in told["around"]["rope"]] == [6, 6]
    for rope in told["around"]["rope"]:
        rope["rotary_dim"] = count
    (out / RECORDING).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(BadRotaryDim):
        w.recorded(out).number("L1.cos[5,1]")


@pytest.mark.parametrize("lacking", ["original_max_position_embeddings", "short_factor"])
def test_a_list_of_factors_that_is_not_there_tells_no_way(lacking: str) -> None:
    table = {name: value for name, value in {**LONG, "original_max_position_embeddings": 64}.items() if name != lacking}
    assert ropes_of(SimpleNamespace(rope_parameters=table), 1, TOKENS) is None

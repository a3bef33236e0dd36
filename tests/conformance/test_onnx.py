"""Every node test that onnx makes of the operators of attention, each as a test of its own."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatch

import pytest

from conformance import onnx_attention, onnx_steps
from conformance.onnx_cases import COUNTS, cases, names

# what the cases of these names show is promised elsewhere in words; they may not go missing
KEPT = (
    "*_fullymasked_*",
    "*_boolmask_nan_robustness",
    "*_softcap_neginf_mask_poison",
    "*_nonpad_negative_offset_structural_empty",
    "test_attention_3d_transpose_verification",
    "*_local_window_ext_cache_*",
)


def test_the_names_are_those_of_the_cases() -> None:
    made = sorted((case.op, case.name) for case in cases().values())
    assert sorted((op, name) for op, found in names().items() for name in found) == made
    assert Counter(op for op, _ in made) == COUNTS


@pytest.mark.parametrize("pattern", KEPT)
def test_a_named_case_is_there(pattern: str) -> None:
    assert any(fnmatch(name, pattern) for name in names()["Attention"])


@pytest.mark.parametrize("way", ["streamed", "array"])
@pytest.mark.parametrize("name", names()["Attention"])
def test_attention(name: str, way: str) -> None:
    assert onnx_attention.check(name, way).problem == ""


def test_a_wrong_case_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = onnx_attention._band
    monkeypatch.setattr(onnx_attention, "_band", lambda *at, **told: usual({**at[0], "is_causal": 0}, at[1], **told))
    for way in ("streamed", "array"):
        found = onnx_attention.check.__wrapped__("test_attention_4d_causal", way)
        assert found.problem.startswith("Y at ")


@pytest.mark.parametrize("name", [name for op, found in names().items() if op != "Attention" for name in found])
def test_around_attention(name: str) -> None:
    assert onnx_steps.check(name).problem == ""

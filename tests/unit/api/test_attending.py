"""`workings.attend`: the options by their plain names, and a result that shows itself."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import numpy as np
import pytest
import torch

import workings as w
from workings.fast.streamed import attend
from workings.steps.spec import AttentionSpec, Mask
from workings.terms.errors import ArgumentForm, BadCount, OperandShape, OperandType, UnknownChoice, UnknownMassKey

NUMBERS = torch.Generator().manual_seed(3)
Q, K, V = (torch.randn(2, heads, tokens, 8, generator=NUMBERS) for heads, tokens in ((4, 5), (2, 7), (2, 7)))
NAMED: list[tuple[dict[str, Any], Mask]] = [
    ({}, Mask()),
    ({"causal": True}, Mask("causal")),
    ({"causal": "bottom-right"}, Mask("causal")),
    ({"causal": "top-left"}, Mask("causal-top-left")),
    ({"causal": True, "offset": 1}, Mask("causal", offset=1)),
    ({"window": (2, 1)}, Mask("band", left=2, right=1)),
    ({"window": (2, None)}, Mask("band", left=2)),
    ({"window": (2, 3), "causal": True}, Mask("window", window=3)),
    ({"window": (2, 3), "causal": "top-left"}, Mask("band", left=2, right=0, top_left=True)),
]


@pytest.mark.parametrize(("options", "mask"), NAMED, ids=str)
def test_masks_by_their_names(options: dict[str, Any], mask: Mask) -> None:
    found = w.attend(Q, K, V, top=3, column_mass=True, **options)
    right = attend(Q, K, V, AttentionSpec(mask=mask), top=3, column_mass=True)
    for name in ("output", "lse", "entropy", "top_weights", "top_keys", "column_mass"):
        assert torch.equal(getattr(found, name), getattr(right, name)), name
    assert torch.equal(found.weights_row(3, 4, batch=1), right.weights_row(3, 4, batch=1))


def test_scale_and_cap() -> None:
    found = w.attend(Q, K, V, scale=0.5, softcap=2.0, lse_base="2")
    cell = found.cell(1, 2, 3)
    assert cell.scaled == pytest.approx(0.5 * cell.score, rel=1e-12)
    assert cell.capped == pytest.approx(2 * float(torch.tanh(torch.tensor(cell.scaled / 2, dtype=torch.float64))))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"causal": "left"}, UnknownChoice),
        ({"causal": [True]}, UnknownChoice),
        ({"window": (-1, 0)}, BadCount),
        ({"window": (1.5, 0)}, BadCount),
        ({"window": ("1", 0)}, BadCount),
        ({"window": 3}, ArgumentForm),
        ({"window": "12"}, ArgumentForm),
        ({"window": (1, 2, 3)}, ArgumentForm),
        ({"causal": True, "offset": 1.5}, ArgumentForm),
        ({"causal": True, "offset": "1"}, ArgumentForm),
        ({"top": -1}, BadCount),
        ({"top": 2.5}, BadCount),
        ({"mass_on": 3}, ArgumentForm),
        ({"mass_on": ["x"]}, UnknownMassKey),
        ({"scale": "0.5"}, ArgumentForm),
        ({"softcap": [1, 2]}, ArgumentForm),
        ({"fully_masked": "one"}, UnknownChoice),
        ({"lse_base": "10"}, UnknownChoice),
        ({"softcap": 0.0}, ArgumentForm),
        ({"softcap": float("inf")}, ArgumentForm),
        ({"scale": float("nan")}, ArgumentForm),
        ({"scale": 10**400}, ArgumentForm),
        ({"allowed": [[True]]}, OperandType),
        ({"bias": torch.zeros(3, 3)}, OperandShape),
        ({"alowed": torch.ones(5, 7)}, TypeError),
    ],
    ids=str,
)
def test_what_is_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        w.attend(Q, K, V, **options)


def test_no_heads_are_refused_and_other_empty_axes_are_not() -> None:
    q, k, v = Q[0], K[0], V[0]
    for refused in ((q[:0], k, v), (q, k[:0], v[:0]), (q[:0], k[:0], v[:0])):
        with pytest.raises(OperandShape, match="> 0"):
            w.attend(*refused)
    assert w.attend(q[:, :0], k, v).output.shape == (4, 0, 8)
    assert w.attend(Q[:0], K[:0], V[:0]).output.shape == (0, 4, 5, 8)
    assert w.attend(q, k, v[..., :0]).output.shape == (4, 5, 0)
    assert not w.attend(q, k[:, :0], v[:, :0]).output.any()
    even = w.attend(q[..., :0], k[..., :0], v).output  # all scores are 0: the mean of the values
    assert torch.allclose(even, v.mean(1).repeat_interleave(2, 0)[:, None].expand(4, 5, 8), atol=1e-6)


def test_numbers_of_other_libraries_are_numbers() -> None:
    right = w.attend(Q, K, V, scale=0.5, softcap=2, window=(2, 1), top=3)
    given: dict[str, Any] = {"scale": torch.tensor(0.5), "softcap": np.float32(2), "top": np.int8(3)}
    sides: dict[str, Any] = {"window": [np.int64(2), torch.tensor(1)]}
    found = w.attend(Q, K, V, **given, **sides)
    assert torch.equal(found.output, right.output)
    assert torch.equal(found.top_keys, right.top_keys)
    one = w.attend(Q, K, V, mass_on="first").mass["first"]
    assert torch.equal(one, w.attend(Q, K, V, mass_on=["first"]).mass["first"])


def test_it_shows_itself() -> None:
    found = w.attend(Q, K, V, causal=True, sinks=torch.zeros(4), lang="zh")
    told = json.loads(found.to_json())
    assert told["schema"] == "workings.attention/1"
    assert told["shape"] == {"batch": 2, "heads": 4, "kv_heads": 2, "queries": 5, "keys": 7, "d_k": 8, "d_v": 8}
    assert [(one["batch"], one["head"]) for one in told["heads"]] == [(b, h) for b in range(2) for h in range(4)]
    assert told["heads"][5]["entropy"] == pytest.approx(float(found.entropy[1, 1].mean()))
    assert "注意力：4 个头" in found.to_text()
    assert "<table" in found.to_html()
    assert "text/html" in found._repr_mimebundle_()
    assert "entropy" in w.attend(Q[0], K[0], V[0], lang="en").to_markdown()
    assert "4 heads" in repr(found)
    assert {"output", "lse", "to_html"} <= set(dir(found))


def test_nothing_to_look_at() -> None:
    none = torch.zeros(2, 0, 8)
    assert json.loads(w.attend(none, none, none).to_json())["shape"]["keys"] == 0


@pytest.mark.parametrize("page", ["recordings.md", "recordings.zh.md"])
def test_the_documents_say_what_python_does(page: str) -> None:
    text = (pathlib.Path(__file__).parents[3] / "docs" / page).read_text(encoding="utf-8")
    (body,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "w.attend(" in block]
    program = body.replace("4096", "512")
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102
    found = names["found"]
    assert found.output.shape == (12, 512, 64)
    torch.testing.assert_close(found.top_weights.sum(-1) + found.rest, torch.ones(12, 512, dtype=torch.float64))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("options", [{}, {"causal": True}, {"scale": 0.5}], ids=str)
def test_a_head_without_dimensions_looks_at_all_alike_here_and_in_a_dump(options: dict[str, Any], lang: str) -> None:
    """Its scores are sums of nothing; 1/√0 times them would be no number."""
    nothing, values = torch.zeros(1, 2, 3, 0), torch.arange(24.0).reshape(1, 2, 3, 4)
    found = w.attend(nothing, nothing, values, **options)
    assert torch.isfinite(found.output).all()
    if not options:
        assert torch.allclose(found.output, values.mean(2, keepdim=True).expand_as(values))
    told = {"causal": "causal", "scale": "multiply_by"}
    said = {told[name]: "bottom-right" if name == "causal" else value for name, value in options.items()}
    dump = {"Q": nothing.numpy(), "K": nothing.numpy(), "V": values.numpy(), "lse": found.lse.float().numpy()}
    report = w.compare({**dump, "head_output": found.output.numpy()}, lang=lang, **said)
    assert report.holds
    off = w.compare({**dump, "head_output": found.output.numpy() + 1}, lang=lang, **said)
    assert off.first_step == "head_output"

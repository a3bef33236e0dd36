"""Where libraries differ though each is right: what a row with nothing allowed gives, and where causal is aligned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from conformance.onnx_cases import cases, version
from workings.fast.streamed import attend
from workings.steps.spec import AttentionSpec, Mask

REPORTED = "measured once with that version, not in this run"


@dataclass(frozen=True, slots=True)
class Convention:
    """One library's answer; ``measured`` works it out in this run, or says where it is from."""

    question: str
    library: str
    answer: str
    ours: str
    measured: Callable[[], str] | str


def _named(row: torch.Tensor) -> str:
    """What the weights of a row with nothing allowed are called."""
    if bool(row.isnan().any()):
        return "NaN"
    return "0" if bool((row == 0).all()) else "uniform" if torch.allclose(row, row.mean()) else "something else"


def _onnx() -> str:
    case = cases()["test_attention_23_fullymasked_qk_matmul_output_mode3_zero"]
    nothing = ~case.inputs["attn_mask"].any(-1)
    return _named(torch.tensor(case.outputs["qk_matmul_output"][..., nothing, :]))


def _sdpa() -> str:
    q, k, mask = torch.ones(1, 1, 1, 2), torch.ones(1, 1, 4, 2), torch.zeros(1, 4, dtype=torch.bool)
    return _named(scaled_dot_product_attention(q, k, torch.eye(4)[None, None], attn_mask=mask))


def _eager() -> str:
    """As transformers' eager attention does it: the smallest number of the type is added in place of -inf."""
    return _named((torch.zeros(4) + torch.finfo(torch.float32).min).softmax(-1))


def _by_hand() -> str:
    with np.errstate(invalid="ignore"):
        logits = np.full(4, -np.inf)
        powers = np.exp(logits - logits.max())
        return _named(torch.from_numpy(powers / powers.sum()))


def _ours(convention: str) -> str:
    spec = AttentionSpec(mask=Mask("band", table=True), fully_masked=convention)
    q, k = torch.ones(1, 1, 2), torch.ones(1, 4, 2)
    return _named(attend(q, k, k, spec, allowed=torch.zeros(1, 4, dtype=torch.bool)).weights_row(0, 0))


def _sdpa_causal() -> str:
    q, k = torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 4, 2)
    weights = scaled_dot_product_attention(q, k, torch.eye(4)[None, None], is_causal=True)
    return "top-left" if int((weights[0, 0, 0] > 0).sum()) == 1 else "bottom-right"


def conventions() -> list[Convention]:
    """Every convention of the table."""
    nothing, causal = "a row with nothing allowed", "causal with fewer queries than keys"
    zero, uniform, nan = (f'`fully_masked = "{name}"`' for name in ("zero", "uniform", "nan"))
    first, last = '`Mask("causal-top-left")`', '`Mask("causal")`'
    return [
        Convention(nothing, version(), "0", zero, _onnx),
        Convention(nothing, f"torch {torch.__version__.split('+')[0]} SDPA, CPU", "0", zero, _sdpa),
        Convention(nothing, "transformers eager (smallest finite number added)", "uniform", uniform, _eager),
        Convention(nothing, "jax 0.10.2", "uniform", uniform, REPORTED),
        Convention(nothing, "softmax by hand, numpy", "NaN", nan, _by_hand),
        Convention(nothing, "torch SDPA, CUDA", "NaN", nan, "reported: unslothai/unsloth#9848"),
        Convention(causal, "torch SDPA `is_causal`", "top-left", first, _sdpa_causal),
        Convention(causal, "ONNX without a cache", "top-left", first, "its node tests, above"),
        Convention(causal, "jax 0.10.2", "top-left", first, REPORTED),
        Convention(causal, "ONNX with a cache", "bottom-right", last, "its node tests, above"),
        Convention(causal, "decoding with a cache", "bottom-right", last, "by what it means"),
    ]


def table() -> str:
    """The conventions as a Markdown table."""
    lines = ["| | library | gives | here | how it is known |", "|---|---|---|---|---|"]
    for item in conventions():
        known = item.measured if isinstance(item.measured, str) else f"this run: {item.measured()}"
        lines.append(f"| {item.question} | {item.library} | {item.answer} | {item.ours} | {known} |")
    return "\n".join(lines) + "\n"

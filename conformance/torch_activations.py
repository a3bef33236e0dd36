"""Activations of the feed-forward by torch in float64: each declared one, over numbers small, usual and large."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import gelu, silu

from conformance.declared import Declared, tolerance
from conformance.row import Comparison, Outcome, Row, row
from workings.steps.block import ACTIVATION

HIDDEN = ("token", "d_ff")
NUMBERS = 120
SIZES = (1e-3, 1.0, 30.0)


def _torch(kind: str, hidden: Tensor, gate: Tensor) -> Tensor:
    if kind == "relu":
        return torch.relu(hidden)
    gated = {"swiglu": silu, "geglu-tanh": lambda numbers: gelu(numbers, approximate="tanh")}
    if kind in gated:
        return gated[kind](gate) * hidden
    return gelu(hidden, approximate="tanh" if "tanh" in kind else "none")


def check(kind: str) -> Outcome:
    """One activation."""
    numbers, compared = torch.Generator().manual_seed(0), Comparison(kind, "float64")
    for size in SIZES:
        hidden, gate = torch.randn(2, 1, NUMBERS, dtype=torch.float64, generator=numbers) * size
        given = {"ffn_hidden": (HIDDEN, hidden.numpy()), "ffn_gate": (HIDDEN, gate.numpy())}
        values, bound = Declared([(ACTIVATION[kind], {})], given, "float64").array("ffn_act")
        compared.add(f"size {size}", values, _torch(kind, hidden, gate), bound)
    return compared.outcome()


def run() -> list[Row]:
    """All of them, in one row."""
    suite = f"torch {torch.__version__.split('+')[0]} activations"
    return [row(suite, "`ffn_act`: " + ", ".join(ACTIVATION), tolerance("float64"), map(check, ACTIVATION))]

"""The stretches of a step of training: attention and what surrounds it, the loss, the gradients, the new weights."""

from __future__ import annotations

from workings.steps.loss import STEPS
from workings.steps.step import Op

DERIVED = {"grad": "backward", "updated": "updated"}


def stage_of(op: Op) -> str:
    """``forward`` (to the loss), ``backward`` or ``updated``; empty for attention and what surrounds it."""
    if op.name.part:
        return DERIVED[op.name.part]
    return "forward" if op.step in STEPS else ""

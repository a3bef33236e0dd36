"""Runs so small that a test can make them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from workings.learning.plan import Plan

TINY = Plan(
    steps=12, batch=4, layers=2, heads=2, width=16, inner=16, stories=120, snapshots=(0, 5), warmup=2, source="story-zh"
)


@cache
def tiny_run() -> Path:
    """A finished run of ``TINY``, made once for each process of tests."""
    from workings.learning.train import learn

    folder = Path(mkdtemp(prefix="workings-learned-")) / "tiny"
    learn(TINY, folder)
    return folder

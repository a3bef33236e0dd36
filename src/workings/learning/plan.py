"""What is trained, on what and how: all that decides on the numbers of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

BUILT_IN = {"story-en": "en", "story-zh": "zh"}
SCHEMA = "workings.learning/1"


@dataclass(frozen=True)
class Plan:
    """A run.

    Attributes:
        source: ``story-en``, ``story-zh``, or the name of the user's text file.
        sha256: of the user's text; empty for the stories.
        seed: of the stories, of the first weights and of the order of reading.
        steps, batch: how many steps, and how many stories (or stretches of the text) each reads.
        rate, decay, warmup: AdamW's largest rate and its weight decay; steps until that rate is reached.
        layers, heads, width, inner: the shape of the model; ``inner`` is the width of its feed-forward.
        stories: how many there are to train on.
        stretch: tokens of a stretch of the user's text.
        vocabulary: the most pieces that are learned of the user's text.
        snapshots: the steps after which the weights are kept; the last one always is.
        threads: how many torch works on; another number may give other last digits.
    """

    source: str = "story-en"
    sha256: str = ""
    seed: int = 1
    steps: int = 600
    batch: int = 48
    rate: float = 3e-3
    decay: float = 0.5
    warmup: int = 50
    layers: int = 2
    heads: int = 2
    width: int = 64
    inner: int = 128
    stories: int = 30_000
    stretch: int = 64
    vocabulary: int = 1024
    snapshots: tuple[int, ...] = (0, 50, 100, 150, 200, 300, 400)
    threads: int = 1

    @property
    def lang(self) -> str:
        """The language of the stories; empty for the user's text."""
        return BUILT_IN.get(self.source, "")

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps after which the weights are kept, in order."""
        return tuple(sorted({step for step in self.snapshots if 0 <= step < self.steps} | {self.steps}))

    def data(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {**asdict(self), "snapshots": list(self.snapshots)}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """A plan from what ``data`` gave; what a later version may add is left out."""
    known = {field.name: data[field.name] for field in fields(Plan) if field.name in data}
    return Plan(**{**known, "snapshots": tuple(known.get("snapshots", ()))})


def snapshot_folder(folder: str | os.PathLike[str], step: int) -> str:
    """Where the weights after a step lie in the folder of a run."""
    return os.path.join(os.fspath(folder), "snapshots", f"{step:06d}")


def rate_at(plan: Plan, step: int) -> float:
    """The rate of a step (from 0): a straight rise, then half a cosine down to a twentieth (Loshchilov 2017)."""
    from math import cos, pi

    rise = min(1.0, (step + 1) / max(plan.warmup, 1))
    return plan.rate * rise * (0.05 + 0.95 * (1 + cos(pi * step / plan.steps)) / 2)


def order_of(seed: int, epoch: int, count: int) -> Sequence[int]:
    """The order in which an epoch reads (Fisher and Yates 1938), from the stated generator."""
    from workings.learning.corpus import Draw

    draw, order = Draw(seed, f"order-{epoch}"), list(range(count))
    for last in range(count - 1, 0, -1):
        place = draw.below(last + 1)
        order[last], order[place] = order[place], order[last]
    return order

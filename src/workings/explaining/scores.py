"""The scores of a model's heads as a display tree: all of them in a table, or those that stand out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workings.explaining.tree import Block, Code, Document, Inline, Items, Number, Paragraph, Table, Text
from workings.models.scores import NEAR, SCORES, bound_of

MOST_DECIMALS = 3
OUTSTANDING = 3  # heads named for each score
NONE = "–"


class HeadScores(NamedTuple):
    """One head: its address, its scores, and how far off each may be."""

    address: str
    scores: Mapping[str, float | None]
    bounds: Mapping[str, float | None]


def heads_of(told: Mapping[str, Any]) -> list[HeadScores]:
    """Every head of a recording that has scores, in order; ``told`` is its index."""
    found = []
    for layer in told["layers"]:
        for place, head in enumerate(layer["heads"] if "scores" in layer else ()):
            scores = {name: values[place] for name, values in layer["scores"].items()}
            largest = {name: values[place] for name, values in layer["rows"].get("bounds", {}).items()}
            bounds = {name: None if value is None else bound_of(name, value, largest) for name, value in scores.items()}
            found.append(HeadScores(f"{layer['address']}.H{head}", scores, bounds))
    return found


def names_of(heads: Sequence[HeadScores]) -> list[str]:
    """The scores that some head has, in their order."""
    return [name for name in SCORES if any(head.scores.get(name) is not None for head in heads)]


def ranked(heads: Sequence[HeadScores], name: str, *, least_first: bool = False) -> list[HeadScores]:
    """Sorted by a score, the largest first; heads without it come last."""

    def key(head: HeadScores) -> tuple[bool, float]:
        value = head.scores.get(name)
        return (value is None, 0.0 if value is None else value if least_first else -value)

    return sorted(heads, key=key)


def table(heads: Sequence[HeadScores], title: Inline) -> Document:
    """All heads with all their scores, and what each means."""
    names = names_of(heads)
    header = (Text("models.head"), *(Text(f"models.score.{name}") for name in names))
    rows = tuple((Code(head.address), *(printed(head, name) for name in names)) for head in heads)
    return Document(title, (Table(header, rows), _meanings(names)) if names else (_none(),))


def outstanding(heads: Sequence[HeadScores]) -> list[Block]:
    """For each score what it means, and the heads where it is largest."""
    rows = []
    for name in names_of(heads):
        first = [head for head in ranked(heads, name)[:OUTSTANDING] if head.scores.get(name) is not None]
        listed = Items(tuple(_beside(head, name) for head in first))
        rows.append((Text(f"models.score.{name}"), Code(SCORES[name].formula), listed))
    header = (Text("models.scores.score"), Text("models.scores.formula"), Text("models.scores.largest"))
    return [Table(header, tuple(rows)), Paragraph((Text("models.scores.how"),))] if rows else []


def _meanings(names: Sequence[str]) -> Table:
    rows = tuple(
        (Text(f"models.score.{name}"), Code(SCORES[name].formula), Text(f"models.score.{name}.about", {"near": NEAR}))
        for name in names
    )
    return Table((Text("models.scores.score"), Text("models.scores.formula"), Text("models.scores.meaning")), rows)


def _none() -> Paragraph:
    return Paragraph((Text("models.scores.none"),))


def _beside(head: HeadScores, name: str) -> Inline:
    return Text("models.scores.of", {"head": Code(head.address), "score": printed(head, name)})


def printed(head: HeadScores, name: str) -> Inline:
    """With as many decimals as its bound leaves sure, three at the most."""
    value, bound = head.scores.get(name), head.bounds.get(name)
    if value is None:
        return Number(NONE)
    sure = MOST_DECIMALS if not bound else math.floor(-math.log10(2 * bound))
    return Number(f"{value:.{max(0, min(MOST_DECIMALS, sure))}f}")

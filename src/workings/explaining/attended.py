"""A streamed attention as a display tree: a row for each head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workings.explaining.tree import Code, Document, Inline, Table, Text

BOUNDS = ("output_bound", "lse_bound", "weight_bound")


def overview(told: Mapping[str, Any]) -> Document:
    """What ``workings.attention/1`` says of every head."""
    shape, heads = told["shape"], told["heads"]
    sinks = any(one["sink_share"] for one in heads)
    means = ("entropy", "largest_weight", *(("sink_share",) if sinks else ()))
    title = Text("models.attended.title", {name: shape[name] for name in ("heads", "queries", "keys")})
    columns = tuple(Text(f"models.attended.{name}") for name in ("head", *means, *BOUNDS))

    def row(one: Mapping[str, Any]) -> tuple[Inline, ...]:
        place = f"{one['batch']}, {one['head']}" if shape["batch"] > 1 else str(one["head"])
        numbers = [f"{one[name]:.4f}" for name in means] + [f"{one[name]:.1e}" for name in BOUNDS]
        return tuple(Code(text) for text in (place, *numbers))

    return Document(title, (Table(columns, tuple(row(one) for one in heads)),))

"""A recorded model as a display tree: a worked example beside the real model, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workings.explaining.scores import heads_of, outstanding
from workings.explaining.tree import Block, Code, Document, Inline, Items, Paragraph, Table, Text


def overview(told: Mapping[str, Any], path: str) -> Document:
    """What was recorded.

    Args:
        told: the index of the recording, ``workings.recording/1``.
        path: where it lies, for the command that shows a number of it.
    """
    model, layers = told["model"], told["layers"]
    title = Text("models.title", {"name": Code(str(model.get("name", "")))})
    blocks: list[Block] = [_beside(told)]
    for odd in told.get("not_finite", []):
        first = Code("[" + ",".join(map(str, odd["first"])) + "]")
        found = {"tensor": Code(odd["tensor"]), "nan": odd["nan"], "inf": odd["inf"], "first": first}
        blocks.append(Paragraph((Text("models.not_finite", found),)))
    blocks += outstanding(heads_of(told))
    if layers:
        last = layers[-1]
        row = last["queries"] - 1
        address = f"{last['address']}.H{last['heads'][0]}.weight[{row},0]"
        blocks.append(Paragraph((Text("models.ask", {"command": Code(f"workings cell {path} '{address}'")}),)))
    return Document(title, tuple(blocks))


def _beside(told: Mapping[str, Any]) -> Table:
    rows = [(f"models.{name}", value) for name, value in _facts(told)]
    return Table(
        (Text("models.what"), Text("models.toy"), Text("models.real")),
        tuple((Text(key), Text(f"{key}.toy"), value) for key, value in rows),
    )


def _facts(told: Mapping[str, Any]) -> list[tuple[str, Inline]]:
    model, layers = told["model"], told["layers"]
    modules = Items(tuple(Code(name) for name in model.get("projections", [])))
    layout = model.get("layout", "unknown")
    how = Text(f"models.layout.{layout}", {} if layout == "unknown" else {"modules": modules})
    facts: list[tuple[str, Inline]] = [("weights", how)]
    if layers:
        heads, shared = layers[0]["head_count"], layers[0]["kv_head_count"]
        many: dict[str, Inline] = {"heads": heads, "kv_heads": shared}
        facts += [
            ("width", Items((Code(str(layers[0]["d_k"])), Code(str(layers[0]["d_v"]))))),
            ("heads", Code(str(heads)) if heads == shared else Text("models.heads.shared", many)),
            ("layers", Text("models.layers.some", {"count": len(layers)})),
            ("tokens", Code(f"{max(layer['keys'] for layer in layers):,}")),
        ]
    if told.get("vocabulary"):
        facts.append(("vocabulary", Code(f"{told['vocabulary']:,}")))
    if model.get("parameters"):
        facts.append(("parameters", Code(f"{model['parameters']:,}")))
    return [*facts, ("dtype", Code(str(told.get("dtype", ""))))]

"""The report of a run as a display tree: what was learned, beside the untrained model and beside guessing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Line,
    Number,
    Panel,
    Paragraph,
    Plot,
    Table,
    Text,
)

GROUPS = ("all", "word", "pattern", "both")
AIMS = {"answer": 0.95, "largest": 0.9}


def document(found: Mapping[str, Any]) -> Document:
    """What ``report`` found."""
    plan, loss = found["plan"], found["loss"]
    size = {"layers": plan["layers"], "heads": plan["heads"], "width": plan["width"]}
    run: dict[str, Inline] = {"steps": plan["steps"], "batch": plan["batch"], "seed": plan["seed"]}
    opening = [
        Text("learning.model", {**size, "parameters": Code(f"{found['parameters']:,}")}),
        Text("learning.run", {**run, "seconds": Number(f"{found['seconds']:,.0f}"), "threads": plan["threads"]}),
        Text("learning.loss", {name: Number(f"{value:.3f}") for name, value in loss.items()}),
    ]
    blocks: list[Block] = [Paragraph(tuple(opening))]
    told = found["stories"]
    if told is None:
        blocks.append(Paragraph((Text("learning.no_stories"),)))
    else:
        blocks += [*_learned(told), *_watched(told, plan["heads"])]
    return Document(Text("learning.title", {"source": Code(plan["source"])}), tuple(blocks))


def _learned(told: Mapping[str, Any]) -> list[Block]:
    """The last weights on held-out stories, beside the baselines."""
    held, untrained, chance = told["held_out"], told["untrained"], told["chance"]
    head = Code(told["head"])
    rows: list[tuple[Inline, ...]] = [
        (
            Text(f"learning.answer.{group}", {"count": held["stories"][group]}),
            _percent(held["answer"][group]),
            _percent(untrained["answer"][group]),
            _percent(chance["answer"]) if group == "all" else Text("learning.none"),
        )
        for group in GROUPS
        if held["stories"][group]
    ]
    rows += [
        (
            Text("learning.largest", {"head": head}),
            _percent(held["largest"]),
            _percent(untrained["largest"]),
            _percent(chance["largest"]),
        ),
        (
            Text("learning.shuffled", {"head": head}),
            _percent(told["shuffled"]),
            Text("learning.none"),
            Text("learning.none"),
        ),
        (
            Text("learning.weight", {"head": head}),
            Number(f"{held['weight']:.3f}"),
            Number(f"{untrained['weight']:.3f}"),
            Text("learning.none"),
        ),
    ]
    header = tuple(Text(f"learning.{name}") for name in ("what", "trained", "untrained", "chance"))
    reached = all(held[name] >= aim for name, aim in (("largest", AIMS["largest"]),)) and (
        held["answer"]["all"] >= AIMS["answer"]
    )
    aims: dict[str, Inline] = {name: Number(f"{aim:.0%}".replace("%", " %")) for name, aim in AIMS.items()}
    return [
        Heading(2, Text("learning.held_out")),
        Paragraph((Text("learning.how", {"head": head}),)),
        Table(header, tuple(rows)),
        Paragraph((Text("learning.reached" if reached else "learning.below", aims),)),
    ]


def _watched(told: Mapping[str, Any], across: int) -> list[Block]:
    """Every head at every snapshot."""
    seen = told["snapshots"]
    steps = tuple(Text("learning.step", {"step": one["step"]}) for one in seen)
    heads: tuple[tuple[Inline, ...], ...] = tuple(
        (Code(head), *(_percent(one["heads"][head]["held_out"]) for one in seen)) for head in seen[-1]["heads"]
    )
    course: tuple[tuple[Inline, ...], ...] = (
        (Text("learning.course.loss"), *(Number(f"{one['loss']:.3f}") for one in seen)),
        (Text("learning.course.validation"), *(_percent(one["answer"]["validation"]) for one in seen)),
        (Text("learning.course.held_out"), *(_percent(one["answer"]["all"]) for one in seen)),
    )
    return [
        Heading(2, Text("learning.heads")),
        Paragraph((Text("learning.heads.how"),)),
        Table((Text("learning.head"), *steps), heads),
        plot(told, across),
        Heading(2, Text("learning.course")),
        Table((Text("learning.what"), *steps), course),
    ]


def plot(told: Mapping[str, Any], columns: int) -> Plot:
    """The same as a picture: a panel for each head, with its baselines."""
    seen, chosen = told["snapshots"], told["head"]

    def line(kind: str, *shares: float) -> Line:
        return Line(kind, Text(f"learning.plot.{kind}"), tuple((share, _percent(share).text) for share in shares))

    panels = tuple(
        Panel(
            Text("learning.plot.chosen", {"head": Code(head)}) if head == chosen else Code(head),
            (
                line("main", *(one["heads"][head]["held_out"] for one in seen)),
                line("shuffled", *(one["heads"][head]["shuffled"] for one in seen)),
                line("untrained", told["untrained"]["heads"][head]),
                line("chance", told["chance"]["largest"]),
            ),
        )
        for head in seen[-1]["heads"]
    )
    steps = tuple(one["step"] for one in seen)
    return Plot(Text("learning.plot.title"), Text("learning.plot.across"), steps, panels, columns)


def _percent(share: float) -> Number:
    return Number(f"{100 * share:.1f} %")

"""A worked example from the embedding to the output: every step in order, as a display tree."""

from __future__ import annotations

from workings.explaining.closing import closing
from workings.explaining.focus import Focus
from workings.explaining.numbers import Numbers
from workings.explaining.opening import given, opening
from workings.explaining.options import Options
from workings.explaining.stages import stage_of
from workings.explaining.steps import StepWriter
from workings.explaining.tree import Block, Code, Document, Heading, Named, Text
from workings.steps.step import Op
from workings.traces.trace import Trace


def explain(trace: Trace, options: Options) -> Document:
    """Every step of a trace written out.

    Raises:
        UnknownChoice, UnknownToken, TokenNotUnique: for options that name nothing in this trace.
    """
    numbers = Numbers(trace, options.digits, options.truth)
    focus = Focus(trace, options)
    writer = StepWriter(trace, numbers, focus, options.truth)
    blocks: list[Block] = [*opening(trace, numbers)]
    place: tuple[int | None, int | None, int | None] = (None, None, None)
    stage = ""
    for number, op in enumerate(trace.ops(), start=1):
        new = stage_of(op)
        if new != stage:
            blocks.append(Heading(2, Text(f"part.{new}")))
            stage, place = new, (op.name.layer, op.name.head, op.name.group)
        here = (op.name.layer, op.name.head, op.name.group)
        if here != place:
            blocks.extend(part(numbers, op, place))
            place = here
        blocks.extend(writer.step(op, number))
    blocks.extend(closing(trace, numbers, focus))
    return Document(Named(trace.source.title), tuple(blocks))


def part(numbers: Numbers, op: Op, before: tuple[int | None, int | None, int | None]) -> list[Block]:
    """A heading where another layer, head or group begins."""
    layer, head, group = op.name.layer, op.name.head, op.name.group
    sizes = numbers.trace.recipe.sizes
    out: list[Block] = []
    if layer is not None and layer != before[0]:
        out.append(Heading(2, Text("part.layer", {"layer": Code(f"L{layer}"), "n": layer + 1, "of": sizes["layers"]})))
        out.extend(given(numbers, layer))
    if head is not None and head != before[1]:
        out.append(Heading(2, Text("part.head", {"head": Code(f"H{head}"), "n": head + 1, "of": sizes["heads"]})))
    elif group is not None and group != before[2]:
        out.append(
            Heading(2, Text("part.group", {"group": Code(f"G{group}"), "n": group + 1, "of": sizes["kv_heads"]}))
        )
    elif head is None and group is None and (before[1] is not None or before[2] is not None):
        out.append(Heading(2, Text("part.together")))
    return out

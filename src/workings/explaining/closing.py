"""How an explanation closes: how the data flowed, and this toy beside a real model."""

from __future__ import annotations

from workings.explaining.focus import Focus
from workings.explaining.numbers import Numbers
from workings.explaining.reading import Reader
from workings.explaining.stages import stage_of
from workings.explaining.tree import Block, Code, Heading, Inline, Number, Paragraph, Table, Text, Token
from workings.terms.address import Address, Name
from workings.traces.trace import Trace


def closing(trace: Trace, numbers: Numbers, focus: Focus) -> list[Block]:
    """The summary of how the data flowed and the table."""
    return [
        Heading(2, Text("part.flow")),
        *(Paragraph((sentence,)) for sentence in flow(trace, numbers, focus)),
        Heading(2, Text("part.beside")),
        beside(trace),
    ]


def flow(trace: Trace, numbers: Numbers, focus: Focus) -> list[Inline]:
    """The way of one token's numbers through the first layer and head, and on to the end."""
    recipe = trace.recipe
    word = Token(focus.word)
    layer, head = recipe.layer_place(0), recipe.head_place(0)
    many = "_head" if head is not None else ""
    here: dict[str, Inline] = {"head": Code(f"H{head}")} if many else {}
    out: list[Inline] = []
    x = _first(trace, (Name("X"), Name("X", layer), Name("embedding")))
    if x is not None:
        out.append(Text("flow.input", {"token": word, "vector": _row(numbers, x, focus.row)}))
    query = Name("Q", layer, head=head)
    if recipe.has(query):
        key = "flow.projected" if recipe.op(query) is not None else "flow.given"
        out.append(Text(key + many, {**here, "token": word, "vector": _row(numbers, query, focus.row)}))
    weight = Name("weight", layer, head=head)
    said, *sink = Reader(numbers).shares(weight, focus.row)
    if sink:
        said = Text("flow.sink", {"said": said, "sink": sink[0]})
    out.append(Text("flow.looked" + many, {**here, "said": said}))
    output = Name("output", layer)
    if recipe.has(output):
        made = recipe.op(output)
        plain = made is not None and made.step.is_view
        key = "flow.output_heads" if many else "flow.output" if plain else "flow.output_made"
        out.append(Text(key, {"token": word, "vector": _row(numbers, output, focus.row)}))
    last = [op for op in recipe.ops if not stage_of(op)][-1].name
    if recipe.sizes["layers"] > 1 or last.name not in ("output", "lse"):
        args: dict[str, Inline] = {
            "token": word,
            "vector": _row(numbers, last, focus.row),
            "layers": recipe.sizes["layers"],
        }
        out.append(Text("flow.layers" if recipe.sizes["layers"] > 1 else "flow.block", args))
    elif recipe.has(output):
        out.append(Text("flow.next"))
    return [*out, *_learned(trace, numbers)]


def _learned(trace: Trace, numbers: Numbers) -> list[Inline]:
    """What the loss is made of, where something is to be learned."""
    out: list[Inline] = []
    for row, column in enumerate(trace.recipe.tables.get("target", ())):
        if column >= 0:
            probability = Number(numbers.percent(Address(Name("probability"), (row, column))))
            surprise = Number(numbers.shown(Address(Name("surprise"), (row,))).text)
            out.append(Text("flow.loss", {"probability": probability, "loss": surprise}))
    return out


def _first(trace: Trace, names: tuple[Name, ...]) -> Name | None:
    return next((name for name in names if trace.recipe.has(name)), None)


def _row(numbers: Numbers, name: Name, row: int) -> Inline:
    width = numbers.trace.array(name).shape[1]
    return Number(numbers.vector([Address(name, (row, column)) for column in range(width)]))


def beside(trace: Trace) -> Table:
    """The documents' own table, toy beside a real model, filled with this example's sizes."""
    sizes = trace.recipe.sizes
    made = any(op.step.name == "Q" for op in trace.ops())
    rows: list[tuple[str, Inline]] = [
        ("beside.weights", Text("beside.made" if made else "beside.given")),
        *([("beside.width", Code(str(sizes["d_k"])))] if "d_k" in sizes else []),
        ("beside.tokens", Code(str(sizes["key"]))),
        ("beside.heads", Code(str(sizes["heads"]))),
        ("beside.layers", Code(str(sizes["layers"]))),
    ]
    if "word" in sizes:
        rows.append(("beside.vocabulary", Code(str(sizes["word"]))))
    return Table(
        (Text("beside.what"), Text("beside.toy"), Text("beside.real")),
        tuple((Text(key), value, Text(f"{key}.real")) for key, value in rows),
    )

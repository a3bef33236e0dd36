"""One head of a recorded model as a page: what it is, what its queries look at, and one query's row step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workings.explaining.numbers import Numbers, percent
from workings.explaining.steps import does
from workings.explaining.symbols import general_formula
from workings.explaining.tree import (
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Items,
    Named,
    Number,
    Paragraph,
    Table,
    Text,
    Token,
)
from workings.steps.language import Add, Cell
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.digits import Precision, json_digits
from workings.traces.trace import Trace

MOST_ROWS = 24  # queries of a longer text: those that look most sharply
TOP = 8
SHOWN_KEYS = 3
SHOWN_DIMENSIONS = 4


@dataclass(frozen=True)
class HeadView:
    """A head and what is looked up about it.

    Attributes:
        trace: from the recorded Q, K and V on.
        place: its weights.
        model: what the model is called.
        dtype: the type that the model ran in.
        entropy: of each query, in nats.
        top: of each query the keys with the ``TOP`` largest weights, and these.
        query: whose row is followed.
    """

    trace: Trace
    place: Name
    model: str
    dtype: str
    entropy: Sequence[float]
    top: Sequence[Sequence[tuple[int, float]]]
    query: int


def explain_head(head: HeadView, precision: Precision) -> Document:
    """The whole page."""
    numbers = Numbers(head.trace, precision)
    title = Text("models.head.title", {"head": Code(_spelled(head)), "model": Code(head.model)})
    blocks: list[Block] = [Paragraph(tuple(_facts(head, numbers)))]
    blocks += _rows(head)
    blocks.append(Heading(2, Text("models.head.row", {"query": _word(head, "query", head.query)})))
    keys = [key for key, _ in head.top[head.query]]
    blocks += [block for op in head.trace.ops() for block in _step(head, numbers, op, keys)]
    blocks += _together(head, numbers, keys)
    return Document(title, tuple(blocks))


def _spelled(head: HeadView) -> str:
    return str(head.place).rpartition(".")[0]


def _word(head: HeadView, axis: str, place: int) -> Inline:
    words = head.trace.words(axis)
    return Token(words[place]) if words else Code(f"{axis}={place}")


# --- facts -----------------------------------------------------------------------------------------------------------


def _facts(head: HeadView, numbers: Numbers) -> list[Inline]:
    recipe = head.trace.recipe
    spec, sizes = recipe.spec, recipe.sizes
    named = ("query", "key", "d_k", "d_v")
    dims = Items(tuple(Text("setting.size", {"axis": Code(axis), "size": sizes[axis]}) for axis in named))
    out: list[Inline] = [Text("setting.sizes", {"sizes": dims})]
    if sizes["kv_heads"] != sizes["heads"]:
        out.append(Text("setting.grouped", {"heads": sizes["heads"], "kv_heads": sizes["kv_heads"]}))
    mask = spec.mask
    if mask.kind == "band":
        sides: list[tuple[str, int | None]] = [("left", mask.left), ("right", mask.right)]
        out += [Text(f"models.head.band.{side}", {"n": limit}) for side, limit in sides if limit is not None]
    elif mask.kind != "none":
        out.append(Text(f"setting.mask.{mask.kind}", {"n": mask.window}))
    out += [Text(f"setting.{name}") for name in ("bias", "sink") if getattr(spec, name)]
    out.append(Text("models.head.dtype", {"dtype": Code(head.dtype)}))
    return out


def _rows(head: HeadView) -> list[Block]:
    """What queries look at: all of a short text, of a longer one those that look most sharply."""
    order = sorted(range(len(head.entropy)), key=head.entropy.__getitem__)
    chosen = sorted(order[:MOST_ROWS])
    rows: list[tuple[Inline, ...]] = []
    for query in chosen:
        looked = tuple(_looked(head, query, key) for key, _ in head.top[query][:SHOWN_KEYS])
        rows.append((_word(head, "query", query), Number(f"{head.entropy[query]:.3f}"), Items(looked)))
    columns = (Text("models.head.query"), Text("models.head.entropy"), Text("models.head.keys"))
    out: list[Block] = [Heading(2, Text("models.head.rows"))]
    if len(order) > MOST_ROWS:
        out.append(Paragraph((Text("models.head.sharpest", {"n": MOST_ROWS, "of": len(order)}),)))
    return [*out, Table(columns, tuple(rows))]


def _looked(head: HeadView, query: int, key: int) -> Inline:
    share = Number(percent(head.trace.value(Address(head.place, (query, key)))))
    return Text("models.head.look", {"key": _word(head, "key", key), "share": share})


# --- one row ---------------------------------------------------------------------------------------------------------


def _step(head: HeadView, numbers: Numbers, op: Op, keys: Sequence[int]) -> list[Block]:
    """What a step does, its formula, and its arithmetic for the key that is looked at most."""
    title = Text("models.head.step", {"title": Named(op.step.title), "address": Code(str(op.name))})
    out: list[Block] = [Heading(3, title, str(op.name)), Paragraph((does(numbers, op.step),))]
    out += general_formula(head.trace.recipe, op)
    if op.axes[1:] == ("key",):
        indices: list[tuple[int, ...]] = [(head.query, keys[0])]
    else:
        indices = [(head.query, place) for place in range(SHOWN_DIMENSIONS)] if op.axes[1:] else [(head.query,)]
    lines = (numbers.line(Address(op.name, at), whole=False) for at in indices if all(map(_inside, at, op.shape)))
    return [*out, *(line for line in lines if line is not None)]


def _inside(place: int, size: int) -> bool:
    return place < size


def _together(head: HeadView, numbers: Numbers, keys: Sequence[int]) -> list[Block]:
    """The row of every array with keys, its largest weights first, and the others as one number."""
    arrays = [op for op in head.trace.ops() if op.axes[1:] == ("key",)]
    rows: list[tuple[Inline, ...]] = [
        (_word(head, "key", key), *(Number(numbers.shown(Address(op.name, (head.query, key))).text) for op in arrays))
        for key in keys
    ]
    columns: tuple[Inline, ...] = (Text("models.head.key"), *(Code(op.name.name) for op in arrays))
    out: list[Block] = [Heading(3, Text("models.head.together")), Table(columns, tuple(rows))]
    shown = set(keys)
    others = [key for key in range(head.trace.recipe.sizes["key"]) if key not in shown]
    if len(others) > 1:
        rest = Add(*(Cell(Address(head.place, (head.query, key))) for key in others))
        share = Number(percent(head.trace.engine.evaluate(rest)))
        out.append(Paragraph((Text("models.head.others", {"n": len(others), "share": share}),)))
    return out


def head_data(head: HeadView) -> dict[str, Any]:
    """``workings.head/1``: every query's entropy and largest weights, and the row of one query."""
    words, others = head.trace.words("query"), head.trace.words("key")
    rows = [
        {
            "query": query,
            "word": words[query] if words else None,
            "entropy": float(entropy),
            "top": [
                {"key": key, "word": others[key] if others else None, "weight": weight}
                for key, weight in head.top[query]
            ],
        }
        for query, entropy in enumerate(head.entropy)
    ]
    steps = [
        {"name": op.name.name, "address": str(op.name), "axes": list(op.axes[1:]), "values": _values(head, op)}
        for op in head.trace.ops()
    ]
    return {
        "schema": "workings.head/1",
        "address": _spelled(head),
        "model": head.model,
        "dtype": head.dtype,
        "rows": rows,
        "query": head.query,
        "steps": steps,
    }


def _values(head: HeadView, op: Op) -> Any:
    """The numbers of a step that belong to the query."""
    if not op.axes[1:]:
        return json_digits(head.trace.value(Address(op.name, (head.query,))))
    return [json_digits(head.trace.value(Address(op.name, (head.query, place)))) for place in range(op.shape[1])]

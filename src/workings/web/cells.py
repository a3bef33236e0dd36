"""Numbers of a recording as the model page shows them: one with its arithmetic, a query's row, a token's way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workings.explaining.numbers import Numbers
from workings.explaining.one import about, products
from workings.explaining.pipeline import SHOWN, Stage, entering, stages
from workings.explaining.shares import Shares, shares, told
from workings.explaining.tree import Document, Equation, Paragraph, Text
from workings.render import latex
from workings.render.html import Blocks
from workings.render.inert import inert
from workings.render.inline import sentence
from workings.render.spoken import speak_number
from workings.render.words import Words
from workings.terms.address import Address
from workings.terms.digits import AUTO, json_digits, ratio, show
from workings.terms.errors import WorkingsError
from workings.terms.numbers import Value, Within
from workings.web.asked import Asked
from workings.web.example import spoken
from workings.web.maps import base64_of, numbers_of, words_of
from workings.web.traced import Answer, TracedHead, head, traced

MOST_TOP = 64
MOST_LISTED = 256  # addresses


def weight(asked: Asked) -> Answer:
    """Any number of the recording by its address."""
    from workings.api.recorded_number import RecordedNumber
    from workings.api.view import View

    one, view = traced(asked), asked.part("view")
    wanted = View().changed(lang=view.text("lang"), precision=view.text("precision", "auto"))
    found = one.whole.find(asked.text("address"))
    address = found.trace.cell(found.address)
    number = RecordedNumber(found, address, wanted, one.recording)
    trace = found.made or found.trace
    numbers, document = Numbers(trace, wanted.digits), number.document()
    words, op, value = Words(wanted.language), trace.recipe.op(address.array), found.trace.value(address)
    shown = Numbers(found.trace, wanted.digits).shown(address)
    uses, used_by = [str(one.address) for one in number.inputs], number.used_by
    return {
        "address": str(address),
        "value": shown.text,
        "digits": json_digits(value),
        "exact": None if value.exact is None else ratio(value.exact),
        "html": Blocks(words, lowest=2).draw(document),
        "hint": "" if op is None else Blocks(words, lowest=2).blocks(about(numbers, op)),
        "spoken": spoken(document, address, shown.text, words),
        "holds": "exact" if shown.is_exact else "rounded",
        "uses": uses[:MOST_LISTED],
        "used_by": used_by[:MOST_LISTED],
        "uses_count": len(uses),
        "used_by_count": len(used_by),
        "pairs": [[str(left), str(right)] for left, right in products(trace.expansion.cell(address))[0]][:MOST_LISTED],
        "written": None,
        "rank": _rank(one, address, words),
        "python": f"w.recorded({one.folder!r}).number({str(address)!r})",
        "latex": _latex(document, address, words),
        **_place(found.trace, address),
    }


def _place(trace: Any, address: Address) -> Answer:
    """The head that a number belongs to, and its query and key."""
    axes = trace.array(address.array).axes
    out: Answer = {"query": None, "key": None, "head": None}
    for axis, place in zip(axes, address.index, strict=True):
        if axis in ("query", "key"):
            out[axis] = place
        elif axis == "token" and out["query"] is None:
            out["query"] = place
    if address.array.head is not None:
        out["head"] = str(address.array).rpartition(".")[0]
    return out


def _rank(one: Any, address: Address, words: Words) -> str:
    """Where a weight stands in its row; empty for anything else."""
    if address.array.name != "weight":
        return ""
    row = one.head(str(address.array).rpartition(".")[0]).alone.row(address.index[0])
    mine = row[address.index[1]]
    larger, alike, seen = int((row > mine).sum()), int((row == mine).sum()) - 1, int((row > float("-inf")).sum())
    if mine == float("-inf"):
        return ""
    key = "map.rank.ties" if alike else "map.rank"
    return words.sentence(key, {"rank": str(larger + 1), "of": str(seen), "n": str(alike)})


def _latex(document: Document, address: Address, words: Words) -> str:
    """The arithmetic of a number for a document of one's own; empty where there is none."""
    lines = [block for block in document.blocks if isinstance(block, Equation) and block.address == str(address)]
    return latex.equations(lines, words)


# --- one row ---------------------------------------------------------------------------------------------------------


def row(asked: Asked) -> Answer:
    """One query: what it looks at most, the rest as one number, and all of it in colours."""
    one, words = head(asked), words_of(asked)
    query, count = asked.place("query", one.queries), asked.place("top", MOST_TOP + 1, 8)
    return row_of(one, query, count, words)


def row_of(one: TracedHead, query: int, count: int, words: Words) -> Answer:
    """The row of a query.

    Its weights are printed with so many decimals that they add up; each is what Python prints of it with as many.
    """
    logs = one.alone.row(query)
    seen = int((logs > float("-inf")).sum())
    keys = (-logs).argsort(kind="stable")[: min(count, seen)].tolist()
    numbers, array = numbers_of(one)
    values = [numbers.trace.value(array._replace(index=(query, key))) for key in keys]
    found = shares(values, seen - len(keys), _sink(one, query)) if seen else None
    lse = numbers.shown(Address(array.array.called("lse"), (query,))).text
    entropy = show(_entropy(one, query)).text
    top = [
        {"key": key, "word": inert(one.words[1][key]), "weight": shown.text, "address": f"{array.array}[{query},{key}]"}
        for key, shown in zip(keys, found.top if found else (), strict=True)
    ]
    html = ""
    if found is not None:
        told_apart = [one.told_apart[1][key] for key in keys]
        html = Blocks(words).blocks(told(found, told_apart, seen - len(keys), entropy, lse))
    return {
        "query": query,
        "word": inert(one.words[0][query]),
        "top": top,
        "rest": found.rest.text if found else "0",
        "others": seen - len(keys),
        "sum": found.total.text if found else "0",
        "sink": None if found is None or found.sink is None else found.sink.text,
        "places": found.places if found else 0,
        "entropy": entropy,
        "lse": lse,
        "html": html,
        "spoken": _row_spoken(one, query, keys, found, seen - len(keys), words),
        "strip": base64_of(one.alone.scale(0, "max").of_logs(logs)),
    }


def _sink(one: TracedHead, query: int) -> Value | None:
    """What a learned sink takes of a row: e^(sink − lse)."""
    if one.layer.told.get("sinks") is None:
        return None
    from workings.steps.language import Cell, Exp, Sub

    numbers, array = numbers_of(one)
    sink = Address(one.layer.place.called("sink"), (one.array.head or 0,))
    lse = Address(array.array.called("lse"), (query,))
    return numbers.trace.engine.evaluate(Exp(Sub(Cell(sink), Cell(lse))))


def _entropy(one: TracedHead, query: int) -> Value:
    """As it was recorded, with the largest bound of its head."""
    return Within(float(one.layer.rows("entropy", one.array.head or 0)[query]), one.entropy_bound)


def _row_spoken(one: TracedHead, query: int, keys: list[int], found: Shares | None, others: int, words: Words) -> str:
    """The row as a sentence."""
    said = {"query": words.quote(inert(one.words[0][query]))}
    if found is None:
        return words.sentence("map.row.nothing", said)
    parts = [
        words.sentence(
            "map.row.spoken.key",
            {"key": words.quote(inert(one.words[1][key])), "weight": speak_number(shown.text, words)},
        )
        for key, shown in zip(keys, found.top, strict=True)
    ]
    said |= {"keys": words.list(parts), "n": str(others), "rest": speak_number(found.rest.text, words)}
    return words.sentence(
        "map.row.spoken" if others else "map.row.spoken.all", {**said, "sum": speak_number(found.total.text, words)}
    )


# --- one token's way -------------------------------------------------------------------------------------------------


def pipeline(asked: Asked) -> Answer:
    """A token from its embedding through one head's layer to the logits, as far as the recording tells it."""
    one, words = head(asked), words_of(asked)
    query = asked.place("query", one.queries)
    logs = one.alone.row(query)
    seen = int((logs > float("-inf")).sum())
    keys = (-logs).argsort(kind="stable")[: min(SHOWN, seen)].tolist()
    whole, number = one.traced.whole, int(one.layer["layer"])
    followed = (one.array.head, one.layer.group(one.array.head or 0))
    told = whole.find(str(one.array))
    reached = bool(whole.around) and told.trace.recipe.has(one.layer.place.called("X"))
    out = [_stage(stage, words) for stage in _way(told.trace, query, {"key": keys}, {}, followed)]
    if not reached:
        return {"stages": out}
    stream = told.trace.array(one.layer.place.called("X"))
    begun = _stage(entering(Numbers(told.trace, AUTO), stream, query), words)
    if whole.beginning is not None:
        first = [_stage(stage, words) for stage in _way(whole.beginning.trace, query, {}, {})]
        out = [*first, *([_remark("between", "skipped", words), begun] if number else []), *out]
    if whole.ending is not None:
        likeliest = whole.likeliest(query, SHOWN)
        chosen, known = {"word": likeliest}, {"word": _vocabulary(one, likeliest)}
        last = [_stage(stage, words) for stage in _way(whole.ending.trace, query, chosen, known)]
        behind = number + 1 < int(whole.around["count"])
        out += [*([_remark("after", "behind", words)] if behind else []), *last]
    return {"stages": out}


def _way(trace: Any, query: int, chosen: Any, named: Any, followed: Any = (None, None)) -> Iterator[Stage]:
    return stages(Numbers(trace, AUTO), query, chosen, named, followed)


def _stage(stage: Stage, words: Words) -> Answer:
    return {
        "title": sentence(stage.title, words),
        "address": str(stage.cells[0]),
        "html": Blocks(words, lowest=2).blocks(stage.blocks),
        "cells": [str(cell) for cell in stage.cells],
    }


def _remark(title: str, said: str, words: Words) -> Answer:
    html = Blocks(words).block(Paragraph((Text(f"map.stage.{said}"),)))
    return {"title": words[f"map.stage.{title}"], "address": "", "html": html, "cells": []}


def _vocabulary(one: TracedHead, ids: list[int]) -> dict[int, str]:
    """Words by their numbers: as the model's tokenizer has them, or as the text does where that cannot be had."""
    try:
        return dict(zip(ids, one.traced.whole.words_of(ids), strict=True))
    except WorkingsError:
        tokens = one.traced.recording.told["tokens"].get("", [])
        return {int(token["id"]): word for token, word in zip(tokens, one.words[0], strict=False) if "id" in token}

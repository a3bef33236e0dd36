"""The map of one head as a file of its own: its operands, not its matrix; tiles are worked where it is read."""

from __future__ import annotations

import base64
from html import escape

from workings.api.view import View
from workings.explaining.shares import shares
from workings.render.words import Words
from workings.terms.digits import show
from workings.terms.numbers import Within
from workings.web.cells import row_of
from workings.web.maps import POOLED, base64_of, digits_of
from workings.web.standalone import document
from workings.web.traced import Answer, Compared, Traced, TracedHead, page_of, table_of

TOP = 8
MOST_DIGITS = 16_384  # cells; all digits of a longer text are not carried
THUMBNAIL = 64
NAME = "file"
MASKED = "·"


def alone(folder: str, head: str, view: View) -> str:
    """The page of one head; raises what opening a recording raises, ``BadAddress`` and ``NotRecorded``."""
    traced = Traced(folder, "")
    one, words = traced.head(head), Words(view.language)
    shown = page_of(traced, words, one)
    data = {
        "lang": words.lang,
        "words": {**dict(words.beginning("web.")), **dict(words.beginning("map."))},
        "map": {"recording": NAME, "page": shown, **packed(one, words)},
    }
    title = f"{one.address}, {shown['title']}"
    return document(title, words.lang, _plain(one, shown, title, words), data)


def packed(one: TracedHead, words: Words) -> Answer:
    """``workings.map-file/1``: all that tiles and rows of a head are made of."""
    from workings.models.codes import scale_of
    from workings.models.packing import bias_of, halves

    layer, number = one.layer, one.array.head or 0
    numbers, scale = one.traced.recording.numbers, scale_of(0, "max")
    operands = {"q": numbers(layer.place, "q", number), "k": numbers(layer.place, "k", layer.group(number))}
    bias = bias_of(layer, number)
    thumbnail = one.alone.thumbnail(THUMBNAIL)
    levels = _levels(one)
    tables = {"0:max": table_of(0, "max", words)}
    for level in levels:
        tables |= {f"{level['level']}:{pooled}": table_of(level["level"], pooled, words) for pooled in POOLED}
    small = one.queries * one.keys <= MOST_DIGITS
    return {
        "schema": "workings.map-file/1",
        "head": one.address,
        "queries": one.queries,
        "keys": one.keys,
        "d_k": layer["d_k"],
        "scale": layer["scale"],
        "softcap": layer.told.get("softcap"),
        "window": dict(layer["window"]),
        "bias": None if bias is None else {"kind": bias[0], "values": base64_of(bias[1])},
        **{
            name: {"exponent": half.exponent, "values": base64_of(half.values)}
            for name, half in ((name, halves(values)) for name, values in operands.items())
        },
        "lse": base64_of(layer.rows("lse", number).astype("<f4")),
        "low": scale.low,
        "high": scale.high,
        "levels": levels,
        "thumb": {"shape": list(thumbnail.shape), "codes": base64_of(thumbnail)},
        "tables": tables,
        "rows": _rows(one),
        "digits": _digits(one) if small else None,
        "names": list(one.told_apart[1]),
    }


def _levels(one: TracedHead) -> list[Answer]:
    """The codes of all blocks, level by level, up to the one that is a single block."""
    out: list[Answer] = []
    while not out or out[-1]["shape"] != [1, 1]:
        level = len(out) + 1
        rows, columns = one.alone.shape(level)
        codes = {pooled: one.alone.codes(level, range(rows), range(columns), pooled) for pooled in POOLED}
        told = {pooled: base64_of(each) for pooled, each in codes.items()}
        out.append({"level": level, "shape": [rows, columns], **told})
    return out


def _digits(one: TracedHead) -> str:
    found = digits_of(one, Compared(one.alone), range(one.queries), range(one.keys))
    return "\n".join(" ".join(text or MASKED for text in row) for row in found)


def _rows(one: TracedHead) -> Answer:
    """Of every row what ``row`` of the page says, as strings: each rounded from its own bounds, as there."""
    from workings.models.packing import rows

    layer, number = one.layer, one.array.head or 0
    entropies = layer.rows("entropy", number)
    keys, others = list[int](), list[int]()
    told: dict[str, list[str]] = {name: [] for name in ("weights", "rest", "sum", "sink", "entropy", "lse")}
    for row, entropy in zip(rows(one.traced.recording, layer, number, TOP), entropies, strict=True):
        left = row.seen - len(row.keys)
        keys += [*row.keys, *[-1] * (TOP - len(row.keys))]
        others.append(left)
        sink = None if row.sink is None else Within(*row.sink)
        found = shares([Within(*each) for each in row.top], left, sink) if row.seen else None
        told["weights"].append(" ".join(shown.text for shown in found.top) if found else "")
        told["rest"].append(found.rest.text if found else "0")
        told["sum"].append(found.total.text if found else "0")
        told["sink"].append(found.sink.text if found and found.sink else "")
        told["entropy"].append(show(Within(float(entropy), one.entropy_bound)).text)
        told["lse"].append(show(Within(*row.lse)).text if row.seen else "−∞")
    lines = {name: "\n".join(texts) for name, texts in told.items()}
    return {"top": TOP, "keys": _integers(keys), "others": _integers(others), **lines}


def _integers(values: list[int]) -> str:
    return base64.b64encode(b"".join(value.to_bytes(4, "little", signed=True) for value in values)).decode("ascii")


def _plain(one: TracedHead, shown: Answer, title: str, words: Words) -> str:
    """What is read where no script runs: what was recorded, and the row of the last query."""
    last = row_of(one, one.queries - 1, TOP, words)
    name = escape(words.sentence("map.row.of", {"query": words.quote(last["word"])}))
    heads = f"<h1>{escape(title)}</h1>{shown['html']}"
    return f'<main class="page plain">{heads}<h2>{name}</h2>{last["html"]}</main>'

"""The map of a head: its colours, small pictures, tiles, digits in cells, peaks, and where two heads differ most."""

from __future__ import annotations

import base64
import math
from time import monotonic
from typing import TYPE_CHECKING, Any

from workings.explaining.numbers import Numbers
from workings.explaining.tree import Block, Code, Inline, Number, Paragraph, Table, Text, Token
from workings.fast.blocks import BASE
from workings.render import map_svg
from workings.render.html import Blocks
from workings.render.inert import inert
from workings.render.words import LANGUAGES, Words
from workings.terms.address import Address
from workings.terms.digits import AUTO, show
from workings.terms.numbers import Less, Value, Within
from workings.web.asked import Asked, Refused
from workings.web.traced import Answer, Compared, Traced, TracedHead, compared, head, table_of, traced

if TYPE_CHECKING:
    from workings.traces.trace import Trace

BYTES = "application/octet-stream"
POOLED = ("max", "sum")
MOST_THUMBNAILS, LARGEST_THUMBNAIL = 16, 256
SECONDS = 5.0  # after which thumbnails that are not made yet are left to the next request
MOST_DIGITS = 1600
MOST_WORST = 100
MOST_DRAWN = 128  # squares along a side of a figure
HIGHEST = 16  # level
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def words_of(asked: Asked) -> Words:
    """The language that is asked for."""
    return Words(asked.choice("lang", LANGUAGES) if asked.has("lang") else LANGUAGES[0])


def base64_of(codes: Any) -> str:
    """Codes as text."""
    return base64.b64encode(codes.tobytes()).decode("ascii")


# --- colours ---------------------------------------------------------------------------------------------------------


def table(asked: Asked) -> Answer:
    """The legend of one way of looking."""
    one, words = head(asked), words_of(asked)
    level, pooled = asked.place("level", HIGHEST + 1), asked.choice("pooled", POOLED)
    over = compared(asked, one)
    return table_of(level, pooled, words, ours=one.address, theirs=over.named(words), dump=over.dumped is not None)


def thumbs(asked: Asked) -> Answer:
    """Small pictures of some heads: of all, or of as many as are made within some seconds, and then of one at least."""
    one, size = traced(asked), asked.place("size", LARGEST_THUMBNAIL + 1, 64)
    wanted = asked.texts("heads")
    if len(wanted) > MOST_THUMBNAILS:
        raise Refused(400, "too-many", what="heads", most=str(MOST_THUMBNAILS))
    if not size:
        raise Refused(400, "request", what="size")
    heads, found, end = [one.head(address) for address in wanted], dict[str, Any](), monotonic() + SECONDS
    for each in heads:
        found[each.address] = each.alone.thumbnail(size)
        if monotonic() > end:
            break
    return {
        "thumbs": {address: base64_of(codes) for address, codes in found.items()},
        "shape": {address: list(codes.shape) for address, codes in found.items()},
    }


def tile(asked: Asked) -> tuple[str, str, bytes]:
    """The codes of one tile, row by row."""
    one = head(asked)
    level, pooled = asked.place("level", HIGHEST + 1), asked.choice("pooled", POOLED)
    from workings.models.tiles import SIDE

    tiles = compared(asked, one).tiles
    rows, columns = (-(-size // SIDE) for size in tiles.shape(level))
    codes = tiles.tile(level, asked.place("row", rows), asked.place("column", columns), pooled)
    return "", BYTES, codes.tobytes()


# --- numbers in cells ------------------------------------------------------------------------------------------------


def digits(asked: Asked) -> Answer:
    """What is written into cells: of a weight as ``Numbers.shown`` has it, of a difference as ``terms.digits.show``."""
    one = head(asked)
    queries, keys = asked.stretch("queries", one.queries), asked.stretch("keys", one.keys)
    if len(queries) * len(keys) > MOST_DIGITS:
        raise Refused(400, "too-many", what="queries × keys", most=str(MOST_DIGITS))
    return {"digits": digits_of(one, compared(asked, one), queries, keys)}


def digits_of(one: TracedHead, over: Compared, queries: range, keys: range) -> list[list[str]]:
    """The same of some cells; empty where masked."""
    masked = over.tiles.values(0, queries, keys, "max")[1].tolist()
    shown = _shown(one, over)
    return [
        ["" if out else shown(query, key) for key, out in zip(keys, row, strict=True)]
        for query, row in zip(queries, masked, strict=True)
    ]


def numbers_of(one: TracedHead) -> tuple[Numbers, Address]:
    """The printed numbers of a head, and the address of its weights, without an index."""
    told = one.traced.whole.find(str(one.array))
    return Numbers(told.trace, AUTO), Address(told.trace.find(told.address)[0], ())


def _shown(one: TracedHead, over: Compared) -> Any:
    numbers, array = numbers_of(one)
    if over.other is None and over.dumped is None:
        return lambda query, key: numbers.shown(array._replace(index=(query, key))).text
    return lambda query, key: show(_difference(numbers.trace, array, over, query, key)).text


def _difference(trace: Trace, array: Address, over: Compared, query: int, key: int) -> Value:
    """Ours less theirs, with the bounds of both."""
    ours = trace.value(array._replace(index=(query, key)))
    if over.other is not None:
        others, theirs = numbers_of(over.other)
        return Less(ours, [others.trace.value(theirs._replace(index=(query, key)))])
    number = float(over.dumped.weights(range(query, query + 1), range(key, key + 1))[0][0, 0])
    return Less(ours, [Within(number, 0.0)])


# --- where to look ---------------------------------------------------------------------------------------------------


def peak(asked: Asked) -> Answer:
    """The next cell in a direction whose weight is larger than those before and behind it."""
    one = head(asked)
    query, key = asked.place("query", one.queries), asked.place("key", one.keys)
    down, right = STEPS[asked.choice("towards", tuple(STEPS))]
    if down:
        queries, keys = range(one.queries), range(key, key + 1)
    else:
        queries, keys = range(query, query + 1), range(one.keys)
    found = next_peak(one.alone.line(queries, keys).tolist(), query if down else key, down or right)
    if found is None:
        return {"none": True}
    return {"query": found, "key": key} if down else {"query": query, "key": found}


def next_peak(line: list[float], place: int, step: int) -> int | None:
    """The next place whose number is larger than that before it and that behind it; of equal ones the first."""

    def at(number: int) -> float:
        return line[number] if 0 <= number < len(line) else -math.inf

    here = place + step
    while 0 <= here < len(line):
        behind = here + step
        while 0 <= behind < len(line) and at(behind) == at(here):
            behind += step
        if at(here) > at(here - step) and at(here) > at(behind):
            return here
        here = behind
    return None


def figure(asked: Asked) -> tuple[str, str, bytes]:
    """A part of the map as an SVG file."""
    one, words = head(asked), words_of(asked)
    level, pooled = asked.place("level", HIGHEST + 1), asked.choice("pooled", POOLED)
    queries, keys = asked.stretch("queries", one.queries), asked.stretch("keys", one.keys)
    side = BASE**level
    rows, columns = (range(part.start // side, -(-part.stop // side)) for part in (queries, keys))
    if max(len(rows), len(columns)) > MOST_DRAWN:
        raise Refused(400, "too-many", what="queries, keys", most=str(MOST_DRAWN * side))
    over = compared(asked, one)
    drawn = map_svg.draw(_figure(one, over, (level, pooled), (rows, columns), words), words)
    name = f"{one.address}.svg" if not over.named(words) else f"{one.address}-compared.svg"
    return name, "image/svg+xml", drawn.encode("utf-8")


def whole_figure(folder: str, address: str, lang: str) -> str:
    """The map of a whole head of a recording as an SVG file, at the finest level that has room for it.

    Raises what opening a recording raises, ``BadAddress`` and ``NotRecorded``.
    """
    one, words, level = Traced(folder, "").head(address), Words(lang), 0
    while max(one.queries, one.keys) > MOST_DRAWN * BASE**level:
        level += 1
    rows, columns = (range(-(-size // BASE**level)) for size in (one.queries, one.keys))
    return map_svg.draw(_figure(one, Compared(one.alone), (level, POOLED[0]), (rows, columns), words), words)


def _figure(
    one: TracedHead, over: Compared, way: tuple[int, str], part: tuple[range, range], words: Words
) -> map_svg.MapFigure:
    (level, pooled), (rows, columns), side = way, part, BASE ** way[0]
    theirs = over.named(words)
    legend = table_of(level, pooled, words, ours=one.address, theirs=theirs, dump=over.dumped is not None)
    values, masked = over.tiles.values(level, rows, columns, pooled)
    key = "map.figure.compared" if theirs else "map.figure.title"
    title = words.sentence(key, {"head": one.address, "other": theirs, "model": inert(one.traced.name)})
    return map_svg.MapFigure(
        title=title,
        caption=words["target.sentences"].join([legend["text"], *([words["map.figure.first"]] if level else [])]),
        rows=[one.words[0][place * side] for place in rows],
        columns=[one.words[1][place * side] for place in columns],
        row_places=[place * side for place in rows],
        column_places=[place * side for place in columns],
        codes=over.tiles.codes(level, rows, columns, pooled).tolist(),
        values=values.astype("f8").tolist(),
        colours=legend["colours"],
        ticks=[(tick["code"], tick["text"]) for tick in legend["ticks"]],
        label=legend["label"],
        told={
            "schema": "workings.map-figure/1",
            "head": one.address,
            "against": theirs or None,
            "model": inert(one.traced.name),
            "level": level,
            "pooled": pooled if level else None,
            "queries": [rows.start * side, min(rows.stop * side, one.queries)],
            "keys": [columns.start * side, min(columns.stop * side, one.keys)],
            "masked": int(masked.sum()),
        },
    )


def worst(asked: Asked) -> Answer:
    """Where a head and what it is laid over are furthest apart, and all cells counted."""
    one, words = head(asked), words_of(asked)
    count = asked.place("count", MOST_WORST + 1, MOST_WORST)
    over = compared(asked, one)
    if over.other is None and over.dumped is None:
        raise Refused(400, "request", what="against")
    census = over.tiles.differences.census()
    numbers, array = numbers_of(one)
    rows = []
    for query, key, _, theirs in census.worst[:count]:
        rows.append(
            {
                "query": query,
                "key": key,
                "ours": numbers.shown(array._replace(index=(query, key))).text,
                "theirs": _theirs(over, query, key, theirs),
                "difference": show(_difference(numbers.trace, array, over, query, key)).text,
            }
        )
    html = Blocks(words).blocks(_census(one, over, census, rows, words))
    counted = {name: getattr(census, name) for name in ("elements", "differ", "not_finite")}
    return {"worst": rows, "html": html, **counted}


def _theirs(over: Compared, query: int, key: int, value: float) -> str:
    if over.other is None:
        return show(Within(value, 0.0)).text if math.isfinite(value) else str(value)
    numbers, array = numbers_of(over.other)
    return numbers.shown(array._replace(index=(query, key))).text


def _census(one: TracedHead, over: Compared, census: Any, rows: list[Answer], words: Words) -> list[Block]:
    sizes = {name: Number(f"{getattr(census, name):.2g}") for name in ("largest", "mean")}
    said: list[Inline] = []
    if not census.differ:
        said.append(Text("map.census.equal", {"elements": census.elements}))
    else:
        counts: dict[str, Inline] = {"elements": census.elements, "differ": census.differ, **sizes}
        if over.dumped is not None:
            said.append(Text("map.census.dump", {**counts, "dtype": Code(over.dumped.dtype)}))
        else:
            said.append(Text("map.census", counts))
    if census.not_finite:
        said.append(Text("map.census.odd", {"n": census.not_finite}))
    theirs = Code(over.named(words)) if over.other is not None else Text("map.dump")
    header = (Text("map.worst.query"), Text("map.worst.key"), Code(one.address), theirs, Text("map.worst.difference"))
    table: list[tuple[Inline, ...]] = [
        (
            Token(one.told_apart[0][row["query"]]),
            Token(one.told_apart[1][row["key"]]),
            *(Number(row[name]) for name in ("ours", "theirs", "difference")),
        )
        for row in rows
    ]
    return [Paragraph(tuple(said)), *([Table(header, tuple(table))] if table else [])]

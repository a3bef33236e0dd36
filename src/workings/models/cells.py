"""Any number of a recorded head: the declared steps over its Q, K and V in float64, each cell with an error bound."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from workings.arrays.bounds import Arithmetic, error_of, with_bounds
from workings.arrays.rules import Floats, round_to
from workings.arrays.run import BLOCK_ROWS, Arrays
from workings.exact.measured import Measured
from workings.models import facts
from workings.models.facts import Band, Sizes
from workings.models.recording import Layer, Recording
from workings.steps.build import build
from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.steps.step import Array, Op
from workings.terms.address import Name, parse_address
from workings.terms.model_errors import NotRecorded, PlaceMissing
from workings.traces.trace import Source, Trace

DOUBLE = Arithmetic("float64", "float64", "float64", {})
# an error of the maximum counts in these; in what is made of them it cancels
MAXIMUM = "row_max"
SHIFTED = ("exp_shifted", "exp_shifted_sum")
ROWS_KEPT = 16
GROUPED = ("K", "V")


def trace_of(recording: Recording, address: str) -> tuple[Trace, str]:
    """The trace of the head that an address speaks of, and the address with every prefix that belongs to it.

    Raises ``BadAddress`` or ``NotRecorded``.
    """
    written, _ = parse_address(address)
    layer = recording.layer(written)
    head = head_of(layer, written)
    recipe = recipe_of(layer, head)
    source = source_of(recording, layer, _place(layer, head))
    trace = Trace(recipe, Measured(recipe, Head(recording, layer, head, recipe).measure), source)
    _, bracket, index = address.partition("[")
    return trace, f"{_full(layer, head, written)}{bracket}{index}"


def source_of(recording: Recording, layer: Layer, place: str) -> Source:
    """What people see of where numbers come from: the model, the place in it, and the words along its axes."""
    own, others = recording.axis_words(layer)
    title = f"{recording.told['model'].get('name', '')} {place}".strip()
    return Source({"en": title}, {"token": own, "query": own, "key": others})


def head_of(layer: Layer, written: Name) -> int:
    """The head that is meant: named, or of the group named, or the only one.

    Raises ``PlaceMissing`` or ``NotRecorded``.
    """
    known: list[int] = layer["heads"]
    head = written.head
    if head is None and written.group is not None:
        head = next((one for one in known if layer.group(one) == written.group), -1)
    if head is None and len(known) == 1:
        head = known[0]
    if head is None:
        raise PlaceMissing(address=str(written), examples=[f"{_place(layer, one)}.{written.name}" for one in known[:3]])
    if head not in known:
        listed = [str(_place(layer, one)) for one in known]
        raise NotRecorded(address=str(written), known=listed)
    return head


def names_of(layer: Layer, head: int | None) -> list[Name]:
    """The names of all that a recorded head is worked through, as they stand in the model."""
    heads: list[int] = layer["heads"]
    head = head if head in heads else heads[0]
    placed = [_full(layer, head, name) for name in recipe_of(layer, head).names()]
    return [name for name in placed if name.layer is not None]


def _place(layer: Layer, head: int) -> str:
    return str(layer.place._replace(head=head))[:-1]


def _full(layer: Layer, head: int, written: Name) -> Name:
    """The name as the recipe has it."""
    if written.name in GROUPED:
        return key_name(layer, head, written.name)
    if written.name in ("divide_by", "softcap"):
        return Name(written.name)
    if written.name == "sink":
        return layer.place.called("sink")
    return layer.place._replace(head=head, name=written.name)


def key_name(layer: Layer, head: int, name: str) -> Name:
    """Keys and values stand at their head, or at the group of heads that share them."""
    if layer["kv_head_count"] == layer["head_count"]:
        return layer.place._replace(head=head, name=name)
    group = layer.group(head) if layer["kv_head_count"] > 1 else None
    return layer.place._replace(group=group, name=name)


# --- the recipe ------------------------------------------------------------------------------------------------------


def recipe_of(layer: Layer, head: int) -> Recipe:
    """The steps of one recorded head, under the names of the whole model."""
    queries, keys = int(layer["queries"]), int(layer["keys"])
    cross = bool(layer["cross"]) or queries != keys
    given: dict[Name, tuple[int, ...]] = {
        Name("Q"): (queries, layer["d_k"]),
        Name("K"): (keys, layer["d_k"]),
        Name("V"): (keys, layer["d_v"]),
    }
    spec = spec_of(layer)
    if spec.divide_by is not None:
        given[Name("divide_by")] = ()
    if spec.softcap is not None:
        given[Name("softcap")] = ()
    if spec.bias:
        given[Name("bias")] = (queries, keys)
    if spec.sink:
        given[Name("sink")] = (1,)
    known = {"token": queries, "key": keys, "past": 0}
    plain = build(spec, BlockSpec(), given, known, {}, cross)
    return _renamed(plain, layer, head)


def spec_of(layer: Layer) -> AttentionSpec:
    """What kind of attention a recorded layer is."""
    sizes = Sizes(layer["queries"], layer["keys"], layer["d_k"])
    told, bias, sink = layer.told, layer.told.get("bias") is not None, layer.told.get("sinks") is not None
    band = Band(**told["window"])
    return facts.spec_of(float(told["scale"]), band, sizes, softcap=told.get("softcap"), bias=bias, sink=sink)


def _renamed(plain: Recipe, layer: Layer, head: int) -> Recipe:
    """The recipe of a single head with its place in every name, and every name that a formula reads bound to it."""
    names = {name: _full(layer, head, name) for name in plain.names()}
    ops = tuple(
        Op(names[op.name], op.step, op.axes, op.shape, _bound(plain, op, names), op.rename)
        for op in plain.ops
        if op.name.name != "output"
    )
    given = {names[name]: Array(names[name], array.axes, array.shape) for name, array in plain.given.items()}
    sink = layer.place.called("sink")
    if sink in given:
        given[sink] = Array(sink, ("head",), (int(layer["head_count"]),))
    counts = {
        "heads": int(layer["head_count"]),
        "kv_heads": int(layer["kv_head_count"]),
        "layers": int(layer["layer"]) + 1,
        "head": int(layer["head_count"]),
    }
    return Recipe(ops, given, {**plain.sizes, **counts}, plain.tables, plain.spec, plain.block, plain.cross)


def _bound(plain: Recipe, op: Op, names: Mapping[Name, Name]) -> dict[str, Name]:
    read = {node.name for node in op.step.reads}
    return {name: names[plain.source(op, name)] for name in read}


# --- the numbers -----------------------------------------------------------------------------------------------------


class Stored:
    """Rows of a recorded tensor, read when they are asked for."""

    def __init__(self, recording: Recording, place: Name, tensor: str, head: int, shape: tuple[int, ...]) -> None:
        self.recording, self.asked, self.shape = recording, (place, tensor, head), shape

    def rows(self, start: int, stop: int) -> Floats:
        return self.recording.numbers(*self.asked)[start:stop]


class _BiasRows:
    """Rows of a bias that is kept in a line, by key or by distance."""

    def __init__(self, recording: Recording, layer: Layer, head: int) -> None:
        self.recording, self.asked = recording, (layer.place, "bias", head)
        self.shape = (int(layer["queries"]), int(layer["keys"]))
        self.by_key = layer["bias"] == "by-key"

    def rows(self, start: int, stop: int) -> Floats:
        line, (queries, keys) = self.recording.numbers(*self.asked), self.shape
        if self.by_key:
            return np.repeat(line[None, :], stop - start, 0)
        places = np.arange(keys)[None, :] - np.arange(start, stop)[:, None] + queries - 1
        return np.asarray(line[places], np.float64)


class Head:
    """Measures cells of one head: a row of every array is worked at once, beside the row of its bounds."""

    def __init__(self, recording: Recording, layer: Layer, head: int, recipe: Recipe) -> None:
        self.recipe = recipe
        self.rows: OrderedDict[int, dict[Name, Floats]] = OrderedDict()
        place, group = layer.place, layer.group(head)
        shapes = {name: array.shape for name, array in recipe.given.items()}
        q, k, v = place._replace(head=head, name="Q"), *(key_name(layer, head, name) for name in GROUPED)
        stored: dict[Name, Any] = {
            q: Stored(recording, place, "q", head, shapes[q]),
            k: Stored(recording, place, "k", group, shapes[k]),
            v: Stored(recording, place, "v", group, shapes[v]),
        }
        if recipe.spec.bias:
            stored[place._replace(head=head, name="bias")] = _BiasRows(recording, layer, head)
        given: dict[Name, Any] = {}
        for name, literal in (("divide_by", recipe.spec.divide_by), ("softcap", recipe.spec.softcap)):
            if literal is not None:
                given[Name(name)] = float(constant(literal))
        if recipe.spec.sink:
            sinks = np.zeros(int(layer["head_count"]))
            sinks[layer["heads"]] = layer["sinks"]
            given[place.called("sink")] = sinks
        self.given, self.stored = given, stored
        self.made = [op.name for op in recipe.ops]
        self.engine = Arrays(with_bounds(recipe, DOUBLE), given, stored=stored)

    def measure(self, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        """A cell, and how far the true value may lie from it; of what was recorded, the number itself."""
        if name in self.stored:
            return float(self.stored[name].rows(index[0], index[0] + 1)[0][index[1:]]), 0.0
        if name in self.given:
            return float(np.asarray(self.given[name])[index]), 0.0
        row = self._row(index[0])
        value, bound = float(row[name][0][index[1:]]), float(row[error_of(name)][0][index[1:]])
        if math.isinf(value):
            return value, 0.0
        if name.name == MAXIMUM:
            return value, self._error_of_maximum(row, name)
        if name.name in SHIFTED:
            bound += (abs(value) + bound) * math.expm1(self._error_of_maximum(row, name.called(MAXIMUM)))
        return value, bound

    def own(self, dtype: str, name: Name, index: tuple[int, ...]) -> str:
        """What the same steps give from the same numbers in another type."""
        return in_type(self.recipe, self.given, self.stored, dtype, name, index)

    def _error_of_maximum(self, row: Mapping[Name, Floats], name: Name) -> float:
        """How far a row's maximum may be off: no further than a logit that is not masked."""
        op = self.recipe.op(name)
        logit = op.arrays["logit"] if op is not None else name
        allowed = np.isfinite(row[logit][0])
        return float(row[error_of(logit)][0][allowed].max(initial=0.0))

    def _row(self, query: int) -> dict[Name, Floats]:
        known = self.rows.get(query)
        if known is None:
            names = [made for name in self.made for made in (name, error_of(name))]
            found = self.engine.rows_of(names, query, query + 1)
            known = self.rows[query] = dict(zip(names, found, strict=True))
            while len(self.rows) > ROWS_KEPT:
                self.rows.popitem(last=False)
        return known


def constant(literal: Literal) -> Fraction:
    """A literal that is a rational number."""
    value = literal.value
    if not isinstance(value, Const):
        raise TypeError(f"not a constant: {literal.text}")
    return Fraction(value.value)


def own(recording: Recording, dtype: str, name: Name, index: tuple[int, ...]) -> str:
    """What the steps of a head give from its recorded Q, K and V in a type."""
    layer = recording.layer(name)
    head = head_of(layer, name)
    return Head(recording, layer, head, recipe_of(layer, head)).own(dtype, name, index)


def in_type(
    recipe: Recipe,
    given: Mapping[Name, Any],
    stored: Mapping[Name, Any],
    dtype: str,
    name: Name,
    index: tuple[int, ...],
) -> str:
    """A cell worked in a type, with the digits that tell it apart there.

    A type narrower than float32 is worked in float32 and the result rounded, as kernels do.
    """
    narrow = dtype not in ("float32", "float64")
    engine = Arrays(recipe, given, np.float32 if narrow else np.dtype(dtype), stored=stored)
    found = engine.rows(name, index[0], index[0] + 1)[0][index[1:]]
    return str(round_to(dtype, np.asarray(found)) if narrow else found)


def rows_of(recording: Recording, address: str, start: int, stop: int) -> tuple[Floats, Floats]:
    """Rows of one array of a head with the bounds of their errors, float64; memory grows with these rows alone.

    Args:
        address: the array, ``L5.H3.weight``.
    """
    written, _ = parse_address(address)
    layer = recording.layer(written)
    head = head_of(layer, written)
    name = _full(layer, head, written)
    found = Head(recording, layer, head, recipe_of(layer, head)).engine.rows_of([name, error_of(name)], start, stop)
    return found[0], found[1]


def tile_of(recording: Recording, address: str, queries: Sequence[int], keys: Sequence[int]) -> Floats:
    """Some weights of a head: queries × keys, float64; rows that follow each other are worked together."""
    out = np.empty((len(queries), len(keys)))
    begin = 0
    while begin < len(queries):
        end = begin + 1
        while end < len(queries) and end - begin < BLOCK_ROWS and queries[end] == queries[end - 1] + 1:
            end += 1
        rows, _ = rows_of(recording, address, queries[begin], queries[end - 1] + 1)
        out[begin:end] = rows[:, list(keys)]
        begin = end
    return out


def entropy_of(recording: Recording, address: str) -> Floats:
    """−Σ p ln p of each row of weights, in nats; rows of weights are worked a block at a time.

    Args:
        address: the weights of a head, ``L5.H3.weight``.
    """
    return np.concatenate([_entropy(rows) for rows in _blocks(recording, address)])


def looked_at(recording: Recording, address: str, count: int) -> tuple[list[float], list[list[tuple[int, float]]]]:
    """Of each row of weights its entropy, and the keys of its largest weights with these, the largest first."""
    entropy, top = list[float](), list[list[tuple[int, float]]]()
    for rows in _blocks(recording, address):
        entropy += _entropy(rows).tolist()
        keys = np.argsort(-rows, axis=1, kind="stable")[:, :count]
        weights = np.take_along_axis(rows, keys, 1)
        top += [list(zip(*pair, strict=True)) for pair in zip(keys.tolist(), weights.tolist(), strict=True)]
    return entropy, top


def _blocks(recording: Recording, address: str) -> Iterator[Floats]:
    queries = int(recording.layer(parse_address(address)[0])["queries"])
    for start in range(0, queries, BLOCK_ROWS):
        yield rows_of(recording, address, start, min(start + BLOCK_ROWS, queries))[0]


def _entropy(rows: Floats) -> Floats:
    return np.asarray(-(rows * np.log(np.where(rows > 0, rows, 1.0))).sum(1))

"""Reads a published case: its examples as traces, and where each published number is found in them."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from workings.exact.run import Exact, cells_of
from workings.steps.build import build
from workings.steps.literal import read_literal
from workings.steps.spec import AttentionSpec, BlockSpec, Mask, Rope
from workings.terms.address import Name
from workings.terms.digits import round_value
from workings.terms.numbers import Value
from workings.traces.trace import Source, Trace

FOLDER = Path(__file__).parents[1] / "cases" / "published"
ORIGINALS = Path(__file__).parents[3] / "shared" / "cases" / "worked"
NUMBERS = sorted(path.stem for path in FOLDER.glob("[0-9][0-9].json"))


@cache
def case(number: str) -> dict[str, Any]:
    """The case as its file holds it."""
    read: dict[str, Any] = json.loads((FOLDER / f"{number}.json").read_text(encoding="utf-8"))
    return read


@cache
def not_expressed() -> dict[tuple[str, str], str]:
    """The reason for each step that no recipe expresses, by case and step."""
    listed = tomllib.loads((FOLDER / "not_expressed.toml").read_text(encoding="utf-8"))["step"]
    reasons = {(item["case"], item["name"]): item["reason"] for item in listed}
    assert len(reasons) == len(listed), "a step is listed twice"
    return reasons


def digest(inputs: Mapping[str, Any], steps: Mapping[str, Any]) -> str:
    """A checksum of a case's figures: its inputs, and the correct values of its steps, by name and in order."""
    figures = [list(inputs.items()), list(steps.items())]
    return hashlib.sha256(json.dumps(figures, ensure_ascii=True).encode()).hexdigest()


# --- examples as traces ------------------------------------------------------------------------------------------


def _expressions(item: Any) -> Any:
    return [_expressions(part) for part in item] if isinstance(item, list) else read_literal(item).value


def _shape(item: Any) -> tuple[int, ...]:
    return (len(item), *_shape(item[0])) if isinstance(item, list) else ()


def _divisor(attention: Mapping[str, Any]) -> str | None:
    written: str = attention.get("divide_by", "sqrt(d_k)")
    return None if written == "sqrt(d_k)" else written


def _arrays(example: Mapping[str, Any], spec: AttentionSpec) -> Iterator[tuple[Name, Any]]:
    """Every given array with its full name, as nested lists of expressions."""
    for name, written in example["inputs"].items():
        if name == "past":
            yield from ((Name(f"past_{letter}"), _expressions(rows)) for letter, rows in written.items())
        elif name == "embedding":
            yield Name("embedding_table"), _expressions(list(written.values()))
        elif name == "Q" and spec.heads > 1:
            yield from ((Name(name, head=head), _expressions(rows)) for head, rows in enumerate(written))
        else:
            yield Name(name), _expressions(written)
    attention, block = example.get("attention", {}), example.get("block", {})
    for name, text in (
        ("divide_by", _divisor(attention)),
        ("eps", block.get("eps")),
        ("position_base", attention.get("rope", {}).get("base", "10000")),
    ):
        if text is not None:
            yield Name(name), _expressions(text)


@cache
def trace(number: str, example_name: str) -> Trace:
    """One example of a case, worked by the exact engine."""
    example = case(number)["examples"][example_name]
    attention, block = example.get("attention", {}), example.get("block", {})
    divide_by, heads = _divisor(attention), attention.get("heads", 1)
    spec = AttentionSpec(
        heads=heads,
        kv_heads=attention.get("n_kv_heads", heads),
        divide_by=None if divide_by is None else read_literal(divide_by),
        softmax=attention.get("softmax", "plain"),
        mask=Mask(attention.get("mask", "none")),
        position=attention.get("position", "none"),
        rope=Rope(pairs=attention.get("rope", {}).get("pairs", "half")),
    )
    around = BlockSpec(
        residual=block.get("residual", False), norm=block.get("norm", "none"), feed_forward=block.get("ffn", "none")
    )
    arrays = dict(_arrays(example, spec))
    tokens, keys = example["tokens"], example.get("key_tokens")
    past = len(example["inputs"]["past"]["K"]) if "past" in example["inputs"] else 0
    words = list(example["inputs"].get("embedding", {}))
    tables = {
        "token_id": [words.index(token) for token in tokens] if words else [],
        "position": attention.get("rope", {}).get("position", list(range(len(tokens)))),
    }
    known = {"token": len(tokens), "key": past + len(keys or tokens), "past": past}
    shapes = {name: _shape(value) for name, value in arrays.items()}
    recipe = build(spec, around, shapes, known, tables, cross=keys is not None)
    engine = Exact(recipe, {name: cells_of(value, shapes[name]) for name, value in arrays.items()})
    return Trace(recipe, engine, Source({}, {"token": tokens, "key": keys or tokens}))


# --- where a published number is found ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Part of an array of a trace, as a case file writes it.

    Args:
        at: address; ``:`` or no index stands for whole axes.
        rows, columns: first and end of a range that narrows the first and the last axis; empty for all of it.
        part: where in the formula of the cell the number stands, as attribute names; empty for the cell itself.
        over: the axis of a sum over which ``part`` runs.
        transposed: the source prints it with rows and columns exchanged.
    """

    at: str
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    part: tuple[str, ...] = ()
    over: str = ""
    transposed: bool = False

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Place:
        """From an entry of a case file."""
        return cls(
            entry["at"],
            tuple(entry.get("rows", ())),
            tuple(entry.get("columns", ())),
            tuple(entry.get("part", ())),
            entry.get("over", ""),
            entry.get("transposed", False),
        )

    def values(self, found: Trace) -> list[Value]:
        """The numbers, row by row as the source prints them."""
        name, index = found.find(self.at)
        shape = found.array(name).shape
        ranges = [
            list(range(size))[item] if isinstance(item, slice) else [item]
            for item, size in zip(index, shape, strict=True)
        ]
        if self.rows:
            ranges[0] = ranges[0][slice(*self.rows)]
        if self.columns:
            ranges[-1] = ranges[-1][slice(*self.columns)]
        places = list(product(*ranges))
        if self.transposed:
            places.sort(key=lambda place: place[::-1])
        return [value for place in places for value in self._cell(found, name, place)]

    def _cell(self, found: Trace, name: Name, place: tuple[int, ...]) -> list[Value]:
        if not self.part:
            return [found.engine.value(name, place)]
        op = found.recipe.op(name)
        assert op is not None
        formula: Any = op.step.formula
        for attribute in self.part:
            formula = getattr(formula, attribute)
        scope = dict(zip(op.step.axes, place, strict=True))
        if not self.over:
            return [found.engine.evaluate(formula, name, scope)]
        return [
            found.engine.evaluate(formula, name, {**scope, self.over: at})
            for at in range(found.recipe.sizes[self.over])
        ]


def places_of(printed: str) -> int:
    """Decimal places of a printed decimal; negative where it ends before the point."""
    mantissa, _, power = printed.partition("e")
    return len(mantissa.partition(".")[2]) - int(power or 0)


def same_digits(value: Value, printed: str) -> bool:
    """Whether a value, rounded to the last digit of a printed decimal, is that decimal; 0 must be 0 exactly."""
    if printed == "-inf" or value.infinite:
        return printed == "-inf" and value.infinite == -1
    if Fraction(printed) == 0:
        return value.exact == 0
    return round_value(value, places_of(printed)).value == Fraction(printed)

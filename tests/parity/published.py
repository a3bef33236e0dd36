"""Reads a published case: its examples as traces, and where each published number is found in them."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from workings.exact.run import Exact
from workings.examples.read import read_text
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


@cache
def trace(number: str, example_name: str) -> Trace:
    """One example of a case, read as a file of the user's would be, and worked by the exact engine."""
    text = json.dumps(case(number)["examples"][example_name], ensure_ascii=False)
    example = read_text(text, f"{number}.json", "json")
    recipe = example.recipe()
    return Trace(recipe, Exact(recipe, example.values()), Source(example.title, example.labels()))


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

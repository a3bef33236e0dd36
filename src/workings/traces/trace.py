"""A trace: a recipe plus a value for every address, with the words that stand along its axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Protocol

from workings.steps.expand import Expansion
from workings.steps.language import Expr
from workings.steps.literal import Literal
from workings.steps.recipe import Recipe
from workings.steps.step import Array, Op
from workings.terms.address import Address, Name, cell_address, parse_address, resolve
from workings.terms.numbers import Value

INVENTED = "·"  # words that a document does not name are counted: ·1, ·2 …, those of the queries q·1, q·2 …
MOST_VALUES = 4_096  # kept with the digits that were worked of them: who asks for one asks again soon


class Engine(Protocol):
    """What computes the numbers of a trace."""

    def value(self, name: Name, index: tuple[int, ...]) -> Value:
        """One cell of an array."""

    def evaluate(self, formula: Expr, place: Name | None = None, scope: Mapping[str, int] | None = None) -> Value:
        """Any formula; ``place`` names the step whose arrays its ``At`` read, at ``scope``."""


@dataclass(frozen=True)
class Source:
    """Where a trace comes from, as far as people see it.

    Attributes:
        title: by language.
        labels: per axis the words along it.
        notes: array name -> {"rows": …, "columns": …}, meanings shown beside them, by language.
        written: given cells as their author wrote them.
        comments: sentences of the author, by language, shown under the title.
        focus: the word whose row the author follows; empty for the last.
    """

    title: Mapping[str, str]
    labels: Mapping[str, Sequence[str]]
    notes: Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]] = field(default_factory=dict)
    written: Mapping[Address, Literal] = field(default_factory=dict)
    comments: Sequence[Mapping[str, str]] = ()
    focus: str = ""


class Trace:
    """Values by address. ``engine`` computes them on request."""

    def __init__(self, recipe: Recipe, engine: Engine, source: Source) -> None:
        self.recipe = recipe
        self.engine = engine
        self.source = source
        self.expansion = Expansion(recipe)
        self._value = lru_cache(MOST_VALUES)(engine.value)
        self._words: dict[str, tuple[str, ...]] = {}

    def labels(self, axis: str) -> tuple[str, ...]:
        """The words along an axis; empty where it has none."""
        return tuple(self.source.labels.get(axis, ()))

    def is_named(self, axis: str, place: int) -> bool:
        """Whether somebody gave the word at a place: a document need not name those that it works with."""
        return self.labels(axis)[place].removeprefix("q") != f"{INVENTED}{place + 1}"

    def words(self, axis: str) -> tuple[str, ...]:
        """The words along an axis, each told from its like: ``它#1``, ``它#2``."""
        if axis not in self._words:
            self._words[axis] = self._told_apart(axis)
        return self._words[axis]

    def _told_apart(self, axis: str) -> tuple[str, ...]:
        labels = self.labels(axis)
        if len(set(labels)) == len(labels):
            return labels
        many, seen, out = Counter(labels), Counter[str](), []
        for word in labels:
            seen[word] += 1
            out.append(word if many[word] == 1 else f"{word}#{seen[word]}")
        return tuple(out)

    def array(self, name: Name) -> Array:
        return self.recipe.array(name)

    def ops(self) -> Iterator[Op]:
        """The steps in order of computation."""
        return iter(self.recipe.ops)

    def value(self, address: Address) -> Value:
        """One number."""
        return self._value(address.array, address.index)

    def find(self, text: str) -> tuple[Name, tuple[int | slice, ...]]:
        """An array and indices for a written address; the index may be empty for the whole array.

        Raises ``BadAddress``, ``UnknownArray``, ``WrongIndexCount``, ``IndexOutside``, ``UnknownToken`` or
        ``TokenNotUnique``.
        """
        written, items = parse_address(text)
        name = self.recipe.find(written)
        array = self.array(name)
        if not items and array.shape:
            return name, (slice(None),) * len(array.shape)
        return name, resolve(name, items, array.axes, array.shape, [self.labels(axis) for axis in array.axes])

    def cell(self, text: str) -> Address:
        """The address of one number; raises as ``find`` does, and ``WholeRowNotCell``."""
        return cell_address(*self.find(text))

    def cells(self, name: Name) -> Iterator[Address]:
        """All addresses of an array, row by row."""
        new = tuple.__new__  # so many are made that how they are called tells
        for index in product(*map(range, self.array(name).shape)):
            yield new(Address, (name, index))

    def inputs(self, address: Address) -> list[Address]:
        """The cells that a cell is made from."""
        return self.expansion.inputs(address)

    def used_by(self, address: Address) -> list[Address]:
        """The cells that are made from a cell, in order of computation."""
        return [made for op in self.recipe.ops for made in self.expansion.readers(op, address)]

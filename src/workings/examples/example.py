"""A worked example as data: its words, its settings and its given numbers, exactly as they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from workings.steps.build import build
from workings.steps.language import Expr
from workings.steps.literal import Literal
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Address, Name
from workings.terms.records import record


@record
class Given:
    """An array that the author gives: its shape, and every cell by index."""

    shape: tuple[int, ...]
    cells: Mapping[tuple[int, ...], Literal]

    def values(self) -> dict[tuple[int, ...], Expr]:
        """The cells as expressions, for an engine."""
        return {index: literal.value for index, literal in self.cells.items()}


@dataclass(frozen=True)
class Example:
    """A worked example.

    Attributes:
        title: by language.
        tokens: the words, in order.
        key_tokens: the words looked at, in cross-attention; None where words look at each other.
        past_tokens: words whose keys and values stand in a cache.
        spec, block: what kind of attention, and what surrounds it.
        given: every given array, by name (``divide_by``, ``eps`` … among them, with shape ``()``).
        tables: integers of the index language: ``token_id``, ``position``, ``allowed``, as far as needed.
        words: the vocabulary: the words of the embedding table, and those that may come next.
        sizes: axis lengths that the author stated (``d_k`` …).
        notes: array name -> ``rows`` or ``columns`` -> a meaning for each, by language.
        comments: sentences under the title, by language.
        claims: numbers that somebody printed, as texts in nested tuples, by array name; an empty text claims nothing.
        focus: the word whose row is followed unless the reader asks for another; empty for the last.
        softmax_stated: whether the author chose the form of the softmax.
        path: the file it was read from, or empty.
    """

    title: Mapping[str, str]
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...] | None
    past_tokens: tuple[str, ...]
    spec: AttentionSpec
    block: BlockSpec
    given: Mapping[Name, Given]
    tables: Mapping[str, Sequence[Any]]
    words: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)
    notes: Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]] = field(default_factory=dict)
    comments: tuple[Mapping[str, str], ...] = ()
    claims: Mapping[str, Any] = field(default_factory=dict)
    focus: str = ""
    softmax_stated: bool = False
    path: str = ""

    @property
    def cross(self) -> bool:
        """Whether keys and values come from other words."""
        return self.key_tokens is not None

    @property
    def keys(self) -> int:
        """The number of words that are looked at."""
        return len(self.labels()["key"])

    def recipe(self) -> Recipe:
        """The steps that this example takes. Raises as ``steps.build.build`` does."""
        return self._recipe

    @cached_property
    def _recipe(self) -> Recipe:
        known = {"token": len(self.tokens), "key": self.keys, "past": len(self.past_tokens), **self.sizes}
        known |= {"word": len(self.words)} if self.words else {}
        shapes = {name: given.shape for name, given in self.given.items()}
        return build(self.spec, self.block, shapes, known, self.tables, self.cross)

    def labels(self) -> dict[str, tuple[str, ...]]:
        """The words along each axis that has them."""
        keys = self.key_tokens if self.key_tokens is not None else (*self.past_tokens, *self.tokens)
        size = self.spec.block_size
        blocks = {f"block{n}": keys[at : at + size] for n, at in enumerate(range(0, len(keys), size or len(keys)), 1)}
        return {
            "token": self.tokens,
            "query": self.tokens,
            "key": keys,
            "past": self.past_tokens,
            "word": self.words,
            **(blocks if size else {}),
        }

    def values(self) -> dict[Name, dict[tuple[int, ...], Expr]]:
        """Every given array as expressions, for an engine."""
        return {name: given.values() for name, given in self.given.items()}

    def written(self) -> dict[Address, Literal]:
        """Every given cell as its author wrote it."""
        return {
            Address(name, index): literal
            for name, given in self.given.items()
            for index, literal in given.cells.items()
        }

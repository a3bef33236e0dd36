"""Random examples of every kind a recipe can express, small enough to be worked three ways."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from workings.exact.run import Exact
from workings.steps.build import build
from workings.steps.language import MINUS_INFINITY, Const, Expr
from workings.steps.literal import read_literal
from workings.steps.recipe import Recipe
from workings.steps.spec import (
    FEED_FORWARD,
    GATED,
    NORMS,
    PAIRS,
    QK_NORMS,
    SOFTMAX,
    AttentionSpec,
    BlockSpec,
    Mask,
    Rope,
)
from workings.terms.address import Name

# a cell of a given array: a rational, or None for minus infinity
Cell = Fraction | None
Cells = dict[tuple[int, ...], Cell]
MASKS = ("none", "causal", "causal-top-left", "window", "matrix")
SOURCES = ("given", "made", "embedded", "cross", "cached")


@dataclass(repr=False)
class Example:
    """One random example: what it is, and its given numbers."""

    spec: AttentionSpec
    around: BlockSpec
    known: dict[str, int]
    cross: bool = False
    tables: dict[str, Any] = field(default_factory=dict)
    given: dict[Name, Cells] = field(default_factory=dict)
    shapes: dict[Name, tuple[int, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        arrays = {str(name): [str(cell) for cell in cells.values()] for name, cells in self.given.items()}
        return f"Example({self.spec}, {self.around}, {self.known}, {self.cross}, {self.tables}, {arrays})"

    def recipe(self) -> Recipe:
        return build(self.spec, self.around, self.shapes, self.known, self.tables, self.cross)

    def expressions(self) -> dict[Name, dict[tuple[int, ...], Expr]]:
        """What the exact engine is given."""
        return {
            name: {index: MINUS_INFINITY if cell is None else Const(cell) for index, cell in cells.items()}
            for name, cells in self.given.items()
        }

    def arrays(self) -> dict[Name, npt.NDArray[np.float64]]:
        """What the array form is given."""
        out = {}
        for name, shape in self.shapes.items():
            out[name] = np.empty(shape)
            for index, cell in self.given[name].items():
                out[name][index] = -np.inf if cell is None else float(cell)
        return out

    def exact(self, recipe: Recipe, carry: int | None = None) -> Exact:
        return Exact(recipe, self.expressions(), carry)


def all_indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every index of an array."""
    return product(*(range(size) for size in shape))


def _rotated(rope: Rope) -> tuple[int, ...]:
    """Widths of heads that turn so: an odd one where only a part does."""
    return (2, 4) if rope.rotary_dim is None else (2, 3, 4)


class _Maker:
    """Fills in the arrays that the chosen options need."""

    def __init__(self, draw: Callable[[Any], Any], spec: AttentionSpec, around: BlockSpec, source: str) -> None:
        self.draw, self.spec, self.around, self.source = draw, spec, around, source
        self.numbers = random.Random(draw(st.integers(0, 2**32)))
        tokens = draw(st.integers(1, 4))
        past = draw(st.integers(1, 3)) if source == "cached" else 0
        keys = draw(st.integers(1, 4)) if source == "cross" else tokens + past
        self.example = Example(spec, around, {"token": tokens, "key": keys, "past": past}, source == "cross")
        self.d_k = draw(st.sampled_from(_rotated(spec.rope))) if spec.position == "rope" else draw(st.integers(1, 3))
        self.d_v, self.d_model = draw(st.integers(1, 2)), draw(st.integers(1, 3))
        self.tokens, self.keys, self.past = tokens, keys, past

    def add(self, name: Name, *shape: int, low: int = -20, high: int = 20, infinite: float = 0.0) -> None:
        """Given numbers with one decimal."""

        def number() -> Cell:
            return None if self.numbers.random() < infinite else Fraction(self.numbers.randint(low, high), 10)

        self.example.shapes[name] = shape
        self.example.given[name] = {index: number() for index in all_indices(shape)}

    def scalar(self, name: str, value: Fraction) -> None:
        self.example.shapes[Name(name)] = ()
        self.example.given[Name(name)] = {(): value}

    def kv_names(self, name: str) -> list[Name]:
        heads, groups = self.spec.heads, self.spec.kv_heads
        if groups == 1:
            return [Name(name)]
        return [Name(name, head=g) if groups == heads else Name(name, group=g) for g in range(groups)]

    def head_names(self, name: str) -> list[Name]:
        return [Name(name, head=h) for h in range(self.spec.heads)] if self.spec.heads > 1 else [Name(name)]

    def make(self) -> Example:
        if self.source == "given":
            for name in self.head_names("Q"):
                self.add(name, self.tokens, self.d_k)
            for letter, width in (("K", self.d_k), ("V", self.d_v)):
                for name in self.kv_names(letter):
                    self.add(name, self.keys, width)
        else:
            self.projected()
        self.options()
        if self.source != "given" and self.draw(st.booleans() if self.is_plain() else st.just(True)):
            self.weights("W_O", self.spec.heads * self.d_v, self.d_model)
            if self.draw(st.booleans()):
                self.weights("b_O", self.d_model)
        self.surroundings()
        return self.example

    def is_plain(self) -> bool:
        around = self.around
        return (around.residual, around.norm, around.feed_forward, around.layers) == (False, "none", "none", 1)

    def projected(self) -> None:
        """X (or words and a table), the weights of Q, K and V, and the cache."""
        if self.source == "embedded" or self.spec.position == "sinusoidal":
            self.add(Name("embedding_table"), 3, self.d_model)
            self.example.tables["token_id"] = [self.numbers.randrange(3) for _ in range(self.tokens)]
        else:
            self.add(Name("X"), self.tokens, self.d_model)
        context = self.d_model
        if self.source == "cross":
            context = self.draw(st.integers(1, 4))
            self.add(Name("context"), self.keys, context)
        widths = {"Q": self.spec.heads * self.d_k, "K": self.spec.kv_heads * self.d_k}
        widths["V"] = self.spec.kv_heads * self.d_v
        for letter, width in widths.items():
            self.weights(f"W_{letter}", self.d_model if letter == "Q" else context, width)
            if self.draw(st.booleans()):
                self.weights(f"b_{letter}", width)
        if self.spec.qk_norm != "none" and self.draw(st.booleans()):
            self.weights("q_norm_gain", self.d_k)
            self.weights("k_norm_gain", self.d_k)
        if self.source == "cached":
            for letter, width in (("K", self.d_k), ("V", self.d_v)):
                for name in self.kv_names(f"past_{letter}"):
                    self.add(name, self.past, width)

    def weights(self, name: str, *shape: int) -> None:
        """An array for each layer, or one that they share."""
        if self.around.layers == 1 or self.draw(st.booleans()):
            self.add(Name(name), *shape, low=-10, high=10)
        else:
            for layer in range(self.around.layers):
                self.add(Name(name, layer), *shape, low=-10, high=10)

    def options(self) -> None:
        """What the scores go through."""
        spec = self.spec
        if spec.divide_by is not None:
            self.scalar("divide_by", Fraction(17, 10))
        if spec.softcap is not None:
            self.scalar("softcap", Fraction(5, 2))
        if spec.sink:
            self.add(Name("sink"), spec.heads)
        if spec.bias:
            for name in self.head_names("bias") if self.draw(st.booleans()) else [Name("bias")]:
                self.add(name, self.tokens, self.keys, infinite=0.3)
        if spec.position in ("rope", "sinusoidal"):
            self.scalar("position_base", Fraction(self.draw(st.sampled_from((10, 10000)))))
            self.example.tables["position"] = [self.numbers.randrange(9) for _ in range(self.tokens)]
        if spec.mask.kind == "matrix":
            allowed = [[self.numbers.randrange(2) for _ in range(self.keys)] for _ in range(self.tokens)]
            self.example.tables["allowed"] = allowed

    def surroundings(self) -> None:
        """Norms and feed-forward."""
        norms = 0 if self.around.norm == "none" else 1 + (self.around.feed_forward != "none")
        if norms or self.spec.qk_norm != "none":
            self.scalar("eps", Fraction(1, 10))
        for number, part in product(range(1, norms + 1), ("gain", "bias")):
            if self.draw(st.booleans()):
                self.weights(f"norm{number}_{part}", self.d_model)
        if self.around.feed_forward == "none":
            return
        d_ff = self.draw(st.integers(1, 3))
        self.weights("W_1", self.d_model, d_ff)
        self.weights("W_2", d_ff, self.d_model)
        if self.around.feed_forward in GATED:
            self.weights("W_gate", self.d_model, d_ff)
        for name, width in (("b_1", d_ff), ("b_2", self.d_model)):
            if self.draw(st.booleans()):
                self.weights(name, width)


@st.composite
def examples(draw: Callable[[Any], Any]) -> Example:
    """A random example."""
    source = draw(st.sampled_from(SOURCES))
    positions = {"given": ("none", "alibi"), "cross": ("none", "alibi"), "embedded": ("none", "sinusoidal", "rope")}
    kv_heads, group = draw(st.sampled_from(((1, 1), (1, 2), (1, 3), (2, 1), (3, 1))))
    if draw(st.integers(0, 4)) == 0:
        kv_heads, group = 2, 2
    kind = draw(st.sampled_from(MASKS))
    softmax = draw(st.sampled_from(SOFTMAX))
    spec = AttentionSpec(
        heads=kv_heads * group,
        kv_heads=kv_heads,
        divide_by=draw(st.sampled_from((None, read_literal("1.7")))),
        softmax=softmax,
        block_size=draw(st.integers(1, 3)) if softmax == "online" else 0,
        mask=Mask(kind, window=draw(st.integers(1, 3))),
        softcap=draw(st.sampled_from((None, read_literal("2.5")))),
        sink=draw(st.booleans()),
        bias=draw(st.booleans()),
        position=draw(st.sampled_from(positions.get(source, ("none", "alibi", "rope")))),
        rope=Rope(draw(st.sampled_from(PAIRS)), rotary_dim=draw(st.sampled_from((None, None, 2)))),
        qk_norm="none" if source == "given" else draw(st.sampled_from(QK_NORMS)),
    )
    around = BlockSpec()
    if source != "given" and draw(st.booleans()):
        around = BlockSpec(
            residual=draw(st.booleans()),
            norm=draw(st.sampled_from(NORMS)),
            feed_forward=draw(st.sampled_from(FEED_FORWARD)),
            layers=draw(st.integers(1, 3)),
        )
    return _Maker(draw, spec, around, source).make()

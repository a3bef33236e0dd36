"""A six-layer stack worked exactly, against the same matrix products written as arb_mat products."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from flint import arb, arb_mat, ctx

from benchmarks.figure import Figure, compared, ratios
from workings.exact.run import Exact
from workings.steps.build import build
from workings.steps.language import Const, Expr
from workings.steps.recipe import Recipe
from workings.steps.spec import AttentionSpec, BlockSpec
from workings.terms.address import Name
from workings.terms.digits import JSON_DIGITS, magnitude, rounded_bounds
from workings.terms.numbers import MAX_BITS, MIN_BITS

LAYERS, HEADS, D_MODEL, D_K, D_FF, TOKENS = 6, 4, 32, 8, 64, 12
PAIRS = 7
Cells = dict[tuple[int, ...], Expr]


def stack() -> tuple[Recipe, dict[Name, Cells]]:
    """The recipe, and one-decimal weights from a stated generator."""
    draw = random.Random(6)  # noqa: S311
    shapes = {Name("X"): (TOKENS, D_MODEL), Name("eps"): ()}
    for layer in range(LAYERS):
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            shapes[Name(name, layer)] = (D_MODEL, HEADS * D_K)
        shapes[Name("W_1", layer)] = (D_MODEL, D_FF)
        shapes[Name("W_2", layer)] = (D_FF, D_MODEL)
    given: dict[Name, Cells] = {
        name: {index: Const(Fraction(draw.randint(-9, 9), 10)) for index in product(*map(range, shape))}
        for name, shape in shapes.items()
    }
    given[Name("eps")] = {(): Const(Fraction(1, 100000))}
    attention = AttentionSpec(heads=HEADS, kv_heads=HEADS)
    around = BlockSpec(residual=True, norm="post-layer", feed_forward="relu", layers=LAYERS)
    known = {"token": TOKENS, "key": TOKENS, "past": 0}
    return build(attention, around, shapes, known, {}), given


def last_output(recipe: Recipe) -> Name:
    """The array that the last step makes."""
    return recipe.ops[-1].name


def surely(recipe: Recipe, given: dict[Name, Cells]) -> int:
    """Work the stack to its last output with 12 sure digits in every cell; the bits that took."""
    engine, name, used = Exact(recipe, given), last_output(recipe), MIN_BITS
    for index in product(*map(range, recipe.array(name).shape)):
        value = engine.value(name, index)
        power = magnitude(value)
        if power is None or value.exact is not None:
            continue
        bits = MIN_BITS
        while rounded_bounds(*value.bounds(bits), JSON_DIGITS - 1 - power) is None and bits < MAX_BITS:
            bits *= 2
        used = max(used, bits)
    return used


def products() -> list[tuple[arb_mat, arb_mat]]:
    """Every matrix product of the stack, as pairs of matrices of the same shapes as ours."""
    draw = random.Random(7)  # noqa: S311

    def matrix(rows: int, columns: int) -> arb_mat:
        return arb_mat([[arb(draw.randint(1, 10**9)) / (10**9 + 7) for _ in range(columns)] for _ in range(rows)])

    head = [(TOKENS, D_MODEL, D_K)] * 3 + [(TOKENS, D_K, TOKENS), (TOKENS, TOKENS, D_K)]
    layer = head * HEADS + [(TOKENS, HEADS * D_K, D_MODEL), (TOKENS, D_MODEL, D_FF), (TOKENS, D_FF, D_MODEL)]
    return [(matrix(rows, inner), matrix(inner, columns)) for rows, inner, columns in layer * LAYERS]


def run() -> list[Figure]:
    """One figure, from pairs timed in turn within this process."""
    recipe, given = stack()
    bits = surely(recipe, given)
    with ctx.workprec(bits):
        pairs = products()

    def yardstick() -> None:
        with ctx.workprec(bits):
            for left, right in pairs:
                left * right

    measured = ratios(lambda: surely(recipe, given), yardstick, PAIRS, warm_up=1)
    name = "six-layer stack worked to 12 sure digits / the same products as arb_mat"
    return [compared(name, measured, limit=30.0)]

"""Slips in position: rotary pairs, their speeds and how many dimensions turn, padding, and ALiBi's slopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import always, change, of_formula, with_tables
from workings.steps.language import (
    At,
    Calc,
    Const,
    Cos,
    Div,
    Expr,
    Mul,
    Number,
    Pow,
    Sin,
    Size,
    rebuild,
    walk,
)
from workings.steps.position import ROPE_ANGLE, ROPE_ANGLE_PART, angle_of, rotation
from workings.steps.recipe import Recipe
from workings.steps.spec import PAIRS
from workings.steps.step import Op

BASES = (10_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000)
SHARES = (Fraction(1, 4), Fraction(2, 5), Fraction(1, 2), Fraction(3, 4))  # of a head that models rotate
ROTATED = ("Q", "K")


def _pairs(pairs: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        if recipe.spec.position == "rope" and recipe.spec.rope.pairs != pairs:
            yield change(
                recipe,
                ("Q", "K"),
                lambda _, op: rotation(op.step.name, pairs, recipe.sizes).formula if _turns(op) else None,
            )

    return changes


def _turns(op: Op) -> bool:
    """Whether an op rotates: the projection before it, and the cache behind it, have steps of the same name."""
    return any(isinstance(part, At) and part.name == "cos" for part in walk(op.step.formula))


def _rope(recipe: Recipe) -> bool:
    return recipe.spec.position == "rope"


def _base(base: int) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        if _rope(recipe):
            yield change(recipe, "angle", lambda _, op: _with_base(op.step.formula, base))

    return changes


def _with_base(node: Expr, base: int) -> Expr:
    if isinstance(node, Pow):
        return Pow(Const(base), node.exponent)
    return rebuild(node, lambda child: _with_base(child, base))


def _unrotated(recipe: Recipe) -> Iterator[Recipe | None]:
    if _rope(recipe):
        for name in ("Q", "K"):
            yield change(recipe, name, _as_projected)
        yield change(recipe, ("Q", "K"), _as_projected)


def _as_projected(_: Recipe, op: Op) -> Expr | None:
    return At(f"{op.step.name.lower()}_proj", "token", "d_k") if _turns(op) else None


def _by_base(recipe: Recipe) -> bool:
    """Whether the angles are those of a base, neither stretched nor given."""
    places = recipe.places.get("angle", ())
    by_base = (ROPE_ANGLE.formula, ROPE_ANGLE_PART.formula)
    return _rope(recipe) and any(recipe.ops[place].step.formula in by_base for place in places)


def _part_alone(recipe: Recipe) -> Iterator[Recipe | None]:
    """The first dimensions alone rotated where all should be; the speeds go by all of them, or by how many turn."""
    if not _by_base(recipe) or "rotary_dim" in recipe.sizes:
        return
    for share in SHARES:
        count = share * recipe.sizes["d_k"]
        if count and count % 2 == 0:
            sizes = {**recipe.sizes, "rotary_dim": int(count)}
            for speeds in (ROPE_ANGLE, ROPE_ANGLE_PART):
                slower = change(recipe, "angle", always(speeds.formula)) or recipe
                part = change(slower, ROTATED, partial(_rotated_among, sizes=sizes))
                yield part if part is None or part is recipe else replace(part, sizes=sizes)


def _rotated_among(recipe: Recipe, op: Op, sizes: Mapping[str, int]) -> Expr | None:
    """The rotation under other sizes."""
    return rotation(op.step.name, recipe.spec.rope.pairs, sizes).formula if _turns(op) else None


def _all_dimensions(recipe: Recipe) -> Iterator[Recipe | None]:
    """All dimensions rotated where the first ones alone should be."""
    if _by_base(recipe) and "rotary_dim" in recipe.sizes and recipe.sizes["d_k"] % 2 == 0:
        yield change(recipe, ROTATED, lambda found, op: _all_by_angles(found, op) if _turns(op) else None)


def _all_by_angles(recipe: Recipe, op: Op) -> Expr:
    """The rotation of all dimensions; the tables have no columns for the last ones, so the angles stand in it."""
    functions = {"cos": Cos, "sin": Sin}

    def of_angle(node: Expr) -> Expr:
        if isinstance(node, At) and node.name in functions:
            return functions[node.name](angle_of(node.index[1], "d_k"))
        return rebuild(node, of_angle)

    return of_angle(rotation(op.step.name, recipe.spec.rope.pairs, ()).formula)


def _speeds_by_all(recipe: Recipe) -> Iterator[Recipe | None]:
    """The speeds of a rotation in part as if all dimensions were rotated."""
    if _by_base(recipe) and "rotary_dim" in recipe.sizes:
        yield change(recipe, "angle", always(ROPE_ANGLE.formula))


def _plain_positions(recipe: Recipe) -> Iterator[Recipe | None]:
    """0, 1, 2 … in place of the positions given; they differ under left padding."""
    if _rope(recipe):
        places = list(range(recipe.sizes["token"]))
        if list(recipe.tables["position"]) != places:
            yield with_tables(recipe, position=places)


def _next_positions(recipe: Recipe) -> Iterator[Recipe | None]:
    if _rope(recipe):
        for by in (1, -1):
            yield with_tables(recipe, position=[place + by for place in recipe.tables["position"]])


def _one_sequence(recipe: Recipe) -> Iterator[Recipe | None]:
    slope = Pow(Const(2), Div(Number(Calc("*", -8, Calc("+", "head", 1))), Size("heads")))
    yield change(recipe, "alibi_slope", lambda _, __: slope)


def _no_slopes(recipe: Recipe) -> Iterator[Recipe | None]:
    if recipe.spec.position == "alibi":
        yield change(recipe, "masked", of_formula(_without_slope))


def _without_slope(node: Expr) -> Expr:
    if isinstance(node, Mul) and isinstance(node.left, At) and node.left.name == "alibi_slope":
        return Const(0)
    return rebuild(node, _without_slope)


def _title(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


POSITIONS = (
    *(
        Cause(
            f"rope-pairing:{pairs}",
            _title(f"rotary pairs taken {said}", f"旋转位置按{told}配对"),
            _pairs(pairs),
        )
        for pairs, said, told in (
            (PAIRS[0], "as first and second half", "前后两半"),
            (PAIRS[1], "as neighbours", "相邻两维"),
        )
    ),
    *(
        Cause(
            f"rope-pairing:base-{base}",
            _title(f"rotary base {base:,}", f"旋转位置的底数取了 {base:,}"),
            _base(base),
        )
        for base in BASES
    ),
    Cause("rope-pairing:missing", _title("the rotation was left out", "漏了旋转"), _unrotated),
    Cause(
        "rope-pairing:part",
        _title(
            "the first dimensions alone were rotated: a quarter, two fifths, half or three quarters of them",
            "只旋转了前面的一部分维度：四分之一、五分之二、一半或四分之三",
        ),
        _part_alone,
    ),
    Cause(
        "rope-pairing:all",
        _title("all dimensions were rotated, not the first ones alone", "旋转了全部维度，而不只是前面的几个"),
        _all_dimensions,
    ),
    Cause(
        "rope-pairing:speeds",
        _title(
            "the rotary speeds go by all dimensions, not by how many are rotated",
            "旋转的速度按全部维度算，没有按旋转的维度数算",
        ),
        _speeds_by_all,
    ),
    Cause(
        "left-padding",
        _title("positions 0, 1, 2 … in place of those under padding", "位置取了 0、1、2……，没有按填充来算"),
        _plain_positions,
    ),
    Cause("left-padding:shifted", _title("positions are off by one", "位置偏了一格"), _next_positions),
    Cause(
        "alibi:one-sequence",
        _title(
            "ALiBi slopes from one sequence, though heads are no power of two",
            "头数不是 2 的幂，ALiBi 斜率却取自同一个等比数列",
        ),
        _one_sequence,
    ),
    Cause("alibi:ignored", _title("the ALiBi penalty was left out", "漏了 ALiBi 惩罚"), _no_slopes),
)

"""Slips on the way of queries and keys from the projection to the dot product: norm and rotation in the wrong order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import Change, change
from workings.steps.language import Add, At, Div, Expr, If, Index, Mul, Sqrt, rebuild
from workings.steps.position import rotation
from workings.steps.recipe import Recipe
from workings.steps.step import Op


def _other_order(recipe: Recipe) -> Iterator[Recipe | None]:
    """Both stages, but the other one first. Equal gains cannot tell, for a rotation leaves a mean square as it is."""
    if set(recipe.spec.stages) == {"normed", "rotated"}:
        for letters in (("Q",), ("K",), ("Q", "K")):
            yield change(recipe, letters, _last_stage)


def _last_stage(recipe: Recipe, op: Op) -> Change | None:
    """The last stage of queries or keys, made from the projection with the two stages in the other order."""
    letter, last = op.step.name, recipe.spec.stages[-1]
    rotated = rotation(letter, recipe.spec.rope.pairs, recipe.sizes).formula
    if not op.step.about.startswith(f"{letter}_{last}") or not isinstance(rotated, If):
        return None
    small = letter.lower()
    projected = f"{small}_proj"
    has_gain = any(name.name == f"{small}_norm_gain" for name in recipe.given)

    def normed(value: Expr, place: Index) -> Expr:
        quotient = Div(value, Sqrt(Add(At(f"{small}_mean_square", "token"), At("eps"))))
        return Mul(quotient, At(f"{small}_norm_gain", place)) if has_gain else quotient

    def normed_first(node: Expr) -> Expr:
        if isinstance(node, At) and node.name == projected:
            return normed(node, node.index[1])
        return rebuild(node, normed_first)

    normed_last = _in_each_case(rotated, lambda value: normed(value, "d_k"))
    formula = normed_first(rotated) if last == "normed" else normed_last
    return Change(formula, {projected: op.name.called(projected)})


def _in_each_case(node: Expr, make: Callable[[Expr], Expr]) -> Expr:
    """A formula made of another, case by case."""
    if isinstance(node, If):
        return If(node.condition, _in_each_case(node.then, make), _in_each_case(node.otherwise, make))
    return make(node)


STAGES = (
    Cause(
        "qk-norm:order",
        {
            "en": "norm and rotation of queries and keys in the wrong order",
            "zh": "查询和键的归一化与旋转次序颠倒",
        },
        _other_order,
    ),
)

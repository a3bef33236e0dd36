"""Changes to a recipe from which causes are put together: another formula, other bindings, another mask or table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workings.steps.language import (
    MINUS_INFINITY,
    Add,
    At,
    Const,
    Div,
    Exp,
    Expr,
    If,
    Larger,
    Max,
    Sub,
    Sum,
)
from workings.steps.recipe import Recipe
from workings.steps.spec import Mask
from workings.steps.step import Op
from workings.terms.address import Name

EXPONENTIALS = ("exp", "exp_shifted", "block_exp")
SUMS = ("exp_sum", "exp_shifted_sum", "running_sum")
WEIGHT = "weight"
OUTPUT = "head_output"


@dataclass(frozen=True)
class Change:
    """A step made otherwise: its formula, and what further names in it mean."""

    formula: Expr
    arrays: Mapping[str, Name] = field(default_factory=dict)


Make = Callable[[Recipe, Op], Change | Expr | None]


def always(formula: Expr) -> Make:
    """A formula whatever the step was."""
    return lambda _, __: formula


def of_formula(make: Callable[..., Expr | None], *values: Any) -> Make:
    """A formula made from the declared one, and from what else is handed in."""
    return lambda _, op: make(op.step.formula, *values)


def change(recipe: Recipe, steps: str | Iterable[str], make: Make) -> Recipe | None:
    """The recipe with some steps made otherwise wherever they stand; None where nothing changes.

    Where only steps that nobody asks for would change, it is the recipe itself.
    """
    found_at = recipe.places
    if isinstance(steps, str):
        places = found_at.get(steps, ())
    else:
        places = [place for step in steps for place in found_at.get(step, ())]
    ops: list[Op] | None = None
    asked, passed = recipe.asked, False
    for place in places:
        op = recipe.ops[place]
        if asked is not None and op.name not in asked:
            passed = True
        elif (made := make(recipe, op)) is not None:
            found = made if isinstance(made, Change) else Change(made)
            arrays = {**op.arrays, **found.arrays} if found.arrays else op.arrays
            if found.formula != op.step.formula or arrays != op.arrays:
                ops = list(recipe.ops) if ops is None else ops
                ops[place] = op.otherwise(found.formula, arrays)
    if ops is None:
        return recipe if passed else None
    return recipe.with_ops(tuple(ops))


def with_tables(recipe: Recipe, **tables: Any) -> Recipe:
    """The recipe with other integers in its tables."""
    return replace(recipe, tables={**recipe.tables, **tables})


# --- finding things in a recipe ----------------------------------------------------------------------------------


def step_at(recipe: Recipe, op: Op, names: Iterable[str]) -> Op | None:
    """The step of one of these names at the same place."""
    return next((found for name in names if (found := recipe.op(op.name.called(name))) is not None), None)


def logit_name(recipe: Recipe, op: Op) -> Name | None:
    """The array that the softmax at this place reads: block by block, its weights read it too."""
    if "logit" in op.arrays:
        return recipe.source(op, "logit")
    found = step_at(recipe, op, EXPONENTIALS)
    return None if found is None else recipe.source(found, "logit")


def last_logit(recipe: Recipe) -> str | None:
    """The plain name of the array that every softmax of the recipe reads."""
    names = {recipe.source(op, "logit").name for op in recipe.ops if op.step.name in EXPONENTIALS}
    return next(iter(names)) if len(names) == 1 else None


def unmasked(formula: Expr) -> Expr:
    """What the masked scores are where a key may be looked at."""
    return formula.then if isinstance(formula, If) and formula.otherwise == MINUS_INFINITY else formula


def mask_of(recipe: Recipe) -> Mask:
    """The mask of a recipe."""
    return recipe.spec.mask


# --- parts of formulas ---------------------------------------------------------------------------------------------

CELL = ("query", "key")
LOGIT = At("logit", *CELL)


def negative(node: Expr) -> Expr:
    """The number with its sign turned."""
    return Sub(Const(0), node)


def poison(node: Expr) -> Expr:
    """0 where a number is below infinity; where it is infinite, a quotient without value (NaN in arrays)."""
    above = Larger(node, Const(0))
    return Div(Const(0), Div(above, above, if_zero=1))


def spoiled(share: Expr, lost: Expr) -> Expr:
    """Weights that are none where something else has no value; 0 is added elsewhere, and a quotient remains one."""
    return Div(Add(share.left, lost), share.right, share.if_zero) if isinstance(share, Div) else Add(share, lost)


def softmax_of(logit: Expr, axis: str = "key") -> Expr:
    """A whole softmax as one formula."""
    power = Exp(Sub(logit, Max(axis, logit)))
    return Div(power, Sum(axis, power), if_zero=0)


def added(node: Expr, number: int) -> Expr:
    """The number with a constant added to it."""
    return Add(node, Const(number))

"""Slips in a softmax block by block: what earlier blocks left is not rescaled where a later one raises the maximum.

Keys then count as of the maximum that was known at the end of their own block: e^(score − m of that block).
Milakov and Gimelshein 2018, algorithm 3, and Dao et al. 2022, algorithm 1, with the factor left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import (
    LOGIT,
    OUTPUT,
    WEIGHT,
    Change,
    change,
    logit_name,
    of_formula,
    step_at,
)
from workings.steps.language import At, Compare, Div, Exp, Expr, If, Max, Mul, Sub, Sum, rebuild
from workings.steps.recipe import Recipe
from workings.steps.step import Op

KEY = "key"
TOP, POWER, TOTAL = "row_max", "exp_shifted", "exp_shifted_sum"
BLOCKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # keys that kernels take at a time
MOST_BLOCKS = 64  # of a row: each has a maximum of its own


@dataclass(frozen=True)
class _Slip:
    """What is not rescaled: the running output, the running sum, or both."""

    id: str
    output: bool
    total: bool
    en: str
    zh: str

    @property
    def steps(self) -> list[str]:
        """The steps that rescale it where softmax is worked block by block."""
        return ["running_output"] * self.output + ["running_sum"] * self.total


SLIPS = (
    _Slip("output", True, False, "the output so far was", "累计的输出"),
    _Slip("sum", False, True, "the sum so far was", "累计的总和"),
    _Slip("both", True, True, "sum and output so far were", "累计的总和与输出都"),
)


def _by_blocks(recipe: Recipe, slip: _Slip) -> Iterator[Recipe | None]:
    """In a recipe that goes through the keys block by block."""
    yield change(recipe, slip.steps, of_formula(_as_it_was))


def _as_it_was(node: Expr) -> Expr:
    """What the block before left, without the factor."""
    if isinstance(node, Mul) and isinstance(node.left, At) and node.left.name == "rescale":
        return node.right
    return rebuild(node, _as_it_was)


def _at_once(recipe: Recipe, slip: _Slip, size: int) -> Iterator[Recipe | None]:
    """In a recipe that has whole rows, for a kernel that takes so many keys at a time."""
    keys = recipe.sizes["key"]
    if TOP not in recipe.places or not size < keys <= size * MOST_BLOCKS:
        return
    makes: dict[str, Callable[[Recipe, Op], Change | None]] = {OUTPUT: _shared}
    if slip.output:
        makes[POWER] = _power
    if slip.output != slip.total:  # of both, the sum is that of the altered exponentials as it stands
        makes[TOTAL] = _rescaled if slip.output else _not_rescaled
    stops = {f"{KEY}{stop}": stop for stop in range(size, keys, size)}
    wider = replace(recipe, sizes={**recipe.sizes, **stops})
    made = change(wider, makes, lambda found, op: makes[op.step.name](found, op))
    yield recipe if made is wider else made


def _power(recipe: Recipe, op: Op) -> Change | None:
    """The exponential of a score less the maximum of the keys up to the end of its own block."""
    top = step_at(recipe, op, (TOP,))
    logit = logit_name(recipe, op)
    if top is None or logit is None:
        return None
    found: Expr = At(TOP, "query")
    for axis, stop in reversed(_stops(recipe)):
        found = If(Compare("<", KEY, stop), _over(top.step.formula, axis), found)
    return Change(Exp(Sub(LOGIT, found)), {**top.arrays, "logit": logit, TOP: top.name})


def _stops(recipe: Recipe) -> list[tuple[str, int]]:
    """Where the blocks but the last one end: an axis of all keys up to there, and how many these are."""
    return [(axis, size) for axis, size in recipe.sizes.items() if axis.removeprefix(KEY).isdecimal()]


def _over(node: Expr, axis: str) -> Expr:
    """A maximum over fewer keys."""
    if isinstance(node, Max):
        return Max(axis, _over(node.body, axis))
    if isinstance(node, At):
        return At(node.name, *(axis if item == KEY else item for item in node.index), head=node.head)
    return rebuild(node, lambda child: _over(child, axis))


def _not_rescaled(recipe: Recipe, op: Op) -> Change | None:
    """The sum of such exponentials."""
    power = _power(recipe, op)
    return None if power is None else Change(_with(op.step.formula, power.formula), power.arrays)


def _rescaled(recipe: Recipe, op: Op) -> Change | None:
    """The sum as it should be, where the exponentials are altered."""
    power = step_at(recipe, op, (POWER,))
    return None if power is None else Change(_with(op.step.formula, power.step.formula), power.arrays)


def _with(node: Expr, power: Expr) -> Expr:
    """A formula with the exponentials made in it instead of read."""
    return power if isinstance(node, At) and node.name == POWER else rebuild(node, partial(_with, power=power))


def _shared(recipe: Recipe, op: Op) -> Change | None:
    """The output divided by the sum: weights that are shown may have been made otherwise."""
    weight = step_at(recipe, op, (WEIGHT,))
    share = None if weight is None else weight.step.formula
    if weight is None or not isinstance(share, Div) or not isinstance(share.left, At):
        return None
    mixed = Sum(KEY, Mul(share.left, At("V", KEY, "d_v")))
    return Change(Div(mixed, share.right, share.if_zero), weight.arrays)


def _cause(slip: _Slip, ending: str, en: str, zh: str, changes: Callable[..., Iterator[Recipe | None]]) -> Cause:
    title = {
        "en": f"{slip.en} not rescaled when the maximum grew{en}",
        "zh": f"最大值变大时，{slip.zh}没有重新缩放{zh}",
    }
    return Cause(f"online-rescale:{slip.id}{ending}", title, partial(changes, slip=slip))


ONLINE = (
    *(_cause(slip, "", "", "", _by_blocks) for slip in SLIPS),
    *(
        _cause(
            slip,
            f"-{size}",
            f" (blocks of {size} key{'s' * (size > 1)})",
            f"（每块 {size} 个键）",
            partial(_at_once, size=size),
        )
        for slip in SLIPS
        for size in BLOCKS
    ),
)

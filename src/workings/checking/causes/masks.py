"""Slips with the mask: its polarity, its place, its alignment, its value, and what happens to a row without a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import (
    EXPONENTIALS,
    OUTPUT,
    SUMS,
    WEIGHT,
    Change,
    added,
    always,
    change,
    mask_of,
    of_formula,
    softmax_of,
    spoiled,
    unmasked,
)
from workings.steps.attention import may_look
from workings.steps.language import (
    MINUS_INFINITY,
    Add,
    At,
    Both,
    Compare,
    Condition,
    Const,
    Div,
    Exp,
    Expr,
    If,
    Larger,
    Lookup,
    Mul,
    Round,
    Sub,
    Sum,
)
from workings.steps.recipe import Recipe
from workings.steps.softmax import fully_masked
from workings.steps.spec import Mask
from workings.steps.step import Op
from workings.terms.numbers import FORMATS

FINITE = (-1, -5, -10, -20, -50, -100, -1000, -10_000, -65_504, -100_000, -1_000_000, -(10**9), -(10**10), -(2**31))
BLOCKS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
CLAMPS = (Fraction(-(10**4)), Fraction(-1000), Fraction(0))
TOTALS = ("row_max", *EXPONENTIALS, *SUMS)
FLOORS = (Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 10**12))


def _masked(make: Callable[[Condition, Expr], Expr | None]) -> Callable[[Recipe], Iterator[Recipe | None]]:
    """The masked scores made otherwise, from their condition and what they are where a key is allowed."""

    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        condition = may_look(mask_of(recipe))
        if condition is not None:
            yield change(recipe, "masked", of_formula(lambda formula: make(condition, unmasked(formula))))

    return changes


def _several(*makes: Callable[[Condition, Expr], Expr | None]) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        for make in makes:
            yield from _masked(make)(recipe)

    return changes


def _again(recipe: Recipe, masks: Iterable[Mask]) -> Iterator[Recipe | None]:
    """The recipe with other masks; its own condition is replaced, the biases stay."""
    for mask in masks:
        condition = may_look(mask)
        yield change(recipe, "masked", of_formula(_under, condition))


def _under(formula: Expr, condition: Condition | None) -> Expr:
    """The masked scores under another condition."""
    value = unmasked(formula)
    return value if condition is None else If(condition, value, MINUS_INFINITY)


def _as_band(mask: Mask) -> Mask:
    """Causal masks and windows of an example as the band that they are."""
    if mask.kind == "causal":
        return Mask("band", right=0)
    if mask.kind == "causal-top-left":
        return Mask("band", right=0, top_left=True)
    if mask.kind == "window":
        return Mask("band", left=mask.window - 1, right=0)
    return mask


def _inverted(recipe: Recipe) -> Iterator[Recipe | None]:
    """What is allowed was forbidden: the whole mask, or one of its two parts."""
    yield from _masked(lambda condition, value: If(condition, MINUS_INFINITY, value))(recipe)
    mask = mask_of(recipe)
    band = may_look(replace(mask, table=False)) if mask.kind == "band" else None
    if band is not None and mask.table:
        table = Lookup("allowed", "head", "query", "key")
        both = Both(band, Compare("==", table, 0))
        yield change(recipe, "masked", lambda _, op: If(both, unmasked(op.step.formula), MINUS_INFINITY))
        only = Compare("==", table, 1)
        yield change(
            recipe,
            "masked",
            lambda _, op: If(band, MINUS_INFINITY, If(only, unmasked(op.step.formula), MINUS_INFINITY)),
        )


def _alignments(recipe: Recipe, top_left: bool) -> Iterator[Recipe | None]:
    band = _as_band(mask_of(recipe))
    if band.kind == "band" and band.top_left != top_left and recipe.sizes["query"] != recipe.sizes["key"]:
        yield from _again(recipe, [replace(band, top_left=top_left)])


def _shifted(recipe: Recipe) -> Iterator[Recipe | None]:
    """A causal diagonal one place too far to the left or to the right."""
    band = _as_band(mask_of(recipe))
    if band.kind == "band" and band.right == 0:
        yield from _again(recipe, [replace(band, right=1), replace(band, right=-1)])


def _windows(recipe: Recipe, by: int) -> Iterator[Recipe | None]:
    band = _as_band(mask_of(recipe))
    if band.kind != "band" or (band.left is None and not band.right):
        return
    sides = []
    if band.left is not None and band.left + by >= 0:
        sides.append(replace(band, left=band.left + by))
    if band.right and band.right + by >= 0:
        sides.append(replace(band, right=band.right + by))
    yield from _again(recipe, sides)


def _window_ignored(recipe: Recipe) -> Iterator[Recipe | None]:
    band = _as_band(mask_of(recipe))
    if band.kind == "band" and band.left is not None:
        yield from _again(recipe, [replace(band, left=None)])


def _no_causal(recipe: Recipe) -> Iterator[Recipe | None]:
    band = _as_band(mask_of(recipe))
    if band.kind == "band" and (band.left, band.right) != (None, None):
        yield from _again(recipe, [replace(band, left=None, right=None)])


def _no_table(recipe: Recipe, padding: bool) -> Iterator[Recipe | None]:
    """The mask array left out; it is padding where no query differs from another in what it may look at."""
    mask = mask_of(recipe)
    has_table = mask.kind == "matrix" or (mask.kind == "band" and mask.table)
    if has_table and same_for_all(recipe.tables["allowed"], per_head=mask.kind == "band") == padding:
        yield from _again(recipe, [replace(mask, table=False) if mask.kind == "band" else Mask()])


def same_for_all(table: Any, *, per_head: bool) -> bool:
    """Whether every row of a mask is the same."""
    if hasattr(table, "all"):  # an array
        return bool((table == table[..., :1, :]).all())
    rows = [row for head in table for row in head] if per_head else list(table)
    return all(list(row) == list(rows[0]) for row in rows)


def _nothing_allowed(recipe: Recipe) -> bool:
    table = recipe.tables.get("allowed")
    if table is None:
        return False
    return not (table.any() if hasattr(table, "any") else any(any(row) for row in table))


# --- its place and its value ----------------------------------------------------------------------------------------


def _after_softmax(recipe: Recipe) -> Iterator[Recipe | None]:
    """All keys share the weights, and the masked ones are set to 0 without dividing again."""
    condition = may_look(mask_of(recipe))
    if condition is None:
        return

    def make(found: Recipe, op: Op) -> Change | None:
        masked = found.op(op.name.called("masked"))
        if masked is None:
            return None
        return Change(If(condition, softmax_of(unmasked(masked.step.formula)), Const(0)), masked.arrays)

    yield change(recipe, WEIGHT, make)


def _finite(value: Fraction | int) -> Callable[[Recipe], Iterator[Recipe | None]]:
    return _several(
        lambda condition, score: If(condition, score, Const(value)),
        lambda condition, score: If(condition, score, Add(score, Const(value))),
    )


def _sum_overflow(recipe: Recipe) -> Iterator[Recipe | None]:
    """Two masks of the smallest number added: −∞ where both forbid, finite where one does."""
    mask = mask_of(recipe)
    band = may_look(replace(mask, table=False)) if mask.kind == "band" and mask.table else None
    if band is None:
        return
    table = Compare("==", Lookup("allowed", "head", "query", "key"), 1)
    for dtype, (precision, _, largest) in FORMATS.items():
        least = -(2 - Fraction(2, 2**precision)) * Fraction(2) ** largest
        sides: list[Expr] = [If(condition, Const(0), Const(least)) for condition in (band, table)]
        yield change(recipe, "masked", of_formula(_overflowing, dtype, sides))


def _overflowing(formula: Expr, dtype: str, sides: list[Expr]) -> Expr:
    return Round(dtype, Add(unmasked(formula), *sides))


def _times_infinity(recipe: Recipe) -> Iterator[Recipe | None]:
    """(1 − keep)·(−∞): 0·∞ has no value where a key is kept."""
    if may_look(mask_of(recipe)) is not None:
        yield change(recipe, WEIGHT, always(Div(Const(0), Const(0))))


# --- rows without a key ----------------------------------------------------------------------------------------------


def convention(recipe: Recipe, name: str) -> Recipe | None:
    """The recipe with another convention for rows with nothing allowed; None where it has that one already."""
    if recipe.spec.fully_masked == name:
        return None
    return change(recipe, WEIGHT, lambda _, op: fully_masked(op.step, name).formula)


def _conventions(name: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        yield convention(recipe, name)

    return changes


def _zero_length(recipe: Recipe) -> Iterator[Recipe | None]:
    if _nothing_allowed(recipe) and recipe.sizes["key"] == 1:
        yield convention(recipe, "nan")


def _at_least(formula: Expr, floor: Fraction) -> Expr:
    return Larger(formula, Const(floor))


def _clamped(recipe: Recipe) -> Iterator[Recipe | None]:
    """The maximum not below a floor, the sum not below another: rows of very small scores are no shares any more."""
    tops = [change(recipe, "row_max", of_formula(_at_least, clamp)) for clamp in CLAMPS]
    for top in filter(None, tops) if any(tops) else (recipe,):
        for floor in FLOORS:
            yield change(top, SUMS, of_formula(_at_least, floor))


def _ordinary(recipe: Recipe) -> Recipe | None:
    """The weights where no convention for rows without a key and no floor touches them; elsewhere no value at all.

    None where something else than the weights is made from maxima and sums too.
    """
    if not isinstance(recipe.asked, Mapping):
        return None
    others = [sources for name, sources in recipe.asked.items() if name.name not in (*TOTALS, WEIGHT)]
    if any(source.name in TOTALS for sources in others for source in sources):
        return None

    def make(found: Recipe, op: Op) -> Expr | None:
        share = op.step.formula
        if not isinstance(share, Div):
            return None
        total = share.right
        if found.op(op.name.called("row_max")) is not None:  # as small as the highest floor under it makes the sum
            top = At("row_max", "query")
            total = Mul(total, Exp(Sub(top, Larger(top, Const(max(CLAMPS))))))
        above = Larger(Sub(total, Const(max(FLOORS))), Const(0))
        return Add(Div(share.left, share.right), Div(Const(0), above))

    return change(recipe, WEIGHT, make)


def _first_block(recipe: Recipe) -> Iterator[Recipe | None]:
    """A running maximum that begins at −∞: NaN where the first block of keys is masked as a whole."""
    condition = may_look(mask_of(recipe))
    if condition is None:
        return
    allowed = Sum("key", If(condition, Const(1), Const(0)))
    for size in BLOCKS:
        if size >= recipe.sizes["key"]:
            continue
        seen = Sum("key", If(Both(Compare("<", "key", size), condition), Const(1), Const(0)))
        lost = Div(Const(0), Add(seen, Div(Const(0), allowed, if_zero=1)))  # a row without any key is another matter
        yield change(recipe, WEIGHT, of_formula(spoiled, lost))


def _poisoned(recipe: Recipe) -> Iterator[Recipe | None]:
    """0·NaN = NaN: what a masked value holds reaches the output."""
    value = At("V", "key", "d_v")
    square = Mul(value, value)
    odd = Add(Sub(square, square), Div(Const(0), Div(square, square, if_zero=1)))
    yield change(recipe, OUTPUT, lambda _, op: Add(op.step.formula, Sum("key", odd)))


def _title(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


_NAN = _title("a row with nothing allowed is NaN (0/0)", "没有可看的键的行成了 NaN（0/0）")
_UNIFORM = _title("a row with nothing allowed looks at everything equally", "没有可看的键的行平均看所有键")
_ZERO = _title("a row with nothing allowed is 0", "没有可看的键的行为 0")

MASKS = (
    Cause(
        "mask-polarity",
        _title("the mask was read the other way round: true taken for “may not look”", "掩码读反了：把真当成“不可看”"),
        _inverted,
    ),
    Cause(
        "causal-alignment:top-left",
        _title("the causal mask was aligned at the first key", "因果掩码对齐到了第一个键"),
        lambda recipe: _alignments(recipe, True),
    ),
    Cause(
        "causal-alignment:bottom-right",
        _title("the causal mask was aligned at the last key", "因果掩码对齐到了最后一个键"),
        lambda recipe: _alignments(recipe, False),
    ),
    Cause(
        "causal-alignment:shifted",
        _title("the causal diagonal is off by one", "因果对角线偏了一格"),
        _shifted,
    ),
    Cause(
        "sliding-window:one-more",
        _title("the window holds one key too many", "滑动窗口多了一个键"),
        lambda recipe: _windows(recipe, 1),
    ),
    Cause(
        "sliding-window:one-less",
        _title("the window holds one key too few", "滑动窗口少了一个键"),
        lambda recipe: _windows(recipe, -1),
    ),
    Cause("sliding-window:ignored", _title("the window was ignored", "忽略了滑动窗口"), _window_ignored),
    Cause("output-attentions", _title("the causal mask was dropped", "丢了因果掩码"), _no_causal),
    Cause(
        "padding-leak",
        _title("padded keys were looked at: the mask was ignored", "看了填充的键：忽略了掩码"),
        lambda recipe: _no_table(recipe, True),
    ),
    Cause(
        "packing",
        _title("the mask that keeps queries apart was ignored", "忽略了把各段隔开的掩码"),
        lambda recipe: _no_table(recipe, False),
    ),
    Cause(
        "mask-after-softmax",
        _title("the mask came after the softmax: shares were lost", "掩码放在 softmax 之后：丢掉了份额"),
        _after_softmax,
    ),
    Cause(
        "mask-additive-1",
        _title("a mask of ones was added instead of −∞", "加上的是 1 的掩码而不是 −∞"),
        _several(
            lambda condition, score: If(condition, score, added(score, 1)),
            lambda condition, score: If(condition, added(score, 1), score),
        ),
    ),
    *(
        Cause(
            f"mask-value:{value}",
            _title(f"−{-value:,} in place of −∞ for what is masked", f"被掩盖处用了 −{-value:,} 而不是 −∞"),
            _finite(value),
        )
        for value in FINITE
    ),
    Cause(
        "mask-value:sum-overflow",
        _title("two masks of the smallest number were added and overflowed", "两个最小值掩码相加而溢出"),
        _sum_overflow,
    ),
    Cause(
        "mask-value:product",
        _title("the mask was multiplied by −∞: 0·∞ is NaN", "掩码乘以 −∞：0·∞ 是 NaN"),
        _times_infinity,
        loses=True,
    ),
    Cause("fully-masked-row:nan", _NAN, _conventions("nan"), loses=True, within=(_ordinary,)),
    Cause("fully-masked-row:uniform", _UNIFORM, _conventions("uniform"), within=(_ordinary,)),
    Cause("fully-masked-row:zero", _ZERO, _conventions("zero"), within=(_ordinary,)),
    Cause(
        "fully-masked-row:clamped",
        _title("maximum or sum of a row was kept above a floor", "行最大值或行和被限制在某个下限之上"),
        _clamped,
        within=(_ordinary,),
    ),
    Cause("zero-length", _title("no keys at all gave NaN", "一个键都没有时得到了 NaN"), _zero_length, loses=True),
    Cause(
        "online-softmax",
        _title(
            "a running maximum of −∞: NaN where the first block is masked",
            "滚动最大值从 −∞ 开始：首块全被掩盖时为 NaN",
        ),
        _first_block,
        loses=True,
    ),
    Cause(
        "nan-times-zero",
        _title("NaN or infinity under a weight of 0 reached the output", "权重为 0 处的 NaN 或无穷进入了输出"),
        _poisoned,
        loses=True,
    ),
)

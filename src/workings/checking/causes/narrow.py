"""Slips of types too narrow: what is rounded to 16 bits on its way, added up in them, or overflows there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workings.checking.causes.cause import Cause
from workings.checking.causes.rewrite import (
    CELL,
    EXPONENTIALS,
    LOGIT,
    OUTPUT,
    SUMS,
    WEIGHT,
    always,
    change,
    last_logit,
    of_formula,
    poison,
    spoiled,
)
from workings.steps.language import Add, At, Const, Expr, Mul, Round, Sum, children, rebuild
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.numbers import ANY_NARROW

MOST_FOLDED = 128  # products that are added one after the other in a narrow type
Narrowing = Callable[[Expr, str], Expr]


def _rounded(dtype: str, *steps: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        yield change(recipe, steps, lambda _, op: Round(dtype, op.step.formula))

    return changes


def _rounded_logits(dtype: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        last = last_logit(recipe)
        if last is not None:
            yield change(recipe, last, lambda _, op: Round(dtype, op.step.formula))
            yield change(recipe, ("score", last), lambda _, op: Round(dtype, op.step.formula))

    return changes


def _kept(formula: Expr, dtype: str) -> Expr:
    """A step's result rounded."""
    return Round(dtype, formula)


def _throughout(formula: Expr, dtype: str) -> Expr:
    """Every operation of a step rounded, as the difference to the maximum before its exponential; sums in one go."""

    def inner(node: Expr) -> Expr:
        return _throughout(node, dtype) if children(node) else node

    return Round(dtype, formula if isinstance(formula, Sum) else rebuild(formula, inner))


def _as_they_are(formula: Expr, _: str) -> Expr:
    return formula


def _rounded_logit(node: Expr, dtype: str) -> Expr:
    """A formula over logits that are rounded where they are read: a dump may show them as they were before."""
    if isinstance(node, At) and node.name == LOGIT.name:
        return Round(dtype, node)
    return rebuild(node, lambda child: _rounded_logit(child, dtype))


def _both(formula: Expr, first: Narrowing, then: Narrowing, dtype: str) -> Expr:
    return then(first(formula, dtype), dtype)


def _narrow_softmax(dtype: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    """Each result of the softmax rounded, or every operation; the logits as they are, or rounded first."""
    steps = ("row_max", *EXPONENTIALS, *SUMS, WEIGHT)

    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        for names, make in ((steps, _kept), ((*steps, "lse"), _throughout)):
            for logits in (_as_they_are, _rounded_logit):
                yield change(recipe, names, of_formula(_both, logits, make, dtype))

    return changes


def _folded(dtype: str) -> Callable[[Recipe], Iterator[Recipe | None]]:
    """Products added one after the other, each sum rounded, and each product before it or not."""

    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        width = recipe.sizes.get("d_k", 0)
        if not 1 < width <= MOST_FOLDED:
            return
        for order in _orders(width):
            yield change(recipe, "score", always(_chain(dtype, order, fused=True)))
            yield change(recipe, "score", always(_chain(dtype, order, fused=False)))

    return changes


def _orders(width: int) -> tuple[range, range]:
    return range(width), range(width - 1, -1, -1)


def _chain(dtype: str, order: range, *, fused: bool) -> Expr:
    """A dot product worked one product after the other; ``fused`` rounds each of them only with the sum."""
    total: Expr = Const(0)
    for place in order:
        product = Mul(At("Q", "query", place), At("K", "key", place))
        total = Round(dtype, Add(total, product if fused else Round(dtype, product)))
    return total


def _score_overflow(recipe: Recipe) -> Iterator[Recipe | None]:
    """Scores above 65,504 are infinite before they are scaled; ∞ − ∞ is NaN in the softmax."""
    score = At("score", *CELL)
    yield change(recipe, "score", lambda _, op: Round("float16", op.step.formula))
    lost = Sum("key", poison(Round("float16", score)))
    yield change(recipe, WEIGHT, of_formula(spoiled, lost))


def _within(turn: int) -> Callable[[Recipe], Recipe | None]:
    """Every number on the way as any narrow type, or none, may have it; products are added up in one of two orders."""

    def widened(recipe: Recipe) -> Recipe | None:
        width = recipe.sizes.get("d_k", 0)

        def make(_: Recipe, op: Op) -> Expr:
            if op.step.name == "score" and 1 < width <= MOST_FOLDED:
                return _chain(ANY_NARROW, _orders(width)[turn], fused=False)
            return _throughout(op.step.formula, ANY_NARROW)

        last = last_logit(recipe)
        logits = ("score",) if last is None else dict.fromkeys(("score", last))
        return change(recipe, (*logits, "row_max", *EXPONENTIALS, *SUMS, WEIGHT, "lse", OUTPUT), make)

    return widened


FORWARD, BACKWARD = _within(0), _within(1)


def _title(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


def _narrow(dtype: str) -> tuple[Cause, ...]:
    """The slips that one narrow type brings."""
    return (
        Cause(
            f"softmax-dtype:{dtype}-logits",
            _title(f"the scores were rounded to {dtype} before the softmax", f"softmax 之前得分被舍入成 {dtype}"),
            _rounded_logits(dtype),
            within=(FORWARD,),
        ),
        Cause(
            f"softmax-dtype:{dtype}-weights",
            _title(f"the weights were rounded to {dtype}", f"权重被舍入成 {dtype}"),
            _rounded(dtype, WEIGHT),
            within=(FORWARD,),
        ),
        Cause(
            f"softmax-dtype:{dtype}",
            _title(f"the softmax was worked in {dtype}", f"softmax 用 {dtype} 计算"),
            _narrow_softmax(dtype),
            within=(FORWARD,),
        ),
        Cause(
            f"softmax-dtype:{dtype}-output",
            _title(f"the output was rounded to {dtype}", f"输出被舍入成 {dtype}"),
            _rounded(dtype, OUTPUT),
            within=(FORWARD,),
        ),
        Cause(
            f"batch-dependence:{dtype}",
            _title(
                f"products were added up in {dtype}, so that their order counts", f"乘积用 {dtype} 累加，次序有影响"
            ),
            _folded(dtype),
            within=(FORWARD, BACKWARD),
        ),
    )


NARROWED = (
    Cause(
        "fp16-overflow",
        _title(
            "scores above 65,504 overflowed in float16 before the scale",
            "超过 65504 的得分在缩放之前就在 float16 中溢出",
        ),
        _score_overflow,
        loses=True,
        within=(FORWARD,),
    ),
    *_narrow("bfloat16"),
    *_narrow("float16"),
)

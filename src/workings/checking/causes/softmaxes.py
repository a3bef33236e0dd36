"""Slips in the softmax: its axis and base, sinks, types too narrow, and weights of another kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from workings.checking.causes.cause import Cause
from workings.checking.causes.narrow import NARROWED
from workings.checking.causes.rewrite import (
    EXPONENTIALS,
    LOGIT,
    OUTPUT,
    SUMS,
    WEIGHT,
    Change,
    change,
    logit_name,
    of_formula,
    poison,
    softmax_of,
)
from workings.steps.language import (
    Add,
    At,
    Const,
    Div,
    Exp,
    Expr,
    Log,
    Mul,
    Round,
    Sum,
    rebuild,
)
from workings.steps.recipe import Recipe
from workings.steps.softmax import to_base
from workings.steps.spec import LSE_BASES
from workings.steps.step import Op, Step
from workings.terms.numbers import ANY_NARROW, NARROW

LSE = "lse"


def _weight(formula: Expr) -> Callable[[Recipe], Iterator[Recipe | None]]:
    """The weights as a formula of the logits."""

    def changes(recipe: Recipe) -> Iterator[Recipe | None]:
        def of(found: Recipe, op: Op) -> Change | None:
            name = logit_name(found, op)
            return None if name is None else Change(formula, {"logit": name})

        yield change(recipe, WEIGHT, of)

    return changes


def _base_two(recipe: Recipe) -> Iterator[Recipe | None]:
    yield change(recipe, (*EXPONENTIALS, "rescale", WEIGHT), of_formula(_two_to_the))


def _two_to_the(node: Expr) -> Expr:
    return Exp(Mul(node.arg, Log(Const(2)))) if isinstance(node, Exp) else rebuild(node, _two_to_the)


def _overflow(recipe: Recipe) -> Iterator[Recipe | None]:
    """e^x without subtracting the maximum: ∞/∞ is NaN."""
    for dtype in ("float32", *NARROW):
        power, share = _overflowing(recipe, dtype)
        yield from _weight(Add(share, poison(power)))(recipe)


def _overflow_within(recipe: Recipe) -> Recipe | None:
    """The weights as any of these types may give them where nothing overflows."""
    return next(_weight(_overflowing(recipe, ANY_NARROW)[1])(recipe))


def _overflowing(recipe: Recipe, dtype: str) -> tuple[Expr, Expr]:
    """e^x in a type, and its share of the sum."""
    power = Round(dtype, Exp(LOGIT))
    total: Expr = Sum("key", power)
    if recipe.spec.sink:
        total = Add(total, Exp(At("sink", "head")))
    return power, Div(power, total, 0)


def _sink(recipe: Recipe, times: int) -> Iterator[Recipe | None]:
    def make(_: Recipe, op: Op) -> Expr | None:
        total = op.step.formula
        if not isinstance(total, Add) or not isinstance(total.terms[-1], Exp):
            return None  # a later block has the sink in the sum that it goes on with
        keys, sink = total.terms
        return Add(keys, *([sink] * times)) if times else keys

    if recipe.spec.sink:
        yield change(recipe, SUMS, make)


def _mean_of_heads(recipe: Recipe) -> Iterator[Recipe | None]:
    heads = recipe.sizes["heads"]
    if heads == 1:
        return

    def make(_: Recipe, op: Op) -> Expr | None:
        share = op.step.formula
        if not (isinstance(share, Div) and isinstance(share.left, At) and isinstance(share.right, At)):
            return None
        top, bottom = share.left, share.right
        shares = [
            Div(At(top.name, *top.index, head=h), At(bottom.name, *bottom.index, head=h), share.if_zero)
            for h in range(heads)
        ]
        return Div(Add(*shares), Const(heads))

    yield change(recipe, WEIGHT, make)


# --- its sum ---------------------------------------------------------------------------------------------------------


def _unnormalised(recipe: Recipe) -> Iterator[Recipe | None]:
    """The exponentials in place of their shares: as weights, or in the weighted sum alone."""

    def power(_: Recipe, op: Op) -> Expr | None:
        return op.step.formula.left if isinstance(op.step.formula, Div) else None

    def summed(found: Recipe, op: Op) -> Change | None:
        weight = found.op(op.name.called(WEIGHT))
        top = power(found, weight) if weight is not None else None
        if weight is None or not isinstance(top, At):
            return None
        return Change(Sum("key", Mul(top, At("V", "key", "d_v"))), {top.name: found.source(weight, top.name)})

    yield change(recipe, WEIGHT, power)
    yield change(recipe, OUTPUT, summed)


def _lse_to_base(recipe: Recipe, base: str) -> Iterator[Recipe | None]:
    if recipe.spec.lse_base != base:
        natural = recipe.spec.lse_base == "e"
        yield change(recipe, LSE, lambda _, op: to_base(op.step if natural else _natural(op.step), base).formula)


def _natural(lse: Step) -> Step:
    """The log-sum-exp to base e, of one that is to another base."""
    return replace(lse, formula=lse.formula.left) if isinstance(lse.formula, Div) else lse


def _without_maximum(node: Expr) -> Expr:
    """ln Σ e^(x − m) in place of m + ln Σ e^(x − m)."""
    if isinstance(node, Add) and isinstance(node.terms[0], At) and isinstance(node.terms[-1], Log):
        return node.terms[-1]
    return rebuild(node, _without_maximum)


def _title(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


SOFTMAXES = (
    Cause(
        "softmax-axis",
        _title("the softmax ran over the queries instead of the keys", "softmax 沿查询而不是沿键计算"),
        _weight(softmax_of(LOGIT, "query")),
        across=True,
    ),
    Cause("softmax-base-2", _title("2^x in place of e^x", "用 2^x 代替了 e^x"), _base_two),
    Cause(
        "softmax-overflow",
        _title("e^x overflowed: the maximum was not subtracted", "e^x 溢出：没有减去最大值"),
        _overflow,
        loses=True,
        within=(_overflow_within,),
    ),
    Cause(
        "exp-missing",
        _title("the exponential was left out: score divided by the sum of scores", "漏了指数：得分除以得分之和"),
        _weight(Div(LOGIT, Sum("key", LOGIT))),
    ),
    Cause(
        "weights-semantics:mean-of-heads",
        _title("weights averaged over the heads", "权重是各头的平均"),
        _mean_of_heads,
    ),
    Cause(
        "weights-semantics:logits",
        _title("scores before the softmax in place of weights", "给出的是 softmax 之前的得分而不是权重"),
        _weight(LOGIT),
    ),
    Cause(
        "attention-sink:ignored",
        _title("the sink is missing from the sum", "求和时漏了汇点"),
        lambda recipe: _sink(recipe, 0),
    ),
    Cause(
        "attention-sink:twice",
        _title("the sink was counted twice", "汇点算了两次"),
        lambda recipe: _sink(recipe, 2),
    ),
    Cause(
        "softmax-sum",
        _title("not divided by the sum of the exponentials", "没有除以指数之和"),
        _unnormalised,
    ),
    *(
        Cause(
            f"lse-base:{base}",
            _title(f"the log-sum-exp is to base {base}", f"对数和指数（lse）以 {base} 为底"),
            partial(_lse_to_base, base=base),
        )
        for base in LSE_BASES
    ),
    Cause(
        "lse-maximum",
        _title("the row's maximum was not added to the log-sum-exp", "对数和指数（lse）没有加回行最大值"),
        lambda recipe: iter([change(recipe, LSE, of_formula(_without_maximum))]),
    ),
    *NARROWED,
)

"""Scores, their scaling, softcap and mask; and the weighted sum of the values."""

from __future__ import annotations

from functools import reduce

from workings.steps.language import (
    MINUS_INFINITY,
    Add,
    At,
    Both,
    Calc,
    Compare,
    Condition,
    Div,
    Expr,
    If,
    Index,
    Lookup,
    Mul,
    Number,
    Size,
    Sqrt,
    Sum,
    Tanh,
)
from workings.steps.spec import AttentionSpec, Mask
from workings.steps.step import Step

_EQUATION_1 = "Vaswani et al. 2017, eq. 1"

SCORE = Step(
    "score",
    ("query", "key"),
    Sum("d_k", Mul(At("Q", "query", "d_k"), At("K", "key", "d_k"))),
    {"en": "scores", "zh": "得分"},
    symbol="S",
    source=_EQUATION_1,
)
_SCALED = {"en": "scaled scores", "zh": "缩放后的得分"}
SCALED = Step(
    "scaled",
    ("query", "key"),
    Div(At("score", "query", "key"), Sqrt(Size("d_k"))),
    _SCALED,
    symbol="S′",
    source=_EQUATION_1,
)
SCALED_BY_GIVEN = Step(
    "scaled",
    ("query", "key"),
    Div(At("score", "query", "key"), At("divide_by")),
    _SCALED,
    symbol="S′",
    source=_EQUATION_1,
    about="scaled_by_given",
)
CAPPED = Step(
    "capped",
    ("query", "key"),
    Mul(At("softcap"), Tanh(Div(At("scaled", "query", "key"), At("softcap")))),
    {"en": "capped scores", "zh": "软上限后的得分"},
    symbol="C",
    source="Gemma Team 2024 (Gemma 2), section 2",
)
HEAD_OUTPUT = Step(
    "head_output",
    ("query", "d_v"),
    Sum("key", Mul(At("weight", "query", "key"), At("V", "key", "d_v"))),
    {"en": "weighted sum of the values", "zh": "值的加权和"},
    symbol="H",
    source=_EQUATION_1,
)


def _own(mask: Mask) -> Index:
    """The key that is a query's own: by the offset, or else aligned at the last key."""
    return Calc("+", "query", Calc("-", Size("key"), Size("query")) if mask.offset is None else mask.offset)


def _band(mask: Mask) -> Condition | None:
    """The keys around a query's own that a kernel's mask leaves, of them those in its table."""
    own: Index = "query" if mask.top_left and mask.offset is None else _own(mask)
    parts: list[Condition] = []
    if mask.right is not None:
        parts.append(Compare("<=", "key", Calc("+", own, mask.right)))
    if mask.left is not None:
        parts.append(Compare(">=", "key", Calc("-", own, mask.left)))
    if mask.table:
        parts.append(Compare("==", Lookup("allowed", "head", "query", "key"), 1))
    return reduce(Both, parts) if parts else None


def may_look(mask: Mask) -> Condition | None:
    """The index condition under which a query may look at a key; None where every key is allowed."""
    if mask.kind == "none":
        return None
    if mask.kind == "band":
        return _band(mask)
    if mask.kind == "matrix":
        return Compare("==", Lookup("allowed", "query", "key"), 1)
    last = _own(mask)
    if mask.kind == "causal":
        return Compare("<=", "key", last)
    if mask.kind == "causal-top-left":
        return Compare("<=", "key", "query" if mask.offset is None else last)
    if mask.kind == "window":
        return Both(Compare("<=", "key", last), Compare(">", "key", Calc("-", last, mask.window)))
    return None


def _behind(mask: Mask) -> Calc:
    """Minus the distance between key and query's own key; where no later key is seen, key - query."""
    own = _own(mask)
    if mask.kind in ("causal", "window"):
        return Calc("-", "key", own)
    return Calc("-", 0, Calc("|-|", "key", own))


def masked(spec: AttentionSpec) -> Step | None:
    """Mask and additive bias as one step, or None where there are neither. Biases are added before the mask."""
    terms: list[Expr] = [At("logit", "query", "key")]
    if spec.bias:
        terms.append(At("bias", "query", "key"))
    if spec.position == "alibi":
        terms.append(Mul(At("alibi_slope", "head"), Number(_behind(spec.mask))))
    value = Add(*terms) if len(terms) > 1 else terms[0]
    condition = may_look(spec.mask)
    if condition is None and len(terms) == 1:
        return None
    formula = value if condition is None else If(condition, value, MINUS_INFINITY)
    title = {"en": "masked scores", "zh": "掩码后的得分"}
    about = "masked"
    if condition is None:
        title, about = {"en": "scores with bias", "zh": "加偏置的得分"}, "biased"
    return Step(
        "masked", ("query", "key"), formula, title, symbol="M", source="Vaswani et al. 2017, section 3.2.3", about=about
    )

"""Softmax in its visible parts: as the documents work it (plain), or after subtracting each row's maximum (shifted)."""

from __future__ import annotations

from dataclasses import replace

from workings.steps.language import Add, At, Const, Div, Exp, Expr, Larger, Log, Max, Mul, Size, Sub, Sum
from workings.steps.step import Step

_ROW = ("query",)
_CELL = ("query", "key")
_SHIFT = "Milakov and Gimelshein 2018, eq. 2"
_SINK = At("sink", "head")
_SINK_SOURCE = "Xiao et al. 2024; one learned logit per head"
_LOGIT = At("logit", "query", "key")
_MAX = At("row_max", "query")

EXP = Step("exp", _CELL, Exp(_LOGIT), {"en": "exponentials", "zh": "指数"}, symbol="E")
_SUM_TITLE = {"en": "row sums", "zh": "行和"}
_SUM = Sum("key", At("exp", "query", "key"))
EXP_SUM = Step("exp_sum", _ROW, _SUM, _SUM_TITLE, symbol="Z")
EXP_SUM_SINK = Step("exp_sum", _ROW, Add(_SUM, Exp(_SINK)), _SUM_TITLE, "Z", _SINK_SOURCE, about="exp_sum_sink")

_MAX_TITLE = {"en": "row maximum", "zh": "行最大值"}
ROW_MAX = Step("row_max", _ROW, Max("key", _LOGIT), _MAX_TITLE, "m", _SHIFT)
ROW_MAX_SINK = Step(
    "row_max", _ROW, Larger(Max("key", _LOGIT), _SINK), _MAX_TITLE, "m", _SINK_SOURCE, about="row_max_sink"
)
EXP_SHIFTED = Step(
    "exp_shifted",
    _CELL,
    Exp(Sub(_LOGIT, _MAX)),
    {"en": "shifted exponentials", "zh": "平移后的指数"},
    "E",
    _SHIFT,
)
_SHIFTED_SUM = Sum("key", At("exp_shifted", "query", "key"))
EXP_SHIFTED_SUM = Step("exp_shifted_sum", _ROW, _SHIFTED_SUM, _SUM_TITLE, "Z", _SHIFT)
EXP_SHIFTED_SUM_SINK = Step(
    "exp_shifted_sum",
    _ROW,
    Add(_SHIFTED_SUM, Exp(Sub(_SINK, _MAX))),
    _SUM_TITLE,
    "Z",
    _SINK_SOURCE,
    about="exp_sum_sink",
)

# A row with nothing allowed has the sum 0: its weights are 0 by convention, its output 0 and its lse -inf.
_WEIGHT_TITLE = {"en": "attention weights", "zh": "注意力权重"}
_SOFTMAX = "Vaswani et al. 2017, eq. 1"
WEIGHT = Step(
    "weight", _CELL, Div(At("exp", "query", "key"), At("exp_sum", "query"), if_zero=0), _WEIGHT_TITLE, "A", _SOFTMAX
)
WEIGHT_SHIFTED = Step(
    "weight",
    _CELL,
    Div(At("exp_shifted", "query", "key"), At("exp_shifted_sum", "query"), if_zero=0),
    _WEIGHT_TITLE,
    "A",
    _SOFTMAX,
)
_LSE_TITLE = {"en": "log-sum-exp", "zh": "对数指数和"}
LSE = Step("lse", _ROW, Log(At("exp_sum", "query")), _LSE_TITLE, "L")
LSE_SHIFTED = Step("lse", _ROW, Add(_MAX, Log(At("exp_shifted_sum", "query"))), _LSE_TITLE, "L", about="lse_shifted")


def fully_masked(weight: Step, convention: str) -> Step:
    """The weights with another convention for a row with nothing allowed: ``zero``, ``nan`` or ``uniform``."""
    share = weight.formula
    if not isinstance(share, Div):
        return weight
    if convention == "uniform":  # 0 ÷ sum is 0, and 1 by declaration where the sum is 0
        nothing: Expr = Div(Const(0), share.right, if_zero=1)
        even = Div(Add(share.left, nothing), Add(share.right, Mul(Size("key"), nothing)))
        return replace(weight, formula=even)
    return replace(weight, formula=Div(share.left, share.right, 0 if convention == "zero" else None))


def to_base(lse: Step, base: str) -> Step:
    """The log-sum-exp to base ``e`` or ``2``."""
    return lse if base == "e" else replace(lse, formula=Div(lse.formula, Log(Const(int(base)))))

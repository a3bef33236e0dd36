"""Softmax block by block: a running maximum, sum and output, each rescaled where a later block raises the maximum.

Milakov and Gimelshein 2018, algorithm 3; with the output kept running too, Dao et al. 2022 (FlashAttention),
algorithm 1. Every block of keys has its own arrays, ``running_max1``, ``running_max2`` …, as norms have: a later
block reads the arrays of the block before it by binding, so the language needs no formula that reads itself.
"""

from __future__ import annotations

from workings.steps.language import Add, At, Calc, Div, Exp, Expr, Larger, Max, Mul, Size, Sub, Sum
from workings.steps.softmax import WEIGHT
from workings.steps.step import Step

_ROW = ("query",)
_MILAKOV = "Milakov and Gimelshein 2018, algorithm 3"
_DAO = "Dao et al. 2022, algorithm 1"
_KEY = Calc("+", Size("before"), "block")  # ``before`` is the number of keys in the blocks before this one
_LOGIT = At("logit", "query", _KEY)
_MAX = At("running_max", "query")
_SUM = At("running_sum", "query")
_RESCALE = At("rescale", "query")
_SINK = At("sink", "head")


def _kept(name: str, *index: str) -> Expr:
    """What the block before left, rescaled to the new maximum."""
    return Mul(_RESCALE, At(name, "query", *index))


_MAX_TITLE = {"en": "running maximum", "zh": "目前的最大值"}
_HERE = Max("block", _LOGIT)
FIRST_MAX = Step("running_max", _ROW, _HERE, _MAX_TITLE, "m", _MILAKOV, about="first_max")
FIRST_MAX_SINK = Step("running_max", _ROW, Larger(_HERE, _SINK), _MAX_TITLE, "m", _MILAKOV, about="first_max_sink")
RUNNING_MAX = Step("running_max", _ROW, Larger(At("max_before", "query"), _HERE), _MAX_TITLE, "m", _MILAKOV)

RESCALE = Step(
    "rescale",
    _ROW,
    Exp(Sub(At("max_before", "query"), _MAX)),
    {"en": "rescaling factor", "zh": "重新缩放的倍数"},
    symbol="α",
    source=_MILAKOV,
)
BLOCK_EXP = Step(
    "block_exp",
    ("query", "block"),
    Exp(Sub(_LOGIT, _MAX)),
    {"en": "exponentials of the block", "zh": "本块的指数"},
    symbol="E",
    source=_MILAKOV,
)

_SUM_TITLE = {"en": "running sum", "zh": "目前的和"}
_SUMMED = Sum("block", At("block_exp", "query", "block"))
FIRST_SUM = Step("running_sum", _ROW, _SUMMED, _SUM_TITLE, "Z", _MILAKOV, about="first_sum")
FIRST_SUM_SINK = Step(
    "running_sum", _ROW, Add(_SUMMED, Exp(Sub(_SINK, _MAX))), _SUM_TITLE, "Z", _MILAKOV, about="first_sum_sink"
)
RUNNING_SUM = Step("running_sum", _ROW, Add(_kept("sum_before"), _SUMMED), _SUM_TITLE, "Z", _MILAKOV)

_OUTPUT = ("query", "d_v")
_OUTPUT_TITLE = {"en": "running output", "zh": "目前的输出"}
_MIXED = Sum("block", Mul(At("block_exp", "query", "block"), At("V", _KEY, "d_v")))
FIRST_OUTPUT = Step("running_output", _OUTPUT, _MIXED, _OUTPUT_TITLE, "U", _DAO, about="first_output")
RUNNING_OUTPUT = Step("running_output", _OUTPUT, Add(_kept("output_before", "d_v"), _MIXED), _OUTPUT_TITLE, "U", _DAO)

WEIGHT_ONLINE = Step(
    "weight",
    WEIGHT.axes,
    Div(Exp(Sub(At("logit", "query", "key"), _MAX)), _SUM, if_zero=0),
    WEIGHT.title,
    WEIGHT.symbol,
    WEIGHT.source,
    about="weight_online",
)
HEAD_OUTPUT_ONLINE = Step(
    "head_output",
    _OUTPUT,
    Div(At("running_output", "query", "d_v"), _SUM, if_zero=0),
    {"en": "running output divided by the sum", "zh": "目前的输出除以和"},
    symbol="H",
    source=_DAO,
    about="head_output_online",
)


def steps(*, first: bool, sink: bool, values: bool) -> tuple[Step, ...]:
    """The steps of one block, in order; a sink stands in the first block, as one key more."""
    if first:
        top, total = (FIRST_MAX_SINK, FIRST_SUM_SINK) if sink else (FIRST_MAX, FIRST_SUM)
        made: tuple[Step, ...] = (top, BLOCK_EXP, total)
        output = FIRST_OUTPUT
    else:
        made, output = (RUNNING_MAX, RESCALE, BLOCK_EXP, RUNNING_SUM), RUNNING_OUTPUT
    return (*made, output) if values else made

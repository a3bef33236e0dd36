"""From the output to the loss: a score for each word that could come next, softmax, surprise at the right one."""

from __future__ import annotations

from workings.steps.language import At, Compare, Const, Div, Exp, If, Log, Lookup, Mul, Sub, Sum
from workings.steps.step import Step

_CELL = ("token", "word")
_SOURCE = "Goodfellow, Bengio and Courville 2016, section 6.2.2.3"

LOGITS = Step(
    "logits",
    _CELL,
    Sum("d_model", Mul(At("input", "token", "d_model"), At("W_U", "word", "d_model"))),
    {"en": "logits of the next word", "zh": "下一个词的对数几率"},
    symbol="U",
    source="Vaswani et al. 2017, section 3.4",
    per="model",
)
LOGITS_EXP = Step(
    "logits_exp",
    _CELL,
    Exp(At("logits", "token", "word")),
    {"en": "exponentials of the logits", "zh": "对数几率的指数"},
    symbol="E_U",
    per="model",
)
LOGITS_SUM = Step(
    "logits_sum",
    ("token",),
    Sum("word", At("logits_exp", "token", "word")),
    {"en": "row sums of the logits", "zh": "对数几率的行和"},
    symbol="Z_U",
    per="model",
)
PROBABILITY = Step(
    "probability",
    _CELL,
    Div(At("logits_exp", "token", "word"), At("logits_sum", "token")),
    {"en": "probabilities of the next word", "zh": "下一个词的概率"},
    symbol="P",
    source=_SOURCE,
    per="model",
)
# A token with nothing to be told next has the target −1 and no part in the loss.
_TOLD = Compare(">=", Lookup("target", "token"), 0)
SURPRISE = Step(
    "surprise",
    ("token",),
    If(_TOLD, Sub(Const(0), Log(At("probability", "token", Lookup("target", "token")))), Const(0)),
    {"en": "surprise at the right word", "zh": "对正确的词的惊讶"},
    symbol="s",
    source=_SOURCE,
    per="model",
)
LOSS = Step(
    "loss",
    (),
    Sum("token", At("surprise", "token")),
    {"en": "loss", "zh": "损失"},
    symbol="ℓ",
    source=_SOURCE,
    per="model",
)


def updated(name: str, axes: tuple[str, ...], symbol: str, title: dict[str, str]) -> Step:
    """A weight after one step of gradient descent: itself, less the rate times its gradient."""
    change = Mul(At("rate"), At("gradient", *axes))
    return Step(
        f"updated_{name}",
        axes,
        Sub(At("weight", *axes), change),
        title,
        f"{symbol}′",
        "Cauchy 1847",
        per="model",
        about="updated",
    )


STEPS = (LOGITS, LOGITS_EXP, LOGITS_SUM, PROBABILITY, SURPRISE, LOSS)

"""After the heads: side by side, output projection, residual, norm and feed-forward."""

from __future__ import annotations

from fractions import Fraction

from workings.steps.language import (
    Add,
    At,
    Calc,
    Const,
    Div,
    Erf,
    Expr,
    Larger,
    Mul,
    Pi,
    Pow,
    Sigmoid,
    Size,
    Sqrt,
    Sub,
    Sum,
    Tanh,
)
from workings.steps.step import Step

_MODEL = ("token", "d_model")
_HIDDEN = ("token", "d_ff")

CONCAT = Step(
    "concat",
    ("token", "concat"),
    At("head_output", "token", Calc("%", "concat", Size("d_v")), head=Calc("//", "concat", Size("d_v"))),
    {"en": "heads side by side", "zh": "各头并排"},
    symbol="concat",
    source="Vaswani et al. 2017, section 3.2.2",
    per="layer",
)
_OUTPUT_TITLE = {"en": "output", "zh": "输出"}
_OUTPUT = Sum("concat", Mul(At("heads_out", "token", "concat"), At("W_O", "concat", "d_model")))
OUTPUT = Step("output", _MODEL, _OUTPUT, _OUTPUT_TITLE, "O", "Vaswani et al. 2017, section 3.2.2", "layer")
OUTPUT_BIASED = Step("output", _MODEL, Add(_OUTPUT, At("b_O", "d_model")), _OUTPUT_TITLE, "O", OUTPUT.source, "layer")
OUTPUT_SAME = Step(
    "output",
    ("token", "concat"),
    At("heads_out", "token", "concat"),
    _OUTPUT_TITLE,
    symbol="O",
    per="layer",
    about="output_same",
)
RESIDUAL = Step(
    "residual",
    _MODEL,
    Add(At("before", "token", "d_model"), At("change", "token", "d_model")),
    {"en": "residual", "zh": "残差相加"},
    symbol="R",
    source="He et al. 2016, eq. 1",
    per="layer",
)

# --- norms -------------------------------------------------------------------------------------------------------

_BA = "Ba et al. 2016, eq. 4"
_ZHANG = "Zhang and Sennrich 2019, eq. 4"
_VALUE = At("input", "token", "d_model")
_MEAN = At("norm_mean", "token")
NORM_MEAN = Step(
    "norm_mean",
    ("token",),
    Div(Sum("d_model", _VALUE), Size("d_model")),
    {"en": "mean", "zh": "均值"},
    "μ",
    _BA,
    "layer",
)
NORM_VARIANCE = Step(
    "norm_variance",
    ("token",),
    Div(Sum("d_model", Pow(Sub(_VALUE, _MEAN), Const(2))), Size("d_model")),
    {"en": "variance", "zh": "方差"},
    symbol="σ²",
    source=_BA,
    per="layer",
)
NORM_MEAN_SQUARE = Step(
    "norm_mean_square",
    ("token",),
    Div(Sum("d_model", Pow(_VALUE, Const(2))), Size("d_model")),
    {"en": "mean square", "zh": "均方"},
    symbol="ms",
    source=_ZHANG,
    per="layer",
)


def layer_norm(gain: bool, bias: bool) -> Step:
    """(x - μ) ÷ √(σ² + ε), times a gain and plus a bias where there are any."""
    value: Expr = Div(Sub(_VALUE, _MEAN), Sqrt(Add(At("norm_variance", "token"), At("eps"))))
    return _norm(value, gain, bias, {"en": "LayerNorm", "zh": "层归一化"}, _BA, "layer_norm")


def rms_norm(gain: bool, bias: bool) -> Step:
    """x ÷ √(mean square + ε), times a gain and plus a bias where there are any."""
    value: Expr = Div(_VALUE, Sqrt(Add(At("norm_mean_square", "token"), At("eps"))))
    return _norm(value, gain, bias, {"en": "RMSNorm", "zh": "均方根归一化"}, _ZHANG, "rms_norm")


def _norm(value: Expr, gain: bool, bias: bool, title: dict[str, str], source: str, about: str) -> Step:
    if gain:
        value = Mul(value, At("norm_gain", "d_model"))
    if bias:
        value = Add(value, At("norm_bias", "d_model"))
    about += "_gain" * gain + "_bias" * bias
    return Step("norm", _MODEL, value, title, "N", source, "layer", about)


# --- feed-forward ------------------------------------------------------------------------------------------------

_UP = Sum("d_model", Mul(At("input", "token", "d_model"), At("W_1", "d_model", "d_ff")))
_DOWN = Sum("d_ff", Mul(At("ffn_act", "token", "d_ff"), At("W_2", "d_ff", "d_model")))
_HIDDEN_VALUE = At("ffn_hidden", "token", "d_ff")
_FFN = "Vaswani et al. 2017, eq. 2"
_FFN_TITLE = {"en": "feed-forward, hidden", "zh": "前馈：隐藏层"}
_DOWN_TITLE = {"en": "feed-forward, back to d_model", "zh": "前馈：降回 d_model"}
_ACT_TITLE = {"en": "activation", "zh": "激活"}
FFN_HIDDEN = Step("ffn_hidden", _HIDDEN, _UP, _FFN_TITLE, "F", _FFN, "layer")
FFN_HIDDEN_BIASED = Step("ffn_hidden", _HIDDEN, Add(_UP, At("b_1", "d_ff")), _FFN_TITLE, "F", _FFN, "layer")
FFN_GATE = Step(
    "ffn_gate",
    _HIDDEN,
    Sum("d_model", Mul(At("input", "token", "d_model"), At("W_gate", "d_model", "d_ff"))),
    {"en": "gate", "zh": "门"},
    symbol="G",
    source="Shazeer 2020, eq. 5",
    per="layer",
)
_ROOT_2_OVER_PI = Sqrt(Div(Const(2), Pi()))
_GATE_VALUE = At("ffn_gate", "token", "d_ff")


def _gelu_tanh(value: Expr) -> Expr:
    """GELU by its approximation with tanh."""
    cubed = Add(value, Mul(Const(Fraction("0.044715")), Pow(value, Const(3))))
    return Mul(Mul(Const(Fraction(1, 2)), value), Add(Const(1), Tanh(Mul(_ROOT_2_OVER_PI, cubed))))


ACTIVATION = {
    "relu": Step("ffn_act", _HIDDEN, Larger(Const(0), _HIDDEN_VALUE), _ACT_TITLE, "a", _FFN, "layer", "relu"),
    "gelu": Step(
        "ffn_act",
        _HIDDEN,
        Mul(Mul(Const(Fraction(1, 2)), _HIDDEN_VALUE), Add(Const(1), Erf(Div(_HIDDEN_VALUE, Sqrt(Const(2)))))),
        _ACT_TITLE,
        symbol="a",
        source="Hendrycks and Gimpel 2016, eq. 1",
        per="layer",
        about="gelu",
    ),
    "gelu-tanh": Step(
        "ffn_act",
        _HIDDEN,
        _gelu_tanh(_HIDDEN_VALUE),
        _ACT_TITLE,
        symbol="a",
        source="Hendrycks and Gimpel 2016, section 2",
        per="layer",
        about="gelu_tanh",
    ),
    "swiglu": Step(
        "ffn_act",
        _HIDDEN,
        Mul(Mul(_GATE_VALUE, Sigmoid(_GATE_VALUE)), _HIDDEN_VALUE),
        _ACT_TITLE,
        symbol="a",
        source="Shazeer 2020, eq. 5",
        per="layer",
        about="swiglu",
    ),
    "geglu-tanh": Step(
        "ffn_act",
        _HIDDEN,
        Mul(_gelu_tanh(_GATE_VALUE), _HIDDEN_VALUE),
        _ACT_TITLE,
        symbol="a",
        source="Shazeer 2020, eq. 5; Hendrycks and Gimpel 2016, section 2",
        per="layer",
        about="geglu_tanh",
    ),
}
FFN_OUTPUT = Step("ffn_output", _MODEL, _DOWN, _DOWN_TITLE, "D", _FFN, "layer")
FFN_OUTPUT_BIASED = Step("ffn_output", _MODEL, Add(_DOWN, At("b_2", "d_model")), _DOWN_TITLE, "D", _FFN, "layer")

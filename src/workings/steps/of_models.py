"""Steps that only models of families have: into the first layer, at the logits, gains kept less 1, speeds."""

from __future__ import annotations

from dataclasses import replace

from workings.steps.block import FFN_GATE, RESIDUAL
from workings.steps.language import Add, At, Const, Div, Lookup, Mul, Number, Size, Sqrt, Sum, Tanh
from workings.steps.loss import LOGITS
from workings.steps.position import COS, SIN
from workings.steps.step import Step

_MODEL = ("token", "d_model")
_VASWANI = "Vaswani et al. 2017, section 3.4"
_MASKED_WORDS = "Devlin et al. 2019, section 3.1; its published code"
POSITION_EMBEDDING = Step(
    "position_embedding",
    _MODEL,
    At("position_table", Lookup("position", "token"), "d_model"),
    {"en": "position, looked up", "zh": "查到的位置"},
    symbol="P",
    source="Vaswani et al. 2017, section 3.5",
    per="model",
)
TYPE_EMBEDDING = Step(
    "type_embedding",
    _MODEL,
    At("type_table", Lookup("token_type", "token"), "d_model"),
    {"en": "token type, looked up", "zh": "查到的词元类型"},
    symbol="T",
    source="Devlin et al. 2019, section 3",
    per="model",
)
_SUM_TITLE = {"en": "embedding, position and type together", "zh": "词嵌入、位置、类型之和"}
_PARTS = (At("embedding", "token", "d_model"), At("position_embedding", "token", "d_model"))
EMBEDDING_SUM = Step("embedding_sum", _MODEL, Add(*_PARTS), _SUM_TITLE, "E", _VASWANI, "model")
EMBEDDING_SUM_TYPED = Step(
    "embedding_sum",
    _MODEL,
    Add(*_PARTS, At("type_embedding", "token", "d_model")),
    _SUM_TITLE,
    symbol="E",
    source="Devlin et al. 2019, section 3",
    per="model",
    about="embedding_sum_typed",
)
EMBEDDING_SCALED = Step(
    "embedding_scaled",
    _MODEL,
    Mul(At("embedding", "token", "d_model"), Sqrt(Size("d_model"))),
    {"en": "embedding, scaled", "zh": "缩放后的词嵌入"},
    symbol="E",
    source=_VASWANI,
    per="model",
)
TRANSFORM = Step(
    "transform",
    _MODEL,
    Add(
        Sum("d_last", Mul(At("input", "token", "d_last"), At("W_transform", "d_last", "d_model"))),
        At("b_transform", "d_model"),
    ),
    {"en": "transform before the logits", "zh": "对数几率之前的变换"},
    symbol="H",
    source=_MASKED_WORDS,
    per="model",
)
LOGITS_BIASED = replace(
    LOGITS,
    formula=Add(LOGITS.formula, At("b_U", "word")),
    title={"en": "logits of the words", "zh": "各词的对数几率"},
    source=_MASKED_WORDS,
    about="logits_biased",
)
LOGITS_UNCAPPED = replace(
    LOGITS,
    name="logits_uncapped",
    title={"en": "logits before the softcap", "zh": "软上限之前的对数几率"},
    about="logits",
)
_CAP = At("logits_softcap")
LOGITS_CAPPED = Step(
    LOGITS.name,
    LOGITS.axes,
    Mul(_CAP, Tanh(Div(At("logits_uncapped", *LOGITS.axes), _CAP))),
    LOGITS.title,
    symbol="C",
    source="Gemma Team 2024 (Gemma 2), section 2",
    per="model",
    about="logits_capped",
)
FIRST_INPUT = Step(
    "X",
    _MODEL,
    At("previous", "token", "d_model"),
    {"en": "input of the first layer", "zh": "第一层的输入"},
    symbol="X",
    source=_VASWANI,
    per="layer",
    about="first_layer",
)
GAIN = Step(
    "gain",
    ("d_model",),
    Add(Const(1), At("less_1", "d_model")),
    {"en": "gain", "zh": "增益"},
    symbol="γ",
    source="Gemma Team 2024 (Gemma 2); its published code",
    per="layer",
)
RESIDUAL_PARALLEL = replace(
    RESIDUAL,
    formula=Add(RESIDUAL.formula, At("beside", "token", "d_model")),
    source="Black et al. 2022, section 2.1.2",
    about="residual_parallel",
)
ROPE_ANGLE_GIVEN = Step(
    "angle",
    ("token", "pair"),
    Mul(Number(Lookup("position", "token")), At("frequency", "pair")),
    {"en": "angles", "zh": "角度"},
    symbol="θ",
    source="Su et al. 2021, eq. 34",
    per="model",
    about="angle_given",
)


def _scaled(step: Step) -> Step:
    """Cosines or sines that make scores of rotated queries and keys larger."""
    return replace(
        step,
        formula=Mul(At("attention_factor"), step.formula),
        symbol=f"κ {step.symbol}",
        source="Peng et al. 2023, section 3.4",
        about=f"{step.name}_scaled",
    )


COS_SCALED, SIN_SCALED = _scaled(COS), _scaled(SIN)
FFN_GATE_BIASED = replace(FFN_GATE, formula=Add(FFN_GATE.formula, At("b_gate", "d_ff")))

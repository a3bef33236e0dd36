"""Where a word stands: sinusoidal and rotary position, and ALiBi's slopes."""

from __future__ import annotations

from collections.abc import Container

from workings.steps.language import (
    Add,
    At,
    Both,
    Calc,
    Compare,
    Condition,
    Const,
    Cos,
    Div,
    Expr,
    If,
    Index,
    Lookup,
    Mul,
    Number,
    Pow,
    Sin,
    Size,
    Sub,
)
from workings.steps.step import Step

_SU = "Su et al. 2021, eq. 34"
_BLACK = "Black et al. 2022, section 2.1.1"
_VASWANI = "Vaswani et al. 2017, section 3.5"
_PRESS = "Press et al. 2022, section 3"


def angle_of(pair: Index, width: str) -> Expr:
    """position ÷ base^(2·pair/width)."""
    frequency = Pow(At("position_base"), Div(Number(Calc("*", 2, pair)), Size(width)))
    return Div(Number(Lookup("position", "token")), frequency)


def _angle(width: str, source: str) -> Step:
    return Step(
        "angle",
        ("token", "pair"),
        angle_of("pair", width),
        {"en": "angles", "zh": "角度"},
        symbol="θ",
        source=source,
        per="model",
    )


SINUSOIDAL_ANGLE = _angle("d_model", _VASWANI)
ROPE_ANGLE = _angle("d_k", _SU)
ROPE_ANGLE_PART = _angle("rotary_dim", _BLACK)
COS = Step(
    "cos", ("token", "pair"), Cos(At("angle", "token", "pair")), {"en": "cosines", "zh": "余弦"}, "cos θ", _SU, "model"
)
SIN = Step(
    "sin", ("token", "pair"), Sin(At("angle", "token", "pair")), {"en": "sines", "zh": "正弦"}, "sin θ", _SU, "model"
)

_PAIR = Calc("//", "d_model", 2)
SINUSOIDAL = Step(
    "position_encoding",
    ("token", "d_model"),
    If(Compare("==", Calc("%", "d_model", 2), 0), Sin(At("angle", "token", _PAIR)), Cos(At("angle", "token", _PAIR))),
    {"en": "position encoding", "zh": "位置编码"},
    symbol="P",
    source=_VASWANI,
    per="model",
)
POSITIONED = Step(
    "X",
    ("token", "d_model"),
    Add(At("embedding", "token", "d_model"), At("position_encoding", "token", "d_model")),
    {"en": "embedding plus position", "zh": "词嵌入加位置"},
    symbol="X",
    source=_VASWANI,
    per="model",
    about="positioned",
)


def _rotated(name: str, per: str, title: dict[str, str], pairs: str, part: bool) -> Step:
    """Each pair of dimensions turned by the token's angle; of a ``part`` the dimensions behind it stay as they are."""
    source = f"{name.lower()}_proj"
    width = Size("rotary_dim" if part else "d_k")
    half, within = Calc("//", width, 2), Compare("<", "d_k", width)
    is_first: Condition
    if pairs == "half":
        is_first = Compare("<", "d_k", half)
        pair, partner_of_first, partner_of_second = (
            Calc("%", "d_k", half),
            Calc("+", "d_k", half),
            Calc("-", "d_k", half),
        )
    else:
        is_even = Compare("==", Calc("%", "d_k", 2), 0)
        is_first = Both(within, is_even) if part else is_even
        pair, partner_of_first, partner_of_second = Calc("//", "d_k", 2), Calc("+", "d_k", 1), Calc("-", "d_k", 1)
    stays = At(source, "token", "d_k")
    here = Mul(stays, At("cos", "token", pair))
    first = Sub(here, Mul(At(source, "token", partner_of_first), At("sin", "token", pair)))
    second: Expr = Add(here, Mul(At(source, "token", partner_of_second), At("sin", "token", pair)))
    if part:
        second = If(within, second, stays)
    about = f"{name}_rotated" + "_part" * part
    return Step(name, ("token", "d_k"), If(is_first, first, second), title, name, _BLACK if part else _SU, per, about)


ROTATED = {
    (name, pairs, part): _rotated(name, per, title, pairs, part)
    for name, per, title in (
        ("Q", "head", {"en": "queries, rotated", "zh": "旋转后的查询"}),
        ("K", "group", {"en": "keys, rotated", "zh": "旋转后的键"}),
    )
    for pairs in ("half", "interleaved")
    for part in (False, True)
}


def rotation(name: str, pairs: str, sizes: Container[str]) -> Step:
    """How queries or keys turn: in all their dimensions, or in the first ``rotary_dim`` where there is such a size."""
    return ROTATED[name, pairs, "rotary_dim" in sizes]


# Slopes for a number of heads that is not a power of two: those of the next lower power, then every other one of
# the next higher (the authors' published code).
_LOW = Size("alibi_heads")
ALIBI_SLOPE = Step(
    "alibi_slope",
    ("head",),
    If(
        Compare("<", "head", _LOW),
        Pow(Const(2), Div(Number(Calc("*", -8, Calc("+", "head", 1))), _LOW)),
        Pow(Const(2), Div(Number(Calc("*", -4, Calc("+", Calc("*", 2, Calc("-", "head", _LOW)), 1))), _LOW)),
    ),
    {"en": "ALiBi slopes", "zh": "ALiBi 斜率"},
    symbol="m",
    source=_PRESS,
    per="model",
)

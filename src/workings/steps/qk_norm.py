"""Queries and keys normalised: each row by the root of its own mean square, before or after the rotation."""

from __future__ import annotations

from workings.steps.language import Add, At, Const, Div, Expr, Mul, Pow, Size, Sqrt, Sum
from workings.steps.step import Step

_SOURCE = "Zhang and Sennrich 2019, eq. 4; Henry et al. 2020"
_VALUE = At("input", "token", "d_k")


def _mean_square(name: str, per: str, title: dict[str, str]) -> Step:
    formula = Div(Sum("d_k", Pow(_VALUE, Const(2))), Size("d_k"))
    return Step(f"{name.lower()}_mean_square", ("token",), formula, title, f"ms_{name}", _SOURCE, per)


def _normed(name: str, per: str, title: dict[str, str], gain: bool) -> Step:
    """x ÷ √(mean square + ε), times a gain where there is one."""
    value: Expr = Div(_VALUE, Sqrt(Add(At(f"{name.lower()}_mean_square", "token"), At("eps"))))
    if gain:
        value = Mul(value, At(f"{name.lower()}_norm_gain", "d_k"))
    return Step(name, ("token", "d_k"), value, title, name, _SOURCE, per, f"{name}_normed" + "_gain" * gain)


MEAN_SQUARE = {
    "Q": _mean_square("Q", "head", {"en": "mean square of the queries", "zh": "查询的均方"}),
    "K": _mean_square("K", "group", {"en": "mean square of the keys", "zh": "键的均方"}),
}
NORMED = {
    (name, gain): _normed(name, per, title, gain)
    for name, per, title in (
        ("Q", "head", {"en": "queries, normalised", "zh": "归一化后的查询"}),
        ("K", "group", {"en": "keys, normalised", "zh": "归一化后的键"}),
    )
    for gain in (False, True)
}

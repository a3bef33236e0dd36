"""From words to Q, K and V: the embedding looked up, and X multiplied with learned weights."""

from __future__ import annotations

from workings.steps.language import Add, At, Calc, Compare, If, Lookup, Mul, Size, Sum
from workings.steps.step import Step

EMBEDDING = Step(
    "embedding",
    ("token", "d_model"),
    At("embedding_table", Lookup("token_id", "token"), "d_model"),
    {"en": "embedding", "zh": "词嵌入"},
    symbol="Emb",
    per="model",
)
PREVIOUS = Step(
    "X",
    ("token", "d_model"),
    At("previous", "token", "d_model"),
    {"en": "input of the next layer", "zh": "下一层的输入"},
    symbol="X",
    per="layer",
    about="next_layer",
)


def _column(unit: str, width: str) -> Calc:
    """Head h takes columns h·d … (h+1)·d - 1 of a weight matrix."""
    return Calc("+", Calc("*", unit, Size(width)), width)


def _projection(name: str, source: str, width: str, unit: str, title: dict[str, str]) -> tuple[Step, Step]:
    weight, bias = f"W_{name}", f"b_{name}"
    product = Sum("d_model", Mul(At(source, "token", "d_model"), At(weight, "d_model", _column(unit, width))))
    with_bias = Add(product, At(bias, _column(unit, width)))
    axes = ("token", width)
    origin = "Vaswani et al. 2017, section 3.2.2"
    return (
        Step(name, axes, product, title, name, origin, per=unit, about=f"{name}_made"),
        Step(name, axes, with_bias, title, name, origin, per=unit, about=f"{name}_made"),
    )


QUERY, QUERY_BIASED = _projection("Q", "X", "d_k", "head", {"en": "queries", "zh": "查询"})
KEY, KEY_BIASED = _projection("K", "X", "d_k", "group", {"en": "keys", "zh": "键"})
VALUE, VALUE_BIASED = _projection("V", "X", "d_v", "group", {"en": "values", "zh": "值"})


def _cached(name: str, width: str, title: dict[str, str]) -> Step:
    """Keys or values of earlier tokens, kept, with the new ones behind them."""
    new = At(f"{name.lower()}_new", Calc("-", "key", Size("past")), width)
    kept = At(f"past_{name}", "key", width)
    return Step(
        name,
        ("key", width),
        If(Compare("<", "key", Size("past")), kept, new),
        title,
        name,
        per="group",
        about=f"{name}_cached",
    )


KEY_CACHED = _cached("K", "d_k", {"en": "keys, past and new", "zh": "键（缓存与新词）"})
VALUE_CACHED = _cached("V", "d_v", {"en": "values, past and new", "zh": "值（缓存与新词）"})

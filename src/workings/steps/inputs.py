"""The arrays that may be given instead of computed: their names, axes and what they are."""

from __future__ import annotations

from collections.abc import Mapping

from workings.terms.records import record


@record
class Input:
    """An array that a recipe may be given. ``per`` is the finest place it may stand at.

    Axes whose length follows from others (``q_width`` = heads·d_k) are listed in ``steps/sizes.py``.
    """

    name: str
    axes: tuple[str, ...]
    title: Mapping[str, str]
    symbol: str = ""
    per: str = "layer"


def _weight(name: str, axes: tuple[str, ...]) -> Input:
    symbol = name
    return Input(name, axes, {"en": f"weights {symbol}", "zh": f"权重 {symbol}"}, symbol)


def _bias(name: str, axes: tuple[str, ...]) -> Input:
    return Input(name, axes, {"en": f"bias {name}", "zh": f"偏置 {name}"}, name)


def _norm(number: int) -> tuple[Input, Input]:
    gain, bias = f"norm{number}_gain", f"norm{number}_bias"
    return (
        Input(gain, ("d_model",), {"en": f"gain of norm {number}", "zh": f"第 {number} 个归一化的增益"}, f"γ{number}"),
        Input(bias, ("d_model",), {"en": f"bias of norm {number}", "zh": f"第 {number} 个归一化的偏置"}, f"β{number}"),
    )


INPUTS: dict[str, Input] = {
    item.name: item
    for item in (
        Input("embedding_table", ("word", "d_model"), {"en": "embedding table", "zh": "词嵌入表"}, "W_E", "model"),
        Input("embedding", ("token", "d_model"), {"en": "embedding", "zh": "词嵌入"}, "Emb", "model"),
        Input("X", ("token", "d_model"), {"en": "input", "zh": "输入"}, "X", "model"),
        Input("context", ("key", "d_context"), {"en": "context looked at", "zh": "被看的上下文"}, "C", "model"),
        _weight("W_Q", ("d_model", "q_width")),
        _weight("W_K", ("d_context", "k_width")),
        _weight("W_V", ("d_context", "v_width")),
        _weight("W_O", ("concat", "d_out")),
        _bias("b_Q", ("q_width",)),
        _bias("b_K", ("k_width",)),
        _bias("b_V", ("v_width",)),
        _bias("b_O", ("d_out",)),
        Input("Q", ("token", "d_k"), {"en": "queries", "zh": "查询"}, "Q", "head"),
        Input("K", ("key", "d_k"), {"en": "keys", "zh": "键"}, "K", "group"),
        Input("V", ("key", "d_v"), {"en": "values", "zh": "值"}, "V", "group"),
        Input("q_proj", ("token", "d_k"), {"en": "queries as projected", "zh": "投影所得的查询"}, "q", "head"),
        Input("k_proj", ("key", "d_k"), {"en": "keys as projected", "zh": "投影所得的键"}, "k", "group"),
        Input("q_norm_gain", ("d_k",), {"en": "gain of the query norm", "zh": "查询归一化的增益"}, "γ_Q"),
        Input("k_norm_gain", ("d_k",), {"en": "gain of the key norm", "zh": "键归一化的增益"}, "γ_K"),
        Input("k_new", ("token", "d_k"), {"en": "keys of the new words", "zh": "新词的键"}, "K_new", "group"),
        Input("v_new", ("token", "d_v"), {"en": "values of the new words", "zh": "新词的值"}, "V_new", "group"),
        Input("past_K", ("past", "d_k"), {"en": "keys in the cache", "zh": "缓存中的键"}, "K_past", "group"),
        Input("past_V", ("past", "d_v"), {"en": "values in the cache", "zh": "缓存中的值"}, "V_past", "group"),
        Input("score", ("query", "key"), {"en": "scores", "zh": "得分"}, "S", "head"),
        Input("divide_by", (), {"en": "divisor", "zh": "除数"}, "c", "model"),
        Input("softcap", (), {"en": "softcap", "zh": "软上限"}, "c", "model"),
        Input("sink", ("head",), {"en": "sink logits", "zh": "汇点对数几率"}, "s", "layer"),
        Input("bias", ("query", "key"), {"en": "bias on the scores", "zh": "得分偏置"}, "B", "head"),
        Input("alibi_slope", ("head",), {"en": "ALiBi slopes", "zh": "ALiBi 斜率"}, "m", "model"),
        Input("position_base", (), {"en": "base of the angles", "zh": "角度的底数"}, "base", "model"),
        Input("eps", (), {"en": "ε of the norms", "zh": "归一化的 ε"}, "ε", "model"),
        *_norm(1),
        *_norm(2),
        _weight("W_1", ("d_model", "d_ff")),
        _bias("b_1", ("d_ff",)),
        _weight("W_2", ("d_ff", "d_model")),
        _bias("b_2", ("d_model",)),
        _weight("W_gate", ("d_model", "d_ff")),
        Input("W_U", ("word", "d_model"), {"en": "weights of the logits", "zh": "对数几率的权重"}, "W_U", "model"),
        Input("rate", (), {"en": "learning rate", "zh": "学习率"}, "η", "model"),
    )
}

_NORMS = {
    **{f"norm{number}": (f"norm {number}", f"第 {number} 个归一化", str(number)) for number in range(1, 5)},
    "q_norm": ("the query norm", "查询归一化", "_Q"),
    "k_norm": ("the key norm", "键归一化", "_K"),
    "embedding_norm": ("the norm of the embeddings", "词嵌入归一化", "_E"),
    "final_norm": ("the last norm", "最后的归一化", "_F"),
    "transform_norm": ("the norm before the logits", "对数几率之前的归一化", "_H"),
}


def _gain(name: str, suffix: str, en: str, zh: str, symbol: str) -> Input:
    axis = "d_k" if name in ("q_norm", "k_norm") else "d_model"
    per = "model" if name in ("embedding_norm", "final_norm", "transform_norm") else "layer"
    said, said_zh, number = _NORMS[name]
    title = {"en": en.format(said), "zh": zh.format(said_zh)}
    return Input(f"{name}_{suffix}", (axis,), title, symbol.format(number), per)


# What the models of families have besides: no example is given it.
OF_MODELS: dict[str, Input] = {
    item.name: item
    for item in (
        Input("position_table", ("place", "d_model"), {"en": "table of positions", "zh": "位置表"}, "W_P", "model"),
        Input("type_table", ("kind", "d_model"), {"en": "table of token types", "zh": "词元类型表"}, "W_T", "model"),
        Input("logits_softcap", (), {"en": "softcap of the logits", "zh": "对数几率的软上限"}, "c", "model"),
        Input("frequency", ("pair",), {"en": "speeds of rotation", "zh": "旋转的速度"}, "ω", "layer"),
        Input(
            "W_transform", ("d_last", "d_model"), {"en": "weights of the transform", "zh": "变换的权重"}, "W_H", "model"
        ),
        Input("b_transform", ("d_model",), {"en": "bias of the transform", "zh": "变换的偏置"}, "b_H", "model"),
        Input("b_U", ("word",), {"en": "bias of the logits", "zh": "对数几率的偏置"}, "b_U", "model"),
        Input("attention_factor", (), {"en": "attention factor", "zh": "注意力系数"}, "κ", "layer"),
        Input("b_gate", ("d_ff",), {"en": "bias of the gate", "zh": "门的偏置"}, "b_gate"),
        *(_gain(name, "gain", "gain of {}", "{}的增益", "γ{}") for name in _NORMS),
        *(_gain(name, "bias", "bias of {}", "{}的偏置", "β{}") for name in _NORMS if name[1:] != "_norm"),
        *(_gain(name, "gain_less_1", "gain of {}, less 1", "{}的增益减 1", "w{}") for name in _NORMS),
    )
}
GIVEN: dict[str, Input] = {**OF_MODELS, **INPUTS}
"""Every array that may be given, by an example or by a model."""

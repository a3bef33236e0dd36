"""Small examples for the variants of steps that no built-in example has."""

from __future__ import annotations

_WORDS = 'tokens = ["tea", "time"]\n\n[inputs]\n'
_GIVEN = f"{_WORDS}Q = [[1, 2], [3, 1]]\nK = [[1, 0], [2, 1]]\nV = [[1, 2], [3, 4]]\n"
_MADE = f"{_WORDS}X = [[1, 2], [0, 1]]\nW_Q = [[1, 0], [1, 1]]\nW_K = [[1, 1], [0, 1]]\nW_V = [[2, 0], [1, 3]]\n"
_WIDE = (
    f"{_WORDS}X = [[1, 0], [1, 1]]\nW_Q = [[1, 0, 1, 0], [0, 1, 0, 1]]\n"
    "W_K = [[1, 1, 0, 1], [0, 1, 1, 0]]\nW_V = [[1, 2], [3, 4]]\n"
)
_FFN = f"{_MADE}W_1 = [[1, 0, 1], [0, 1, -1]]\nW_2 = [[1, 0], [0, 1], [1, 1]]\n"
_BIASES = "b_Q = [1, 0]\nb_K = [0, 1]\nb_V = [1, 1]\n"
_MIXED = "W_O = [[1, 0], [0, 1]]\nb_O = [0.5, 0]\n"


def _heads(given: str, settings: str) -> str:
    return f"{given}\n[attention]\n{settings}\n"


SHOWCASE: tuple[str, ...] = (
    _heads(_GIVEN, 'softmax = "shifted"'),
    _heads(_GIVEN, 'softmax = "shifted"\nsink = [1]'),
    _heads(_GIVEN, 'softmax = "online"\nblock_size = 1\nsink = [1]'),
    _heads(_GIVEN, 'mask = "causal"\nsoftcap = 2'),
    _heads(_GIVEN, 'mask = "causal-top-left"'),
    _heads(_GIVEN, "mask = [[1, 0], [1, 1]]"),
    _heads(_GIVEN, "bias = [[0, 1], [0.5, 0]]"),
    _heads(_MADE, 'position = "alibi"\nmask = "causal"'),
    _heads(_WIDE, 'position = "rope"\nrope = { pairs = "half", base = 100 }'),
    _heads(_WIDE, 'position = "rope"\nrope = { pairs = "interleaved", base = 100 }'),
    _heads(_WIDE, 'position = "rope"\nrope = { pairs = "half", base = 100, rotary_dim = 2 }'),
    _heads(_WIDE, 'position = "rope"\nrope = { pairs = "interleaved", base = 100, rotary_dim = 2 }'),
    _heads(_MADE, 'qk_norm = "rms"'),
    _heads(f"{_WIDE}q_norm_gain = [1, 2, 1, 2]\nk_norm_gain = [1, 1, 2, 2]\n", 'position = "rope"\nqk_norm = "rms"'),
    f"{_MADE}{_BIASES}{_MIXED}",
    f'{_FFN}\n[block]\nffn = "gelu"\n',
    f'{_FFN}\n[block]\nffn = "gelu-tanh"\n',
    f'{_FFN}W_gate = [[1, 1, 0], [0, 1, 1]]\n\n[block]\nffn = "swiglu"\n',
    f'{_FFN}W_gate = [[1, 1, 0], [0, 1, 1]]\n\n[block]\nffn = "geglu-tanh"\n',
    f'{_FFN}b_1 = [1, 0, 0]\nb_2 = [0, 1]\n\n[block]\nffn = "relu"\n',
    f'{_MADE}norm1_gain = [2, 1]\nnorm1_bias = [0, 1]\n\n[block]\nnorm = "pre-layer"\neps = 0\n',
    f'{_MADE}norm1_gain = [2, 1]\n\n[block]\nnorm = "pre-rms"\neps = 0\n',
)

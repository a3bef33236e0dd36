"""Bad input: every field that can be wrong gets its own error, with file, line and field."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workings.examples.limits import MAX_FILE_BYTES, MAX_TOML_BYTES
from workings.examples.read import read_file, read_mapping, read_text
from workings.terms import errors
from workings.terms.errors import WorkingsError

GOOD = """tokens = ["a", "b"]
[inputs]
Q = [[1, 2], [3, 4]]
K = [[1, 2], [3, 4]]
V = [[1, 2], [3, 4]]
"""
PROJECTED = """tokens = ["a", "b"]
[inputs]
X = [[1, 2], [3, 4]]
W_Q = [[1, 2], [3, 4]]
W_K = [[1, 2], [3, 4]]
W_V = [[1, 2], [3, 4]]
"""
SEEDED = """tokens = ["a"]
[inputs]
X = [[1, 2]]
W_Q = {seed = 1}
W_K = {seed = 1}
W_V = {seed = 1}
"""

Values = dict[str, Any]
Case = tuple[str, type[WorkingsError], str, Values]


def good(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def setting(line: str, text: str = GOOD) -> str:
    return f"{text}[attention]\n{line}\n"


def block(line: str, text: str = PROJECTED) -> str:
    return f"{text}[block]\n{line}\n"


def _many(count: int) -> str:
    return "tokens = [" + '"a",' * count + "]"


FIELDS: dict[str, Case] = {
    "width": (
        good("K = [[1, 2], [3, 4]]", "K = [[1, 2, 3], [3, 4, 5]]"),
        errors.ShapeMismatch,
        "line 4, [inputs].K",
        {"shape": [2, 3], "axis": "d_k", "size": 3, "expected": 2, "because": "Q [2, 2]"},
    ),
    "rows": (good("V = [[1, 2], ", "V = [[1, 2], [5, 6], "), errors.ShapeMismatch, "line 5, [inputs].V", {"size": 3}),
    "value-width": (
        setting("heads = 2", PROJECTED.replace("W_V = [[1, 2], [3, 4]]", "W_V = [[1, 2, 3], [3, 4, 5]]")),
        errors.ShapeMismatch,
        "line 6, [inputs].W_V",
        {"expected": "2 × d_v"},
    ),
    "d_model": (
        PROJECTED.replace("W_Q = [[1, 2], [3, 4]]", "W_Q = [[1, 2]]"),
        errors.ShapeMismatch,
        "line 4, [inputs].W_Q",
        {"axis": "d_model", "because": "X [2, 2]"},
    ),
    "ragged": (
        good("Q = [[1, 2], [3, 4]]", "Q = [\n  [1, 2],\n  [3],\n]"),
        errors.RaggedMatrix,
        "line 5, [inputs].Q[1]",
        {"row": 1, "seen": 1, "expected": 2},
    ),
    "vector": (good("Q = [[1, 2], [3, 4]]", "Q = [1, 2]"), errors.WrongRank, "line 3, [inputs].Q", {"shape": [2]}),
    "three-deep": (good("Q = [[1, 2], [3, 4]]", "Q = [[[1]], [[1]]]"), errors.WrongRank, "line 3, [inputs].Q", {}),
    "one-number": (good("[[1, 2], [3, 4]]", "1"), errors.WrongType, "[inputs].Q", {"seen": "1", "expected": "matrix"}),
    "no-rows": (good("Q = [[1, 2], [3, 4]]", "Q = []"), errors.WrongType, "[inputs].Q", {"expected": "matrix"}),
    "no-columns": (
        good("Q = [[1, 2], [3, 4]]", "Q = [[], []]"),
        errors.WrongType,
        "[inputs].Q[0]",
        {"expected": "row"},
    ),
    "row-is-number": (good("[3, 4]]", "3]"), errors.WrongType, "[inputs].Q[1]", {"seen": "3", "expected": "row"}),
    "per-head": (setting("heads = 2"), errors.WrongRank, "[inputs].Q", {"axes": ["heads", "token", "d_k"]}),
    "unknown-top": ("tokns = []", errors.UnknownField, "line 1, tokns", {"known": ["tokens", "key_tokens"]}),
    "unknown-input": (good("V =", "VV ="), errors.UnknownField, "line 5, [inputs].VV", {"field": "VV", "known": ["V"]}),
    "unknown-setting": (setting("head = 2"), errors.UnknownField, "line 7, [attention].head", {"field": "head"}),
    "unknown-block": (block("nrom = 2"), errors.UnknownField, "[block].nrom", {"known": ["norm"]}),
    "unknown-layer": (PROJECTED + "[[layer]]\nY = [[1]]", errors.UnknownField, "line 8, [[layer]][0].Y", {}),
    "in-layer": (
        PROJECTED + "[[layer]]\nX = [[1]]",
        errors.MisplacedField,
        "line 8, [[layer]][0].X",
        {"home": "inputs"},
    ),
    "in-inputs": (
        GOOD + "bias = [[1, 2], [3, 4]]",
        errors.MisplacedField,
        "line 6, [inputs].bias",
        {"field": "bias", "home": "attention"},
    ),
    "in-attention": (setting("W_Q = [[1]]"), errors.MisplacedField, "line 7, [attention].W_Q", {"home": "inputs"}),
    "in-block": (block("heads = 2"), errors.MisplacedField, "[block].heads", {"home": "attention"}),
    "in-rope": (setting("rope = {eps = 1}"), errors.MisplacedField, "[attention].rope.eps", {"home": "block"}),
    "at-the-top": ("K = [[1]]\n" + GOOD, errors.MisplacedField, "line 1, K", {"home": "inputs"}),
    "after-a-table": (GOOD + 'title = "x"', errors.MisplacedField, "line 6, [inputs].title", {"home": "top"}),
    "unknown-rope": (setting("rope = {pair = 1}"), errors.UnknownField, "line 7, [attention].rope.pair", {}),
    "unknown-language": (
        'title = {de = "x"}\n' + GOOD,
        errors.UnknownField,
        "line 1, title.de",
        {"known": ["en", "zh"]},
    ),
    "softmax": (
        setting('softmax = "soft"'),
        errors.UnknownChoice,
        "[attention].softmax",
        {"seen": '"soft"', "choices": ["plain", "shifted", "online"]},
    ),
    "online-alone": (
        setting('softmax = "online"'),
        errors.MissingField,
        "[attention].block_size",
        {"field": "block_size", "why": "online"},
    ),
    "block-size-alone": (
        setting("block_size = 2"),
        errors.FieldConflict,
        "line 7, [attention].block_size",
        {"field": "block_size", "other": "softmax", "why": "not-online"},
    ),
    "block-size-0": (
        setting('softmax = "online"\nblock_size = 0'),
        errors.WrongType,
        "[attention].block_size",
        {"expected": "positive-whole-number"},
    ),
    "block-size-half": (
        setting('softmax = "online"\nblock_size = 0.5'),
        errors.WrongType,
        "[attention].block_size",
        {"expected": "whole-number"},
    ),
    "block-size-1e9": (
        setting('softmax = "online"\nblock_size = 1000000000'),
        errors.TooLarge,
        "[attention].block_size",
        {"what": "block_size"},
    ),
    "mask": (setting('mask = "casual"'), errors.UnknownChoice, "line 7, [attention].mask", {}),
    "window-0": (setting('mask = "window:0"'), errors.UnknownChoice, "[attention].mask", {}),
    "window-x": (setting('mask = "window:x"'), errors.UnknownChoice, "[attention].mask", {}),
    "window-1e9": (setting('mask = "window:1000000000"'), errors.TooLarge, "[attention].mask", {"what": "window"}),
    "mask-shape": (setting("mask = [[1, 0]]"), errors.ShapeMismatch, "[attention].mask", {"axis": "query"}),
    "mask-columns": (setting("mask = [[1], [1]]"), errors.ShapeMismatch, "[attention].mask", {"axis": "key"}),
    "mask-ragged": (setting("mask = [[1, 0], [1]]"), errors.RaggedMatrix, "[attention].mask[1]", {}),
    "mask-bool": (setting("mask = [[true, true], [1, 1]]"), errors.WrongType, "[attention].mask[0][0]", {}),
    "mask-2": (setting("mask = [[1, 2], [1, 1]]"), errors.WrongType, "[attention].mask[0][1]", {"seen": "2"}),
    "position": (setting('position = "sin"'), errors.UnknownChoice, "[attention].position", {}),
    "pairs": (setting('rope = {pairs = "odd"}'), errors.UnknownChoice, "[attention].rope.pairs", {}),
    "rope-given-Q": (setting('position = "rope"'), errors.FieldConflict, "line 3, [inputs].Q", {"other": "rope"}),
    "qk-norm": (setting('qk_norm = "l2"'), errors.UnknownChoice, "line 7, [attention].qk_norm", {}),
    "qk-norm-given-Q": (setting('qk_norm = "rms"'), errors.FieldConflict, "line 3, [inputs].Q", {"other": "qk_norm"}),
    "qk-norm-after-nothing": (
        setting('qk_norm = "rms-after-rope"', PROJECTED),
        errors.FieldConflict,
        "[attention].qk_norm",
        {"other": "position"},
    ),
    "rope-elsewhere": (setting('position = "alibi"\nrope = {}'), errors.FieldConflict, "[attention].rope", {}),
    "rope-base": (
        setting("rope = {base = 0}"),
        errors.NotPositive,
        "[attention].rope.base",
        {"seen": "0", "least": "above-zero"},
    ),
    "rope-odd": (
        setting('position = "rope"', SEEDED).replace("[attention]", "[attention]\nd_k = 3\nd_v = 1"),
        errors.OddRotaryWidth,
        "[attention]",
        {"d_k": 3},
    ),
    "rope-position": (
        setting("rope = {position = [1]}", PROJECTED),
        errors.ShapeMismatch,
        "rope.position",
        {"size": 1},
    ),
    "rope-position-half": (setting("rope = {position = [1, 0.5]}", PROJECTED), errors.WrongType, "position[1]", {}),
    "norm": (block('norm = "batch"'), errors.UnknownChoice, "[block].norm", {}),
    "ffn": (block('ffn = "silu"'), errors.UnknownChoice, "[block].ffn", {}),
    "ffn-missing": (block('ffn = "relu"'), errors.MissingField, "[inputs].W_1", {"why": "feed-forward"}),
    "residual": (block("residual = 1"), errors.WrongType, "[block].residual", {"expected": "true-or-false"}),
    "eps": (
        block('norm = "post-rms"\neps = -1'),
        errors.NotPositive,
        "line 9, [block].eps",
        {"seen": "-1", "least": "zero"},
    ),
    "layers-0": (block("layers = 0"), errors.WrongType, "[block].layers", {"expected": "positive-whole-number"}),
    "layers-1e9": (block("layers = 1e9"), errors.TooLarge, "[block].layers", {"seen": 10**9, "limit": 128}),
    "layers-bool": (block("layers = true"), errors.WrongType, "[block].layers", {"seen": "true"}),
    "layer-count": (
        block("layers = 3") + "[[layer]]\n[[layer]]\n",
        errors.FieldConflict,
        "layer",
        {"why": "count"},
    ),
    "layer-list": ('tokens = ["a"]\nlayer = 3', errors.WrongType, "layer", {"expected": "list-of-tables"}),
    "heads-0": (setting("heads = 0"), errors.WrongType, "line 7, [attention].heads", {"seen": "0"}),
    "heads-half": (setting("heads = 1.5"), errors.WrongType, "[attention].heads", {"seen": "1.5"}),
    "heads-text": (setting('heads = "2"'), errors.WrongType, "[attention].heads", {"seen": '"2"'}),
    "heads-257": (setting("heads = 257"), errors.TooLarge, "[attention].heads", {"what": "heads"}),
    "kv-heads": (setting("heads = 4\nn_kv_heads = 3"), errors.HeadsNotGrouped, "[attention].n_kv_heads", {}),
    "kv-heads-more": (setting("heads = 2\nn_kv_heads = 4"), errors.HeadsNotGrouped, "[attention].n_kv_heads", {}),
    "divide-by-0": (setting("divide_by = 0"), errors.DivideByZero, "[attention].divide_by", {}),
    "divide-by-ln1": (setting('divide_by = "ln(1)"'), errors.DivideByZero, "[attention].divide_by", {}),
    "divide-by-text": (setting('divide_by = "d_k"'), errors.BadNumber, "[attention].divide_by", {"seen": "d_k"}),
    "divide-by-inf": (setting('divide_by = "-inf"'), errors.NotFinite, "[attention].divide_by", {}),
    "softcap-0": (setting("softcap = 0.0"), errors.DivideByZero, "[attention].softcap", {}),
    "softcap-bool": (setting("softcap = true"), errors.WrongType, "[attention].softcap", {}),
    "sink-count": (setting("sink = [1, 2]"), errors.ShapeMismatch, "[attention].sink", {"axis": "head", "size": 2}),
    "sink-number": (setting("sink = 1"), errors.WrongType, "[attention].sink", {"expected": "list-of-numbers"}),
    "sink-inf": (setting("sink = [-inf]"), errors.NotFinite, "[attention].sink[0]", {}),
    "bias-shape": (setting("bias = [[1, 2]]"), errors.ShapeMismatch, "[attention].bias", {"axis": "query"}),
    "bias-nan": (setting("bias = [[nan, 1], [1, 1]]"), errors.NotFinite, "[attention].bias[0][0]", {}),
    "d_k": (setting("d_k = 3"), errors.ShapeMismatch, "[inputs].Q", {"expected": 3, "because": "d_k"}),
    "nan": (good("Q = [[1", "Q = [[nan"), errors.NotFinite, "line 3, [inputs].Q[0][0]", {"seen": "nan"}),
    "inf": (good("Q = [[1", "Q = [[inf"), errors.NotFinite, "[inputs].Q[0][0]", {"seen": "inf"}),
    "minus-inf": (good("Q = [[1", "Q = [[-inf"), errors.NotFinite, "[inputs].Q[0][0]", {"seen": "-inf"}),
    "word": (good("Q = [[1", 'Q = [["one"'), errors.BadNumber, "[inputs].Q[0][0]", {"seen": "one"}),
    "bool": (good("Q = [[1", "Q = [[true"), errors.WrongType, "[inputs].Q[0][0]", {"seen": "true"}),
    "date": (good("Q = [[1", "Q = [[2020-01-01"), errors.WrongType, "[inputs].Q[0][0]", {"seen": "date"}),
    "by-zero": (good("Q = [[1", 'Q = [["1/0"'), errors.BadNumber, "[inputs].Q[0][0]", {"seen": "1/0"}),
    "root": (good("Q = [[1", 'Q = [["sqrt(-1)"'), errors.BadNumber, "[inputs].Q[0][0]", {}),
    "long": (good("Q = [[1", f'Q = [["{"1" * 401}"'), errors.TooLarge, "[inputs].Q[0][0]", {"what": "number"}),
    "long-hex": (good("Q = [[1", f"Q = [[0x{'f' * 9999}"), errors.TooLarge, "[inputs].Q[0][0]", {"what": "number"}),
    "tokens-missing": ("[inputs]\nQ = [[1]]", errors.MissingField, "tokens", {"field": "tokens"}),
    "tokens-empty": ("tokens = []", errors.EmptySequence, "line 1, tokens", {}),
    "tokens-text": ('tokens = "a b"', errors.WrongType, "line 1, tokens", {"expected": "list-of-texts"}),
    "tokens-number": ("tokens = [1]", errors.WrongType, "line 1, tokens[0]", {"seen": "1", "expected": "text"}),
    "tokens-many": (_many(4097), errors.TooLarge, "line 1, tokens", {"seen": 4097, "limit": 4096}),
    "cells": (
        _many(4096) + "\n[inputs]\nQ = {seed = 1}",
        errors.TooLarge,
        "line 1, tokens",
        {"what": "cells", "seen": 4096 * 4096, "limit": 4_194_304, "needed": 4096 * 4096 * 200},
    ),
    "empty": ("", errors.MissingField, "tokens", {"field": "tokens"}),
    "nothing-given": ('tokens = ["a"]', errors.MissingField, "[inputs].", {"why": "given-or-made"}),
    "inputs-list": ('inputs = []\ntokens = ["a"]', errors.WrongType, "line 1, [inputs]", {"expected": "table"}),
    "title": ("title = 3\n" + GOOD, errors.WrongType, "line 1, title", {"seen": "3"}),
    "comment": ("comment = [3]\n" + GOOD, errors.WrongType, "line 1, comment[0]", {}),
    "note-array": ('notes = {T = {rows = ["x"]}}\n' + GOOD, errors.UnknownArray, "line 1, notes.T", {"name": "T"}),
    "note-side": ('notes = {V = {row = ["x"]}}\n' + GOOD, errors.UnknownField, "line 1, notes.V.row", {}),
    "note-count": (
        'notes = {V = {rows = ["x"]}}\n' + GOOD,
        errors.ShapeMismatch,
        "line 1, notes.V.rows",
        {"expected": 2, "because": "V [2, 2]"},
    ),
    "note-text": ('notes = {V = {rows = "x"}}\n' + GOOD, errors.WrongType, "notes.V.rows", {}),
    "claim-array": (GOOD + "[claims]\nwieght = [[]]", errors.UnknownArray, "line 7, [claims].wieght", {}),
    "claim-shape": (GOOD + "[claims]\nweight = [[1, 2]]", errors.ShapeMismatch, "[claims].weight", {"expected": 2}),
    "claim-row": (GOOD + "[claims]\nweight = [[1], [2]]", errors.ShapeMismatch, "[claims].weight[0]", {}),
    "claim-type": (GOOD + "[claims]\nlse = [1, true]", errors.WrongType, "[claims].lse[1]", {}),
    "unused": (GOOD + "W_Q = [[1, 1]]", errors.UnusedField, "line 6, [inputs].W_Q", {"field": "W_Q"}),
    "both": (PROJECTED + "embedding = [[1, 2], [3, 4]]", errors.FieldConflict, "[inputs].X", {"other": "embedding"}),
    "word-missing": (
        'tokens = ["cat", "dgo"]\n[inputs]\nembedding = {cat = [1], dog = [2]}',
        errors.WordNotInTable,
        "line 3, [inputs].embedding",
        {"word": "dgo", "known": ["dog"]},
    ),
    "embedding-width": (
        'tokens = ["cat"]\n[inputs.embedding]\ncat = [1]\ndog = [2, 3]',
        errors.ShapeMismatch,
        "line 4, [inputs].embedding.dog",
        {"because": "cat [1]", "shape": [2]},
    ),
    "embedding-empty": ('tokens = ["a"]\n[inputs]\nembedding = {}', errors.WrongType, "[inputs].embedding", {}),
    "context": (GOOD + "context = [[1]]", errors.MissingField, "key_tokens", {"field": "key_tokens"}),
    "past-V": (PROJECTED + "past = {K = [[1, 2]]}", errors.MissingField, "line 7, [inputs].past.V", {"why": "past"}),
    "past-rows": (
        PROJECTED + "past = {K = [[1, 2]], V = [[1, 2], [3, 4]]}",
        errors.ShapeMismatch,
        "line 7, [inputs].past.V",
        {"axis": "past"},
    ),
    "past-number": (PROJECTED + "past = {K = 1, V = 1}", errors.WrongType, "line 7, [inputs].past.K", {}),
    "past-tokens": (PROJECTED + "past = {K = 1, V = 1, tokens = 2}", errors.WrongType, "past.tokens", {}),
    "given-layers": (GOOD + "[block]\nlayers = 2", errors.FieldConflict, "line 3, [inputs].Q", {"other": "layers"}),
    "seed-0": (SEEDED.replace("1}", "0}"), errors.WrongType, "line 4, [inputs].W_Q.seed", {"expected": "seed"}),
    "seed-big": (SEEDED.replace("1}", "2147483647}"), errors.WrongType, "[inputs].W_Q.seed", {}),
    "seed-float": (SEEDED.replace("1}", "1.5}"), errors.WrongType, "[inputs].W_Q.seed", {}),
    "seed-size": (SEEDED, errors.MissingField, "[attention].d_k", {"field": "d_k", "why": "seed"}),
    "seed-1e9": (
        setting("d_k = 1000000\nd_v = 1000000", SEEDED),
        errors.TooLarge,
        "line 4, [inputs].W_Q",
        {"what": "cells"},
    ),
    "blocks-in-all": (
        f"tokens = {[f't{i}' for i in range(100)]}\n"
        "[inputs]\nX = {seed = 1}\nW_Q = {seed = 1}\nW_K = {seed = 1}\nW_V = {seed = 1}\n"
        '[attention]\nheads = 64\nd_model = 1\nd_k = 1\nd_v = 1\nsoftmax = "online"\nblock_size = 1',
        errors.TooLarge,
        "line 13, [attention].block_size",
        {"what": "blocks-in-all", "seen": 6400},
    ),
    "heads-in-all": (
        block("layers = 100", setting("heads = 50")),
        errors.TooLarge,
        "[block].layers",
        {"what": "heads-in-all", "seen": 5000},
    ),
    "mask-wide": (setting(f"mask = [[{'1,' * 5000}]]"), errors.TooLarge, "[attention].mask[0]", {"seen": 5000}),
    "words": (
        'tokens = ["a"]\n[inputs.embedding]\n' + "".join(f"w{i} = [1]\n" for i in range(17_000)),
        errors.TooLarge,
        "line 2, [inputs].embedding",
        {"what": "words", "limit": 16_384},
    ),
    "d-1e9": (setting("d_k = 1e9\nd_v = 1", SEEDED), errors.TooLarge, "[attention].d_k", {"what": "d_k"}),
    "d_ff-1e9": (block("d_ff = 1000000000"), errors.TooLarge, "[block].d_ff", {"seen": 10**9}),
}


def refused(call: Callable[[], object], kind: type[WorkingsError]) -> WorkingsError:
    """The error that a call ends with."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    str(caught.value).encode("utf-8")
    return caught.value


@pytest.mark.parametrize("case", FIELDS.values(), ids=FIELDS)
def test_field(case: Case) -> None:
    text, kind, where, values = case
    error = refused(lambda: read_text(text, "bad.toml"), kind)
    assert error.exit_code == 2
    assert error.where.startswith("bad.toml")
    assert where in error.where
    assert {key: error.values[key] for key in values} == values


UNPARSED: dict[str, tuple[str, str, type[WorkingsError], Values]] = {
    "toml": ("a.toml", "tokens = [\n1,\n'", errors.NotParsed, {"line": 3}),
    "toml-end": ("a.toml", 'tokens = ["a"]\nx = [\n\n', errors.NotParsed, {"line": 4}),
    "toml-twice": ("a.toml", "title = 1\ntitle = 2", errors.NotParsed, {"line": 2}),
    "toml-nul": ("a.toml", 'tokens = ["a"]\n\0', errors.NotParsed, {"line": 2}),
    "toml-number": ("a.toml", "heads = " + "9" * 5000, errors.NotParsed, {}),
    "toml-surrogate": ("a.toml", 'title = "\\ud800"', errors.NotParsed, {"line": 1}),
    "toml-brackets": ("a.toml", "Q = " + "[" * 100_000, errors.TooDeep, {"limit": 8}),
    "toml-closed": ("a.toml", "Q = " + "[" * 100_000 + "]" * 100_000, errors.TooDeep, {}),
    "toml-braces": ("a.toml", "Q = " + "{a=" * 100_000, errors.TooDeep, {}),
    "toml-nine": ("a.toml", "tokens = " + "[" * 9 + "]" * 9, errors.TooDeep, {}),
    "toml-dotted": ("a.toml", "a" + ".a" * 100_000 + " = 1", errors.TooDeep, {}),
    "toml-dotted-quoted": ("a.toml", '["a"' + ' . "a"' * 100_000 + "]", errors.TooDeep, {}),
    "toml-large": ("a.toml", "#" * (MAX_TOML_BYTES + 1), errors.FileTooLarge, {"limit": MAX_TOML_BYTES}),
    "json": ("a.json", '{"tokens": [\n1,\n}', errors.NotParsed, {"line": 3}),
    "json-empty": ("a.json", "", errors.NotParsed, {"line": 1}),
    "json-nul": ("a.json", '{"tokens": ["\0"]}', errors.NotParsed, {"line": 1}),
    "json-list": ("a.json", "[]", errors.WrongType, {"seen": "[]", "expected": "table"}),
    "json-null": ("a.json", "null", errors.WrongType, {"seen": "null"}),
    "json-twice": ("a.json", '{"title": "x",\n"title": "y"}', errors.DuplicateKey, {"line": 2, "key": "title"}),
    "json-brackets": ("a.json", "[" * 100_000, errors.TooDeep, {"limit": 8}),
    "json-closed": ("a.json", '{"Q":' + "[" * 100_000 + "]" * 100_000 + "}", errors.TooDeep, {}),
    "json-braces": ("a.json", '{"a":' * 100_000, errors.TooDeep, {}),
    "json-ten": ("a.json", "[" * 10 + "]" * 10, errors.TooDeep, {}),
    "json-surrogate": ("a.json", '{"tokens": ["\\ud800"]}', errors.NotUnicode, {"seen": "\\ud800"}),
    "json-surrogate-key": ("a.json", '{"tokens": ["a"], "\\udfff": 1}', errors.UnknownField, {"field": "\\udfff"}),
    "json-nan": ("a.json", '{"tokens": ["a"], "inputs": {"Q": [[NaN]]}}', errors.NotFinite, {"seen": "NaN"}),
    "json-infinity": ("a.json", '{"tokens": ["a"], "inputs": {"Q": [[Infinity]]}}', errors.NotFinite, {}),
    "json-long": ("a.json", '{"tokens": ["a"], "inputs": {"Q": [[' + "9" * 9999 + "]]}}", errors.TooLarge, {}),
    "json-true": ("a.json", '{"tokens": ["a"], "inputs": {"Q": [[true]]}}', errors.WrongType, {"seen": "true"}),
    "json-commas": ("a.json", '{"Q": [' + "1," * 1_100_000 + "1]}", errors.TooLarge, {"what": "items"}),
    "json-large": ("a.json", " " * (MAX_FILE_BYTES + 1), errors.FileTooLarge, {"limit": MAX_FILE_BYTES}),
}


@pytest.mark.parametrize("case", UNPARSED.values(), ids=UNPARSED)
def test_text(case: tuple[str, str, type[WorkingsError], Values]) -> None:
    path, text, kind, values = case
    error = refused(lambda: read_text(text, path), kind)
    assert {key: error.values[key] for key in values} == values


def test_json_names_the_line_too() -> None:
    text = json.dumps({"tokens": ["a"], "inputs": {"Q": [[1, 2]], "K": [["x", 2]]}}, indent=1)
    error = refused(lambda: read_text(text, "a.json"), errors.BadNumber)
    line = text[: text.index('"x"')].count("\n") + 1
    assert error.where == f"a.json, line {line}, [inputs].K[0][0]"


BYTES: dict[str, tuple[bytes, int]] = {
    "latin": (b'title = "\xe9"', 9),
    "utf-16": ("tokens = []".encode("utf-16"), 0),
    "cut": ("它".encode()[:2], 0),
    "encoded-surrogate": (b"# \xed\xa0\x80", 2),
    "binary": (bytes(range(256)), 128),
}


@pytest.mark.parametrize("case", BYTES.values(), ids=BYTES)
def test_bytes_that_are_no_text(case: tuple[bytes, int], tmp_path: Path) -> None:
    data, offset = case
    (tmp_path / "x.toml").write_bytes(data)
    error = refused(lambda: read_file(tmp_path / "x.toml"), errors.NotText)
    assert error.values["offset"] == offset
    assert error.exit_code == 3


def test_paths(tmp_path: Path) -> None:
    assert refused(lambda: read_file(tmp_path), errors.FileUnreadable).values["reason"]
    refused(lambda: read_file(tmp_path / "none.toml"), errors.FileMissing)
    refused(lambda: read_file("a\0b"), errors.FileUnreadable)
    refused(lambda: read_file("a" * 5000), errors.FileUnreadable)
    (tmp_path / "large").write_bytes(b" " * (MAX_FILE_BYTES + 5))
    error = refused(lambda: read_file(tmp_path / "large"), errors.FileTooLarge)
    assert error.values["size"] == MAX_FILE_BYTES + 5


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError("odd")])
def test_unreadable(error: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("builtins.open", refuse)
    assert refused(lambda: read_file("x.toml"), errors.FileUnreadable).values["reason"] in ("Permission denied", "odd")


def test_endless_file() -> None:
    assert refused(lambda: read_file("/dev/zero"), errors.FileTooLarge).values["path"] == "/dev/zero"


def endless() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


PYTHON: dict[str, tuple[Any, type[WorkingsError]]] = {
    "nan": (math.nan, errors.NotFinite),
    "inf": (math.inf, errors.NotFinite),
    "minus-inf": (-math.inf, errors.NotFinite),
    "complex": (1j, errors.WrongType),
    "bool": (True, errors.WrongType),
    "none": (None, errors.WrongType),
    "bytes": (b"1", errors.WrongType),
    "huge": (10**10_000, errors.TooLarge),
    "endless": (endless(), errors.TooDeep),
    "empty-text": ("", errors.BadNumber),
    "spaces": (" " * 399 + "(", errors.BadNumber),
    "megabytes": ("9" * 10_000_000, errors.TooLarge),
    "surrogate": ("\ud800", errors.BadNumber),
}


@pytest.mark.parametrize("case", PYTHON.values(), ids=PYTHON)
def test_python_cell(case: tuple[Any, type[WorkingsError]]) -> None:
    cell, kind = case
    refused(lambda: read_mapping({"tokens": ["a"], "inputs": {"Q": [[cell]], "K": [[1]], "V": [[1]]}}), kind)


@pytest.mark.parametrize("data", [None, 3, "tokens", [], {1: 2}, {"tokens": {"a": 1}}, {"tokens": [None]}])
def test_python_root(data: Any) -> None:
    refused(lambda: read_mapping(data), errors.WrongType)


def test_more_cells_than_anybody_writes() -> None:
    error = refused(lambda: read_mapping({"tokens": ["a"], "inputs": {"Q": [[1] * 600_000]}}), errors.TooLarge)
    assert error.values == {"what": "cells", "seen": 600_000, "limit": 524_288, "needed": 120_000_000}
    assert error.where == "[inputs].Q"


def test_messages_are_inert() -> None:
    error = refused(lambda: read_mapping({"tokens": ["a"], "\x1b[31m\u202e\n": 1}), errors.UnknownField)
    assert error.where == '"\\x1b[31m\\u202e\\n"'
    assert error.values["field"] == "\\x1b[31m\\u202e\\n"

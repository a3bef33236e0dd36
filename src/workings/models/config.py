"""A model's config.json, read without trust: no code of its own, and no size that its weights do not bear out."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

from workings.terms.errors import DuplicateKey, FileTooLarge, NotParsed, NotText
from workings.terms.model_errors import ModelField

MAX_BYTES = 16 * 1024 * 1024
CODE = ("auto_map", "custom_code", "custom_pipelines", "trust_remote_code")
HEADS = (
    "num_attention_heads", "n_head", "num_heads", "encoder_attention_heads", "decoder_attention_heads",
    "num_key_value_heads",
)  # fmt: skip
LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "encoder_layers", "decoder_layers", "num_decoder_layers")
WIDTHS = ("hidden_size", "n_embd", "d_model", "head_dim", "d_kv", "v_head_dim", "intermediate_size", "vocab_size")
OPTIONAL = ("head_dim", "num_key_value_heads", "num_decoder_layers", "intermediate_size", "v_head_dim")
ABOVE_ZERO = ("rope_theta", "rope_local_base_freq", "local_rope_theta", "global_rope_theta")
OWN_WIDTH = ("head_dim", "d_kv", "q_lora_rank", "kv_lora_rank")  # with these, heads need not divide the width
MAX_HEADS, MAX_WIDTH = 2**16, 2**24


def read_json(path: str) -> dict[str, Any]:
    """A table from a JSON file.

    Raises ``FileTooLarge``, ``NotText``, ``DuplicateKey`` or ``NotParsed``.
    """
    size = os.stat(path).st_size
    if size > MAX_BYTES:
        raise FileTooLarge(path=path, size=size, limit=MAX_BYTES)
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in pairs:
            if key in table:
                raise DuplicateKey(path=path, line=1, key=key)
            table[key] = value
        return table

    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except UnicodeDecodeError as error:
        raise NotText(path=path, offset=error.start) from None
    except RecursionError:
        raise NotParsed(path=path, line=1, reason="deep") from None
    except ValueError as error:
        raise NotParsed(path=path, line=getattr(error, "lineno", 1), reason="syntax") from None
    if not isinstance(found, dict):
        raise NotParsed(path=path, line=1, reason="syntax")
    return found


def check_config(path: str, config: Mapping[str, Any], tensors: int) -> None:
    """Refuses what cannot be a model of this many tensors, or would run code that came with it.

    Raises ``ModelField`` with the field's name and what was seen there.
    """
    refuse_code(path, config)
    if not isinstance(config.get("model_type"), str) or not config["model_type"]:
        raise ModelField(path=path, field="model_type", seen=_short(config.get("model_type")), flaw="model-type")
    if config.get("quantization_config") is not None:
        raise ModelField(path=path, field="quantization_config", seen="…", flaw="quantised")
    for where, table in _tables(config):
        for name, value in table.items():
            _check_number(path, f"{where}{name}", name, value, tensors)
        _check_division(path, where, table)


def refuse_code(path: str, table: Mapping[str, Any]) -> None:
    """Raises ``ModelField`` where a table asks for code of the model's own to be run."""
    for where, inner in _tables(table):
        for name in CODE:
            if inner.get(name):
                raise ModelField(path=path, field=f"{where}{name}", seen=_short(inner[name]), flaw="model-code")


def _tables(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A table and the tables in it, each with what stands before its names."""
    yield where, table
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _tables(value, f"{where}{name}.")


def _check_number(path: str, field: str, name: str, value: Any, tensors: int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ModelField(path=path, field=field, seen=str(value), flaw="not-finite")
    if name in ABOVE_ZERO and (not isinstance(value, (int, float)) or value <= 0) and not isinstance(value, Mapping):
        raise ModelField(path=path, field=field, seen=_short(value), flaw="not-above-zero")
    most = MAX_HEADS if name in HEADS else MAX_WIDTH if name in WIDTHS else tensors if name in LAYERS else None
    if most is None or (value is None and name in OPTIONAL) or isinstance(value, (Mapping, list)):
        return
    if type(value) is not int or value < 1:
        raise ModelField(path=path, field=field, seen=_short(value), flaw="not-count")
    if value > most:
        raise ModelField(path=path, field=field, seen=_short(value), flaw="too-many" if name in LAYERS else "too-large")


def _check_division(path: str, where: str, table: Mapping[str, Any]) -> None:
    heads = next((table[name] for name in HEADS if isinstance(table.get(name), int)), None)
    width = next((table[name] for name in ("hidden_size", "n_embd", "d_model") if isinstance(table.get(name), int)), 0)
    shared = table.get("num_key_value_heads")
    field = f"{where}{next((name for name in HEADS if name in table), 'num_attention_heads')}"
    if heads and width % heads and not any(table.get(name) for name in OWN_WIDTH):
        raise ModelField(path=path, field=field, seen=str(heads), flaw="not-dividing")
    if heads and isinstance(shared, int) and heads % shared:
        raise ModelField(path=path, field=f"{where}num_key_value_heads", seen=str(shared), flaw="not-grouping")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"

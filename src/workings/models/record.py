"""Runs a model once and records its attention: each layer's Q, K and V go to the disk as soon as they are there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workings.models.around import told_of
from workings.models.capture import Call, Capture
from workings.models.facts import ByDistance
from workings.models.given import check_given
from workings.models.load import Loaded, library, load, load_tokenizer
from workings.models.look import Looked, look
from workings.models.scores import NEAR
from workings.models.sizes import Estimate, estimate, expected_layers, places_for
from workings.models.store import SCHEMA, Store
from workings.models.stream import Streams, hearing
from workings.models.summary import (
    TOP,
    Queries,
    bounds_of,
    finite,
    induced_keys,
    rows_of,
    scores_of,
    wanted,
)
from workings.models.tokens import tokens_of
from workings.terms.model_errors import InputsMissing, LayersNotSeen, TargetNotRead, TooManyTokens, UnknownLayers

WRITTEN = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16"}
OWN = {
    "text": ["input_ids"],
    "image": ["pixel_values"],
    "sound": ["input_features"],
    "text+image": ["input_ids", "pixel_values"],
}


@dataclass(frozen=True)
class Wish:
    """What is to be recorded.

    Attributes:
        text: what the model reads; None where ``inputs`` say all.
        inputs: arrays by transformers' names (``input_ids``, ``pixel_values`` …), batch of one; they win over the text.
        dtype: the type the model runs in.
        layers, heads: which ones, counted from 0; None for all.
        target: what the decoder of a model with two texts has said so far; None for its beginning alone.
    """

    text: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    layers: Sequence[int] | None = None
    heads: Sequence[int] | None = None
    target: str | None = None


@dataclass
class Heard:
    """What a run tells on its way; each may be left out.

    Attributes:
        stage: is told ``load``, ``run`` and how far it is: done, of how many.
        estimated: is told the estimate before the model runs.
    """

    stage: Callable[[str, int, int], None] = lambda name, done, of: None
    estimated: Callable[[Estimate], None] = lambda found: None


def record(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    wish: Wish,
    *,
    resume: bool = False,
    heard: Heard | None = None,
) -> str:
    """Run a model once and write the recording; returns its folder.

    Args:
        source: a folder with config.json and safetensors, or a GGUF file.
        folder: where the recording will stand; nothing stands there yet.
        resume: go on with what a run that was stopped has left.

    Raises what ``look``, ``load`` and ``Store`` raise, and:
        InputsMissing: the model reads something that was not given.
        InputsNotOne, InputsNotIds: arrays that no run of a model can read.
        TooManyTokens: more than it has places for.
        UnknownLayers: a chosen layer or head that there is not.
        LayersNotSeen: attention that asked no function that can be told.
    """
    heard, path = heard or Heard(), os.fspath(folder)
    heard.stage("load", 0, 1)
    looked = look(source)
    with library(), _forward_only():
        given, tokenizer = _inputs(looked, wish)
        loaded = load(looked, wish.dtype)
        _check(loaded, given, wish)
        heard.stage("load", 1, 1)
        heard.estimated(estimate(loaded, _tokens(given), wish.layers, wish.heads))
        plan = _plan(loaded, given, wish)
        store = Store(path, plan, resume=resume)
        try:
            around = told_of(loaded, given)
            streams = Streams(store, _written, 0 if around is None else _tokens(given))
            layers = _run(loaded, given, wish, store, heard, streams)
            beyond = {"around": around, "streams": streams.told, "source": loaded.looked.place()}
            store.finish({**_index(plan, loaded, layers, _sequences(given, tokenizer)), **beyond})
        except KeyboardInterrupt:
            store.leave(keep=True)
            raise
        except BaseException:
            store.leave(keep=False)
            raise
    return path


@contextmanager
def _forward_only() -> Iterator[None]:
    import torch

    with torch.inference_mode():
        yield


# --- what goes in ----------------------------------------------------------------------------------------------------


def _inputs(looked: Looked, wish: Wish) -> tuple[dict[str, Any], Any]:
    """Tensors by name, and the tokenizer where one is needed."""
    import torch

    given = {name: torch.as_tensor(values) for name, values in wish.inputs.items()}
    read = wish.text is not None or wish.target is not None
    tokenizer = load_tokenizer(looked) if read or looked.kind == "gguf" else None
    if tokenizer is not None and wish.text is not None and "input_ids" not in given:
        given["input_ids"] = torch.tensor([tokenizer(wish.text)["input_ids"]])
    if tokenizer is not None and wish.target is not None:
        given["decoder_input_ids"] = torch.tensor([tokenizer(text_target=wish.target)["input_ids"]])
    return given, tokenizer


def _sequences(given: Mapping[str, Any], tokenizer: Any) -> dict[str, list[dict[str, Any]]]:
    """What is known of the tokens, by the name of the input."""
    out: dict[str, list[dict[str, Any]]] = {}
    for name in ("input_ids", "decoder_input_ids"):
        if name in given:
            ids = [int(number) for number in given[name][0]]
            out[name] = tokens_of(tokenizer, ids) if tokenizer else [{"id": n, "text": str(n)} for n in ids]
    return out


def _check(loaded: Loaded, given: dict[str, Any], wish: Wish) -> None:
    """Everything is there, and fits."""
    config = loaded.config
    check_given(given, config)
    if config.is_encoder_decoder:
        _begin(config, given, wish)
    elif wish.target is not None:
        raise TargetNotRead(path=loaded.looked.path)
    lacking = [name for name in OWN[loaded.family.inputs] if name not in given]
    if lacking:
        raise InputsMissing(path=loaded.looked.path, names=lacking)
    limit, seen = places_for(config), _tokens(given)
    if limit is not None and seen > limit:
        raise TooManyTokens(seen=seen, limit=limit)
    for option, chosen, count in (
        ("--layers", wish.layers, max(expected_layers(loaded).values())),
        ("--heads", wish.heads, int(getattr(config, "num_attention_heads", 0) or 0)),
    ):
        for number in chosen or ():
            if not 0 <= number < (count or number + 1):
                raise UnknownLayers(option=option, seen=number, count=count)


def _begin(config: Any, given: dict[str, Any], wish: Wish) -> None:
    """What the decoder reads: its first token, and behind it what it has said, without the end."""
    import torch

    start = [int(config.decoder_start_token_id or 0)]
    if "decoder_input_ids" not in given:
        given["decoder_input_ids"] = torch.tensor([start])
    elif wish.target is not None:
        said = [int(number) for number in given["decoder_input_ids"][0]]
        given["decoder_input_ids"] = torch.tensor([start + (said[:-1] if said[-1:] == [config.eos_token_id] else said)])


def _tokens(given: Mapping[str, Any]) -> int:
    return max((int(values.shape[1]) for name, values in given.items() if name.endswith("input_ids")), default=0)


def _plan(loaded: Loaded, given: Mapping[str, Any], wish: Wish) -> dict[str, Any]:
    """All that decides on the bytes of a recording."""
    import torch
    import transformers

    return {
        "schema": SCHEMA,
        "model": {
            "name": loaded.looked.name,
            "sha256": loaded.looked.hash(),
            "kind": loaded.config.model_type,
            "family": loaded.family.name,
            "projections": list(loaded.family.projections),
            "layout": loaded.family.layout,
            "parameters": sum(parameter.numel() for parameter in loaded.model.parameters()),
        },
        "dtype": loaded.dtype,
        "inputs": {name: _sha256(values) for name, values in sorted(given.items())},
        "chosen": {
            "layers": None if wish.layers is None else sorted(wish.layers),
            "heads": None if wish.heads is None else sorted(wish.heads),
        },
        "threads": torch.get_num_threads(),
        "made_with": {"torch": torch.__version__, "transformers": transformers.__version__},
    }


def _sha256(values: Any) -> str:
    return hashlib.sha256(values.contiguous().numpy().tobytes()).hexdigest()


# --- the run ---------------------------------------------------------------------------------------------------------


def _run(
    loaded: Loaded, given: Mapping[str, Any], wish: Wish, store: Store, heard: Heard, streams: Streams
) -> list[dict[str, Any]]:
    """One forward pass; returns what the index says of each layer."""
    expected = expected_layers(loaded)
    total = sum(expected.values())
    layers: list[dict[str, Any]] = []
    seen: dict[tuple[str, bool], set[int]] = {}

    ids = {part: [int(one) for one in given[name][0]] for name, part in _parts(loaded).items() if name in given}

    def chosen(call: Call) -> bool:
        return wish.layers is None or call.place.layer in wish.layers

    def asked(call: Call) -> Mapping[str, Any]:
        return wanted(call, ids.get(call.place.part)) if chosen(call) else {"top": 0}

    def take(call: Call) -> None:
        place = call.place
        seen.setdefault((place.part, place.cross), set()).add(place.layer or 0)
        if chosen(call):
            layer = write_call(call, store, loaded.dtype, wish.heads, scaled=loaded.family.scaled_before)
            layers.append({**layer, **write_summary(call, store, layer["heads"], ids.get(place.part))})
        heard.stage("run", sum(map(len, seen.values())), total)

    _no_cache(loaded.config)
    capture = Capture(loaded.model, loaded.family, take, wanted=asked)
    with capture.listening(), _streaming(loaded, wish, streams):
        loaded.model(**given)
    for stack, count in expected.items():
        found = len(seen.get(stack, ()))
        if found < count:
            raise LayersNotSeen(path=loaded.looked.path, seen=found, expected=count)
    return layers


def _streaming(loaded: Loaded, wish: Wish, streams: Streams) -> AbstractContextManager[None]:
    """What enters the chosen layers and what the last one makes goes to the disk too, where the family tells layers."""
    block = loaded.family.block
    if block is None or not streams.tokens:
        return nullcontext()
    count = int(loaded.config.num_hidden_layers)

    def take(layer: int, values: Any) -> None:
        if wish.layers is None or layer in wish.layers or layer == count:
            streams.take(layer, values)

    return hearing(loaded.model, block.layer, count, take)


def _no_cache(config: Any) -> None:
    """Nothing is generated, so keys and values are kept for nobody."""
    for table in (config, *(getattr(config, name, None) for name in ("text_config", "vision_config"))):
        if getattr(table, "use_cache", None) is not None:
            table.use_cache = False


def write_call(
    call: Call, store: Store, dtype: str, only: Sequence[int] | None = None, *, scaled: bool = False
) -> dict[str, Any]:
    """One layer to the disk; returns its entry in the index.

    Args:
        only: the heads that are kept, with the key heads they read; None for all.
        scaled: whether Q was multiplied by the scale before it came here.
    """
    heads, queries, d_k = call.query.shape
    kv_heads, keys, d_v = call.value.shape
    chosen = [head for head in range(heads) if only is None or head in only]
    groups = sorted({head * kv_heads // heads for head in chosen})
    facts, bias = call.facts, call.facts.bias
    tensors = {
        "q": _written(call.query[chosen]),
        "k": _written(call.key[groups]),
        "v": _written(call.value[groups]),
        **({} if bias is None else {"bias": _written(bias.values[chosen])}),
    }
    place = str(call.place)[:-1]
    file = f"{place}.safetensors"
    return {
        "address": place,
        "part": call.place.part,
        "cross": call.place.cross,
        "layer": call.place.layer,
        "file": file,
        **store.write_tensors(file, tensors),
        "dtype": dtype,
        "heads": chosen,
        "kv_heads": groups,
        "head_count": heads,
        "kv_head_count": kv_heads,
        "queries": queries,
        "keys": keys,
        "d_k": d_k,
        "d_v": d_v,
        "scale": facts.scale,
        "query_scaled_before": d_k**-0.5 if scaled else None,
        "window": {"left": facts.band.left, "right": facts.band.right, "offset": facts.band.offset},
        "softcap": facts.softcap,
        "sinks": None if facts.sinks is None else [float(facts.sinks[head]) for head in chosen],
        "bias": None if bias is None else "by-distance" if isinstance(bias, ByDistance) else "by-key",
    }


def write_summary(call: Call, store: Store, heads: Sequence[int], ids: Sequence[int] | None) -> dict[str, Any]:
    """What its rows say, to the disk; returns what the index says of it, with the scores of each head.

    Args:
        ids: the tokens that its keys stand for; None where they stand for something else.
    """
    if call.found is None:
        return {}
    rows, first = rows_of(call.found, heads), call.facts.band.offset
    own = np.arange(first, first + call.query.shape[1])
    queries = Queries(own, None if ids is None else induced_keys(ids)[own])
    file = f"{str(call.place)[:-1]}.rows.safetensors"
    told = {"file": file, **store.write_tensors(file, rows), "top": TOP, "near": NEAR}
    numbers = {name: values for name, (_, values) in rows.items()}
    return {
        "rows": {**told, "bounds": finite(bounds_of(call.found, heads))},
        "scores": scores_of(numbers.get, queries, cross=call.place.cross),
    }


def _written(values: Any) -> tuple[str, Any]:
    """The type as written, and the bits as a numpy array."""
    import torch

    held = values.detach().contiguous().cpu()
    name = WRITTEN[str(held.dtype).removeprefix("torch.")]
    return name, (held.view(torch.uint16) if name == "BF16" else held).numpy()


def _parts(loaded: Loaded) -> dict[str, str]:
    """Which stack reads an input."""
    several = loaded.family.parts.values()
    reader = "enc" if loaded.config.is_encoder_decoder else "text" if "text" in several else ""
    return {"input_ids": reader, "decoder_input_ids": "dec"}


def _index(
    plan: Mapping[str, Any],
    loaded: Loaded,
    layers: Sequence[Mapping[str, Any]],
    sequences: Mapping[str, list[dict[str, Any]]],
) -> dict[str, Any]:
    """``workings.recording/1``: the plan, the tokens of each stack, and every layer."""
    text, parts = getattr(loaded.config, "text_config", None) or loaded.config, _parts(loaded)
    return {
        **plan,
        "tokens": {parts[name]: tokens for name, tokens in sequences.items()},
        "layers": list(layers),
        "not_finite": loaded.not_finite,
        "vocabulary": getattr(text, "vocab_size", None),
        "width": getattr(text, "hidden_size", None),
    }

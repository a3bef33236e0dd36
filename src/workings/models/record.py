"""Runs a model once and records its attention: each layer's Q, K and V go to the disk as soon as they are there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from workings.models.around import told_of
from workings.models.capture import Call, Capture, ready
from workings.models.chunks import chunk_of, chunked, kept_on_disk
from workings.models.given import as_tensor, check_given
from workings.models.load import Loaded, library, load, load_tokenizer
from workings.models.look import Looked, look
from workings.models.room import check_disk, check_memory
from workings.models.rotation import settle
from workings.models.sizes import Estimate, estimate, expected_layers, places_for
from workings.models.store import SCHEMA, Store, check_free
from workings.models.stream import Streams, hearing
from workings.models.summary import wanted
from workings.models.tokens import tokens_of
from workings.models.written import AtOnce, How, InChunks, Writer
from workings.terms.errors import NotUnicode
from workings.terms.model_errors import (
    InputsMissing,
    LayersNotSeen,
    NotInChunks,
    TargetNotRead,
    TextEmpty,
    TooManyTokens,
    UnknownLayers,
)

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
        chunk: how many tokens are run at once where the model can; 0 for all, None to go by the length of the text.
        cached: whether the weights of a GGUF file are kept for the next time.
    """

    text: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    layers: Sequence[int] | None = None
    heads: Sequence[int] | None = None
    target: str | None = None
    chunk: int | None = None
    cached: bool = True


@dataclass
class Heard:
    """What a run tells on its way; each may be left out.

    Attributes:
        stage: is told ``load``, ``run``, ``finish`` and how far it is: done, of how many; 1 of 1 when it is loaded.
        estimated: is told the estimate before the model runs.
        unpacking: is told where the weights of a GGUF file will be kept, and about how many bytes, before they are.
    """

    stage: Callable[[str, int, int], None] = lambda name, done, of: None
    estimated: Callable[[Estimate], None] = lambda found: None
    unpacking: Callable[[str, int], None] = lambda folder, size: None


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
        NotUnicode, TextEmpty: a text that no model reads.
        InputsMissing: the model reads something that was not given.
        InputsNotOne, InputsNotIds: arrays that no run of a model can read.
        TooManyTokens: more than it has places for.
        UnknownLayers: a chosen layer or head that there is not.
        LayersNotSeen: attention that asked no function that can be told.
        ModelTooLarge, NoRoom: a model that memory cannot hold, a recording that the disk cannot.
        NotInChunks: chunks asked of a model that cannot read in chunks.
    """
    heard, path = heard or Heard(), os.fspath(folder)
    heard.stage("load", 0, 1)
    looked = look(source)
    check_free(path)  # before anything that takes long
    with library(), _forward_only():
        check_memory(looked, wish.dtype)
        loading = partial(heard.stage, "load")
        how: dict[str, Any] = {"cached": wish.cached, "loading": loading, "unpacking": heard.unpacking}
        given, tokenizer = _inputs(looked, wish, how)
        loaded = load(looked, wish.dtype, **how)
        _check(loaded, given, wish)
        ready()
        heard.stage("load", 1, 1)
        heard.estimated(estimate(loaded, _tokens(given), wish.layers, wish.heads))
        _check_disk(loaded, given, wish, path)
        plan = _plan(loaded, given, wish)
        store = Store(path, plan, resume=resume)
        try:
            told = told_of(loaded, given)
            around, untold = (None, told) if isinstance(told, str) else (told, "")
            streams = Streams(store, 0 if around is None else _tokens(given))
            writer = _run(loaded, given, wish, store, heard, streams)
            store.behind.go_on()
            sequences = _sequences(given, tokenizer)
            beyond = {"around": around, "untold": untold, "streams": streams.finish(), "source": loaded.looked.place()}
            store.finish({**_index(plan, loaded, writer.finish(), sequences), **beyond})
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


def _inputs(looked: Looked, wish: Wish, how: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """Tensors by name, and the tokenizer where one is needed."""
    for said in (wish.text, wish.target):
        _check_text(said)
    given = {name: as_tensor(name, values) for name, values in wish.inputs.items()}
    read = wish.text is not None or wish.target is not None
    tokenizer = load_tokenizer(looked, **how) if read or looked.kind == "gguf" else None
    if tokenizer is not None and wish.text is not None and "input_ids" not in given:
        given["input_ids"] = _ids(tokenizer(wish.text))
    if tokenizer is not None and wish.target is not None:
        given["decoder_input_ids"] = _ids(tokenizer(text_target=wish.target))
    return given, tokenizer


def _check_text(text: str | None) -> None:
    """Raises ``NotUnicode`` for half a character, which no tokenizer reads."""
    try:
        (text or "").encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotUnicode(seen=error.object[max(0, error.start - 20) : error.end]) from None


def _ids(cut: Mapping[str, Any]) -> Any:
    """The numbers of a text's tokens, as a batch of one. Raises ``TextEmpty`` where there is none."""
    import torch

    if not cut["input_ids"]:
        raise TextEmpty
    return torch.tensor([cut["input_ids"]])


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


def _check_disk(loaded: Loaded, given: Mapping[str, Any], wish: Wish, folder: str) -> None:
    """Raises ``NoRoom`` where the recording does not fit."""

    def size(layers: Sequence[int], heads: Sequence[int]) -> int:
        return estimate(loaded, _tokens(given), layers, heads, timed=False).bytes

    config = getattr(loaded.config, "text_config", None) or loaded.config
    layers = wish.layers if wish.layers is not None else range(max(expected_layers(loaded).values()))
    heads = wish.heads if wish.heads is not None else range(int(config.num_attention_heads))
    check_disk(folder, size, layers, heads)


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
        "chunk": _chunk(loaded, given, wish),
        "threads": torch.get_num_threads(),
        "made_with": {"torch": torch.__version__, "transformers": transformers.__version__},
    }


def _sha256(values: Any) -> str:
    return hashlib.sha256(values.contiguous().numpy().tobytes()).hexdigest()


# --- the run ---------------------------------------------------------------------------------------------------------


def _run(loaded: Loaded, given: Mapping[str, Any], wish: Wish, store: Store, heard: Heard, streams: Streams) -> Writer:
    """The forward pass, whole or in chunks; returns what tells in the end what the index says of each layer."""
    expected, tokens = expected_layers(loaded), _tokens(given)
    chunk = _chunk(loaded, given, wish)
    seen: dict[tuple[str, bool], list[int]] = {}
    ids = {part: [int(one) for one in given[name][0]] for name, part in _parts(loaded).items() if name in given}
    how = How(loaded.dtype, wish.heads, loaded.family.scaled_before, ids)
    writer: Writer = AtOnce(store, how) if chunk is None else InChunks(store, how, tokens)
    total = sum(expected.values()) * (1 if chunk is None else -(-tokens // chunk))

    def chosen(call: Call) -> bool:
        return wish.layers is None or call.place.layer in wish.layers

    def asked(call: Call) -> Mapping[str, Any]:
        store.behind.go_on()
        return wanted(call, ids.get(call.place.part)) if chosen(call) else {"top": 0}

    def take(call: Call) -> None:
        seen.setdefault((call.place.part, call.place.cross), []).append(call.place.layer or 0)
        if chosen(call):
            writer.take(call)
        heard.stage("run", sum(map(len, seen.values())), total)

    capture = Capture(loaded.model, loaded.family, take, wanted=asked)
    with capture.listening(), _streaming(loaded, wish, streams):
        _forward(loaded, given, chunk, store)
    for stack, count in expected.items():
        found = len(set(seen.get(stack, ())))
        if found < count:
            raise LayersNotSeen(path=loaded.looked.path, seen=found, expected=count)
    heard.stage("finish", 0, 1)
    return writer


def _chunk(loaded: Loaded, given: Mapping[str, Any], wish: Wish) -> int | None:
    """How many tokens are run at once; None for all. Raises ``NotInChunks`` where it was asked for in vain."""
    possible = chunked(loaded.model) and set(given) == {"input_ids"}
    if wish.chunk and not possible:
        raise NotInChunks
    return chunk_of(wish.chunk, _tokens(given), possible=possible)


def _forward(loaded: Loaded, given: Mapping[str, Any], chunk: int | None, store: Store) -> None:
    if chunk is None:
        _no_cache(loaded.config)
        loaded.model(**given)
        return
    ids = given["input_ids"]
    settle(loaded.model, ids.shape[1])
    with kept_on_disk(store, ids.shape[1]) as cache:
        for start in range(0, ids.shape[1], chunk):
            loaded.model(input_ids=ids[:, start : start + chunk], past_key_values=cache, use_cache=True)


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

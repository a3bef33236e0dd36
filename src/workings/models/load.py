"""Loads a model that was looked over, from a place that holds its checked files alone, and never from a network."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from workings.models.cache import kept
from workings.models.capture import KEY, make_known
from workings.models.families import family_of
from workings.models.family import Family
from workings.models.look import Looked
from workings.terms.errors import MissingExtra
from workings.terms.model_errors import ModelUnreadable

UNPACKED = 4  # bytes of a number of float32, as unpacked weights are kept
DTYPES = ("float32", "float64", "bfloat16", "float16")
QUIET = {"HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}  # read when the libraries are imported
# Likewise: threads of torch that have nothing to do sleep, and leave the processors to those of streamed attention.
ASLEEP = {"OMP_WAIT_POLICY": "passive"}
Loading = Callable[[int, int], None]  # is told how many tensors are there, of how many
Unpacking = Callable[[str, int], None]  # is told where unpacked weights will be kept, and about how many bytes
NOT_NEEDED = ("pooler.", "bert.pooler.", "roberta.pooler.")  # parts after all attention, absent from many files


@dataclass(frozen=True)
class Loaded:
    """A model ready to run.

    Attributes:
        not_finite: weights with NaN or infinities: how many of each, and where the first stands.
    """

    looked: Looked
    model: Any
    family: Family
    dtype: str
    not_finite: list[dict[str, Any]]

    @property
    def config(self) -> Any:
        return self.model.config


def load(
    looked: Looked,
    dtype: str = "float32",
    *,
    cached: bool = False,
    loading: Loading | None = None,
    unpacking: Unpacking | None = None,
) -> Loaded:
    """The model, in evaluation, its attention ours.

    Args:
        cached: whether the weights of a GGUF file are kept, and taken from where they were kept (``cache``).
        loading: is told how far it is.
        unpacking: is told before the weights of a GGUF file are unpacked to be kept.

    Raises ``MissingExtra`` without the packages, ``ModelUnreadable`` where transformers cannot load it whole, and
    ``ModelFile`` where a file was changed since it was looked at.
    """
    with library(), bars(loading), room(looked, cached=cached, unpacking=unpacking) as (folder, how):
        model, report = _model(looked, folder, dtype, how)
        looked.check()
        missing = sorted(name for name in report["missing_keys"] if not name.startswith(NOT_NEEDED))
        if missing:
            raise ModelUnreadable(path=looked.path, reason=f"{missing[0]}: no such tensor ({len(missing)})")
        family = family_of(model.config.model_type, encoder_decoder=bool(model.config.is_encoder_decoder))
        return Loaded(looked, model.eval(), family, dtype, _not_finite(model))


def _model(looked: Looked, folder: str, dtype: str, how: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """The model without its head, and what its loader reports.

    Of some families transformers finds a GGUF file's tensors by the names of the model with its head alone.
    """
    import torch
    import transformers

    make_known()
    chosen = {"attn_implementation": KEY, "dtype": getattr(torch, dtype), "use_safetensors": True, **how}
    try:
        model, report = transformers.AutoModel.from_pretrained(folder, output_loading_info=True, **chosen)
        if report["missing_keys"] and "gguf_file" in how:
            auto: Any = transformers.AutoModelForCausalLM
            speaking, other = auto.from_pretrained(folder, output_loading_info=True, **chosen)
            if not other["missing_keys"]:
                return speaking.base_model, other
    except Exception as error:  # the library's own errors are of every kind
        raise ModelUnreadable(path=looked.path, reason=_short(error)) from None
    return model, report


def load_tokenizer(
    looked: Looked, *, cached: bool = False, loading: Loading | None = None, unpacking: Unpacking | None = None
) -> Any:
    """Its tokenizer. Raises ``ModelUnreadable`` where there is none that can be loaded without code of its own."""
    with library(), bars(loading), room(looked, cached=cached, unpacking=unpacking) as (folder, how):
        return _tokenizer(looked, folder, how)


def _tokenizer(looked: Looked, folder: str, how: Mapping[str, Any]) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, **how)
    except Exception as error:
        raise ModelUnreadable(path=looked.path, reason=_short(error)) from None


@contextmanager
def library() -> Iterator[None]:
    """transformers, quiet and offline."""
    before = {name: os.environ.get(name) for name in (*QUIET, *ASLEEP)}
    os.environ.update({**ASLEEP, **os.environ, **QUIET})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import torch  # noqa: F401
            import transformers
        except ModuleNotFoundError:
            raise MissingExtra(feature="workings trace", extra="models") from None
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
        logging: Any = transformers.utils.logging
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        with _unmapped():
            yield


@contextmanager
def bars(loading: Loading | None) -> Iterator[None]:
    """While this lasts, transformers draws no bars of its own, whoever has imported it before; it tells ``loading``."""
    from transformers import modeling_gguf_pytorch_utils
    from transformers.utils import logging as library_logging

    unpacking, logging = cast(Any, modeling_gguf_pytorch_utils), cast(Any, library_logging)

    def bar(_: Any, given: tuple[Any, ...], how: Mapping[str, Any]) -> Any:
        return logging.EmptyTqdm(*(_counted(items, loading) for items in given[:1]))

    usual, before = unpacking.tqdm, logging.set_tqdm_hook(bar)
    unpacking.tqdm = lambda *given, **how: bar(None, given, how)
    try:
        yield
    finally:
        unpacking.tqdm = usual
        logging.set_tqdm_hook(before)


def _counted(items: Iterable[Any], loading: Loading | None) -> Iterator[Any]:
    things = list(items)
    for place, item in enumerate(things):
        yield item
        if loading is not None:
            loading(place + 1, len(things))


@contextmanager
def room(
    looked: Looked, *, cached: bool = False, unpacking: Unpacking | None = None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A folder that holds links to the checked files and nothing else, and what a loader is told besides.

    Args:
        cached: the weights of a GGUF file, dequantised, instead of the file itself.
        unpacking: is told before they are.
    """
    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    entry = _dequantised(looked, unpacking) if cached and looked.kind == "gguf" else None
    if entry is not None:
        yield entry, how
        return
    with tempfile.TemporaryDirectory(prefix="workings-") as folder:
        for name, state in looked.files.items():
            os.symlink(os.path.realpath(state.path), os.path.join(folder, name))
            if looked.kind == "gguf":
                how["gguf_file"] = name
        try:
            looked.check()
            yield folder, how
        except ModelUnreadable:
            looked.check()  # of a file that was changed meanwhile the library says something else
            raise


def _dequantised(looked: Looked, unpacking: Unpacking | None) -> str | None:
    """Where the weights and the tokenizer of a GGUF file are kept as safetensors; None where they cannot be."""

    def make(folder: str) -> None:
        if unpacking is not None:
            unpacking(os.path.dirname(folder), sum(map(prod, looked.tensors.values())) * UNPACKED)
        with room(looked) as (links, how):
            tokenizer = _tokenizer(looked, links, how)
            model, _ = _model(looked, links, "float32", how)
        looked.check()
        model.hf_quantizer = None  # its weights are plain numbers by now
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        tokenizer.save_pretrained(folder)
        model.save_pretrained(folder, max_shard_size="1TB")

    return kept(looked.hash(), make)


def _not_finite(model: Any) -> list[dict[str, Any]]:
    import torch

    out: list[dict[str, Any]] = []
    for name, parameter in model.named_parameters():
        if parameter.is_floating_point() and not bool(torch.isfinite(parameter.sum())):
            odd = ~torch.isfinite(parameter)
            if not bool(odd.any()):
                continue  # finite numbers whose sum is not
            first = [int(place) for place in odd.nonzero()[0]]
            nan = int(torch.isnan(parameter).sum())
            out.append({"tensor": name, "nan": nan, "inf": int(odd.sum()) - nan, "first": first})
    return out


def _short(error: Exception) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= 200 else f"{text[:199]}…"


@contextmanager
def _unmapped() -> Iterator[None]:
    """While this lasts, weights are read into memory, not mapped.

    A mapped file that is cut ends the process, and one that is written to changes the weights of a model that runs.
    """
    from transformers import modeling_utils

    within: Any = modeling_utils
    usual = within.safe_open

    def unmapped(*where: Any, **how: Any) -> Any:
        return usual(*where, **{**how, "backend": "pread"})

    within.safe_open = unmapped
    try:
        yield
    finally:
        within.safe_open = usual

"""The public functions, behind the module `workings`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workings.api.language import preferred
from workings.api.opening import Openable, open_example
from workings.api.trace import Trace
from workings.api.view import View
from workings.terms.errors import WorkingsError

if TYPE_CHECKING:
    from workings.api.checking import Report
    from workings.api.comparison import Comparison
    from workings.api.number import Number
    from workings.api.recorded import Recorded
    from workings.api.worksheet import Worksheet


def explain(
    source: Openable,
    *,
    show: str | None = None,
    token: str | None = None,
    lang: str | None = None,
    precision: str | int | None = None,
    carry: int | None = None,
) -> Trace:
    """A worked example, every number of it exact, ready to explain itself.

    Args:
        source: a built-in name such as ``kitten``, the path of a TOML or JSON file, ``-`` for standard input, or an
            example as nested data.
        show, token, lang, precision, carry: how it is told, as in ``Trace.explain``.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
        UnknownChoice: for a way of telling that there is not.
    """
    view = View().changed(show=show, token=token, lang=lang, precision=precision, carry=carry)
    return Trace(*open_example(source), view)


def _sentence(error: WorkingsError) -> str:
    """An error in the language of the environment."""
    from workings.render.words import Words

    return Words(preferred()).error(error)


WorkingsError.speak = _sentence


def check(path: str | os.PathLike[str], *, lenient: bool = False, lang: str | None = None) -> Report:
    """Every printed number of a document judged; of an example file its claims, of a filled-in worksheet its answers.

    Args:
        path: Markdown, LaTeX, text, HTML, a notebook, or an example file.
        lenient: give every earlier number half a unit of its last place to either side.
        lang: the language in which the report is told.

    Raises:
        FileError, ExampleError: what cannot be read.
    """
    from workings.api.checking import check as judge

    return judge(path, lenient=lenient, lang=lang)


def worksheet(
    example: Openable,
    *,
    seed: int = 1,
    blanks: int | None = None,
    steps: Sequence[str] = (),
    key: bool = True,
    lang: str | None = None,
    precision: str | int | None = None,
) -> Worksheet:
    """A worked example as an exercise: some results are left blank, and the answers stand on a page of their own.

    Args:
        example: as for ``explain``.
        seed: decides which cells are blank; the same seed gives the same sheet everywhere.
        blanks: how many; about a dozen where it is not said.
        steps: the arrays to which they are kept, ``score`` or ``L0.H1.score``; all where none is named.
        key: whether the sheet has its answers.
        lang, precision: how it is told, as in ``explain``.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
        UnknownChoice: for a step, or a number of blanks, that there is not.
    """
    from workings.api.worksheet import worksheet as make

    return make(example, seed=seed, blanks=blanks, steps=steps, key=key, lang=lang, precision=precision)


def trace(
    model: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    dtype: str = "float32",
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    resume: bool = False,
    lang: str | None = None,
) -> Recorded:
    """A real model run once, its attention recorded: Q, K, V of every layer, and any number of it on request.

    Args:
        model: a folder with config.json and safetensors, or a GGUF file; code that came with it is never run.
        folder: where the recording will stand; nothing stands there yet. A temporary one if left out.
        text: what the model reads.
        inputs: arrays by transformers' names (``input_ids``, ``pixel_values`` …), a batch of one; they win over text.
        dtype: the type the model runs in: ``float32``, ``float64``, ``bfloat16`` or ``float16``.
        layers, heads: which ones, counted from 0; all where they are not named.
        resume: go on with what a run that was stopped has left.
        lang: the language in which it is told.

    Raises:
        FileError: a model that is refused or cannot be loaded, a folder that cannot be written.
        TooManyTokens, InputsMissing, UnknownLayers: what the model has no place for.
        MissingExtra: without the packages of ``workings[models]``.
    """
    from workings.api.recorded import trace as run

    return run(
        model, folder, text=text, inputs=inputs, dtype=dtype, layers=layers, heads=heads, resume=resume, lang=lang
    )


def recorded(folder: str | os.PathLike[str], *, lang: str | None = None) -> Recorded:
    """A recording that ``trace`` has written.

    Raises:
        NoRecording, RecordingVersion, RecordingDamaged: what cannot be opened.
    """
    from workings.api.recorded import Recorded

    return Recorded(folder, View().changed(lang=lang))


def number(source: Openable, address: str, *, lang: str | None = None, precision: str | int | None = None) -> Number:
    """One number by its address, of an example or of a recording.

    Raises what ``explain`` and ``recorded`` raise, and what their ``number`` does.
    """
    from workings.api.recorded import looks_recorded

    if looks_recorded(source):
        return recorded(os.fspath(source), lang=lang).number(address).explain(precision=precision)  # type: ignore[arg-type]
    return explain(source, lang=lang, precision=precision).number(address)


def compare(
    dump: str | os.PathLike[str] | Mapping[str, Any],
    options: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    lang: str | None = None,
    **more: Any,
) -> Comparison:
    """Tensors that a kernel wrote, judged against the declared steps.

    Args:
        dump: the path of a ``.safetensors`` or ``.npz`` file, or arrays by name (``Q``, ``K``, ``V``, ``weight`` …).
        options: a table such as ``{"causal": "bottom-right"}``, or the path of a JSON file.
        lang: the language in which the report is told.
        more: single options, which win over all others.

    Raises:
        FileError: what cannot be read, or holds nothing to compare.
    """
    from workings.api.comparison import compare as judge

    return judge(dump, options, lang=lang, **more)


__all__ = ["Trace", "WorkingsError", "check", "compare", "explain", "recorded", "trace", "worksheet"]

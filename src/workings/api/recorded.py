"""A recorded model as a user holds it: any number of any head by its address, its largest weights, rows and tiles."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workings.api.above import above
from workings.api.head import Head
from workings.api.recorded_number import RecordedArray, RecordedNumber
from workings.api.scores import Scores
from workings.api.shown import Shown
from workings.api.stories import folder_of
from workings.api.view import View
from workings.terms import arguments
from workings.terms.errors import ArgumentForm, BadAddress, FileMissing, UnknownChoice
from workings.terms.files import RECORDING

if TYPE_CHECKING:
    from workings.explaining.tree import Document
    from workings.models.record import Heard, Wish


def looks_recorded(source: object) -> bool:
    """Whether a source is a folder with a recording; nothing heavy is loaded to tell."""
    return isinstance(source, (str, os.PathLike)) and os.path.isfile(os.path.join(source, RECORDING))


class Recorded(Shown):
    """A model that was run once, its attention recorded."""

    def __init__(self, path: str | os.PathLike[str], view: View, model: str | os.PathLike[str] | None = None) -> None:
        from workings.models.recording import Recording
        from workings.models.whole import Whole

        self._recording = Recording(arguments.path("folder", path))
        where = None if model is None else arguments.path("model", model)
        if where is not None and not os.path.exists(where):
            raise FileMissing(path=where)
        self._whole = Whole(self._recording, where)
        self._view = view

    @property
    def path(self) -> str:
        """The folder of the recording."""
        return self._recording.path

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the text, in order; those of the encoder where there are two texts."""
        return next((words for part in ("", "enc", "text") if (words := self._recording.words(part))), ())

    def __getitem__(self, address: str) -> Any:
        """``run["L5.H3"]`` is a ``Head``, ``run["L5.H3.weight"]`` an ``Array``, with an index a ``Number``.

        Raises ``BadAddress``, ``NotRecorded``, ``PlaceMissing``, ``PlaceAlone``, ``NotReached``, what ``Trace`` raises,
        and where the model's files are needed ``ModelMoved`` and ``ModelChanged``.
        """
        address = arguments.address(address)
        if "[" in address:
            return self.number(address)
        last = address.rpartition(".")[2]
        if last[:1] == "H" and last[1:].isdecimal():
            return self.head(address)
        return self.array(address)

    def array(self, address: str) -> RecordedArray:
        """One array: ``L5.H3.weight``. Raises what ``run[address]`` does."""
        address = arguments.address(address)
        if "[" in address:
            raise BadAddress(text=address, position=address.index("["))
        return RecordedArray(self._whole.find(address), self._view, self._recording)

    def head(self, address: str) -> Head:
        """One head: ``L5.H3``. Raises ``BadAddress`` or ``NotRecorded``."""
        address = arguments.address(address)
        last = address.rpartition(".")[2]
        if last[:1] != "H" or not last[1:].isdecimal():
            raise BadAddress(text=address, position=len(address))
        return Head(self._recording, address, self._view)

    def number(self, address: str) -> RecordedNumber:
        """One number. Raises what ``run[address]`` and ``Trace.number`` raise."""
        address = arguments.address(address)
        told = self._whole.find(address)
        if "[" not in address and told.trace.array(told.trace.find(told.address)[0]).shape:
            raise BadAddress(text=address, position=len(address))
        return RecordedNumber(told, told.trace.cell(told.address), self._view, self._recording)

    @property
    def scores(self) -> Scores:
        """What each head does, in a few numbers: a table that can be sorted by any of them."""
        from workings.explaining.scores import heads_of

        return Scores(str(self._recording.told["model"].get("name", "")), heads_of(self._recording.told), self._view)

    def map(self) -> Any:
        """The maps of all heads, with every number's arithmetic, in a notebook.

        Raises ``MissingExtra`` without the packages of ``workings[jupyter]``.
        """
        return above("web.widget").map_of(self.path, self._view)

    def document(self) -> Document:
        """A worked example beside this model."""
        from workings.explaining.recorded import overview

        return overview(self._recording.told, self.path)

    def data(self) -> dict[str, Any]:
        """The index of the recording, without what only its files need."""
        told = self._recording.told
        layers = [
            {name: one[name] for name in one if name not in ("tensors", "bytes", "rows")} for one in told["layers"]
        ]
        return {**told, "path": self.path, "layers": layers}

    def __repr__(self) -> str:
        return f"<Recorded {self.path!r}: {len(self._recording.layers)} layers, {len(self.tokens)} tokens>"


def trace(
    model: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    dtype: str = "float32",
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    target: str | None = None,
    chunk: int | None = None,
    cached: bool = True,
    resume: bool = False,
    lang: str | None = None,
) -> Recorded:
    """A real model run once, its attention recorded: Q, K, V of every layer, and any number of it on request.

    Args:
        model: a folder with config.json and safetensors, or a GGUF file; code that came with it is never run. Or one
            of the small models that come with the package: ``story-en``, ``story-zh``.
        folder: where the recording will stand; nothing stands there yet. A temporary one if left out.
        text: what the model reads.
        inputs: arrays by transformers' names (``input_ids``, ``pixel_values`` …), a batch of one; they win over text.
        dtype: the type the model runs in: ``float32``, ``float64``, ``bfloat16`` or ``float16``.
        layers, heads: which ones, counted from 0; all where they are not named.
        target: what the decoder of a model that reads two texts has said so far.
        chunk: how many tokens are run at once, 0 for all; of a text of more than 2,048 tokens 1,024 if left out, where
            attention is causal. What waits for later chunks waits on the disk.
        cached: whether the weights of a GGUF file are kept, unpacked, for next time: in ``$WORKINGS_CACHE``, or in
            ``workings`` of the user's folder for caches; ``WORKINGS_CACHE=off`` keeps nothing either.
        resume: go on with what a run that was stopped has left.
        lang: the language in which it is told.

    Raises:
        FileError: a model that is refused or cannot be loaded, a folder that cannot be written.
        NotUnicode, TextEmpty: a text that no model reads.
        TooManyTokens, InputsMissing, TargetNotRead, UnknownLayers, NotInChunks: what the model has no place for.
        UnknownChoice, BadCount, ArgumentForm: a type, a number of tokens, or something else that there is not.
        MissingExtra: without the packages of ``workings[models]``.
    """
    from workings.models.record import Wish
    from workings.models.sizes import BYTES

    if str(dtype) not in BYTES:
        raise UnknownChoice(seen=str(dtype), choices=list(BYTES))
    if inputs is not None and not isinstance(inputs, Mapping):
        raise ArgumentForm(name="inputs", seen=repr(inputs), examples=['{"input_ids": [[1, 2, 3]]}'])
    arguments.names("inputs", inputs or {}, "input_ids")
    wish = Wish(
        arguments.text("text", text),
        inputs or {},
        str(dtype),
        arguments.places("layers", layers),
        arguments.places("heads", heads),
        target=arguments.text("target", target),
        chunk=None if chunk is None else arguments.count("chunk", chunk),
        cached=cached,
    )
    return run_model(model, folder, wish, resume=resume, lang=lang)


def run_model(
    model: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None,
    wish: Wish,
    *,
    resume: bool = False,
    lang: str | None = None,
    heard: Heard | None = None,
) -> Recorded:
    """A model run as ``trace`` says, for one who wants to hear of it on the way."""
    from workings.models.record import record

    model = folder_of(arguments.path("model", model))
    folder = None if folder is None else arguments.path("folder", folder)
    view = View().changed(lang=lang)
    passing = None
    if folder is None:
        passing = tempfile.mkdtemp(prefix="workings-")
        folder = os.path.join(passing, "recording")
    try:
        found = Recorded(record(model, folder, wish, resume=resume, heard=heard), view)
    except BaseException:
        if passing is not None:
            shutil.rmtree(passing, ignore_errors=True)
        raise
    if passing is not None:
        weakref.finalize(found, shutil.rmtree, passing, ignore_errors=True)
    return found


def recorded(
    folder: str | os.PathLike[str], *, model: str | os.PathLike[str] | None = None, lang: str | None = None
) -> Recorded:
    """A recording that ``trace`` has written.

    Args:
        model: where the model lies now, if not where it was recorded; numbers before Q, K, V and behind the heads are
            worked from its weights.
        lang: the language in which it is told.

    Raises:
        NoRecording, RecordingVersion, RecordingDamaged: what cannot be opened.
        FileMissing: where no model lies.
    """
    return Recorded(folder, View().changed(lang=lang), model)


def read_inputs(path: str) -> dict[str, Any]:
    """What a model reads, from a .safetensors file: arrays by transformers' names.

    Raises what reading a dump of tensors does.
    """
    from workings.checking.dumps.files import read_dump

    return {name: tensor.held for name, tensor in read_dump(path).tensors.items()}

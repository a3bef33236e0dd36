"""Errors about models, recordings and training; what an error is stands in ``errors.py``."""

from __future__ import annotations

from workings.terms.errors import FileError, UsageError

# --- models --------------------------------------------------------------------------------------------------------


class NoModel(FileError):
    """Neither a folder with config.json nor a GGUF file."""

    fields = ("path",)


class ModelFile(FileError):
    """A file of a model's folder that is refused."""

    fields = ("path", "name", "flaw")


class ModelField(FileError):
    """A field of config.json (or of the tokenizer's table) that is refused."""

    fields = ("path", "field", "seen", "flaw")


class MaskNotUnderstood(FileError):
    """A model's mask that is no band of keys around each query's own; ``row`` is the first that differs."""

    fields = ("row",)


class ModelUnreadable(FileError):
    """A model that passed every look, but that the library cannot load whole; ``reason`` is the library's own."""

    fields = ("path", "reason")


class TooManyTokens(UsageError):
    fields = ("seen", "limit")


class TextEmpty(UsageError):
    """A text of which a model makes no token."""

    fields = ()


class InputsMissing(UsageError):
    """What a model reads besides, or instead of, a text: ``names`` by transformers."""

    fields = ("path", "names")


class InputsNotOne(UsageError):
    """Inputs of a model that are no batch of one, or empty."""

    fields = ("name", "shape")


class InputsNotIds(UsageError):
    """Numbers of tokens that are none of the vocabulary's; ``last`` is the last that is."""

    fields = ("name", "seen", "last")


class TargetNotRead(UsageError):
    """A second text for a model that reads one."""

    fields = ("path",)


class LayersNotSeen(FileError):
    """A run in which fewer layers asked for attention than the model has."""

    fields = ("path", "seen", "expected")


class UnknownLayers(UsageError):
    """A choice of layers or heads that the model does not have."""

    fields = ("option", "seen", "count")


class NoRoom(FileError):
    """A recording larger than the room on the disk; ``way`` is a choice that fits, empty where none does."""

    fields = ("path", "needed", "there", "way")


class ModelTooLarge(FileError):
    """A model whose numbers memory cannot hold; ``way`` likewise."""

    fields = ("path", "needed", "there", "way")


class NotInChunks(UsageError):
    """A model whose attention is not causal, or that keeps more of earlier tokens than their keys and values."""


# --- recordings ----------------------------------------------------------------------------------------------------


class FolderTaken(FileError):
    fields = ("path",)


class RecordingBusy(FileError):
    fields = ("path",)


class ResumeDiffers(FileError):
    fields = ("path",)


class NoRecording(FileError):
    fields = ("path",)


class RecordingVersion(FileError):
    fields = ("path", "seen")


class RecordingDamaged(FileError):
    """A file of a recording that is not as its index says; ``name`` is the file, or the tensor in it."""

    fields = ("path", "name", "flaw")


class NotRecorded(UsageError):
    """A layer or head that the recording leaves out, or that the model does not have."""

    fields = ("address", "known")


class PlaceMissing(UsageError):
    """An array that stands at several layers or heads; ``examples`` name some of them."""

    fields = ("address", "examples")


class TooManyNumbers(UsageError):
    """An array of a recording that is too large to be printed whole."""

    fields = ("address", "seen", "limit")


class PlaceAlone(UsageError):
    """A layer or a head where an array or a number of it is meant; ``known`` is what stands there."""

    fields = ("address", "known")


class NotAlike(UsageError):
    """Two matrices of weights that cannot be laid over each other."""

    fields = ("address", "queries", "keys", "other", "other_queries", "other_keys")


class NoWeightsInDump(FileError):
    """A dump without the weights of a head; ``known`` are the arrays that it has."""

    fields = ("path", "address", "known")


class NotReached(UsageError):
    """A number before Q, K and V, or after the heads, of a recording that does not hold what it is made from."""

    fields = ("address", "family", "lacking")


class NotProvable(UsageError):
    """A number that stands in no row of a head, where proofs are asked for."""

    fields = ("address",)


class ModelMoved(FileError):
    """A recorded model that is no longer where it was recorded."""

    fields = ("path",)


class ModelChanged(FileError):
    """A model that is not the one that was recorded."""

    fields = ("path",)


# --- learning --------------------------------------------------------------------------------------------------------


class NoRun(FileError):
    fields = ("path",)


class NothingToPlot(FileError):
    fields = ("path",)


class TextNeeded(UsageError):
    fields = ()


class TextTooShort(FileError):
    fields = ("path", "seen", "needed")


class WidthNotHeads(UsageError):
    fields = ("width", "heads")

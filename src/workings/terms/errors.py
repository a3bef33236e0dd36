"""Every error a user can meet: a code, the values seen, and an exit code.

The sentence of an error stands once per language in ``render/errors_*.py`` under ``error.<code>``; an error class
states only which values that sentence may use. ``WorkingsError.speak`` is handed in by ``api``, so that
this lowest layer needs no language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar


def _code(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


class WorkingsError(Exception):
    """Base of all errors. ``fields`` names the values; ``where`` says in which file, line and field, if known.

    Raises ``TypeError`` when a value is missing or superfluous, so that a sentence can never lack its argument.
    """

    code: ClassVar[str] = "workings-error"
    exit_code: ClassVar[int] = 3
    fields: ClassVar[tuple[str, ...]] = ()
    speak: ClassVar[Callable[[WorkingsError], str] | None] = None

    def __init_subclass__(cls) -> None:
        cls.code = _code(cls.__name__)

    def __init__(self, **values: Any) -> None:
        if set(values) != set(self.fields):
            raise TypeError(f"{type(self).__name__} takes {self.fields}, got {tuple(values)}")
        super().__init__()
        self.values = values
        self.where: str = ""

    def at(self, where: str) -> WorkingsError:
        """The same error with the place it was found at (kept if one is known already)."""
        self.where = self.where or where
        return self

    def __str__(self) -> str:
        if WorkingsError.speak is not None:
            return WorkingsError.speak(self)
        seen = ", ".join(f"{k}={v!r}" for k, v in self.values.items())
        return f"{self.where + ': ' if self.where else ''}{self.code}: {seen}"


class UsageError(WorkingsError):
    """A command or call that cannot be meant (exit code 2)."""

    exit_code = 2


class ExampleError(UsageError):
    """A field of an example that is wrong (exit code 2)."""


class FileError(WorkingsError):
    """A file that cannot be read, written or understood (exit code 3)."""


# --- addresses ---------------------------------------------------------------------------------------------------


class BadAddress(UsageError):
    fields = ("text", "position")


class UnknownArray(UsageError):
    fields = ("name", "known")


class WrongIndexCount(UsageError):
    fields = ("address", "axes", "seen")


class IndexOutside(UsageError):
    fields = ("address", "axis", "size", "seen")


class UnknownToken(UsageError):
    fields = ("token", "known")


class TokenNotUnique(UsageError):
    fields = ("token", "positions")


class WholeRowNotCell(UsageError):
    fields = ("address",)


# --- examples ----------------------------------------------------------------------------------------------------


class UnknownExample(UsageError):
    fields = ("name", "known")


class UnknownField(ExampleError):
    fields = ("field", "known")


class MisplacedField(ExampleError):
    """A known field in the wrong table; it belongs in ``home``: ``inputs``, ``attention``, ``block`` or ``top``."""

    fields = ("field", "home")


class MissingField(ExampleError):
    fields = ("field", "why")


class WrongType(ExampleError):
    fields = ("seen", "expected")


class UnknownChoice(ExampleError):
    fields = ("seen", "choices")


class BadNumber(ExampleError):
    fields = ("seen",)


class NotFinite(ExampleError):
    fields = ("seen",)


class NotPositive(ExampleError):
    """A number below ``least``: ``above-zero`` or ``zero``."""

    fields = ("seen", "least")


class RaggedMatrix(ExampleError):
    fields = ("row", "seen", "expected")


class ShapeMismatch(ExampleError):
    """Two arrays disagree about the length of an axis."""

    fields = ("name", "shape", "axis", "size", "expected", "because")


class WrongRank(ExampleError):
    fields = ("name", "shape", "axes")


class WordNotInTable(ExampleError):
    fields = ("word", "known")


class WordNotInVocabulary(ExampleError):
    fields = ("word", "known")


class WordTwice(ExampleError):
    fields = ("word",)


class EmptySequence(ExampleError):
    fields = ()


class HeadsNotGrouped(ExampleError):
    fields = ("heads", "n_kv_heads")


class OddRotaryWidth(ExampleError):
    fields = ("d_k",)


class BadRotaryDim(ExampleError):
    """How many dimensions turn is odd, or more than there are."""

    fields = ("rotary_dim", "d_k")


class TooLarge(ExampleError):
    fields = ("what", "seen", "limit", "needed")


class TooDeep(ExampleError):
    fields = ("limit",)


class DivideByZero(ExampleError):
    fields = ("address",)


class OutsideDomain(ExampleError):
    """A root or logarithm of a negative number, or a result with no value."""

    fields = ("address", "operation")


class ExponentTooLarge(ExampleError):
    """A power of e with more digits than anyone reads."""

    fields = ("address", "limit")


class FieldConflict(ExampleError):
    fields = ("field", "other", "why")


class UnusedField(ExampleError):
    """A given array that no step reads."""

    fields = ("field",)


class NotUnicode(ExampleError):
    """A text with half a character (a lone surrogate); ``seen`` shows it escaped."""

    fields = ("seen",)


# --- files -------------------------------------------------------------------------------------------------------


class FileMissing(FileError):
    fields = ("path",)


class FileIsRecording(FileError):
    """A folder with a recorded model where a file is read."""

    fields = ("path",)


class FileUnreadable(FileError):
    fields = ("path", "reason")


class FileUnwritable(FileError):
    fields = ("path", "reason")


class OnlyRecordingsCompared(UsageError):
    """A dump that is to be compared with something that is no recording."""

    fields = ("dump",)


class PortTaken(FileError):
    """A port at which the web server cannot listen."""

    fields = ("port", "reason")


class NotText(FileError):
    """Bytes that are not UTF-8; ``offset`` counts bytes from 0."""

    fields = ("path", "offset")


class NotParsed(FileError):
    """TOML or JSON that does not parse; ``line`` counts from 1."""

    fields = ("path", "line", "reason")


class BrokenNotebook(FileError):
    """A notebook that is no JSON of cells; ``line`` counts from 1."""

    fields = ("path", "line", "reason")


class DuplicateKey(FileError):
    """A key that stands twice in one table; ``line`` counts from 1."""

    fields = ("path", "line", "key")


class FileTooLarge(FileError):
    fields = ("path", "size", "limit")


class MissingExtra(FileError):
    fields = ("feature", "extra")


class WorksheetMark(FileError):
    """A filled-in worksheet whose marks were changed, so that nobody knows which cells its blanks are."""

    fields = ("path", "mark")


# --- dumps of tensors ----------------------------------------------------------------------------------------------


class UnsafeFile(FileError):
    """A file of a kind that can run code, or of another model format; told by its first bytes, and not opened."""

    fields = ("path", "kind")


class NotTensors(FileError):
    fields = ("path",)


class BadTensorFile(FileError):
    """A tensor file that breaks its format; ``offset`` counts bytes from 0."""

    fields = ("path", "offset", "flaw")


class TensorFileTooLarge(FileError):
    fields = ("path", "counted", "seen", "limit")


class MissingTensor(FileError):
    """A dump without what a kernel needs; ``found`` are its arrays with their shapes."""

    fields = ("name", "found")


class NothingToCompare(FileError):
    """A dump of inputs alone; ``found`` are its arrays with their shapes."""

    fields = ("known", "found")


class NothingJudged(FileError):
    """A dump of arrays that no step makes: for want of an input, or of an option."""

    fields = ("names",)


class TensorType(FileError):
    fields = ("name", "seen")


class TensorShape(FileError):
    """Two tensors of a dump disagree about the length of an axis."""

    fields = ("name", "shape", "axis", "size", "other", "expected")


class TableShape(FileError):
    """A table of cosines or sines that is too narrow for a rotation of all dimensions."""

    fields = TensorShape.fields


class TensorRank(FileError):
    fields = ("name", "shape", "axes")


class HeadsApart(FileError):
    """The output of a whole layer with an axis for its heads."""

    fields = ("name", "shape", "axes")


class UnknownOption(FileError):
    fields = ("option", "known")


class BadOption(FileError):
    fields = ("option", "seen", "choices")


class OptionIdle(FileError):
    """An option that changes nothing in a dump; ``why`` is a key of what is said of it."""

    fields = ("option", "why")


class RotaryOption(FileError):
    """A dump whose queries cannot turn in so many dimensions; ``rotary_dim`` is None where all should."""

    fields = ("rotary_dim", "d_k", "other")


class OptionForm(FileError):
    """An option that takes endlessly many values; ``examples`` are some of them."""

    fields = ("option", "seen", "examples")


class OptionsNotRead(FileError):
    fields = ("flaw",)


# --- tensors handed to streamed attention --------------------------------------------------------------------------


class OperandShape(UsageError):
    """A tensor whose axes do not fit the others; ``expected`` names them with their lengths."""

    fields = ("name", "shape", "expected")


class OperandType(UsageError):
    fields = ("name", "seen", "choices")


class OperandDevice(UsageError):
    fields = ("name", "seen", "expected")


class OperandMissing(UsageError):
    """A tensor that the specification speaks of, or that another tensor needs (``needed_by``)."""

    fields = ("name", "needed_by")


class UnknownMassKey(UsageError):
    fields = ("seen", "choices")


class ArgumentForm(UsageError):
    """An argument of another kind than is meant; ``examples`` show how it is written."""

    fields = ("name", "seen", "examples")


class BadCount(UsageError):
    fields = ("name", "seen", "least")

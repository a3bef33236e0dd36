"""Files that are read or written: what the system says against it becomes an error of ours, which names the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from workings.terms.errors import FileError, FileIsRecording, FileMissing, FileUnreadable, FileUnwritable

RECORDING = "recording.json"  # what makes a folder a recording
FAILURES = (OSError, ValueError)  # ValueError: a NUL in the path, or a stream that is closed


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Raises ``FileMissing``, ``FileIsRecording`` or ``FileUnreadable`` where the file cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise FileMissing(path=path) from None
    except IsADirectoryError as error:
        raise _of_folder(path, error) from None
    except FAILURES as error:
        raise FileUnreadable(path=path, reason=_reason(error)) from None


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Raises ``FileUnwritable`` where the system does not let the file be written."""
    try:
        yield
    except FAILURES as error:
        raise FileUnwritable(path=path, reason=_reason(error)) from None


def _of_folder(path: str, error: OSError) -> FileError:
    """What is wrong with a folder where a file is read; a recording is told of as one."""
    recorded = os.path.isfile(os.path.join(path, RECORDING))
    return FileIsRecording(path=path) if recorded else FileUnreadable(path=path, reason=_reason(error))


def _reason(error: Exception) -> str:
    """What the system says, without its number and the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

"""Files that are read or written: what the system says against it becomes an error of ours, which names the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from workings.terms.errors import FileMissing, FileUnreadable, FileUnwritable

FAILURES = (OSError, ValueError)  # ValueError: a NUL in the path, or a stream that is closed


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Raises ``FileMissing`` or ``FileUnreadable`` where the system does not let the file be read."""
    try:
        yield
    except FileNotFoundError:
        raise FileMissing(path=path) from None
    except FAILURES as error:
        raise FileUnreadable(path=path, reason=_reason(error)) from None


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Raises ``FileUnwritable`` where the system does not let the file be written."""
    try:
        yield
    except FAILURES as error:
        raise FileUnwritable(path=path, reason=_reason(error)) from None


def _reason(error: Exception) -> str:
    """What the system says, without its number and the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

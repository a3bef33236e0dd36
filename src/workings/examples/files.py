"""Bytes of a file that somebody names: all of it or a clear error, and never more than a limit."""

from __future__ import annotations

import os

from workings.examples.place import inert
from workings.terms.errors import FileMissing, FileTooLarge, FileUnreadable


def bytes_within(path: str, limit: int) -> bytes:
    """The whole file. Raises ``FileMissing``, ``FileUnreadable`` or, beyond ``limit`` bytes, ``FileTooLarge``."""
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
            size = max(len(data), os.fstat(file.fileno()).st_size)
    except FileNotFoundError:
        raise FileMissing(path=inert(path)) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FileUnreadable(path=inert(path), reason=reason) from None
    if len(data) > limit:
        raise FileTooLarge(path=inert(path), size=size, limit=limit)
    return data

"""Bytes of a file that somebody names: all of it or a clear error, and never more than a limit."""

from __future__ import annotations

import os

from workings.examples.place import inert
from workings.terms.errors import FileTooLarge
from workings.terms.files import reading


def bytes_within(path: str, limit: int) -> bytes:
    """The whole file. Raises ``FileMissing``, ``FileUnreadable`` or, beyond ``limit`` bytes, ``FileTooLarge``."""
    with reading(inert(path)), open(path, "rb") as file:
        told = os.fstat(file.fileno()).st_size  # as much room as is needed; a pipe tells of nothing, a file may grow
        data = file.read(min(told, limit) + 1)
        if len(data) > told:
            data += file.read(limit + 1 - len(data))
        size = max(len(data), told)
    if len(data) > limit:
        raise FileTooLarge(path=inert(path), size=size, limit=limit)
    return data

"""Arrays worked once and kept: in files of one folder for several processes, the oldest given up where it grows."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

MOST_BYTES = 2**30
SUFFIX = ".npy"


class Shelf:
    """A folder of arrays, each under a key.

    Args:
        folder: it exists, and holds nothing else.
        most: bytes of all files together.
    """

    def __init__(self, folder: str, most: int = MOST_BYTES) -> None:
        self.folder, self.most = folder, most

    def take(self, key: str, make: Callable[[], Any]) -> Any:
        """The array of a key, mapped from its file; it is made where there is none."""
        path = os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest() + SUFFIX)
        with suppress(OSError, ValueError):
            found = np.load(path, mmap_mode="r", allow_pickle=False)
            os.utime(path)
            return found
        made = np.asarray(make())
        self._put(path, made)
        return made

    def _put(self, path: str, made: Any) -> None:
        """Whole or not at all; without room for it, it is only not kept."""
        if made.nbytes > self.most:
            return
        with suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    np.save(file, made, allow_pickle=False)
                os.replace(name, path)
            except OSError:
                os.unlink(name)
                return
            self._give_up()

    def _give_up(self) -> None:
        """The files that were not used for longest, until the others are within the limit."""
        files = []
        for entry in os.scandir(self.folder):
            with suppress(OSError):
                status = entry.stat()
                files.append((status.st_mtime_ns, status.st_size, entry.path))
        size = sum(one for _, one, _ in files)
        for _, one, path in sorted(files):
            if size <= self.most:
                return
            with suppress(OSError):
                os.unlink(path)
            size -= one

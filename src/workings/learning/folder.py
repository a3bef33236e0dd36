"""The folder of a run: it grows beside its place and is moved there whole, so that nobody meets half a run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from workings.learning.state import HALF, STATE, write_whole
from workings.models.store import partial_of
from workings.terms.errors import FileUnwritable
from workings.terms.model_errors import FolderTaken, RecordingBusy

LOCK = "lock"


class Place:
    """A run being written.

    Args:
        folder: where it will stand; nothing stands there yet.
        resume: go on with what an earlier run left.

    Raises ``FolderTaken``, ``RecordingBusy`` or ``FileUnwritable``.
    """

    def __init__(self, folder: str | os.PathLike[str], *, resume: bool) -> None:
        self.folder = os.path.abspath(folder)
        self.partial = partial_of(self.folder)
        if os.path.lexists(self.folder):
            raise FolderTaken(path=os.fspath(folder))
        with self._writable():
            os.makedirs(self.partial, exist_ok=True)
            self._lock = open(os.path.join(self.partial, LOCK), "wb")  # noqa: SIM115  # held while we write
            self._hold()
            for name in os.listdir(self.partial):
                if name != LOCK and (not resume or name.endswith(HALF)):
                    self._remove(name)

    def _hold(self) -> None:
        """One writer at a time."""
        try:
            import fcntl

            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            return
        except BlockingIOError:
            self._lock.close()
            raise RecordingBusy(path=self.folder) from None

    def _remove(self, name: str) -> None:
        path = os.path.join(self.partial, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)

    def write(self, name: str, content: bytes) -> None:
        """A file of the run, whole or not at all. Raises ``FileUnwritable``."""
        write_whole(os.path.join(self.partial, name), content)

    def finish(self) -> None:
        """The move to the final place. Raises ``FileUnwritable`` or ``FolderTaken``."""
        with self._writable():
            for name in (STATE, LOCK):
                if os.path.exists(os.path.join(self.partial, name)):
                    os.remove(os.path.join(self.partial, name))
            if os.path.lexists(self.folder):
                raise FolderTaken(path=self.folder)
            os.rename(self.partial, self.folder)

    def leave(self) -> None:
        """Let others write; what is there stays for ``--resume``."""
        self._lock.close()

    @contextmanager
    def _writable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FileUnwritable(path=self.folder, reason=error.strerror or str(error)) from None

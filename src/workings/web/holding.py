"""What a running server has open: the recordings, by names that say nothing, and a folder for what it works once."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, replace

from workings.web.sources import Sources, new_id

RUNS_KEPT = 4


@dataclass(frozen=True)
class Opening:
    """What ``workings serve SOURCE`` opened: nothing, an example, a recording or a model.

    Attributes:
        kind: ``example``, ``recording``, ``model`` or nothing.
        name: as the page shows it.
        data: of an example of the user's, what stands in it.
        path: of a recording or a model, where it lies; the page is never told.
        dump: what a kernel wrote, to compare a recording with; nor is it told where that lies.
    """

    kind: str = ""
    name: str = ""
    data: str = ""
    path: str = ""
    dump: str = ""


NOTHING = Opening()


class Holding:
    """The server's own state; everything else is in the requests.

    Its folder is gone with the server, and so are the recordings of runs in it, of which the last few are kept.

    Args:
        begun: false for a server, which has its folder made once it is sure to be told of its end.
    """

    def __init__(self, opening: Opening, *, begun: bool = True) -> None:
        self.sources = Sources({}, opening.dump)
        self.first = self._add(opening.path) if opening.kind == "recording" else ""
        self.model = opening.path if opening.kind == "model" else ""
        self._needs_folder = opening.kind in ("recording", "model")
        self._folder, self._runs = "", dict[str, str]()
        if begun:
            self.begin()

    def begin(self) -> None:
        """Makes its folder, where one is needed."""
        if self._needs_folder and not self._folder:
            self._folder = tempfile.mkdtemp(prefix="workings-")
            shelf = os.path.join(self._folder, "shelf")
            os.mkdir(shelf)
            self.sources = replace(self.sources, shelf=shelf)

    def new_folder(self) -> str:
        """Where the recording of a run will stand."""
        return os.path.join(self._folder, new_id())

    def add_run(self, folder: str) -> str:
        """The recording of a run; the name by which requests speak of it."""
        while len(self._runs) >= RUNS_KEPT:
            oldest = next(iter(self._runs))
            shutil.rmtree(self._runs.pop(oldest), ignore_errors=True)
            self.sources = self.sources.without(oldest)
        name = self._add(folder)
        self._runs[name] = folder
        return name

    def close(self) -> None:
        """Nothing is left behind."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _add(self, folder: str) -> str:
        name = new_id()
        self.sources = self.sources.adding(name, folder)
        return name

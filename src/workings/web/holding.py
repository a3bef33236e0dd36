"""What a running server has open: the recordings, by names that say nothing, and a folder for what it works once."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

from workings.web.sources import Sources, new_id


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

    Its folder is gone with the server.
    """

    def __init__(self, opening: Opening) -> None:
        self.sources = Sources()
        self.first = ""
        if opening.kind in ("recording", "model"):
            self._folder = tempfile.TemporaryDirectory(prefix="workings-", ignore_cleanup_errors=True)
            shelf = os.path.join(self._folder.name, "shelf")
            os.mkdir(shelf)
            self.sources = Sources({}, opening.dump, shelf)
        if opening.kind == "recording":
            self.first = self.add(opening.path)

    def add(self, folder: str) -> str:
        """One recording more; the name by which requests speak of it."""
        name = new_id()
        self.sources = self.sources.adding(name, folder)
        return name

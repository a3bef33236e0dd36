"""What the server opened: recordings by the names that it gave them, and what they are compared with."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workings.web.asked import Asked, Refused


def new_id() -> str:
    """A name for a recording that says nothing of where it lies."""
    return secrets.token_urlsafe(9)


@dataclass(frozen=True)
class Sources:
    """What a request can speak of.

    Attributes:
        recordings: the folder of each, by the name that the server gave it.
        dump: the file that a kernel wrote; empty where there is none.
        shelf: a folder for what is worked once; empty where none is kept.
    """

    recordings: Mapping[str, str] = field(default_factory=dict)
    dump: str = ""
    shelf: str = ""

    def folder(self, asked: Asked) -> str:
        """Where the recording lies that a request names. Raises ``Refused``."""
        found = self.recordings.get(asked.text("recording"))
        if found is None:
            raise Refused(404, "no-recording")
        return found

    def adding(self, name: str, folder: str) -> Sources:
        """One recording more."""
        return replace(self, recordings={**self.recordings, name: folder})

    def without(self, name: str) -> Sources:
        """One recording less."""
        return replace(self, recordings={known: folder for known, folder in self.recordings.items() if known != name})


NOTHING = Sources()

"""``python -m workings.web.running``: a model run for the page; it reads what is wanted as JSON, and tells progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TextIO

from workings.render.inert import inert
from workings.render.words import Words
from workings.terms.errors import WorkingsError
from workings.web.asked import Refused, told

MEGA = 1_000_000
SHORTEST = 0.1  # seconds between two lines of the same stage


@dataclass(frozen=True)
class Wanted:
    """What is to be run: a model, a text, and the folder of the recording; progress is told in ``lang``."""

    model: str
    text: str
    folder: str
    lang: str


class Progress:
    """Tells how far a run is, as ``Heard.stage`` and ``Heard.unpacking`` hear it."""

    def __init__(self, words: Words, tell: Callable[[dict[str, Any]], None]) -> None:
        self._words, self._tell = words, tell
        self._begun, self._stage, self._last = monotonic(), "", -SHORTEST
        self._note = ""

    def stage(self, name: str, done: int, of: int) -> None:
        """A stage of a run: ``done`` of ``of`` of it."""
        now = monotonic()
        if name != self._stage:
            self._begun, self._stage = now, name
        elif now - self._last < SHORTEST and done < of:
            return
        self._last = now
        label = self._words.sentence(f"map.run.{name}", {"done": str(done), "of": str(of)})
        said: dict[str, Any] = {"stage": name, "label": label, "done": done, "of": of}
        if self._note and name == "load":
            said["note"] = self._note
        if name == "run" and 0 < done < of:
            seconds = round((now - self._begun) / done * (of - done))
            said["left"] = f"{seconds // 60}:{seconds % 60:02}"
        self._tell(said)

    def unpacking(self, place: str, count: int) -> None:
        """Where the weights of a GGUF file will be kept; the name of the user's own folder is not for pages."""
        own = os.path.expanduser("~")
        shown = f"~{place.removeprefix(own)}" if place.startswith(own + os.sep) else place
        size = f"{count / MEGA:,.1f} MB"
        self._note = self._words.sentence("map.run.unpacking", {"path": inert(shown), "bytes": size})
        self._last = -SHORTEST
        self.stage("load", 0, 1)


def main(given: TextIO, out: TextIO) -> None:
    """Runs what is asked for; the last line says ``recorded`` or ``error``."""

    def tell(said: dict[str, Any]) -> None:
        out.write(json.dumps(said, ensure_ascii=True) + "\n")
        out.flush()

    wanted = Wanted(**json.loads(given.read()))
    try:
        from workings.api.recorded import run_model
        from workings.models.record import Heard, Wish

        progress = Progress(Words(wanted.lang), tell)
        heard = Heard(progress.stage, unpacking=progress.unpacking)
        run_model(wanted.model, wanted.folder, Wish(wanted.text), lang=wanted.lang, heard=heard)
    except WorkingsError as error:
        tell(told(error, wanted.lang)[1])
    except MemoryError:
        tell(Refused(503, "stopped").body(wanted.lang))
    else:
        tell({"recorded": True})


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)

"""Every request that takes work, by its name: run in a process of its own, which can be stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from workings.terms.errors import WorkingsError
from workings.web import cells, document, example, learned, maps, traced
from workings.web.asked import Asked, Refused, language, parse, told
from workings.web.sources import NOTHING, Sources

LARGEST_DATA = 2 * 2**30  # bytes of a process that works
JSON = "application/json"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Reply(NamedTuple):
    """What goes back: status, media type, body, and the name of the file where it is one."""

    status: int
    media: str
    body: bytes
    filename: str = ""


class Work(NamedTuple):
    """One kind of request.

    Attributes:
        run: what answers it.
        lane: with which other kinds it shares processes: ``heavy``, ``light``, or ``maps`` of recordings.
        patience: seconds that it goes on once its client has left; a map's work is short, and what its process holds
            is needed for the next.
    """

    run: Callable[[Asked], Any]
    lane: str = "heavy"
    patience: float = 0.0


def _of_maps(run: Callable[[Asked], Any]) -> Work:
    return Work(run, "maps", 3.0)


def _of_cells(run: Callable[[Asked], Any]) -> Work:
    return Work(run, "light", 3.0)


WORKS: Mapping[str, Work] = {
    "example": Work(example.example),
    "edit": Work(example.edit),
    "cell": Work(example.cell, "light"),
    "proof": Work(example.proof),
    "worksheet": Work(example.blanks),
    "answer": Work(example.answer, "light"),
    "export": Work(example.export),
    "check": Work(document.check),
    "working": Work(document.working),
    "recording": _of_cells(traced.page),
    "table": _of_cells(maps.table),
    "thumbs": _of_maps(maps.thumbs),
    "tile": _of_maps(maps.tile),
    "digits": _of_cells(maps.digits),
    "row": _of_cells(cells.row),
    "weight": _of_cells(cells.weight),
    "peak": _of_cells(maps.peak),
    "pipeline": Work(cells.pipeline, patience=3.0),
    "figure": _of_maps(maps.figure),
    "worst": _of_maps(maps.worst),
    "over-time": Work(learned.over_time, patience=3.0),
}


def answer(name: str, body: bytes, sources: Sources = NOTHING) -> Reply:
    """One request answered in a process of its own, whose memory has an end."""
    _limit()
    return answered(name, body, sources)


def answered(name: str, body: bytes, sources: Sources) -> Reply:
    """One request answered; never raises, so that nothing but plain data leaves the process."""
    lang = "en"
    try:
        asked = parse(body)
        lang = language(asked)
        found = WORKS[name].run(Asked(asked, sources))
        if isinstance(found, tuple):
            filename, media, content = found
            return Reply(200, media, content, filename)
        return reply(200, found)
    except Refused as refused:
        return reply(refused.status, refused.body(lang))
    except WorkingsError as error:
        return reply(*told(error, lang))
    except (MemoryError, RecursionError):
        return reply(503, Refused(503, "stopped").body(lang))


def reply(status: int, data: Any) -> Reply:
    """Plain data as JSON."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return Reply(status, JSON, text.encode("utf-8", "backslashreplace"))  # half a character, as JSON escapes it


def _limit() -> None:
    """One thread, and memory beyond which a request fails by itself, where the system knows such limits.

    Threads that wait for each other are many times slower than one where other processes work as well.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")  # read when the library is loaded, which is later
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft == resource.RLIM_INFINITY or soft > LARGEST_DATA:
        resource.setrlimit(resource.RLIMIT_DATA, (LARGEST_DATA, hard))

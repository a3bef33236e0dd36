"""Every request that takes work, by its name: run in a process of its own, which can be stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from workings.terms.errors import WorkingsError
from workings.web import document, example
from workings.web.asked import Asked, Refused, language, parse, told

LARGEST_DATA = 2 * 2**30  # bytes of a process that works
JSON = "application/json"


class Reply(NamedTuple):
    """What goes back: status, media type, body, and the name of the file where it is one."""

    status: int
    media: str
    body: bytes
    filename: str = ""


class Work(NamedTuple):
    """One kind of request: what answers it, and whether it takes so little that it has a lane of its own."""

    run: Callable[[Asked], Any]
    light: bool = False


WORKS: Mapping[str, Work] = {
    "example": Work(example.example),
    "edit": Work(example.edit),
    "cell": Work(example.cell, light=True),
    "proof": Work(example.proof),
    "worksheet": Work(example.blanks),
    "answer": Work(example.answer, light=True),
    "export": Work(example.export),
    "check": Work(document.check),
    "working": Work(document.working),
}


def answer(name: str, body: bytes) -> Reply:
    """One request answered; never raises, so that nothing but plain data leaves the process."""
    _limit()
    lang = "en"
    try:
        asked = parse(body)
        lang = language(asked)
        found = WORKS[name].run(Asked(asked))
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
    """Memory beyond which a request fails by itself; where the system knows such limits."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft == resource.RLIM_INFINITY or soft > LARGEST_DATA:
        resource.setrlimit(resource.RLIMIT_DATA, (LARGEST_DATA, hard))

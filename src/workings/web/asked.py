"""What a page asks for, read strictly; what cannot be meant is refused with a sentence in the reader's language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workings.render.words import LANGUAGES, Words
from workings.terms.errors import FileError, WorkingsError

if TYPE_CHECKING:
    from workings.web.sources import Sources

DEEPEST = 64
MOST_KEYS = 10_000


class Refused(Exception):
    """A request that is not answered.

    Args:
        status: of HTTP.
        key: of the sentence, under ``web.error``.
        values: what the sentence has fields for.
    """

    def __init__(self, status: int, key: str, **values: str) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values

    def body(self, lang: str) -> dict[str, Any]:
        """What the page is told."""
        message = Words(lang).sentence(f"web.error.{self.key}", self.values)
        return {"error": {"code": self.key, "message": message}}


def told(error: WorkingsError, lang: str) -> tuple[int, dict[str, Any]]:
    """An error of ours as status and body."""
    status = 400 if isinstance(error, FileError) else 422
    return status, {"error": {"code": error.code, "message": Words(lang).error(error), "where": error.where}}


def language(body: Any) -> str:
    """The language that a request asks for, however broken it is otherwise."""
    view = body.get("view", body) if isinstance(body, Mapping) else {}
    lang = view.get("lang") if isinstance(view, Mapping) else None
    return lang if lang in LANGUAGES else LANGUAGES[0]


def parse(data: bytes) -> Any:
    """The JSON of a body. Raises ``Refused`` for what is none, is too deep, has NaN or too many keys."""
    try:
        text = data.decode("utf-8")
        if _depth(text) > DEEPEST:
            raise Refused(400, "request", what="depth")
        if text.count('":') > MOST_KEYS:
            raise Refused(413, "too-large", limit=f"{MOST_KEYS} keys")
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Refused(400, "request", what="JSON") from None


def _depth(text: str) -> int:
    """How deep brackets go; those within strings may count too, which only makes it stricter."""
    deepest = depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


class Asked:
    """The fields of a request's body, by kind; raises ``Refused`` where one is missing or of another kind.

    Args:
        sources: what the server opened.
    """

    def __init__(self, body: Any, sources: Sources | None = None) -> None:
        if not isinstance(body, Mapping):
            raise Refused(400, "request", what="{…}")
        self._body, self._sources = body, sources

    @property
    def sources(self) -> Sources:
        """What the server opened. Raises ``Refused`` where that was nothing."""
        if self._sources is None:
            raise Refused(404, "no-recording")
        return self._sources

    def text(self, name: str, otherwise: str | None = None) -> str:
        """A string."""
        value = self._body.get(name, otherwise)
        if not isinstance(value, str):
            raise Refused(400, "request", what=name)
        return value

    def flag(self, name: str) -> bool:
        """True or false; false where it is left out."""
        value = self._body.get(name, False)
        if not isinstance(value, bool):
            raise Refused(400, "request", what=name)
        return value

    def whole(self, name: str, otherwise: int | None) -> int | None:
        """A whole number, not below 0; ``otherwise`` where it is left out or null."""
        value = self._body.get(name)
        if value is None:
            return otherwise
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise Refused(400, "request", what=name)
        return value

    def place(self, name: str, end: int, otherwise: int | None = None) -> int:
        """A whole number from 0 on that is less than ``end``."""
        found = self.whole(name, otherwise)
        if found is None or found >= end:
            raise Refused(400, "outside", what=name, most=str(end - 1))
        return found

    def stretch(self, name: str, end: int) -> range:
        """From a place up to another, which is not counted any more: ``[3, 7]``; not empty, and within ``end``."""
        items = self._list(name)
        if len(items) != 2 or not all(isinstance(item, int) and not isinstance(item, bool) for item in items):
            raise Refused(400, "request", what=name)
        if not 0 <= items[0] < items[1] <= end:
            raise Refused(400, "outside", what=name, most=str(end))
        return range(items[0], items[1])

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of a few words."""
        found = self.text(name)
        if found not in choices:
            raise Refused(400, "request", what=f"{name}: {', '.join(choices)}")
        return found

    def part(self, name: str) -> Asked:
        """An object within it."""
        if name not in self._body:
            raise Refused(400, "request", what=name)
        return Asked(self._body[name])

    def parts(self, name: str) -> list[Asked]:
        """A list of objects."""
        return [Asked(item) for item in self._list(name)]

    def texts(self, name: str) -> list[str]:
        """A list of strings; empty where it is left out."""
        items = self._list(name)
        if not all(isinstance(item, str) for item in items):
            raise Refused(400, "request", what=name)
        return items

    def is_null(self, name: str) -> bool:
        """Whether a field says that there is nothing."""
        return self._body.get(name) is None

    def has(self, name: str) -> bool:
        """Whether a field is there."""
        return name in self._body

    def _list(self, name: str) -> list[Any]:
        items = self._body.get(name, [])
        if not isinstance(items, list) or len(items) > MOST_KEYS:
            raise Refused(400, "request", what=name)
        return items

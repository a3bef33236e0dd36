"""The command line's own sentences, in the user's language."""

from __future__ import annotations

from collections.abc import Callable

from workings.api.language import preferred
from workings.render.inert import inert
from workings.render.words import Words

Speak = Callable[..., str]
LONGEST_SEEN = 80
MOST_LISTED = 20


def speaker(lang: str) -> Speak:
    """Says a sentence by its key, with the values seen made inert and never endless."""
    words = Words(lang)

    def speak(key: str, /, **values: object) -> str:
        return words.sentence(key, {name: drawn(value) for name, value in values.items()})

    def drawn(value: object) -> str:
        if not isinstance(value, (list, tuple)):
            return _short(str(value))
        more = ["…"] if len(value) > MOST_LISTED else []
        return words.list([*(_short(str(part)) for part in value[:MOST_LISTED]), *more])

    return speak


def speaker_of_environment() -> Speak:
    """In the language of the environment."""
    return speaker(preferred())


def _short(text: str) -> str:
    return inert(text if len(text) <= LONGEST_SEEN else text[: LONGEST_SEEN - 1] + "…")

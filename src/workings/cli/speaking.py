"""The command line's own sentences, in the user's language."""

from __future__ import annotations

from collections.abc import Callable

from workings.api.language import preferred
from workings.render.inert import seen
from workings.render.words import Words

Speak = Callable[..., str]
MOST_LISTED = 20


def speaker(lang: str) -> Speak:
    """Says a sentence by its key, with the values seen made inert and never endless."""
    words = Words(lang)

    def speak(key: str, /, **values: object) -> str:
        return words.sentence(key, {name: drawn(value, name) for name, value in values.items()})

    def drawn(value: object, name: str) -> str:
        if not isinstance(value, (list, tuple)):
            return seen(str(value), name)
        more = ["…"] if len(value) > MOST_LISTED else []
        return words.list([*(seen(str(part)) for part in value[:MOST_LISTED]), *more])

    return speak


def speaker_of_environment() -> Speak:
    """In the language of the environment."""
    return speaker(preferred())

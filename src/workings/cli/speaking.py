"""The command line's own sentences, in the user's language."""

from __future__ import annotations

from collections.abc import Callable

from workings.api.language import preferred
from workings.render.inert import inert
from workings.render.words import Words

Speak = Callable[..., str]
LONGEST_SEEN = 80


def speaker(lang: str) -> Speak:
    """Says a sentence by its key, with the values seen made inert and never endless."""
    words = Words(lang)

    def speak(key: str, /, **values: object) -> str:
        return words.sentence(key, {name: _short(str(value)) for name, value in values.items()})

    return speak


def speaker_of_environment() -> Speak:
    """In the language of the environment."""
    return speaker(preferred())


def _short(text: str) -> str:
    return inert(text if len(text) <= LONGEST_SEEN else text[: LONGEST_SEEN - 1] + "…")

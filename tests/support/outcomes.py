"""What a reader may end with, whatever it is handed: something sound, or an error that every language tells."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeVar

from workings.render.words import LANGUAGES, Words
from workings.terms.errors import WorkingsError

Found = TypeVar("Found")


def read_or_told(read: Callable[[], Found]) -> Found | None:
    """What was read; None where it was refused, after a look at what the refusal says."""
    try:
        return read()
    except WorkingsError as error:
        told_in_every_language(error)
        return None


def told_in_every_language(error: WorkingsError) -> None:
    """One line in each language, of its own, with no key in it that stands for a sentence and nothing that hides."""
    said = {lang: Words(lang).error(error) for lang in LANGUAGES}
    assert len(set(said.values())) == len(said), said
    for lang, sentence in said.items():
        assert sentence.strip(), (lang, error.code)
        assert not {c for c in sentence if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")}, sentence
        flaw = error.values.get("flaw")
        assert flaw is None or f"error.flaw.{flaw}" in Words(lang), (lang, flaw)
    assert error.exit_code in (2, 3, 4)
    assert str(error)

"""What a page asks first, and what takes no work: its sentences, the built-in examples, and what was opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workings.examples import library
from workings.render.words import Words
from workings.web.holding import Holding, Opening


def words_of(lang: str) -> dict[str, str]:
    """The sentences of the page in one language."""
    return dict(Words(lang).beginning("web."))


def examples_of(lang: str) -> list[dict[str, str]]:
    """The built-in examples, the simplest first."""
    said = Words(lang)
    return [{"name": name, "title": said.named(library.load(name).title)} for name in library.names()]


def opened_of(opening: Opening, holding: Holding) -> dict[str, Any]:
    """What was opened, and the name by which requests speak of it."""
    found: dict[str, Any] = {"kind": opening.kind or None, "name": opening.name, "data": opening.data}
    if opening.kind == "recording":
        found["recording"] = holding.first
    if opening.dump:
        found["dump"] = Path(opening.dump).name
    return found

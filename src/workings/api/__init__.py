"""What a user holds: traces, numbers and reports that explain and draw themselves; the only joiner of layers."""

from __future__ import annotations

from workings.api.language import preferred
from workings.terms.errors import WorkingsError


def _sentence(error: WorkingsError) -> str:
    """An error in the language of the environment."""
    from workings.render.words import Words

    return Words(preferred()).error(error)


WorkingsError.speak = _sentence

__all__ = ["WorkingsError"]

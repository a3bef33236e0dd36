"""Writes a result as the shared options ask, and says what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workings.cli.misuse import Misuse
from workings.cli.options import Settings
from workings.cli.output import draw_colored, emit, note, wants_color
from workings.cli.speaking import Speak

if TYPE_CHECKING:
    from workings.api.shown import Shown

FINE, WRONG, UNSURE = 0, 1, 4


def write_result(result: Shown, settings: Settings, speak: Speak) -> None:
    """Draw a result for its target and put it where it is wanted; ``Misuse`` where the result has no such format."""
    if settings.to not in result.formats:
        raise Misuse("not-one-of", option="--to", seen=settings.to, choices=result.formats)
    color = settings.color if settings.output is None or settings.color == "always" else "never"
    if settings.to == "text" and wants_color(color):
        from workings.render.words import Words

        drawn: str | bytes = draw_colored(result.document(), Words(settings.lang))
    else:
        drawn = result.draw(settings.to, **settings.style)
    put(drawn, settings, speak)


def put(drawn: str | bytes, settings: Settings, speak: Speak) -> None:
    """Puts what is drawn where it is wanted."""
    emit(drawn, settings.output)
    if settings.output is not None and not settings.quiet:
        note(speak("cli.note.wrote", path=settings.output))


def settle(unsure: list[str], settings: Settings, speak: Speak) -> int:
    """The exit code under ``--strict``, and which numbers are to blame."""
    if not unsure:
        return FINE
    if not settings.quiet:
        note(speak("cli.note.unsure", addresses=unsure))
    return UNSURE

"""The tables of targets: those that draw a display tree, and those that go on with its arrays; one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from workings.render.words import Words

if TYPE_CHECKING:  # naming the targets in a help text loads nothing that draws
    from workings.explaining.tree import Document, Spread
    from workings.explaining.worked import Arrays


@dataclass(frozen=True, slots=True)
class Target:
    """A way to draw a document.

    Attributes:
        module: the file in this folder whose ``draw(document, words, **style)`` gives the text; loaded when needed.
        media_type: what the text is, as the web says it.
        extension: how the name of its file ends.
        standalone: whether it draws a part for another document unless ``standalone=True`` asks for a whole one.
        notebook: the style for a place in a notebook; None where a notebook has no use for it.
        binary: whether it gives bytes, which no terminal shows.
    """

    module: str
    media_type: str
    extension: str
    standalone: bool = False
    notebook: Mapping[str, Any] | None = None
    binary: bool = False

    def draw(self, document: Document | Spread | Arrays, words: Words, **style: Any) -> str | bytes:
        """The document as this target's text, or as bytes where it is binary."""
        drawn: str | bytes = import_module(f"workings.render.{self.module}").draw(document, words, **style)
        return drawn


TARGETS = {
    "text": Target("text", "text/plain", ".txt", notebook={}),
    "md": Target("markdown", "text/markdown", ".md", notebook={}),
    "tex": Target("latex", "text/latex", ".tex", standalone=True, notebook={}),
    "html": Target("html", "text/html", ".html", notebook={"alone": False}),
}


PAGES = {  # targets that draw a text beside what is said of it
    "html": Target("html_beside", "text/html", ".html"),
}


ARRAYS = {  # targets that draw the arrays of a trace, with what stands behind their numbers
    "svg": Target("svg", "image/svg+xml", ".svg"),
    "csv": Target("csv", "text/csv", ".csv"),
    "xlsx": Target("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx", binary=True),
}


def draw_arrays(arrays: Arrays, target: str, lang: str, **style: Any) -> str | bytes:
    """The arrays of a trace, drawn for one of ``ARRAYS`` in one language."""
    return ARRAYS[target].draw(arrays, Words(lang), **style)


def draw_page(spread: Spread, target: str, lang: str, **style: Any) -> str | bytes:
    """Texts beside what is said of them, drawn for one of ``PAGES`` in one language."""
    return PAGES[target].draw(spread, Words(lang), **style)


def draw(document: Document, target: str, lang: str, **style: Any) -> str | bytes:
    """A document drawn for one target in one language.

    Args:
        target: a name in ``TARGETS``; raises ``KeyError`` for any other.
        lang: a language of ``workings.render.words.LANGUAGES``.
        style: what this target lets its caller choose.
    """
    return TARGETS[target].draw(document, Words(lang), **style)

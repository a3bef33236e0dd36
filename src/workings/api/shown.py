"""What every result has: text, Markdown, LaTeX, HTML and JSON, and a place in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from workings.terms.errors import UnknownChoice

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.tree import Document


class Shown(ABC):
    """A result that draws itself."""

    _view: View
    _figures: ClassVar[tuple[str, ...]] = ()  # the formats that not every result has

    @property
    def formats(self) -> tuple[str, ...]:
        """What ``draw`` takes."""
        from workings.render.targets import TARGETS

        return (*TARGETS, *self._figures, "json")

    @abstractmethod
    def document(self) -> Document:
        """What is to be seen, as a display tree."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The numbers as plain data, by the JSON contract."""

    def draw(self, target: str, **style: Any) -> str | bytes:
        """The result in a target: ``json``, or one of ``render.targets.TARGETS``. Raises ``UnknownChoice`` for others.

        ``style`` is what the target lets its caller choose, such as ``standalone=True`` for ``tex``; bytes come from
        targets that are no text.
        """
        if str(target) not in self.formats:
            raise UnknownChoice(seen=str(target), choices=list(self.formats))
        if target == "json":
            from workings.render import json

            return json.draw(self.data())
        from workings.render import targets

        return targets.draw(self.document(), target, self._view.language, **style)

    def _text(self, target: str, **style: Any) -> str:
        drawn = self.draw(target, **style)
        if isinstance(drawn, bytes):
            raise TypeError(f"{target} is no text")
        return drawn

    def to_text(self) -> str:
        """Plain text, never cut and never wrapped."""
        return self._text("text")

    def to_markdown(self) -> str:
        """Markdown."""
        return self._text("md")

    def to_json(self) -> str:
        """JSON by the contract of its schema."""
        return self._text("json")

    def to_html(self) -> str:
        """A page of its own: one file without scripts that asks nothing of the network."""
        return self._text("html")

    def to_latex(self, *, standalone: bool = False) -> str:
        """LaTeX: a part to be put into a document of one's own, or a whole document."""
        return self._text("tex", standalone=standalone)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows."""
        from workings.render.targets import TARGETS
        from workings.render.words import Words

        document, words = self.document(), Words(self._view.language)
        drawn = {
            target.media_type: target.draw(document, words, **target.notebook)
            for target in TARGETS.values()
            if target.notebook is not None
        }
        return {kind: text for kind, text in drawn.items() if isinstance(text, str)}

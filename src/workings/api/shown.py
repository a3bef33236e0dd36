"""What every result has: text, Markdown and JSON, and a place in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.api.view import View
    from workings.explaining.tree import Document


class Shown(ABC):
    """A result that draws itself."""

    _view: View

    @abstractmethod
    def document(self) -> Document:
        """What is to be seen, as a display tree."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The numbers as plain data, by the JSON contract."""

    def draw(self, target: str) -> str:
        """The result in a target: ``json``, or one of ``render.targets.TARGETS``."""
        if target == "json":
            from workings.render import json

            return json.draw(self.data())
        from workings.render import targets

        return targets.draw(self.document(), target, self._view.language)

    def to_text(self) -> str:
        """Plain text, never cut and never wrapped."""
        return self.draw("text")

    def to_markdown(self) -> str:
        """Markdown."""
        return self.draw("md")

    def to_json(self) -> str:
        """JSON by the contract of its schema."""
        return self.draw("json")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows."""
        from workings.render.targets import TARGETS
        from workings.render.words import Words

        document, words = self.document(), Words(self._view.language)
        return {target.media_type: target.draw(document, words) for target in TARGETS.values()}

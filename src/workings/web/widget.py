"""The pages as a widget of a notebook: what they ask over its channel is answered as a server's requests are."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from workings.api.view import View
from workings.render.words import LANGUAGES
from workings.terms.errors import MissingExtra
from workings.web.answers import WORKS, Reply, answered, reply
from workings.web.asked import Asked, Refused, language, parse
from workings.web.front import examples_of, opened_of, words_of
from workings.web.holding import Holding, Opening

MODULE = Path(__file__).parent / "static" / "widget.js"
PAGES = {"recording": "model", "example": "example"}


class Desk:
    """Answers what the pages of one widget ask.

    A widget's Python is the notebook's own, so that work is done in this very process, one request after another.

    Args:
        opening: what the widget shows.
    """

    def __init__(self, opening: Opening) -> None:
        self._opening, self._holding = opening, Holding(opening)
        weakref.finalize(self, self._holding.close)

    def answer(self, message: Any) -> tuple[dict[str, Any], list[bytes]]:
        """The reply to a message, and the bytes that go with it; raises nothing but for a message that is none.

        Args:
            message: ``{"id": 7, "name": "cell", "body": "{…}"}``; the body is a request's JSON as a text.
        """
        asked = Asked(message)
        found = self._reply(asked.text("name"), asked.text("body").encode("utf-8", "replace"))
        told = {"status": found.status, "media": found.media, "filename": found.filename}
        return {"id": asked.whole("id", 0), **told}, [found.body]

    def _reply(self, name: str, body: bytes) -> Reply:
        if name in WORKS:
            return answered(name, body, self._holding.sources)
        lang = LANGUAGES[0]
        try:
            lang = language(parse(body))
            if name == "words":
                return reply(200, words_of(lang))
            if name == "examples":
                return reply(200, examples_of(lang))
            if name == "opened":
                return reply(200, opened_of(self._opening, self._holding))
            raise Refused(404, "not-found")
        except Refused as refused:
            return reply(refused.status, refused.body(lang))


def widget(opening: Opening, view: View, place: Mapping[str, str] | None = None) -> Any:
    """The widget that shows something that was opened.

    Args:
        view: its language is that of the widget at first.
        place: where it begins: ``head``, ``cell`` …, as they stand in the address of the page.

    Raises ``MissingExtra`` where anywidget is not installed.
    """
    try:
        base, field = import_module("anywidget").AnyWidget, import_module("traitlets").Dict
    except ModuleNotFoundError:
        raise MissingExtra(feature=".map(), .widget()", extra="jupyter") from None
    desk = Desk(opening)
    asleep = words_of(view.language)["web.asleep"]
    parts = {"_esm": MODULE, "start": field().tag(sync=True), "__repr__": lambda _: asleep}
    kind = type("Pages", (base,), parts)

    def heard(shown: Any, content: Any, buffers: Any) -> None:
        told, data = desk.answer(content)
        shown.send(told, data)

    said = "&".join(f"{name}={value}" for name, value in (place or {}).items())
    start = {"lang": view.language, "page": PAGES[opening.kind], "hash": said and f"#{said}", "asleep": asleep}
    made = kind(start=start)
    made.on_msg(heard)
    return made


def map_of(path: str, view: View, head: str = "") -> Any:
    """The maps of a recording's heads; raises as ``widget`` does."""
    opening = Opening("recording", Path(path).name, path=str(Path(path).resolve()))
    return widget(opening, view, {"head": head} if head else None)


def example_of(source: Any, view: View) -> Any:
    """A worked example; raises as ``widget`` does."""
    return widget(opening_of(source), view)


def opening_of(source: Any) -> Opening:
    """What ``workings.explain`` was given, as it is opened here."""
    from workings.examples.carried import as_json
    from workings.web.open import opening

    return Opening("example", "", as_json(source)) if isinstance(source, Mapping) else opening(str(source))

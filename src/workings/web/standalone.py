"""The worked-example page as one file: it works from disk, asks nothing of anybody, and is readable without scripts."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from html import escape
from pathlib import Path
from typing import Any

from workings.api.trace import Trace
from workings.api.view import View
from workings.render.words import Words
from workings.web.example import Answer, Told, cell_view, page, proof_of, tell
from workings.web.open import opening

STATIC = Path(__file__).parent / "static"
SCRIPT, STYLE = "standalone.js", "app.css"
DATA = "workings-standalone"


def standalone(source: str, view: View) -> str:
    """The page of an example: a built-in name, a path or ``-``; raises as ``workings.explain`` does."""
    return draw(opened(source, view))


def opened(source: str, view: View) -> Told:
    """The example as the view tells it."""
    given = opening(source)
    return tell(given.name, given.data, view)


def unsure(one: Told) -> list[str]:
    """Addresses of numbers of which no digit is sure."""
    return Trace(one.opened.example, one.opened.trace, one.view).unsure()


def draw(one: Told) -> str:
    """An example that is told already, with every cell's arithmetic."""
    lang = one.view.language
    shown = page(one)
    trace = one.trace
    cells = {str(at): cell_view(one, at) for name in trace.recipe.names() for at in trace.cells(name)}
    data = {
        "lang": lang,
        "words": dict(Words(lang).beginning("web.")),
        "page": shown,
        "hints": _taken_out(cells),
        "cells": cells,
        "proof": proof_of(one),
    }
    return document(shown["title"], lang, _plain(shown), data)


def document(title: str, lang: str, body: str, data: Any) -> str:
    """One file with the front end, what it shows, and what is read where no script runs."""
    script, style = (_inlined(STATIC / name) for name in (SCRIPT, STYLE))
    packed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode("ascii")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
        "font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="app">{body}</div>\n<script type="text/plain" id="{DATA}">{packed}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _plain(shown: Answer) -> str:
    """The whole explanation as it stands without a script."""
    steps = "".join(f"<h{step['level']}>{step['title']}</h{step['level']}>{step['html']}" for step in shown["steps"])
    title, opening = escape(shown["title"]), shown["html"]
    return f'<main class="page plain"><h1>{title}</h1>{opening}{steps}</main>'


def _taken_out(cells: dict[str, Answer]) -> list[str]:
    """The hints, each once; a cell keeps its number among them."""
    hints: dict[str, int] = {}
    for cell in cells.values():
        cell["hint"] = hints.setdefault(cell["hint"], len(hints))
    return list(hints)


def _inlined(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return text.replace("</script", "<\\/script").replace("</style", "<\\/style")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"

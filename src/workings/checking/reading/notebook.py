"""Jupyter notebooks: one source per cell, a code cell's text outputs after its own text."""

from __future__ import annotations

import json
from typing import Any

from workings.checking.paper import Paper, Piece
from workings.checking.reading import markdown
from workings.checking.reading.text import code_pieces
from workings.checking.reading.weave import level
from workings.examples.place import inert
from workings.terms.errors import BrokenNotebook


def read(source: str, name: str) -> Paper:
    """A notebook from its JSON. Raises ``BrokenNotebook``."""
    try:
        data = json.loads(source)
    except json.JSONDecodeError as error:
        raise BrokenNotebook(path=inert(name), line=error.lineno, reason=inert(error.msg)) from None
    except (RecursionError, ValueError):
        raise BrokenNotebook(path=inert(name), line=1, reason="nested too deep, or a number too long") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise BrokenNotebook(path=inert(name), line=1, reason='no list "cells"')
    sources: list[str] = []
    pieces: list[Piece] = []
    for number, given in enumerate(cells):
        cell = given if isinstance(given, dict) else {}
        text, output = _joined(cell.get("source")), _outputs(cell.get("outputs"))
        code = cell.get("cell_type") == "code"
        if code and output:
            text = text.rstrip("\n") + "\n" + output
        sources.append(text)
        if code:
            flat = level(text)
            begin = len(flat) - len(output) if output else len(flat)
            pieces += code_pieces(flat, 0, begin, number)
            pieces += code_pieces(flat, begin, len(flat), number)
        else:
            pieces += markdown.read(text, number)
    return Paper(name, "notebook", tuple(sources) or ("",), tuple(pieces))


def _joined(value: Any) -> str:
    """A text that a notebook holds whole or line by line; half characters are none."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def _outputs(value: Any) -> str:
    """What a code cell printed, and the text of what it returned."""
    texts = []
    for output in value if isinstance(value, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        text = _joined(output.get("text")) or (_joined(data.get("text/plain")) if isinstance(data, dict) else "")
        if text:
            texts.append(text.rstrip("\n"))
    return "\n".join(texts)

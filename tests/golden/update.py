"""Golden files: every example as text and Markdown, one and its worksheet in all; ``make golden`` writes them."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import workings as w
from tests.support.reading_arrays import Cell, cells
from workings.examples import library

FOLDER = Path(__file__).parent / "files"
EXTENSIONS = {"text": "txt", "markdown": "md", "tex": "tex", "html": "html"}
OF_ARRAYS = {"svg": "svg", "csv": "csv", "xlsx": "cells"}  # of a workbook, what stands in its cells
LONG, SMALL = ("tex", "html"), "kitten"  # targets with much around the numbers; one small example shows all of it
SHEET = "worksheet"
LANGUAGES = ("en", "zh")


def drawn(name: str, target: str, lang: str) -> str:
    """One example, or the worksheet of one, as a reader sees it."""
    if target in OF_ARRAYS:
        return _of_arrays(w.explain(name, lang=lang).draw(target))
    told = w.worksheet(SMALL, seed=7, lang=lang) if name == SHEET else w.explain(name).explain(lang=lang)
    if target == "tex":
        return str(told.to_latex(standalone=True))
    if target == "html":
        return _without_style(told.to_html())
    return str({"text": told.to_text, "markdown": told.to_markdown}[target]())


def _without_style(page: str) -> str:
    """A page with a sign for its style sheet and for the sum by which the page allows it; a wrong sum stays."""
    found = re.search("<style>(.*?)</style>", page, re.DOTALL)
    if found is None:
        return page
    allowed = base64.b64encode(hashlib.sha256(found[1].encode("utf-8")).digest()).decode("ascii")
    return page.replace(found[1], "…").replace(f"'sha256-{allowed}'", "'sha256-…'")


def _of_arrays(drawn: str | bytes) -> str:
    """Lines of text; of a workbook, a line for each cell."""
    if isinstance(drawn, bytes):
        return "".join(f"{_said(cell)}\n" for cell in cells(drawn))
    return drawn.replace("\r\n", "\n")


def _said(cell: Cell) -> str:
    """A cell of a workbook in a line."""
    written = f"={cell.formula} → {float(cell.value):.10g}" if cell.formula else cell.value
    return f"{cell.sheet}!{cell.place}: {written}" + ("" if cell.kind == "s" else f" [{cell.format}]")


def path(name: str, target: str, lang: str) -> Path:
    """Where its golden file lies."""
    return FOLDER / f"{name}.{lang}.{(EXTENSIONS | OF_ARRAYS)[target]}"


def every() -> list[tuple[str, str, str]]:
    """All combinations."""
    arrays = [(SMALL, target, lang) for target in OF_ARRAYS for lang in LANGUAGES]
    return arrays + [
        (name, target, lang)
        for name in (*library.names(), SHEET)
        for target in EXTENSIONS
        for lang in LANGUAGES
        if name in (SMALL, SHEET) or target not in LONG
    ]


def main() -> None:
    """Write every golden file, and remove those of examples that are gone."""
    FOLDER.mkdir(exist_ok=True)
    kept = set()
    for name, target, lang in every():
        file = path(name, target, lang)
        file.write_text(drawn(name, target, lang), encoding="utf-8")
        kept.add(file)
    for file in set(FOLDER.iterdir()) - kept:
        file.unlink()


if __name__ == "__main__":
    main()

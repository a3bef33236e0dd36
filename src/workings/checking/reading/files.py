"""Opens a document, tells its kind by suffix and then by content, and hands it to the reader of that kind."""

from __future__ import annotations

import os
import re
from pathlib import PurePath

from workings.checking.paper import Paper
from workings.checking.reading import html, latex, markdown, notebook, text
from workings.examples.files import bytes_within
from workings.examples.parse import decode
from workings.examples.place import inert
from workings.terms.errors import FileTooLarge

MAX_BYTES = 8 * 1024 * 1024
PAPER_KINDS = ("markdown", "latex", "text", "notebook", "html")

_SUFFIXES = {
    **dict.fromkeys(("md", "markdown", "mdx", "rmd", "qmd", "mkd"), "markdown"),
    **dict.fromkeys(("tex", "ltx", "latex"), "latex"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    "ipynb": "notebook",
    **dict.fromkeys(("txt", "text", "log"), "text"),
}
SOURCE_SUFFIXES = frozenset(
    [
        "py",
        "pyi",
        "js",
        "mjs",
        "ts",
        "jsx",
        "tsx",
        "rs",
        "c",
        "h",
        "cc",
        "cpp",
        "cxx",
        "hpp",
        "cu",
        "cuh",
        "java",
        "go",
        "rb",
        "jl",
        "r",
        "m",
        "swift",
        "kt",
        "cs",
        "scala",
        "sh",
        "json",
        "toml",
        "yaml",
    ]
)


def read_paper(path: str | os.PathLike[str]) -> Paper:
    """A document from a file.

    Raises:
        FileMissing, FileUnreadable, FileTooLarge, NotText: a file that gives no text.
        BrokenNotebook: a notebook that is no JSON of cells.
    """
    shown = os.fspath(path)
    return paper_from_bytes(bytes_within(shown, MAX_BYTES), name=shown)


def paper_from_bytes(data: bytes, kind: str = "", name: str = "") -> Paper:
    """A document from bytes of UTF-8; raises as ``read_paper`` does."""
    if len(data) > MAX_BYTES:
        raise FileTooLarge(path=inert(name), size=len(data), limit=MAX_BYTES)
    return paper_from_text(decode(data, inert(name)), kind, name)


def paper_from_text(source: str, kind: str = "", name: str = "") -> Paper:
    """A document from a text; ``kind`` is one of ``PAPER_KINDS``, or is told from name and text.

    Raises ``FileTooLarge``, or ``BrokenNotebook`` for a notebook that is none.
    """
    if len(source) > MAX_BYTES:
        raise FileTooLarge(path=inert(name), size=len(source), limit=MAX_BYTES)
    kind = kind or kind_of(name, source)
    if kind == "notebook":
        return notebook.read(source, name)
    if kind == "text":
        pieces = text.read(source, code=_suffix(name) in SOURCE_SUFFIXES)
    else:
        pieces = {"markdown": markdown.read, "latex": latex.read, "html": html.read}[kind](source)
    return Paper(name, kind, (source,), tuple(pieces))


def kind_of(name: str, source: str) -> str:
    """The kind of a document: by its suffix, or else by how it begins."""
    suffix = _suffix(name)
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if suffix in SOURCE_SUFFIXES:
        return "text"
    head = source[:4000].lstrip()
    if head.startswith("{") and '"cells"' in source:
        return "notebook"
    if re.match(r"<!doctype html|<html|<body|<\?xml", head, re.IGNORECASE):
        return "html"
    if "\\documentclass" in head or "\\begin{document}" in head:
        return "latex"
    return "text"


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower().removeprefix(".") if name else ""

"""LaTeX that exists only in the address of an image, percent-encoded."""

from __future__ import annotations

import re

from workings.checking.paper import Run
from workings.checking.reading.weave import CLOSE, OPEN, Weaver

_SERVICE = re.compile(
    r"https?://[^/\s]*(?:codecogs|latex|math|quicklatex|chart\.apis)[^?\s]*\?(?:[^=&\s]*&)*", re.IGNORECASE
)
_FIELD = re.compile(r"(?:cht=tx&(?:amp;)?)?(?:chl|tex|math|latex|equation|f)=", re.IGNORECASE)
_ENCODED = re.compile(r"(?:%[0-9a-fA-F]{2})+|&space;|&plus;|&amp;")
_STYLE = re.compile(
    r"\\(?:dpi|bg|fg|color)\s*\{[^{}]*\}|\\bg_\w+|\\(?:inline|large|Large|LARGE|huge|small|tiny|normalsize)\b"
)


def latex_in_url(url: Run) -> Run | None:
    """The formula in an address, each character at its place in the address; None where there is none."""
    found = _SERVICE.match(url.text)
    if not found:
        return None
    start = found.end()
    field = _FIELD.match(url.text, start)
    start = field.end() if field else start
    out, i = Weaver(url.cell, url.wide), start
    for part in _ENCODED.finditer(url.text, start):
        out.copy(url, i, part.start())
        _decode(url, part, out)
        i = part.end()
    out.copy(url, i, len(url.text))
    formula = out.run()
    clean, i = Weaver(url.cell, url.wide), 0
    for part in _STYLE.finditer(formula.text):
        clean.copy(formula, i, part.start())
        i = part.end()
    clean.copy(formula, i, len(formula.text))
    return clean.run() if "\\" in formula.text or re.search(r"[=\d]", formula.text) else None


def _decode(url: Run, part: re.Match[str], out: Weaver) -> None:
    if part[0][0] == "&":
        said = {"&space;": " ", "&plus;": "+", "&amp;": "&"}[part[0]]
        out.put(said, url.offsets[part.start()], url.offsets[part.end()])
        return
    data = bytes.fromhex(part[0].replace("%", ""))
    at = part.start()
    for char in data.decode("utf-8", "replace").replace(OPEN, " ").replace(CLOSE, " "):
        size = 1 if char == "\ufffd" else len(char.encode("utf-8"))
        start = min(at, part.end() - 3)
        out.put(char, url.offsets[start], url.offsets[min(at + 3 * size, part.end())])
        at += 3 * size

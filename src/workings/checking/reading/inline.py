"""Frees a paragraph from inline markup, and puts inline mathematics between the two signs of ``weave``.

Knows ``$…$``, ``$$…$$`` and ``\\[…\\]`` amid a line, ``\\(…\\)``, backticks, emphasis, escapes, links, images whose
address holds LaTeX, HTML tags, entities, comments, and a ``\\n`` written out inside a string.
"""

from __future__ import annotations

import html
import re

from workings.checking.paper import Run
from workings.checking.reading.links import latex_in_url
from workings.checking.reading.weave import CLOSE, OPEN, Weaver

_NEXT = re.compile(r"[\\$`!\[<&*_h{]")
_LINK = re.compile(
    r"(!?)\[([^\[\]\n]*)\]\(\s*((?![\d\s+\-.,]+\))[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\)"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)([^<>]*)>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_ADDRESS = re.compile(r"https?://[^\s<>\"'）)」，。]*")
_ADDRESS_OF_ARRAY = re.compile(  # ``H0.score``, ``exp_sum[0]``: names, in which no number is told
    r"(?:(?:[LHG]\d+\.){1,2}[A-Za-z]\w*|[A-Za-z]{2,}_[a-z]\w*)(?:\[[\d,: ]+\])?"
)
_IMAGE_SOURCE = re.compile(r"src\s*=\s*[\"']?([^\"'\s>]+)")
_PANDOC = re.compile(r"\{=\w+\}|\{[.#][^{}\n]*\}")
_ESCAPED = frozenset("_*#~|>-!.`[]{}")
# ``\n`` before letters is a newline of a string unless it begins one of these commands.
_N_COMMANDS = re.compile(
    r"n(?:u|abla|e|eq|eg|ot|otin|i|mid|ewline|olimits|onumber|oindent|ormalsize|ewcommand|earrow|warrow|leq|geq|sim|parallel|ewpage)(?![a-zA-Z])"
)
# what escaped brackets hold that is a list of numbers and no display
ONLY_NUMBERS = re.compile(r"[\d\s.,;+\-−eE/×∞⁻⁰¹²³⁴⁵⁶⁷⁸⁹\\\[\]]*$")


def freed(run: Run) -> Run:
    """The run without markup, its inline mathematics between signs."""
    if not _NEXT.search(run.text):
        return run
    return _Reader(run).read()


def unescaped(run: Run) -> Run:
    r"""Code with a line end for each ``\n`` and a space for each ``\t`` written out in a string."""
    if "\\n" not in run.text and "\\t" not in run.text:
        return run
    out, i = Weaver(run.cell, run.wide), 0
    for found in re.finditer(r"\\\\|\\n|\\t(?![a-zA-Z]{2})", run.text):
        if found[0] == "\\\\" or (found[0] == "\\n" and _N_COMMANDS.match(run.text, found.start() + 1)):
            continue
        out.copy(run, i, found.start())
        out.put("\n" if found[0] == "\\n" else " ", run.offsets[found.start()], run.offsets[found.end()])
        i = found.end()
    out.copy(run, i, len(run.text))
    return out.run()


class _Reader:
    def __init__(self, run: Run) -> None:
        self.run, self.text = run, run.text
        self.out = Weaver(run.cell, run.wide)
        self.absent: set[str] = set()

    def read(self) -> Run:
        text, i = self.text, 0
        while True:
            found = _NEXT.search(text, i)
            if found is None:
                break
            self.out.copy(self.run, i, found.start())
            i = found.start()
            taken = _HANDLERS[text[i]](self, i)
            if taken <= i:
                self.out.copy(self.run, i, i + 1)
                taken = i + 1
            i = taken
        self.out.copy(self.run, i, len(text))
        return self.out.run()

    def offset(self, i: int) -> int:
        return self.run.offsets[i]

    def put(self, text: str, start: int, stop: int) -> int:
        self.out.put(text, self.offset(start), self.offset(stop))
        return stop

    def maths(self, start: int, inner: int, outer: int, stop: int) -> int:
        self.put(OPEN, start, inner)
        self.out.copy(self.run, inner, outer)
        return self.put(CLOSE, outer, stop)

    def find(self, close: str, start: int) -> int:
        if close in self.absent:
            return -1
        found = self.text.find(close, start)
        if found < 0:
            self.absent.add(close)
        return found

    def backslash(self, i: int) -> int:
        text = self.text
        after = text[i + 1 : i + 2]
        if after == "\\":
            self.out.copy(self.run, i, i + 2)
            return i + 2
        if after == "(":
            stop = self.find("\\)", i + 2)
            return self.maths(i, i + 2, stop, stop + 2) if stop >= 0 else i
        if after == "[" and not _numbers_in_brackets(text, i):
            stop = self.find("\\]", i + 2)
            return self.maths(i, i + 2, stop, stop + 2) if stop >= 0 else self.put("", i, i + 1)
        if after == "$":
            self.out.copy(self.run, i + 1, i + 2)
            return i + 2
        if after == "n" and not _N_COMMANDS.match(text, i + 1):
            return self.put("\n", i, i + 2)
        if after and after in _ESCAPED:
            return self.put("", i, i + 1) if after in "[]" else self._copy_escaped(i)
        return i

    def _copy_escaped(self, i: int) -> int:
        self.out.copy(self.run, i + 1, i + 2)
        return i + 2

    def dollar(self, i: int) -> int:
        text = self.text
        if text.startswith("$$", i):
            stop = self.find("$$", i + 2)
            return self.maths(i, i + 2, stop, stop + 2) if stop >= 0 else self.put(" ", i, i + 2)
        stop = self.find("$", i + 1)
        while stop > 0 and text[stop - 1] == "\\":
            stop = text.find("$", stop + 1)
        if stop < 0:
            return i
        inside = text[i + 1 : stop]
        loose = inside[:1].isspace() or inside[-1:].isspace()
        if "\n\n" in inside or (loose and not re.search(r"[\\^_=\[\]]", inside)):
            return i
        return self.maths(i, i + 1, stop, stop + 1)

    def backtick(self, i: int) -> int:
        found = re.compile("`+").match(self.text, i)
        ticks = found[0] if found else "`"
        stop = self.find(ticks, i + len(ticks))
        if stop < 0 or "\n\n" in self.text[i:stop]:
            return self.put(" ", i, i + len(ticks))
        inner = i + len(ticks)
        if re.search(r"[\d=]", self.text[inner:stop]) and not _ADDRESS_OF_ARRAY.fullmatch(self.text[inner:stop]):
            return self.maths(i, inner, stop, stop + len(ticks))
        self.out.copy(self.run, inner, stop)
        return self.put("", stop, stop + len(ticks))

    def link(self, i: int) -> int:
        found = _LINK.match(self.text, i)
        if not found:
            return i
        formula = latex_in_url(self.run.slice(found.start(3), found.end(3)))
        if formula is not None:
            self.put(OPEN, i, found.start(3))
            self.out.copy(formula, 0, len(formula.text))
            return self.put(CLOSE, found.end(3), found.end())
        if found[1]:
            return self.put(" ", i, found.end())
        inside = freed(self.run.slice(found.start(2), found.end(2)))
        self.out.copy(inside, 0, len(inside.text))
        return self.put("", found.end(2), found.end())

    def angle(self, i: int) -> int:
        text = self.text
        if text.startswith("<!--", i):
            stop = self.find("-->", i + 4)
            return self.put(" ", i, stop + 3) if stop >= 0 else i
        if text.startswith("<http", i):
            found = re.compile(r"<https?://[^<>\s]*>").match(text, i)
            return self.put(" ", i, found.end()) if found else i
        found = _TAG.match(text, i)
        if not found:
            return i
        closing, name = bool(found[1]), found[2].lower()
        if name == "img":
            return self._image(found, i)
        if name in ("sub", "sup"):
            return self.put("}" if closing else ("_{" if name == "sub" else "^{"), i, found.end())
        blocks = ("br", "p", "div", "li", "tr", "summary", "details", "table", "ul", "ol", "center")
        return self.put("\n" if name in blocks else "", i, found.end())

    def _image(self, tag: re.Match[str], i: int) -> int:
        source = _IMAGE_SOURCE.search(tag[3])
        if source:
            start = tag.start(3)
            formula = latex_in_url(self.run.slice(start + source.start(1), start + source.end(1)))
            if formula is not None:
                self.put(OPEN, i, i + 1)
                self.out.copy(formula, 0, len(formula.text))
                return self.put(CLOSE, tag.end() - 1, tag.end())
        return self.put(" ", i, tag.end())

    def entity(self, i: int) -> int:
        found = _ENTITY.match(self.text, i)
        if not found:
            return i
        said = html.unescape(found[0])
        return self.put(said, i, found.end()) if said != found[0] and said not in (OPEN, CLOSE) else i

    def star(self, i: int) -> int:
        text = self.text
        before, pair = text[i - 1 : i], text.startswith("**", i)
        stop = i + (3 if text.startswith("***", i) else 2 if pair else 1)
        after = text[stop : stop + 1]
        if pair:
            powers = (before.isalnum() or before in (")", "]")) and (after.isalnum() or after in ("(", "-"))
            return i if powers and not _bold(text, i, before) else self.put("", i, stop)
        opens = (not before or before.isspace() or before in "(（「“：:，,") and after and not after.isspace()
        closes = before and not before.isspace() and (not after or after.isspace() or after in ")）」”：:，。,.;；|")
        return self.put("", i, stop) if opens or closes else i

    def underscore(self, i: int) -> int:
        text = self.text
        if not text.startswith("__", i):
            return i
        before, after = text[i - 1 : i], text[i + 2 : i + 3]
        inside = (before.isalnum() or before == "_") and (after.isalnum() or after == "_")
        return i if inside else self.put("", i, i + 2)

    def address(self, i: int) -> int:
        found = _ADDRESS.match(self.text, i)
        return self.put(" ", i, found.end()) if found else i

    def brace(self, i: int) -> int:
        found = _PANDOC.match(self.text, i)
        return self.put("", i, found.end()) if found else i


_HANDLERS = {
    "\\": _Reader.backslash,
    "$": _Reader.dollar,
    "`": _Reader.backtick,
    "!": _Reader.link,
    "[": _Reader.link,
    "<": _Reader.angle,
    "&": _Reader.entity,
    "*": _Reader.star,
    "_": _Reader.underscore,
    "h": _Reader.address,
    "{": _Reader.brace,
}


def _bold(text: str, i: int, before: str) -> bool:
    """Whether ``**`` between two letters belongs to bold text: another pair stands on the same line."""
    start = max(text.rfind("\n", max(0, i - 400), i), i - 400) + 1
    stop = text.find("\n", i, i + 400)
    line = text[start : stop if stop >= 0 else i + 400]
    return line.count("**") % 2 == 0 and not before.isdigit()


def _numbers_in_brackets(text: str, i: int) -> bool:
    r"""Whether ``\[`` is an escaped bracket of a list of numbers."""
    stop = text.find("\\]", i, i + 2000)
    inside = text[i + 2 : stop] if stop >= 0 else ""
    return bool(ONLY_NUMBERS.match(inside)) and bool(inside.strip())

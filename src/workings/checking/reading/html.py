"""HTML: text by blocks, tables by cells, formulas (MathJax, KaTeX, MathML) once each.

A small scanner of its own and not ``html.parser``: every character needs its offset, and on broken markup the
parser of some Python versions takes quadratic time.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator

from workings.checking.paper import Piece, Run
from workings.checking.reading.inline import freed
from workings.checking.reading.links import latex_in_url
from workings.checking.reading.text import MARK, Blocks
from workings.checking.reading.weave import CLOSE, OPEN, Weaver, level, run_of, strip

_SIGN = re.compile(
    r"(?P<comment><!--)|<(?P<close>/?)(?P<tag>[a-zA-Z][\w:-]*)(?P<rest>[^<>]*)>|<[!?][^<>]*>"
    r"|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});|[\n\\$]"
)
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "li",
        "ul",
        "ol",
        "section",
        "article",
        "header",
        "footer",
        "main",
        "body",
        "dl",
        "dt",
        "dd",
        "blockquote",
        "figure",
        "figcaption",
        "details",
        "summary",
        "center",
        "form",
        "fieldset",
        "aside",
        "hr",
    ]
)
_SILENT = frozenset(("script", "style", "head", "template", "svg", "noscript", "textarea", "nav"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "caption"))
_PARTS: dict[str, tuple[str, ...]] = {
    "msup": ("{", "^{"),
    "msub": ("{", "_{"),
    "mfrac": ("\\frac{", "{"),
    "munder": ("{", "_{"),
    "mover": ("{", "^{"),
}
_PARTS |= {"msubsup": ("{", "_{", "^{"), "munderover": ("{", "_{", "^{"), "mroot": ("\\sqrt{", "[")}
_WRAPS = {"msqrt": ("\\sqrt{", "}"), "mtable": ("\\begin{matrix}", "\\end{matrix}"), "mtext": ("\\text{", "}")}
_MATH_END = re.compile(r"</math\s*>\s*\Z")
_GOES_ON = re.compile(r"\s*(?:<(?:mrow|mstyle)\b[^<>]*>\s*)*<mo\b[^<>]*>\s*(?:[=≈≃≅→+−×·÷∗*/-]|&(?:#x?\w+|[a-z]+);)")
_SOURCE = re.compile(r"src\s*=\s*[\"']?([^\"'\s>]+)")


def read(source: str) -> list[Piece]:
    """The pieces of an HTML page."""
    flat = level(source)
    return list(pieces(flat, 0, len(flat), None))


def pieces(flat: str, start: int, stop: int, cell: int | None) -> Iterator[Piece]:
    """The pieces of a stretch of HTML."""
    yield from _Page(flat, start, stop, cell).pieces()


class _Page:
    def __init__(self, flat: str, start: int, stop: int, cell: int | None) -> None:
        self.flat, self.start, self.stop, self.cell = flat, start, stop, cell
        self.source = Run(flat, range(len(flat) + 1), cell)
        self.out = Weaver(cell, self.source.wide)
        self.kind = "prose"
        self.tables: list[list[list[Run]]] = []
        self.in_cell = 0
        self.maths: list[list[int | str]] = []  # open MathML elements: name, children so far
        self.formula = False
        self.absent: set[str] = set()

    def pieces(self) -> Iterator[Piece]:
        i = self.start
        while i < self.stop:
            found = _SIGN.search(self.flat, i, self.stop)
            if found is None:
                break
            self.out.copy(self.source, i, found.start())
            i = found.end()
            if found["comment"]:
                end = self._find("-->", found.end())
                i = end + 3 if end >= 0 else i
                told = MARK.match(self.flat[found.start() : i].strip().replace("\n", " "))
                if told:
                    yield from self._flush()
                    begin = found.start() + told.start(1)
                    yield Piece("mark", run_of(self.flat, begin, begin + len(told[1]), self.cell))
            elif found["tag"]:
                i, made = self._tag(found)
                yield from made
            elif found[0][0] == "&":
                said = entities.unescape(found[0]).replace(OPEN, " ").replace(CLOSE, " ")
                self.out.put(said, found.start(), found.end())
            elif found[0] in "\\$":
                self.out.copy(self.source, found.start(), found.end())
            elif found[0] == "\n":
                self.out.put("\n" if self.kind == "code" else " ", found.start(), found.end())
        self.out.copy(self.source, min(i, self.stop), self.stop)
        while self.tables:
            yield from self._end_table()
        yield from self._flush()

    def _find(self, close: str, start: int) -> int:
        if close in self.absent:
            return -1
        found = self.flat.find(close, start, self.stop)
        if found < 0:
            self.absent.add(close)
        return found

    def _flush(self) -> Iterator[Piece]:
        """What was collected as a piece; inside a table it stays in its cell."""
        if self.tables:
            return
        run, self.out = self.out.run(), Weaver(self.cell, self.source.wide)
        kind, self.kind = self.kind, "prose"
        if not run.text.strip():
            return
        if kind == "code":
            yield Piece("code", run)
            return
        yield from (Piece(kind, strip(freed(run))),) if kind == "heading" else self._blocks(run)

    def _blocks(self, run: Run) -> Iterator[Piece]:
        """Displays within a paragraph parted from its text; offsets go by way of the paragraph."""
        for piece in Blocks(run.text, self.cell).pieces(0, len(run.text)):
            rows = tuple(tuple(_through(run, cell) for cell in row) for row in piece.rows)
            yield Piece(piece.kind, _through(run, piece.run), rows)

    def _tag(self, found: re.Match[str]) -> tuple[int, Iterator[Piece]]:
        name, closing, end = found["tag"].lower(), bool(found["close"]), found.end()
        none: Iterator[Piece] = iter(())
        if name in _SILENT and not closing:
            stop = self._find(f"</{found['tag']}", end)
            return (stop if stop >= 0 else end), none
        if name == "span" and "katex-html" in found["rest"]:
            return self._past_span(end), none
        if name == "math" or self.maths:
            return self._mathml(name, closing, found), none
        if name in ("sub", "sup"):
            self.out.put("}" if closing else "_{" if name == "sub" else "^{", found.start(), end)
            return end, none
        if name in ("table", "tr", "td", "th"):
            return end, self._table(name, closing)
        if name == "br":
            self.out.put("\n", found.start(), end)
        elif name == "img":
            self._image(found)
        elif name == "caption" and self.tables:
            return end, self._caption(closing)
        elif name in _HEADINGS or name == "pre":
            made = list(self._flush())
            self.kind = "prose" if closing else "code" if name == "pre" else "heading"
            return end, iter(made)
        elif name in _BLOCKS:
            if self.tables:
                self.out.put("\n", found.start(), end)
                return end, none
            return end, iter(list(self._flush()))
        return end, none

    def _image(self, found: re.Match[str]) -> None:
        source = _SOURCE.search(found["rest"])
        if source:
            start = found.start("rest")
            formula = latex_in_url(self.source.slice(start + source.start(1), start + source.end(1)))
            if formula is not None:
                self.out.put("$", found.start())
                self.out.copy(formula, 0, len(formula.text))
                self.out.put("$", found.end() - 1, found.end())

    def _past_span(self, end: int) -> int:
        if "span" in self.absent:
            return end
        depth = 1
        for tag in re.compile(r"<(/?)span\b", re.IGNORECASE).finditer(self.flat, end, self.stop):
            depth += -1 if tag[1] else 1
            if not depth:
                return tag.start()
        self.absent.add("span")
        return end

    def _table(self, name: str, closing: bool) -> Iterator[Piece]:
        if name == "table":
            if closing:
                yield from self._end_table()
            else:
                if not self.tables:
                    yield from self._flush()
                self._end_cell()
                self.tables.append([])
            return
        if not self.tables:
            return
        self._end_cell()
        if name == "tr" and not closing:
            self.tables[-1].append([])
        elif name in ("td", "th") and not closing:
            if not self.tables[-1]:
                self.tables[-1].append([])
            self.in_cell = 1

    def _caption(self, closing: bool) -> Iterator[Piece]:
        """The words over a table: they stand before it, as a line of their own."""
        run, self.out = self.out.run(), Weaver(self.cell, self.source.wide)
        if closing and len(self.tables) == 1 and run.text.strip():
            yield Piece("prose", strip(freed(run)))

    def _end_cell(self) -> None:
        run, self.out = self.out.run(), Weaver(self.cell, self.source.wide)
        if self.in_cell and self.tables and self.tables[-1]:
            self.tables[-1][-1].append(strip(freed(run)))
        self.in_cell = 0

    def _end_table(self) -> Iterator[Piece]:
        if self.tables:
            self._end_cell()
            rows = tuple(tuple(row) for row in self.tables.pop() if row)
            if rows:
                yield Piece("table", rows[0][0].slice(0, 0), rows)

    def _mathml(self, name: str, closing: bool, found: re.Match[str]) -> int:
        """A tag inside ``<math>``: its TeX annotation if there is one, else LaTeX made from its elements."""
        start, end = found.start(), found.end()
        if name == "math" and not closing:
            stop = self._find("</math", end)
            note = re.compile(r"<annotation[^<>]*x-tex[^<>]*>([^<]*)").search(self.flat, end, max(end, stop))
            if note or not self._goes_on(start, end):
                self.out.put("$", start)
            if note:
                inside = freed_entities(self.source.slice(note.start(1), note.end(1)))
                self.out.copy(inside, 0, len(inside.text))
                self.out.put("$", note.end(1))
                return stop
            self.maths = [["math", 0]]
            return end
        if closing:
            if self.maths and self.maths[-1][0] == name:
                self.maths.pop()
                self._close(name, start, end)
            return end
        if found["rest"].endswith("/") or not self.maths:
            return end
        parent, number = self.maths[-1]
        self.maths[-1][1] = int(number) + 1
        parts = _PARTS.get(str(parent), ())
        if int(number) < len(parts):
            self.out.put(parts[int(number)], start)
        elif parent == "mtr" and number:
            self.out.put("&", start)
        elif parent == "mtable" and number:
            self.out.put("\\\\", start)
        apart = "" if self.out.last in ("$", "{") else " "  # no formula begins with a space
        self.out.put(_WRAPS[name][0] if name in _WRAPS else apart, start, end)
        self.maths.append([name, 0])
        return end

    def _goes_on(self, start: int, end: int) -> bool:
        """Whether a formula begins with an operator and another ended right before: the two are one."""
        before = _MATH_END.search(self.flat, max(self.start, start - 200), start)
        return before is not None and _GOES_ON.match(self.flat, end) is not None and self.out.cut_back("$")

    def _close(self, name: str, start: int, end: int) -> None:
        self.out.put(_WRAPS[name][1] if name in _WRAPS else "", start, end)
        parent = str(self.maths[-1][0]) if self.maths else ""
        if parent in _PARTS:
            self.out.put("}", start, end)
        if name == "math":
            self.out.put("$", start, end)
            self.maths = []


def freed_entities(run: Run) -> Run:
    """The run with its entities read."""
    out, i = Weaver(run.cell, run.wide), 0
    for found in re.compile(r"&(?:#\w{1,8}|[a-zA-Z][a-zA-Z0-9]{1,31});").finditer(run.text):
        out.copy(run, i, found.start())
        out.put(entities.unescape(found[0]), run.offsets[found.start()], run.offsets[found.end()])
        i = found.end()
    out.copy(run, i, len(run.text))
    return out.run()


def _through(outer: Run, inner: Run) -> Run:
    """A run over the text of another run, with the offsets of the document."""
    last = len(outer.offsets) - 1
    return Run(inner.text, [outer.offsets[min(max(at, 0), last)] for at in inner.offsets], outer.cell, outer.wide)

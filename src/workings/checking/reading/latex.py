"""LaTeX documents: comments and preamble taken away, headings, items, displays, tables and verbatim text told apart.

One pass over commands and environments; a macro that is not known keeps its argument's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workings.checking.paper import Piece, Run
from workings.checking.reading.text import DISPLAY_ENVIRONMENT, MARK
from workings.checking.reading.weave import CLOSE, OPEN, Weaver, level, run_of, strip

_EVENT = re.compile(
    r"\\begin\{(?P<begin>[^{}\n]*)\}|\\end\{(?P<end>[^{}\n]*)\}|(?P<display>\\\[|\$\$)|(?P<inline>\\\(|\$)"
    r"|\\(?P<command>[a-zA-Z]+\*?|[^a-zA-Z])|(?P<blank>\n[ \t]*\n\s*)|(?P<tilde>~)|(?P<brace>[{}])|(?P<quote>``|'')"
)
_HEADINGS = frozenset(
    f"{name}{star}"
    for name in ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "title", "subparagraph")
    for star in ("", "*")
)
_DISPLAY = re.compile(rf"(?:{DISPLAY_ENVIRONMENT})\*?$")
_TABLE = re.compile(r"(?:tabular[xy]?\*?|longtable|tabulary)$")
_VERBATIM = re.compile(r"(?:verbatim|lstlisting|minted|Verbatim|alltt)\*?$")
_DROPPED = frozenset(
    [
        "label",
        "ref",
        "cite",
        "citep",
        "citet",
        "eqref",
        "pageref",
        "includegraphics",
        "input",
        "include",
        "usepackage",
        "documentclass",
        "bibliography",
        "bibliographystyle",
        "newcommand",
        "renewcommand",
        "providecommand",
        "DeclareMathOperator",
        "def",
        "setlength",
        "vspace",
        "hspace",
        "url",
        "definecolor",
        "pagestyle",
        "footnotemark",
        "graphicspath",
        "hypersetup",
        "DeclareMathOperator*",
        "newcommand*",
        "vspace*",
        "hspace*",
        "setcounter",
        "addtocounter",
        "color",
        "textcolor",
        "colorbox",
        "rowcolor",
        "cellcolor",
    ]
)
_CHARACTERS = {"%": "%", "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", "\\": "\n", ",": " ", ";": " "}
_CHARACTERS |= {" ": " ", ":": " ", "!": "", "-": "", "/": "", "\n": " "}
_SIGNS = {"item": "\n• ", "par": "\n", "newline": "\n", "quad": " ", "qquad": " ", "ldots": "…", "dots": "…"}
_SIGNS |= {"rightarrow": "→", "to": "→", "times": "×", "approx": "≈", "textbackslash": "\\ ", "textasciitilde": "~"}


def read(source: str) -> list[Piece]:
    """The pieces of a LaTeX document, or of a part of one."""
    text, marks = _without_comments(level(source))
    begin = text.find("\\begin{document}")
    stop = text.find("\\end{document}", max(begin, 0))
    reader = _Reader(text, marks)
    return list(reader.pieces(begin + 16 if begin >= 0 else 0, stop if stop >= 0 else len(text)))


def _without_comments(flat: str) -> tuple[str, list[tuple[int, Piece]]]:
    """The text with spaces for comments (verbatim text aside), and the marks among them."""
    parts, marks, position, verbatim = [], [], 0, ""
    for line in flat.split("\n"):
        begun = re.search(r"\\begin\{((?:verbatim|lstlisting|minted|Verbatim|alltt)\*?)\}", line)
        if verbatim:
            verbatim = "" if f"\\end{{{verbatim}}}" in line else verbatim
        elif begun and f"\\end{{{begun[1]}}}" not in line:
            verbatim = begun[1]
        else:
            at = _comment(line)
            if at >= 0:
                found = MARK.match(line, at)
                if found:
                    run = run_of(flat, position + found.start(1), position + found.end(1))
                    marks.append((position + at, Piece("mark", run)))
                fill = " " if line[:at].strip() else "\xa0"  # a line of comment only is no blank line
                line = line[:at] + fill * (len(line) - at)
        parts.append(line)
        position += len(parts[-1]) + 1
    return "\n".join(parts), marks


def _comment(line: str) -> int:
    at = line.find("%")
    while at > 0:
        slashes = len(line[:at]) - len(line[:at].rstrip("\\"))
        if slashes % 2 == 0:
            break
        at = line.find("%", at + 1)
    return at


class _Reader:
    def __init__(self, text: str, marks: list[tuple[int, Piece]]) -> None:
        self.text, self.marks = text, list(reversed(marks))
        self.out = Weaver()
        self.whole: Run = Run(text, range(len(text) + 1))
        self.absent: set[str] = set()
        self.stop = len(text)

    def pieces(self, start: int, stop: int) -> Iterator[Piece]:
        self.stop, i = stop, start
        while i < stop:
            found = _EVENT.search(self.text, i, stop)
            if found is None:
                break
            self.out.copy(self.whole, i, found.start())
            while self.marks and self.marks[-1][0] < found.start():
                yield from self._flush()
                yield self.marks.pop()[1]
            kind = found.lastgroup or ""
            i, made = getattr(self, f"_{kind}")(found)
            if made is not None:
                yield from self._flush()
                yield from made
        self.out.copy(self.whole, min(i, stop), stop)
        yield from self._flush()
        while self.marks:
            yield self.marks.pop()[1]

    def _flush(self) -> Iterator[Piece]:
        run, self.out = self.out.run(), Weaver()
        if run.text.strip():
            yield Piece("prose", run)

    def _find(self, close: str, start: int) -> int:
        if close in self.absent:
            return -1
        found = self.text.find(close, start, self.stop)
        if found < 0:
            self.absent.add(close)
        return found

    def _put(self, text: str, found: re.Match[str]) -> tuple[int, None]:
        self.out.put(text, found.start(), found.end())
        return found.end(), None

    def _begin(self, found: re.Match[str]) -> tuple[int, list[Piece] | None]:
        name = found["begin"]
        close = f"\\end{{{name}}}"
        if _DISPLAY.match(name) or _TABLE.match(name) or _VERBATIM.match(name):
            stop = self._find(close, found.end())
            if stop < 0:
                return found.end(), []
            after = stop + len(close)
            if _DISPLAY.match(name):
                return after, [Piece("maths", self.whole.slice(found.start(), after))]
            if _TABLE.match(name):
                return after, [self._table(found.end(), stop)]
            return after, [Piece("code", self.whole.slice(found.end(), stop))]
        if name.rstrip("*") in ("bmatrix", "pmatrix", "matrix", "vmatrix", "Bmatrix", "array", "cases", "smallmatrix"):
            stop = self._find(close, found.end())
            if stop >= 0:
                self.out.put(OPEN, found.start())
                self.out.copy(self.whole, found.start(), stop + len(close))
                self.out.put(CLOSE, stop + len(close))
                return stop + len(close), None
        return found.end(), []

    def _end(self, found: re.Match[str]) -> tuple[int, list[Piece]]:
        return found.end(), []

    def _display(self, found: re.Match[str]) -> tuple[int, list[Piece] | None]:
        close = "$$" if found[0] == "$$" else "\\]"
        stop = self._find(close, found.end())
        if stop < 0:
            return self._put(" ", found)
        return stop + 2, [Piece("maths", strip(self.whole.slice(found.end(), stop)))]

    def _inline(self, found: re.Match[str]) -> tuple[int, None]:
        close = "$" if found[0] == "$" else "\\)"
        stop = self._find(close, found.end())
        while close == "$" and stop > 0 and self.text[stop - 1] == "\\":
            stop = self.text.find("$", stop + 1, self.stop)
        if stop < 0:
            return self._put(" ", found)
        self.out.put(OPEN, found.start())
        self.out.copy(self.whole, found.end(), stop)
        self.out.put(CLOSE, stop)
        return stop + len(close), None

    def _command(self, found: re.Match[str]) -> tuple[int, list[Piece] | None]:
        name, end = found["command"], found.end()
        if name in _CHARACTERS:
            return self._put(_CHARACTERS[name], found)
        if name in _SIGNS:
            return self._put(_SIGNS[name], found)
        if name in _HEADINGS:
            stop = self._group(end)
            if stop > end:
                inside = self._inside(self.text.find("{", end) + 1, stop - 1)
                return stop, [Piece("heading", inside)]
            return end, []
        if name in _DROPPED:
            return self._arguments(end), None
        return end, None

    def _inside(self, start: int, stop: int) -> Run:
        reader = _Reader(self.text, [])
        runs = [piece.run for piece in reader.pieces(start, stop) if piece.kind == "prose"]
        return strip(runs[0]) if runs else self.whole.slice(start, start)

    def _arguments(self, end: int) -> int:
        """Past the arguments of a command whose text does not show."""
        while True:
            found = re.compile(r"[ \t]*(?:\[[^\[\]\n]*\]|\\[a-zA-Z]+(?=[ \t]*[\[{]))").match(self.text, end, self.stop)
            stop = found.end() if found else self._group(end)
            if stop <= end:
                return end
            end = stop

    def _group(self, start: int) -> int:
        """Where the group that begins here ends; ``start`` where none does."""
        found = re.compile(r"\s*\{").match(self.text, start, self.stop)
        if not found:
            return start
        depth = 1
        for brace in re.compile(r"(?<!\\)[{}]").finditer(self.text, found.end(), min(self.stop, found.end() + 4000)):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                return brace.end()
        return start

    def _blank(self, found: re.Match[str]) -> tuple[int, list[Piece]]:
        return found.end(), []

    def _tilde(self, found: re.Match[str]) -> tuple[int, None]:
        return self._put(" ", found)

    def _quote(self, found: re.Match[str]) -> tuple[int, None]:
        return self._put('"', found)

    def _brace(self, found: re.Match[str]) -> tuple[int, None]:
        return self._put("", found)

    def _table(self, start: int, stop: int) -> Piece:
        """The rows of a ``tabular``: its column specification and rules left out."""
        while True:
            end = self._group(start)
            if end <= start:
                break
            start = end
        rows = []
        for a, b in _parts(self.text, start, stop, _ROW_END):
            cells = []
            for c, d in _parts(self.text, a, b, _CELL_END):
                inside = self._inside(c, d)
                cells.append(inside)
            if any(cell.text.strip() for cell in cells):
                rows.append(tuple(cells))
        return Piece("table", self.whole.slice(stop, stop), tuple(rows))


_ROW_END = re.compile(
    r"\\\\(?:\[[^\]\n]*\])?|\\(?:hline|toprule|midrule|bottomrule|tabularnewline)\b|\\c(?:line|midrule)(?:\([^)\n]*\))?\{[^{}]*\}"
)
_CELL_END = re.compile(r"&")
_INNER = re.compile(r"\\begin\{|\\end\{")


def _parts(text: str, start: int, stop: int, sign: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches between signs that stand in no inner environment."""
    both = re.compile(rf"(?P<inner>{_INNER.pattern})|(?P<sign>{sign.pattern})")
    depth, begin = 0, start
    for found in both.finditer(text, start, stop):
        if found["inner"]:
            depth += 1 if found[0].startswith("\\b") else -1
        elif depth <= 0 and not (found.start() and text[found.start() - 1] == "\\" and found[0] == "&"):
            yield begin, found.start()
            begin = found.end()
    yield begin, stop

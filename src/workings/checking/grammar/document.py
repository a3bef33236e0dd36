"""Goes through a paper piece by piece: headings, labels and marks around what ``scan`` and ``tables`` find."""

from __future__ import annotations

import re
from dataclasses import replace

from workings.checking.grammar.around import (
    as_rows,
    is_defined_behind,
    is_list,
    names_rows,
    row_of,
    tells_another_row,
    without_name,
    without_where,
    words_before,
)
from workings.checking.grammar.cursor import Unparsed
from workings.checking.grammar.expression import Parser
from workings.checking.grammar.labels import LINE, plain, rank
from workings.checking.grammar.listed import with_lists
from workings.checking.grammar.scan import Found, scan_maths
from workings.checking.grammar.tables import scan_table
from workings.checking.grammar.tokens import tokens
from workings.checking.grammar.walk import scan_text
from workings.checking.grammar.written_sums import with_sums
from workings.checking.notation import Call, Link, Mat, Node, Op, Span, Statement, Sym, Unread
from workings.checking.paper import Paper, Piece, Run
from workings.checking.vocabulary import array_of_words, told_words

ARROW = re.compile(r"\s*[↓⇓→]\s*\S")
MOST_SIGNS = 40  # on the line of an arrow
GAP = re.compile(r"\s*\n(?:\s*(?://+|#+|\*|>|│|\|)?\s*)")
_BIND = re.compile(r"bind\s+(.+?)\s*=\s*(\S.*)$")


def statements(paper: Paper) -> list[Statement | Unread]:
    """The statements of a paper and what was not understood, in reading order; never raises."""
    reader = _Reader(paper)
    for piece in paper.pieces:
        reader.take(piece)
    return reader.done()


class _Reader:
    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.tokens = frozenset(word for text in paper.sources for words in told_words(text) for word in words)
        self.made: list[Statement | Unread] = []
        self.headings: list[tuple[int, str]] = []
        self._lead = ""  # the line right before, if it can label what follows
        self._line = ""  # that line as it stands, until its words are asked for
        self.used = False  # by a display
        self.arrow: Node | None = None  # an expression behind an arrow, whose value comes next
        self.unclaimed: list[tuple[int | None, int, int]] = []
        self.ignored: tuple[int | None, int] | None = None
        self.binds: dict[str, str] = {}

    @property
    def lead(self) -> str:
        """The line right before, if it can label what follows."""
        if self._line:
            self._lead, self._line = plain(_last_sentence(self._line)), ""
        return self._lead

    @lead.setter
    def lead(self, words: str) -> None:
        self._lead, self._line = words, ""

    def done(self) -> list[Statement | Unread]:
        """Everything, with what stands between marks told apart."""
        if self.ignored is not None:
            self.unclaimed.append((*self.ignored, len(self.paper.sources[self.ignored[0] or 0])))
        made: list[Statement | Unread] = []
        for item in self.made:
            out = any(
                cell == item.span.cell and start <= item.span.start < stop for cell, start, stop in self.unclaimed
            )
            if isinstance(item, Statement):
                made.append(replace(item, claimed=False) if out else item)
            elif not out:
                made.append(item)
        return made

    def take(self, piece: Piece) -> None:
        """One piece."""
        if piece.kind == "mark":
            self.mark(piece.run)
        elif piece.kind == "heading":
            self.push(1, piece.run.text)
            self.lead = ""
        elif piece.kind == "table":
            for label, found in scan_table(piece):
                self.keep(found, label or ("" if self.used else self.lead), piece.kind)
            self.lead = ""
        elif piece.kind == "maths":
            for found in scan_maths(piece.run):
                said = plain(piece.run.text[slice(*found.before)]) if isinstance(found, Found) else ""
                self.keep(found, said or self.lead, piece.kind)
            self.used = True
        else:
            self.text(piece)

    def text(self, piece: Piece) -> None:
        """Running text or code: its lines may be headings of what follows."""
        run, self.used = piece.run, False
        ends = [found.start() for found in re.finditer("\n", run.text)] + [len(run.text)]
        found = with_lists(run, with_sums(run, scan_text(run, piece.kind == "code")))
        number, start = 0, 0
        for end in ends:
            line = run.text[start:end]
            level = rank(line)
            first = number
            if level:
                self.push(level, line)
            while number < len(found) and _at(found[number], run) < end:
                item, before = found[number], found[number - 1] if number else None
                if not isinstance(item, Found):
                    self.keep(item, "", piece.kind)
                else:
                    label = words_before(run, item, before if isinstance(before, Found) else None)
                    self.in_line(run, start, item, before if number > first else None, piece.kind, label)
                number += 1
            told = _is_told(found[first:number] or found[max(0, number - 1) : number], run, start)
            self.arrow = arrow_over(run.slice(start, end)) if ARROW.match(line) else self.arrow
            if line.strip():
                self.lead, self._line = "", line if level or (len(line) < 200 and not told) else ""
            start = end + 1
        for item in found[number:]:
            self.keep(item, "", piece.kind)

    def in_line(self, run: Run, start: int, found: Found, before: Found | Unread | None, kind: str, label: str) -> None:
        """A chain in a line of text that begins at an offset, with what was found before it in the line."""
        row = ""
        found, label = without_name(run, found, label)
        if before is None and is_list(found.links[-1].node):
            found, row = self.row(run, start, found)
        alone = before is None and not run.text[start : found.at].strip(" \ue000$*>")
        last = self.made[-1] if self.made else None
        self.keep(found, row or label or (self.lead if alone else ""), kind, row)
        made = self.made[-1]
        if not isinstance(last, Statement) or not isinstance(made, Statement) or last.span.cell != made.span.cell:
            return
        if before is not None and tells_another_row(last, made):
            self.made[-1] = replace(made, heading=last.label if array_of_words(last.label) else last.heading)
        elif len(self.made) > 1 and self.made[-2] is last:
            self.made[-2:] = as_rows(last, made, self.paper.sources[made.span.cell or 0]) or (last, made)

    def row(self, run: Run, start: int, found: Found) -> tuple[Found, str]:
        """A list as a row of what the line above names, which is then the heading of the rows; else of the heading."""
        if names_rows(self.lead):
            found, row = row_of(run, start, found, self.lead, self.tokens)
            if row:
                self.push(LINE, self.lead)
                return found, row
        return row_of(run, start, found, self.headings[-1][1], self.tokens) if self.headings else (found, "")

    def push(self, level: int, line: str) -> None:
        """A heading: those of its rank and below end."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, plain(line)))

    def keep(self, found: Found | Unread, label: str, kind: str, row: str = "") -> None:
        if isinstance(found, Unread):
            self.made.append(found)
            return
        if self.goes_on(found) or (kind == "table" and self.widens(found, label)):
            return
        found, self.arrow = self.under_arrow(found), None
        names = tuple(text for _, text in reversed(self.headings) if text)
        links, told_behind = without_where(found.links, label)
        first = links[0].node
        name = first.name if isinstance(first, Sym) else ""
        bind = self.binds.get(name) or self.binds.get(label.lower()) or ""
        heading = names[0] if names else ""
        made = Statement(label, heading, links, found.span, kind, bind=bind, above=names[1:], row=row)
        last = self.made[-1] if told_behind and self.made else None
        if isinstance(last, Statement) and is_defined_behind(last, links):
            self.made.insert(len(self.made) - 1, made)
        else:
            self.made.append(made)

    def goes_on(self, found: Found) -> bool:
        """Joins a line that begins with a relation to the chain on the line above: ``= sin(1)`` below ``PE(1) = …``."""
        before = self.made[-1] if self.made else None
        if not isinstance(before, Statement) or not found.links[0].relation or before.span.cell != found.span.cell:
            return False
        source = self.paper.sources[found.span.cell or 0]
        if not GAP.fullmatch(source[before.span.stop : found.span.start]):
            return False
        span = Span(before.span.start, found.span.stop, found.span.cell)
        self.made[-1] = replace(before, links=(*before.links, *found.links), span=span)
        return True

    def widens(self, found: Found, label: str) -> bool:
        """Joins a table to the one before it with its label, its rows and other columns: one that was cut in two.

        Without a label both its axes are named in its corner, and nothing is said between the two.
        """
        before, node = self.made[-1] if self.made else None, found.links[0].node
        if not isinstance(before, Statement) or before.kind != "table" or label not in ("", before.label):
            return False
        if not label and (
            self.lead or before.heading != next((text for _, text in reversed(self.headings) if text), "")
        ):
            return False
        first = before.links[0].node
        if len(before.links) > 1 or len(found.links) > 1 or not isinstance(first, Mat) or not isinstance(node, Mat):
            return False
        apart = not set(first.column_labels) & set(node.column_labels) and all(node.column_labels)
        if not node.row_labels or not all(node.row_labels) or first.row_labels != node.row_labels or not apart:
            return False
        rows = tuple((*left, *right) for left, right in zip(first.rows, node.rows, strict=True))
        span = Span(before.span.start, found.span.stop, before.span.cell)
        joined = replace(first, rows=rows, span=span, column_labels=first.column_labels + node.column_labels)
        self.made[-1] = replace(before, links=(Link("", joined),), span=span)
        return True

    def under_arrow(self, found: Found) -> Found:
        """A named value below an arrow with an expression is what the expression works out."""
        if self.arrow is None or len(found.links) != 2 or not isinstance(found.links[0].node, Sym):
            return found
        if isinstance(found.links[1].node, Sym):
            return found
        return replace(found, links=(found.links[0], Link("=", self.arrow), found.links[1]))

    def mark(self, run: Run) -> None:
        """A mark: what it says holds for a stretch of the source, or for a name from here on."""
        said, cell = run.text.strip(), run.cell
        source = self.paper.sources[cell or 0]
        at = run.offsets[0]
        word = said.lower()
        bound = _BIND.match(said)
        if word.startswith("not-a-claim"):
            start = source.rfind("\n", 0, at) + 1
            stop = _blank(source, at)
            if not source[at + len(said) : stop].strip(" \t\r\n->*/") and not source[start:at].strip(
                " \t#/%<!-:*workings"
            ):
                stop = _blank(source, stop + len(source[stop:]) - len(source[stop:].lstrip()))
            self.unclaimed.append((cell, start, stop))
        elif word.startswith("ignore") and self.ignored is None:
            self.ignored = (cell, at)
        elif word.startswith("end") and self.ignored is not None:
            begun, start = self.ignored
            self.unclaimed.append((begun, start, at if begun == cell else len(self.paper.sources[begun or 0])))
            self.ignored = None
        elif bound:
            self.binds[bound[1].strip()] = bound[2].strip()
            self.binds[bound[1].strip().lower()] = bound[2].strip()


def arrow_over(run: Run) -> Node | None:
    """The expression behind an arrow that is all of a line: ``↓ x + a``."""
    items = [token for token in tokens(run, False) if token.kind not in ("nl", "mopen", "mclose")]
    if not 4 <= len(items) <= MOST_SIGNS:
        return None
    parser = Parser(run, items)
    try:
        node = parser.whole(1, len(items))
    except Unparsed:
        return None
    return node if isinstance(node, Op) else None


def _blank(source: str, at: int) -> int:
    """Where the next blank line begins."""
    found = re.compile(r"\n[ \t\r]*(?=\n|$)").search(source, at)
    return found.start() if found else len(source)


def _at(found: Found | Unread, run: Run) -> int:
    """The offset in the run at which something was found."""
    if isinstance(found, Found):
        return found.at
    low, high = 0, len(run.text)
    while low < high:
        middle = (low + high) // 2
        if run.offsets[middle] < found.span.start:
            low = middle + 1
        else:
            high = middle
    return low


def _is_told(found: list[Found | Unread], run: Run, start: int) -> bool:
    """Whether anything behind an offset tells more than a root in words that label what follows: ``Scaled by √2``."""
    return any(item.span.stop > run.offsets[start] and not _is_root(item) for item in found)


def _is_root(item: Found | Unread) -> bool:
    node = item.links[0].node if isinstance(item, Found) and len(item.links) == 1 else None
    return isinstance(node, Call) and node.name == "sqrt"


def _last_sentence(line: str) -> str:
    parts = [part for part in re.split(r"[。！？]", line) if part.strip(' \t)）"”')]
    return parts[-1] if parts else line

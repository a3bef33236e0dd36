"""Which row a paragraph is about: the one whose numbers it has printed, or the one word of a row that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workings.checking.naming import COMMON, Names
from workings.checking.notation import Num
from workings.checking.paper import Paper

REACH = 1_000  # characters of a paragraph before a list
BREAK = re.compile(
    r"\n[ \t\r>]*\n|</?(?:p|h[1-6]|table|section|article|div|ul|ol)\b|\\(?:sub)*section\b|\\par\b|^[ \t]*\#",
    re.MULTILINE,
)
COUNTED = re.compile(r"\b(?:tokens?|words?)\s+#?([0-9]{1,3})\b|第\s*([0-9]{1,3})\s*个(?:词|token)", re.IGNORECASE)
MARKED = re.compile(r"[「“‘\"'`*]([^「」“”‘’\"'`*\n]{1,40})[」”’\"'`*]")
TURNS = re.compile(  # words after which numbers may be those of something else
    r"\b(?:next|other|another|(?:for|of)\s+(?:each|every)|first|second|third|fourth|last|previous|averaged?|mean|uniform|if|instead"
    r"|would|without|no|not|never|before|unscaled|unmasked|heads?|layers?|old|new|wrong|mistake)\b"
    r"|下一|另|其[他它余]|每|平均|第\s?[一二三四五六七八九十]\s?(?:个|位|行|词)|如果|若|没有|不|未|头|层|错",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z]\w{2,}")


class Followed:
    """The row that is followed from one list of numbers to the next."""

    def __init__(self, paper: Paper, names: Names) -> None:
        self._paper, self._names = paper, names
        self._shown: tuple[int, int, int] | None = None  # cell and offset of a list, and whose row it is alone

    def shows(self, numbers: Sequence[Num], row: int) -> None:
        """A list has the numbers of a row, and of no other."""
        last = numbers[-1].span
        self._shown = last.cell or 0, last.start, row

    def row(self, numbers: Sequence[Num]) -> tuple[int | None, bool]:
        """The row that the paragraph of a list is about, and whether its own numbers were shown in it before."""
        cell, start = numbers[0].span.cell or 0, numbers[0].span.start
        source = self._paper.sources[cell]
        begin = max(0, start - REACH)
        begin = max((found.end() for found in BREAK.finditer(source, begin, start)), default=begin)
        if self._shown is not None and self._shown[0] == cell and begin <= self._shown[1] < start:
            row = self._shown[2]
            between = source[self._shown[1] : start]
            counted = self._counted(between)
            if counted:
                return (counted.pop() if len(counted) == 1 and not TURNS.search(between) else None), False
            goes_on = not TURNS.search(between) and self._told(between) <= {row}
            return (row, True) if goes_on else (None, False)
        said = source[begin:start]
        named = set() if TURNS.search(said) else self._clearly_told(said)
        return (named.pop() if len(named) == 1 else None), False

    def _told(self, text: str) -> set[int]:
        """Rows that words may speak of."""
        return {*self._names.rows_named(text, "query"), *self._names.rows_numbered(text)}

    def _clearly_told(self, text: str) -> set[int]:
        """Rows that words speak of by a number, a mark of quotation, or a word that is no common one."""
        words = [found[1] for found in MARKED.finditer(text)]
        words += [word for word in WORD.findall(text) if not COMMON.fullmatch(word)]
        named = {row for word in words for row in self._names.rows_named(word, "query")}
        return named | set(self._names.rows_numbered(text)) | self._counted(text)

    def _counted(self, text: str) -> set[int]:
        """Rows that words count as tokens: "token 2", 第 2 个词."""
        places = (self._names.place(found[1] or found[2]) for found in COUNTED.finditer(text))
        return {place for place in places if place is not None}

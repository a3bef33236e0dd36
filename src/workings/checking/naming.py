"""What a document's names stand for at a point of its text, and which words name a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache, partial

from workings.checking.grids import Grid
from workings.checking.notation import Node, Num, Op, Sym
from workings.checking.vocabulary import array_of
from workings.steps.language import Cell, Const, Expr
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name
from workings.terms.errors import UnknownArray
from workings.traces.trace import Trace

STANDS_FOR = {"X": "Q", "masked": "scaled", "output": "head_output", "head_output": "output"}
SIZE_NAMES = ("d_k", "d_v", "d_model")
ZERO = re.compile(r"\^?0[0-9]?")  # a subscript that only a document counting from 0 has
NUMBERED = re.compile(r"\brow\s+([0-9]{1,3})\b|第\s*([0-9]{1,3})\s*行", re.IGNORECASE)
IN_NUMBER = re.compile(r"[0-9√{^=+*/×·÷≈-][.,\s]?$"), re.compile(r"[.,]?[0-9]")  # before it, behind it
LONGEST_PLACE = 6  # digits
MOST_AXES = 16  # whose words are kept in all their forms
SLICE = re.compile(r"(-?[0-9]+)?:(-?[0-9]+)?")
COMMON = re.compile(  # words of a sentence that say of no row what it says
    r"the|its|this|that|they|are|was|and|for|with|all|any|our|you|has|have|had|but|from|into|out|can|get|one|two|now"
    r"|then|here|there|which|what|who|how|where|when|why|these|those",
    re.IGNORECASE,
)
PARTED = re.compile(r",\s+|，\s*")  # a row from its column
LETTER = re.compile(r"[A-Za-z]")


class Names:
    """Names defined by the document, and those that the field's own symbols give."""

    def __init__(self, trace: Trace | None) -> None:
        self.trace = trace
        self._defined: dict[tuple[str, tuple[str, ...]], Grid] = {}
        self._zero_based = False
        self._unknown: set[str] = set()
        self._rows_named: dict[tuple[str, str], list[int]] = {}
        self.array = cache(partial(_array, trace))
        """The trace's array of that name, or the one that stands for it."""
        self.whole = cache(partial(_whole, trace))
        """An array as a grid of its cells; one with a single axis stands as a column."""

    def define(self, symbol: Sym, grid: Grid) -> None:
        """A name gets a value."""
        self._defined[symbol.name, symbol.index] = grid
        self.count(symbol)

    def introduce(self, word: str, grid: Grid) -> None:
        """The word of an input's row stands for that row, unless it is a name with a value already."""
        self._defined.setdefault((word, ()), grid)

    def count(self, symbol: Sym) -> None:
        """Notes whether the document counts from 0."""
        self._zero_based = self._zero_based or any(ZERO.fullmatch(item) for item in symbol.index)

    def forget(self, symbol: Sym) -> None:
        """A name that the document gives by what was not understood stands for nothing known."""
        self._unknown.add(symbol.name)

    def value(self, symbol: Sym) -> Grid | None:
        """The grid that a name stands for; None where it stands for nothing known."""
        exact = self._defined.get((symbol.name, symbol.index))
        if exact is not None:
            return exact
        whole = self._defined.get((symbol.name, ()))
        if whole is None:
            whole = self._by_symbol(symbol)
        _, index = array_of(symbol.name, symbol.index)
        return whole if whole is None or not index else self._pick(whole, index)

    def indexed(self, node: Node) -> Node:
        """``S^{10}``, where S is no square matrix, is its element in row 1, column 0: it has no tenth power."""
        if not isinstance(node, Op) or node.op != "^" or not isinstance(node.left, Sym) or node.left.index:
            return node
        power, grid = node.right, self.value(node.left)
        if not isinstance(power, Num) or len(power.text) != 2 or grid is None or grid.shape[0] == grid.shape[1]:
            return node
        return Sym(node.left.name, (f"^{power.text}",), node.span)

    def _by_symbol(self, symbol: Sym) -> Grid | None:
        if self.trace is None or symbol.name in self._unknown:
            return None
        sizes = self.trace.recipe.sizes
        if symbol.name in SIZE_NAMES and symbol.name in sizes:
            return Grid(((Const(sizes[symbol.name]),),))
        name, _ = array_of(symbol.name, symbol.index)
        array = None if name is None else self.array(name)
        return None if array is None else self.whole(array)

    # --- rows ---

    def rows_named(self, text: str, axis: str) -> list[int]:
        """Rows whose words stand in a text, in the order in which they stand there; longer words win."""
        if self.trace is None:
            return []
        known = self._rows_named.get((text, axis))
        if known is None:
            known = self._rows_named[text, axis] = self._find_rows(text, self.trace.labels(axis))
        return known

    def _find_rows(self, text: str, words: Sequence[str]) -> list[int]:
        found: list[tuple[int, int, int]] = []
        for word, row in _forms(tuple(words)):
            for start in _occurrences(word, text):
                found.append((start, -len(word), row))
        found.sort()
        out: list[int] = []
        reached = -1
        for start, negative, row in found:
            if start >= reached:
                out.append(row)
                reached = start - negative
        return out

    def rows_numbered(self, text: str) -> list[int]:
        """Rows that a text counts: "row 2", 第 2 行."""
        numbers = [int(found[1] or found[2]) for found in NUMBERED.finditer(text)]
        self._zero_based = self._zero_based or 0 in numbers
        return [number - (0 if self._zero_based else 1) for number in numbers]

    def labelled(self, array: Name | None, label: str) -> Address | None:
        """The cell of a matrix that a label gives by its row and column and nothing else: "it, cat", "it, d_v=0"."""
        if array is None or self.trace is None or ("," not in label and "，" not in label):
            return None
        words, shaped = PARTED.split(label), self.trace.array(array)
        if len(words) != 2 or len(shaped.axes) != 2:
            return None
        labels = map(self.trace.labels, shaped.axes)
        row, column = map(_place_told, labels, shaped.axes, words)
        if row is None or column is None or row >= shaped.shape[0] or column >= shaped.shape[1]:
            return None
        return Address(array, (row, column))

    def _pick(self, whole: Grid, index: tuple[str, ...]) -> Grid | None:
        """A row or a cell of a grid by its subscripts."""
        items = self._split(index)
        if len(items) == 1 and whole.shape[0] == 1 and self._is_weight(whole):  # of one query, the keys are counted
            places = self._chosen(items[0], self._axis(whole, 1), whole.shape[1])
            return Grid((tuple(whole.rows[0][place] for place in places),)) if places else None
        if not 0 < len(items) <= 2:
            return None
        chosen = [
            self._chosen(item, self._axis(whole, position), size)
            for position, (item, size) in enumerate(zip(items, whole.shape, strict=False))
        ]
        if not all(chosen):
            return None
        rows, columns = chosen[0], chosen[1] if len(chosen) == 2 else range(whole.shape[1])
        vector = len(rows) == 1 or len(columns) == 1
        return Grid(tuple(tuple(whole.rows[i][j] for j in columns) for i in rows), vector and len(rows) != len(columns))

    def _is_weight(self, whole: Grid) -> bool:
        cell = whole.rows[0][0]
        return isinstance(cell, Cell) and cell.address.array == self.array("weight") and whole.shape[1] > 1

    def _chosen(self, item: str, axis: str, size: int) -> Sequence[int]:
        """The places along an axis that a subscript means: one, or those of a slice; none where it means none.

        ``a:b`` in brackets counts as Python does; in a subscript (``a…b``) both ends belong to it, counted as the
        document counts.
        """
        if item == ":":
            return range(size)
        if sliced := SLICE.fullmatch(item):
            return range(size)[slice(*(int(end) if end else None for end in sliced.groups()))]
        first, ellipsis, last = item.partition("…")
        ends = [self.place(end, axis) for end in ((first, last) if ellipsis else (item, item))]
        if None in ends:
            return ()
        start, stop = (end or 0 for end in ends)
        return range(start, stop + 1) if 0 <= start <= stop < size else ()

    def _split(self, index: tuple[str, ...]) -> list[str]:
        """``("21",)`` means row 2, column 1."""
        if len(index) == 1 and len(index[0]) == 2 and index[0].isdigit():
            return list(index[0])
        if len(index) == 1 and len(index[0]) == 3 and index[0][0] == "^" and index[0][1:].isdigit():
            return list(index[0][1:])  # tensor indices stand above the name
        return [item for item in index if not item.startswith("^")]

    def _axis(self, whole: Grid, position: int) -> str:
        cell: Expr = whole.rows[0][0]
        if self.trace is None or not isinstance(cell, Cell) or not self.trace.recipe.has(cell.address.array):
            return ""
        axes = self.trace.array(cell.address.array).axes
        return axes[position] if position < len(axes) else ""

    def place(self, item: str, axis: str = "") -> int | None:
        """The place that a subscript means: a word along the axis, or a number counted as the document counts."""
        if self.trace is not None and axis:
            words = self.trace.labels(axis)
            if item in words:
                return words.index(item)
            lowered = [word.lower() for word in words]
            if item.lower() in lowered:
                return lowered.index(item.lower())
        if item.isdigit():
            return int(item) - (0 if self._zero_based else 1)
        return None


def _place_told(words: Sequence[str], axis: str, said: str) -> int | None:
    """The place along an axis that is told by its word, where no other place has it, or by its number: "d_v=0"."""
    if words.count(said) == 1:
        return words.index(said)
    number = said.removeprefix(f"{axis}=")
    return int(number) if number != said and number.isdecimal() and len(number) < LONGEST_PLACE else None


@lru_cache(MOST_AXES)
def _forms(words: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The words of rows, also as they are written at the begin of a sentence, or in one: "Sun" for "sun"."""
    made = [(word, row) for row, word in enumerate(words)]
    known = set(words)
    for row, word in enumerate(words):
        if len(word) > 2 and word.isascii() and word.isalpha() and not COMMON.fullmatch(word):
            made += [(form, row) for form in (word.capitalize(), word.lower()) if form not in known]
    return tuple(made)


def _occurrences(word: str, text: str) -> list[int]:
    """Where a word stands in a text: anywhere for Chinese, between other signs for letters."""
    if not word.strip():
        return []
    out, start = [], text.find(word)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
        ascii_word = bool(LETTER.match(word)) and word.isascii()
        inside = _joins(before) or _joins(after) if ascii_word else word.isdecimal() and _in_number(text, start, word)
        if not inside:
            out.append(start)
        start = text.find(word, start + 1)
    return out


def _in_number(text: str, start: int, digits: str) -> bool:
    """Whether digits are part of a longer number or of mathematics: no word 2 stands in ``1.2`` or ``√{2}``."""
    before = text[max(0, start - 2) : start]
    return bool(IN_NUMBER[0].search(before) or IN_NUMBER[1].match(text, start + len(digits)))


def _joins(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign == "_")


def given_behind(recipe: Recipe, name: Name) -> frozenset[str]:
    """Names of the given arrays that an array is worked out from."""
    found: set[str] = set()
    stack, seen = [name], {name}
    while stack:
        op = recipe.op(current := stack.pop())
        if op is None:
            found.add(current.name)
            continue
        for source in recipe.sources(op):
            if source not in seen:
                seen.add(source)
                stack.append(source)
    return frozenset(found)


def _array(trace: Trace | None, name: str) -> Name | None:
    if trace is None:
        return None
    for candidate in (name, STANDS_FOR.get(name, name)):
        try:
            return trace.recipe.find(Name(candidate))
        except UnknownArray:
            continue
    return None


def _whole(trace: Trace | None, name: Name) -> Grid | None:
    if trace is None:
        return None
    shape = trace.array(name).shape
    if len(shape) == 1:
        return Grid(tuple((Cell(Address(name, (i,))),) for i in range(shape[0])), flat=True)
    if len(shape) != 2:
        return Grid(((Cell(Address(name)),),)) if not shape else None
    return Grid(tuple(tuple(Cell(Address(name, (i, j))) for j in range(shape[1])) for i in range(shape[0])))

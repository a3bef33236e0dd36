"""Which cells are written out: whose row is followed, and how much of each step is shown."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.explaining.options import SHOW, Options
from workings.steps.step import Array
from workings.terms.address import Address, Name, parse_address, resolve
from workings.terms.digits import nearest_decimal
from workings.terms.errors import UnknownChoice
from workings.traces.trace import Trace

ALL_UP_TO = 4  # cells of the score matrix
ROW_UP_TO = 36
MOST_GRADIENTS = 16  # cells of an array of gradients
ROW_WIDTH = 12  # cells of a row that are still written out in full
RANKING_BITS = 256
RANKING_PLACES = 60  # finer differences than this count as equal, so that ties keep their order
WORD_AXES = ("token", "query", "key")


class Focus:
    """The row that the arithmetic follows, in every array."""

    def __init__(self, trace: Trace, options: Options) -> None:
        if options.show not in SHOW:
            raise UnknownChoice(seen=options.show, choices=list(SHOW))
        self.trace = trace
        words = trace.labels("token")
        token = options.token if options.token is not None else trace.source.focus
        self.row = _find(token, words) if token else len(words) - 1
        self.word = trace.words("token")[self.row]
        self._heaviest: dict[Name, int] = {}
        self.show = self._by_size() if options.show == "auto" else options.show

    def _by_size(self) -> str:
        sizes = self.trace.recipe.sizes
        cells = sizes["query"] * sizes["key"]
        if self.trace.recipe.block.layers > 1 or cells > ROW_UP_TO:
            return "cell"
        return "all" if cells <= ALL_UP_TO else "row"

    def cells(self, array: Array) -> list[Address]:
        """The cells of an array whose arithmetic is written out."""
        everything = list(self.trace.cells(array.name))
        if self.show == "all" or not array.axes or array.axes[0] not in WORD_AXES:
            return everything if self.show == "all" else everything[: 1 if self.show == "cell" else ROW_WIDTH]
        row = self.row_of(array)
        mine = [address for address in everything if address.index[0] == row]
        if self.show == "row":
            return self._not_zero(everything) if array.name.part else mine
        return [mine[min(self.column(array), len(mine) - 1)]]

    def _not_zero(self, everything: list[Address]) -> list[Address]:
        """Of gradients all those that are not 0: where a row is not looked at, nothing comes back to it."""
        return [address for address in everything if self.trace.value(address).exact != 0][:MOST_GRADIENTS]

    def row_of(self, array: Array) -> int:
        """The followed word's row; keys may have more rows (a cache) or other words (a context)."""
        if array.axes[0] == "key":
            words = self.trace.labels("key")
            mine = self.trace.labels("token")[self.row]
            found = [i for i, word in enumerate(words) if word == mine]
            return found[-1] if found else len(words) - 1
        return self.row

    def column(self, array: Array) -> int:
        """The key looked at most, so that every step of a softmax shows the same cell; else the first."""
        if array.axes[1:] != ("key",):
            return 0
        weight = array.name.called("weight")
        if not self.trace.recipe.has(weight):
            return 0
        if weight not in self._heaviest:
            self._heaviest[weight] = heaviest(self.trace, weight, self.row)
        return self._heaviest[weight]

    def rows(self) -> Iterator[int]:
        """The queries whose reading is put into words: all of a small example, else the followed one."""
        return iter(range(self.trace.recipe.sizes["query"])) if self.show != "cell" else iter((self.row,))


def heaviest(trace: Trace, weight: Name, row: int) -> int:
    """The first key with the largest weight of a row."""
    return ranking(trace, weight, row)[0]


def ranking(trace: Trace, name: Name, row: int) -> list[int]:
    """Keys of a row from the largest value to the smallest; equal values keep their order."""

    def size(key: int) -> tuple[int, Fraction]:
        value = trace.value(Address(name, (row, key)))
        if value.infinite:
            return value.infinite, Fraction(0)
        low, high = value.bounds(RANKING_BITS)
        return 0, nearest_decimal((low + high) / 2, RANKING_PLACES)

    return sorted(range(trace.array(name).shape[1]), key=size, reverse=True)


def _find(token: str, words: tuple[str, ...]) -> int:
    """A row by its word; ``它#2`` names the second."""
    word, mark, occurrence = token.rpartition("#")
    if not (mark and occurrence.isdigit() and word) or token in words:
        word, occurrence = token, ""
    quoted = word.replace("\\", "\\\\").replace('"', '\\"')
    _, items = parse_address(f'X["{quoted}"{"#" + occurrence if occurrence else ""}]')
    (row,) = resolve(Name("X"), items, ("token",), (len(words),), (words,))
    return int(row) if isinstance(row, int) else 0

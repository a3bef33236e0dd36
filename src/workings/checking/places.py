"""Which cells a printed value stands for: by its expression, its name, the words around it, or its digits again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from math import inf

from workings.checking.followed import Followed
from workings.checking.grids import Grid
from workings.checking.local import LOCAL
from workings.checking.naming import Names, given_behind
from workings.checking.notation import Mat, Node, Num, Statement, Sym
from workings.checking.paper import Paper
from workings.checking.sentences import Share, of_itself, ordinal, share
from workings.checking.setting import Setting
from workings.checking.usual import Usual
from workings.checking.vocabulary import (
    DIVIDED,
    EITHER,
    STEPS,
    array_of_label,
    array_of_words,
    ends_with_name,
    is_sum_of_weights,
    names_what_follows,
    speaks_of_several,
)
from workings.exact import spans
from workings.steps.language import Add, Cell, Const, Expr, Mul, Printed, cells_of, leaves
from workings.terms.address import WHOLE, Address, IndexItem, Name, parse_address, resolve
from workings.terms.errors import WorkingsError
from workings.terms.numbers import MIN_BITS

SAME_EXAMPLE = 0.5  # an input printed again with fewer equal numbers than that is another input
SHOWN = re.compile(r"print\(\s*(\w+)\s*\)")
MOST_ROWS = 64  # among which a list is looked for as that of one alone
TURNED = re.compile(r"\btransposed?\b|\bcolumns?\s+(?:is|are|for)\s+\w*\s*quer|转置|每一?列\S{0,6}查询", re.IGNORECASE)
CLAUSE = re.compile(r"[,，;；:：]\s*")
SHORT_LABEL = 40  # longer words around a matrix are a sentence, which may speak of other things as well


def row_label(statement: Statement) -> str:
    """What stands before a row of numbers whose heading names the array: which row it is."""
    return "" if array_of_label(statement) is not None else statement.label.strip()


class Places:
    """Where the values of a document belong.

    Args:
        prints: the values printed for a cell so far.

    Attributes:
        row: the row that the text is about.
    """

    def __init__(self, names: Names, setting: Setting, prints: Callable[[Address], Iterator[Fraction]]) -> None:
        self.names, self.setting, self.trace = names, setting, names.trace
        self.row: int | None = None
        self.usual: Usual | None = None
        self.followed: Followed | None = None
        self.results: dict[str, list[Address]] = {}  # decimals as printed -> equalities that they are results of
        self._prints = prints
        self._rows_seen: dict[tuple[tuple[int, int], ...], tuple[Expr, ...]] = {}
        self._needed: dict[Name, frozenset[str]] = {}

    def either(self, statement: Statement) -> str | None:
        """The step that "attention" names: the weights or what is made of them, where the shape fits just one."""
        first, last = statement.links[0].node, statement.links[-1].node
        named = "_".join((first.name, *first.index)) if isinstance(first, Sym) else statement.label
        if named.lower() not in EITHER or not isinstance(last, Mat):
            return None
        arrays = {step: self.names.array(step) for step in ("weight", "head_output")}
        shape = len(last.rows), len(last.rows[0])
        fitting = [
            step
            for step, array in arrays.items()
            if array and (grid := self.names.whole(array)) and grid.shape == shape
        ]
        return fitting[0] if len(fitting) == 1 else None

    def bound(
        self, statement: Statement, node: Node, numbers: list[list[Num]], step: str | None, cells: Grid | None
    ) -> tuple[Grid | None, bool]:
        """Which cells a value stands for, and whether that is sure.

        Those of the expression before it, else those that its name means, else a row printed before with these digits.
        """
        target = None if step is None else self.names.array(step)
        shape = (len(numbers), len(numbers[0]))
        if statement.bind:
            return self._by_mark(statement.bind, shape), True
        worked = None if cells is None else fit(cells, shape, flat=isinstance(node, Mat) and node.flat)
        if worked is not None and (refers(worked) or self._rests(worked)):
            return worked, True
        sums = self._sums_of_weights(statement, numbers) if step == "exp_sum" else None
        if sums is not None:
            return sums, True
        named, sure = self._named(statement, numbers, target)
        told = array_of_words(statement.heading) if target is None else None
        target = target if told is None else self.names.array(told)
        if named is None and worked is None and self._repeated(numbers, target) is None:
            named, sure = self._by_usual(statement, numbers, step)
        if worked is not None and (named is None or not sure):
            return worked, True
        if named is not None and not sure and (again := self._repeated(numbers, target)) is not None:
            return again, True  # its very digits tell more than words that may speak of something else
        return (named, sure) if named is not None else (self._repeated(numbers, target), True)

    def _named(self, statement: Statement, numbers: list[list[Num]], target: Name | None) -> tuple[Grid | None, bool]:
        """The cells of the array that the statement names."""
        if target is not None and any(number.infinite for row in numbers for number in row):
            target = self.names.array("masked") or target
        whole = None if target is None or not self._ready(target, numbers) else self.names.whole(target)
        if whole is None:
            return None, False
        if TURNED.search(statement.label):
            whole = self._turned(whole, numbers)
        fitted = fit(whole, (len(numbers), len(numbers[0])))
        if fitted is None:
            return self._part(statement, whole, numbers, target)
        if not isinstance(statement.links[0].node, Sym) and self._is_another(target, numbers):
            return None, False
        return fitted, self._plain(statement) or isinstance(statement.links[0].node, Sym) or bool(statement.bind)

    def _sums_of_weights(self, statement: Statement, numbers: list[list[Num]]) -> Grid | None:
        """The weights added up row by row, where words say so, or where sums beside the weights are nearer to 1."""
        array, exponentials = self.names.array("weight"), self.names.array("exp_sum")
        whole = None if array is None else self.names.whole(array)
        listed = [*chain(*numbers)]
        if whole is None or len(listed) not in (1, len(whole.rows)):
            return None
        if not is_sum_of_weights(statement.label):
            sums = None if exponentials is None else self.names.whole(exponentials)
            off = sum(abs(number.value - 1) for number in listed)
            if array_of_words(statement.heading) != "weight" or sums is None or len(listed) != len(whole.rows):
                return None
            if off >= self._distance(tuple(chain(*sums.rows)), listed):
                return None
        made = tuple(Add(*row) for row in whole.rows[: len(listed)])
        return fit(Grid((made,), flat=True), (len(numbers), len(numbers[0])))

    def _turned(self, whole: Grid, numbers: list[list[Num]]) -> Grid:
        """An array of which words say that its axes are exchanged, the way that more of the numbers agree with."""
        other, shape = whole.transposed(), (len(numbers), len(numbers[0]))
        if other.shape != shape:
            return whole
        agreeing = [
            sum(map(self._agrees, chain(*numbers), chain(*grid.rows))) if grid.shape == shape else -1
            for grid in (whole, other)
        ]
        return other if agreeing[1] > agreeing[0] else whole

    def _is_another(self, target: Name | None, numbers: list[list[Num]]) -> bool:
        """Whether a matrix that only words call an input has little in common with it."""
        given = None if target is None else self.setting.given.get(target.name)
        if given is None:
            return False
        known = tuple(number.value for row in given for number in row)
        return agreement(tuple(number.value for row in numbers for number in row), known) < SAME_EXAMPLE

    def _by_mark(self, bind: str, shape: tuple[int, int]) -> Grid | None:
        """The cells of the address that a mark binds a statement to: ``score``, ``weight[1]``, ``weight["it"#2,0]``."""
        try:
            name, index = parse_address(bind)
            array = self.names.array(name.name)
            whole = None if array is None else self.names.whole(array)
            if whole is None and self.usual is not None:
                whole = self.usual.grid(name.name)
            return None if whole is None else fit(self._picked(whole, array or name, index), shape)
        except WorkingsError:
            return None

    def _picked(self, whole: Grid, array: Name, index: tuple[IndexItem, ...]) -> Grid:
        """The part of an array that an index means. Raises as ``resolve`` does."""
        axes: tuple[str, ...] = ("", "")
        sizes: tuple[int, ...] = whole.shape
        if self.trace is not None and self.trace.recipe.has(array):
            axes, sizes = self.trace.array(array).axes, self.trace.array(array).shape
        labels = [() if self.trace is None else self.trace.labels(axis) for axis in axes]
        items = (*index, *[WHOLE] * (len(sizes) - len(index)))
        rows, columns = (*resolve(array, items, axes, sizes, labels), WHOLE)[:2]
        picked = whole.rows[rows] if isinstance(rows, slice) else whole.rows[rows : rows + 1]
        if not isinstance(columns, slice):
            picked = tuple(row[columns : columns + 1] for row in picked)
        return Grid(picked, whole.flat or bool(index))

    def _by_usual(self, statement: Statement, numbers: list[list[Num]], step: str | None) -> tuple[Grid | None, bool]:
        """The cells of a step that follows from what the document worked out before."""
        if step not in STEPS or self.usual is None or any(number.infinite for row in numbers for number in row):
            return None, False
        symbol = statement.links[0].node
        usual = self.usual.of(symbol, len(numbers))
        whole = usual.grid(step)
        row, kept = row_label(statement), usual.row(step)
        another = row and kept and (row != kept or usual.is_row(step))  # as printed rows go, not the one known
        if whole is None or another:
            return None, False
        shape = (len(numbers), len(numbers[0]))
        named = isinstance(symbol, Sym)
        fitted = fit(whole, shape, flat=whole.flat)
        if fitted is not None and whole.scalar is None:
            return fitted, named or self._plain(statement)
        if not isinstance(symbol, Sym) or not symbol.index or len(numbers) > 1 or len(numbers[0]) != whole.shape[1]:
            return None, False
        place = self.names.place(symbol.index[-1])
        if place is None or not 0 <= place < len(whole.rows):
            return None, False
        if len(symbol.index) > 1:  # the row of a matrix that has an index of its own
            self.names.define(Sym(symbol.name, symbol.index[:-1], symbol.span), whole)
        return Grid((whole.rows[place],), flat=True), True

    def _plain(self, statement: Statement) -> bool:
        """Whether the words around a value name its array and nothing else."""
        words = statement.label if array_of_label(statement) is not None else statement.heading
        if SHOWN.search(statement.label) or statement.label.lower() in EITHER:
            return True
        return (len(words) <= SHORT_LABEL or names_what_follows(words)) and not speaks_of_several(words)

    def _is_clear(self, statement: Statement) -> bool:
        """Whether the last clause before a list names its array alone: "dividing by the sum, the weights are"."""
        clause = CLAUSE.split(statement.label.rstrip(" :："))[-1]
        several = speaks_of_several(clause)
        named = ends_with_name(clause) and array_of_words(clause) == array_of_label(statement)
        return self._plain(statement) or (not several and (named or DIVIDED.search(clause) is not None))

    def _rests(self, grid: Grid) -> bool:
        """Whether what is worked out rests on decimals alone that are results of the document's own equalities."""
        printed = [leaf for row in grid.rows for cell in row for leaf in leaves(cell) if isinstance(leaf, Printed)]
        return len(printed) > 1 and all(len(self.results.get(node.text, ())) == 1 for node in printed)

    def _results_again(self, numbers: list[Num]) -> tuple[Expr, ...] | None:
        """A list of decimals that were printed before, each as the result of just one equality."""
        found = [self.results.get(number.text, []) for number in numbers]
        if len(found) < 2 or any(len(addresses) != 1 for addresses in found):
            return None
        return tuple(Mul(Const(1), Cell(addresses[0])) for addresses in found)

    def weight_of(self, number: Num, paper: Paper) -> Grid | None:
        """The weight that a percentage in a sentence speaks of: its clause names the word that it goes to.

        Where no word is named, as many percentages as there are weights stand in their order.
        """
        said = share(*paper.said_around(number.span.cell, number.span.start))
        name = self.names.array("weight")
        whole = None if name is None or not self._ready(name, [[number]]) else self.names.whole(name)
        if said is None or whole is None or self.trace is None or name is None:
            return None
        axes = self.trace.array(name).axes
        leads = self._is_named_before(said, axes[1])
        looking = self.names.rows_named(said.lead, axes[0])
        if len(looking) <= leads:  # the clause names only what is looked at: who looks stands before it
            looking = self.names.rows_named(said.opening, axes[0]) or looking
        looking = self._looking_anew(said, axes, leads=leads) or looking
        row = 0 if len(whole.rows) == 1 else looking[0] if looking else self.row
        if row is None or row >= len(whole.rows):
            return None
        keys = [] if leads else self.names.rows_named(said.after, axes[1])
        keys = keys or self.names.rows_named(said.before, axes[1])[-1:]
        column = keys[0] if keys else ordinal(said.after)
        column = ordinal(said.before) if column is None else column
        if of_itself(said.before if leads else said.after):
            column = row
        elif column is None and said.count == whole.shape[1]:
            column = said.position
        if column is None or column >= whole.shape[1]:
            return None
        return Grid(((whole.rows[row][column],),))

    def _looking_anew(self, said: Share, axes: tuple[str, ...], *, leads: bool) -> list[int]:
        """Who looks, where a later part of the clause says so: "sun gives 80 % to moon, moon gives 99 % to sun"."""
        for subject, key in said.subjects:
            looking = self.names.rows_named(subject, axes[0])
            looked_at = looking[1:] if leads else of_itself(key) or self.names.rows_named(key, axes[1])
            if looking and looked_at:
                return looking
        return []

    def _is_named_before(self, said: Share, axis: str) -> bool:
        """Whether the words of a clause stand before their percentages: none stands behind the last, and one before."""
        if said.names_follow or self.names.rows_named(said.tail, axis):
            return False
        return bool(self.names.rows_named(said.before, axis))

    def _ready(self, name: Name, numbers: list[list[Num]]) -> bool:
        """Whether the document has given by now what an array is worked out from."""
        span = numbers[0][0].span
        if self.trace is None:
            return False
        needed = self._needed.get(name)
        if needed is None:
            needed = self._needed[name] = given_behind(self.trace.recipe, name)
        starts = [self.setting.first[array] for array in needed if array in self.setting.first]
        return all(start <= ((span.cell or 0), span.start) for start in starts)

    def _part(
        self, statement: Statement, whole: Grid, numbers: list[list[Num]], target: Name | None
    ) -> tuple[Grid | None, bool]:
        """A row or a cell of an array, by the words around it."""
        rows, columns = whole.shape
        shape = (len(numbers), len(numbers[0]))
        axes = self.trace.array(target).axes if self.trace is not None and target is not None else ()
        queries = self.names.rows_named(statement.label, axes[0]) if axes else []
        if statement.row and not queries:
            queries = self.names.rows_numbered(statement.row)
        by_heading = array_of_label(statement) is None  # then the heading says which array it is, and which row
        if axes and not queries and by_heading and 1 in shape and shape != (1, 1):
            queries = self.names.rows_named(statement.heading, axes[0])
        if shape == (1, 1):
            return self._cell(whole, statement, axes, queries), False
        if shape not in ((1, columns), (columns, 1)):
            return None, False
        listed = [number for line in numbers for number in line]
        followed, shown = self._followed(target, listed) if not queries else (None, False)
        row = queries[0] if queries else self._row_of(whole, listed, target, followed)
        if row is None or row >= rows:
            return None, False
        cells = self._as_column(statement, whole, row, listed) or whole.rows[row]
        guessed = statement.row and axes and self.setting.is_by_order(self._words(axes[0]))
        sure = bool(queries) and not (guessed and self._is_another_row(whole, row, listed))
        if not sure and row == followed and not row_label(statement) and self._is_clear(statement):
            sure = not self._is_another_row(whole, row, listed) and (shown or self._is_nearest(whole, row, listed))
        return Grid((cells,) if shape == (1, columns) else tuple((cell,) for cell in cells)), sure

    def _words(self, axis: str) -> tuple[str, ...]:
        return () if self.trace is None else tuple(self.trace.labels(axis))

    def _is_another_row(self, whole: Grid, row: int, numbers: list[Num]) -> bool:
        """Whether numbers are those of another row than the one meant."""
        others = (cells for place, cells in enumerate(whole.rows) if place != row)
        return not self._fits(whole.rows[row], numbers) and any(self._fits(cells, numbers) for cells in others)

    def _as_column(self, statement: Statement, whole: Grid, at: int, numbers: list[Num]) -> tuple[Expr, ...] | None:
        """The column of an array under a head that names it and a word: "score of cat" over a row for each query.

        Such a head may mean the row of that word as well: the way that more of the numbers agree with.
        """
        node = statement.links[-1].node
        headed = statement.kind == "table" and isinstance(node, Mat) and node.flat and any(node.column_labels)
        if not headed or at >= whole.shape[1] or len(whole.rows) != len(numbers):
            return None
        column = tuple(row[at] for row in whole.rows)
        agreeing = [sum(map(self._agrees, numbers, cells)) for cells in (whole.rows[at], column)]
        return column if agreeing[1] > agreeing[0] else None

    def _followed(self, target: Name | None, numbers: list[Num]) -> tuple[int | None, bool]:
        """The row that the words before a list are about, and whether they have shown numbers of it."""
        if self.followed is None or target is None or target.name not in STEPS:
            return None, False
        return self.followed.row(numbers)

    def _row_of(self, whole: Grid, numbers: list[Num], target: Name | None, followed: int | None) -> int | None:
        """The row that a list without a name is: the one spoken of if its numbers fit, else one whose numbers do."""
        spoken_of = self.row if followed is None else followed
        order = sorted(range(len(whole.rows)), key=lambda row: row != spoken_of)
        fitting = (row for row in order if self._fits(whole.rows[row], numbers))
        first = next(fitting, None)
        is_step = target is not None and target.name in STEPS and len(order) <= MOST_ROWS
        if first is not None and is_step and self.followed is not None and next(fitting, None) is None:
            self.followed.shows(numbers, first)
        return spoken_of if first is None else first

    def _is_nearest(self, whole: Grid, row: int, numbers: list[Num]) -> bool:
        """Whether no other row is nearer to numbers than the one meant."""
        off = [self._distance(cells, numbers) for cells in whole.rows]
        return off[row] == min(off)

    def _distance(self, cells: tuple[Expr, ...], numbers: list[Num]) -> Fraction | float:
        """How far numbers are from those of a row in all."""
        values = [self.trace.value(cell.address) for cell in cells if isinstance(cell, Cell)] if self.trace else []
        if len(values) < len(cells) or any(value.infinite for value in values):
            return inf
        near = [value.bounds(MIN_BITS)[0] for value in values]
        return sum((abs(value - number.value) for value, number in zip(near, numbers, strict=True)), Fraction(0))

    def _fits(self, cells: tuple[Expr, ...], numbers: list[Num]) -> bool:
        return all(self._agrees(number, cell) for number, cell in zip(numbers, cells, strict=True))

    def _agrees(self, number: Num, cell: Expr) -> bool:
        if self.trace is None or not isinstance(cell, Cell):
            return False
        if number.value in self._prints(cell.address):
            return True
        value = self.trace.value(cell.address)
        if value.infinite or number.infinite:
            return value.infinite == number.infinite
        return spans.may_lie_between(value, *spans.around(number.value, number.half))

    def _cell(self, whole: Grid, statement: Statement, axes: tuple[str, ...], queries: list[int]) -> Grid | None:
        rows, columns = whole.shape
        if columns == 1:
            row = queries[0] if queries else self.row
            return Grid((whole.rows[row],)) if row is not None and row < rows else whole if rows == 1 else None
        keys = self.names.rows_named(statement.label, axes[1]) if len(axes) > 1 else []
        if len(queries) >= 2 and len(keys) >= 2 and queries[0] < rows and keys[1] < columns:
            return Grid(((whole.rows[queries[0]][keys[1]],),))
        if keys and self.row is not None and self.row < rows:
            return Grid(((whole.rows[self.row][keys[-1]],),))
        return None

    def _repeated(self, numbers: list[list[Num]], target: Name | None) -> Grid | None:
        """Cells for which these very numbers were printed before, or given: a list of at least two.

        What words call a step is no input that has the same numbers.
        """
        if 1 not in (len(numbers), len(numbers[0])):
            return None
        key = tuple(number.value.as_integer_ratio() for row in numbers for number in row)
        found = self._rows_seen.get(key) if len(key) > 1 else None
        if found is None:
            found = self._results_again([number for row in numbers for number in row])
        if found is None or (target is not None and self._is_input_but(found, target)):
            return None
        return Grid((found,) if len(numbers) == 1 else tuple((cell,) for cell in found))

    def _is_input_but(self, cells: tuple[Expr, ...], target: Name) -> bool:
        """Whether cells are of an input that is not the array named."""
        arrays = {cell.address.array for cell in cells if isinstance(cell, Cell)}
        return target not in arrays and all(array.name in self.setting.given for array in arrays)

    def remember(self, numbers: list[list[Num]], bound: Grid) -> None:
        """Rows as they were printed, so that a repeated one is known again."""
        for line, cells in zip(numbers, bound.rows, strict=True):
            if len(line) > 1 and all_cells(Grid((cells,))):
                self._rows_seen.setdefault(tuple(number.value.as_integer_ratio() for number in line), cells)


def fit(grid: Grid, shape: tuple[int, int], *, flat: bool = False) -> Grid | None:
    """The grid in the shape of the printed value; a list may stand for a row or a column."""
    if grid.shape == shape:
        return grid
    if (grid.flat or flat or 1 in shape) and grid.transposed().shape == shape:
        return grid.transposed()
    return None


def by_place(grid: Grid, names: Names) -> Grid:
    """Cells by their places where a matrix or a row was recognised cell by cell: equal numbers look alike."""
    arrays = {cell.address.array for row in grid.rows for cell in row if isinstance(cell, Cell)}
    if len(arrays) != 1 or Name(LOCAL) in arrays or not all_cells(grid) or grid.shape == (1, 1):
        return grid
    whole = names.whole(arrays.pop())
    if whole is None or grid.rows == whole.transposed().rows:
        return grid
    if whole.shape == grid.shape:
        return whole
    row = [cell.address.index for cell in grid.rows[0] if isinstance(cell, Cell)]
    rows = [index[0] for place, index in enumerate(row) if index[-1] == place]
    if grid.shape == (1, whole.shape[1]) and rows:
        return Grid((whole.rows[max(rows, key=rows.count)],), grid.flat)
    return grid


def all_cells(grid: Grid) -> bool:
    """Whether everything in a grid is a cell."""
    return all(isinstance(cell, Cell) for row in grid.rows for cell in row)


def agreement(printed: tuple[Fraction, ...], known: tuple[Fraction, ...]) -> float:
    """The share of numbers that are the same, or 0 for another length."""
    if len(printed) != len(known):
        return 0.0
    return sum(a == b for a, b in zip(printed, known, strict=True)) / len(known)


def refers(grid: Grid) -> bool:
    """Whether what is worked out rests on named numbers, not only on written ones."""
    return all(isinstance(cell, Cell) or cells_of(cell) for row in grid.rows for cell in row)

"""Binds every printed number of a document to a cell, or to the equality it stands in, and has it judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.checking.claims import Claim, Differing
from workings.checking.grids import Grid, NotAGrid, Reader
from workings.checking.grids import number as number_of
from workings.checking.judging import Judge, Print
from workings.checking.lifting import Lifting
from workings.checking.naming import Names, given_behind
from workings.checking.notation import Link, Mat, Node, Num, Statement, Sym, Unread
from workings.checking.notation import Span as Stretch
from workings.checking.paper import Paper, Place
from workings.checking.setting import Setting, number_rows, pure
from workings.checking.verdicts import Verdict
from workings.checking.vocabulary import array_of_name, array_of_words, names_what_follows, speaks_of_several
from workings.exact import spans
from workings.exact.spans import Span
from workings.steps.language import Cell, Expr, Infinity, Printed, rebuild, walk
from workings.terms.address import Address, Name
from workings.terms.numbers import Value
from workings.traces.trace import Trace

LOCAL = "equality"
ACCEPTED = (Verdict.EXACT, Verdict.CORRECTLY_ROUNDED, Verdict.CONSISTENT)
SIZES = re.compile(r"d_|维度|维数|dimension|heads|头数|layers|层数", re.IGNORECASE)
DANGLING = re.compile(r"[=×*·+−/÷-]\s*$")
SAME_EXAMPLE = 0.5  # an input printed again with fewer equal numbers than that is another input
SHORT_LABEL = 40  # longer words around a matrix are a sentence, which may speak of other things as well
APPROXIMATE = re.compile(r"[≈~≃约]")


class Binder:
    """One document, statement by statement.

    Args:
        traces: the computation under each divisor that the document may mean, the declared one first; empty where
            its inputs make no recipe.
    """

    def __init__(self, paper: Paper, setting: Setting, traces: Sequence[tuple[str, Trace]], *, lenient: bool) -> None:
        self.paper, self.setting = paper, setting
        self.trace = traces[0][1] if traces else None
        self.names = Names(self.trace)
        self.local: dict[Address, Expr] = {}
        self.claims: list[Claim] = []
        self.unread: list[Unread] = []
        self.judges = [(divisor, self._judge(trace, lenient)) for divisor, trace in traces] or [
            ("", self._judge(None, lenient))
        ]
        self.lifting = Lifting(self.trace, self._latest_prints)
        self.reader = Reader(self.names.value, self.lifting.lift)
        self._prints: dict[Address, list[Claim]] = {}
        self._rows_seen: dict[tuple[Fraction, ...], tuple[Expr, ...]] = {}
        self._pending: Grid | None = None  # an expression whose value the next statement prints
        self._needed: dict[Name, frozenset[str]] = {}
        self._results: dict[str, list[Address]] = {}  # decimals as printed -> equalities that they are results of
        self._row: int | None = None

    # --- statements ---

    def take(self, statement: Statement) -> None:
        """Bind and judge the numbers of one statement."""
        if not statement.claimed:
            for number in _all_numbers(statement):
                self._add(Claim(number, self._place(number.span), None, "", Verdict.NOT_A_CLAIM))
            return
        self._look_for_row(statement)
        target = self._target(statement)
        self.lifting.expect(target, self._row)
        pending, self._pending = self._pending, None
        if DANGLING.search(statement.label) or statement.label.count("(") > statement.label.count(")"):
            self._after_words(statement, target)
            return
        cells = self._chain(statement, target, pending)
        self._define(statement, cells)

    def _after_words(self, statement: Statement, target: Name | None) -> None:
        """A chain whose beginning is in words: what it works out is not all there, only what it is about."""
        for link in statement.links:
            if pure(link.node):
                self._values(statement, link, target, None, None)

    def _chain(self, statement: Statement, target: Name | None, pending: Grid | None) -> Grid | None:
        """The members of a chain in turn; the cells that it is about."""
        cells: Grid | None = None
        meant: Grid | None = None  # what the chain's own name stands for, where nothing is worked out
        expression: Stretch | None = None
        for position, link in enumerate(statement.links):
            if pure(link.node):
                about = cells or meant or (pending if position == 0 else None)
                cells = self._values(statement, link, target, about, expression) or cells
                continue
            grid = self._grid(link.node)
            if grid is None:
                continue
            if position == 0 and isinstance(link.node, Sym) and len(statement.links) > 1:
                passing = grid.scalar is not None and target is not None  # "sum" is another one in each row
                meant = None if passing or self._is_given_here(grid) else grid
                continue
            expression = expression or link.node.span
            if _all_cells(grid) or cells is None or not _all_cells(cells):
                cells = grid
        if not any(pure(link.node) for link in statement.links):
            self._pending = cells if cells is not None and _refers(cells) else None
        return cells

    def _grid(self, node: Node) -> Grid | None:
        try:
            return self._settled(self.reader.grid(node))
        except NotAGrid:
            return None

    def _is_given_here(self, grid: Grid) -> bool:
        """Whether a name stands for numbers that the document just wrote down: it may get others."""
        cells = [cell.address for row in grid.rows for cell in row if isinstance(cell, Cell)]
        return bool(cells) and all(isinstance(self.local.get(address), (Printed, Infinity)) for address in cells)

    def starts_anew(self, statement: Statement) -> bool:
        """Whether a statement gives an input once more with other numbers: another example begins."""
        if len(statement.links) != 2 or not isinstance(statement.links[0].node, Sym) or statement.links[0].node.index:
            return False
        value, target = statement.links[1].node, self._target(statement)
        if not pure(value) or target is None or target.name not in self.setting.given:
            return False
        numbers = [number for row in number_rows(value) for number in row]
        if len(numbers) < 2 or any(self.setting.is_input(number) for number in numbers):
            return False
        known = [tuple(number.value for number in row) for row in self.setting.given[target.name]]
        flat = tuple(value for row in known for value in row)
        printed = tuple(number.value for number in numbers)
        same = max(_agreement(printed, other) for other in (flat, *known))
        return same < SAME_EXAMPLE

    def _settled(self, grid: Grid) -> Grid:
        """Cells by their places where a matrix or a row was recognised cell by cell: equal numbers look alike."""
        arrays = {cell.address.array for row in grid.rows for cell in row if isinstance(cell, Cell)}
        if len(arrays) != 1 or Name(LOCAL) in arrays or not _all_cells(grid) or grid.shape == (1, 1):
            return grid
        whole = self.names.whole(arrays.pop())
        if whole is None:
            return grid
        if whole.shape == grid.shape:
            return whole
        rows = [cell.address.index[0] for row in grid.rows for cell in row if isinstance(cell, Cell)]
        if grid.shape == (1, whole.shape[1]):
            return Grid((whole.rows[max(rows, key=rows.count)],), grid.flat)
        return grid

    def _define(self, statement: Statement, cells: Grid | None) -> None:
        """Every name that the chain begins with stands for its cells from now on."""
        if cells is None:
            return
        for link in statement.links[:-1]:
            if not isinstance(link.node, Sym):
                break
            self.names.define(link.node, cells)

    def _look_for_row(self, statement: Statement) -> None:
        named = self.names.rows_named(statement.label, "query") or self.names.rows_named(statement.heading, "query")
        if named:
            self._row = named[0]

    def _target(self, statement: Statement) -> Name | None:
        """The array that the statement's own name, label or heading means."""
        if statement.bind:
            return self.names.array(statement.bind.partition("[")[0])
        first = statement.links[0].node
        words = [array_of_words(statement.label), array_of_words(statement.heading)]
        if isinstance(first, Sym) and len(statement.links) > 1 and not DANGLING.search(statement.label):
            words = [array_of_name(first.name)]
        for name in words:
            if name is not None:
                return self.names.array(name)
        return None

    # --- values ---

    def _values(
        self, statement: Statement, link: Link, target: Name | None, cells: Grid | None, expression: Stretch | None
    ) -> Grid | None:
        """Claims for a number or a matrix of numbers; the grid of cells that they stand for."""
        numbers = number_rows(link.node)
        if numbers[0][0].infinite and len(numbers) == len(numbers[0]) == 1:
            return None  # a lone infinity says what is masked
        if self._is_setting(statement, numbers, cells):
            return None
        bound, sure = self._bound(statement, link.node, numbers, target, cells)
        if bound is None:
            return self._unbound(statement, link, numbers)
        bound = bound.map(self._as_cell)
        said = "" if expression is None else self._source(expression)
        approximate = bool(APPROXIMATE.search(link.relation))
        self._remember(numbers, bound)
        for number_row, cell_row in zip(numbers, bound.rows, strict=True):
            for number, cell in zip(number_row, cell_row, strict=True):
                self._claim(number, cell, said, approximate=approximate, sure=sure)
        return bound

    def _unbound(self, statement: Statement, link: Link, numbers: list[list[Num]]) -> Grid | None:
        """A named matrix from which later equalities may be worked out is given; anything else was not understood."""
        if isinstance(statement.links[0].node, Sym) and len(statement.links) > 1:
            return Grid(tuple(tuple(map(number_of, row)) for row in numbers)).map(self._as_cell)
        if not all(self.setting.is_input(number) for row in numbers for number in row):
            text = " ".join(number.text for row in numbers for number in row)
            self.unread.append(Unread(text, "no-binding", link.node.span))
        return None

    def _is_setting(self, statement: Statement, numbers: list[list[Num]], cells: Grid | None) -> bool:
        """Whether a lone number states a size or the divisor, which are no results."""
        if cells is not None or len(numbers) != 1 or len(numbers[0]) != 1:
            return False
        number = numbers[0][0]
        if number.half == 0 and SIZES.search(statement.label):
            return True
        return number.text == self.setting.divisor

    def _bound(
        self, statement: Statement, node: Node, numbers: list[list[Num]], target: Name | None, cells: Grid | None
    ) -> tuple[Grid | None, bool]:
        """Which cells a value stands for, and whether that is sure.

        Those of the expression before it, else those that its name means, else a row printed before with these digits.
        """
        shape = (len(numbers), len(numbers[0]))
        worked = None if cells is None else _fit(cells, shape, flat=isinstance(node, Mat) and node.flat)
        if worked is not None and _refers(worked):
            return worked, True
        named, sure = self._named(statement, numbers, target)
        if worked is not None and (named is None or not sure):
            return worked, True
        return (named, sure) if named is not None else (self._repeated(numbers), True)

    def _named(self, statement: Statement, numbers: list[list[Num]], target: Name | None) -> tuple[Grid | None, bool]:
        """The cells of the array that the statement names."""
        if target is not None and any(number.infinite for row in numbers for number in row):
            target = self.names.array("masked") or target
        whole = None if target is None or not self._ready(target, numbers) else self.names.whole(target)
        if whole is None:
            return None, False
        fitted = _fit(whole, (len(numbers), len(numbers[0])))
        if fitted is None:
            return self._part(statement, whole, numbers, target)
        if not isinstance(statement.links[0].node, Sym) and self._is_another(target, numbers):
            return None, False
        words = statement.label if array_of_words(statement.label) is not None else statement.heading
        plain = (len(words) <= SHORT_LABEL or names_what_follows(words)) and not speaks_of_several(words)
        return fitted, plain or isinstance(statement.links[0].node, Sym) or bool(statement.bind)

    def _is_another(self, target: Name | None, numbers: list[list[Num]]) -> bool:
        """Whether a matrix that only words call an input has little in common with it."""
        given = None if target is None else self.setting.given.get(target.name)
        if given is None:
            return False
        known = tuple(number.value for row in given for number in row)
        return _agreement(tuple(number.value for row in numbers for number in row), known) < SAME_EXAMPLE

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
        if shape == (1, 1):
            return self._cell(whole, statement, axes, queries), False
        if shape not in ((1, columns), (columns, 1)):
            return None, False
        row = queries[0] if queries else self._row_of(whole, [number for line in numbers for number in line])
        if row is None or row >= rows:
            return None, False
        cells = whole.rows[row]
        return Grid((cells,) if shape == (1, columns) else tuple((cell,) for cell in cells)), bool(queries)

    def _row_of(self, whole: Grid, numbers: list[Num]) -> int | None:
        """The row that a list without a name is: the one spoken of if its numbers fit, else one whose numbers do."""
        order = sorted(range(len(whole.rows)), key=lambda row: row != self._row)
        for row in order:
            if all(self._agrees(number, cell) for number, cell in zip(numbers, whole.rows[row], strict=True)):
                return row
        return self._row

    def _agrees(self, number: Num, cell: Expr) -> bool:
        if self.trace is None or not isinstance(cell, Cell):
            return False
        if number.value in self._latest_prints(cell.address):
            return True
        value = self.trace.value(cell.address)
        if value.infinite or number.infinite:
            return value.infinite == number.infinite
        low, high = value.bounds(spans.BITS)
        return low <= number.value + number.half and number.value - number.half <= high

    def _cell(self, whole: Grid, statement: Statement, axes: tuple[str, ...], queries: list[int]) -> Grid | None:
        rows, columns = whole.shape
        if columns == 1:
            row = queries[0] if queries else self._row
            return Grid((whole.rows[row],)) if row is not None and row < rows else whole if rows == 1 else None
        keys = self.names.rows_named(statement.label, axes[1]) if len(axes) > 1 else []
        if len(queries) >= 2 and len(keys) >= 2 and queries[0] < rows and keys[1] < columns:
            return Grid(((whole.rows[queries[0]][keys[1]],),))
        if keys and self._row is not None and self._row < rows:
            return Grid(((whole.rows[self._row][keys[-1]],),))
        return None

    def _repeated(self, numbers: list[list[Num]]) -> Grid | None:
        """Cells for which these very numbers were printed before, or given: a list of at least two."""
        key = tuple(number.value for row in numbers for number in row)
        found = self._rows_seen.get(key) if len(key) > 1 else None
        if found is None:
            return None
        return Grid((found,) if len(numbers) == 1 else tuple((cell,) for cell in found))

    # --- claims ---

    def _remember(self, numbers: list[list[Num]], bound: Grid) -> None:
        """Rows as they were printed, so that a repeated one is known again."""
        for line, cells in zip(numbers, bound.rows, strict=True):
            if len(line) > 1 and _all_cells(Grid((cells,))):
                self._rows_seen.setdefault(tuple(number.value for number in line), cells)

    def _claim(self, number: Num, cell: Expr, said: str, *, approximate: bool, sure: bool) -> None:
        if self.setting.is_input(number) or not isinstance(cell, Cell):
            return
        address = cell.address
        half = number.half
        if approximate and half == 0 and number.value.denominator == 1 and not number.infinite:
            half = Fraction(1, 2)
        shown = Print(number.value, half, number.infinite, number.ellipsis)
        judged = [(judge.judge(address, shown), divisor) for divisor, judge in self.judges]
        best = min(judged, key=lambda pair: pair[0].verdict.rank)
        judgement, divisor = next((pair for pair in judged if pair[0].verdict in ACCEPTED), best)
        bound = None if address.array.name == LOCAL else address
        verdict = judgement.verdict
        if not sure and verdict in (Verdict.WRONG, Verdict.TRUNCATED):
            verdict = Verdict.UNSURE
        claim = Claim(number, self._place(number.span), bound, said, verdict, judgement, divisor)
        if bound is None and "." in number.text and address not in self._results.setdefault(number.text, []):
            self._results[number.text].append(address)
        self._add(claim)
        self._prints.setdefault(address, []).append(claim)

    def _as_cell(self, formula: Expr) -> Expr:
        """A cell of the document's own for an expression that is none of the recipe's."""
        if isinstance(formula, Cell):
            return formula
        address = Address(Name(LOCAL), (len(self.local),))
        self.local[address] = self._linked(formula)
        return Cell(address)

    def _linked(self, formula: Expr) -> Expr:
        """Decimals that were printed before, as the result of just one equality, stand for that result."""
        if isinstance(formula, Printed):
            known = self._results.get(formula.text, ())
            return Cell(known[0]) if len(known) == 1 else formula
        return rebuild(formula, self._linked)

    def _add(self, claim: Claim) -> None:
        self.claims.append(claim)

    def _latest_prints(self, address: Address) -> Iterator[Fraction]:
        return (claim.number.value for claim in self._prints.get(address, ()) if not claim.number.infinite)

    def _place(self, span: Stretch) -> Place:
        return self.paper.place(span.cell, span.start)

    def _source(self, span: Stretch) -> str:
        return self.paper.sources[span.cell or 0][span.start : span.stop]

    # --- judging ---

    def _judge(self, trace: Trace | None, lenient: bool) -> Judge:
        def formula(address: Address) -> Expr | None:
            if address.array.name == LOCAL:
                return self.local[address]
            return None if trace is None else trace.expansion.cell(address)

        known: dict[tuple[Address, int], Span] = {}

        def held(address: Address, bits: int) -> Span:
            if address.array.name != LOCAL:
                return spans.NOTHING if trace is None else spans.of(trace.engine, address, bits)
            found = known.get((address, bits))
            if found is None:
                found = known[address, bits] = spans.apply(self.local[address], lambda at: held(at, bits), bits)
            return found

        def true(address: Address) -> Value:
            if address.array.name == LOCAL or trace is None:
                return spans.value(lambda bits: held(address, bits))
            return trace.value(address)

        return Judge(formula, true, lenient)

    def operands(self) -> list[tuple[Num, Address]]:
        """Numbers inside expressions, with the cells that they stand for."""
        known = self.reader.numbers
        return [(known[id(cell)][1], address) for cell, address in self.lifting.operands if id(cell) in known]

    def differing(self) -> list[Differing]:
        """Quantities printed more than once whose prints exclude each other."""
        out = []
        for address, prints in self._prints.items():
            for other in prints[1:]:
                slack = prints[0].number.half + other.number.half
                if abs(prints[0].number.value - other.number.value) > slack and address.array.name != LOCAL:
                    out.append(Differing(address, prints[0], other))
        return out


def _fit(grid: Grid, shape: tuple[int, int], *, flat: bool = False) -> Grid | None:
    """The grid in the shape of the printed value; a list may stand for a row or a column."""
    if grid.shape == shape:
        return grid
    if (grid.flat or flat or 1 in shape) and grid.transposed().shape == shape:
        return grid.transposed()
    return None


def _all_cells(grid: Grid) -> bool:
    return all(isinstance(cell, Cell) for row in grid.rows for cell in row)


def _agreement(printed: tuple[Fraction, ...], known: tuple[Fraction, ...]) -> float:
    """The share of numbers that are the same, or 0 for another length."""
    if len(printed) != len(known):
        return 0.0
    return sum(a == b for a, b in zip(printed, known, strict=True)) / len(known)


def _refers(grid: Grid) -> bool:
    """Whether what is worked out rests on named numbers, not only on written ones."""
    return all(any(isinstance(node, Cell) for node in walk(cell)) for row in grid.rows for cell in row)


def _all_numbers(statement: Statement) -> Iterator[Num]:
    for link in statement.links:
        if pure(link.node):
            yield from (number for row in number_rows(link.node) for number in row)

"""Binds every printed number of a document to a cell, or to the equality it stands in, and has it judged."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice

from workings.checking.below import Below
from workings.checking.claims import Claim, Differing
from workings.checking.followed import Followed
from workings.checking.grids import Grid, NotAGrid, Reader
from workings.checking.grids import number as number_of
from workings.checking.judging import ACCEPTED, Judgement, Judges, Print
from workings.checking.lifting import Lifting, canonical, half_unit
from workings.checking.local import LOCAL, judge_of
from workings.checking.masking import NONE, Part
from workings.checking.naming import Names
from workings.checking.notation import Link, Mat, Node, Num, Op, Statement, Sym, Unread
from workings.checking.notation import Span as Stretch
from workings.checking.own_cells import OwnCells
from workings.checking.paper import Paper, Place
from workings.checking.places import SAME_EXAMPLE, SHOWN, Places, agreement, all_cells, by_place, refers, row_label
from workings.checking.prints import Prints
from workings.checking.rewriting import of_elements, under_softmax, worked_out
from workings.checking.sentences import adds_no_epsilon, named_anew
from workings.checking.setting import Setting, means_input, number_rows, pure
from workings.checking.signs import all_numbers, is_mask, is_masked, is_quotient, is_size, opens_before, quotient
from workings.checking.unused import Unused
from workings.checking.usual import Usual, step_of
from workings.checking.verdicts import Verdict
from workings.checking.vocabulary import (
    ELSEWHERE,
    addressed,
    array_of_label,
    array_of_name,
    array_of_words,
    speaks_of_several,
)
from workings.checking.written import APPROXIMATE, Written, of_numbers, over, shown
from workings.steps.language import Cell, Const, Expr, Printed, rebuild, walk
from workings.terms.address import Address, Name
from workings.terms.weakly import weakly
from workings.traces.trace import Trace

SIZES = re.compile(r"d_|维度|维数|dimension|heads|头数|layers|层数", re.IGNORECASE)
MOST_NODES = 256
DANGLING = re.compile(r"[=×*·+−/÷-]\s*$")
PERCENT = re.compile(r"[%％]")


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
        self.local = OwnCells()
        self.below, self.unused = Below(), Unused(self.trace)
        self.claims: list[Claim] = []
        self.unread: list[Unread] = []
        computed = traces or (("", None),)
        self.judges = Judges([(divisor, judge_of(trace, self.local.formulas, lenient)) for divisor, trace in computed])
        self._prints = Prints()
        self.lifting = Lifting(self.trace, self._prints.values)
        self.reader = Reader(self.names.value, self.lifting.lift, partial(adds_no_epsilon, paper))
        self.written = Written(
            paper, setting.given.values(), self.reader, self.lifting, self.judges, weakly(self._as_cell)
        )
        self.usual = Usual(self.names, self.reader, setting.divisor, weakly(self._as_cell))
        self._worked_out: dict[tuple[Hashable, Fraction], Address] = {}  # by form and printed result
        self.places = Places(self.names, setting, self._prints.values)
        self.places.usual, self.places.followed = self.usual, Followed(paper, self.names)
        self._heading = ""
        self._standing: dict[Stretch, Cell] = {}  # numbers in expressions -> the parts that they are the values of
        self.part = Part(NONE)
        self.assumed = ""  # the divisor, where the document does not say it and it matters
        self._pending: tuple[Grid, Stretch] | None = None  # an expression whose value the next statement prints

    # --- statements ---

    def take(self, statement: Statement) -> None:
        """Bind and judge the numbers of one statement."""
        if not statement.claimed:
            for number in all_numbers(statement):
                self.claims.append(Claim(number, self._place(number.span), None, "", Verdict.NOT_A_CLAIM))
            return
        self._look_for_row(statement)
        self._look_at_indices(statement)
        step = self._step(statement)
        array = None if step is None else self.names.array(step)
        self.lifting.expect(array, self.places.row, self.names.labelled(array, statement.label))
        pending, self._pending = self._awaited(statement), None
        if DANGLING.search(statement.label) or opens_before(statement.label):
            self._after_words(statement, step)
            return
        cells = self._chain(statement, step, pending)
        self._told_below(statement, cells)
        self._define(statement, cells)

    def _awaited(self, statement: Statement) -> Grid | None:
        """The expression before a statement whose value it prints; none where a new sentence names another array."""
        if self._pending is None:
            return None
        cells, span = self._pending
        between = self.paper.sources[span.cell or 0][span.stop : statement.span.start]
        named = named_anew(between) if span.cell == statement.span.cell else None
        array = None if named is None else self.names.array(named)
        arrays = {cell.address.array for row in cells.rows for cell in row if isinstance(cell, Cell)}
        return None if array is not None and arrays and not arrays & {array, Name(LOCAL)} else cells

    def _after_words(self, statement: Statement, step: str | None) -> None:
        """A chain whose beginning is in words: what it works out is not all there, only what it is about."""
        for link in statement.links:
            if pure(link.node):
                self._values(statement, link, step, None, None)

    def _told_below(self, statement: Statement, cells: Grid | None) -> None:
        """A claim for the number in the table above that a labelled line works out once more."""
        cell = None if cells is None else cells.scalar
        number = self.below.told(statement) if isinstance(cell, Cell) and cell.address.array.name == LOCAL else None
        if number is not None and isinstance(cell, Cell):
            form = canonical(self.local.formulas[cell.address]), number.value
            again = self.local.copy(self._worked_out.get(form, cell.address))
            self._claim(number, again, "", approximate=False, sure=True)

    def _chain(self, statement: Statement, step: str | None, pending: Grid | None) -> Grid | None:
        """The members of a chain in turn; the cells that it is about."""
        cells: Grid | None = None
        meant: Grid | None = None  # what the chain's own name stands for, where nothing is worked out
        expression: Stretch | None = None
        written: tuple[Grid, Stretch] | None = None  # the last expression, where it is arithmetic with numbers alone
        for position, link in enumerate(statement.links):
            named = position > 0 and (cells is not None or isinstance(statement.links[0].node, Sym))
            if pure(link.node) and (named or not is_quotient(link.node, len(statement.links) - position)):
                about = cells or meant or (pending if position == 0 else None)
                bound = self._values(statement, link, step, about, expression)
                self.written.hold(self.claims, written, link, bound)
                cells, written = bound or cells, None
                continue
            self._rewritten(statement.links[position - 1].node if position else None, link.node)
            grid = self._worked(link.node)
            if grid is None:
                continue
            if position == 0 and isinstance(link.node, Sym) and len(statement.links) > 1:
                passing = grid.scalar is not None and not link.node.index  # "sum" is another one in each row
                passing = passing and step is not None and self.names.array(step) is not None
                meant = None if passing or self.local.are_written(grid) else grid
                continue
            written = (grid, link.node.span) if of_numbers(grid) else None
            expression = expression or link.node.span
            if all_cells(grid) or cells is None or not all_cells(cells):
                cells = grid
        if not any(pure(link.node) for link in statement.links):
            self._pending = (cells, statement.span) if cells is not None and refers(cells) else None
        return cells

    def _worked(self, node: Node) -> Grid | None:
        """What a member of a chain works out; a fraction of whole numbers before a relation is a division."""
        if pure(node):
            return Grid(
                tuple(tuple(map(quotient, row)) for row in number_rows(node)), isinstance(node, Mat) and node.flat
            )
        return self._masked_weights(node) or self._grid(self.names.indexed(node))

    def _masked_weights(self, node: Node) -> Grid | None:
        """``softmax(QKᵀ/√d_k)`` beside a mask: the formula as it is always written, meant with the mask."""
        softmaxed = under_softmax(node)
        if softmaxed is None:
            return None
        arrays = [self.names.array(name) for name in ("masked", "scaled", "weight")]
        if None in arrays:
            return None
        masked, scaled, weight = (None if name is None else self.names.whole(name) for name in arrays)
        inner = self._grid(softmaxed)
        meant = masked != scaled and inner is not None and scaled is not None and inner.rows == scaled.rows
        return weight if meant else None

    def _rewritten(self, before: Node | None, node: Node) -> None:
        """Claims for the parts of an expression that the next member of its chain has as numbers."""
        for part, result in [] if before is None else worked_out(before, node):
            grid = Grid(((Const(part.value),),)) if isinstance(part, Num) else self._grid(part)
            for cell, number in [] if grid is None else over(grid, number_rows(result)):
                own = self._as_cell(cell)
                self._claim(number, own, self._source(part.span), approximate=False, sure=True)
                if isinstance(own, Cell):
                    self._standing[number.span] = own

    def _grid(self, node: Node) -> Grid | None:
        known = len(self.lifting.operands)
        try:
            return by_place(self.reader.grid(node), self.names)
        except NotAGrid:
            return None
        finally:
            for printed, address in self.lifting.operands[known:]:
                if printed.value is not None:
                    self.judges.note(address, Print(printed.value, half_unit(printed.text)))

    def starts_anew(self, statement: Statement) -> bool:
        """Whether a statement gives an input once more with other numbers: another example begins."""
        if len(statement.links) != 2 or not isinstance(statement.links[0].node, Sym) or statement.links[0].node.index:
            return False
        value, target = statement.links[1].node, self._target(statement)
        if not pure(value) or target is None or target.name not in self.setting.given:
            return False
        if target.name != (array_of_name(statement.links[0].node.name) or target.name):
            return False
        numbers = [number for row in number_rows(value) for number in row]
        if len(numbers) < 2 or any(self.setting.is_input(number) for number in numbers):
            return False
        known = [tuple(number.value for number in row) for row in self.setting.given[target.name]]
        flat = tuple(value for row in known for value in row)
        printed = tuple(number.value for number in numbers)
        same = max(agreement(printed, other) for other in (flat, *known))
        return same < SAME_EXAMPLE

    def _define(self, statement: Statement, cells: Grid | None) -> None:
        """Every name that the chain begins with stands for its cells from now on."""
        last = statement.links[-1].node
        if is_size(statement.links[0].node) and isinstance(last, Num):
            cells = Grid(((Const(last.value),),))  # as the recipe has it, so that √d_k is the recipe's
        if cells is None or ELSEWHERE.search(statement.label):
            return
        cells = cells.map(self._kept_small)
        if self._introduces(statement):
            self.names.introduce(statement.row, cells)
        for link in statement.links[:-1]:
            if not isinstance(link.node, Sym):
                break
            self.names.define(link.node, cells)

    def _introduces(self, statement: Statement) -> bool:
        """Whether a labelled row is an input's: its word stands for it."""
        return bool(statement.row) and all(map(self.setting.is_input, all_numbers(statement)))

    def _kept_small(self, cell: Expr) -> Expr:
        """Long expressions become cells of their own before names stand for them, so that none grows without end."""
        if isinstance(cell, Cell):
            return cell
        return self._as_cell(cell) if len(list(islice(walk(cell), MOST_NODES + 1))) > MOST_NODES else cell

    def give_up(self, statement: Statement) -> None:
        """Notes the numbers of a statement that nests too deep to be worked out."""
        claimed = {claim.number.span for claim in self.claims}
        for number in all_numbers(statement):
            if number.span not in claimed:
                self.unread.append(Unread(number.text, "too-deep", number.span))

    def confine(self, part: Part) -> None:
        """Forget what stands outside a part of the document: there another mask holds."""
        self.part = part
        if part.whole:
            return
        self.claims = [claim for claim in self.claims if part.holds(claim.number.span)]
        self.unread = [item for item in self.unread if part.holds(item.span)]
        self._prints.confine(self.claims)

    def _look_for_row(self, statement: Statement) -> None:
        said = (statement.label, statement.heading)
        named = [row for text in said for row in self.names.rows_named(text, "query")]
        if not named and said[1] != self._heading:
            named = [row for text in said for row in self.names.rows_numbered(text)]
        self._heading = said[1]
        if named:
            self.places.row = named[0]

    def _look_at_indices(self, statement: Statement) -> None:
        """Notes how the document counts; ``S_ij = q_i·k_j / √2`` defines S by its elements."""
        symbol = statement.links[0].node
        if not isinstance(symbol, Sym) or not symbol.index or len(statement.links) < 2:
            return
        self.names.count(symbol)
        node = statement.links[1].node
        if isinstance(node, Op) and len(letters := "".join(symbol.index).replace("^", "")) == 2 and letters.isalpha():
            whole = Sym(symbol.name, (), symbol.span)
            grid = self._grid(of_elements(node))
            if grid is None or grid.scalar is not None:
                self.names.forget(whole)
            else:
                self.names.define(whole, grid)

    def _target(self, statement: Statement) -> Name | None:
        """The array that the statement's own name, label or heading means."""
        name = self._step(statement)
        return None if name is None else self.names.array(name)

    def _step(self, statement: Statement) -> str | None:
        """The name of that array."""
        if statement.bind:
            return statement.bind.partition("[")[0]
        first = statement.links[0].node
        words = [array_of_label(statement), array_of_words(statement.heading)]
        if addressed(statement.heading) and speaks_of_several(statement.label):
            words.reverse()  # "the query of this word matches the key of that one best", of the scores
        if isinstance(first, Sym) and len(statement.links) > 1 and not DANGLING.search(statement.label):
            named = array_of_name(first.name)
            if means_input(self.setting, named, first.name):
                words = [named]
        shown = SHOWN.search(statement.label)
        if shown:  # ``print(output)``: what follows is its value
            words.insert(0, array_of_name(shown[1]))
        named = next((name for name in words if name is not None), None) or self.places.either(statement)
        return "masked" if self.names.array("masked") is not None and is_masked(statement, named) else named

    # --- values ---

    def _values(
        self, statement: Statement, link: Link, step: str | None, cells: Grid | None, expression: Stretch | None
    ) -> Grid | None:
        """Claims for a number or a matrix of numbers; the grid of cells that they stand for."""
        numbers = number_rows(link.node)
        if numbers[0][0].infinite and len(numbers) == len(numbers[0]) == 1:
            return None  # a lone infinity says what is masked
        if self._is_setting(statement, numbers, cells):
            return None
        if is_mask(numbers):  # to be added to the scores: no result, but expressions may rest on it
            return Grid(tuple(tuple(map(number_of, row)) for row in numbers)).map(self._as_cell)
        bound, sure = self.places.bound(statement, link.node, numbers, step, cells)
        if len(statement.links) == 1 and isinstance(link.node, Num) and PERCENT.search(link.node.text):
            share = self.places.weight_of(numbers[0][0], self.paper)
            bound, sure = (bound, sure) if share is None else (share.map(self._repeat), False)
        row = row_label(statement)
        if bound is None:
            bound = self._unbound(statement, link, numbers)
            if bound is not None:
                self.usual.of(statement.links[0].node, bound.shape[0]).keep(
                    step or step_of(statement.links), bound, row
                )
            return bound
        bound = bound.map(self._as_cell)
        self.usual.of(statement.links[0].node, bound.shape[0]).keep(step_of(statement.links) or step, bound, row)
        self._look_at_cells(bound)
        said = "" if expression is None else self._source(expression)
        approximate = bool(APPROXIMATE.search(link.relation))
        self.places.remember(numbers, bound)
        told = [
            (number, cell, self._own(number, cell))
            for rows in zip(numbers, bound.rows, strict=True)
            for number, cell in zip(*rows, strict=True)
        ]
        for number, cell, form in told:
            first = None if form is None else self._worked_out.get(form)
            again = cell if first is None else self.local.copy(first)  # told again: not judged anew
            self._claim(number, again, said, approximate=approximate, sure=sure)
        for _, cell, form in told:
            if form is not None and isinstance(cell, Cell):
                self._worked_out.setdefault(form, cell.address)
        return bound

    def _own(self, number: Num, cell: Expr) -> tuple[Hashable, Fraction] | None:
        """An equality that is none of the recipe's: its form, whatever the order of terms, and its result."""
        if not isinstance(cell, Cell) or cell.address.array.name != LOCAL:
            return None
        return canonical(self.local.formulas[cell.address]), number.value

    def _look_at_cells(self, bound: Grid) -> None:
        """The text is about the row whose numbers it works out."""
        cells = [cell for row in bound.rows for cell in row if isinstance(cell, Cell)]
        arrays = {cell.address.array for cell in cells}
        rows = {cell.address.index[0] for cell in cells}
        if len(rows) != 1 or len(arrays) != 1 or Name(LOCAL) in arrays or self.trace is None:
            return
        if self.trace.array(arrays.pop()).axes == ("query", "key"):
            self.places.row = rows.pop()

    def _repeat(self, cell: Expr) -> Expr:
        """What a sentence says of a number printed before repeats it, wrong or not."""
        known = isinstance(cell, Cell) and any(claim.address is not None for claim in self._prints.of(cell.address))
        return self.local.copy(cell.address) if isinstance(cell, Cell) and known else cell

    def _unbound(self, statement: Statement, link: Link, numbers: list[list[Num]]) -> Grid | None:
        """A named matrix from which later equalities may be worked out is given; anything else was not understood."""
        known = (isinstance(statement.links[0].node, Sym) and len(statement.links) > 1) or self._introduces(statement)
        given = all(self.setting.is_input(number) for row in numbers for number in row)
        self.unused.keep(statement) if known and not given else None
        if known or (self._step(statement) == "score" and isinstance(link.node, Mat) and "score" in self.setting.given):
            return Grid(tuple(tuple(map(number_of, row)) for row in numbers)).map(self._as_cell)
        if not given:
            text = " ".join(number.text for row in numbers for number in row)
            self.unread.append(Unread(text, "no-binding", link.node.span))
            self.below.keep(statement, self.unread[-1])
        return None

    def _is_setting(self, statement: Statement, numbers: list[list[Num]], cells: Grid | None) -> bool:
        """Whether a lone number states a size or the divisor, which are no results."""
        if is_size(statement.links[0].node) and len(statement.links) == 2:
            return True
        if cells is not None or len(numbers) != 1 or len(numbers[0]) != 1:
            return False
        number = numbers[0][0]
        if number.half == 0 and SIZES.search(statement.label):
            return True
        return number.text == self.setting.divisor

    # --- claims ---

    def _claim(self, number: Num, cell: Expr, said: str, *, approximate: bool, sure: bool) -> None:
        if self.setting.is_input(number) or not isinstance(cell, Cell):
            return
        address, number = cell.address, self.setting.as_meant(number)
        printed = shown(number, approximate=approximate)
        judgement, divisor = self._judged(address, printed, sure=sure)
        if sure and judgement.verdict is Verdict.WRONG and address.array.name == LOCAL:
            meant = self.written.meant(self.claims, self.local.formulas[address], printed)
            if meant is not None:
                self._claim(number, meant, said, approximate=approximate, sure=sure)
                return
        bound = None if address.array.name == LOCAL else address
        verdict = judgement.verdict
        if not sure and verdict in (Verdict.WRONG, Verdict.TRUNCATED):
            verdict = Verdict.UNSURE
        trace = None if bound is None else self.trace
        claim = Claim(number, self._place(number.span), bound, said, verdict, judgement, divisor, trace=trace)
        if bound is None and "." in number.text and address not in self.local.copies:
            results = self.places.results.setdefault(number.text, [])
            if address not in results:
                results.append(address)
        self.claims.append(claim)
        self._prints.add(address, claim)

    def _judged(self, address: Address, shown: Print, *, sure: bool) -> tuple[Judgement, str]:
        """The judgement on a printed number, and the divisor that it is for.

        Where the document has a divisor of its own and prints a cell again as the other one would give it, that is
        carried on with that other one alone.
        """
        aside = len(self.judges) > 1 and any(claim.verdict in ACCEPTED for claim in self._prints.of(address))
        judgement, divisor = self.judges.judge(address, shown, sure=sure and not aside)
        if aside and judgement.verdict not in ACCEPTED:
            return self.judges.judge(address, shown, sure=sure)
        return judgement, divisor

    def _as_cell(self, formula: Expr) -> Expr:
        """A cell of the document's own for an expression that is none of the recipe's."""
        if isinstance(formula, Cell):
            return formula
        return self.local.add(self._linked(formula))

    def _linked(self, formula: Expr) -> Expr:
        """Decimals that were printed before, as the result of just one equality, stand for that result."""
        if isinstance(formula, Printed):
            stands = self._stands_for(formula)
            if stands is not None:
                return stands
            known = self.places.results.get(formula.text, ())
            if len(known) != 1:
                return formula
            self._copied(formula, known[0])
            return Cell(known[0])
        return rebuild(formula, self._linked)

    def _stands_for(self, printed: Printed) -> Expr | None:
        """The cell of a number that this very chain worked out one member before."""
        number = self.reader.numbers.get(id(printed))
        return None if number is None else self._standing.get(number[1].span)

    def _copied(self, printed: Printed, result: Address) -> None:
        """A decimal put in where the result printed with these digits is wrong: it follows that."""
        claims = self._prints.of(result)
        known = self.reader.numbers.get(id(printed))
        if known is None or not claims or claims[-1].judgement is None or not claims[-1].judgement.tainted:
            return
        number = known[1]
        if all(claim.number.span != number.span for claim in self.claims):
            self._claim(number, self.local.copy(result), "", approximate=False, sure=True)

    def _place(self, span: Stretch) -> Place:
        return self.paper.place(span.cell, span.start)

    def _source(self, span: Stretch) -> str:
        return self.paper.said(span.cell, span.start, span.stop)

    # --- what is handed out ---

    def left_unread(self, statements: Sequence[Statement]) -> Iterator[Unread]:
        """What was not understood: also named numbers that no statement uses."""
        yield from self.below.left(self.unread)
        yield from (item for item in self.unused.left(statements) if self.part.holds(item.span))

    def operands(self) -> list[tuple[Num, Address]]:
        """Numbers inside expressions, with the cells that they stand for."""
        known = self.reader.numbers
        found = [(known[id(cell)][1], address) for cell, address in self.lifting.operands if id(cell) in known]
        return [pair for pair in found if self.part.holds(pair[0].span)]

    def differing(self) -> list[Differing]:
        """Quantities printed more than once whose prints exclude each other."""
        return self._prints.differing()

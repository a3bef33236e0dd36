"""The verdict on one printed number: exact, rounded, consistent, following, truncated or wrong.

Each number printed earlier may have been carried on as printed or unrounded: the range it spans is the hull of what
is printed, what is true and what follows from the numbers printed before it. Chains run from cell to cell.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from workings.checking.verdicts import Verdict
from workings.exact import spans
from workings.exact.spans import Span
from workings.exact.standing import Standing, Where
from workings.steps.language import Add, Cell, Div, Expr, terms_of
from workings.terms.address import Address
from workings.terms.numbers import Value
from workings.terms.records import record

MOST_WAITING = 32  # ranges in a row that wait to be worked out; longer rows would exhaust the stack
MOST_FORMULAS = 4_096  # kept as they were read
MADE = (Verdict.CONSISTENT, Verdict.FOLLOWS, Verdict.TRUNCATED)  # tainted as what they are made from is
AS_PRINTED = (Verdict.EXACT, Verdict.WRONG)  # carried on as nothing else
ACCEPTED = (Verdict.EXACT, Verdict.CORRECTLY_ROUNDED, Verdict.CONSISTENT)
Formula = Callable[[Address], Expr | None]
Reading = Callable[[Address], spans.Formula | None]


@record
class Print:
    """A printed number: the rational it stands for and half a unit of its last place (0 for a whole number).

    ``cut`` says that an ellipsis follows its digits, so that it may stand for anything up to the next unit.
    """

    value: Fraction
    half: Fraction
    infinite: int = 0
    cut: bool = False


class _Carried:
    """What a cell hands on; most are settled by their true values alone, so ranges are worked out when asked for.

    Args:
        work: gives the range that the cell may have been carried with, and its value from the numbers printed before.
        tainted: whether a wrong number lies behind it.
        true: whether it is its true value and nothing else.
        depth: how many ranges in a row wait to be worked out before its own.
    """

    __slots__ = ("_work", "_worked", "depth", "tainted", "true")

    def __init__(
        self, work: Callable[[], tuple[Span, Span]], *, tainted: bool = False, true: bool = False, depth: int = 0
    ) -> None:
        self._work, self.tainted, self.true, self.depth = work, tainted, true, depth
        self._worked: tuple[Span, Span] | None = None
        if depth > MOST_WAITING:
            self._settled()

    @classmethod
    def known(cls, span: Span, *, tainted: bool, true: bool) -> _Carried:
        """One whose range is there already: it is a single number."""
        made = cls.__new__(cls)
        made._worked, made.tainted, made.true, made.depth = (span, span), tainted, true, 0
        return made

    def _settled(self) -> tuple[Span, Span]:
        if self._worked is None:
            self._worked, self.depth = self._work(), 0
            del self._work
        return self._worked

    @property
    def hull(self) -> Span:
        """The range that it may have been carried with."""
        return self._settled()[0]

    @property
    def point(self) -> Span:
        """Its value from the numbers printed before."""
        return self._settled()[1]


class _True(_Carried):
    """What a cell hands on that is its true value and nothing else."""

    __slots__ = ("_address", "_value")

    def __init__(self, value: Callable[[Address], Value], address: Address) -> None:
        self._value, self._address = value, address
        self._worked, self.tainted, self.true, self.depth = None, False, True, 0

    def _settled(self) -> tuple[Span, Span]:
        if self._worked is None:
            exact = spans.of_value(self._value(self._address))
            self._worked = exact, exact
        return self._worked


@record
class Judgement:
    """A verdict with what it rests on.

    Attributes:
        true: the value from the document's inputs.
        made: what the numbers printed before give; None for nothing.
        tainted: whether a wrong number lies behind it (or it is wrong itself).
        behind: whether a wrong number lies behind it, its own value apart.
        tie: whether 4,096 bits did not tell it from a rounding boundary.
    """

    verdict: Verdict
    true: Value
    made: _Carried | None
    tainted: bool
    behind: bool = False
    tie: bool = False

    @property
    def from_printed(self) -> tuple[Fraction, Fraction] | None:
        """Bounds of the value that the numbers printed before give, or None."""
        return None if self.made is None else self.made.point.bounds()


def reading(formula: Formula) -> Reading:
    """Cells' formulas read for their ranges, those asked for last kept."""

    def read(address: Address) -> spans.Formula | None:
        found = formula(address)
        return None if found is None else spans.Formula(found)

    return lru_cache(MOST_FORMULAS)(read)


class _Node:
    """A cell of the graph.

    Attributes:
        formula: what it is made by; None for a given number, and until its sources are asked for.
        sources: the cells that it is made from; None until they are asked for.
        readers: the cells that are made from it, as far as they were asked for; by address, so that none holds itself.
        printed: what it was printed as.
        made: what the numbers printed before it give, where it was not printed.
    """

    __slots__ = ("address", "exact", "formula", "made", "printed", "readers", "sources")

    def __init__(self, address: Address, true: Callable[[Address], Value]) -> None:
        self.address, self.exact = address, _True(true, address)
        self.formula: spans.Formula | None = None
        self.sources: Sequence[_Node] | None = None
        self.readers: list[Address] = []
        self.printed: _Carried | None = None
        self.made: _Carried | None = None


class Judge:
    """Judges the printed numbers of one computation, in reading order.

    Args:
        formula: a cell's formula with its operands as cells; None for a given number.
        true: a cell's value from the inputs.
        lenient: give every earlier number ± half a unit instead of the hull.
        read: the same formulas, read already.
    """

    def __init__(
        self,
        formula: Formula,
        true: Callable[[Address], Value],
        lenient: bool = False,
        *,
        read: Reading | None = None,
    ) -> None:
        self.formula = read or reading(formula)
        """A cell's formula, read for its ranges; None for a given number."""
        self._true = true
        self._lenient = lenient
        self._nodes: dict[Address, _Node] = {}
        self._terms: dict[Address, frozenset[Expr]] = {}  # of sums that were not printed, by the cell of the sum

    def judge(self, address: Address, number: Print, *, sure: bool = True) -> Judgement:
        """The verdict on a number printed for a cell; later ones are judged with it in mind.

        One that is not surely that cell's, and does not agree with it, is carried nowhere.
        """
        node = self._node(address)
        true = self._true(address)
        made = self._from_inputs(node)
        at = Standing(number.value, number.half, cut=number.cut)
        judgement = self._verdict(number, at, true, made)
        if sure or judgement.verdict not in (Verdict.WRONG, Verdict.TRUNCATED):
            self._keep(node, number, at, judgement)
        return judgement

    def note(self, address: Address, number: Print) -> None:
        """A number put into an expression for a cell that was not printed: it is carried as it stands there.

        So is a right one where another was printed, which is then past.
        """
        node = self._node(address)
        if self.formula(address) is None:
            return
        at, true = Standing(number.value, number.half, cut=number.cut), self._true(address)
        if node.printed is not None and (at.meets(node.printed.hull) or at.beside(true)[0] is Where.OUTSIDE):
            return
        self._keep(node, number, at, Judgement(Verdict.CORRECTLY_ROUNDED, true, None, False))

    # --- rules ---

    def _verdict(self, number: Print, at: Standing, true: Value, made: _Carried) -> Judgement:
        verdict, tie = self._rule(number, at, true, made)
        tainted = verdict is Verdict.WRONG or (verdict in MADE and made.tainted)
        return Judgement(verdict, true, made, tainted, made.tainted, tie)

    def _rule(self, number: Print, at: Standing, true: Value, made: _Carried) -> tuple[Verdict, bool]:
        """The first verdict that applies, and whether it rests on a tie."""
        if number.infinite or true.infinite:
            return (Verdict.EXACT if number.infinite == true.infinite else Verdict.WRONG), False
        where, tie = at.beside(true)
        if where is not Where.OUTSIDE:
            return (Verdict.EXACT if where is Where.EQUAL else Verdict.CORRECTLY_ROUNDED), tie
        if at.meets(made.hull) or at.meets(made.point):
            return (Verdict.FOLLOWS if made.tainted else Verdict.CONSISTENT), False
        if number.half and (at.is_cut_of(true) or at.is_cut_of_all(made.point.ends())):
            return Verdict.TRUNCATED, False
        return Verdict.WRONG, False

    def _keep(self, node: _Node, number: Print, at: Standing, judgement: Judgement) -> None:
        """What later numbers may take this one for."""
        kept = self._kept(number, at, judgement)
        if node.printed is not None:
            if not _agree(node.printed, kept):
                self._outdate(node)
            kept = _join(node.printed, kept)
        node.printed = kept
        self._forget(node)

    def _kept(self, number: Print, at: Standing, judgement: Judgement) -> _Carried:
        infinite, made, lenient = number.infinite or judgement.true.infinite, judgement.made, self._lenient
        true = not infinite and at.equals(judgement.true) and not (lenient and number.half)
        if judgement.verdict in AS_PRINTED and not (infinite or lenient):
            return _Carried.known(spans.point(at.value), tainted=judgement.tainted, true=true)

        def work() -> tuple[Span, Span]:
            point = spans.point(at.value)
            low, high = _hull(at, judgement, lenient=lenient)
            return (point if low == high else spans.between(low, high)), point

        def without_end() -> tuple[Span, Span]:
            hull = spans.infinite(infinite)
            return hull, hull if made is None else made.point

        return _Carried(
            without_end if infinite else work,
            tainted=judgement.tainted,
            true=true,
            depth=1 + (0 if made is None else made.depth),
        )

    # --- what a cell is made from ---

    def _node(self, address: Address) -> _Node:
        found = self._nodes.get(address)
        if found is None:
            found = self._nodes[address] = _Node(address, self._true)
        return found

    def _sources(self, node: _Node) -> Sequence[_Node]:
        """The cells that a cell is made from; it becomes one of their readers."""
        if node.sources is None:
            formula = node.formula = self.formula(node.address)
            known = self._nodes
            node.sources = () if formula is None else [known.get(at) or self._node(at) for at in formula.cells]
            for source in node.sources:
                source.readers.append(node.address)
        return node.sources

    def _from_inputs(self, node: _Node) -> _Carried:
        """What the numbers printed before give for a cell, whatever is printed for itself."""
        inputs: list[_Carried] = []
        depth, tainted, true = 0, False, True
        for source in self._sources(node):
            carried = source.printed or source.made
            if carried is None:
                carried = source.made = self._from_inputs(source)
            inputs.append(carried)
            if carried.depth > depth:
                depth = carried.depth
            tainted = tainted or carried.tainted
            true = true and carried.true
        formula = node.formula
        if true or formula is None:
            return node.exact
        quotient = formula.node
        shares = isinstance(quotient, Div) and quotient.left in self._summed(quotient.right)

        def work() -> tuple[Span, Span]:
            hulls = dict(zip(formula.cells, [carried.hull for carried in inputs], strict=True))
            hull = _share(quotient, hulls) if shares else None
            if hull is None:
                hull = formula.apply(hulls)
            if all(carried.hull is carried.point for carried in inputs):
                return hull, hull
            points = zip(formula.cells, [carried.point for carried in inputs], strict=True)
            return hull, formula.apply(dict(points))

        return _Carried(work, tainted=tainted, depth=1 + depth)

    def _summed(self, node: Expr) -> Container[Expr]:
        """The terms of a sum, looked up where the sum was not printed."""
        if not isinstance(node, Cell):
            return terms_of(node) if isinstance(node, Add) else ()
        if self._node(node.address).printed is not None:
            return ()
        known = self._terms.get(node.address)
        if known is None:
            inner = self.formula(node.address)
            terms = terms_of(inner.node) if inner is not None and isinstance(inner.node, Add) else ()
            known = self._terms[node.address] = frozenset(terms)
        return known

    def _outdate(self, node: _Node) -> None:
        """A number printed again with another value starts a new chain: what was printed from the old one is past."""
        stale = list(node.readers)
        seen = {node.address, *stale}
        while stale:
            user = self._nodes[stale.pop()]
            user.printed = user.made = None
            fresh = [address for address in user.readers if address not in seen]
            seen.update(fresh)
            stale += fresh

    def _forget(self, node: _Node) -> None:
        """Ranges that were worked out before this number was printed are worked out again."""
        stale = [node]
        while stale:
            for address in stale.pop().readers:
                user = self._nodes[address]
                if user.made is not None:
                    user.made = None
                    stale.append(user)


class Judges:
    """One judge for each reading of the document's divisor, in the order of preference.

    One is asked where those before it accept a number not: it then hears first what it has missed.
    """

    def __init__(self, judges: Sequence[tuple[str, Judge]]) -> None:
        self._judges = judges
        self._said: list[tuple[Address, Print, bool]] = []
        self._heard = [0] * len(judges)

    def __len__(self) -> int:
        return len(self._judges)

    def judge(self, address: Address, number: Print, *, sure: bool) -> tuple[Judgement, str]:
        """The first judgement that accepts a number, or else the best, with the divisor it is for."""
        if len(self._judges) == 1:
            divisor, judge = self._judges[0]
            return judge.judge(address, number, sure=sure), divisor
        self._said.append((address, number, sure))
        judged = []
        for place, (divisor, _) in enumerate(self._judges):
            judgement = self._catch_up(place)
            if judgement.verdict in ACCEPTED:
                return judgement, divisor
            judged.append((judgement, divisor))
        return min(judged, key=lambda pair: pair[0].verdict.rank)

    def note(self, address: Address, number: Print) -> None:
        """A number put into an expression for a cell."""
        for _, judge in self._judges:
            judge.note(address, number)

    def _catch_up(self, place: int) -> Judgement:
        judge = self._judges[place][1]
        *missed, last = self._said[self._heard[place] :]
        for address, number, sure in missed:
            judge.judge(address, number, sure=sure)
        self._heard[place] = len(self._said)
        return judge.judge(last[0], last[1], sure=last[2])


def _hull(at: Standing, judgement: Judgement, *, lenient: bool) -> spans.Ends:
    """The least and the largest of what a printed number may have been carried as."""
    ends = [at.value]
    from_printed = None if judgement.made is None else judgement.made.point.ends()
    if lenient:
        ends += [at.value - at.half, at.value + at.half]
    elif judgement.verdict is Verdict.FOLLOWS:
        ends += from_printed or ()
    elif judgement.verdict not in AS_PRINTED:
        ends += from_printed or ()
        ends += spans.ends_of(judgement.true, spans.BITS)
    return min(ends), max(ends)


def _agree(first: _Carried, second: _Carried) -> bool:
    """Whether two prints of one quantity may stand for the same value."""
    one, other = first.hull.ends(), second.hull.ends()
    return one is None or other is None or (one[0] <= other[1] and other[0] <= one[1])


def _join(first: _Carried, second: _Carried) -> _Carried:
    """The same quantity printed twice may have been carried as either."""
    one, other = first.hull.ends(), second.hull.ends()
    if one is None or other is None or not _agree(first, second):
        return second
    hull = spans.between(min(one[0], other[0]), max(one[1], other[1]))
    return _Carried(lambda: (hull, second.point), tainted=first.tainted or second.tainted)


def _share(formula: Expr, hulls: Mapping[Address, Span]) -> Span | None:
    """The range of a term divided by the sum it belongs to (a softmax), as one; None where it has none."""
    if not isinstance(formula, Div):
        return None
    part, whole = (spans.Formula(side).apply(hulls) for side in (formula.left, formula.right))
    found = spans.share(part, whole)
    return None if found is spans.NOTHING else found

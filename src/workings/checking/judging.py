"""The verdict on one printed number: exact, rounded, consistent, following, truncated or wrong.

Each number printed earlier may have been carried on as printed or unrounded: the range it spans is the hull of what
is printed, what is true and what follows from the numbers printed before it. Chains run from cell to cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from workings.checking.verdicts import Verdict
from workings.exact import spans
from workings.exact.spans import Span
from workings.steps.language import Add, Cell, Div, Expr, terms_of
from workings.terms.address import Address
from workings.terms.numbers import PRECISIONS, Value
from workings.terms.records import record

MOST_WAITING = 32  # ranges in a row that wait to be worked out; longer rows would exhaust the stack
MOST_FORMULAS = 4_096  # kept as they were read
ACCEPTED = (Verdict.EXACT, Verdict.CORRECTLY_ROUNDED, Verdict.CONSISTENT)
Formula = Callable[[Address], Expr | None]


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
        return None if self.made is None else self.made.point.ends()


class Judge:
    """Judges the printed numbers of one computation, in reading order.

    Args:
        formula: a cell's formula with its operands as cells; None for a given number.
        true: a cell's value from the inputs.
        lenient: give every earlier number ± half a unit instead of the hull.
    """

    def __init__(self, formula: Formula, true: Callable[[Address], Value], lenient: bool = False) -> None:
        self._formula_of = formula
        self.formula = lru_cache(MOST_FORMULAS)(self._read)
        """A cell's formula, read for its ranges; None for a given number."""
        self._true = true
        self._lenient = lenient
        self._printed: dict[Address, _Carried] = {}
        self._carried: dict[Address, _Carried] = {}
        self._readers: defaultdict[Address, set[Address]] = defaultdict(set)
        self._terms: dict[Address, frozenset[Expr]] = {}  # of sums that were not printed, by the cell of the sum

    def _read(self, address: Address) -> spans.Formula | None:
        formula = self._formula_of(address)
        return None if formula is None else spans.Formula(formula)

    def judge(self, address: Address, number: Print, *, sure: bool = True) -> Judgement:
        """The verdict on a number printed for a cell; later ones are judged with it in mind.

        One that is not surely that cell's, and does not agree with it, is carried nowhere.
        """
        true = self._true(address)
        made = self._from_inputs(address)
        judgement = self._verdict(number, true, made)
        if sure or judgement.verdict not in (Verdict.WRONG, Verdict.TRUNCATED):
            self._keep(address, number, judgement)
        return judgement

    def note(self, address: Address, number: Print) -> None:
        """A number put into an expression for a cell that was not printed: it is carried as it stands there."""
        if address in self._printed or self.formula(address) is None:
            return
        judgement = Judgement(Verdict.CORRECTLY_ROUNDED, self._true(address), None, False)
        self._keep(address, number, judgement)

    # --- rules ---

    def _verdict(self, number: Print, true: Value, made: _Carried) -> Judgement:
        def said(verdict: Verdict, *, tainted: bool = False, tie: bool = False) -> Judgement:
            return Judgement(verdict, true, made, tainted, made.tainted, tie)

        if number.infinite or true.infinite:
            same = number.infinite == true.infinite
            return said(Verdict.EXACT if same else Verdict.WRONG, tainted=not same)
        if true.exact == number.value:
            return said(Verdict.EXACT)
        if true.exact is None and _is_the_same(true, number.value):
            return said(Verdict.EXACT, tie=True)
        low, high = _stands_for(number)
        inside = _lies_between(true, low, high) if number.half else None
        if inside is not None:
            return said(Verdict.CORRECTLY_ROUNDED, tie=inside)
        recomputed = made.point.ends()
        if _meets(made.hull.ends(), low, high) or _meets(recomputed, low, high):
            verdict = Verdict.FOLLOWS if made.tainted else Verdict.CONSISTENT
            return said(verdict, tainted=made.tainted)
        if number.half and (_is_cut(number, true) or _is_cut_between(number, recomputed)):
            return said(Verdict.TRUNCATED, tainted=made.tainted)
        return said(Verdict.WRONG, tainted=True)

    def _keep(self, address: Address, number: Print, judgement: Judgement) -> None:
        """What later numbers may take this one for."""
        kept = self._kept(number, judgement)
        before = self._printed.get(address)
        if before is not None:
            if not _agree(before, kept):
                self._outdate(address)
            kept = _join(before, kept)
        self._printed[address] = kept
        self._forget(address)

    def _kept(self, number: Print, judgement: Judgement) -> _Carried:
        infinite, made = number.infinite or judgement.true.infinite, judgement.made

        def work() -> tuple[Span, Span]:
            point = spans.between(number.value, number.value)
            low, high = self._hull(number, judgement)
            return (point if low == high else spans.between(low, high)), point

        def without_end() -> tuple[Span, Span]:
            hull = spans.infinite(infinite)
            return hull, hull if made is None else made.point

        true = judgement.true.exact == number.value and not (infinite or (self._lenient and number.half))
        return _Carried(
            without_end if infinite else work,
            tainted=judgement.tainted,
            true=true,
            depth=1 + (0 if made is None else made.depth),
        )

    def _hull(self, number: Print, judgement: Judgement) -> tuple[Fraction, Fraction]:
        ends = [number.value]
        if self._lenient:
            ends += [number.value - number.half, number.value + number.half]
        elif judgement.verdict is Verdict.FOLLOWS:
            ends += judgement.from_printed or ()
        elif judgement.verdict not in (Verdict.EXACT, Verdict.WRONG):
            ends += judgement.from_printed or ()
            ends += judgement.true.bounds(spans.BITS)
        return min(ends), max(ends)

    # --- what a cell is made from ---

    def _from_inputs(self, address: Address) -> _Carried:
        """What the numbers printed before give for a cell, whatever is printed for itself."""
        formula = self.formula(address)
        if formula is None:
            return self._from_true(address)
        inputs = {source: self._carry(source, address) for source in formula.cells}
        depth, tainted, true = 0, False, True
        for carried in inputs.values():
            depth = max(depth, carried.depth)
            tainted = tainted or carried.tainted
            true = true and carried.true
        if true:
            return self._from_true(address)
        node = formula.node
        shares = isinstance(node, Div) and node.left in self._summed(node.right)

        def work() -> tuple[Span, Span]:
            hulls = {source: carried.hull for source, carried in inputs.items()}
            hull = _share(node, hulls) if shares else None
            if hull is None:
                hull = formula.apply(hulls)
            if all(carried.hull is carried.point for carried in inputs.values()):
                return hull, hull
            return hull, formula.apply({source: carried.point for source, carried in inputs.items()})

        return _Carried(work, tainted=tainted, depth=1 + depth)

    def _from_true(self, address: Address) -> _Carried:
        def work() -> tuple[Span, Span]:
            exact = _as_span(self._true(address))
            return exact, exact

        return _Carried(work, true=True)

    def _carry(self, address: Address, user: Address) -> _Carried:
        """What a cell hands to ``user``."""
        self._readers[address].add(user)
        printed = self._printed.get(address)
        if printed is not None:
            return printed
        carried = self._carried.get(address)
        if carried is None:
            carried = self._carried[address] = self._from_inputs(address)
        return carried

    def _summed(self, node: Expr) -> Container[Expr]:
        """The terms of a sum, looked up where the sum was not printed."""
        if not isinstance(node, Cell):
            return terms_of(node) if isinstance(node, Add) else ()
        if node.address in self._printed:
            return ()
        known = self._terms.get(node.address)
        if known is None:
            inner = self.formula(node.address)
            terms = terms_of(inner.node) if inner is not None and isinstance(inner.node, Add) else ()
            known = self._terms[node.address] = frozenset(terms)
        return known

    def _outdate(self, address: Address) -> None:
        """A number printed again with another value starts a new chain: what was printed from the old one is past."""
        stale = list(self._readers[address])
        seen = {address, *stale}
        while stale:
            user = stale.pop()
            self._printed.pop(user, None)
            self._carried.pop(user, None)
            fresh = self._readers[user] - seen
            seen |= fresh
            stale += fresh

    def _forget(self, address: Address) -> None:
        """Ranges that were worked out before this number was printed are worked out again."""
        stale = [address]
        while stale:
            for user in self._readers[stale.pop()]:
                if self._carried.pop(user, None) is not None:
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


def _is_the_same(value: Value, printed: Fraction) -> bool:
    """Whether the value equals what is printed as far as 4,096 bits tell: cos² + sin² is 1."""
    return all(spans.lies_between(value, printed, printed, bits) is not False for bits in PRECISIONS)


def _stands_for(number: Print) -> tuple[Fraction, Fraction]:
    """What a printed number may stand for: rounded, or, before an ellipsis, cut."""
    low, high = number.value - number.half, number.value + number.half
    if not number.cut:
        return low, high
    return (low, number.value + 2 * number.half) if number.value > 0 else (number.value - 2 * number.half, high)


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


def _as_span(value: Value) -> Span:
    if value.infinite:
        return spans.infinite(value.infinite)
    bounds = value.bounds(spans.BITS)
    return spans.NOTHING if bounds is spans.WIDEST else spans.between(*bounds)


def _meets(ends: tuple[Fraction, Fraction] | None, low: Fraction, high: Fraction) -> bool:
    return ends is not None and ends[0] <= high and low <= ends[1]


def _lies_between(value: Value, low: Fraction, high: Fraction) -> bool | None:
    """None where the value surely lies outside; else whether it is a tie that 4,096 bits do not settle."""
    for bits in PRECISIONS:
        inside = spans.lies_between(value, low, high, bits)
        if inside is not None:
            return False if inside else None
    return True


def _is_cut(number: Print, value: Value) -> bool:
    """Whether the value cut toward zero at the number's last place gives the number."""
    if number.value == 0:
        return False
    for bits in PRECISIONS:
        ends = value.bounds(bits)
        if _is_cut_between(number, ends):
            return True
        if not _meets(ends, *_cut_range(number)):
            return False
    return False


def _cut_range(number: Print) -> tuple[Fraction, Fraction]:
    unit = 2 * number.half
    return (number.value, number.value + unit) if number.value > 0 else (number.value - unit, number.value)


def _is_cut_between(number: Print, ends: tuple[Fraction, Fraction] | None) -> bool:
    """Whether all between two bounds is cut to the number; a cut that leaves nothing is none."""
    if ends is None or number.value == 0:
        return False
    low, high = _cut_range(number)
    return low <= ends[0] and ends[1] < high if number.value > 0 else low < ends[0] and ends[1] <= high

"""Why numbers of a document are wrong: each step with wrong numbers is tried against every known slip."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.checking.causes.cause import Cause
from workings.checking.causes.search import Fits, find_causes
from workings.checking.claims import Claim
from workings.checking.divisor import exact_engine, given_cells
from workings.checking.verdicts import Verdict
from workings.exact import spans
from workings.exact.run import Exact
from workings.exact.trials import Trials
from workings.steps.language import Const, Expr
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name
from workings.terms.numbers import Value
from workings.traces.trace import Trace

FEWEST = 2  # wrong numbers that tell of a slip in some rows alone


def with_causes(claims: Sequence[Claim], trace: Trace | None, written: Container[Address] | None = None) -> list[Claim]:
    """The claims with the computation they belong to, those that are wrong with the causes of their step.

    A cause is one that gives all wrong numbers of the step and leaves its right ones as they are printed: all of them,
    or those of the rows that it is in.

    Args:
        written: the cells whose numbers are by the hand that is judged; None for all of them.
    """
    if trace is None:
        return list(claims)
    found: dict[Name, tuple[str, ...]] = {}
    for name in dict.fromkeys(
        claim.address.array for claim in claims if _is_wrong(claim) and claim.address is not None
    ):
        if trace.recipe.op(name) is not None:
            found[name] = tuple(cause.id for cause in _causes(claims, trace, name, written))

    def told(claim: Claim) -> Claim:
        causes = found.get(claim.address.array, ()) if claim.address is not None and _is_wrong(claim) else ()
        known = claim.address is None or (claim.trace is trace and not causes)
        return claim if known else replace(claim, trace=trace, causes=causes)

    return list(map(told, claims))


def _is_wrong(claim: Claim) -> bool:
    return claim.verdict is Verdict.WRONG


def _causes(claims: Sequence[Claim], trace: Trace, name: Name, written: Container[Address] | None) -> list[Cause]:
    """Causes from the true numbers before the step, or else from those that the document printed."""
    printed = {claim.address: claim for claim in claims if claim.address is not None}
    wrong = _prints_of(claims, name, _is_wrong)
    own = [claim for claim in claims if written is None or claim.address in written]
    whole = {**_prints_of(own, name, _is_right), **wrong}
    rows = _Printed.of(trace, name, printed)
    for make in (_as_worked, _as_printed):
        engine = make(trace, name, printed)
        if engine is None:
            continue
        trials = Trials(engine, name)
        first = found = find_causes(trials.recipe, trials, wrong, rows)
        if first and len(whole) > len(wrong):
            found = find_causes(trials.recipe, trials, whole, rows, first)
            if not found and len(wrong) >= FEWEST and len(in_rows := _in_rows(whole, wrong)) < len(whole):
                found = find_causes(trials.recipe, trials, in_rows, rows, first)
        if found:
            return found
    return []


def _in_rows(whole: Mapping[Address, Fits], wrong: Mapping[Address, Fits]) -> Mapping[Address, Fits]:
    """The numbers of the rows that hold wrong ones: a slip may be in some rows alone."""
    rows = {address.index[:-1] for address in wrong}
    return {address: fits for address, fits in whole.items() if address.index[:-1] in rows}


def _is_right(claim: Claim) -> bool:
    return claim.verdict in (Verdict.EXACT, Verdict.CORRECTLY_ROUNDED)


def _prints_of(claims: Sequence[Claim], name: Name, chosen: Callable[[Claim], bool]) -> Mapping[Address, Fits]:
    """The cells of a step with the prints chosen, each with the question whether a value is all that was printed."""
    found: dict[Address, list[Fits]] = {}
    for claim in claims:
        if claim.address is not None and claim.address.array == name and chosen(claim):
            found.setdefault(claim.address, []).append(_fits(claim))

    def together(each: list[Fits]) -> Fits:
        return each[0] if len(each) == 1 else lambda value: all(fits(value) for fits in each)

    return {address: together(each) for address, each in found.items()}


def _as_worked(trace: Trace, _: Name, __: Mapping[Address, Claim]) -> Exact:
    """The true numbers; those that the verdicts took are there already."""
    return exact_engine(trace)


def _as_printed(trace: Trace, name: Name, printed: Mapping[Address, Claim]) -> Exact | None:
    """The recipe with every array behind the step that the document prints whole taken as printed.

    None where these are the true numbers.
    """
    recipe = trace.recipe
    taken: dict[Name, Mapping[tuple[int, ...], Expr]] = {}
    differs = False
    for before in _behind(recipe, name):
        claims = [printed.get(address) for address in trace.cells(before)]
        whole = [claim for claim in claims if claim is not None and not claim.number.infinite]
        if whole and len(whole) == len(claims):
            cells = zip(trace.cells(before), whole, strict=True)
            taken[before] = {address.index: Const(claim.number.value) for address, claim in cells}
            differs = differs or any(claim.verdict is not Verdict.EXACT for claim in whole)
    if not differs:
        return None
    ops = tuple(op for op in recipe.ops if op.name not in taken)
    arrays = {**recipe.given, **{each: recipe.array(each) for each in taken}}
    return Exact(replace(recipe, ops=ops, given=arrays), {**given_cells(trace), **taken})


def _behind(recipe: Recipe, name: Name) -> Iterator[Name]:
    """The steps that an array is made from, one by one or through others; the nearest first."""
    needed = {name}
    for op in reversed(recipe.ops):
        if op.name in needed:
            needed.update(recipe.sources(op))
            if op.name != name:
                yield op.name


def _fits(claim: Claim) -> Fits:
    """Whether a value is what was printed, to the digits given."""
    number = claim.number
    least, most = spans.around(number.value, number.half)

    def fits(value: Value) -> bool:
        if value.infinite or number.infinite:
            return value.infinite == number.infinite
        return spans.may_lie_between(value, least, most)

    return fits


@dataclass(frozen=True)
class _Printed:
    """The rows of a step that the document prints whole, beside the true ones."""

    prints: list[list[float]]
    trues: list[list[float]]
    halves: list[list[float]]
    wrong: list[int]

    @classmethod
    def of(cls, trace: Trace, name: Name, printed: Mapping[Address, Claim]) -> _Printed | None:
        """None for an array that is no matrix, or of which no row is printed whole."""
        shape = trace.array(name).shape
        if len(shape) != 2:
            return None
        rows = cls([], [], [], [])
        for i in range(shape[0]):
            claims = [printed.get(Address(name, (i, j))) for j in range(shape[1])]
            whole = [claim for claim in claims if claim is not None and claim.judgement is not None]
            if len(whole) != shape[1]:
                continue
            if any(map(_is_wrong, whole)):
                rows.wrong.append(len(rows.prints))
            rows.prints.append([_float(claim.number.value, claim.number.infinite) for claim in whole])
            rows.halves.append([_float(claim.number.half, 0) for claim in whole])
            rows.trues.append([spans.nearly(trace.value(Address(name, (i, j)))) for j in range(shape[1])])
        return rows if rows.prints else None

    @property
    def count(self) -> int:
        return len(self.prints)

    def parts(self, row: int) -> list[list[float]]:
        """None are looked for: authors work their sums without dropout."""
        return []

    def printed(self, row: int) -> list[float]:
        return self.prints[row]

    def true(self, row: int) -> list[float]:
        return self.trues[row]

    def half(self, row: int) -> list[float]:
        return self.halves[row]


def _float(value: Fraction, infinite: int) -> float:
    """The nearest float; for a number beyond all floats, the infinity on its side."""
    try:
        return float("inf") * infinite if infinite else float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")

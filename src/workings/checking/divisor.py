"""How far a divisor of the author's own moves the final result: the last row, with it and with the true root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.checking.causes.rewrite import always, change
from workings.exact.run import Exact
from workings.exact.trials import Trials
from workings.steps.attention import SCALED
from workings.steps.language import At, Const, Div, Expr
from workings.steps.literal import read_literal
from workings.terms.address import Address, Name
from workings.terms.numbers import Value
from workings.traces.trace import Trace

SCORE = At("score", "query", "key")


@dataclass(frozen=True)
class Moved:
    """The last row of the last step, worked with either divisor."""

    cells: tuple[Address, ...]
    declared: tuple[Value, ...]
    rooted: tuple[Value, ...]


def moved(trace: Trace, divisor: str) -> Moved | None:
    """The effect of a divisor as printed; None where it is no decimal, or nothing was scaled."""
    literal = read_literal(divisor).value
    if not isinstance(literal, Const):
        return None
    last = next(op.name for op in reversed(trace.recipe.ops) if op.name.name != "lse")
    if trace.recipe.op(last.called("scaled")) is None or last.name == "scaled":
        return None
    cells = tuple(trace.cells(last))
    row = tuple(address for address in cells if address.index[:1] == cells[-1].index[:1])
    trials = Trials(exact_engine(trace), last)
    declared = _values(trace, trials, Div(SCORE, Const(Fraction(literal.value))), row)
    return Moved(row, declared, _values(trace, trials, SCALED.formula, row))


def exact_engine(trace: Trace) -> Exact:
    """The engine of a trace; one that is not exact has another in its place."""
    return trace.engine if isinstance(trace.engine, Exact) else Exact(trace.recipe, given_cells(trace))


def given_cells(trace: Trace) -> Mapping[Name, Mapping[tuple[int, ...], Expr]]:
    """What the engine of a trace was given."""
    written = trace.source.written
    return {each: {at.index: written[at].value for at in trace.cells(each)} for each in trace.recipe.given}


def _values(trace: Trace, trials: Trials, scaled: Expr, row: tuple[Address, ...]) -> tuple[Value, ...]:
    """The cells of a row where the scores are scaled so."""
    altered = change(trials.recipe, "scaled", always(scaled))
    cells = None if altered is None else trials.closed(altered)
    return tuple(map(cells or trace.value, row))

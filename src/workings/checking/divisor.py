"""How far a divisor of the author's own moves the final result: the last row, with it and with the true root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.checking.causes.rewrite import always, change
from workings.exact.run import Exact
from workings.steps.attention import SCALED
from workings.steps.language import At, Const, Div, Expr
from workings.steps.literal import read_literal
from workings.steps.recipe import Recipe
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
    recipes = [
        change(trace.recipe, "scaled", always(formula)) or trace.recipe
        for formula in (Div(SCORE, Const(Fraction(literal.value))), SCALED.formula)
    ]
    last = next(op.name for op in reversed(trace.recipe.ops) if op.name.name != "lse")
    if trace.recipe.op(last.called("scaled")) is None or last.name == "scaled":
        return None
    cells = tuple(trace.cells(last))
    row = tuple(address for address in cells if address.index[:1] == cells[-1].index[:1])
    declared, rooted = (_values(recipe, trace, row) for recipe in recipes)
    return Moved(row, declared, rooted)


def given_cells(trace: Trace) -> Mapping[Name, Mapping[tuple[int, ...], Expr]]:
    """What the engine of a trace was given."""
    written = trace.source.written
    return {each: {at.index: written[at].value for at in trace.cells(each)} for each in trace.recipe.given}


def _values(recipe: Recipe, trace: Trace, row: tuple[Address, ...]) -> tuple[Value, ...]:
    engine = trace.engine if recipe is trace.recipe else Exact(recipe, given_cells(trace))
    return tuple(engine.value(address.array, address.index) for address in row)

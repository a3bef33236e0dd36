"""A resolved formula worked at once, against the same formula made a function of its cells."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from workings.exact.cells import compile_cell, no_array
from workings.exact.resolved import work
from workings.exact.values import Held, NeedMoreBits, Precision, rational
from workings.steps import language as lang
from workings.steps.language import Cell, Expr, Tables
from workings.terms.address import Address, Name
from workings.terms.errors import WorkingsError

CELLS = [Address(Name("a"), (place,)) for place in range(3)]
numbers = st.fractions(min_value=-4, max_value=4, max_denominator=100)
leaves = st.one_of(
    st.sampled_from(CELLS).map(Cell),
    numbers.map(lang.Const),
    numbers.map(lambda number: lang.Printed(str(number), number)),
    st.sampled_from(
        [lang.Infinity(-1), lang.Infinity(1), lang.Printed("−∞", None), lang.Printed("∞", None), lang.Pi()]
    ),
)
UNARY = (lang.Exp, lang.Log, lang.Sqrt, lang.Tanh, lang.Erf, lang.Sin, lang.Cos, lang.Sigmoid)


def larger(below: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(below, min_size=1, max_size=3)
    return st.one_of(
        several.map(lambda terms: lang.Add(*terms)),
        several.map(lambda terms: lang.Larger(*terms)),
        st.builds(lang.Sub, below, below),
        st.builds(lang.Mul, below, below),
        st.builds(lang.Div, below, below, st.sampled_from((None, 0, 1))),
        st.builds(lang.Pow, below, st.integers(-2, 3).map(lang.Const)),
        st.builds(lambda kind, argument: kind(argument), st.sampled_from(UNARY), below),
        st.builds(lang.Round, st.sampled_from(("float16", "bfloat16")), below),
    )


@given(st.recursive(leaves, larger, max_leaves=8), st.lists(numbers, min_size=3, max_size=3))
def test_worked_at_once_or_made_a_function(node: Expr, values: list[Fraction]) -> None:
    cells: dict[Address, Held] = {at: rational(value) for at, value in zip(CELLS, values, strict=True)}

    def outcome(function: bool) -> object:
        with Precision(128):
            try:
                if not function:
                    return shown(work(node, cells))
                return shown(compile_cell(node, Tables({}, {}), no_array, cells.__getitem__)({}))
            except (WorkingsError, NeedMoreBits) as error:
                return type(error)

    assert outcome(function=False) == outcome(function=True)


def shown(held: Held) -> object:
    """A value as something to compare."""
    return str(held.mid()) + str(held.rad()) if isinstance(held, arb) else getattr(held, "sign", held)

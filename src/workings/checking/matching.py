"""Whether a printed expression is the formula of a recipe's cell, its numbers put in: ``0.9×1.0 + 0.1×0.2``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from workings.steps.language import (
    Add,
    Cell,
    Const,
    Div,
    Expr,
    Infinity,
    Larger,
    Mul,
    Pow,
    Printed,
    Sub,
    Unary,
)
from workings.terms.address import Address

MOST_TERMS = 64
MOST_STEPS = 20_000

# does a printed number stand for a cell (an address), or for a constant expression such as √2?
Stands = Callable[[Printed, Expr], bool]


class Matcher:
    """Compares printed expressions with formulas.

    Args:
        formula: a cell's resolved formula; None for a given number.
        stands: whether a printed number may stand for a cell or a constant.
    """

    def __init__(self, formula: Callable[[Address], Expr | None], stands: Stands) -> None:
        self._formula = formula
        self._stands = stands
        self._steps = 0

    def is_formula_of(self, printed: Expr, address: Address) -> bool:
        """Whether the expression works out this cell."""
        formula = self._formula(address)
        self._steps = 0
        return formula is not None and not isinstance(formula, Cell) and self._same(printed, formula)

    def _same(self, printed: Expr, formula: Expr) -> bool:
        self._steps += 1
        if self._steps > MOST_STEPS:
            return False
        if isinstance(printed, Printed):
            return self._number(printed, formula)
        if isinstance(printed, Cell) and isinstance(formula, Cell) and printed.address == formula.address:
            return True
        if isinstance(formula, Cell):
            inner = self._formula(formula.address)
            return inner is not None and self._same(printed, inner)
        if isinstance(formula, Add) or isinstance(printed, Add):
            return self._sum(_terms(printed), _terms(formula))
        if isinstance(formula, Mul) and isinstance(printed, Mul):
            return (self._same(printed.left, formula.left) and self._same(printed.right, formula.right)) or (
                self._same(printed.left, formula.right) and self._same(printed.right, formula.left)
            )
        if isinstance(formula, Div) and isinstance(printed, Div):
            return self._same(printed.left, formula.left) and self._same(printed.right, formula.right)
        if isinstance(formula, Sub) and isinstance(printed, Sub):
            return self._same(printed.left, formula.left) and self._same(printed.right, formula.right)
        if isinstance(formula, Pow) and isinstance(printed, Pow):
            return self._same(printed.base, formula.base) and self._same(printed.exponent, formula.exponent)
        if isinstance(formula, Unary) and type(formula) is type(printed):
            return self._same(printed.arg, formula.arg)
        if isinstance(formula, Larger) and isinstance(printed, Larger):
            return self._sum(list(printed.terms), list(formula.terms))
        return formula == printed

    def _number(self, printed: Printed, formula: Expr) -> bool:
        if isinstance(formula, Infinity):
            return printed.value is None
        if isinstance(formula, Const):
            return printed.value == Fraction(formula.value)
        return self._stands(printed, formula)

    def _sum(self, printed: list[Expr], formula: list[Expr]) -> bool:
        """The same terms in any order; products with 0 may be left out."""
        if len(printed) > len(formula) or len(formula) > MOST_TERMS:
            return False
        left = list(formula)
        for term in printed:
            found = next((i for i, other in enumerate(left) if self._same(term, other)), None)
            if found is None:
                return False
            del left[found]
        return all(self._vanishes(term) for term in left)

    def _vanishes(self, term: Expr) -> bool:
        zero = Printed("0", Fraction(0))
        factors: Iterable[Expr] = (term.left, term.right) if isinstance(term, Mul) else (term,)
        return any(isinstance(factor, Cell) and self._stands(zero, factor) for factor in factors)


def _terms(node: Expr) -> list[Expr]:
    if isinstance(node, Add):
        return [part for term in node.terms for part in _terms(term)]
    return [node]


def shape(node: Expr) -> tuple[str, ...]:
    """The kind of an expression's outermost operations: a cheap first test before matching."""
    if isinstance(node, Add):
        return ("Add",)
    return (type(node).__name__,)

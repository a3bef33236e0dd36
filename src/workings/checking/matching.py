"""Whether a printed expression is the formula of a recipe's cell, its numbers put in: ``0.9×1.0 + 0.1×0.2``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from workings.steps.language import (
    Add,
    Cell,
    Const,
    Expr,
    Infinity,
    Larger,
    Mul,
    Printed,
    children,
    leaves,
    terms_of,
)
from workings.terms.address import Address

MOST_TERMS = 64
MOST_STEPS = 20_000

# does a printed number stand for a cell (an address), or for a constant expression such as √2?
Stands = Callable[[Printed, Expr], bool]
Pairs = list[tuple[Printed, Address]]


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

    def match(self, printed: Expr, address: Address) -> Pairs | None:
        """Which printed number stands for which cell, if the expression works out this cell; else None."""
        formula = self._formula(address)
        self._steps = 0
        if formula is None or isinstance(formula, Cell):
            return None
        return self._same(printed, formula)

    def same(self, printed: Expr, formula: Expr) -> Pairs | None:
        """The same for a part of a formula."""
        self._steps = 0
        return self._same(printed, formula)

    def _same(self, printed: Expr, formula: Expr) -> Pairs | None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            return None
        if isinstance(printed, Printed):
            return self._number(printed, formula)
        if isinstance(formula, Cell):
            if isinstance(printed, Cell):
                return [] if printed.address == formula.address else None
            inner = self._formula(formula.address)
            return None if inner is None else self._same(printed, inner)
        if isinstance(formula, Add) or isinstance(printed, Add):
            return self._sum(terms_of(printed), terms_of(formula))
        if type(printed) is not type(formula):
            return None
        if isinstance(formula, Larger):
            return self._sum(list(children(printed)), list(formula.terms))
        straight = self._all(children(printed), children(formula))
        if straight is None and isinstance(formula, Mul):
            return self._all(children(printed), tuple(reversed(children(formula))))
        if not children(formula):
            return [] if printed == formula else None
        return straight

    def _all(self, printed: Sequence[Expr], formula: Sequence[Expr]) -> Pairs | None:
        """Every part in its place."""
        pairs: Pairs = []
        for mine, theirs in zip(printed, formula, strict=True):
            found = self._same(mine, theirs)
            if found is None:
                return None
            pairs += found
        return pairs

    def _number(self, printed: Printed, formula: Expr) -> Pairs | None:
        if isinstance(formula, Infinity):
            return [] if printed.value is None else None
        if isinstance(formula, Const):
            return [] if printed.value == Fraction(formula.value) else None
        if not self._stands(printed, formula):
            return None
        return [(printed, formula.address)] if isinstance(formula, Cell) else []

    def _sum(self, printed: list[Expr], formula: list[Expr]) -> Pairs | None:
        """The same terms in any order; products with 0 may be left out."""
        if len(printed) > len(formula) or len(formula) > MOST_TERMS:
            return None
        left = list(formula)
        pairs: Pairs = []
        for term in printed:
            for place, other in enumerate(left):
                found = self._same(term, other)
                if found is not None:
                    pairs += found
                    del left[place]
                    break
            else:
                return None
        return pairs if all(self._vanishes(term) for term in left) else None

    def _vanishes(self, term: Expr) -> bool:
        zero = Printed("0", Fraction(0))
        factors: Iterable[Expr] = (term.left, term.right) if isinstance(term, Mul) else (term,)
        return any(isinstance(factor, Cell) and self._stands(zero, factor) for factor in factors)


class Nearly(Matcher):
    """Compares them where some of the printed numbers are not the cells in whose places they stand."""

    def differing(self, printed: Expr, address: Address) -> Pairs | None:
        """The printed numbers that are not the cells in whose places they stand; None for another formula.

        It is another formula where most of the numbers are not; of one number alone, the caller has to tell.
        """
        pairs = self.match(printed, address)
        if pairs is None:
            return None
        off = self._off(pairs)
        count = sum(isinstance(leaf, Printed) for leaf in leaves(printed))
        return off if len(off) * 2 <= max(count, 2) else None

    def _off(self, pairs: Pairs) -> Pairs:
        return [pair for pair in pairs if not self._stands(pair[0], Cell(pair[1]))]

    def _number(self, printed: Printed, formula: Expr) -> Pairs | None:
        found = super()._number(printed, formula)
        if found is None and isinstance(formula, Cell) and printed.value is not None:
            return [(printed, formula.address)]
        return found

    def _same(self, printed: Expr, formula: Expr) -> Pairs | None:
        straight = super()._same(printed, formula)
        if not isinstance(printed, Mul) or not isinstance(formula, Mul):
            return straight
        turned = self._all(children(printed), tuple(reversed(children(formula))))
        return min((pairs for pairs in (straight, turned) if pairs is not None), key=self._missed, default=None)

    def _missed(self, pairs: Pairs) -> int:
        return len(self._off(pairs))

    def _sum(self, printed: list[Expr], formula: list[Expr]) -> Pairs | None:
        """The terms that are right wherever they stand, the others in their order."""
        if len(printed) != len(formula) or len(formula) > MOST_TERMS:
            return None
        exact = Matcher(self._formula, self._stands)
        left, rest = list(formula), []
        pairs: Pairs = []
        for term in printed:
            for at, other in enumerate(left):
                same = exact.same(term, other)
                if same is not None:
                    pairs += same
                    del left[at]
                    break
            else:
                rest.append(term)
        others = self._all(rest, left)
        return None if others is None else pairs + others

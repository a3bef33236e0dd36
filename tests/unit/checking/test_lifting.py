"""Cells recognised by their formulas: what tells one formula from another, whatever the order of its terms."""

from hypothesis import given

from tests.support.recipes import Example, all_indices, examples
from workings.checking.check import trace_of
from workings.checking.lifting import Lifted, canonical, fingerprint
from workings.examples.read import read_mapping
from workings.steps.expand import Expansion
from workings.steps.language import Add, Cell, Const, Div, Expr, Mul, Sub, cells_of, rebuild
from workings.terms.address import Address


def turned(node: Expr) -> Expr:
    """The expression with its terms and factors the other way round."""
    if isinstance(node, Add):
        return Add(*map(turned, reversed(node.terms)))
    if isinstance(node, Mul):
        return Mul(turned(node.right), turned(node.left))
    return rebuild(node, turned)


def formulas() -> list[Expr]:
    rows = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [2, 4, 8]]
    trace = trace_of(read_mapping({"tokens": list("abcd"), "inputs": {"Q": rows, "K": rows, "V": rows}}))
    cells = (address for op in trace.ops() for address in trace.cells(op.name))
    found = (trace.expansion.cell(address) for address in cells)
    return [formula for formula in found if formula is not None]


def test_no_two_cells_share_a_fingerprint() -> None:
    found = formulas()
    assert len(found) > 70
    assert len({fingerprint(formula) for formula in found}) == len({canonical(formula) for formula in found})


def test_the_order_of_terms_and_factors_makes_no_difference() -> None:
    for formula in formulas():
        assert fingerprint(turned(formula)) == fingerprint(formula)
        assert canonical(turned(formula)) == canonical(formula)


def test_the_order_of_a_difference_and_of_a_quotient_does() -> None:
    one, two = Const(1), Const(2)
    for kind in (Sub, Div):
        assert fingerprint(kind(one, two)) != fingerprint(kind(two, one))
    assert fingerprint(Add(one, one, two)) != fingerprint(Add(one, two, two))


@given(example=examples())
def test_what_is_known_of_a_step_before_its_formulas_are_read(example: Example) -> None:
    """Their kinds, and whether one may read no cell."""
    recipe = example.recipe()
    expansion = Expansion(recipe)
    for op in recipe.ops:
        step = Lifted.of(op, recipe.sources(op))
        for index in all_indices(op.shape):
            formula = expansion.cell(Address(op.name, index))
            assert formula is not None
            if not isinstance(formula, Cell) and not op.step.is_view:
                assert type(formula) in op.step.kinds
                assert cells_of(formula) or step.bare

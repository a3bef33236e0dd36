"""Cells recognised by their formulas: what tells one formula from another, whatever the order of its terms."""

from workings.checking.check import trace_of
from workings.checking.lifting import canonical, fingerprint
from workings.examples.read import read_mapping
from workings.steps.language import Add, Const, Div, Expr, Mul, Sub, rebuild


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

"""A ``Sum`` of ``Mul`` of two ``At`` as one matrix product, rational rows in rationals and the others in balls."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from flint import arb, arb_mat, fmpq, fmpq_mat

from workings.exact.cells import compile_index
from workings.exact.values import ZERO, Held, add
from workings.steps import language as lang
from workings.steps.language import Expr, Tables
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Name

Cells = dict[tuple[int, ...], Held]


def _uses(item: lang.Index) -> frozenset[str]:
    """The axes an index depends on."""
    if isinstance(item, str):
        return frozenset((item,))
    if isinstance(item, lang.Calc):
        return _uses(item.left) | _uses(item.right)
    if isinstance(item, lang.Lookup):
        return frozenset().union(*(_uses(part) for part in item.index))
    return frozenset()


def _parts(formula: Expr) -> tuple[lang.Sum, lang.At | None] | None:
    """The sum of products and the bias added to it, if the formula has that shape."""
    bias = None
    if isinstance(formula, lang.Add) and len(formula.terms) == 2 and isinstance(formula.terms[1], lang.At):
        formula, bias = formula.terms
    if not isinstance(formula, lang.Sum) or not isinstance(formula.body, lang.Mul):
        return None
    left, right = formula.body.left, formula.body.right
    if (
        not (isinstance(left, lang.At) and isinstance(right, lang.At))
        or left.head is not None
        or right.head is not None
    ):
        return None
    return formula, bias


def dot_product(op: Op, tables: Tables, recipe: Recipe, read: Callable[[Name], Cells]) -> Cells | None:
    """All cells of a step that is a matrix product, or None where it is not one (or needs closed forms)."""
    found = _parts(op.step.formula)
    if found is None or len(op.step.axes) != 2:
        return None
    total, bias = found
    row_axis, column_axis = op.step.axes
    left, right = total.body.left, total.body.right  # type: ignore[union-attr]
    for at, mine, other in ((left, row_axis, column_axis), (right, column_axis, row_axis)):
        if other in frozenset().union(*(_uses(item) for item in at.index)):
            return None
        assert mine != total.axis
    inner = range(tables.sizes[total.axis])
    scope = recipe.scope(op)
    a = _gather(
        left, read(recipe.source(op, left.name)), tables, scope, row_axis, range(op.shape[0]), total.axis, inner
    )
    b = _gather(
        right, read(recipe.source(op, right.name)), tables, scope, column_axis, range(op.shape[1]), total.axis, inner
    )
    rows = _multiply(a, b)
    if rows is None:
        return None
    cells = {(i, j): value for i, row in enumerate(rows) for j, value in enumerate(row)}
    if bias is None:
        return cells
    offsets = read(recipe.source(op, bias.name))
    places = [compile_index(item, tables) for item in bias.index]
    for i, j in product(range(op.shape[0]), range(op.shape[1])):
        at_cell = {**scope, row_axis: i, column_axis: j}
        cells[i, j] = add(cells[i, j], offsets[tuple([place(at_cell) for place in places])])
    return cells


def _gather(
    at: lang.At, cells: Cells, tables: Tables, fixed: dict[str, int], axis: str, outer: range, summed: str, inner: range
) -> list[list[Held]]:
    """The cells that ``at`` reads, one row per value of ``axis``, along the summed axis."""
    places = [compile_index(item, tables) for item in at.index]
    scope = dict(fixed)
    rows = []
    for scope[axis] in outer:
        row = []
        for scope[summed] in inner:
            row.append(cells[tuple([place(scope) for place in places])])
        rows.append(row)
    return rows


def _multiply(a: list[list[Held]], b: list[list[Held]]) -> list[list[Held]] | None:
    """A · Bᵀ. Exact rows where every number read is rational; None where closed forms or infinities take part."""
    kinds = {type(value) for row in a for value in row} | {type(value) for row in b for value in row}
    if not kinds <= {fmpq, arb} or not a or not b or not a[0]:
        return None
    b_rational = all(type(value) is fmpq for row in b for value in row)
    exact = [b_rational and all(type(value) is fmpq for value in row) for row in a]
    rows: list[list[Held] | None] = [None] * len(a)
    for is_exact, matrix in ((True, fmpq_mat), (False, arb_mat)):
        chosen = [i for i, flag in enumerate(exact) if flag == is_exact]
        if not chosen:
            continue
        columns = [[b[j][k] for j in range(len(b))] for k in range(len(b[0]))]
        result = (matrix([a[i] for i in chosen]) * matrix(columns)).tolist()
        for i, row in zip(chosen, result, strict=True):
            rows[i] = row
    out = [row for row in rows if row is not None]
    for i, row in enumerate(a):
        if not exact[i] and all(type(value) is fmpq and value == 0 for value in row):
            out[i] = [ZERO] * len(b)
    return out

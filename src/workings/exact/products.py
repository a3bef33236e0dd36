"""A ``Sum`` of ``Mul`` of two ``At`` as one matrix product, rational rows in rationals and the others in balls."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from flint import arb, arb_mat, fmpq, fmpq_mat

from workings.exact.values import ZERO, Held, add
from workings.steps import language as lang
from workings.steps.language import Expr, Tables, index_axes
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Name

Cells = dict[tuple[int, ...], Held]
Rows = list[list[Held]]


class _Product(NamedTuple):
    """Σ over an axis of left · right, plus a bias where there is one."""

    axis: str
    left: lang.At
    right: lang.At
    bias: lang.At | None


class _Side(NamedTuple):
    """One of the two matrices: its cells, row by row along the summed axis, and which rows are rational."""

    rows: Rows
    rational: list[bool]
    exact: fmpq_mat | None


def _parts(formula: Expr) -> _Product | None:
    """The formula as a product, if it has that shape."""
    bias: lang.At | None = None
    if isinstance(formula, lang.Add) and len(formula.terms) == 2:
        formula, last = formula.terms
        if not isinstance(last, lang.At):
            return None
        bias = last
    if not isinstance(formula, lang.Sum) or not isinstance(formula.body, lang.Mul):
        return None
    left, right = formula.body.left, formula.body.right
    if isinstance(left, lang.At) and isinstance(right, lang.At) and left.head is None and right.head is None:
        return _Product(formula.axis, left, right, bias)
    return None


class Products:
    """The matrix products of one recipe. A side that is rational is gathered once for all precisions."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._kept: dict[tuple[Name, str], _Side] = {}

    def cells(self, op: Op, tables: Tables, read: Callable[[Name], Cells]) -> Cells | None:
        """All cells of a step that is a matrix product, or None where it is not one (or needs closed forms)."""
        found = _parts(op.step.formula)
        if found is None or len(op.step.axes) != 2:
            return None
        row_axis, column_axis = op.step.axes
        scope = self._recipe.scope(op)
        sides = []
        for at, mine, other in ((found.left, row_axis, column_axis), (found.right, column_axis, row_axis)):
            if mine == found.axis or any(other in index_axes(item) for item in at.index):
                return None
            side = self._side(op, at, {mine: op.shape[op.step.axes.index(mine)]}, found.axis, tables, read)
            if side is None:
                return None
            sides.append(side)
        rows = _multiply(*sides)
        cells: Cells = {(i, j): value for i, row in enumerate(rows) for j, value in enumerate(row)}
        if found.bias is not None:
            offsets = read(self._recipe.source(op, found.bias.name))
            places = [tables.compiled(item) for item in found.bias.index]
            for i, j in product(range(op.shape[0]), range(op.shape[1])):
                at_cell = {**scope, row_axis: i, column_axis: j}
                cells[i, j] = add(cells[i, j], offsets[tuple([place(at_cell) for place in places])])
        return cells

    def _side(
        self, op: Op, at: lang.At, outer: dict[str, int], summed: str, tables: Tables, read: Callable[[Name], Cells]
    ) -> _Side | None:
        """One side of a product, or None where closed forms or infinities take part."""
        kept = self._kept.get((op.name, at.name))
        if kept is not None:
            return kept
        sizes = {**outer, summed: tables.sizes[summed]}
        cells = read(self._recipe.source(op, at.name))
        rows = _gather(at, cells, tables, self._recipe.scope(op), sizes)
        kinds = [set(map(type, row)) for row in rows]
        if not rows or not rows[0] or not set().union(*kinds) <= {fmpq, arb}:
            return None
        rational = [kind == {fmpq} for kind in kinds]
        exact = fmpq_mat(_plain(rows)) if all(rational) else None
        side = _Side(rows, rational, exact)
        if exact is not None and all(type(cell) is fmpq for cell in cells.values()):
            self._kept[op.name, at.name] = side
        return side


def _gather(at: lang.At, cells: Cells, tables: Tables, fixed: dict[str, int], sizes: dict[str, int]) -> Rows:
    """The cells that ``at`` reads: rows along the first axis of ``sizes``, columns along the second."""
    (outer, outer_size), (inner, inner_size) = sizes.items()
    by_axis: list[tuple[bool, list[int]]] = []
    for item in at.index:
        axes = index_axes(item) & {outer, inner}
        place = tables.compiled(item)
        if axes == {inner}:
            by_axis.append((True, [place({**fixed, inner: j}) for j in range(inner_size)]))
        elif inner not in axes:
            by_axis.append((False, [place({**fixed, outer: i}) for i in range(outer_size)]))
    if len(by_axis) == len(at.index) == 2 and by_axis[0][0] != by_axis[1][0]:
        (first_is_inner, first), (_, second) = by_axis
        if first_is_inner:
            return [[cells[i, j] for i in first] for j in second]
        return [[cells[i, j] for j in second] for i in first]
    places = [tables.compiled(item) for item in at.index]
    scopes = [[{**fixed, outer: i, inner: j} for j in range(inner_size)] for i in range(outer_size)]
    return [[cells[tuple([place(scope) for place in places])] for scope in row] for row in scopes]


def _plain(rows: Any) -> Any:
    """Rows whose cells are known to be of a kind that flint's matrices take."""
    return rows


def _multiply(a: _Side, b: _Side) -> Rows:
    """A · Bᵀ: rational rows exactly where B is rational too, the others in balls."""
    if a.exact is not None and b.exact is not None:
        exact_rows: Rows = _plain((a.exact * b.exact.transpose()).tolist())
        return exact_rows
    columns = (arb_mat(b.exact) if b.exact is not None else arb_mat(_plain(b.rows))).transpose()
    balls = arb_mat(a.exact) if a.exact is not None else arb_mat(_plain(a.rows))
    out: Rows = _plain((balls * columns).tolist())
    chosen = [i for i, rational in enumerate(a.rational) if rational]
    if chosen and b.exact is not None:
        exact = fmpq_mat(_plain([a.rows[i] for i in chosen])) * b.exact.transpose()
        for i, row in zip(chosen, exact.tolist(), strict=True):
            out[i] = _plain(row)
    for i in chosen:
        if not any(a.rows[i]):
            out[i] = [ZERO] * len(b.rows)
    for j, rational in enumerate(b.rational):
        if rational and not any(b.rows[j]):
            for made in out:
                made[j] = ZERO
    return out

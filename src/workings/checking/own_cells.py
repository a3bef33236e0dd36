"""Cells of the document's own: what it works out that is no cell of the recipe."""

from __future__ import annotations

from workings.checking.grids import Grid
from workings.checking.local import LOCAL
from workings.steps.language import Cell, Const, Expr, Infinity, Mul, Printed
from workings.terms.address import Address, Name


class OwnCells:
    """The formulas of a document's own cells, by address."""

    def __init__(self) -> None:
        self.formulas: dict[Address, Expr] = {}
        self.copies: set[Address] = set()

    def add(self, formula: Expr) -> Cell:
        """A new cell with a formula."""
        address = Address(Name(LOCAL), (len(self.formulas),))
        self.formulas[address] = formula
        return Cell(address)

    def copy(self, address: Address) -> Cell:
        """A new cell that repeats another."""
        copied = self.add(Mul(Const(1), Cell(address)))
        self.copies.add(copied.address)
        return copied

    def are_written(self, grid: Grid) -> bool:
        """Whether all cells of a grid are numbers that the document just wrote down: a name may get others."""
        cells = [cell.address for row in grid.rows for cell in row if isinstance(cell, Cell)]
        return bool(cells) and all(map(self.is_written, cells))

    def is_written(self, address: Address) -> bool:
        """Whether a cell stands for a number as the document just wrote it down."""
        return isinstance(self.formulas.get(address), (Printed, Infinity))

"""The formula of one cell with the index language resolved: sums written out, every operand a cell with its address."""

from __future__ import annotations

from collections.abc import Mapping

from workings.steps.language import (
    Add,
    At,
    Cell,
    Const,
    Expr,
    If,
    Larger,
    Max,
    Number,
    Size,
    Sum,
    Tables,
    rebuild,
    walk,
)
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Address


class Expansion:
    """Resolves formulas of one recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def cell(self, address: Address) -> Expr | None:
        """The resolved formula of a cell, or None for a given number."""
        op = self.recipe.op(address.array)
        return None if op is None else self.formula(op, op.step.formula, address.index)

    def formula(self, op: Op, formula: Expr, index: tuple[int, ...]) -> Expr:
        """Any formula, resolved as if it were the step's own at ``index``."""
        scope = {**self.recipe.scope(op), **dict(zip(op.step.axes, index, strict=True))}
        return _Resolver(self.recipe, op).resolve(formula, scope)

    def inputs(self, address: Address) -> list[Address]:
        """The cells that a cell is made from, in the order of its formula, each once."""
        formula = self.cell(address)
        if formula is None:
            return []
        return list(dict.fromkeys(node.address for node in walk(formula) if isinstance(node, Cell)))


class _Resolver:
    """Resolves the formulas of one step."""

    def __init__(self, recipe: Recipe, op: Op) -> None:
        self.recipe, self.op = recipe, op
        self.tables = Tables(recipe.sizes_of(op), recipe.tables)

    def resolve(self, node: Expr, scope: Mapping[str, int]) -> Expr:
        """The node at a scope, without index language."""
        if isinstance(node, At):
            head = None if node.head is None else int(self.tables.index(node.head, scope))
            source = self.recipe.source(self.op, node.name, head)
            return Cell(Address(source, tuple(int(self.tables.index(item, scope)) for item in node.index)))
        if isinstance(node, (Sum, Max)):
            terms = [
                self.resolve(node.body, {**scope, node.axis: place}) for place in range(self.tables.sizes[node.axis])
            ]
            return Add(*terms) if isinstance(node, Sum) else Larger(*terms)
        if isinstance(node, If):
            branch = node.then if self.tables.holds(node.condition, scope) else node.otherwise
            return self.resolve(branch, scope)
        if isinstance(node, Number):
            return Const(int(self.tables.index(node.index, scope)))
        if isinstance(node, Size):
            return Const(self.tables.sizes[node.axis])
        return rebuild(node, lambda child: self.resolve(child, scope))

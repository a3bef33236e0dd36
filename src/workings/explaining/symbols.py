"""General formulas: a step's formula with symbols for its arrays and letters for its axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from workings.explaining.tree import Code, Equation, Text
from workings.steps.gradient import AGAIN, GRAD, UPDATED
from workings.steps.inputs import GIVEN
from workings.steps.language import (
    CALCULATE,
    Add,
    At,
    Both,
    Calc,
    Condition,
    Const,
    Expr,
    If,
    Index,
    Lookup,
    Max,
    Mul,
    Number,
    Size,
    Sub,
    Sum,
    Symbol,
    Tables,
    condition_axes,
    rebuild,
)
from workings.steps.recipe import Recipe
from workings.steps.step import Op
from workings.terms.address import Name

LETTERS: Mapping[str, str] = {
    "token": "i",
    "query": "i",
    "key": "j",
    "block": "j",
    "past": "j",
    "d_k": "d",
    "d_v": "d",
    "d_model": "m",
    "d_context": "m",
    "d_out": "m",
    "d_last": "n",
    "d_ff": "f",
    "concat": "c",
    "pair": "p",
    "head": "h",
    "group": "g",
    "word": "w",
    "place": "p",
    "kind": "t",
    "q_width": "d",
    "k_width": "d",
    "v_width": "d",
}
KNOWN = {*LETTERS, "rotary_dim"} - {"past"}  # lengths that people know by name
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SIGNS = {"*": "·", "-": "−", "<=": "≤", ">=": "≥", "==": "="}


def letter_of(axis: str) -> str:
    """The letter that stands for an axis; blocks of keys have numbered axes and one letter."""
    return LETTERS[axis.rstrip("0123456789")] if not axis.endswith(AGAIN) else f"{letter_of(axis[:-1])}{AGAIN}"


def symbol_of(recipe: Recipe, name: Name) -> str:
    """How formulas write an array: its declared symbol, numbered where the block has two of its kind."""
    op = recipe.op(name)
    if op is None:
        return GIVEN[name.name].symbol or name.name
    if name.part in (GRAD, UPDATED):
        return op.step.symbol
    symbol = op.step.symbol or name.name
    number = "".join(c for c in name.name if c.isdigit())
    if name.name.endswith(("_proj", "_normed", "_rotated", "_new")):
        return name.name
    return symbol + number.translate(_SUBSCRIPTS)


class _Drawing:
    """One op's formula in symbols."""

    def __init__(self, recipe: Recipe, op: Op) -> None:
        self.recipe, self.op = recipe, op

    def expression(self, node: Expr) -> Expr:
        if isinstance(node, At):
            head = None if node.head is None else 0
            source = self.recipe.source(self.op, node.name, head)
            letters = tuple(str(self.index(item)) for item in node.index)
            if source.name in ("sink", "alibi_slope") and self.recipe.sizes["heads"] == 1:
                letters = ()
            other = "" if node.head is None else f"^{_bracketed(str(self.index(node.head)))}"
            return Symbol(symbol_of(self.recipe, source) + other, letters)
        if isinstance(node, If):
            return self._bracket(node)
        if isinstance(node, (Sum, Max)):
            return type(node)(self.letter(node.axis), self.expression(node.body))
        if isinstance(node, Size):
            size = self.size(node.axis)
            return Symbol(size) if isinstance(size, str) else Const(size)
        if isinstance(node, Number):
            known = self.index(node.index)
            return Symbol(_bracketed(known)) if isinstance(known, str) else Const(known)
        return rebuild(node, self.expression)

    def _bracket(self, node: If) -> Expr:
        """A case within a formula as Iverson writes it: [condition], which is 1 where it holds and else 0."""
        holds = Symbol(f"[{self.condition(node.condition)}]")
        parts = []
        if node.then != Const(0):
            parts.append(Mul(holds, self.expression(node.then)))
        if node.otherwise != Const(0):
            parts.append(Mul(Sub(Const(1), holds), self.expression(node.otherwise)))
        return parts[0] if len(parts) == 1 else Add(*parts)

    def axis(self, axis: str) -> str:
        return self.op.rename.get(axis, axis)

    def letter(self, axis: str) -> str:
        """The letter of an axis; one that is gone through twice has a mark the second time."""
        return letter_of(axis if axis.endswith(AGAIN) else self.axis(axis))

    def size(self, axis: str) -> str | int:
        """The name that people know the length of an axis by, or the length itself."""
        name = self.axis(axis)
        return name if name in KNOWN else self.recipe.sizes[name]

    def index(self, item: Index) -> str | int:
        """An index as letters, with what is known (one head, equal lengths) worked out."""
        if isinstance(item, int):
            return item
        if isinstance(item, str):
            if item in ("head", "group") and self.recipe.sizes["heads" if item == "head" else "kv_heads"] == 1:
                return 0
            return self.letter(item)
        if isinstance(item, Size):
            return self.size(item.axis)
        if isinstance(item, Lookup):
            return f"{item.table}[{', '.join(str(self.index(i)) for i in item.index)}]"
        return self._calc(item)

    def _calc(self, item: Calc) -> str | int:
        if item == Calc("-", Size("key"), Size("query")):
            return self.recipe.sizes["key"] - self.recipe.sizes["query"]
        left, right = self.index(item.left), self.index(item.right)
        if isinstance(left, int) and isinstance(right, int):
            return int(CALCULATE[item.op](left, right))
        if item.op == "*" and 0 in (left, right):
            return 0
        if item.op == "|-|":
            return f"|{left}−{right}|"
        if item.op == "-" and left == 0:
            return f"−{right}"
        if item.op in "+-" and right == 0:
            return left
        if item.op == "+" and left == 0:
            return right
        if item.op in ("*", "//", "%"):
            left, right = (f"({x})" if isinstance(x, str) and not x.isidentifier() else x for x in (left, right))
        if item.op == "%":
            return f"{left} mod {right}"
        return f"{left}{_SIGNS.get(item.op, item.op)}{right}".replace("-", "−")

    def condition(self, condition: Condition) -> str:
        if isinstance(condition, Both):
            return f"{self.condition(condition.first)}, {self.condition(condition.second)}"
        return f"{self.index(condition.left)} {_SIGNS.get(condition.op, condition.op)} {self.index(condition.right)}"


def _bracketed(text: str) -> str:
    return text if text.replace(".", "").isalnum() or text.endswith("]") else f"({text})"


def _decided(recipe: Recipe, op: Op, condition: Condition) -> Condition | bool:
    """A condition without what holds for every cell of a step; True or False where no cell differs."""
    if isinstance(condition, Both):
        first, second = _decided(recipe, op, condition.first), _decided(recipe, op, condition.second)
        if first is True or second is False:
            return second
        if second is True or first is False:
            return first
        return Both(first, second)
    tables = Tables(recipe.sizes_of(op), recipe.tables)
    used = condition_axes(condition)
    places = {axis: range(size) for axis, size in zip(op.step.axes, op.shape, strict=True) if axis in used}
    seen: set[bool] = set()
    for index in product(*places.values()):
        seen.add(bool(tables.holds(condition, {**recipe.scope(op), **dict(zip(places, index, strict=True))})))
        if len(seen) > 1:
            return condition
    return seen.pop() if seen else condition


def general_formula(recipe: Recipe, op: Op) -> list[Equation]:
    """The step's formula in symbols; one equation per case that occurs where the formula has cases."""
    drawing = _Drawing(recipe, op)
    left = Symbol(symbol_of(recipe, op.name), tuple(letter_of(axis) for axis in op.axes))
    out: list[Equation] = []
    for condition, formula in _cases(recipe, op, op.step.formula):
        notes: tuple[Text, ...] = ()
        if condition is not None:
            said = {"condition": Code(drawing.condition(condition))}
            notes = (Text("formula.else_if" if out else "formula.if", said),)
        elif out:
            notes = (Text("formula.else"),)
        out.append(Equation(notes, str(op.name), left, (("=", drawing.expression(formula)),)))
    return out


def _cases(recipe: Recipe, op: Op, formula: Expr) -> Iterator[tuple[Condition | None, Expr]]:
    """Each case that occurs, with its condition; None for the last, which holds where no condition before it does."""
    while isinstance(formula, If):
        known = _decided(recipe, op, formula.condition)
        if not isinstance(known, bool):
            yield known, formula.then
        formula = formula.then if known is True else formula.otherwise
    yield None, formula

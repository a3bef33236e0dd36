"""Backpropagation (Rumelhart, Hinton and Williams 1986), derived from the formulas of a recipe's own steps.

A cell's gradient says how much the loss changes when the cell does. Each step that reads an array passes back what it
was handed itself, times the derivative of its formula at that place; where several cells of a step read one cell, their
shares are added. So the gradient of an array is a formula like any other, and its step is data like any other step:
explained, worked exactly, run on arrays, without a second declaration.

The array of gradients of ``Q`` is named ``grad.Q``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workings.steps.derivatives import differentiated, mapped, mapped_index, minus, where
from workings.steps.inputs import INPUTS
from workings.steps.language import (
    Add,
    At,
    Both,
    Calc,
    Compare,
    Condition,
    Const,
    Expr,
    Index,
    Size,
    Sub,
    Sum,
    walk,
)
from workings.steps.loss import updated
from workings.steps.recipe import Recipe
from workings.steps.step import Op, Step
from workings.terms.address import Name

GRAD, UPDATED = "grad", "updated"
AGAIN = "′"  # behind the name of an axis that is summed over while the array has one of that name
LEARNED = ("W_", "b_", "norm1_", "norm2_", "q_norm_", "k_norm_", "embedding_table")


def gradient_name(name: Name) -> Name:
    """The name of the gradients of an array."""
    return name._replace(part=GRAD)


def backward(recipe: Recipe, loss: Name, wanted: Sequence[Name]) -> list[Op]:
    """The steps that make the gradients of given arrays, and of all that lies between them and the loss.

    Raises ``FieldConflict`` where a step on the way has no derivative.
    """
    return list(_Backward(recipe, loss, wanted).ops())


def one_step(recipe: Recipe) -> Recipe:
    """A recipe that ends in a loss, with the gradients of all given weights and the weights after one step."""
    weights = [name for name in recipe.given if name.name.startswith(LEARNED)]
    ops = [*recipe.ops, *backward(recipe, Name("loss"), weights)]
    made = {op.name: op for op in ops}
    for name in weights:
        gradient = made.get(gradient_name(name))
        if gradient is not None:
            given = INPUTS[name.name]
            title = {"en": f"{given.title['en']} after one step", "zh": f"一步之后的{given.title['zh']}"}
            step = updated(name.name, gradient.axes, given.symbol, title)
            reads = {"weight": name, "gradient": gradient.name, "rate": Name("rate")}
            ops.append(Op(name._replace(part=UPDATED), step, gradient.axes, gradient.shape, reads))
    return recipe.with_ops(tuple(ops))


class _Backward:
    """Goes through a recipe from its end, and keeps what has come back to each array so far."""

    def __init__(self, recipe: Recipe, loss: Name, wanted: Sequence[Name]) -> None:
        self.recipe, self.loss, self.wanted = recipe, loss, wanted
        self.between = set(wanted)
        for op in recipe.ops:
            if self.between.intersection(recipe.sources(op)):
                self.between.add(op.name)
        self.axes: dict[Name, tuple[str, ...]] = {}
        self.shares: dict[Name, list[Expr]] = {}
        self.constants: dict[Name, Const] = {loss: Const(1)}
        self.arrays: dict[str, Name] = {}

    def ops(self) -> Iterator[Op]:
        for op in reversed(self.recipe.ops):
            if op.name not in self.between or (op.name != self.loss and op.name not in self.shares):
                continue
            made = self._made(op.name) if op.name != self.loss else None
            if made is not None:
                yield made
            self._pass_back(op)
        for name in self.wanted:
            made = self._made(name) if name in self.shares else None
            if made is not None:
                yield made

    def _made(self, name: Name) -> Op | None:
        """The step of an array's gradients; None where all are one constant, which is then put in where it is read."""
        shares = self.shares[name]
        formula = _together(shares)
        if isinstance(formula, Const):
            self.constants[name] = formula
            return None
        at, array = gradient_name(name), self.recipe.array(name)
        declared = self.recipe.op(name)
        title = INPUTS[name.name].title if declared is None else declared.step.title
        symbol = INPUTS[name.name].symbol if declared is None else declared.step.symbol
        step = Step(
            f"{GRAD}_{name.name}",
            self.axes[name],
            formula,
            {"en": f"gradient of {title['en']}", "zh": f"{title['zh']}{' ' * title['zh'][-1].isascii()}的梯度"},
            f"∇{symbol or name.name}",
            "Rumelhart, Hinton and Williams 1986",
            "model" if declared is None else declared.step.per,
            about="gradient",
        )
        read = {node.name for node in walk(formula) if isinstance(node, At)}
        again = {node.axis for node in walk(formula) if isinstance(node, Sum) and node.axis.endswith(AGAIN)}
        rename = {axis: axis.removesuffix(AGAIN) for axis in again}
        return Op(at, step, self.axes[name], array.shape, {formal: self.arrays[formal] for formal in read}, rename)

    def _pass_back(self, op: Op) -> None:
        """What a step hands back to each array that it reads."""
        formula = self._plain(op)
        own = self._named(op.name, op.axes)
        handed: Expr = self.constants.get(op.name) or self._named(gradient_name(op.name), op.axes)
        for found in differentiated(formula, own, handed, str(op.name)):
            head = found.at.head
            for source in self._meant(op, found.at):
                if source not in self.between:
                    continue
                passed = found.passed
                if head is not None:
                    passed = where(Compare("==", head, source.head or 0), passed)
                self._share(op, source, found.at.index, passed, (*op.axes, *found.summed))

    def _meant(self, op: Op, at: At) -> list[Name]:
        """The arrays that a place of a plain formula reads: one, or that of every head."""
        if at.head is None:
            return [self.arrays[at.name]]
        return [self.recipe.source(op, at.name, head) for head in range(self.recipe.sizes["heads"])]

    # --- names ---

    def _named(self, name: Name, axes: Sequence[Index]) -> At:
        """A cell of an array by its whole name, the same in every step."""
        self.arrays[str(name)] = name
        return At(str(name), *axes)

    def _plain(self, op: Op) -> Expr:
        """The formula of a step with actual names of arrays and axes, and with the place of the step put in."""
        fixed: dict[str, Index] = {**self.recipe.scope(op), **op.rename}
        formula = mapped(op.step.formula, fixed)

        def named(node: At) -> Expr:
            return node if node.head is not None else self._named(self.recipe.source(op, node.name), node.index)

        return mapped(formula, {}, named)

    # --- shares ---

    def _share(self, op: Op, source: Name, index: Sequence[Index], passed: Expr, axes: Sequence[str]) -> None:
        """Adds what one place of a formula hands back, in terms of the axes of the array that it reads."""
        targets = self.axes.setdefault(source, self._axes_of(source, index))
        sizes = self.recipe.sizes
        known: dict[str, Index] = {}
        conditions: list[Condition] = []
        equal: list[tuple[Index, str]] = []
        for item, target in zip(index, targets, strict=True):
            plain, offset = _offset(item, sizes)
            if plain is None or plain in known:
                equal.append((item, target))
            elif offset == 0 and sizes[plain] == sizes[target]:
                known[plain] = target
            else:
                known[plain] = Calc("-", target, offset) if offset else target
                if offset or sizes[plain] < sizes[target]:
                    low = Compare(">=", target, offset)
                    conditions += [low, Compare("<", target, offset + sizes[plain])]
        places: dict[str, Index] = {axis: f"{axis}{AGAIN}" for axis in axes if axis in targets} | known
        out = mapped(passed, places)
        negative = isinstance(out, Sub) and out.left == Const(0)
        out = out.right if negative and isinstance(out, Sub) else out
        conditions += [Compare("==", mapped_index(item, places), target) for item, target in equal]
        for condition in _joined(conditions):
            out = where(condition, out)
        for axis in reversed([axis for axis in axes if axis not in known]):
            out = Sum(f"{axis}{AGAIN}" if axis in targets else axis, out)
        self.shares.setdefault(source, []).append(minus(out) if negative else out)

    def _axes_of(self, source: Name, index: Sequence[Index]) -> tuple[str, ...]:
        """The axes of an array, named as its first reader does where it reads along a whole axis."""
        sizes, array = self.recipe.sizes, self.recipe.array(source)
        return tuple(
            item if isinstance(item, str) and sizes.get(item) == sizes[axis] else axis
            for item, axis in zip(index, array.axes, strict=True)
        )


def _together(shares: Sequence[Expr]) -> Expr:
    """Shares added up, those with a minus behind the others as what is subtracted."""
    plus = [share for share in shares if not (isinstance(share, Sub) and share.left == Const(0))]
    less = [share.right for share in shares if isinstance(share, Sub) and share.left == Const(0)]
    if not plus:
        plus, less = [minus(less[0])], less[1:]
    whole = plus[0] if len(plus) == 1 else Add(*plus)
    for share in less:
        whole = Sub(whole, share)
    return whole


def _offset(item: Index, sizes: Mapping[str, int]) -> tuple[str | None, int]:
    """An index as an axis and a distance from it; no axis where it is something else."""
    if isinstance(item, str):
        return item, 0
    if isinstance(item, Calc) and item.op == "+":
        left, right = _number(item.left, sizes), _number(item.right, sizes)
        if left is not None and isinstance(item.right, str):
            return item.right, left
        if right is not None and isinstance(item.left, str):
            return item.left, right
    return None, 0


def _number(item: Index, sizes: Mapping[str, int]) -> int | None:
    """An index that is the same everywhere."""
    if isinstance(item, int):
        return item
    if isinstance(item, Size):
        return sizes[item.axis]
    if isinstance(item, Calc):
        left, right = _number(item.left, sizes), _number(item.right, sizes)
        if left is not None and right is not None and item.op == "*":
            return left * right
    return None


def _joined(conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions that hold together as one; none where there are none."""
    if not conditions:
        return []
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = Both(whole, condition)
    return [whole]

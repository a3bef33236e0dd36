"""A step as data: its name, its axes and the formula of one cell; and a step bound to its place in a recipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property

from workings.steps.language import Add, At, Const, Expr, If, Larger, Max, Number, Size, Sum, walk
from workings.terms.address import Name
from workings.terms.records import keeping, record


@keeping
class Step:
    """One step of attention, declared once.

    Args:
        name: its name in the contract, e.g. ``scaled``.
        axes: the axes of its array, outermost first.
        formula: the value of ONE cell, in terms of the axes.
        title: its name in each language.
        symbol: how formulas write its array.
        source: paper and equation.
        per: where it is computed: once per ``model``, ``layer``, ``head`` or ``group`` of key/value heads.
        about: key of the sentence that says what the step does (its own name if empty).
    """

    name: str
    axes: tuple[str, ...]
    formula: Expr
    title: Mapping[str, str]
    symbol: str = ""
    source: str = ""
    per: str = "head"
    about: str = ""

    @cached_property
    def is_view(self) -> bool:
        """Whether the step only rearranges cells: an index map and no arithmetic."""
        return all(isinstance(node, (At, If)) for node in walk(self.formula))

    @cached_property
    def has_cases(self) -> bool:
        """Whether its formula is another one where a condition holds."""
        return any(isinstance(node, If) for node in walk(self.formula))

    @cached_property
    def kinds(self) -> frozenset[type[Expr]]:
        """What the formulas of its cells may be, by their outermost operation; nothing for a view."""
        return frozenset(() if self.is_view else _kinds(self.formula))

    @cached_property
    def reads(self) -> tuple[At, ...]:
        """The cells that its formula reads, in its order."""
        return tuple(node for node in walk(self.formula) if isinstance(node, At))


def _kinds(formula: Expr) -> Iterator[type[Expr]]:
    """What a formula may be for a cell, once its index language is resolved."""
    if isinstance(formula, If):
        yield from _kinds(formula.then)
        yield from _kinds(formula.otherwise)
    elif isinstance(formula, (Sum, Max)):
        yield Add if isinstance(formula, Sum) else Larger
    elif isinstance(formula, (Number, Size)):
        yield Const
    elif not isinstance(formula, At):
        yield type(formula)


@record
class Array:
    """An array of a recipe: its full name, axes and shape."""

    name: Name
    axes: tuple[str, ...]
    shape: tuple[int, ...]


@record
class Op:
    """A step at its place: formal names of arrays and axes bound to actual ones.

    ``arrays`` maps a name in the formula to the array read there (default: the nearest array of that name);
    ``axes`` renames axes, e.g. the token axis of a key projection to the context's.
    """

    name: Name
    step: Step
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    arrays: Mapping[str, Name] = field(default_factory=dict)
    rename: Mapping[str, str] = field(default_factory=dict)

    @property
    def array(self) -> Array:
        return Array(self.name, self.axes, self.shape)

    def otherwise(self, formula: Expr, arrays: Mapping[str, Name]) -> Op:
        """The op with another formula and other bindings.

        Written out, since the search for causes makes thousands and ``replace`` takes twice as long.
        """
        old = self.step
        step = Step(old.name, old.axes, formula, old.title, old.symbol, old.source, old.per, old.about)
        return Op(self.name, step, self.axes, self.shape, arrays, self.rename)

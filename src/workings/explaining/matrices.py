"""A whole array with the words along its rows and columns, and the meanings its author gave them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workings.explaining.numbers import Numbers
from workings.explaining.symbols import symbol_of
from workings.explaining.tree import Cell, Code, Inline, Matrix, Named, Token
from workings.steps.language import Expr
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.digits import show


def matrix(numbers: Numbers, name: Name) -> Matrix:
    """The array as it is printed."""
    trace = numbers.trace
    array = trace.array(name)
    return _matrix(numbers, name, lambda index: numbers.shown(Address(name, index)).text, array.shape)


def other_matrix(numbers: Numbers, op: Op, formula: Expr) -> Matrix:
    """What another formula of a cell than the step's own gives in the shape of its array."""

    def text(index: tuple[int, ...]) -> str:
        value = numbers.trace.engine.evaluate(formula, op.name, dict(zip(op.step.axes, index, strict=True)))
        return show(value, numbers.precision).text

    return replace(_matrix(numbers, op.name, text, op.shape), formula=formula)


def matrix_of(numbers: Numbers, name: Name, cell: Callable[[Address], Cell]) -> Matrix:
    """The array with a cell of the caller's own at each place."""
    shape = numbers.trace.array(name).shape
    return _matrix(numbers, name, lambda index: cell(Address(name, index)), shape)


def _matrix(numbers: Numbers, name: Name, text: Callable[[tuple[int, ...]], Cell], shape: tuple[int, ...]) -> Matrix:
    trace = numbers.trace
    axes = trace.array(name).axes
    labels = [_labels(numbers, axis, size) for axis, size in zip(axes, shape, strict=True)]
    notes = trace.source.notes.get(name.name, {})
    rows = labels[0] if axes else (Code(str(name)),)
    columns = labels[1] if len(axes) > 1 else ()
    height, width = (*shape, 1, 1)[:2]
    cells = tuple(tuple(text((i, j)[: len(axes)]) for j in range(width)) for i in range(height))
    return Matrix(
        symbol=symbol_of(trace.recipe, name),
        address=str(name),
        corner=(axes[0] if axes else "", axes[1] if len(axes) > 1 else ""),
        rows=rows,
        columns=columns,
        cells=cells,
        row_notes=tuple(Named(note) for note in notes.get("rows", ())),
        column_notes=tuple(Named(note) for note in notes.get("columns", ())),
    )


def _labels(numbers: Numbers, axis: str, size: int) -> tuple[Inline, ...]:
    words = numbers.trace.words(axis)
    if words:
        return tuple(Token(word) for word in words)
    return tuple(Code(str(place)) for place in range(size))

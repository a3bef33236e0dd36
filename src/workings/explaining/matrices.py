"""A whole array with the words along its rows and columns, and the meanings its author gave them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from workings.explaining.numbers import Numbers
from workings.explaining.symbols import symbol_of
from workings.explaining.tree import Code, Inline, Matrix, Named, Token
from workings.terms.address import Address, Name
from workings.terms.digits import show
from workings.terms.numbers import Value


def matrix(numbers: Numbers, name: Name) -> Matrix:
    """The array as it is printed."""
    trace = numbers.trace
    array = trace.array(name)
    return _matrix(numbers, name, lambda index: numbers.shown(Address(name, index)).text, array.shape)


def other_matrix(numbers: Numbers, name: Name, values: dict[tuple[int, ...], Value]) -> Matrix:
    """Other values than the trace's own in the shape of one of its arrays."""
    shape = numbers.trace.array(name).shape
    return _matrix(numbers, name, lambda index: show(values[index], numbers.precision).text, shape)


def _matrix(numbers: Numbers, name: Name, text: Callable[[tuple[int, ...]], str], shape: tuple[int, ...]) -> Matrix:
    trace = numbers.trace
    axes = trace.array(name).axes
    labels = [_labels(numbers, axis, size) for axis, size in zip(axes, shape, strict=True)]
    notes = trace.source.notes.get(name.name, {})
    rows = labels[0]
    columns = labels[1] if len(axes) > 1 else ()
    across = [(j,) for j in range(shape[1])] if len(axes) > 1 else [()]
    cells = tuple(tuple(text((i, *j)) for j in across) for i in range(shape[0]))
    return Matrix(
        symbol=symbol_of(trace.recipe, name),
        address=str(name),
        corner=(axes[0], axes[1] if len(axes) > 1 else ""),
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


def places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All indices of a shape, row by row."""
    return list(product(*(range(size) for size in shape)))

"""A trace or a cell as plain data for programs, by the JSON contract."""

from __future__ import annotations

from typing import Any

from workings.steps.step import Array
from workings.terms.address import Address
from workings.terms.digits import json_digits, ratio, sure_digits
from workings.terms.numbers import Value
from workings.traces.trace import Trace


def trace_data(trace: Trace, lang: str = "en") -> dict[str, Any]:
    """``workings.trace/1``: every array, given ones first, then in order of computation."""
    title = trace.source.title
    return {
        "schema": "workings.trace/1",
        "title": title.get(lang) or next(iter(title.values()), ""),
        "tokens": list(trace.labels("token")),
        **({"key_tokens": list(trace.labels("key"))} if trace.labels("key") != trace.labels("token") else {}),
        "inputs": [array_data(trace, trace.array(name)) for name in trace.recipe.given],
        "steps": [array_data(trace, op.array) for op in trace.ops()],
    }


def array_data(trace: Trace, array: Array) -> dict[str, Any]:
    """One array's entry in ``workings.trace/1``."""
    values = {address.index: trace.value(address) for address in trace.cells(array.name)}
    return {
        "name": array.name.name,
        "address": str(array.name),
        "axes": list(array.axes),
        "shape": list(array.shape),
        "values": _nested(array.shape, {index: json_digits(value) for index, value in values.items()}),
        "exact": _nested(array.shape, {index: _exact(value) for index, value in values.items()}),
    }


def _nested(shape: tuple[int, ...], cells: dict[tuple[int, ...], Any], at: tuple[int, ...] = ()) -> Any:
    if len(at) == len(shape):
        return cells[at]
    return [_nested(shape, cells, (*at, place)) for place in range(shape[len(at)])]


def _exact(value: Value) -> str | None:
    return None if value.exact is None else ratio(value.exact)


def cell_data(trace: Trace, address: Address) -> dict[str, Any]:
    """``workings.cell/1``; ``formula`` and ``arithmetic`` are filled in by the caller that can draw them."""
    value = trace.value(address)
    return {
        "schema": "workings.cell/1",
        "address": str(address),
        "value": json_digits(value),
        "exact": _exact(value),
        "formula": None,
        "arithmetic": None,
        "inputs": [
            {"address": str(source), "value": json_digits(trace.value(source))} for source in trace.inputs(address)
        ],
        "used_by": [str(reader) for reader in trace.used_by(address)],
        "sure_digits": sure_digits(value),
    }

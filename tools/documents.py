"""Writes a worked example as a document that prints its numbers: as Markdown, or as an example file with claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.digits import decimals_of, round_value, write
from workings.terms.numbers import Value
from workings.traces.trace import Trace

Cells = Callable[[Address], Value]
PLACES = 3
NAMES = {
    "Q": "Q = XW_Q = ",
    "K": "K = XW_K = ",
    "V": "V = XW_V = ",
    "score": "S = QK^T = ",
    "scaled": "Scaled scores = ",
    "masked": "Masked scores = ",
    "weight": "Attention weights = ",
    "head_output": "AV = ",
    "output": "Output = ",
}


def digits(value: Value, places: int = PLACES) -> str:
    """A number as an author prints it: whole and short decimals as they are, others rounded."""
    if value.infinite:
        return "-inf" if value.infinite < 0 else "inf"
    exact = value.exact
    ends = None if exact is None else decimals_of(exact)
    if exact is not None and ends is not None and ends <= places:
        return write(exact, ends)
    return write(round_value(value, places).value, places)


def printable(trace: Trace) -> list[Op]:
    """The steps that a Markdown document prints; with one head, its output is the whole output."""
    return [op for op in trace.ops() if op.name.name in NAMES and op.name.name != "head_output"]


def matrix(rows: Iterable[Iterable[str]]) -> str:
    """A matrix in brackets, infinities as mathematics writes them."""
    text = ", ".join(f"[{', '.join(row)}]" for row in rows)
    return f"[{text}]".replace("-inf", "−∞")


def rows_of(trace: Trace, name: Name, cells: Cells, places: int = PLACES) -> list[list[str]]:
    """The printed numbers of an array with two axes."""
    count, width = trace.array(name).shape
    return [[digits(cells(Address(name, (i, j))), places) for j in range(width)] for i in range(count)]


def given_lines(trace: Trace) -> list[str]:
    """The inputs of an example, one line each."""
    lines = []
    for name in trace.recipe.given:
        if len(trace.array(name).shape) == 2:
            lines.append(f"{name} = {matrix(rows_of(trace, name, trace.value))}")
    return lines


def step_line(name: Name, rows: Iterable[Iterable[str]]) -> str:
    """A step with its numbers."""
    return f"{NAMES[name.name]}{matrix(rows)}"


def markdown(trace: Trace, steps: Iterable[tuple[Name, list[list[str]]]], said: str = "") -> str:
    """A document: what is given, what is said of it, and the steps, each a paragraph."""
    divided = "Scores are divided by the root of d_k: scaled by $\\sqrt{d_k}$."
    head = [said] if said else []
    return "\n\n".join([*given_lines(trace), divided, *head, *(step_line(*step) for step in steps)]) + "\n"


def with_claims(toml: str, name: Name, rows: Iterable[Iterable[str]]) -> str:
    """An example file that claims the numbers of one array."""
    lines = ", ".join(f"[{', '.join(f'{chr(34)}{number}{chr(34)}' for number in row)}]" for row in rows)
    key = f'"{name}"' if "." in str(name) else str(name)
    return f"{toml.rstrip()}\n\n[claims]\n{key} = [{lines}]\n"

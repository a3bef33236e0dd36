"""Small random examples printed as Markdown documents: as they are, with a slip in the recipe, or in one number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tools.documents import markdown, printable, rows_of
from workings.api.opening import trace_of
from workings.checking.causes.cause import Cause
from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.divisor import given_cells
from workings.checking.grammar import statements
from workings.checking.reading import paper_from_text
from workings.exact.run import Exact
from workings.examples.read import read_mapping
from workings.terms.address import Name
from workings.terms.errors import WorkingsError
from workings.traces.trace import Trace

CAUSAL = "The mask is causal."
Steps = list[tuple[Name, list[list[str]]]]


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Two or three words, given by Q, K and V or by X and weights, with a causal mask or without."""
    count, width = draw(st.integers(2, 3)), draw(st.sampled_from((2, 3)))
    number = st.integers(-20, 20).map(lambda tenths: f"{tenths / 10:.1f}")

    def matrix(rows: int, columns: int) -> list[list[str]]:
        row = st.lists(number, min_size=columns, max_size=columns)
        return draw(st.lists(row, min_size=rows, max_size=rows))

    inputs: dict[str, Any] = {letter: matrix(count, width) for letter in "QKV"}
    if draw(st.booleans()):
        inputs = {"X": matrix(count, 2), **{f"W_{letter}": matrix(2, width) for letter in "QKV"}}
    attention = {"mask": "causal"} if draw(st.booleans()) else {}
    words = ["tea", "time", "now"][:count]
    return trace_of(read_mapping({"tokens": words, "inputs": inputs, "attention": attention}))


def steps(trace: Trace) -> Steps:
    """Every printable step with its right numbers."""
    return [(op.name, rows_of(trace, op.name, trace.value)) for op in printable(trace)]


def altered(trace: Trace, cause: Cause) -> Iterator[Steps]:
    """The steps as a slip makes them, where it changes a printed digit."""
    right = dict(steps(trace))
    for recipe in cause.recipes(trace.recipe):
        engine = Exact(recipe, given_cells(trace))
        try:
            printed = [
                (name, rows_of(trace, name, lambda at, engine=engine: engine.value(at.array, at.index)))  # type: ignore[misc]
                for name in right
                if recipe.op(name) is not None
            ]
        except WorkingsError:
            continue
        changed = any(rows != right[name] for name, rows in printed)
        if changed and not any("inf" in row for _, rows in printed for row in rows):
            yield printed


def judged(trace: Trace, printed: Steps) -> Report:
    """The document that prints these steps, checked."""
    text = markdown(trace, printed, CAUSAL if trace.recipe.spec.mask.kind == "causal" else "")
    paper = paper_from_text(text, "markdown", "random.md")
    return check(paper, statements(paper))

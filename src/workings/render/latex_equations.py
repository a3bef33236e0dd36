"""Equations as LaTeX displays: aligned with one another where they fit, else each broken over lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workings.render.latex_text import maths, measured
from workings.render.written import Operator, Row, Written, broken, chain_parts, width
from workings.steps.language import Expr

Chain = tuple[Expr | None, tuple[tuple[str, Expr], ...]]
Labelled = tuple[tuple[str, str], Chain]
WIDEST_LABEL, INDENT, SLACK = 13.0, 2.0, 1.0
DISPLAYS = ("\\begin{alignat*}", "\\begingroup")  # how a display begins
MANY = 8  # lines from which a display may break over pages


def displayed(equations: Sequence[Labelled], room: float) -> str:
    """Equations that follow each other; each with its label, as it is measured and as LaTeX.

    A label too wide to stand before its equation stands above it.
    """
    label = max(measured(plain) for (plain, _), _ in equations)
    if label > WIDEST_LABEL and len(equations) > 1:
        return "\n\n".join(displayed([equation], room) for equation in equations)
    if label > WIDEST_LABEL:
        ((_, drawn), chain), *_ = equations
        return f"\\noindent {drawn}\n\n{displayed([(('', ''), chain)], room)}"
    left = room - label - SLACK
    chains = [chain_parts(*chain) for _, chain in equations]
    labels = [drawn for (_, drawn), _ in equations]
    lines = list(_aligned(labels, chains)) if _fit(chains, left) else list(_broken(labels, chains, left))
    end = " \\\\[0.6ex]\n" if any("\\frac" in line for line in lines) else " \\\\\n"
    display = "\\begin{alignat*}{2}\n" + end.join(lines) + "\n\\end{alignat*}"
    return f"\\begingroup\\allowdisplaybreaks\n{display}\n\\endgroup" if len(lines) > MANY else display


def _fit(chains: Sequence[Sequence[Written]], room: float) -> bool:
    before = max(width(chain[0]) if chain else 0.0 for chain in chains)
    after = max(sum(map(width, chain[1:])) for chain in chains)
    return before + after <= room


def _aligned(labels: Sequence[str], chains: Sequence[Sequence[Written]]) -> Iterator[str]:
    """Label, first part, and the rest, which begins with its relation."""
    for label, (first, *rest) in zip(labels, chains, strict=True):
        after = " ".join(map(maths, rest))
        yield f"&{_label(label)} & {maths(first)} &{after}".rstrip(" &")


def _broken(labels: Sequence[str], chains: Sequence[Sequence[Written]], room: float) -> Iterator[str]:
    for label, chain in zip(labels, chains, strict=True):
        for place, line in enumerate(_lines(chain, room)):
            shift = "\\quad " if place else ""
            start = f"&{_label(label)} &&" if not place else "&&&"
            yield f"{start} {shift}{_unspaced(line)}"


def _unspaced(line: Sequence[Written]) -> str:
    """A line of parts; an operator at its beginning gets something to stand after."""
    first = line[0]
    leads = isinstance(first, Row) and isinstance(first.parts[0], Operator)
    return ("{} " if leads else "") + " ".join(map(maths, line))


def _lines(chain: Sequence[Written], room: float) -> Iterator[list[Written]]:
    """Parts of a chain as many to a line as there is room for; a part too wide for a line is broken itself."""
    line: list[Written] = []
    for part in chain:
        if line and sum(map(width, line)) + width(part) > room - INDENT:
            yield line
            line = []
        *whole, last = broken(part, room - INDENT)
        if whole and line:
            yield line
            line = []
        for piece in whole:
            yield [piece]
        line.append(last)
    if line:
        yield line


def _label(label: str) -> str:
    return f"\\text{{{label}}}\\quad" if label else ""

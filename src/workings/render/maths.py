"""Expressions as a line of text, with no more parentheses than ordinary precedence needs."""

from __future__ import annotations

from workings.render.written import (
    Applied,
    Brackets,
    Name,
    Numeral,
    Operator,
    Over,
    Quotient,
    Raised,
    Root,
    Row,
    Written,
    in_line,
)
from workings.steps.language import Expr


def draw_expression(expression: Expr) -> str:
    """One expression as it stands in a line, e.g. ``0.9 × 1.0 + 0.1 × (−0.2)``."""
    return _draw(in_line(expression))


def draw_chain(left: Expr | None, chain: tuple[tuple[str, Expr], ...]) -> str:
    """``left = expression ≈ number``; without a left side the line begins with the first expression."""
    parts = [] if left is None else [draw_expression(left)]
    for relation, expression in chain:
        parts += [relation, draw_expression(expression)] if parts else [draw_expression(expression)]
    return " ".join(parts)


def _draw(node: Written) -> str:
    match node:
        case Numeral() | Name():
            return node.text
        case Operator():
            return node.sign
        case Row():
            return " ".join(map(_draw, node.parts))
        case Brackets():
            return f"({_draw(node.inner)})"
        case Quotient():
            return f"{_draw(node.above)} ÷ {_draw(node.below)}"
        case Raised(base=None):
            return f"e^{_draw(node.exponent)}"
        case Raised(base=base, exponent=Numeral("2")) if base is not None:
            return f"{_draw(base)}²"
        case Raised(base=base) if base is not None:
            return f"{_draw(base)}^{_draw(node.exponent)}"
        case Root():
            return f"√{_draw(node.inner)}"
        case Over():
            return f"{node.sign}_{node.axis} {_draw(node.body)}"
        case Applied():
            return f"{node.name}({', '.join(map(_draw, node.arguments))})"
        case _:
            raise TypeError(f"not to be drawn: {node!r}")

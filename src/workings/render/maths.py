"""Expressions as a line of text, with no more parentheses than ordinary precedence needs.

``^``, ``²`` and ``√`` bind tightest, then ``×`` and ``÷`` from left to right, then ``+`` and ``−``. A negative number
stands in parentheses where an operator stands before it; so does a fraction or a power of ten beside ``×``, ``÷``,
``^`` and ``√``, so that a line can be typed into a calculator as it stands.
"""

from __future__ import annotations

from fractions import Fraction

from workings.steps.language import (
    Add,
    Cell,
    Const,
    Cos,
    Div,
    Erf,
    Exp,
    Expr,
    Infinity,
    Larger,
    Log,
    Max,
    Mul,
    Pow,
    Printed,
    Round,
    Sigmoid,
    Sin,
    Sqrt,
    Sub,
    Sum,
    Symbol,
    Tanh,
)
from workings.terms.digits import decimals_of, ratio, write

# How tightly a written expression holds together.
OPEN, SUM, TERM, PRODUCT, POWER, ATOM = range(6)
LONGEST_CONSTANT = 12
FUNCTIONS: dict[type, str] = {Log: "ln", Tanh: "tanh", Erf: "erf", Sin: "sin", Cos: "cos", Sigmoid: "σ"}


def draw_expression(expression: Expr) -> str:
    """One expression as it stands in a line, e.g. ``0.9 × 1.0 + 0.1 × (−0.2)``."""
    return _draw(expression, leads=True)[0]


def draw_chain(left: Expr | None, chain: tuple[tuple[str, Expr], ...]) -> str:
    """``left = expression ≈ number``; without a left side the line begins with the first expression."""
    parts = [] if left is None else [draw_expression(left)]
    for relation, expression in chain:
        parts += [relation, draw_expression(expression)] if parts else [draw_expression(expression)]
    return " ".join(parts)


def _draw(node: Expr, *, leads: bool) -> tuple[str, int]:
    """The text and how tightly it holds; ``leads`` says that no operator stands before it."""
    match node:
        case Printed() | Const() | Infinity():
            return _number(_text(node), leads=leads)
        case Symbol():
            return (f"{node.text}[{','.join(node.index)}]" if node.index else node.text), ATOM
        case Cell():
            return str(node.address), ATOM
        case Add(terms=(only,)) | Larger(terms=(only,)):
            return _draw(only, leads=leads)
        case Add():
            return _sum(node, leads=leads)
        case Sub():
            return f"{_at(node.left, SUM, leads=leads)} − {_at(node.right, TERM)}", SUM
        case Mul():
            return f"{_at(node.left, PRODUCT, leads=leads)} × {_at(node.right, POWER)}", PRODUCT
        case Div():
            return f"{_at(node.left, PRODUCT, leads=leads)} ÷ {_at(node.right, POWER)}", PRODUCT
        case Pow():
            return _power(node), POWER
        case Exp():
            return f"e^{_tight(node.arg)}", POWER
        case Sqrt():
            return f"√{_tight(node.arg, names=True)}", POWER
        case Sum():
            return f"Σ_{node.axis} {_at(node.body, PRODUCT)}", OPEN
        case Max():
            return f"max_{node.axis} {_at(node.body, PRODUCT)}", OPEN
        case _:
            return _call(node), ATOM


def _call(node: Expr) -> str:
    if isinstance(node, Larger):
        return f"max({', '.join(map(draw_expression, node.terms))})"
    if isinstance(node, Round):
        return f"{node.dtype}({draw_expression(node.arg)})"
    name = FUNCTIONS.get(type(node))
    if name is None:
        raise TypeError(f"not to be written in a line: {node!r}")
    return f"{name}({draw_expression(node.arg)})"  # type: ignore[union-attr]


def _sum(node: Add, *, leads: bool) -> tuple[str, int]:
    if not node.terms:
        return "0", ATOM
    first, *others = node.terms
    return " + ".join([_at(first, SUM, leads=leads), *(_at(term, TERM) for term in others)]), SUM


def _power(node: Pow) -> str:
    base, holds = _draw(node.base, leads=True)
    if holds < ATOM or base.startswith("−"):
        base = f"({base})"
    if isinstance(node.exponent, Const) and node.exponent.value == 2:
        return f"{base}²"
    return f"{base}^{_tight(node.exponent)}"


def _at(node: Expr, level: int, *, leads: bool = False) -> str:
    """The expression where something at least as tight as ``level`` is expected."""
    text, holds = _draw(node, leads=leads)
    return text if holds >= level else f"({_draw(node, leads=True)[0]})"


def _tight(node: Expr, *, names: bool = False) -> str:
    """A plain number (or a bare name) as it stands, anything else in parentheses."""
    text, _ = _draw(node, leads=True)
    bare = _is_plain(text) or (names and isinstance(node, Symbol) and not node.index and text.isidentifier())
    return text if bare else f"({text})"


def _text(node: Printed | Const | Infinity) -> str:
    if isinstance(node, Printed):
        return node.text.replace("-", "−") if node.text.startswith("-") else node.text
    if isinstance(node, Infinity):
        return "∞" if node.sign > 0 else "−∞"
    value = Fraction(node.value)
    places = decimals_of(value)
    if places is not None and places <= LONGEST_CONSTANT:
        return write(value, places).replace("-", "−")
    return ratio(value).replace("-", "−")


def _number(text: str, *, leads: bool) -> tuple[str, int]:
    if _is_plain(text.removeprefix("−")) or text.endswith("∞"):
        holds = ATOM
    elif "×10" in text:
        holds = TERM
    else:  # a fraction or a percentage: whatever operator it meets, it stands in parentheses
        return text, OPEN
    return (text, holds) if leads or not text.startswith("−") else (f"({text})", ATOM)


def _is_plain(text: str) -> bool:
    """Whether a text is digits with at most one point between them."""
    whole, point, part = text.partition(".")
    return whole.isdecimal() and whole.isascii() and (part.isdecimal() if point else True)

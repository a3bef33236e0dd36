"""Expressions as a person would read them out, for those who listen to a page."""

from __future__ import annotations

from collections.abc import Sequence

from workings.render.inert import inert
from workings.render.words import Words
from workings.render.written import (
    Applied,
    Brackets,
    Fence,
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
    power_of_ten,
)
from workings.steps.language import Expr

SIGNS = {"+": "plus", "−": "minus", "×": "times", "÷": "divided", "=": "equals", "≈": "about", "∞": "infinity"}
OVER = {"Σ": "sum", "max": "largest"}
BESIDE = str.maketrans("[],(", "    ", ")")  # indices are read one after the other


def speak_chain(left: Expr | None, chain: Sequence[tuple[str, Expr]], words: Words) -> str:
    """``left = expression ≈ number`` in words."""
    parts = [] if left is None else [_speak(in_line(left), words)]
    for relation, expression in chain:
        if parts:
            parts.append(_sign(relation, words))
        parts.append(_speak(in_line(expression), words))
    return " ".join(parts)


def speak_number(text: str, words: Words) -> str:
    """A printed number in words, its sign and its power of ten among them."""
    number, power = power_of_ten(text)
    if power:
        return words.sentence("spoken.power-of-ten", {"number": _digits(number, words), "power": _digits(power, words)})
    return _digits(text, words)


def _digits(text: str, words: Words) -> str:
    whole = text.removeprefix("−").removeprefix("-")
    said = _sign("∞", words) if whole == "∞" else inert(whole)
    return said if whole == text else words.sentence("spoken.negative", {"number": said})


def _sign(sign: str, words: Words) -> str:
    return words[f"spoken.{SIGNS[sign]}"] if sign in SIGNS else inert(sign)


def _speak(node: Written, words: Words) -> str:
    def said(key: str, **parts: Written) -> str:
        return words.sentence(f"spoken.{key}", {name: _speak(part, words) for name, part in parts.items()})

    match node:
        case Numeral():
            return speak_number(node.text, words)
        case Name():
            return " ".join(inert(node.text).translate(BESIDE).split())
        case Operator() | Fence():
            return _sign(node.sign, words)
        case Row():
            return " ".join(_speak(part, words) for part in node.parts)
        case Brackets():
            return _speak(node.inner, words) if node.line else said("brackets", inner=node.inner)
        case Quotient():
            return said("quotient", above=node.above, below=node.below)
        case Raised(base=None):
            return said("exponential", exponent=node.exponent)
        case Raised(base=base) if base is not None:
            return said("power", base=base, exponent=node.exponent)
        case Root():
            return said("root", inner=node.inner)
        case Over():
            return said(OVER[node.sign], axis=Name(node.axis), body=node.body)
        case Applied():
            arguments = words["target.list.comma"].join(_speak(part, words) for part in node.arguments)
            return words.sentence("spoken.function", {"name": inert(node.name), "arguments": arguments})
        case _:
            raise TypeError(f"not to be spoken: {node!r}")

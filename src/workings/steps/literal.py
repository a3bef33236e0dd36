"""Numbers as an author writes them: ``0.9``, ``1/3``, ``sqrt(2)``, ``2*sqrt(3)``, ``ln(2)``, ``-inf``."""

from __future__ import annotations

import re
from fractions import Fraction

from workings.steps.language import MINUS_INFINITY, Const, Expr, Log, Mul, Sqrt
from workings.terms.errors import BadNumber, NotFinite
from workings.terms.records import record

_DECIMAL = r"[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,3})?"
_RATIONAL = re.compile(rf"({_DECIMAL})(?:\s*/\s*({_DECIMAL}))?")
_FUNCTION = re.compile(
    rf"([+-]?)(?:({_DECIMAL})\s*[*×·]\s*)?(sqrt|√|ln|log)\s*\(\s*([^()]*?)\s*\)(?:\s*/\s*({_DECIMAL}))?"
)
_INFINITE = {"-inf": -1, "-infinity": -1, "-∞": -1}
_NOT_FINITE = {"nan", "inf", "+inf", "infinity", "+infinity", "∞", "+∞", "-nan", "+nan"}


@record
class Literal:
    """A number as written, and what it stands for."""

    text: str
    value: Expr


def _rational(text: str) -> Fraction:
    found = _RATIONAL.fullmatch(text.strip())
    if found is None:
        raise BadNumber(seen=text)
    top, bottom = Fraction(found[1]), Fraction(found[2] or 1)
    if bottom == 0:
        raise BadNumber(seen=text)
    return top / bottom


def read_literal(text: str) -> Literal:
    """A number as an author writes it. Raises ``BadNumber``, or ``NotFinite`` for NaN and plus infinity."""
    plain = text.strip().replace("−", "-")  # U+2212, as printed in documents
    if plain.lower() in _INFINITE:
        return Literal("-inf", MINUS_INFINITY)
    if plain.lower() in _NOT_FINITE:
        raise NotFinite(seen=text)
    found = _FUNCTION.fullmatch(plain)
    if found is None:
        return Literal(plain, Const(_rational(plain)))
    sign, factor, function, inner, divisor = found.groups()
    argument = _rational(inner)
    is_root = function in ("sqrt", "√")
    if argument < 0 or (argument == 0 and not is_root):
        raise BadNumber(seen=text)
    value: Expr = Sqrt(Const(argument)) if is_root else Log(Const(argument))
    coefficient = _rational(f"{sign}{factor or 1}") / _rational(divisor or "1")
    return Literal(plain, value if coefficient == 1 else Mul(Const(coefficient), value))

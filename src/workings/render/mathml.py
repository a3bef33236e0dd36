"""Expressions as MathML, which browsers draw and read out; a line may break between the pieces of a long one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from workings.render.inert import inert
from workings.render.written import (
    Applied,
    Brackets,
    Fence,
    Letters,
    Name,
    Numeral,
    Operator,
    Over,
    Quotient,
    Raised,
    Root,
    Row,
    Written,
    broken,
    chain_parts,
    is_tall,
    letters,
    power_of_ten,
)
from workings.steps.language import Expr

WIDEST = 15.0  # em of one piece: what a phone's screen has room for
STRETCHING = frozenset("[]()|")
APPLIES = "&#x2061;"  # stands, unseen, between a function and its argument


def draw_chain(left: Expr | None, chain: Sequence[tuple[str, Expr]]) -> str:
    """``left = expression ≈ number`` as elements ``math``, one for each piece that a line may not break within."""
    pieces = [piece for part in chain_parts(left, chain) for piece in broken(part, WIDEST)]
    return " ".join(f'<math displaystyle="true">{"".join(_piece(piece))}</math>' for piece in pieces)


def draw_name(name: str) -> str:
    """A symbol alone."""
    return f"<math>{_draw(Name(name))}</math>"


def _piece(piece: Written) -> Iterator[str]:
    """What stands directly in ``math``: a row's parts without a row around them."""
    parts = piece.parts if isinstance(piece, Row) else (piece,)
    for place, part in enumerate(parts):
        yield _operator(part.sign, leads=place == 0) if isinstance(part, Operator) else _draw(part)


def _draw(node: Written) -> str:
    match node:
        case Numeral():
            return _number(inert(node.text))
        case Name():
            return _name(node.text)
        case Operator():
            return _operator(node.sign)
        case Fence():
            form = "prefix" if node.sign == "(" else "postfix"
            return f'<mo form="{form}" stretchy="false">{node.sign}</mo>'
        case Row():
            return f"<mrow>{''.join(map(_draw, node.parts))}</mrow>"
        case Brackets():
            return _bracketed(_draw(node.inner), tall=is_tall(node.inner))
        case Quotient():
            return f"<mfrac>{_draw(node.above)}{_draw(node.below)}</mfrac>"
        case Raised():
            base = "<mi>e</mi>" if node.base is None else _draw(node.base)
            return f"<msup>{base}{_draw(node.exponent)}</msup>"
        case Root():
            return f"<msqrt>{_draw(node.inner)}</msqrt>"
        case Over():
            sign = f"<mo>{escape(node.sign)}</mo>" if node.sign == "Σ" else f"<mi>{escape(node.sign)}</mi>"
            return f"<mrow><munder>{sign}{_name(node.axis)}</munder>{_draw(node.body)}</mrow>"
        case Applied():
            inner = "<mo>,</mo>".join(map(_draw, node.arguments))
            name = f"<mi>{escape(inert(node.name))}</mi><mo>{APPLIES}</mo>"
            return f"<mrow>{name}{_bracketed(inner, tall=any(map(is_tall, node.arguments)))}</mrow>"


def _bracketed(inner: str, *, tall: bool) -> str:
    exact = "" if tall else ' stretchy="false"'
    return f"<mrow><mo{exact}>(</mo>{inner}<mo{exact}>)</mo></mrow>"


def _operator(sign: str, *, leads: bool = False) -> str:
    """A sign between two expressions; where it begins a piece it is told so, or it would be taken for a sign of one."""
    form = ' form="infix"' if leads else ""
    return f"<mo{form}>{escape(sign)}</mo>"


def _number(text: str) -> str:
    number, power = power_of_ten(text)
    if power:
        return f"<mrow><mn>{escape(number)}</mn><mo>×</mo><msup><mn>10</mn><mn>{escape(power)}</mn></msup></mrow>"
    if text.endswith("∞"):
        sign = "<mo>−</mo>" if text.startswith("−") else ""
        return f"<mrow>{sign}<mi>∞</mi></mrow>" if sign else "<mi>∞</mi>"
    return f"<mn>{escape(text)}</mn>"


def _name(name: str) -> str:
    parts = [_letters(part) for part in letters(inert(name))]
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _letters(part: Letters) -> str:
    kind = _kind(part.text)
    exact = ' stretchy="false"' if part.text in STRETCHING else ""
    base = f"<{kind}{exact}>{escape(part.text)}</{kind}>"
    below, above = (_name(text) if text else "" for text in (part.below, part.above))
    if part.below and part.above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    if part.below:
        return f"<msub>{base}{below}</msub>"
    return f"<msup>{base}{above}</msup>" if part.above else base


def _kind(text: str) -> str:
    if text[0].isalpha():
        return "mi"
    if text.removeprefix("−").isdecimal():
        return "mn"
    return "mtext" if text == " " else "mo"

"""Expressions as they are written: the one place that decides on brackets, order and where a line may break.

``^``, ``²`` and ``√`` bind tightest, then ``×`` and ``÷`` from left to right, then ``+`` and ``−``. A negative number
stands in brackets where an operator stands before it; so does a fraction or a power of ten beside ``×``, ``÷``,
``^`` and ``√``, so that a line can be typed into a calculator as it stands.

What has room above and below the line (LaTeX, MathML) draws quotients as fractions, exponents raised and roots under
a bar: ``on_page`` leaves out the brackets that only a line of text needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from workings.render.inert import display_width
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
    Pi,
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
WIDEST_PART = 17.0  # a fraction whose upper or lower part is wider than this (in em) is written in a line
FUNCTIONS: dict[type, str] = {Log: "ln", Tanh: "tanh", Erf: "erf", Sin: "sin", Cos: "cos", Sigmoid: "σ"}


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number, with its sign, its power of ten or its percent sign."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol with its indices in square brackets, or an address."""

    text: str


@dataclass(frozen=True, slots=True)
class Operator:
    """``+``, ``−``, ``×`` or ``÷`` between two expressions, or the relation of a chain."""

    sign: str


@dataclass(frozen=True, slots=True)
class Fence:
    """One half of brackets that stand on different lines."""

    sign: str


@dataclass(frozen=True, slots=True)
class Row:
    """Parts one after the other."""

    parts: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Brackets:
    """An expression in parentheses; ``line`` says that only a line of text needs them."""

    inner: Written
    line: bool = False


@dataclass(frozen=True, slots=True)
class Quotient:
    """A fraction."""

    above: Written
    below: Written


@dataclass(frozen=True, slots=True)
class Raised:
    """A power; ``base`` is None for e."""

    base: Written | None
    exponent: Written


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    inner: Written


@dataclass(frozen=True, slots=True)
class Over:
    """``Σ`` or ``max`` over an axis."""

    sign: str
    axis: str
    body: Written


@dataclass(frozen=True, slots=True)
class Applied:
    """A function of one or several arguments."""

    name: str
    arguments: tuple[Written, ...]


Written = Numeral | Name | Operator | Fence | Row | Brackets | Quotient | Raised | Root | Over | Applied


def in_line(expression: Expr) -> Written:
    """An expression as a line of text has it."""
    return _write(expression, leads=True)[0]


def on_page(expression: Expr) -> Written:
    """An expression as it is written where there is room above and below the line."""
    return _settled(in_line(expression))


# --- precedence --------------------------------------------------------------------------------------------------


def _write(node: Expr, *, leads: bool) -> tuple[Written, int]:
    """What is written and how tightly it holds; ``leads`` says that no operator stands before it."""
    match node:
        case Printed() | Const() | Infinity():
            return _number(_text(node), leads=leads)
        case Pi():
            return Name("π"), ATOM
        case Symbol():
            return Name(f"{node.text}[{','.join(node.index)}]" if node.index else node.text), ATOM
        case Cell():
            return Name(str(node.address)), ATOM
        case Add(terms=(only,)) | Larger(terms=(only,)):
            return _write(only, leads=leads)
        case Add():
            return _sum(node, leads=leads)
        case Sub():
            return _row(_at(node.left, SUM, leads=leads), "−", _at(node.right, TERM)), SUM
        case Mul():
            return _row(_at(node.left, PRODUCT, leads=leads), "×", _own(_at(node.right, POWER))), PRODUCT
        case Div():
            left, right = _at(node.left, PRODUCT, leads=leads), _at(node.right, POWER)
            return Quotient(_loose(left), _loose(right)), PRODUCT
        case Pow():
            return _power(node), POWER
        case Exp():
            return Raised(None, _tight(node.arg)), POWER
        case Sqrt():
            return Root(_tight(node.arg, names=True)), POWER
        case Sum():
            return Over("Σ", node.axis, _at(node.body, PRODUCT)), OPEN
        case Max():
            return Over("max", node.axis, _at(node.body, PRODUCT)), OPEN
        case _:
            return _call(node), ATOM


def _call(node: Expr) -> Written:
    if isinstance(node, Larger):
        return Applied("max", tuple(map(in_line, node.terms)))
    if isinstance(node, Round):
        return Applied(node.dtype, (in_line(node.arg),))
    name = FUNCTIONS.get(type(node))
    if name is None:
        raise TypeError(f"not to be written in a line: {node!r}")
    return Applied(name, (in_line(node.arg),))  # type: ignore[union-attr]


def _sum(node: Add, *, leads: bool) -> tuple[Written, int]:
    if not node.terms:
        return Numeral("0"), ATOM
    first, *others = node.terms
    parts: list[Written | str] = [_at(first, SUM, leads=leads)]
    for term in others:
        parts += ["+", _at(term, TERM)]
    return _row(*parts), SUM


def _row(*parts: Written | str) -> Row:
    """Parts and the signs between them; rows within it are opened."""
    out: list[Written] = []
    for part in parts:
        written = Operator(part) if isinstance(part, str) else part
        out += written.parts if isinstance(written, Row) else (written,)
    return Row(tuple(out))


def _power(node: Pow) -> Written:
    base, holds = _write(node.base, leads=True)
    if holds < ATOM or (isinstance(base, Numeral) and base.text.startswith("−")):
        base = Brackets(base)
    return Raised(base, _tight(node.exponent))


def _at(node: Expr, level: int, *, leads: bool = False) -> Written:
    """The expression where something at least as tight as ``level`` is expected."""
    written, holds = _write(node, leads=leads)
    return written if holds >= level else Brackets(_write(node, leads=True)[0])


def _tight(node: Expr, *, names: bool = False) -> Written:
    """A plain number (or a bare name) as it stands, anything else in brackets that only a line needs."""
    written, _ = _write(node, leads=True)
    plain = isinstance(written, Numeral) and is_plain(written.text)
    bare = plain or (names and isinstance(node, Symbol) and not node.index and node.text.isidentifier())
    return written if bare else Brackets(written, line=True)


def _loose(written: Written) -> Written:
    return replace(written, line=True) if isinstance(written, Brackets) else written


def _own(written: Written) -> Written:
    """A quotient after ``×``: its bar holds it together where it has one."""
    return _loose(written) if isinstance(written, Brackets) and isinstance(written.inner, Quotient) else written


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


def _number(text: str, *, leads: bool) -> tuple[Written, int]:
    if is_plain(text.removeprefix("−")) or text.endswith("∞"):
        holds = ATOM
    elif "×10" in text:
        holds = TERM
    else:  # a fraction or a percentage: whatever operator it meets, it stands in brackets
        return Numeral(text), OPEN
    return (Numeral(text), holds) if leads or not text.startswith("−") else (Brackets(Numeral(text)), ATOM)


def is_plain(text: str) -> bool:
    """Whether a text is digits with at most one point between them."""
    whole, point, part = text.partition(".")
    return whole.isdecimal() and whole.isascii() and (part.isdecimal() if point else True)


# --- on a page ---------------------------------------------------------------------------------------------------


def _settled(node: Written) -> Written:
    """Without the brackets that only a line needs; fractions too wide to be read are lines again."""
    match node:
        case Row():
            return _row(*map(_settled, node.parts))
        case Brackets():
            inner = _settled(node.inner)
            if node.line and not (isinstance(node.inner, Quotient) and isinstance(inner, Row)):
                return inner
            return Brackets(inner)
        case Quotient():
            above, below = _settled(node.above), _settled(node.below)
            if max(width(above), width(below)) <= WIDEST_PART:
                return Quotient(above, below)
            return _row(_settled(_firm(node.above)), "÷", _settled(_firm(node.below)))
        case Raised():
            return Raised(None if node.base is None else _settled(node.base), _flat(_settled(node.exponent)))
        case Root():
            return Root(_settled(node.inner))
        case Over():
            return Over(node.sign, node.axis, _settled(node.body))
        case Applied():
            return Applied(node.name, tuple(map(_settled, node.arguments)))
        case _:
            return node


def _flat(exponent: Written) -> Written:
    """An exponent in one line where it is a fraction: raised, its parts would be too small to read."""
    if not isinstance(exponent, Quotient) or isinstance(exponent.above, Row) or isinstance(exponent.below, Row):
        return exponent
    return _row(exponent.above, "÷", exponent.below)


def _firm(node: Written) -> Written:
    return replace(node, line=False) if isinstance(node, Brackets) else node


# --- width -------------------------------------------------------------------------------------------------------

EM = {".": 0.28, ",": 0.28, "−": 0.78, "×": 1.23, " ": 0.2, "%": 0.84, "[": 0.28, "]": 0.28, "/": 0.5}
DIGIT, LETTER, WIDE, SPACED, BRACKET, SMALLER = 0.5, 0.6, 1.0, 1.3, 0.4, 0.75


@cache
def text_width(text: str) -> float:
    """About how wide a text is, in em; rather too much than too little."""
    return sum(
        EM.get(c) or (DIGIT if c.isdigit() else WIDE if display_width(c) > 1 or not c.isascii() else LETTER)
        for c in text
    )


def width(node: Written) -> float:
    """About how wide something written is, in em."""
    match node:
        case Numeral() | Name():
            return text_width(node.text)
        case Operator():
            return SPACED
        case Fence():
            return BRACKET
        case Row():
            return sum(map(width, node.parts))
        case Brackets():
            return 2 * BRACKET + width(node.inner)
        case Quotient():
            return 0.3 + max(width(node.above), width(node.below))
        case Raised():
            return (DIGIT if node.base is None else width(node.base)) + SMALLER * width(node.exponent)
        case Root():
            return 0.9 + width(node.inner)
        case Over():
            return 1.7 + width(node.body)
        case Applied():
            return 0.2 + text_width(node.name) + 2 * BRACKET + sum(0.4 + width(part) for part in node.arguments)


def is_tall(node: Written) -> bool:
    """Whether brackets around something must grow with it."""
    match node:
        case Row():
            return any(map(is_tall, node.parts))
        case Quotient() | Over():
            return True
        case _:
            return False


# --- where a line may break --------------------------------------------------------------------------------------


def chain_parts(left: Expr | None, chain: Sequence[tuple[str, Expr]]) -> list[Written]:
    """``left = expression ≈ number`` in parts, each but the first with its relation before it."""
    parts = [] if left is None else [on_page(left)]
    for relation, expression in chain:
        parts.append(_row(relation, on_page(expression)) if parts else on_page(expression))
    return parts


def broken(part: Written, widest: float) -> Iterator[Written]:
    """A part in pieces that are no wider than they must be: it breaks before ``+`` and ``−``, then before ``×``."""
    pieces = [part]
    for signs in ("+−", "+−×÷"):
        pieces = [small for piece in pieces for small in _split(piece, signs, widest)]
    yield from pieces


def _split(part: Written, signs: str, widest: float) -> list[Written]:
    if width(part) <= widest:
        return [part]
    parts = [inner for outer in (part.parts if isinstance(part, Row) else (part,)) for inner in _opened(outer, widest)]
    pieces: list[list[Written]] = [[]]
    for place, inner in enumerate(parts):
        if place and isinstance(inner, Operator) and inner.sign in signs:
            pieces.append([])
        pieces[-1].append(inner)
    lines: list[list[Written]] = [pieces[0]]
    for piece in pieces[1:]:
        if width(Row((*lines[-1], *piece))) <= widest:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [Row(tuple(line)) if len(line) > 1 else line[0] for line in lines]


def _opened(part: Written, widest: float) -> Iterator[Written]:
    """Brackets too wide for a line as their two halves and what is between them."""
    if not isinstance(part, Brackets) or width(part) <= widest:
        yield part
        return
    yield Fence("(")
    for inner in part.inner.parts if isinstance(part.inner, Row) else (part.inner,):
        yield from _opened(inner, widest)
    yield Fence(")")


# --- names -------------------------------------------------------------------------------------------------------

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789−", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))


@dataclass(frozen=True, slots=True)
class Letters:
    """A stretch of a name: a word or a sign, with what stands below and above it."""

    text: str
    below: str = ""
    above: str = ""


def letters(name: str) -> list[Letters]:
    """A symbol's text in stretches: ``W_Q[m,d]`` is W with Q below, a bracket, m, a comma, d and a bracket."""
    out: list[Letters] = []
    at = 0
    while at < len(name):
        word = _word(name, at)
        at += len(word)
        head, mark, tail = word.partition("_")
        found = Letters(head, tail) if mark and len(head) == 1 and tail else Letters(word)
        above, at = _taken(name, at, _RAISED)
        below, at = _taken(name, at, _LOWERED)
        if name[at : at + 2] == "^(" and ")" in name[at:]:
            stop = name.index(")", at) + 1
            above, at = above + name[at + 1 : stop], stop
        out.append(Letters(found.text, found.below + below, above))
    return out


def _word(name: str, at: int) -> str:
    stop = at + 2 if name[at : at + 2] == "//" else at + 1
    if _is_letter(name[at]):
        while stop < len(name) and (_is_letter(name[stop]) or name[stop] == "_"):
            stop += 1
    return name[at:stop]


def _is_letter(character: str) -> bool:
    return character.isalnum() and character not in _RAISED and character not in _LOWERED


def _taken(name: str, at: int, table: dict[str, str]) -> tuple[str, int]:
    found = ""
    while at < len(name) and name[at] in table:
        found += table[name[at]]
        at += 1
    return found, at


def power_of_ten(text: str) -> tuple[str, str]:
    """``1.2×10⁻⁵`` as ``1.2`` and ``−5``; any other number whole, with nothing after it."""
    number, found, power = text.partition("×10")
    return (number, "".join(_RAISED.get(c, c) for c in power)) if found else (text, "")

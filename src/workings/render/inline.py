"""Inline parts as runs of text that each say what they are, so that a target styles or escapes them by kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workings.explaining.tree import (
    Blank,
    Cell,
    Code,
    Document,
    Equation,
    Heading,
    Inline,
    Items,
    Link,
    Named,
    Number,
    Text,
    Token,
)
from workings.render.inert import inert
from workings.render.maths import draw_chain
from workings.render.words import Words

OWN, NAMED, TOKEN, CODE, NUMBER = "own", "named", "token", "code", "number"
Run = tuple[str, str]


def runs(item: Inline, words: Words) -> Iterator[Run]:
    """(kind, text) in reading order. Texts are inert; a token stands without quotation marks."""
    match item:
        case Token():
            yield TOKEN, inert(item.text)
        case Code():
            yield CODE, inert(item.text)
        case Number():
            yield NUMBER, inert(item.text)
        case Named():
            yield NAMED, inert(words.named(item.by_language))
        case Items():
            parts = [list(runs(part, words)) for part in item.parts]
            joints = words.joints(["".join(said(kind, text, words) for kind, text in part) for part in parts])
            for part, joint in zip(parts, joints, strict=True):
                yield from part
                if joint:
                    yield OWN, joint
        case Text():
            for own, field in words.pieces(item.key):
                if own:
                    yield OWN, own
                if field:
                    yield from runs(item.args[field], words)
        case Link():
            yield from runs(item.text, words)
        case int():
            yield NUMBER, str(item).replace("-", "−")


def sentence(item: Inline, words: Words) -> str:
    """Inline parts in running text."""
    return "".join(said(kind, text, words) for kind, text in runs(item, words))


def said(kind: str, text: str, words: Words) -> str:
    """A run in running text: a token that is more than letters and digits stands between quotation marks."""
    return words.quote(text) if kind == TOKEN and not text.isalnum() else text


def label(item: Inline, words: Words) -> str:
    """Inline parts as a label of a row, a column or a line: without quotation marks."""
    return "".join(text for _, text in runs(item, words))


def equation_label(parts: Sequence[Inline], words: Words) -> str:
    """What an equation is about, with its colon; empty where it is about nothing in particular."""
    if not parts:
        return ""
    joined = words.sentence("target.label.comma").join(label(part, words) for part in parts)
    return words.sentence("target.label", {"label": joined})


def equation_line(equation: Equation, words: Words) -> str:
    """``label: left = expression ≈ number``, the same characters in every text-like target."""
    return equation_label(equation.label, words) + draw_chain(equation.left, equation.chain)


def cell_text(cell: Cell) -> str:
    """A cell of a matrix: its number, or the place for an answer, which is found again by its number in brackets."""
    if not isinstance(cell, Blank):
        return inert(cell)
    return f"= ({cell.number})" if cell.repeated else f"({cell.number}) ____"


def with_title(document: Document) -> Document:
    """The document with its title as a heading, unless it begins with one."""
    if document.blocks and isinstance(document.blocks[0], Heading) and document.blocks[0].level == 1:
        return document
    return Document(document.title, (Heading(1, document.title), *document.blocks))

"""Inline parts as runs of text that each say what they are, so that a target styles or escapes them by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

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
    Plot,
    Text,
    Token,
)
from workings.render.inert import display_width, inert
from workings.render.maths import draw_chain
from workings.render.words import Words

OWN, NAMED, TOKEN, CODE, NUMBER = "own", "named", "token", "code", "number"
Run = tuple[str, str]
Look = Callable[[str, str, Words], str]


def said(kind: str, text: str, words: Words) -> str:
    """A run in running text: a token that could not be told from it stands between quotation marks.

    That is one that is more than letters and digits, or has wide letters where words are not set apart by spaces.
    """
    if kind != TOKEN:
        return text
    lost = not text.isalnum() or (not words.spaced and display_width(text) > len(text))
    return words.quote(text) if lost else text


def runs(item: Inline, words: Words, look: Look = said) -> list[Run]:
    """(kind, text) in reading order. Texts are inert; a token stands without quotation marks.

    Args:
        look: how a target writes a run; where there are spaces depends on it.
    """
    match item:
        case Text():
            return [run for own, _, inside in _drawn(item, words, look) for run in ((OWN, own), *inside) if run[1]]
        case Number():
            return [(NUMBER, inert(item.text))]
        case Link():
            return runs(item.text, words, look)
        case int():
            return [(NUMBER, str(item).replace("-", "−"))]
        case Code():
            return [(CODE, inert(item.text))]
        case Token():
            return [(TOKEN, inert(item.text))]
        case Named():
            return [(NAMED, inert(words.named(item.by_language)))]
        case Items():
            parts = [runs(part, words, look) for part in item.parts]
            joints = words.joints([_joined(part, words, look) for part in parts])
            found: list[Run] = []
            for part, joint in zip(parts, joints, strict=True):
                found += part
                if joint:
                    found.append((OWN, joint))
            return found


def pieces(item: Text, words: Words, look: Look = said) -> Iterator[tuple[str, Inline | None]]:
    """A sentence in pieces: its own words, and what stands in the field that follows them (None after the last).

    A sentence has spaces around its fields for letters and digits; between wide characters there are none.
    """
    return ((own, argument) for own, argument, _ in _drawn(item, words, look))


def _drawn(item: Text, words: Words, look: Look) -> Iterator[tuple[str, Inline | None, list[Run]]]:
    """The same, each with the runs of what stands in its field."""
    before = ""
    for own, field in words.pieces(item.key):
        argument = item.args[field] if field else None
        inside = [] if argument is None else runs(argument, words, look)
        after = look(*inside[0], words) if inside else ""
        if own.startswith(" ") and _touch(before[-1:], own[1:2] or after[:1]):
            own = own[1:]
        if own.endswith(" ") and _touch((own[:-1] or before)[-1:], after[:1]):
            own = own[:-1]
        yield own, argument, inside
        before = look(*inside[-1], words) if len(inside) > 1 else after


def _touch(left: str, right: str) -> bool:
    """Whether two characters stand side by side without a space: both are wide, or one is a wide bracket or mark."""
    if left.isascii() and right.isascii():
        return False
    wide = [character for character in (left, right) if display_width(character) > 1]
    return len(wide) > 1 or any(not character.isalnum() for character in wide)


def sentence(item: Inline, words: Words, look: Look = said) -> str:
    """Inline parts in running text."""
    return _joined(runs(item, words, look), words, look)


def _joined(drawn: Iterable[Run], words: Words, look: Look) -> str:
    return "".join([look(kind, text, words) for kind, text in drawn])


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


def pictured(plot: Plot, words: Words) -> str:
    """What a target without pictures says where one stands."""
    return words.sentence("learning.plot.elsewhere", {"title": sentence(plot.title, words)})


def with_title(document: Document) -> Document:
    """The document with its title as a heading, unless it begins with one."""
    if document.blocks and isinstance(document.blocks[0], Heading) and document.blocks[0].level == 1:
        return document
    return Document(document.title, (Heading(1, document.title), *document.blocks))

"""What a grammar of stories consists of: kinds of nouns with what they do, and the patterns of sentences.

A pattern is a line of words with places in braces: ``{who}`` is the subject that the story is about, ``{other}``
another noun, ``{it}`` the pronoun, ``{does}`` what a kind of noun alone does, and every other place is a word of the
list of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """Nouns that do the same, and the pronoun that stands for them.

    Attributes:
        does: the word that follows the pronoun of this kind.
        words: its nouns; the last one is held out: in training no pronoun stands for it.
    """

    pronoun: str
    does: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The stories of one language.

    Attributes:
        openings: sentences with ``{who}``, and most with ``{other}``; their full stop is left out.
        bridges: sentences without a noun of any kind.
        turns: clauses that bring the pronoun right behind an opening.
        links: sentences that bring it after a full stop.
        plain: sentences in which a noun does what its kind does, without a pronoun.
        lists: words for the other places.
        comma, stop: the marks between clauses and at the end.
    """

    lang: str
    kinds: tuple[Kind, ...]
    openings: tuple[str, ...]
    bridges: tuple[str, ...]
    turns: tuple[str, ...]
    links: tuple[str, ...]
    plain: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]]
    comma: str
    stop: str


def kinds(*lines: str) -> tuple[Kind, ...]:
    """Kinds as written: pronoun, what it does, and its nouns."""
    parts = [line.split() for line in lines]
    return tuple(Kind(pronoun, does, tuple(words)) for pronoun, does, *words in parts)


def listed(**lists: str) -> dict[str, tuple[str, ...]]:
    """Lists of words as written."""
    return {name: tuple(words.split()) for name, words in lists.items()}

"""The table [learn] of an example: which word should come next, and how large one step of training is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workings.examples.limits import MAX_WORDS, within
from workings.examples.place import Place, inert
from workings.examples.values import nearest, positive, require, table, texts
from workings.steps.literal import Literal
from workings.terms.errors import EmptySequence, ShapeMismatch, WordNotInTable

FIELDS = ("words", "next", "rate")
NOTHING = -1  # the target of a token after which nothing is expected


@dataclass(frozen=True)
class Learning:
    """What is to be learned.

    Attributes:
        words: the words that could come next.
        target: for each token the place of the right one, or ``NOTHING``.
        rate: what the gradients are multiplied by.
    """

    words: tuple[str, ...]
    target: tuple[int, ...]
    rate: Literal


def read_learning(value: Any, tokens: Sequence[str], place: Place) -> Learning:
    """The table; ``next`` has a word for each token, an empty one where nothing is expected.

    Raises ``MissingField``, ``ShapeMismatch``, ``WordNotInTable`` and what reading any table does.
    """
    given = table(value, place, FIELDS)
    words = texts(require(given, "words", "learn", place), place / "words")
    within("words", len(words), MAX_WORDS, place / "words")
    expected = texts(require(given, "next", "learn", place), place / "next")
    if len(expected) != len(tokens):
        raise ShapeMismatch(
            name="next",
            shape=[len(expected)],
            axis="token",
            size=len(expected),
            expected=len(tokens),
            because="tokens",
        ).at(str(place / "next"))
    if not any(expected):
        raise EmptySequence().at(str(place / "next"))
    for word in expected:
        if word and word not in words:
            raise WordNotInTable(word=inert(word), known=nearest(word, words)).at(str(place / "next"))
    target = tuple(words.index(word) if word else NOTHING for word in expected)
    return Learning(words, target, positive(require(given, "rate", "learn", place), place / "rate"))

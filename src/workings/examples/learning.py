"""The table [learn] of an example: which word should come next, and how large one step of training is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workings.examples.limits import MAX_WORDS, within
from workings.examples.place import Place, inert
from workings.examples.values import nearest, positive, require, table, texts
from workings.steps.literal import Literal
from workings.terms.errors import FieldConflict, MissingField, ShapeMismatch, WordNotInVocabulary, WordTwice

FIELDS = ("words", "next", "rate")
NOTHING = -1  # the target of a token after which nothing is expected


@dataclass(frozen=True)
class Learning:
    """What is to be learned.

    Attributes:
        words: the words that could come next; empty where they are those of the embedding.
        expected: for each token the right next word, an empty text where nothing is expected.
        rate: what the gradients are multiplied by.
        place: where the table stands.
    """

    words: tuple[str, ...]
    expected: tuple[str, ...]
    rate: Literal
    place: Place

    def vocabulary(self, embedded: tuple[str, ...]) -> tuple[str, ...]:
        """The words that have a logit: a model has one vocabulary, that of its embedding where there is one.

        Raises ``MissingField`` and ``FieldConflict``.
        """
        if not embedded and not self.words:
            raise MissingField(field="words", why="next-words").at(str(self.place / "words"))
        if embedded and self.words and self.words != embedded:
            raise FieldConflict(field="words", other="embedding", why="vocabulary").at(str(self.place / "words"))
        return embedded or self.words

    def target(self, words: Sequence[str]) -> tuple[int, ...]:
        """For each token the row of the right next word, or ``NOTHING``. Raises ``WordNotInVocabulary``."""
        for place, word in enumerate(self.expected):
            if word and word not in words:
                known = [inert(near) for near in nearest(word, words)]
                raise WordNotInVocabulary(word=inert(word), known=known).at(str(self.place / "next" / place))
        return tuple(words.index(word) if word else NOTHING for word in self.expected)


def read_learning(value: Any, tokens: Sequence[str], place: Place) -> Learning:
    """The table; ``next`` has a word for each token, an empty one where nothing is expected.

    Raises ``MissingField``, ``ShapeMismatch``, ``WordTwice`` and what reading any table does.
    """
    given = table(value, place, FIELDS)
    words = texts(given["words"], place / "words") if "words" in given else ()
    within("words", len(words), MAX_WORDS, place / "words")
    for at, word in enumerate(words):
        if word in words[:at]:
            raise WordTwice(word=inert(word)).at(str(place / "words" / at))
    expected = texts(require(given, "next", "next", place), place / "next")
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
        raise MissingField(field="next", why="next").at(str(place / "next"))
    return Learning(words, expected, positive(require(given, "rate", "rate", place), place / "rate"), place)

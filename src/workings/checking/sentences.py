"""What sentences say: which weight "28.4% of the attention goes to I" speaks of, that a norm adds no epsilon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings.checking.paper import Paper
from workings.checking.vocabulary import array_of_words

STOP = r"[。！？!?]|(?<![0-9])\.(?=\s|$)|\.(?=\s+[A-Z\"“])|\n\s*\n|\n\s*(?:[-*+•>#|]|\d+[.)])"
FULL_STOP = re.compile(STOP)
END = re.compile(rf"[;；]|{STOP}")
REACH = 600  # characters
PERCENT = re.compile(r"[0-9]+(?:\.[0-9]+)?\s*(?:\\[,;: ])?\s*\\?[%％]")
APART = re.compile(r"[,，、]|\b(?:and|while|whereas|but)\b|而|但")
NO_EPSILON = re.compile(
    r"(?:no|without(?: an)?)\s+epsilon|不加\s*(?:ε|epsilon)|(?:ε|\beps(?:ilon)?)\s*=\s*0\b", re.IGNORECASE
)
ITSELF = re.compile(r"\bitself\b|自己|自身")
ORDINALS = (
    ("first", "第一", "1st", "첫 번째"),
    ("second", "第二", "2nd", "두 번째"),
    ("third", "第三", "3rd", "세 번째"),
    ("fourth", "第四", "4th", "네 번째"),
    ("fifth", "第五", "5th"),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A percentage in its sentence.

    Attributes:
        before: the words from the percentage before it (or its clause's begin).
        after: the words up to the next one (or its clause's end).
        lead: the words before the clause's first percentage.
        opening: the words before the sentence's first percentage; a semicolon ends no sentence.
        tail: the words behind the clause's last percentage.
        subjects: the words that may say anew who looks, with those that then say at what; the nearest first.
        position, count: which of the clause's percentages it is.
    """

    before: str
    after: str
    lead: str
    opening: str
    tail: str
    subjects: tuple[tuple[str, str], ...]
    position: int
    count: int

    @property
    def names_follow(self) -> bool:
        """Whether behind the clause's last percentage it is said, without a name, where that one goes."""
        return of_itself(self.tail) or ordinal(self.tail) is not None


def of_itself(words: str) -> bool:
    """Whether words say that a percentage goes to the word that looks."""
    return bool(ITSELF.search(words))


def share(text: str, start: int) -> Share | None:
    """The percentage at an offset of a text."""
    begin, stop = _around(END, text, start)
    found = list(PERCENT.finditer(text, begin, stop))
    place = next((number for number, item in enumerate(found) if item.start() == start), None)
    if place is None:
        return None
    ends = [*(item.start() for item in found[1:]), stop]
    left = found[place - 1].end() if place else begin
    opened, _ = _around(FULL_STOP, text, start)
    first = next(PERCENT.finditer(text, opened, stop))
    return Share(
        text[left:start],
        text[found[place].end() : ends[place]],
        text[begin : found[0].start()],
        text[opened : first.start()],
        text[found[-1].end() : stop],
        tuple(_anew([text[one.end() : other] for one, other in zip(found, ends, strict=True)], place)),
        place,
        len(found),
    )


def _anew(behind: list[str], place: int) -> Iterator[tuple[str, str]]:
    """What stands right before a percentage and those before it in a part of the clause of its own, and right behind.

    Args:
        behind: the words behind each percentage up to the next.
    """
    for at in range(place, 0, -1):
        _, *parts = APART.split(behind[at - 1])
        if parts:
            yield parts[-1], APART.split(behind[at])[0]


def _around(ends: re.Pattern[str], text: str, start: int) -> tuple[int, int]:
    """Where what ends with one of the signs begins and ends around an offset, within reach."""
    low, high = max(0, start - REACH), min(len(text), start + REACH)
    begin = max((found.end() for found in ends.finditer(text, low, start)), default=low)
    return begin, next((found.start() for found in ends.finditer(text, start, high)), high)


def ordinal(text: str) -> int | None:
    """The place that a text names by an ordinal number, from 0."""
    lowered = text.lower()
    for place, words in enumerate(ORDINALS):
        if any(re.search(rf"\b{word}\b" if word.isascii() else word, lowered) for word in words):
            return place
    return None


def named_anew(text: str) -> str | None:
    """The array that a later sentence of a text names, the last one that names any; None where there is none."""
    named = map(array_of_words, FULL_STOP.split(text[-REACH:])[1:])
    return next((array for array in reversed([*named]) if array is not None), None)


def adds_no_epsilon(paper: Paper) -> bool:
    """Whether a document says that its layer norm adds no epsilon."""
    return any(NO_EPSILON.search(text) for text in paper.sources)

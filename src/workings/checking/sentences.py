"""Percentages in a sentence: which weight "28.4% of the attention goes to I" speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass

END = re.compile(r"[。！？!?;；]|(?<![0-9])\.(?=\s|$)|\.(?=\s+[A-Z\"“])|\n\s*\n|\n\s*(?:[-*+•>#|]|\d+[.)])")
PERCENT = re.compile(r"[0-9]+(?:\.[0-9]+)?\s*(?:\\[,;: ])?\s*\\?[%％]")
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
        before: the words from the percentage before it (or the sentence's begin).
        after: the words up to the next one (or the sentence's end).
        lead: the words before the first percentage.
        position, count: which of the sentence's percentages it is.
    """

    before: str
    after: str
    lead: str
    position: int
    count: int

    @property
    def of_itself(self) -> bool:
        """Whether the words behind it say that it goes to the word that looks."""
        return bool(ITSELF.search(self.after))


def share(text: str, start: int) -> Share | None:
    """The percentage at an offset of a text."""
    begin = max((found.end() for found in END.finditer(text, max(0, start - 600), start)), default=max(0, start - 600))
    stop = next((found.start() for found in END.finditer(text, start, start + 600)), min(len(text), start + 600))
    found = list(PERCENT.finditer(text, begin, stop))
    place = next((number for number, item in enumerate(found) if item.start() == start), None)
    if place is None:
        return None
    left = found[place - 1].end() if place else begin
    right = found[place + 1].start() if place + 1 < len(found) else stop
    return Share(text[left:start], text[found[place].end() : right], text[begin : found[0].start()], place, len(found))


def ordinal(text: str) -> int | None:
    """The place that a text names by an ordinal number, from 0."""
    lowered = text.lower()
    for place, words in enumerate(ORDINALS):
        if any(re.search(rf"\b{word}\b" if word.isascii() else word, lowered) for word in words):
            return place
    return None

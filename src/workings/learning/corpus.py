"""Short stories in which what follows a pronoun depends on the noun that it stands for, drawn from a grammar.

A story is an opening, none to two bridges, and the clause with the pronoun. The pronoun stands for the noun that it
agrees with; where both nouns of an opening agree with it, for the subject. Some stories have no pronoun: there each
noun does what its kind does, the held-out ones among them, so that a model can know of every noun what it does before
it has ever seen a pronoun stand for it.

The generator is MINSTD as for seeded weights (``examples/seeds.py``), the name of the split mixed in first. A story
belongs to one split by what it is: the held-out splits have a noun that no pronoun stands for in training, or an
opening and a clause that training never joins; of all others, each story's words decide whether it is for training
or for validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from workings.examples.seeds import MODULUS, MULTIPLIER
from workings.learning.grammar import Grammar, Kind
from workings.learning.grammar_en import ENGLISH
from workings.learning.grammar_zh import CHINESE

T = TypeVar("T")
GRAMMARS = {"en": ENGLISH, "zh": CHINESE}
EVERY = 5  # of the pairs of an opening and a clause, one in so many is held out
VALIDATION_EVERY = 10  # of the other stories, one in so many is for validation
PLAIN_OF_TEN = 3  # so many stories of ten have no pronoun
AGREE_EVERY = 10  # of the second nouns, all but one in so many agree with the pronoun of the first
MOST_BRIDGES = 2


@dataclass(frozen=True, slots=True)
class Story:
    """One story.

    Attributes:
        words: its words and marks, in order.
        pronoun, antecedent: where the pronoun and the noun that it stands for are; -1 where there is no pronoun.
        nouns: where the nouns of all kinds are before the pronoun.
        choices: how many kinds the pronoun could stand for.
        held_out: what training never saw of it: ``word``, ``pattern``, both, or nothing.
    """

    words: tuple[str, ...]
    pronoun: int = -1
    antecedent: int = -1
    nouns: tuple[int, ...] = ()
    choices: int = 0
    held_out: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The story as it is read."""
        return " ".join(self.words)

    @property
    def answer(self) -> str:
        """The word that follows the pronoun."""
        return self.words[self.pronoun + 1]


class Draw:
    """Whole numbers from a seed, the same on every machine."""

    def __init__(self, seed: int, name: str) -> None:
        self._x = seed
        for byte in name.encode("utf-8"):
            self._x = (MULTIPLIER * self._x + byte) % MODULUS or 1

    def below(self, count: int) -> int:
        """One of 0 … count − 1."""
        self._x = MULTIPLIER * self._x % MODULUS
        return self._x % count

    def one(self, items: tuple[T, ...]) -> T:
        """One of several things."""
        return items[self.below(len(items))]


def stories(lang: str, split: str, count: int, seed: int = 1) -> list[Story]:
    """So many different stories of a split, in the order drawn."""
    grammar, draw = GRAMMARS[lang], Draw(seed, f"{lang}-{split}")
    found: dict[tuple[str, ...], Story] = {}
    for story in _drawn(grammar, draw, held_out=split == "held-out"):
        if split_of(story) == split:
            found.setdefault(story.words, story)
        if len(found) == count:
            return list(found.values())
    raise AssertionError("the generator has no end")


def split_of(story: Story) -> str:
    """The split that a story belongs to, wherever it was drawn."""
    if story.held_out:
        return "held-out"
    x = 1
    for byte in story.text.encode("utf-8"):
        x = (MULTIPLIER * x + byte) % MODULUS or 1
    return "train" if story.pronoun < 0 or x % VALIDATION_EVERY else "validation"


def _drawn(grammar: Grammar, draw: Draw, *, held_out: bool) -> Iterator[Story]:
    while True:
        if not held_out and draw.below(10) < PLAIN_OF_TEN:
            yield _plain(grammar, draw)
        else:
            yield _story(grammar, draw, any_word=held_out)


# --- one story -------------------------------------------------------------------------------------------------------


def _plain(grammar: Grammar, draw: Draw) -> Story:
    """A story of one to three sentences without a pronoun."""
    words: list[str] = []
    for _ in range(1 + draw.below(3)):
        kind = draw.one(grammar.kinds)
        fixed = {"who": draw.one(kind.words), "does": kind.does}
        words += [*_filled(grammar, draw.one(grammar.plain), fixed, draw), grammar.stop]
    return Story(tuple(words))


def _story(grammar: Grammar, draw: Draw, *, any_word: bool) -> Story:
    who = draw.one(grammar.kinds)
    agrees = draw.below(AGREE_EVERY) > 0
    other = draw.one(tuple(k for k in grammar.kinds if k is not who and (k.pronoun == who.pronoun) == agrees))
    subject, noun = (draw.one(kind.words if any_word else kind.words[:-1]) for kind in (who, other))
    opening, clause = draw.one(grammar.openings), draw.one((*grammar.turns, *grammar.links))
    meant_subject = who.pronoun == other.pronoun or "{other}" not in opening or draw.below(2) == 0
    kind, antecedent = (who, subject) if meant_subject else (other, noun)
    words = _filled(grammar, opening, {"who": subject, "other": noun}, draw)
    if clause in grammar.turns:
        words.append(grammar.comma)
    else:
        words.append(grammar.stop)
        for _ in range(draw.below(MOST_BRIDGES + 1)):
            words += [*_filled(grammar, draw.one(grammar.bridges), {}, draw), grammar.stop]
    start = len(words)
    words += [*_filled(grammar, clause, {"it": kind.pronoun, "does": kind.does}, draw), grammar.stop]
    return Story(
        tuple(words),
        words.index(kind.pronoun, start),
        words.index(antecedent),
        tuple(place for place, word in enumerate(words) if word in (subject, noun)),
        sum(one.pronoun == kind.pronoun for one in grammar.kinds),
        (*(("word",) if antecedent == kind.words[-1] else ()), *_pattern(grammar, opening, clause)),
    )


def _pattern(grammar: Grammar, opening: str, clause: str) -> tuple[str, ...]:
    """``pattern`` where training never joins the two."""
    place = grammar.openings.index(opening) + (*grammar.turns, *grammar.links).index(clause)
    return () if place % EVERY else ("pattern",)


def _filled(grammar: Grammar, pattern: str, fixed: dict[str, str], draw: Draw) -> list[str]:
    """The words of a pattern, its places filled."""
    out = []
    for word in pattern.split():
        name = word[1:-1]
        out.append(word if word[0] != "{" else fixed[name] if name in fixed else draw.one(grammar.lists[name]))
    return out


def vocabulary(lang: str) -> list[str]:
    """Every word of a language, in the order of its declarations."""
    grammar = GRAMMARS[lang]
    patterns = (*grammar.openings, *grammar.bridges, *grammar.turns, *grammar.links, *grammar.plain)
    words = [grammar.comma, grammar.stop, *(word for line in patterns for word in line.split() if word[0] != "{")]
    for kind in grammar.kinds:
        words += _of_kind(kind)
    words += [word for several in grammar.lists.values() for word in several]
    return list(dict.fromkeys(words))


def _of_kind(kind: Kind) -> tuple[str, ...]:
    return kind.pronoun, kind.does, *kind.words

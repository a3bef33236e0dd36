"""The stories: the same for a seed, true to their grammar, and never in two splits."""

from itertools import combinations

import pytest

from workings.learning.corpus import EVERY, GRAMMARS, Story, split_of, stories, vocabulary
from workings.learning.grammar import Grammar, Kind

SPLITS = ("train", "validation", "held-out")

LANGUAGES = tuple(GRAMMARS)
MANY = 1500


def told(lang: str) -> dict[str, list[Story]]:
    return {split: stories(lang, split, MANY) for split in SPLITS}


def kind_of(grammar: Grammar, noun: str) -> Kind:
    (kind,) = (kind for kind in grammar.kinds if noun in kind.words)
    return kind


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_for_a_seed_and_others_for_another(lang: str) -> None:
    first, again, other = stories(lang, "train", 50), stories(lang, "train", 50), stories(lang, "train", 50, seed=2)
    assert first == again
    assert len({story.text for story in first} & {story.text for story in other}) < 10


def test_the_first_stories_are_these() -> None:
    """Whoever changes the grammar or the generator trains other models than those that come with the package."""
    assert [stories(lang, "held-out", 1)[0].text for lang in LANGUAGES] == FIRST


FIRST = [
    "the boy shared apples with the farmer , and he shouted .",
    "当 水手 等 的 时候 王子 要 奶酪 。 昨天 他 下令 了 。",
]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_splits_share_no_story(lang: str) -> None:
    texts = {split: {story.text for story in found} for split, found in told(lang).items()}
    assert all(len(found) == MANY for found in texts.values())
    for one, other in combinations(SPLITS, 2):
        assert texts[one] & texts[other] == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_story_belongs_to_one_split_whatever_the_seed(lang: str) -> None:
    for seed in (1, 2, 3):
        for split in SPLITS:
            assert {split_of(story) for story in stories(lang, split, 200, seed)} == {split}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_pronoun_of_the_training_stands_for_a_held_out_noun(lang: str) -> None:
    held_out = {kind.words[-1] for kind in GRAMMARS[lang].kinds}
    found = told(lang)
    for split in ("train", "validation"):
        assert {story.words[story.antecedent] for story in found[split] if story.pronoun >= 0} & held_out == set()
    plain = {word for story in found["train"] if story.pronoun < 0 for word in story.words}
    assert held_out <= plain  # what each of them does is told all the same
    assert {story.words[story.antecedent] for story in found["held-out"] if "word" in story.held_out} == held_out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_word_after_a_pronoun_is_what_its_antecedent_does(lang: str) -> None:
    grammar = GRAMMARS[lang]
    for found in told(lang).values():
        for story in (one for one in found if one.pronoun >= 0):
            kind = kind_of(grammar, story.words[story.antecedent])
            assert (story.words[story.pronoun], story.answer) == (kind.pronoun, kind.does)
            assert story.antecedent in story.nouns
            assert all(place < story.pronoun for place in story.nouns)
            assert story.choices == sum(one.pronoun == kind.pronoun for one in grammar.kinds)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_most_stories_have_a_noun_that_could_be_meant_and_is_not(lang: str) -> None:
    grammar = GRAMMARS[lang]
    found = [story for story in stories(lang, "held-out", MANY) if story.pronoun >= 0]
    misleading = [
        story
        for story in found
        for place in story.nouns
        if place != story.antecedent and kind_of(grammar, story.words[place]).pronoun == story.words[story.pronoun]
    ]
    assert len(misleading) > len(found) / 2
    for story in misleading:
        others = {kind_of(grammar, story.words[place]).does for place in story.nouns if place != story.antecedent}
        assert story.answer not in others


@pytest.mark.parametrize("lang", LANGUAGES)
def test_held_out_patterns_are_joints_that_training_never_shows(lang: str) -> None:
    grammar = GRAMMARS[lang]
    clauses = (*grammar.turns, *grammar.links)
    joints = {(i, j) for i in range(len(grammar.openings)) for j in range(len(clauses)) if (i + j) % EVERY == 0}
    assert {i for i, _ in joints} == set(range(len(grammar.openings)))
    assert {j for _, j in joints} == set(range(len(clauses)))
    assert len(joints) < len(grammar.openings) * len(clauses) / 4
    found = told(lang)
    assert not any("pattern" in story.held_out for split in ("train", "validation") for story in found[split])
    assert any(story.held_out == ("pattern",) for story in found["held-out"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_vocabulary_is_all_there_is(lang: str) -> None:
    words = vocabulary(lang)
    assert len(set(words)) == len(words)
    used = {word for found in told(lang).values() for story in found for word in story.words}
    assert used <= set(words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_noun_belongs_to_one_kind(lang: str) -> None:
    nouns = [word for kind in GRAMMARS[lang].kinds for word in kind.words]
    assert len(set(nouns)) == len(nouns)
    does = [kind.does for kind in GRAMMARS[lang].kinds]
    assert len(set(does)) == len(does)

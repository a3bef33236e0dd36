"""What a model has learned of the stories: the word after the pronoun, and where each head looks from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workings.learning.corpus import Draw, Story
from workings.learning.reading import tensors_of

AT_ONCE = 100  # stories
GROUPS: dict[str, Callable[[Story], bool]] = {
    "all": lambda story: True,
    "word": lambda story: story.held_out == ("word",),
    "pattern": lambda story: story.held_out == ("pattern",),
    "both": lambda story: len(story.held_out) > 1,
}


@dataclass(frozen=True)
class Measured:
    """A model over stories with a pronoun.

    Attributes:
        loss: mean loss of a token, in nats.
        right: by group of stories, how often the most probable word after the pronoun is the right one.
        counts: stories in each group.
        largest: layer × head: how often the antecedent has the largest weight of the pronoun's row.
        weight: layer × head: the mean weight of the antecedent in that row.
        shuffled: ``largest`` with one of the nouns before the pronoun, drawn at random, in place of the antecedent.
    """

    loss: float
    right: dict[str, float]
    counts: dict[str, int]
    largest: list[list[float]]
    weight: list[list[float]]
    shuffled: list[list[float]]

    def best(self) -> tuple[int, int]:
        """Layer and head that look at the antecedent most often; of equal ones that with the larger mean weight."""
        places = [(layer, head) for layer, heads in enumerate(self.largest) for head in range(len(heads))]
        return max(places, key=lambda at: (self.largest[at[0]][at[1]], self.weight[at[0]][at[1]]))


def measure(model: Any, tokenizer: Any, told: Sequence[Story], seed: int) -> Measured:
    """Measure a model; stories without a pronoun are passed over."""
    import torch

    stories = [story for story in told if story.pronoun >= 0]
    draw = Draw(seed, "shuffled")
    loss, tokens, right = 0.0, 0, []
    hits: list[Any] = []
    with torch.inference_mode():
        for at in range(0, len(stories), AT_ONCE):
            part = stories[at : at + AT_ONCE]
            texts = tokenizer([story.text for story in part])["input_ids"]
            ids = [[*text, tokenizer.eos_token_id] for text in texts]
            inputs, labels = tensors_of(ids, tokenizer.pad_token_id)
            out = model(input_ids=inputs, labels=labels, output_attentions=True)
            count = int((labels[:, 1:] >= 0).sum())
            loss, tokens = loss + float(out.loss) * count, tokens + count
            for row, story in enumerate(part):
                here = story.pronoun + 1  # behind the mark of the beginning
                right.append(int(out.logits[row, here].argmax()) == ids[row][here + 1])
                rows = torch.stack([layer[row, :, here, : here + 1] for layer in out.attentions])
                hits.append(_looks(rows, story, draw))
    mean = torch.stack(hits).mean(0)
    counts = {name: sum(map(belongs, stories)) for name, belongs in GROUPS.items()}
    of_group = {
        name: sum(ok for ok, story in zip(right, stories, strict=True) if belongs(story)) / max(counts[name], 1)
        for name, belongs in GROUPS.items()
    }
    return Measured(loss / tokens, of_group, counts, *(part.tolist() for part in mean))


def _looks(rows: Any, story: Story, draw: Draw) -> Any:
    """Of one story, for each layer and head: largest, weight, largest with a noun at random."""
    import torch

    most, noun = rows.argmax(-1), draw.one(story.nouns)
    return torch.stack(
        [
            (most == story.antecedent + 1).double(),
            rows[:, :, story.antecedent + 1].double(),
            (most == noun + 1).double(),
        ]
    )


def chance(stories: Sequence[Story]) -> dict[str, float]:
    """What guessing gives: the right word among those of the kinds that agree, the antecedent among all tokens."""
    told = [story for story in stories if story.pronoun >= 0]
    return {
        "answer": sum(1 / story.choices for story in told) / len(told),
        "largest": sum(1 / (story.pronoun + 2) for story in told) / len(told),
    }

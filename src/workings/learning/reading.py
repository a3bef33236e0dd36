"""What a run reads: stories or stretches of a text as numbers of tokens, and the batches of each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from workings.learning.corpus import stories
from workings.learning.plan import Plan, order_of
from workings.terms.model_errors import TextTooShort

VALIDATION = 400  # stories
HELD_OUT = 1000
PART_FOR_VALIDATION = 10  # of the stretches of a text, one in so many
IGNORED = -100  # what torch's cross-entropy leaves out


@dataclass(frozen=True)
class Reading:
    """Sequences of token ids to train on and to validate with."""

    train: Sequence[Sequence[int]]
    validation: Sequence[Sequence[int]]


def reading_of(plan: Plan, tokenizer: Any, text: str = "") -> Reading:
    """What a plan reads. Raises ``TextTooShort`` where a text gives not one stretch for each purpose."""
    if plan.lang:
        ends = [tokenizer.eos_token_id]
        parts = [
            [story.text for story in stories(plan.lang, split, count, plan.seed)]
            for split, count in (("train", plan.stories), ("validation", VALIDATION))
        ]
        return Reading(*([[*ids, *ends] for ids in tokenizer(texts)["input_ids"]] for texts in parts))
    begin = [tokenizer.bos_token_id]
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    whole = [begin + ids[at : at + plan.stretch] for at in range(0, len(ids) - plan.stretch + 1, plan.stretch)]
    if len(whole) < PART_FOR_VALIDATION:
        raise TextTooShort(path=plan.source, seen=len(ids), needed=PART_FOR_VALIDATION * plan.stretch)
    train = [part for at, part in enumerate(whole) if at % PART_FOR_VALIDATION]
    return Reading(train, whole[::PART_FOR_VALIDATION])


def batch_of(plan: Plan, reading: Reading, step: int) -> list[Sequence[int]]:
    """The sequences that a step reads: each once in an epoch, in an order of its own."""
    count, out = len(reading.train), []
    for place in range(step * plan.batch, (step + 1) * plan.batch):
        out.append(reading.train[_order(plan.seed, place // count, count)[place % count]])
    return out


_order = lru_cache(2)(order_of)


def tensors_of(sequences: Sequence[Sequence[int]], pad: int) -> tuple[Any, Any]:
    """A batch as two tensors: the ids, filled up at the right, and the same as labels."""
    import torch

    width = max(map(len, sequences))
    ids = torch.full((len(sequences), width), pad)
    labels = torch.full((len(sequences), width), IGNORED)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = labels[row, : len(sequence)] = torch.tensor(sequence)
    return ids, labels

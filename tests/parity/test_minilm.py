"""A real BERT: every head against transformers eager, and the words of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.eager import both, compared
from tests.support.real_models import minilm
from workings.models.cells import trace_of
from workings.models.record import Wish, record
from workings.models.recording import Recording

TEXT = "The cat ate because it was hungry, and the dog looked on. " * 4


def _built(attention: str) -> Any:
    from transformers import AutoModel

    return AutoModel.from_pretrained(minilm(), attn_implementation=attention)


def test_every_head_is_that_of_eager(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    given = AutoTokenizer.from_pretrained(minilm())(TEXT, return_tensors="pt")
    eager, recording = both(_built, {"input_ids": given["input_ids"]}, tmp_path / "out")
    heads = list(compared(eager, recording, double=True))
    assert len(heads) == 72
    assert [(address, ratio) for address, _, ratio in heads if ratio > 1] == []
    assert max(off for _, off, _ in heads) < 1e-12


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A short text recorded in float32."""
    folder = tmp_path_factory.mktemp("minilm") / "out"
    return Recording(record(minilm(), folder, Wish(text="The cat ate because it was hungry.")))


def test_words_are_those_of_the_text(recording: Recording) -> None:
    words = ("[CLS]", "the", "cat", "ate", "because", "it", "was", "hungry", ".", "[SEP]")
    assert recording.words("") == words


def test_a_cell_by_its_words(recording: Recording) -> None:
    trace, full = trace_of(recording, 'L5.H3.weight["it","cat"]')
    cell = trace.cell(full)
    assert str(cell) == "L5.H3.weight[5,2]"
    low, high = trace.value(cell).bounds(64)
    assert 0 < low < high < 1
    assert float(high - low) < 1e-12

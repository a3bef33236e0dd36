"""A real BERT: every head against transformers eager, and the words of a recording."""

from __future__ import annotations

import pytest

from conformance import transformers_eager
from tests.support.real_models import minilm
from workings.models.cells import trace_of
from workings.models.record import Wish, record
from workings.models.recording import Recording


def test_every_head_is_that_of_eager() -> None:
    heads = transformers_eager.minilm()
    assert len(heads) == 72
    assert [(head.name, head.problem) for head in heads if head.problem] == []
    assert max(head.widest for head in heads) < 1e-10


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

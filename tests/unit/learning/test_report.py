"""The report: what it counts, and what it says."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tests.support.learned import TINY, tiny_run
from workings.learning import report as reporting
from workings.learning.corpus import Story, stories
from workings.learning.door import Learned, learned
from workings.learning.measure import chance, measure
from workings.learning.vocabulary import tokenizer_for
from workings.terms.model_errors import NoRun

FEW = 60


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "VALIDATION", FEW)
    monkeypatch.setattr(reporting, "HELD_OUT", FEW)


@pytest.fixture
def found() -> Learned:
    return learned(tiny_run(), lang="en")


class Knowing:
    """A model that knows the answer, looks at the antecedent with head 0, and with head 1 at the beginning."""

    def __init__(self, tokenizer: Any, told: Sequence[Story]) -> None:
        self.tokenizer, self.told, self.at = tokenizer, list(told), 0

    def __call__(self, input_ids: torch.Tensor, labels: torch.Tensor, output_attentions: bool) -> SimpleNamespace:
        rows, width = input_ids.shape
        logits = torch.zeros(rows, width, len(self.tokenizer))
        looks = torch.zeros(rows, 2, width, width)
        looks[:, 1, :, 0] = 1
        for row, story in enumerate(self.told[self.at : self.at + rows]):
            logits[row, story.pronoun + 1, self.tokenizer.convert_tokens_to_ids(story.answer)] = 1
            looks[row, 0, story.pronoun + 1, story.antecedent + 1] = 1
        self.at += rows
        return SimpleNamespace(loss=torch.tensor(2.0), logits=logits, attentions=(looks,))


def test_what_is_counted() -> None:
    told, tokenizer = stories("zh", "held-out", 130), tokenizer_for(TINY)
    seen = measure(Knowing(tokenizer, told), tokenizer, told, 1)
    assert set(seen.right.values()) == {1.0}
    assert seen.largest == [[1.0, 0.0]]
    assert seen.weight == [[1.0, 0.0]]
    assert 0.3 < seen.shuffled[0][0] < 0.9  # one of at most two nouns
    assert seen.counts["all"] == 130 == sum(count for name, count in seen.counts.items() if name != "all")
    assert seen.best() == (0, 0)
    assert seen.loss == 2.0


def test_chance_is_that_of_the_kinds_that_agree() -> None:
    told = [Story(("小猫", "它", "x"), 1, 0, (0,), 10), Story(("国王", "。", "他", "x"), 2, 0, (0,), 3)]
    seen = chance(told)
    assert seen["answer"] == pytest.approx((1 / 10 + 1 / 3) / 2)
    assert seen["largest"] == pytest.approx((1 / 3 + 1 / 4) / 2)


def test_the_report_of_a_run(found: Learned) -> None:
    data = json.loads(found.to_json())
    told = data["stories"]
    assert data["schema"] == "workings.learning-report/1"
    assert [one["step"] for one in told["snapshots"]] == [0, 5, 12]
    assert all(set(one["heads"]) == {"L0.H0", "L0.H1", "L1.H0", "L1.H1"} for one in told["snapshots"])
    last = told["snapshots"][-1]["heads"]
    assert last[told["head"]]["validation"] == max(head["validation"] for head in last.values())
    assert told["held_out"]["largest"] == last[told["head"]]["held_out"]
    first = told["snapshots"][0]["heads"]
    assert told["untrained"]["largest"] == first[told["head"]]["held_out"]  # step 0 is the untrained model
    assert told["untrained"]["best_head"] == max(head["held_out"] for head in first.values())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_report_in_words(lang: str) -> None:
    found = learned(tiny_run(), lang=lang)
    drawn = found.to_text()
    assert found.data()["stories"]["head"] in drawn
    assert f"{100 * found.data()['stories']['held_out']['answer']['all']:.1f} %" in drawn
    assert "{" not in drawn
    assert "<table" in found.to_html()
    assert "tiny" in repr(found) or "story-zh" in repr(found)


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    for text in (None, "[]", "{}", "not json"):
        if text is not None:
            (tmp_path / "learning.json").write_text(text, encoding="utf-8")
        with pytest.raises(NoRun):
            learned(tmp_path)

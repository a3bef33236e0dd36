"""The models that come with the package: small, reproducible, and opened by name."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

import workings as w
from workings.api.stories import STORIES, folder_of
from workings.learning.corpus import stories
from workings.learning.measure import measure
from workings.learning.plan import Plan, plan_from
from workings.learning.report import open_model
from workings.learning.train import first_model, learn

MOST_BYTES = 4_000_000
FIRST = 3
TOLERANCE = 2e-5  # of a loss near 5 in float32: a few dozen units in the last place, for other processors' sums
FEW = 150


def told(name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((Path(folder_of(name)) / "learning.json").read_text(encoding="utf-8"))
    return found


def test_they_are_small() -> None:
    files = [path for name in STORIES for path in Path(folder_of(name)).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert {path.suffix for path in files} == {".json", ".safetensors"}


@pytest.mark.parametrize("name", STORIES)
def test_they_are_made_with_the_defaults(name: str) -> None:
    assert plan_from(told(name)["plan"]) == Plan(source=name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", STORIES)
def test_a_short_run_has_their_first_losses(name: str, tmp_path: Path) -> None:
    losses: list[float] = []
    plan = Plan(source=name)

    class Enough(Exception):
        pass

    def heard(progress: object, steps: int) -> None:
        losses.extend(progress.losses[-1:])  # type: ignore[attr-defined]
        if len(losses) == FIRST:
            raise Enough

    with pytest.raises(Enough):
        learn(replace(plan, snapshots=()), tmp_path / "run", heard=heard)
    assert losses == pytest.approx(told(name)["losses"][:FIRST], abs=TOLERANCE)  # type: ignore[index]


@pytest.mark.parametrize("name", STORIES)
def test_they_know_their_stories(name: str) -> None:
    model, tokenizer = open_model(str(folder_of(name)))
    held_out = stories(name[-2:], "held-out", FEW)
    seen = measure(model, tokenizer, held_out, 1)
    layer, head = seen.best()
    assert (layer, head) == (1, 1)
    assert seen.right["all"] > 0.9
    assert seen.largest[layer][head] > 0.88
    before = measure(first_model(Plan(source=name), tokenizer), tokenizer, held_out, 1)
    assert before.right["all"] < 0.1
    assert before.largest[layer][head] < 0.2


def test_trace_finds_them_by_name(tmp_path: Path) -> None:
    run = w.trace("story-zh", tmp_path / "recording", text="小猫 追赶 小狗 ， 然后 它")
    assert run.tokens == ("<s>", "小猫", "追赶", "小狗", "，", "然后", "它")
    assert run["L1.H1"].top(6, 1)[0].word == "小猫"


def test_chinese_needs_no_spaces() -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder_of("story-zh"), local_files_only=True)
    spaced, plain = "小猫 追赶 小狗 ， 然后 它", "小猫追赶小狗，然后它"
    assert tokenizer(plain)["input_ids"] == tokenizer(spaced)["input_ids"]


def test_a_folder_of_that_name_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert folder_of("story-en") != "story-en"
    (tmp_path / "story-en").mkdir()
    assert folder_of("story-en") == "story-en"


@pytest.mark.parametrize("name", STORIES)
def test_plain_transformers_goes_on_as_the_story_does(name: str) -> None:
    text, answer = {
        "story-en": ("the kitten chased the puppy . then it", "meowed"),
        "story-zh": ("小猫 追赶 小狗 。 后来 它", "喵喵叫"),
    }[name]
    model = AutoModelForCausalLM.from_pretrained(folder_of(name), local_files_only=True)
    tokenizer = AutoTokenizer.from_pretrained(folder_of(name), local_files_only=True)
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    assert tokenizer.decode(model.generate(ids, max_new_tokens=1, do_sample=False)[0][-1:]) == answer

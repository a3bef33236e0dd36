"""Training: repeatable to the byte, resumable, and an ordinary model in the end."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

import workings as w
from tests.support.learned import TINY, tiny_run
from workings.learning import state, train
from workings.learning.door import learn as learn_from
from workings.learning.door import plan_for
from workings.learning.plan import Plan, order_of, plan_from, rate_at
from workings.learning.train import learn
from workings.terms.model_errors import FolderTaken, ResumeDiffers, TextTooShort, WidthNotHeads

TEXT = "the kitten chased the puppy . then it meowed .\n" * 80
KILLED = """
import os, signal, sys
from tests.support.learned import TINY
from workings.learning import train
train.SAVE_EVERY = 5
def heard(progress, steps):
    if progress.step == 8:
        os.kill(os.getpid(), signal.SIGKILL)
train.learn(TINY, sys.argv[1], heard=heard)
"""


def weights(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.safetensors"))}


def opened() -> Any:
    """The tiny run as plain transformers opens it."""
    return AutoModelForCausalLM.from_pretrained(tiny_run(), local_files_only=True, attn_implementation="eager")


def told(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "learning.json").read_text(encoding="utf-8"))
    return {name: value for name, value in found.items() if name != "seconds"}


def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    learn(TINY, tmp_path / "again")
    assert weights(tmp_path / "again") == weights(tiny_run())
    assert told(tmp_path / "again") == told(tiny_run())


def test_another_seed_gives_other_weights(tmp_path: Path) -> None:
    learn(replace(TINY, seed=2, steps=1), tmp_path / "other")
    assert weights(tmp_path / "other")["snapshots/000000/model.safetensors"] != weights(tiny_run())["model.safetensors"]


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run")], check=False, env={**os.environ})
    assert done.returncode == -9
    assert not (tmp_path / "run").exists()
    assert (tmp_path / ".run.partial" / state.STATE).exists()
    seen: list[int] = []
    learn(TINY, tmp_path / "run", resume=True, heard=lambda progress, steps: seen.append(progress.step))
    assert seen == [*range(6, 13)]
    assert weights(tmp_path / "run") == weights(tiny_run())
    assert told(tmp_path / "run") == told(tiny_run())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(progress: state.Progress, steps: int) -> None:
        if progress.step == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(TINY, tmp_path / "run", heard=stop)
    with pytest.raises(ResumeDiffers):
        learn(replace(TINY, rate=0.1), tmp_path / "run", resume=True)
    seen: list[int] = []
    learn(TINY, tmp_path / "run", resume=True, heard=lambda progress, steps: seen.append(progress.step))
    assert seen == [*range(8, 13)]
    assert weights(tmp_path / "run") == weights(tiny_run())


def test_without_resume_it_begins_anew(tmp_path: Path) -> None:
    def stop(progress: state.Progress, steps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(TINY, tmp_path / "run", heard=stop)
    learn(TINY, tmp_path / "run")
    assert weights(tmp_path / "run") == weights(tiny_run())


def test_nothing_is_written_over() -> None:
    with pytest.raises(FolderTaken):
        learn(TINY, tiny_run())


def test_what_torch_was_set_to_is_left_as_it_was(tmp_path: Path) -> None:
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.get_rng_state()
    learn(replace(TINY, steps=1, threads=1), tmp_path / "run")
    after = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.get_rng_state()
    assert before[:2] == after[:2]
    assert torch.equal(before[2], after[2])


def test_the_loss_falls(tmp_path: Path) -> None:
    losses = learn_losses(replace(TINY, steps=60, rate=0.01), tmp_path / "run")
    assert sum(losses[-5:]) / 5 < losses[0] - 1


def learn_losses(plan: Plan, folder: Path) -> list[float]:
    learn(plan, folder)
    losses: list[float] = json.loads((folder / "learning.json").read_text(encoding="utf-8"))["losses"]
    return losses


# --- what is left -------------------------------------------------------------------------------------------------


def test_plain_transformers_opens_it_and_every_snapshot() -> None:
    for folder in (tiny_run(), *(tiny_run() / "snapshots").iterdir()):
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        assert model.config.model_type == "llama"
        assert tokenizer.convert_ids_to_tokens(tokenizer("小猫 追赶 小狗 。")["input_ids"])[:2] == ["<s>", "小猫"]


def test_plain_transformers_gives_the_logits_it_was_trained_to() -> None:
    """What the loss of the run says of the last weights, from the saved folder alone."""
    from workings.learning.reading import reading_of
    from workings.learning.vocabulary import tokenizer_for

    model = opened()
    reading = reading_of(TINY, tokenizer_for(TINY))
    assert train.validation_loss(model, reading.validation, 0) == told(tiny_run())["validation_loss"]


def test_trace_opens_it_and_has_the_same_weights(tmp_path: Path) -> None:
    text = "在 小羊 旁边 小猫 睡 了 ， 然后 它 喵喵叫 了 。"
    run = w.trace(tiny_run(), tmp_path / "recording", text=text)
    model = opened()
    tokenizer = AutoTokenizer.from_pretrained(tiny_run(), local_files_only=True)
    ids = torch.tensor([tokenizer(text)["input_ids"]])
    with torch.inference_mode():
        seen = model(ids, output_attentions=True).attentions
    assert run.tokens[1] == "在"
    for layer in range(TINY.layers):
        for head in range(TINY.heads):
            ours = torch.tensor(run[f"L{layer}.H{head}"].tile(range(ids.shape[1])))
            assert float((ours - seen[layer][0, head].double()).abs().max()) < 1e-6  # float32, rows that sum to 1


def test_a_text_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(TEXT, encoding="utf-8")
    learn_from(str(file), tmp_path / "mine", steps=3, batch=2, width=16, heads=2)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "mine", local_files_only=True)
    text = "It purred: 小猫!"
    assert tokenizer.decode(tokenizer(text)["input_ids"], skip_special_tokens=True) == text
    assert str(file.parent) not in (tmp_path / "mine" / "learning.json").read_text(encoding="utf-8")


def test_a_text_that_is_too_short(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("too short", encoding="utf-8")
    with pytest.raises(TextTooShort):
        learn_from(str(file), tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


# --- the plan -----------------------------------------------------------------------------------------------------


def test_heads_share_the_width() -> None:
    with pytest.raises(WidthNotHeads):
        plan_for("story-en", width=30, heads=4)
    plan, _ = plan_for("story-en", width=24, heads=3, steps=None)
    assert (plan.width, plan.inner, plan.steps) == (24, 48, Plan().steps)


def test_a_plan_is_what_it_was_written_as() -> None:
    assert plan_from({**TINY.data(), "later": 1}) == TINY


def test_an_order_is_a_permutation_of_its_own() -> None:
    first, second = order_of(1, 0, 50), order_of(1, 1, 50)
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second
    assert order_of(1, 0, 50) == first


def test_the_rate_rises_and_falls() -> None:
    plan = Plan(steps=100, warmup=10, rate=1.0)
    rates = [rate_at(plan, step) for step in range(100)]
    assert rates.index(max(rates)) == 9
    assert rates[0] < 0.11
    assert 0.05 <= rates[-1] < 0.06


def test_the_last_step_is_always_kept() -> None:
    assert Plan(steps=100, snapshots=(50, 0, 200, 50)).kept == (0, 50, 100)

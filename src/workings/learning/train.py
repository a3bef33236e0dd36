"""Trains a small decoder of the Llama type, and leaves it as an ordinary folder of Hugging Face's."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from workings.learning.folder import Place
from workings.learning.plan import SCHEMA, Plan, rate_at, snapshot_folder
from workings.learning.reading import Reading, batch_of, reading_of, tensors_of
from workings.learning.state import Progress, load, save
from workings.learning.vocabulary import tokenizer_for
from workings.models.load import library

RUN = "learning.json"
CONTEXT = 512  # places of the model
SAVE_EVERY = 100  # steps
CLIP = 1.0
BETAS = (0.9, 0.98)
SPREAD = 0.02  # of the first weights
MOST_VALIDATED = 400
LOSS_DIGITS = 6

Heard = Callable[[Progress, int], None]


def learn(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    text: str = "",
    resume: bool = False,
    heard: Heard = lambda progress, steps: None,
) -> str:
    """Train, and return the folder.

    Args:
        folder: where the run will stand; nothing stands there yet. Until it is whole it grows beside its place.
        text: the user's text, where the plan names no stories.
        resume: go on with what a run that was stopped has left.
        heard: is told after each step how far the run is, and of how many steps.

    Raises ``FolderTaken``, ``RecordingBusy``, ``ResumeDiffers``, ``FileUnwritable``, ``TextTooShort``, and
    ``MissingExtra`` without the packages.
    """
    with library(), _repeatable(plan):
        tokenizer = tokenizer_for(plan, text)
        reading = reading_of(plan, tokenizer, text)
        place = Place(folder, resume=resume)
        try:
            run = _Run(plan, tokenizer, reading, place.partial, heard)
            run.go()
            place.write(RUN, f"{json.dumps(run.told(), ensure_ascii=False)}\n".encode())
            place.finish()
        finally:
            place.leave()
    return os.fspath(folder)


@contextmanager
def _repeatable(plan: Plan) -> Iterator[None]:
    """The same numbers each time: so many threads, the seed, and no algorithm that depends on chance."""
    import torch

    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(plan.threads)
    torch.use_deterministic_algorithms(True)
    state = torch.get_rng_state()
    torch.manual_seed(plan.seed)
    try:
        yield
    finally:
        torch.set_rng_state(state)
        torch.use_deterministic_algorithms(strict)
        torch.set_num_threads(threads)


def model_for(plan: Plan, tokenizer: Any) -> Any:
    """The model with its first weights, drawn from torch's generator."""
    from transformers import LlamaConfig, LlamaForCausalLM

    shape: Any = LlamaConfig
    config = shape(
        vocab_size=len(tokenizer),
        hidden_size=plan.width,
        intermediate_size=plan.inner,
        num_hidden_layers=plan.layers,
        num_attention_heads=plan.heads,
        num_key_value_heads=plan.heads,
        max_position_embeddings=max(CONTEXT, plan.stretch + 1),
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=False,
        initializer_range=SPREAD,
        use_cache=False,
        attn_implementation="eager",
    )
    return LlamaForCausalLM(config)


def first_model(plan: Plan, tokenizer: Any) -> Any:
    """The model as it is before its first step."""
    with _repeatable(plan):
        return model_for(plan, tokenizer).eval()


class _Run:
    """A run on its way."""

    def __init__(self, plan: Plan, tokenizer: Any, reading: Reading, folder: str, heard: Heard) -> None:
        import torch

        self.plan, self.tokenizer, self.reading, self.folder, self.heard = plan, tokenizer, reading, folder, heard
        self.model = model_for(plan, tokenizer)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=plan.rate, betas=BETAS, weight_decay=plan.decay)
        self.progress = load(folder, plan.data(), self.model, self.optimiser) or Progress(0, [], 0.0)
        self.model.train()

    def go(self) -> None:
        """All steps that are left; what is done is kept now and then, and when the run is interrupted."""
        begun = monotonic() - self.progress.seconds
        losses = list(self.progress.losses)
        try:
            while True:
                step = self.progress.step
                if step in self.plan.kept:
                    self._keep(step)
                if step == self.plan.steps:
                    break
                losses.append(round(self._step(step), LOSS_DIGITS))
                self.progress = Progress(step + 1, losses, monotonic() - begun)
                self.heard(self.progress, self.plan.steps)
                if (step + 1) % SAVE_EVERY == 0:
                    self._save()
        except KeyboardInterrupt:
            self._save()
            raise

    def _step(self, step: int) -> float:
        """One step of training; returns its loss."""
        import torch

        ids, labels = tensors_of(batch_of(self.plan, self.reading, step), self.tokenizer.pad_token_id)
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.plan, step)
        loss = self.model(input_ids=ids, labels=labels).loss
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimiser.step()
        return float(loss.detach())

    def _save(self) -> None:
        save(self.folder, self.plan.data(), self.model, self.optimiser, self.progress)

    def _keep(self, step: int) -> None:
        """The weights after a step as a folder of its own; the last ones at the place of the run itself."""
        last = step == self.plan.steps
        target = self.folder if last else snapshot_folder(self.folder, step)
        if not last:
            shutil.rmtree(target, ignore_errors=True)
        write_model(self.model, self.tokenizer, target)

    def told(self) -> dict[str, Any]:
        """``workings.learning/1``: the plan, the snapshots, the losses and the time."""
        import tokenizers
        import torch
        import transformers

        return {
            "schema": SCHEMA,
            "plan": self.plan.data(),
            "snapshots": list(self.plan.kept),
            "parameters": sum(parameter.numel() for parameter in self.model.parameters()),
            "validation_loss": validation_loss(self.model, self.reading.validation, self.tokenizer.pad_token_id),
            "seconds": round(self.progress.seconds, 1),
            "losses": list(self.progress.losses),
            "made_with": {
                "torch": torch.__version__,
                "transformers": transformers.__version__,
                "tokenizers": tokenizers.__version__,
            },
        }


def write_model(model: Any, tokenizer: Any, folder: str) -> None:
    """A model and its tokenizer as Hugging Face folders are."""
    from transformers import GenerationConfig

    model.generation_config = GenerationConfig.from_model_config(model.config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    for name in os.listdir(folder):
        if name.endswith(".safetensors"):  # written for the owner alone, unlike its neighbours
            shutil.copymode(os.path.join(folder, "config.json"), os.path.join(folder, name))


def validation_loss(model: Any, sequences: Sequence[Sequence[int]], pad: int) -> float:
    """The mean loss of a token over sequences that were not trained on, in nats."""
    import torch

    total, count = 0.0, 0
    with torch.inference_mode():
        for at in range(0, min(len(sequences), MOST_VALIDATED), 50):
            ids, labels = tensors_of(sequences[at : at + 50], pad)
            tokens = int((labels[:, 1:] >= 0).sum())
            total += float(model(input_ids=ids, labels=labels).loss) * tokens
            count += tokens
    return round(total / count, LOSS_DIGITS)

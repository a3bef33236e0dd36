"""The report of a run: what the stories taught it, head by head and snapshot by snapshot, beside honest baselines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from workings.learning.corpus import stories
from workings.learning.measure import Measured, chance, measure
from workings.learning.plan import Plan, plan_from, snapshot_folder
from workings.learning.reading import HELD_OUT, VALIDATION
from workings.learning.train import RUN, first_model
from workings.models.load import library, load_tokenizer, room
from workings.models.look import look
from workings.terms.model_errors import NoRun

SCHEMA = "workings.learning-report/1"
DIGITS = 6

Heard = Callable[[int, int], None]


def read_run(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What ``learning.json`` of a run tells. Raises ``NoRun``."""
    try:
        with open(os.path.join(os.fspath(folder), RUN), encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError):
        raise NoRun(path=os.fspath(folder)) from None
    if not isinstance(told, dict) or not isinstance(told.get("plan"), dict):
        raise NoRun(path=os.fspath(folder))
    return told


def weights_of(folder: str, told: Mapping[str, Any], step: int) -> str:
    """Where the weights after a step lie: a snapshot, or the run itself for the last step."""
    return folder if step == told["snapshots"][-1] else snapshot_folder(folder, step)


def snapshots_of(folder: str, told: Mapping[str, Any]) -> list[int]:
    """The steps whose weights are there."""
    return [step for step in told["snapshots"] if os.path.isdir(weights_of(folder, told, step))]


def open_model(folder: str) -> tuple[Any, Any]:
    """The model with its attention visible, and its tokenizer, from checked files alone."""
    from transformers import AutoModelForCausalLM

    looked = look(folder)
    with room(looked) as (place, how):
        import torch

        model: Any = AutoModelForCausalLM.from_pretrained(
            place, attn_implementation="eager", dtype=torch.float32, use_safetensors=True, **how
        )
    return model.eval(), load_tokenizer(looked)


def report(folder: str | os.PathLike[str], heard: Heard = lambda done, of: None) -> dict[str, Any]:
    """``workings.learning-report/1`` of a run.

    The head is chosen on the validation stories; all else is measured on the held-out ones. Raises ``NoRun``.
    """
    path = os.fspath(folder)
    told = read_run(path)
    plan = plan_from(told["plan"])
    facts = {
        "schema": SCHEMA,
        "run": path,
        "plan": told["plan"],
        "parameters": told["parameters"],
        "seconds": told["seconds"],
        "loss": {"first": told["losses"][0], "last": told["losses"][-1], "validation": told["validation_loss"]},
    }
    if not plan.lang:
        return {**facts, "stories": None}
    with library():
        return {**facts, "stories": _stories(path, told, plan, heard)}


def _stories(path: str, told: Mapping[str, Any], plan: Plan, heard: Heard) -> dict[str, Any]:
    validation = stories(plan.lang, "validation", VALIDATION, plan.seed)
    held_out = stories(plan.lang, "held-out", HELD_OUT, plan.seed)
    steps = snapshots_of(path, told)
    seen: list[dict[str, Any]] = []
    for done, step in enumerate(steps):
        heard(done, len(steps) + 1)
        model, tokenizer = open_model(weights_of(path, told, step))
        chosen = measure(model, tokenizer, validation, plan.seed)
        seen.append({"step": step, "validation": chosen, "held_out": measure(model, tokenizer, held_out, plan.seed)})
    heard(len(steps), len(steps) + 1)
    last = seen[-1]
    layer, head = last["validation"].best()
    untrained = measure(first_model(plan, tokenizer), tokenizer, held_out, plan.seed)
    return {
        "language": plan.lang,
        "head": f"L{layer}.H{head}",
        "held_out": _summary(last["held_out"], layer, head),
        "chance": _rounded(chance(held_out)),
        "untrained": {
            **_summary(untrained, layer, head),
            "best_head": _rounded(max(map(max, untrained.largest))),
            "heads": {name: _rounded(untrained.largest[at][place]) for name, at, place in _places(untrained)},
        },
        "shuffled": _rounded(last["held_out"].shuffled[layer][head]),
        "snapshots": [
            {
                "step": one["step"],
                "loss": _rounded(one["held_out"].loss),
                "answer": {"validation": _rounded(one["validation"].right["all"]), **_right(one["held_out"])},
                "heads": _heads(one),
            }
            for one in seen
        ],
    }


def _summary(measured: Measured, layer: int, head: int) -> dict[str, Any]:
    return {
        "stories": measured.counts,
        "loss": _rounded(measured.loss),
        "answer": _right(measured),
        "largest": _rounded(measured.largest[layer][head]),
        "weight": _rounded(measured.weight[layer][head]),
    }


def _right(measured: Measured) -> dict[str, float]:
    return {name: _rounded(share) for name, share in measured.right.items()}


def _heads(one: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """For each head how often the antecedent is its row's largest, on both splits, its mean weight, and how often a
    noun at random is the largest."""
    chosen, held = one["validation"], one["held_out"]
    return {
        name: {
            "validation": _rounded(chosen.largest[layer][head]),
            "held_out": _rounded(held.largest[layer][head]),
            "weight": _rounded(held.weight[layer][head]),
            "shuffled": _rounded(held.shuffled[layer][head]),
        }
        for name, layer, head in _places(held)
    }


def _places(measured: Measured) -> list[tuple[str, int, int]]:
    """Every head: its name, its layer, its place there."""
    return [
        (f"L{layer}.H{head}", layer, head) for layer, heads in enumerate(measured.largest) for head in range(len(heads))
    ]


def _rounded(value: Any) -> Any:
    """A number, or a table of them, with the digits that are written."""
    return {name: _rounded(one) for name, one in value.items()} if isinstance(value, dict) else round(value, DIGITS)

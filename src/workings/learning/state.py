"""Where a run stands, in one file of safetensors that is replaced whole: weights, optimiser, generator, losses."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workings.terms.errors import FileUnwritable
from workings.terms.model_errors import ResumeDiffers

STATE = "state.safetensors"
HALF = ".half"
KEY = "workings"


class Progress(NamedTuple):
    """How far a run is: steps done, the loss of each, and the seconds they took."""

    step: int
    losses: Sequence[float]
    seconds: float


def write_whole(path: str, content: bytes) -> None:
    """A file, whole or not at all. Raises ``FileUnwritable``."""
    try:
        with open(path + HALF, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + HALF, path)
    except OSError as error:
        raise FileUnwritable(path=path, reason=error.strerror or str(error)) from None


def save(folder: str, plan: Mapping[str, Any], model: Any, optimiser: Any, progress: Progress) -> None:
    """The state of a run. Raises ``FileUnwritable``."""
    import torch
    from safetensors.torch import save as as_bytes

    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, held in optimiser.state_dict()["state"].items():
        tensors.update({f"optimiser.{number}.{name}": value for name, value in held.items()})
    tensors["generator"] = torch.get_rng_state()
    told = json.dumps({"plan": plan, **progress._asdict()}, sort_keys=True)
    write_whole(os.path.join(folder, STATE), as_bytes(_owned(tensors), {KEY: told}))


def _owned(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.detach().clone().contiguous() for name, value in tensors.items()}


def load(folder: str, plan: Mapping[str, Any], model: Any, optimiser: Any) -> Progress | None:
    """Put a model and its optimiser where a run stood; None where there is nothing to go on with.

    Raises ``ResumeDiffers`` where the state belongs to another plan.
    """
    import torch
    from safetensors import safe_open

    path = os.path.join(folder, STATE)
    if not os.path.isfile(path):
        return None
    with safe_open(path, framework="pt") as file:
        told = json.loads(file.metadata()[KEY])
        if told["plan"] != json.loads(json.dumps(plan)):
            raise ResumeDiffers(path=folder)
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
    model.load_state_dict({name[6:]: value for name, value in tensors.items() if name.startswith("model.")})
    known = optimiser.state_dict()
    held: dict[int, dict[str, Any]] = {}
    for name, value in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == "optimiser":
            number, _, part = rest.partition(".")
            held.setdefault(int(number), {})[part] = value
    optimiser.load_state_dict({**known, "state": held})
    torch.set_rng_state(tensors["generator"])
    return Progress(told["step"], told["losses"], told["seconds"])

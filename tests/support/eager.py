"""transformers' own eager attention beside a recording of the same run, and what honest rounding may part them by.

Both models run in float64, and ours is given the outputs of eager attention, so that every layer has the same inputs to
the bit. What may differ is then the softmax alone. Ours has its own bound. Eager rounds, in float32 (u = 2⁻²⁴) or,
where the family keeps the type, in float64: each logit x once (u|x|), its difference to the maximum (2u·max|x|), the
exponential (4 units), a sum of n of them (nu), the quotient (u) and the result (u). So with m = max|x|
a weight carries a factor within e^±(2(3m + 4)u + (n + 2)u), and what underflows is less than 2⁻¹²⁶.
The scores themselves are sums of d products in float64 on both sides: γ(2d + 8)·scale·|q|·|k|, which is a logit's own
error before; the softcap, the bias and the scale add no more than 8 roundings of m.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workings.models.capture import KEY, Call, Capture, make_known
from workings.models.cells import recipe_of, rows_of
from workings.models.families import family_of
from workings.models.record import write_call
from workings.models.recording import Layer, Recording
from workings.models.store import SCHEMA, Store

U32, U64 = 2.0**-24, 2.0**-53
STACKS = {
    "attentions": ("", False),
    "encoder_attentions": ("enc", False),
    "decoder_attentions": ("dec", False),
    "cross_attentions": ("dec", True),
}
Weights = dict[tuple[str, bool], Any]


def both(build: Callable[[str], Any], given: dict[str, Any], folder: Path) -> tuple[Weights, Recording]:
    """The weights of eager attention by stack, and a recording of the same run.

    Args:
        build: the model with an implementation of attention.
        given: its inputs by name.
        folder: where the recording goes.
    """
    import torch

    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # the library's own
        make_known()
        given = {n: t.double() if torch.is_tensor(t) and t.is_floating_point() else t for n, t in given.items()}
        eager = _eager(build("eager").double(), given)
        return eager, _recorded(build(KEY).double(), given, eager, folder)


def _eager(model: Any, given: dict[str, Any]) -> Weights:
    found = model(**given, output_attentions=True)
    if "text_model_output" in found:
        parts = {"text": found.text_model_output, "vision": found.vision_model_output}
        return {(part, False): output.attentions for part, output in parts.items()}
    return {stack: found[name] for name, stack in STACKS.items() if name in found}


def _recorded(model: Any, given: dict[str, Any], eager: Weights, folder: Path) -> Recording:
    """A recording of a model whose attention gives back what eager attention did."""
    calls: list[Call] = []
    family = family_of(model.config.model_type)
    store, layers = Store(str(folder), {}, resume=False), list[dict[str, Any]]()

    def take(call: Call) -> None:
        calls.append(call)
        layers.append(write_call(call, store, "float64", scaled=family.scaled_before))

    def output(module: Any, query: Any, key: Any, value: Any, facts: Any) -> Any:
        place = calls[-1].place
        weights = eager[place.part, place.cross][place.layer or 0]
        repeated = value.repeat_interleave(query.shape[1] // value.shape[1], 1)
        return (weights @ repeated).transpose(1, 2).contiguous()

    with Capture(model, family, take, output).listening():
        model(**given)
    store.finish({"schema": SCHEMA, "model": {"name": family.name}, "tokens": {}, "layers": layers})
    return Recording(folder)


def compared(eager: Weights, recording: Recording, *, double: bool) -> Iterator[tuple[str, float, float]]:
    """Of every head its address, the largest difference, and the largest ratio of a difference to what is allowed.

    Args:
        double: whether eager attention keeps float64 in its softmax.
    """
    unit = U64 if double else U32
    for layer in recording.layers.values():
        theirs = eager[layer["part"], layer["cross"]][layer["layer"]][0].numpy()
        assert theirs.shape == (layer["head_count"], layer["queries"], layer["keys"])
        for head in range(layer["head_count"]):
            address = str(layer.place._replace(head=head, name="weight"))
            weights, bounds = rows_of(recording, address, 0, layer["queries"])
            logits = _largest_logit(recording, layer, head)
            q = np.linalg.norm(recording.numbers(layer.place, "q", head), axis=1).max()
            k = np.linalg.norm(recording.numbers(layer.place, "k", layer.group(head)), axis=1).max()
            own = (2 * layer["d_k"] + 16) * U64 * (q * k * layer["scale"] + logits)
            exponent = 2 * (3 * logits + 4) * unit + (layer["keys"] + 2) * unit + 2 * own
            allowed = bounds + theirs[head] * np.expm1(exponent) + 2.0**-126
            off = np.abs(weights - theirs[head])
            assert allowed.max() < 1e-3, "the bound says nothing"
            yield address, float(off.max()), float((off / allowed).max())


def _largest_logit(recording: Recording, layer: Layer, head: int) -> float:
    """The largest size of a logit that is not masked."""
    made = {op.name.name for op in recipe_of(layer, head).ops}
    name = next(name for name in ("masked", "capped", "scaled") if name in made)
    logits, _ = rows_of(recording, str(layer.place._replace(head=head, name=name)), 0, layer["queries"])
    return float(np.abs(logits[np.isfinite(logits)]).max())

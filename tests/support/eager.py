"""transformers' own eager attention beside a recording of the same run, and what honest rounding may part them by.

Both models run in float64, and ours is given the outputs of eager attention, so that every layer has the same inputs to
the bit. What may differ is then the softmax alone, which is worked twice from the recording: by the declared steps and
streamed, each with its own bound. Eager rounds, in float32 (u = 2⁻²⁴) or, where the family keeps the type, in float64:
each logit x once (u|x|), its difference to the maximum (2u·max|x|), the exponential (4 units), a sum of n of them (nu),
the quotient (u) and the result (u). So with m = max|x| a weight carries a factor within e^±(2(3m + 4)u + (n + 2)u), and
what underflows is less than 2⁻¹²⁶.
The scores themselves are sums of d products in float64 on both sides: γ(2d + 8)·scale·|q|·|k|, which is a logit's own
error before; the softcap, the bias and the scale add no more than 8 roundings of m.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from conformance.row import Comparison, Outcome
from workings.fast.operands import Extras
from workings.fast.result import Attended
from workings.fast.streamed import attend
from workings.models.capture import KEY, Call, Capture, make_known
from workings.models.cells import recipe_of, rows_of, spec_of
from workings.models.families import family_of
from workings.models.recording import Layer, Recording
from workings.models.store import SCHEMA, Store
from workings.models.written import AtOnce, How
from workings.terms.address import Name

U32, U64 = 2.0**-24, 2.0**-53
TOP = 8
ONE = 2.0**-50  # roundings of what is 1 by definition: the difference and the sum of ten numbers of at most 1
STACKS = {
    "attentions": ("", False),
    "encoder_attentions": ("enc", False),
    "decoder_attentions": ("dec", False),
    "cross_attentions": ("dec", True),
}
Floats = npt.NDArray[np.float64]
Weights = dict[tuple[str, bool], Any]


def both(build: Callable[[str], Any], given: dict[str, Any], folder: Path) -> tuple[Weights, Recording]:
    """The weights of eager attention by stack, and a recording of the same run.

    Args:
        build: the model with an implementation of attention.
        given: its inputs by name.
        folder: where the recording goes.
    """
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
    store = Store(str(folder), {}, resume=False)
    writer = AtOnce(store, How("float64", scaled=family.scaled_before))

    def take(call: Call) -> None:
        calls.append(call)
        writer.take(call)

    def output(module: Any, query: Any, key: Any, value: Any, facts: Any) -> Any:
        place = calls[-1].place
        weights = eager[place.part, place.cross][place.layer or 0]
        repeated = value.repeat_interleave(query.shape[1] // value.shape[1], 1)
        return (weights @ repeated).transpose(1, 2).contiguous()

    with Capture(model, family, take, output).listening():
        model(**given)
    store.finish({"schema": SCHEMA, "model": {"name": family.name}, "tokens": {}, "layers": writer.finish()})
    return Recording(folder)


def compared(eager: Weights, recording: Recording, *, double: bool) -> Iterator[Outcome]:
    """Of every head whether its weights, and what is streamed of it, are those of eager attention.

    Args:
        double: whether eager attention keeps float64 in its softmax.
    """
    unit = U64 if double else U32
    places = [(stack, number) for stack, layers in eager.items() for number in range(len(layers))]
    for (part, cross), number in places:
        layer = recording.layer(Name("", number, part=part, cross=cross))
        theirs = eager[part, cross][number][0].numpy()
        assert theirs.shape == (layer["head_count"], layer["queries"], layer["keys"])
        streamed = _streamed(recording, layer)
        for head in range(layer["head_count"]):
            address = str(layer.place._replace(head=head, name="weight"))
            found = Comparison(address, "float64" if double else "float32")
            slack = _slack(recording, layer, head, theirs[head], unit)
            assert slack.max() < 1e-3, "the bound says nothing"
            weights, bounds = rows_of(recording, address, 0, layer["queries"])
            found.add("weight", weights, theirs[head], bounds + slack)
            values = recording.numbers(layer.place, "v", layer.group(head))
            _compare_streamed(found, streamed, head, theirs[head], slack, values)
            yield found.outcome()


def _slack(recording: Recording, layer: Layer, head: int, theirs: Floats, unit: float) -> Floats:
    """How far eager's own rounding may have moved each weight, and that of its scores."""
    logits = _largest_logit(recording, layer, head)
    q = np.linalg.norm(recording.numbers(layer.place, "q", head), axis=1).max()
    k = np.linalg.norm(recording.numbers(layer.place, "k", layer.group(head)), axis=1).max()
    own = (2 * layer["d_k"] + 16) * U64 * (q * k * layer["scale"] + logits)
    exponent = 2 * (3 * logits + 4) * unit + (layer["keys"] + 2) * unit + 2 * own
    slack: Floats = theirs * np.expm1(exponent) + 2.0**-126
    return slack


def _streamed(recording: Recording, layer: Layer) -> Attended:
    """Streamed attention over what was recorded of a layer, in float64."""

    def heads(tensor: str, count: int) -> Any:
        return torch.tensor(np.stack([recording.numbers(layer.place, tensor, head) for head in range(count)]))

    extras = Extras()
    if layer["bias"] is not None:
        line = heads("bias", layer["head_count"])
        if layer["bias"] == "by-distance":
            extras["bias_by_distance"] = line
        else:
            extras["bias"] = line[:, None]
    if layer["sinks"] is not None:
        extras["sinks"] = torch.tensor(layer["sinks"], dtype=torch.float64)
    q, k, v = (heads("q", layer["head_count"]), *(heads(name, layer["kv_head_count"]) for name in ("k", "v")))
    return attend(q, k, v, spec_of(layer), top=TOP, **extras)


def _compare_streamed(
    into: Comparison, ours: Attended, head: int, theirs: Floats, slack: Floats, values: Floats
) -> None:
    """The output, the largest weights, what is left to the others and to a sink; together they are 1.

    Each is a sum of weights, so that eager's may be off by the sum of what each of these may be.
    """
    relative, output = (part[head].numpy()[:, None] for part in (ours.bounds.weight, ours.bounds.output))
    into.add("output", ours.output[head], theirs @ values, output + slack @ np.abs(values))
    top, keys = ours.top_weights[head].numpy(), ours.top_keys[head].numpy()
    rest, share = ours.rest[head].numpy()[:, None], ours.sink_share[head].numpy()[:, None]
    into.add("8 largest, the others and the sink", top.sum(1, keepdims=True) + rest + share, np.ones_like(rest), ONE)
    named, others = np.zeros_like(theirs), theirs.copy()
    np.put_along_axis(named, keys.clip(0), 1.0, 1)
    named[:, 0] = (keys == 0).any(1)
    others[named > 0] = 0
    there = np.where(keys < 0, 0, np.take_along_axis(theirs, keys.clip(0), 1))
    everything = slack.sum(1, keepdims=True) + relative + ONE
    into.add("8 largest", top, there, np.take_along_axis(slack, keys.clip(0), 1) + relative * top)
    into.add("the others", rest, others.sum(1, keepdims=True), everything)
    into.add("the sink", share, 1 - theirs.sum(1, keepdims=True), everything)
    missed = np.maximum(others.max(1) - np.where(keys[:, -1] < 0, 0, top[:, -1]), 0)
    into.add("the largest of the others above the least of the 8", missed, 0 * missed, everything[:, 0])


def _largest_logit(recording: Recording, layer: Layer, head: int) -> float:
    """The largest size of a logit that is not masked."""
    made = {op.name.name for op in recipe_of(layer, head).ops}
    name = next(name for name in ("masked", "capped", "scaled") if name in made)
    logits, _ = rows_of(recording, str(layer.place._replace(head=head, name=name)), 0, layer["queries"])
    return float(np.abs(logits[np.isfinite(logits)]).max())

"""From the sums that the pieces leave to the results: sinks, the division by the row's sum, and conventions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce

import torch
from torch import Tensor

from workings.fast import bounds
from workings.fast.kernel import LONGEST_PART
from workings.fast.operands import Operands
from workings.fast.pieces import NEAR, Sums, normaliser
from workings.fast.result import Attended, Bounds

Show = Callable[[Tensor], Tensor]


def output_of(of: Operands, sums: Sums) -> Tensor:
    """The output, with a batch, of the inputs' type; made in place of its sums."""
    _, total, factor = normaliser(of, range(of.q.shape[1]), sums.rows.largest.double(), sums.rows.total)
    output, nothing = sums.output.mul_(factor.to(of.compute)[..., None]), total == 0
    if of.spec.fully_masked != "zero" and of.k.shape[2] and bool(nothing.any()):
        fill = _mean(of) if of.spec.fully_masked == "uniform" else output.new_full((), torch.nan)
        output = torch.where(nothing[..., None], fill, output)
    return output.to(of.q.dtype)


def _mean(of: Operands) -> Tensor:
    """What a query has that looks at every key alike: [batch, heads, 1, d_v]."""
    mean = of.v.mean(2, keepdim=True, dtype=torch.float64).to(of.compute)
    return mean.repeat_interleave(of.group, 1)


def result(of: Operands, sums: Sums, output: Tensor) -> Attended:
    """Everything that was asked for, with what ``output_of`` made; without the batch where the inputs had none."""
    sums.rows.largest = sums.rows.largest.double()
    whole, total, factor = normaliser(of, range(of.q.shape[1]), sums.rows.largest, sums.rows.total)
    lse, nothing = whole + torch.log(total), total == 0
    sinks = of.extras.get("sinks")
    share = torch.zeros_like(lse) if sinks is None else _powers(sinks[:, None], lse)
    found = {
        "entropy": _entropy(sums, whole, total, factor, None if sinks is None else sinks[:, None]),
        "weights": _powers(sums.rows.top.double(), lse[..., None]),
        **({} if sums.rows.distance is None else {"distance": sums.rows.distance * factor}),
        **{name: mass * factor for name, mass in sums.mass.items()},
    }
    keys = torch.where(sums.rows.top > -torch.inf, sums.rows.keys, -1)
    columns = reduce(Tensor.add_, sums.columns) if sums.columns else None
    share = _made_whole(found, keys, share, of.k.shape[2])
    if of.spec.fully_masked != "zero" and of.k.shape[2] and bool(nothing.any()):
        fill = _as_nan if of.spec.fully_masked == "nan" else _as_uniform
        keys = fill(of, sums, found, keys, nothing)
        if columns is not None:
            rows = nothing.sum(-1, keepdim=True)
            even = (
                rows.double() / of.k.shape[2]
                if of.spec.fully_masked == "uniform"
                else torch.where(rows > 0, torch.nan, 0)
            )
            columns = columns + even
    rest = (1 - found["weights"].sum(-1) - share).clamp(min=0)
    if of.spec.fully_masked != "uniform" or not of.k.shape[2]:
        rest = torch.where(nothing, torch.nan if of.spec.fully_masked == "nan" else 0, rest)
    base = 1.0 if of.spec.lse_base == "e" else math.log(int(of.spec.lse_base))

    def shown(tensor: Tensor) -> Tensor:
        return tensor if of.batched else tensor[0]

    distance = found.get("distance")
    return Attended(
        output=shown(output),
        lse=shown(lse / base),
        entropy=shown(found["entropy"]),
        top_weights=shown(found["weights"]),
        top_keys=shown(keys),
        rest=shown(rest),
        sink_share=shown(share),
        column_mass=None if columns is None else shown(columns),
        mean_distance=None if distance is None else shown(distance),
        mass={name: shown(found[name]) for name in sums.mass},
        bounds=_bounds(of, sums, found["entropy"], lse, base, shown),
        operands=of,
    )


def _powers(logits: Tensor, lse: Tensor) -> Tensor:
    """exp(logit − lse), 0 where nothing is allowed."""
    return torch.exp(logits - torch.where(lse == -torch.inf, 0, lse))


def _entropy(sums: Sums, whole: Tensor, total: Tensor, factor: Tensor, sinks: Tensor | None) -> Tensor:
    """ln Z − Σ e^(s − M)·(s − M) / Z over the keys and the sink, where M is the maximum with the sink and Z the sum."""
    moved = torch.where(sums.rows.largest == -torch.inf, 0, sums.rows.largest - whole)
    moment = (sums.rows.moment + sums.rows.total * moved) * factor
    if sinks is not None:
        below = torch.where(sinks == -torch.inf, 0, sinks - whole)
        moment = moment + torch.where(total == 0, 0, torch.exp(sinks - whole) * below / total)
    return torch.where(total == 0, 0, (torch.log(total) - moment).clamp(min=0))


def _made_whole(found: dict[str, Tensor], keys: Tensor, share: Tensor, count: int) -> Tensor:
    """The sink's share. Where the largest weights are all there are, or rounding made them more than 1, they become 1.

    Dividing them and the share by their sum takes out the error of the normaliser that they have in common, and so
    leaves them within the bound of a weight.
    """
    weights = found["weights"]
    summed = weights.sum(-1) + share
    everything = (keys < 0).any(-1) | (weights.shape[-1] >= count)
    divisor = torch.where((everything & (summed > 0)) | (summed > 1), summed, 1)
    found["weights"] = weights / divisor[..., None]
    return share / divisor


def _as_nan(of: Operands, sums: Sums, found: dict[str, Tensor], keys: Tensor, nothing: Tensor) -> Tensor:
    for tensor in found.values():
        tensor.masked_fill_(nothing if tensor.ndim == nothing.ndim else nothing[..., None], torch.nan)
    return keys


def _as_uniform(of: Operands, sums: Sums, found: dict[str, Tensor], keys: Tensor, nothing: Tensor) -> Tensor:
    """Rows with nothing allowed look at every key alike; the keys they name are the first ones."""
    count, top = of.k.shape[2], keys.shape[-1]
    sizes = torch.nan_to_num(of.v, 0, 0, 0).abs().amax((2, 3)).repeat_interleave(of.group, 1)[..., None]
    sums.seen[1] = torch.where(nothing, sizes.to(of.compute), sums.seen[1])
    found["entropy"].masked_fill_(nothing, math.log(count))
    places = torch.arange(top, device=keys.device)
    even = torch.full((), 1 / count, dtype=torch.float64, device=keys.device)
    found["weights"] = torch.where(nothing[..., None], torch.where(places < count, even, 0), found["weights"])
    own = torch.arange(of.own, of.own + of.q.shape[2], device=keys.device)
    for name in sums.mass:
        if name == NEAR:
            first, last = (own - sums.masses.near).clamp(min=0), (own + sums.masses.near + 1).clamp(max=count)
            share = even * (last - first).clamp(min=0)
        else:
            key = sums.masses.keys[:, sums.names.index(name)]
            share = torch.where((key >= 0) & (key < count), even, 0)
        found[name] = torch.where(nothing, share, found[name])
    if "distance" in found:
        before, after = own.double().clamp(0, count), (count - 1 - own.double()).clamp(0, count)
        # the keys before its own are 1, 2 … away; where its own lies outside, the nearest is further than 1
        near, far = (own - count + 1).clamp(min=0).double(), (-own).clamp(min=0).double()
        left = torch.where(near > 0, count * near + count * (count - 1) / 2, before * (before + 1) / 2)
        right = torch.where(far > 0, count * far + count * (count - 1) / 2, after * (after + 1) / 2)
        distance = torch.where(near > 0, left, torch.where(far > 0, right, left + right)) / count
        found["distance"] = torch.where(nothing, distance, found["distance"])
    return torch.where(nothing[..., None], torch.where(places < count, places, -1), keys)


def _bounds(of: Operands, sums: Sums, entropy: Tensor, lse: Tensor, base: float, shown: Show) -> Bounds:
    keys = of.k.shape[2]
    largest = torch.where(sums.rows.largest.isfinite(), sums.rows.largest, 0)
    error = bounds.row_error(of, sums.lengths.double(), sums.seen[0].double(), largest, keys)
    weight = bounds.of_weight(error)
    columns = None
    if sums.columns:
        columns = weight.amax(-1) if weight.shape[-1] else weight.new_zeros(weight.shape[:2])
        columns = shown(columns + bounds.gamma(of.q.shape[2] + 8, bounds.unit(of.compute)))
    return Bounds(
        output=shown(bounds.of_output(error, sums.seen[1].double(), keys, of.compute, of.q.dtype)),
        lse=shown(bounds.of_lse(error, lse, largest) / base),
        entropy=shown(bounds.of_entropy(error, entropy, keys, of.compute)),
        weight=shown(weight + bounds.gamma(LONGEST_PART + 8, bounds.unit(of.compute))),
        column_mass=columns,
    )

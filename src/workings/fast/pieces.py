"""One piece of streamed attention: the rows of the query heads that share one head of keys and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from workings.fast.kernel import Around, Own, Rows, choose
from workings.fast.logits import Place, seen_keys, to_logits
from workings.fast.operands import Operands

STRIP = {"cpu": 2**20, "cuda": 2**26}  # scores held at once
MASS_ON = ("first", "previous", "self")
NEAR = "near"
FEWEST_ROWS = 16  # below this a matrix product is slow


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of all query heads of one head of keys and values; ``part`` counts the pieces of that head."""

    batch: int
    kv_head: int
    rows: range
    part: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted besides output, lse and entropy; as ``attend`` tells of it."""

    top: int
    column_mass: bool
    mean_distance: bool
    mass_on: Sequence[str]
    mass_at: Mapping[str, Tensor]
    near: int


@dataclass(slots=True)
class Sums:
    """What the pieces leave, [batch, heads, queries, …]; before sinks, conventions and the division by the row's sum.

    ``lengths`` are ‖q‖. ``seen`` holds, of the keys that a row's block goes over, the largest ‖k‖ and the largest |v|;
    [2, batch, …]. ``single`` is the mass on single keys, a column for each of ``names``; ``at``, [queries, names], says
    which keys: on one that is not there lies nothing. ``around`` is the mass on keys no further than ``near``.
    """

    output: Tensor
    largest: Tensor
    total: Tensor
    moment: Tensor
    lengths: Tensor
    seen: Tensor
    top: Tensor
    keys: Tensor
    distance: Tensor | None
    names: Sequence[str]
    at: Tensor
    single: Tensor
    near: int
    around: Tensor
    wants_columns: bool
    columns: list[Tensor] = field(default_factory=list)

    @staticmethod
    def empty(of: Operands, wish: Wish) -> Sums:
        """Room for everything, filled as for rows with nothing allowed."""
        shape, device = of.q.shape[:3], of.q.device
        own = torch.arange(of.own, of.own + shape[2], device=device)
        places = {name: mass_key(name, own) for name in wish.mass_on} | dict(wish.mass_at)

        def zeros(*more: int, dtype: torch.dtype = torch.float64) -> Tensor:
            return torch.zeros((*shape, *more), dtype=dtype, device=device)

        return Sums(
            output=zeros(of.v.shape[3], dtype=of.compute),
            largest=zeros(dtype=of.compute).fill_(-torch.inf),
            total=zeros(),
            moment=zeros(),
            lengths=zeros(dtype=of.compute),
            seen=torch.zeros((2, *shape), dtype=of.compute, device=device),
            top=zeros(wish.top, dtype=of.compute).fill_(-torch.inf),
            keys=zeros(wish.top, dtype=torch.int64),
            distance=zeros() if wish.mean_distance else None,
            names=list(places),
            at=torch.stack([key.to(torch.int64) for key in places.values()], 1) if places else own[:, None][:, :0],
            single=zeros(len(places)),
            near=wish.near,
            around=zeros() if wish.near else zeros(0),
            wants_columns=wish.column_mass,
            columns=[torch.zeros((*shape[:2], of.k.shape[2]), dtype=torch.float64, device=device)]
            if wish.column_mass
            else [],
        )

    @property
    def mass(self) -> dict[str, Tensor]:
        """What lies on each key that was named, and on those near; [batch, heads, queries] each."""
        found = {name: self.single[..., place] for place, name in enumerate(self.names)}
        return found | ({NEAR: self.around} if self.near else {})

    def parts(self, count: int) -> None:
        """Room for the column masses of each part of a head."""
        if self.wants_columns:
            self.columns += [torch.zeros_like(self.columns[0]) for _ in range(count - 1)]


def normaliser(of: Operands, heads: range, largest: Tensor, total: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """With the sink: the row's maximum M, its sum Z over e^(s − M), and e^(m − M)/Z, by which powers become weights.

    Args:
        largest: [..., heads, rows] float64, -inf where nothing is allowed; total: its sum over the keys.
    """
    sinks = of.extras.get("sinks")
    if sinks is None:
        return largest, total, torch.where(total == 0, 0, 1 / total)
    sink = sinks[heads.start : heads.stop, None]
    whole = torch.maximum(largest, sink)
    moved = torch.where(largest == whole, 1, torch.exp(largest - whole))
    of_sink = torch.where(sink == whole, 1, torch.exp(sink - whole))
    of_sink = torch.where(sink == -torch.inf, 0, of_sink)
    total = total * moved + of_sink
    return whole, total, torch.where(total == 0, 0, moved / total)


def mass_key(name: str, own: Tensor) -> Tensor:
    """Which key is meant by a name of ``MASS_ON``, for queries whose own keys these are."""
    return torch.zeros_like(own) if name == "first" else own - int(name == "previous")


class Worker:
    """Does pieces one after the other, with buffers of its own that every block of rows uses again."""

    def __init__(self, of: Operands, sums: Sums) -> None:
        self.of, self.sums = of, sums
        device, keys = of.q.device, max(1, of.k.shape[2])
        room = STRIP.get(device.type, STRIP["cuda"])
        self._block = max(1, min(max(FEWEST_ROWS, room // (of.group * keys)), of.q.shape[2]))
        self._kernel, self._mass_at = choose(device, of.compute)
        self._strip = torch.empty(of.group * self._block * keys, dtype=of.compute, device=device)
        self._spare = torch.empty_like(self._strip)
        self._masked = False
        self._asked = sums.wants_columns or bool(sums.names) or sums.near > 0

    def do(self, piece: Piece) -> None:
        """All blocks of rows of a piece."""
        of = self.of
        k, v = of.k[piece.batch, piece.kv_head].to(of.compute), of.v[piece.batch, piece.kv_head].to(of.compute)
        caps = torch.stack((torch.linalg.vector_norm(k, dim=-1), _largest(v)))
        bad = None
        if not bool(torch.isfinite(caps).all()):
            sound = torch.isfinite(v)
            bad, v = torch.where(sound, 0, v), torch.where(sound, v, 0)
            caps[1] = _largest(v)
            caps.masked_fill_(~torch.isfinite(caps), 0)
        there = of.extras.get("padding")
        if there is not None:
            caps *= there[piece.batch]
        heads = range(piece.kv_head * of.group, (piece.kv_head + 1) * of.group)
        for start in range(piece.rows.start, piece.rows.stop, self._block):
            rows = range(start, min(start + self._block, piece.rows.stop))
            keys = seen_keys(of, piece.batch, rows)
            if keys:
                place = Place(piece.batch, heads, rows, keys)
                self._strip_of(place, k, caps)
                far = Own(rows.start + of.own - keys.start, len(rows)) if self.sums.distance is not None else None
                found = self._kernel(*self._buffers(place), self.sums.top.shape[-1], self._masked, far)
                self._keep(found, place, v, bad)
                if self._asked:
                    self._wanted(found.powers.view(len(heads), len(rows), -1), place, piece.part)

    def _buffers(self, at: Place) -> tuple[Tensor, Tensor]:
        """Strip and spare as [heads × rows, keys] of the place."""
        shape = (len(at.heads) * len(at.rows), len(at.keys))
        size = shape[0] * shape[1]
        return self._strip[:size].view(shape), self._spare[:size].view(shape)

    def _strip_of(self, at: Place, k: Tensor, caps: Tensor) -> None:
        """The logits of a place, in the strip."""
        of, (heads, rows, keys) = self.of, _slices(at)
        strip = self._buffers(at)[0]
        q = of.q[at.batch, heads, rows].to(of.compute).reshape(-1, of.q.shape[3])
        torch.addmm(strip, q, k[keys].T, beta=0, alpha=of.scale, out=strip)
        self._masked = to_logits(strip.view(len(at.heads), len(at.rows), -1), of, at)
        self.sums.lengths[at.batch, heads, rows] = torch.linalg.vector_norm(q, dim=-1).view(len(at.heads), -1)
        self.sums.seen[:, at.batch, heads, rows] = caps[:, keys].amax(-1)[:, None, None]

    def _keep(self, found: Rows, at: Place, v: Tensor, bad: Tensor | None) -> None:
        sums, (heads, rows, keys) = self.sums, _slices(at)
        here, shape, count = (at.batch, heads, rows), (len(at.heads), len(at.rows), -1), found.top.shape[-1]
        output = (
            sums.output[here].view(-1, v.shape[1]) if len(at.heads) == 1 else v.new_empty(len(found.total), v.shape[1])
        )
        torch.mm(found.powers, v[keys], out=output)
        if bad is not None:
            _add_bad(output, found.powers, bad[keys])
        if len(at.heads) > 1:
            sums.output[here] = output.view(shape)
        for kept, part in ((sums.largest, found.largest), (sums.total, found.total), (sums.moment, found.moment)):
            kept[here] = part.view(shape[:2])
        if sums.distance is not None and found.distance is not None:
            sums.distance[here] = found.distance.view(shape[:2])
        sums.top[(*here, slice(count))] = found.top.view(shape)
        sums.keys[(*here, slice(count))] = found.keys.add_(at.keys.start).view(shape)

    def _wanted(self, powers: Tensor, at: Place, part: int) -> None:
        """Column mass, and mass on single keys and on those near: all linear in the weights."""
        of, sums, (heads, rows, keys) = self.of, self.sums, _slices(at)
        here = (at.batch, heads, rows)
        if sums.wants_columns:
            factor = normaliser(of, at.heads, sums.largest[here].double(), sums.total[here])[2].to(of.compute)
            columns = torch.matmul(factor[:, None], powers)[:, 0]
            sums.columns[part][at.batch, heads, keys] += columns
        if sums.names or sums.near:
            first = rows.start + of.own - keys.start
            band = Around(first, sums.near, sums.near if of.right is None else min(sums.near, of.right))
            single, around = self._mass_at(powers, sums.at[rows] - keys.start, band)
            sums.single[here] = single
            if sums.near:
                sums.around[here] = around


def _largest(values: Tensor) -> Tensor:
    """The largest |v| of each key; 0 where values have no components."""
    return values.abs().amax(-1) if values.shape[1] else values.new_zeros(len(values))


def _add_bad(output: Tensor, powers: Tensor, bad: Tensor) -> None:
    """Values that are NaN or infinite reach the rows that give their key a weight above 0, and no others."""
    for key in (bad != 0).any(-1).nonzero()[:, 0].tolist():
        power, values = powers[:, key, None], bad[key]
        output += torch.where((power == 0) | (values == 0), 0, power * values)


def _slices(at: Place) -> tuple[slice, slice, slice]:
    heads, rows, keys = (slice(part.start, part.stop) for part in (at.heads, at.rows, at.keys))
    return heads, rows, keys

"""One piece of streamed attention: the rows of the query heads that share one head of keys and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import torch
from torch import Tensor

from workings.fast.kernel import Masses, Rows, Strip, choose
from workings.fast.logits import Place, all_but_band, band_of, seen_keys, slices
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
    [2, batch, …]. ``names`` are those of the keys in ``masses``.
    """

    output: Tensor
    lengths: Tensor
    seen: Tensor
    rows: Rows
    names: Sequence[str]
    masses: Masses
    wants_columns: bool
    columns: list[Tensor] = field(default_factory=list)

    @staticmethod
    def empty(of: Operands, wish: Wish) -> Sums:
        """Room for everything, all but the output filled as for rows with nothing allowed."""
        shape, device = of.q.shape[:3], of.q.device
        own = torch.arange(of.own, of.own + shape[2], device=device)
        places = {name: mass_key(name, own) for name in wish.mass_on} | dict(wish.mass_at)

        def zeros(*more: int, dtype: torch.dtype = torch.float64) -> Tensor:
            return torch.zeros((*shape, *more), dtype=dtype, device=device)

        batch, heads, queries = shape
        output = torch.empty((batch, queries, heads, of.v.shape[3]), dtype=of.compute, device=device)
        return Sums(
            output=output.transpose(1, 2),  # a model joins the heads of a query
            lengths=zeros(dtype=of.compute),
            seen=torch.zeros((2, *shape), dtype=of.compute, device=device),
            rows=Rows(
                largest=zeros(dtype=of.compute).fill_(-torch.inf),
                total=zeros(),
                moment=zeros(),
                top=zeros(wish.top, dtype=of.compute).fill_(-torch.inf),
                keys=zeros(wish.top, dtype=torch.int64),
                distance=zeros() if wish.mean_distance else None,
            ),
            names=list(places),
            masses=Masses(
                keys=torch.stack([key.to(torch.int64) for key in places.values()], 1)
                if places
                else own[:, None][:, :0],
                single=zeros(len(places)),
                near=wish.near,
                around=zeros() if wish.near else zeros(0),
            ),
            wants_columns=wish.column_mass,
            columns=[torch.zeros((*shape[:2], of.k.shape[2]), dtype=torch.float64, device=device)]
            if wish.column_mass
            else [],
        )

    @property
    def mass(self) -> dict[str, Tensor]:
        """What lies on each key that was named, and on those near; [batch, heads, queries] each."""
        masses = self.masses
        found = {name: masses.single[..., place] for place, name in enumerate(self.names)}
        return found | ({NEAR: masses.around} if masses.near else {})

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


def even(rows: range, parts: int) -> list[range]:
    """Rows in so many parts, as long as each other but for one row."""
    edges = [rows.start + len(rows) * part // max(1, parts) for part in range(parts + 1)]
    return [range(*pair) for pair in pairwise(edges)]


class Worker:
    """Does pieces one after the other, with buffers of its own that every block of rows uses again."""

    def __init__(self, of: Operands, sums: Sums) -> None:
        self.of, self.sums = of, sums
        device, keys = of.q.device, max(1, of.k.shape[2])
        room = STRIP.get(device.type, STRIP["cuda"])
        self._block = max(1, min(max(FEWEST_ROWS, room // (of.group * keys)), of.q.shape[2]))
        self._kernel = choose(device, of.compute)
        self._strip = torch.empty(of.group * self._block * keys, dtype=of.compute, device=device)
        self._spare = torch.empty_like(self._strip)
        self._output = torch.empty(of.group * self._block * of.v.shape[3], dtype=of.compute, device=device)
        self._caps: dict[tuple[int, int], Tensor] = {}
        self._masses = bool(sums.names) or sums.masses.near > 0

    def do(self, piece: Piece) -> None:
        """All blocks of rows of a piece."""
        of, sums = self.of, self.sums
        side = self._side(piece)
        heads = range(piece.kv_head * of.group, (piece.kv_head + 1) * of.group)
        whole = slice(heads.start, heads.stop), slice(piece.rows.start, piece.rows.stop)
        q = of.q[piece.batch][whole].to(of.compute)
        torch.linalg.vector_norm(q, dim=-1, out=sums.lengths[piece.batch][whole])
        for rows in even(piece.rows, -(-len(piece.rows) // self._block)):
            keys = seen_keys(of, piece.batch, rows)
            if keys:
                at = Place(piece.batch, heads, rows, keys)
                part = q[:, rows.start - piece.rows.start : rows.stop - piece.rows.start]
                powers = self._powers(at, part, side)
                self._keep(powers, at, side)
                if sums.wants_columns:
                    self._add_columns(powers, at, piece.part)
            else:
                sums.output[piece.batch, whole[0], rows.start : rows.stop] = 0

    def _side(self, piece: Piece) -> _Side:
        """Keys and values of a piece."""
        place = piece.batch, piece.kv_head
        k, v = (tensor[place].to(self.of.compute) for tensor in (self.of.k, self.of.v))
        if place in self._caps:  # another piece of the same head has found them sound
            return _Side(k, v, None, self._caps[place])
        padding = self.of.extras.get("padding")
        side = _sound(k, v, None if padding is None else padding[piece.batch])
        if side.bad is None:
            self._caps[place] = side.caps
        return side

    def _powers(self, at: Place, q: Tensor, side: _Side) -> Tensor:
        """What is taken of the rows of a place; returns their powers, [heads × rows, keys]."""
        of, sums, (heads, rows, keys) = self.of, self.sums, slices(at)
        shape = (len(at.heads) * len(at.rows), len(at.keys))
        size = shape[0] * shape[1]
        logits, spare = self._strip[:size].view(shape), self._spare[:size].view(shape)
        torch.addmm(logits, q.flatten(0, 1), side.k[keys].T, beta=0, alpha=of.scale, out=logits)
        sums.seen[:, at.batch, heads, rows] = side.caps[:, keys].amax(-1)[:, None, None]
        strip = Strip(logits, at, band_of(of, at))
        masked = all_but_band(strip.planes, of, at)
        powers = self._kernel.rows(strip, spare, sums.rows, masked)
        if self._masses:
            self._kernel.mass(strip._replace(logits=powers), sums.masses)
        return powers

    def _keep(self, powers: Tensor, at: Place, side: _Side) -> None:
        """The output of a place, before the division by the row's sum."""
        heads, rows, keys = slices(at)
        v = side.v[keys]
        output = self._output[: len(powers) * v.shape[1]].view(len(powers), -1)
        torch.mm(powers, v, out=output)
        if side.bad is not None:
            _add_bad(output, powers, side.bad[keys])
        self.sums.output[at.batch, heads, rows] = output.view(len(at.heads), len(at.rows), v.shape[1])

    def _add_columns(self, powers: Tensor, at: Place, part: int) -> None:
        """Column mass, which is linear in the weights."""
        of, sums, (heads, rows, keys) = self.of, self.sums, slices(at)
        largest, total = sums.rows.largest[at.batch, heads, rows], sums.rows.total[at.batch, heads, rows]
        factor = normaliser(of, at.heads, largest.double(), total)[2].to(of.compute)
        columns = torch.matmul(factor[:, None], powers.view(len(at.heads), len(at.rows), -1))[:, 0]
        sums.columns[part][at.batch, heads, keys] += columns


@dataclass(frozen=True, slots=True)
class _Side:
    """A head of keys and values in the working type.

    Attributes:
        v: 0 where a value is not finite; ``bad`` holds those, and 0 where it is; None where all are.
        caps: ‖k‖ and the largest |v| of each key, [2, keys]; 0 where it is not finite or padding.
    """

    k: Tensor
    v: Tensor
    bad: Tensor | None
    caps: Tensor


def _sound(k: Tensor, v: Tensor, there: Tensor | None) -> _Side:
    """Keys and values, of which padding says which are there."""
    caps = torch.stack((torch.linalg.vector_norm(k, dim=-1), _largest(v)))
    bad = None
    if not bool(torch.isfinite(caps).all()):
        sound = torch.isfinite(v)
        bad, v = torch.where(sound, 0, v), torch.where(sound, v, 0)
        caps[1] = _largest(v)
        caps.masked_fill_(~torch.isfinite(caps), 0)
    return _Side(k, v, bad, caps if there is None else caps * there)


def _largest(values: Tensor) -> Tensor:
    """The largest |v| of each key; 0 where values have no components."""
    return values.abs().amax(-1) if values.shape[1] else values.new_zeros(len(values))


def _add_bad(output: Tensor, powers: Tensor, bad: Tensor) -> None:
    """Values that are NaN or infinite reach the rows that give their key a weight above 0, and no others."""
    for key in (bad != 0).any(-1).nonzero()[:, 0].tolist():
        power, values = powers[:, key, None], bad[key]
        output += torch.where((power == 0) | (values == 0), 0, power * values)

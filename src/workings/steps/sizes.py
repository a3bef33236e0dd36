"""Lengths of axes: gathered from the given arrays, checked against each other, and completed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from workings.steps.inputs import GIVEN
from workings.terms.address import Name
from workings.terms.errors import BadRotaryDim, HeadsNotGrouped, MissingField, OddRotaryWidth, ShapeMismatch, WrongRank

# width of a weight matrix -> (number of heads it holds, width of one head)
WIDTHS = {
    "q_width": ("heads", "d_k"),
    "k_width": ("kv_heads", "d_k"),
    "v_width": ("kv_heads", "d_v"),
    "concat": ("heads", "d_v"),
}


LISTED = {"word": "words"}  # axis -> where an author lists what stands along it, if not under its name


class Sizes:
    """Axis lengths, each with the array that fixed it, so that a mismatch can name both sides."""

    def __init__(self, known: Mapping[str, tuple[int, str]]) -> None:
        self._known = dict(known)
        self._shapes: dict[str, Sequence[int]] = {}

    def __contains__(self, axis: object) -> bool:
        return axis in self._known

    def __getitem__(self, axis: str) -> int:
        if axis not in self._known:
            raise MissingField(field=axis, why="size")
        return self._known[axis][0]

    def as_dict(self) -> dict[str, int]:
        return {axis: size for axis, (size, _) in self._known.items()}

    def fix(self, axis: str, size: int, name: str, shape: Sequence[int], because: str = "") -> None:
        """Learn the length of an axis from an array, or raise ``ShapeMismatch`` naming both arrays."""
        expected, known_from = self._known.setdefault(axis, (size, because or name))
        if expected != size:
            raise ShapeMismatch(
                name=name, shape=list(shape), axis=axis, size=size, expected=expected, because=known_from
            )

    def learn(self, name: Name, axes: Sequence[str], shape: Sequence[int]) -> None:
        """Learn the axes of one given array."""
        if len(axes) != len(shape):
            raise WrongRank(name=str(name), shape=list(shape), axes=list(axes))
        self._shapes[str(name)] = shape
        for axis, size in zip(axes, shape, strict=True):
            self.fix(axis, size, str(name), shape)

    def complete(self) -> None:
        """Derive widths of one head from widths of all, and the other way round."""
        for width, (unit, one) in WIDTHS.items():
            heads = self[unit]
            if width in self and self[width] % heads:
                total, known_from = self._known[width]
                shape = list(self._shapes.get(known_from, (total,)))
                raise ShapeMismatch(
                    name=known_from, shape=shape, axis=width, size=total, expected=f"{heads} × {one}", because=unit
                )
            if width in self:
                total, known_from = self._known[width]
                self.fix(one, total // heads, known_from, self._shapes.get(known_from, (total,)))
        for width, (unit, one) in WIDTHS.items():
            if one in self:
                self.fix(width, self[unit] * self[one], width, (self[unit] * self[one],), f"{unit} × {one}")


def gather(known: Mapping[str, int], given: Mapping[Name, Sequence[int]], self_attention: bool) -> Sizes:
    """All axis lengths of a recipe.

    ``known`` comes from the example itself (``token``, ``key``, ``heads`` …); ``given`` are the shapes of the arrays.
    """
    if known["heads"] % known["kv_heads"]:
        raise HeadsNotGrouped(heads=known["heads"], n_kv_heads=known["kv_heads"])
    sizes = Sizes({axis: (size, LISTED.get(axis, axis)) for axis, size in known.items()})
    for name, shape in given.items():
        sizes.learn(name, axes_of(name.name, self_attention), shape)
    sizes.complete()
    if "d_model" in sizes and self_attention:
        sizes.fix("d_context", sizes["d_model"], "X", (), "d_model")
    return sizes


def axes_of(name: str, self_attention: bool) -> tuple[str, ...]:
    """The axes of an input; in self-attention the context is X itself, and W_O leads back to d_model."""
    same: dict[str, str] = {"d_out": "d_model"}
    if self_attention:
        same["d_context"] = "d_model"
        if name in ("K", "V", "k_proj"):
            same["key"] = "token"
    return tuple(same.get(axis, axis) for axis in GIVEN[name].axes)


def check_rotary(d_k: int, rotary_dim: int | None) -> int:
    """How many dimensions turn. Rotary position pairs them up, so their number must be even."""
    if rotary_dim is None:
        if d_k % 2:
            raise OddRotaryWidth(d_k=d_k)
        return d_k
    if rotary_dim % 2 or not 0 < rotary_dim <= d_k:
        raise BadRotaryDim(rotary_dim=rotary_dim, d_k=d_k)
    return rotary_dim


def shape_of(axes: Iterable[str], sizes: Sizes) -> tuple[int, ...]:
    """The shape of an array with these axes."""
    return tuple(sizes[axis] for axis in axes)

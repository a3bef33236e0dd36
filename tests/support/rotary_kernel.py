"""A small kernel with rotary position in plain numpy, pair by pair: a dump from the projections or from X on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

TOKENS, HEADS, WIDTH = 6, 2, 8


@dataclass(frozen=True)
class Kernel:
    """What the kernel does.

    Attributes:
        turned: how many dimensions of a head turn, the first ones; ``speeds`` by how many their speeds go.
        norm: ``rms`` before the rotation, ``rms-after-rope``, or none.
        at: the token's places.
    """

    pairs: str = "half"
    turned: int = 4
    speeds: int = 0
    base: float = 100.0
    norm: str = "none"
    at: tuple[int, ...] = tuple(range(TOKENS))

    def with_(self, **other: Any) -> Kernel:
        """The kernel with a slip in it."""
        return replace(self, **other)

    def angles(self) -> Any:
        """[tokens, pairs]"""
        speeds = [self.base ** (-2 * pair / (self.speeds or self.turned)) for pair in range(self.turned // 2)]
        return np.outer(self.at, speeds)

    def rotated(self, x: Any) -> Any:
        """Vectors [heads, tokens, width] turned, one pair after another."""
        out, angles = x.copy(), self.angles()
        for pair in range(self.turned // 2):
            two = (pair, pair + self.turned // 2) if self.pairs == "half" else (2 * pair, 2 * pair + 1)
            cos, sin = np.cos(angles[:, pair]), np.sin(angles[:, pair])
            one, other = x[..., two[0]], x[..., two[1]]
            out[..., two[0]], out[..., two[1]] = one * cos - other * sin, one * sin + other * cos
        return out

    def made(self, x: Any, gain: Any) -> Any:
        """Queries or keys as they enter the dot product."""
        if self.norm == "none":
            return self.rotated(x)
        if self.norm == "rms":
            return self.rotated(_normed(x) * gain)
        return _normed(self.rotated(x)) * gain

    def dump(self, *, begin: str = "q_proj", tables: str = "") -> dict[str, Any]:
        """Inputs and all that is made of them; tables with each column once, ``twice``, or for ``more`` places."""
        random = np.random.default_rng(8)
        x = random.normal(size=(TOKENS, HEADS * WIDTH))
        weights = random.normal(size=(3, HEADS * WIDTH, HEADS * WIDTH)) / 4
        gains = {"q_norm_gain": 1 + random.random(WIDTH), "k_norm_gain": 1 + random.random(WIDTH)}
        q, k, v = (np.stack(np.split(x @ weight, HEADS, axis=1)) for weight in weights)
        out = {"q_proj": q, "k_proj": k, "V": v}
        if begin == "X":
            out = {"X": x, "W_Q": weights[0], "W_K": weights[1], "W_V": weights[2], **out}
        if self.norm != "none":
            out |= gains
        if self.at != tuple(range(TOKENS)):
            out["positions"] = np.array(self.at)
        out |= self.tables(tables)
        out["Q"], out["K"] = self.made(q, gains["q_norm_gain"]), self.made(k, gains["k_norm_gain"])
        out["score"] = out["Q"] @ out["K"].swapaxes(-1, -2)
        power = np.exp(out["score"] / np.sqrt(WIDTH))
        out["weight"] = power / power.sum(-1, keepdims=True)
        out["head_output"] = out["weight"] @ v
        return {name: array if name == "positions" else array.astype(np.float32) for name, array in out.items()}

    def tables(self, form: str) -> dict[str, Any]:
        """The tables that the kernel turns by, in a form that kernels keep."""
        if not form:
            return {}
        angles = (self.with_(at=tuple(range(TOKENS + 3))) if form == "more" else self).angles()
        if form == "twice":
            halves = self.pairs == "half"
            angles = np.concatenate([angles, angles], axis=1)[None] if halves else np.repeat(angles, 2, axis=1)[None]
        return {"cos": np.cos(angles), "sin": np.sin(angles)}


def _normed(x: Any) -> Any:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)

"""How positions rotate queries and keys in a model: how fast each pair turns, and what multiplies cosine and sine."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rope = Mapping[str, Any]
Speeds = Sequence[float]


@dataclass(frozen=True)
class Kind:
    """One way, a ``rope_type`` of transformers.

    Attributes:
        speeds: how fast each pair turns, from how fast it would by the base alone; None where that is the same.
        factor: the attention factor, which multiplies cosines and sines; None where there is none.
        needed: positive numbers that it is told by, besides the base.
        known: positive numbers that it may be told by.
        lists: positive numbers that it is told by, one for each pair.
        fits: whether these numbers tell anything together.
    """

    speeds: Callable[[Speeds, Rope], list[float]] | None = None
    factor: Callable[[Rope], float] | None = None
    needed: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    fits: Callable[[Rope], bool] = lambda rope: True


def ropes_of(config: Any, count: int, tokens: int, *, partial: bool = False) -> list[dict[str, Any]] | None:
    """Of each layer how positions rotate, as JSON; None where that is a way not told here.

    Args:
        count: of layers.
        tokens: how many were read.
        partial: whether models of the family heed a share of dimensions that turn.
    """
    table = getattr(config, "rope_parameters", None)
    if not isinstance(table, Mapping):
        return None
    kinds = getattr(config, "layer_types", None) or [""] * count
    out: list[dict[str, Any]] = []
    for kind in kinds:
        found = table if "rope_theta" in table else table.get(kind)
        if not isinstance(found, Mapping):
            return None
        one: dict[str, Any] = {name: v for name, v in found.items() if isinstance(v, (str, int, float))}
        if one.get("rope_type") == "longrope":
            one |= _factors(found, tokens)
        if one.get("rope_type") == "dynamic":
            one |= {"tokens": tokens, PLACES: getattr(config, PLACES, None)}
        share = one.pop("partial_rotary_factor", 1)
        if share != 1:
            one["rotary_dim"] = _share(config, share) if partial else None
        if not is_rope(one):
            return None
        out.append(one)
    return out if len(out) == count else None


def _factors(found: Rope, tokens: int) -> dict[str, Any]:
    """Of the two lists of factors that which holds for so many tokens; nothing where it is not told."""
    length = found.get(LENGTH)
    if length is None or not _is_positive(length):
        return {}
    factors = found.get("long_factor" if tokens > length else "short_factor")
    return {"factors": list(factors)} if isinstance(factors, (list, tuple)) else {}


def _share(config: Any, share: Any) -> int | None:
    """How many dimensions of a head turn; None where that is not told."""
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return int(width * share) if _is_positive(share) and share < 1 else None


def settle(model: Any, tokens: int) -> None:
    """Chooses ways of rotating that go by how many tokens are read, for so many, whatever a call of the model reads.

    Otherwise keys of earlier chunks would be turned by other speeds than those of one pass.
    """
    import torch

    last = torch.tensor([[tokens - 1]])
    for module in model.modules():
        kinds = getattr(module, "rope_type", None)
        if isinstance(kinds, str):
            module(torch.zeros(1), last)
            module.rope_type = "default"  # by which speeds that are there stay
        elif isinstance(kinds, Mapping):
            for kind in kinds:
                module(torch.zeros(1), last, kind)
            module.rope_type = dict.fromkeys(kinds, "default")


def is_rope(seen: Any) -> bool:
    """Whether a way of rotating is told whole."""
    if not isinstance(seen, dict) or seen.get("rope_type", "default") not in KINDS:
        return False
    kind = KINDS[str(seen.get("rope_type", "default"))]
    needed = all(_is_positive(seen.get(name)) for name in ("rope_theta", *kind.needed))
    known = all(_is_positive(seen[name]) for name in kind.known if name in seen)
    lists = (seen.get(name) for name in kind.lists)
    listed = all(isinstance(one, list) and all(map(_is_positive, one)) for one in lists)
    return needed and known and listed and _turns(seen.get("rotary_dim", 2)) and kind.fits(seen)


def _turns(seen: Any) -> bool:
    """Whether so many dimensions can turn, in pairs."""
    return type(seen) is int and seen > 0 and seen % 2 == 0


def _is_positive(seen: Any) -> bool:
    return type(seen) in (int, float) and SMALLEST < seen < LARGEST


def speeds_of(rope: Rope, d_k: int) -> list[float] | None:
    """How fast each pair turns, in radians for each place; None where the base alone tells it."""
    change = KINDS[str(rope.get("rope_type", "default"))].speeds
    if change is None:
        return None
    base, width = float(rope["rope_theta"]), min(rope.get("rotary_dim", d_k), d_k)
    return change([base ** (-2 * pair / width) for pair in range(width // 2)], rope)


def attention_factor_of(rope: Rope) -> float | None:
    """What multiplies cosines and sines; None where nothing does."""
    told = rope.get("attention_factor")
    factor = KINDS[str(rope.get("rope_type", "default"))].factor
    return None if factor is None else factor(rope) if told is None else float(told)


def _linear(speeds: Speeds, rope: Rope) -> list[float]:
    return [speed / float(rope["factor"]) for speed in speeds]


def _mixed(speeds: Speeds, rope: Rope, kept: Speeds) -> list[float]:
    """Of each speed a share is kept, and the rest slowed down by the factor."""
    return [
        (1 - share) * speed / float(rope["factor"]) + share * speed for speed, share in zip(speeds, kept, strict=True)
    ]


def _clamped(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _llama3(speeds: Speeds, rope: Rope) -> list[float]:
    """Slow rotations are slowed down further, quick ones kept, those between mixed (Llama 3's published code)."""
    low, high = float(rope["low_freq_factor"]), float(rope["high_freq_factor"])
    turns = [float(rope[LENGTH]) * speed / (2 * math.pi) for speed in speeds]
    return _mixed(speeds, rope, [_clamped((turn - low) / (high - low)) for turn in turns])


def _yarn(speeds: Speeds, rope: Rope) -> list[float]:
    """The same, mixed along a line over the pairs, between the two that make so many turns (Peng et al. 2023, 3.2)."""
    d_k, base = 2 * len(speeds), float(rope["rope_theta"])

    def pair_of(turns: float) -> float:
        return d_k * math.log(float(rope[LENGTH]) / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair_of(float(rope.get("beta_fast", 32))), pair_of(float(rope.get("beta_slow", 1)))
    if rope.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d_k - 1)
    width = high - low or 0.001
    return _mixed(speeds, rope, [1 - _clamped((pair - low) / width) for pair in range(len(speeds))])


def _yarn_factor(rope: Rope) -> float:
    """0.1 ln(s) + 1 (Peng et al. 2023, section 3.4), or a ratio of two such numbers (DeepSeek's published code)."""

    def grown(by: float) -> float:
        return 0.1 * by * math.log(max(float(rope["factor"]), 1.0)) + 1

    above, below = rope.get("mscale"), rope.get("mscale_all_dim")
    return grown(1) if above is None or below is None else grown(float(above)) / grown(float(below))


def _longrope(speeds: Speeds, rope: Rope) -> list[float]:
    """Each pair has a factor of its own (Ding et al. 2024, section 3)."""
    factors = [float(factor) for factor in rope["factors"]]
    if len(factors) != len(speeds):
        return factors  # whoever uses them says that there are not as many as pairs
    return [speed / factor for speed, factor in zip(speeds, factors, strict=True)]


def _longrope_factor(rope: Rope) -> float:
    """√(1 + ln(s) ÷ ln(L)) (the published code of Phi-3)."""
    return math.sqrt(1 + math.log(max(float(rope["factor"]), 1.0)) / math.log(float(rope[LENGTH])))


def _dynamic(speeds: Speeds, rope: Rope) -> list[float]:
    """A base that grows with the text once it is longer than those of the training (transformers' own code)."""
    factor, ratio = float(rope["factor"]), max(1.0, float(rope["tokens"]) / float(rope[PLACES]))
    grown, last = factor * ratio - (factor - 1), max(1, len(speeds) - 1)
    return [speed * grown ** (-pair / last) for pair, speed in enumerate(speeds)]


SMALLEST, LARGEST = 1e-100, 1e100  # what is made of them stays finite
LENGTH, PLACES = "original_max_position_embeddings", "max_position_embeddings"
KINDS = {
    "default": Kind(),
    "linear": Kind(_linear, needed=("factor",)),
    "dynamic": Kind(_dynamic, needed=("factor", "tokens", PLACES)),
    "llama3": Kind(
        _llama3,
        needed=("factor", "low_freq_factor", "high_freq_factor", LENGTH),
        fits=lambda rope: bool(rope["low_freq_factor"] < rope["high_freq_factor"]),
    ),
    "yarn": Kind(
        _yarn,
        _yarn_factor,
        needed=("factor", LENGTH),
        known=("attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"),
        fits=lambda rope: bool(rope["rope_theta"] > 1),
    ),
    "longrope": Kind(
        _longrope,
        _longrope_factor,
        needed=("factor", LENGTH),
        known=("attention_factor",),
        lists=("factors",),
        fits=lambda rope: bool(rope[LENGTH] > 1),
    ),
}

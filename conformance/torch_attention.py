"""Attention by torch in float64 over a fixed grid of options: output and weights of SDPA, output and lse of flex."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from conformance.row import Comparison, Outcome, Row, row
from workings.fast.operands import Extras
from workings.fast.streamed import attend
from workings.steps.language import Const
from workings.steps.literal import Literal
from workings.steps.spec import AttentionSpec, Mask

# a batch, query heads, heads of keys and values, queries, keys, d_k, d_v
SHAPES = (
    (2, 3, 3, 7, 7, 8, 8),
    (1, 4, 2, 5, 9, 16, 4),
    (1, 4, 1, 9, 5, 3, 6),
    (2, 6, 3, 1, 33, 64, 64),
    (1, 2, 2, 40, 130, 32, 16),
)
SCALES = (None, 0.1)
CAP, WINDOW = 2.0, 4
TOLERANCE = (
    "twice our derived bound in float64 (`fast/bounds.py`): it holds for any order of the same operations, so once for "
    "ours and once for theirs"
)
Score = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Setting:
    """One point of the grid: tensors in float64, the option that is tried, and the scale."""

    option: str
    shape: tuple[int, ...]
    scale: float | None
    q: Tensor
    k: Tensor
    v: Tensor
    numbers: torch.Generator

    @property
    def name(self) -> str:
        return f"{self.option}, {' × '.join(map(str, self.shape))}, scale {self.scale or 'of d_k'}"

    def spec(self, mask: Mask) -> AttentionSpec:
        """Ours, with this mask."""
        divisor = None if self.scale is None else Literal(f"1/{self.scale}", Const(1 / Fraction(self.scale)))
        return AttentionSpec(divide_by=divisor, mask=mask)

    def random(self, *shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=self.numbers)


def grid(options: tuple[str, ...]) -> Iterator[Setting]:
    """Every option with every shape and scale; the numbers depend on the place in the grid alone."""
    for place, (option, shape, scale) in enumerate(product(options, SHAPES, SCALES)):
        batch, heads, kv_heads, queries, keys, d_k, d_v = shape
        numbers = torch.Generator().manual_seed(place)
        sizes = ((batch, heads, queries, d_k), (batch, kv_heads, keys, d_k), (batch, kv_heads, keys, d_v))
        q, k, v = (torch.randn(size, dtype=torch.float64, generator=numbers) for size in sizes)
        yield Setting(option, shape, scale, q, k, v, numbers)


# --- SDPA ----------------------------------------------------------------------------------------------------------

SDPA = ("full", "causal", "boolean mask", "a row with nothing allowed", "bias", "bias of each head")


def sdpa(of: Setting) -> Outcome:
    """Output, and the weights read by giving torch the identity for values."""
    batch, heads, kv_heads, queries, keys, _, _ = of.shape
    extras, mask, causal = Extras(), None, of.option == "causal"
    if of.option in ("boolean mask", "a row with nothing allowed"):
        mask = extras["allowed"] = of.random(batch, 1, queries, keys) > -0.5
        mask[..., 0] = True
        if of.option == "a row with nothing allowed":
            mask[:, :, queries // 2] = False
    elif of.option.startswith("bias"):
        mask = extras["bias"] = of.random(*((batch, heads) if "head" in of.option else ()), queries, keys)
    ours = attend(of.q, of.k, of.v, of.spec(Mask("causal-top-left" if causal else "none")), **extras)
    identity = torch.eye(keys, dtype=torch.float64).expand(batch, kv_heads, keys, keys)
    shown = attend(of.q, of.k, identity, ours.operands.spec, top=0, **extras)
    compared = Comparison(of.name, "float64")
    for what, found, bound, values in (
        ("output", ours.output, ours.bounds.output, of.v),
        ("weights", shown.output, shown.bounds.output, identity),
    ):
        with sdpa_kernel(SDPBackend.MATH):
            theirs = scaled_dot_product_attention(
                of.q, of.k, values, attn_mask=mask, is_causal=causal, scale=of.scale, enable_gqa=True
            )
        compared.add(what, found, theirs, 2 * bound[..., None].numpy())
    return compared.outcome()


# --- flex ----------------------------------------------------------------------------------------------------------

FLEX = ("full", "softcap", "ALiBi", "causal", "window", "documents", "bias", "sink")


def flex(of: Setting) -> Outcome:
    """Output and log-sum-exp; everything that torch is told by a function of the score and its place."""
    from torch.nn.attention.flex_attention import AuxRequest, flex_attention

    spec, extras, score = told(of)
    ours = attend(of.q, of.k, of.v, spec, top=0, **extras)
    k, v = of.k, of.v
    if of.option == "sink":  # a key of its own, without a value, whose score is the sink's
        k, v = (torch.nn.functional.pad(part, (0, 0, 0, 1)) for part in (k, v))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # uncompiled it holds every score, which is what an oracle may do
        theirs, more = flex_attention(
            of.q, k, v, score_mod=score, scale=of.scale, enable_gqa=True, return_aux=AuxRequest(lse=True)
        )
    compared = Comparison(of.name, "float64")
    compared.add("output", ours.output, theirs, 2 * ours.bounds.output[..., None].numpy())
    compared.add("lse", ours.lse, more.lse, 2 * ours.bounds.lse.numpy())
    return compared.outcome()


def told(of: Setting) -> tuple[AttentionSpec, Extras, Score]:
    """One option in our words and in flex's."""
    _, heads, _, queries, keys, _, _ = of.shape
    later, spec, extras = keys - queries, of.spec(Mask()), Extras()
    nothing = torch.tensor(-torch.inf, dtype=torch.float64)
    score: Score = lambda s, b, h, i, j: s  # noqa: E731  # each option has its own
    if of.option == "softcap":
        spec = replace(spec, softcap=Literal(str(CAP), Const(Fraction(CAP))))
        score = lambda s, b, h, i, j: CAP * torch.tanh(s / CAP)  # noqa: E731
    elif of.option == "ALiBi":
        slopes = extras["alibi_slopes"] = of.random(heads).abs()
        score = lambda s, b, h, i, j: s - slopes[h] * (j - i - later).abs()  # noqa: E731
    elif of.option == "causal":
        spec = of.spec(Mask("causal-top-left"))
        score = lambda s, b, h, i, j: torch.where(j <= i, s, nothing)  # noqa: E731
    elif of.option == "window":
        spec = of.spec(Mask("band", left=WINDOW, right=WINDOW, offset=max(later, 0)))
        at = max(later, 0)
        score = lambda s, b, h, i, j: torch.where((j - i - at).abs() <= WINDOW, s, nothing)  # noqa: E731
    elif of.option == "documents":
        own, other = torch.arange(queries) % 2, torch.arange(keys) % 2
        extras["query_documents"], extras["key_documents"] = (x.expand(of.shape[0], -1) for x in (own, other))
        score = lambda s, b, h, i, j: torch.where(own[i] == other[j], s, nothing)  # noqa: E731
    elif of.option == "bias":
        bias = extras["bias"] = of.random(heads, queries, keys)
        score = lambda s, b, h, i, j: s + bias[h, i, j]  # noqa: E731
    elif of.option == "sink":
        sinks = extras["sinks"] = of.random(heads)
        score = lambda s, b, h, i, j: torch.where(j == keys, sinks[h], s)  # noqa: E731
    return spec, extras, score


def run() -> list[Row]:
    """Both over their grids."""
    torch_version = f"torch {torch.__version__.split('+')[0]}"
    through = "streamed attention (`attend`), float64:"
    return [
        row(f"{torch_version} SDPA", f"{through} output, weights", TOLERANCE, map(sdpa, grid(SDPA))),
        row(f"{torch_version} flex_attention", f"{through} output, lse", TOLERANCE, map(flex, grid(FLEX))),
    ]

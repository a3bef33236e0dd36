r"""Error bounds of streamed attention, in closed form: what rounding may have moved each result by.

Let u be the unit roundoff of the working type (2⁻²⁴ for float32, which bfloat16 and float16 inputs are worked in too;
2⁻⁵³ for float64), n the number of keys a row goes over, and γ(k) = ku/(1 − ku) (Higham 2002, lemma 3.1). The inputs
count as exact. For query i let S = scale·‖qᵢ‖·max‖kⱼ‖ over those keys, which no scaled score exceeds (Cauchy–Schwarz).

1. *Scaled score.* A dot product of d terms in any order, times the scale, itself rounded: E = γ(d + 4)·S. The norms are
   rounded as well, which 4 more roundings of S cover; so does the underflow of products, d times the smallest normal.
2. *Softcap* c: tanh has slope ≤ 1; the division, the library's tanh (4 units) and the product add u·S + 6u·min(c, S).
3. *Bias, ALiBi*: the tensor or slope rounded to the working type, the product, the sum. A cell whose logit lies T below
   the row's maximum m or deeper has no weight (e^−T is below every normal number: T = 105, or 746 in float64), so the
   logits that matter are at most |m| + T: 8u·(S + |m| + T). Where there is more than one of these, they may be large
   and cancel: with B, the largest that ALiBi and a bias by distance can be, 8u·(S + B + |m| + T).
4. *e^(s − m)*: the difference (relative T·u at most where it matters) and the library's exponential: (T + 6)u. Whatever
   m is, it cancels. What underflows is less than the smallest normal for each key, while the row's sum is at least 1.
5. *Sums* are added up in the working type for 256 terms at most and in float64 from there on: 256u, then nu₆₄.

So each e^(s − m) and their sum carry a factor within e^±ε, with ε = E + … as above, and a weight one within e^±2ε:
|p̃ − p| ≤ (e^2ε − 1)·p̃. With r = e^2ε − 1:

- lse: ε + 4u₆₄·(|lse| + |m|).
- weights, top weights, shares, mean distance: r + γ(260) relative; column mass: the largest of the
  rows' instead, and γ of as many terms as there are rows.
- output: |õ − o| ≤ (r + γ(n + 4))·max|v|·Σp, Σp ≤ 1, over the values of those keys; and one rounding to its type.
- entropy: p ln p − p̃ ln p̃ = p̃(ln p − ln p̃) + (p − p̃) ln p, where |ln p − ln p̃| ≤ 2ε; summed, 2ε + r·(H̃ + 2ε).
  H̃ is worked as ln Z − Σe^t·t/Z, whose parts are at most ln(n + 1) + H̃: (LONGEST + 16)u of those.

Where a result is not finite, nothing is said about it.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from workings.fast.kernel import LONGEST_PART
from workings.fast.operands import Operands

DOUBLE = 2.0**-53
NO_WEIGHT = {torch.float32: 105.0, torch.float64: 746.0}


def unit(dtype: torch.dtype) -> float:
    """The unit roundoff of a type."""
    return torch.finfo(dtype).eps / 2


def gamma(terms: int, u: float) -> float:
    """γ of a sum of so many terms; infinite where it bounds nothing."""
    return terms * u / (1 - terms * u) if terms * u < 1 else math.inf


def row_error(of: Operands, lengths: Tensor, longest: Tensor, largest: Tensor, keys: int) -> Tensor:
    """ε of each row.

    Args:
        lengths: ‖q‖ of each row, float64; longest: the largest ‖k‖ of its keys; largest: its m (0 where it has none).
        keys: how many keys the row goes over.
    """
    u, width = unit(of.compute), of.q.shape[3]
    tiny, no_weight = torch.finfo(of.compute).tiny, NO_WEIGHT[of.compute]
    size = of.scale * lengths * longest * (1 + gamma(width + 4, u))
    error = gamma(width + 8, u) * size + 2 * width * tiny * max(1.0, of.scale)
    if of.softcap is not None:
        error = error + u * size + 6 * u * size.clamp(max=abs(of.softcap))
        size = size.clamp(max=abs(of.softcap))
    kinds = [name for name in ("bias", "bias_by_distance", "alibi_slopes") if name in of.extras]
    if kinds:
        others = _sizes(of) if len(kinds) > 1 else 0.0
        error = error + 8 * u * (size + others + largest.abs() + no_weight)
    return error + (no_weight + 6 + LONGEST_PART) * u + keys * (DOUBLE + tiny)


def _sizes(of: Operands) -> Tensor:
    """The largest that ALiBi and a bias by distance can be where they are not -inf, [heads, 1]."""
    found = torch.zeros((of.q.shape[1], 1), dtype=torch.float64, device=of.q.device)
    line, slopes = of.extras.get("bias_by_distance"), of.extras.get("alibi_slopes")
    if line is not None and line.shape[1]:
        found += torch.where(line == -torch.inf, 0, line.double()).abs().amax(1, keepdim=True)
    if slopes is not None:
        last, own = of.k.shape[2] - 1, (of.distance_from, of.distance_from + of.q.shape[2] - 1)
        found += slopes[:, None] * max(abs(key - query) for key in (0, last) for query in own)
    return found


def of_weight(error: Tensor) -> Tensor:
    """The relative bound of a row's weights, and of sums of them."""
    return torch.expm1(2 * error)


def of_lse(error: Tensor, lse: Tensor, largest: Tensor) -> Tensor:
    """The bound of a row's log-sum-exp, to base e."""
    return error + 4 * DOUBLE * (lse.abs() + largest.abs())


def of_entropy(error: Tensor, entropy: Tensor, keys: int, compute: torch.dtype) -> Tensor:
    """The bound of a row's entropy."""
    parts = math.log(keys + 1) + entropy
    return 2 * error + of_weight(error) * (entropy + 2 * error) + (LONGEST_PART + 16) * unit(compute) * parts


def of_output(error: Tensor, sizes: Tensor, keys: int, compute: torch.dtype, kept: torch.dtype) -> Tensor:
    """The bound of every component of a row's output; ``sizes`` is the largest |v| among its keys."""
    made = (of_weight(error) + gamma(keys + 4, unit(compute))) * sizes
    info = torch.finfo(kept)
    return made + unit(kept) * (sizes + made) + info.tiny * info.eps

"""Streamed attention with everything its weights say, against torch's own attention that gives the output alone."""

from __future__ import annotations

from typing import Any

from benchmarks.figure import Figure, compared, ratios

PAIRS = 5
HEADS, TOKENS, WIDTH = 12, 4096, 64
# Both products of matrices are made once, as by torch. Besides, every score is read once for its row's maximum and the
# largest weights, and once for its exponential and two sums.
LIMIT, AIM = 2.0, 1.25
LIMIT_WITH_MASS, AIM_WITH_MASS = 2.5, 1.6  # and once more for the mass of its key


def run() -> list[Figure]:
    """float32 on the CPU, full and causal, with one thread and with two."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from workings.fast.streamed import attend
    from workings.steps.spec import AttentionSpec, Mask

    numbers = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(1, HEADS, TOKENS, WIDTH, generator=numbers) for _ in range(3))
    figures, before = [], torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for kind, spec in (("full", AttentionSpec()), ("causal", AttentionSpec(mask=Mask("causal")))):
            causal = kind == "causal"

            def yardstick(causal: bool = causal) -> object:
                return scaled_dot_product_attention(q, k, v, is_causal=causal)

            for more, wanted, limit, aim in (
                ("", {}, LIMIT, AIM),
                (", mass of the keys", {"column_mass": True}, LIMIT_WITH_MASS, AIM_WITH_MASS),
            ):

                def ours(spec: AttentionSpec = spec, wanted: dict[str, Any] = wanted) -> object:
                    return attend(q, k, v, spec, **wanted)

                name = (
                    f"streamed attention, {HEADS} heads × {TOKENS:,} tokens × {WIDTH}, float32, {kind}, "
                    f"{threads} thread{'s' * (threads > 1)}: output, lse, entropy, 8 largest{more} / torch's output"
                )
                figures.append(compared(name, ratios(ours, yardstick, PAIRS, warm_up=1), limit, aim))
    torch.set_num_threads(before)
    return figures

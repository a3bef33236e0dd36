"""A model run and recorded, against the same run without a look at its weights, and against one that keeps them all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from benchmarks.figure import Figure, compared, ratios
from workings.models.behind import THREADS as WRITING

TOKENS, LONG = 2048, 8192
PAIRS, EAGER = 7, 3
WHAT = "`workings trace` of SmolLM2, 30 layers × 9 heads"
# Beside what a plain run does: every score is read twice, each row's largest weights and sums are kept, and Q, K, V and
# those rows are hashed and written. Eager attention holds and reads every weight several times, of all layers at once.
TIME, TIME_AIM, MEMORY, MEMORY_AIM = 1.4, 1.15, 1.3, 1.1
EAGER_TIME, EAGER_TIME_AIM, EAGER_MEMORY, EAGER_MEMORY_AIM = 0.5, 0.3, 0.35, 0.25
GROWTH, GROWTH_AIM = 1.5, 1.1  # four times the tokens; linear would be near 4 without the weights of the model
TILE, TILE_AIM, TILES, SIDE, WIDTH, TILE_TOKENS = 100, 30, 100, 256, 64, 32_768


def run() -> list[Figure]:
    """With one thread and with two; each run is a process of its own, so that its memory is its own."""
    figures: list[Figure] = []
    with cache() as environment:
        child("trace", 16, 1, environment)  # the weights are unpacked once; what follows loads them
        os.sync()  # and does not share the disk with them
        for threads in (1, 2):
            figures += _side_by_side(threads, environment)
        short, long = (child("trace", tokens, 1, environment)["peak"] for tokens in (TOKENS, LONG))
        figures.append(
            Figure(
                f"{WHAT}, {LONG:,} tokens / {TOKENS:,} tokens, peak memory",
                long / short,
                GROWTH,
                GROWTH_AIM,
                f"{mega(long)} and {mega(short)}",
            )
        )
    return [*figures, _tiles()]


def _side_by_side(threads: int, environment: dict[str, str]) -> Iterator[Figure]:
    pairs = [[child(mode, TOKENS, threads, environment) for mode in ("trace", "plain")] for _ in range(PAIRS)]
    slow = [child("eager", TOKENS, threads, environment) for _ in range(EAGER)]
    eager = {name: median(one[name] for one in slow) for name in ("seconds", "peak")}
    ours = [pair[0] for pair in pairs]
    plural = f"{threads} thread{'s' * (threads > 1)} and {WRITING} that write"
    name = f"{WHAT}, {TOKENS:,} tokens, float32, {plural}, all rows summed up and written"
    times = [pair[0]["seconds"] / pair[1]["seconds"] for pair in pairs]
    yield compared(f"{name} / transformers' forward with torch's attention: time after loading", times, TIME, TIME_AIM)
    peaks = [pair[0]["peak"] / pair[1]["peak"] for pair in pairs]
    yield compared(f"{name} / the same: peak memory of the process", peaks, MEMORY, MEMORY_AIM)
    against = f"{name} / transformers eager with `output_attentions`"
    seconds, peak = median(one["seconds"] for one in ours), median(one["peak"] for one in ours)
    yield Figure(
        f"{against}: time", seconds / eager["seconds"], EAGER_TIME, EAGER_TIME_AIM, f"medians; {EAGER} runs of eager"
    )
    detail = f"{mega(peak)} and {mega(eager['peak'])}"
    yield Figure(f"{against}: peak memory", peak / eager["peak"], EAGER_MEMORY, EAGER_MEMORY_AIM, detail)


@contextmanager
def cache() -> Iterator[dict[str, str]]:
    """An environment in which unpacked weights are kept for the time of the benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        yield {**os.environ, "WORKINGS_CACHE": folder}


def child(mode: str, tokens: int, threads: int, environment: dict[str, str]) -> dict[str, Any]:
    """One run in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.model_child", mode, str(tokens), str(threads)]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def mega(size: float) -> str:
    """Bytes, to be read."""
    return f"{size / 1e6:,.0f} MB"


def _tiles() -> Figure:
    """Tiles at random places of a long head, each against one product of matrices of its size."""
    import numpy as np
    import torch

    from workings.fast.streamed import attend
    from workings.steps.spec import AttentionSpec, Mask

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    made = torch.Generator().manual_seed(1)
    q, k = (torch.randn(1, TILE_TOKENS, WIDTH, generator=made) for _ in range(2))
    weights = attend(q, k, k[..., :1], AttentionSpec(mask=Mask("causal")), top=0).weights
    places = np.random.default_rng(1).integers(0, TILE_TOKENS - SIDE, (TILES, 2)).tolist()
    left, right = (tensor[0, :SIDE].numpy().copy() for tensor in (q, k))
    found = []
    for row, key in places:
        rows, keys = range(row, row + SIDE), range(key, key + SIDE)

        def ours(rows: range = rows, keys: range = keys) -> object:
            return weights.tile(0, rows, keys)

        found.append(median(ratios(ours, lambda: left @ right.T, 5, warm_up=1)))
    torch.set_num_threads(before)
    worst = float(np.percentile(found, 95))
    name = f"a tile of {SIDE}×{SIDE} weights of a head with {TILE_TOKENS:,} tokens, from Q, K and log-sum-exp, float64"
    detail = f"95th percentile of {TILES} places, {min(found):.0f} to {max(found):.0f}"
    return Figure(f"{name} / numpy's product of {SIDE}×{WIDTH}×{SIDE}, float32", worst, TILE, TILE_AIM, detail)

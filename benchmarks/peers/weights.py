"""`workings trace` against the two ways in which weights are had today: transformers eager, and TransformerLens."""

from __future__ import annotations

from importlib.metadata import version

from benchmarks.figure import Figure
from benchmarks.trace import cache, child, mega

# TransformerLens keeps every activation of every layer: at 2,048 tokens 13 GB, which few machines of learners have.
TOKENS = {"eager": 2048, "lens": 1024}
NAMES = {
    "eager": f"transformers {version('transformers')} eager with `output_attentions`",
    "lens": f"TransformerLens {version('transformer-lens')} `run_with_cache`",
}
LIMIT, AIM = 1.0, 0.5


def run() -> list[Figure]:
    """Each with one thread and with two; every run is a process of its own."""
    with cache() as environment:
        child("trace", 16, 1, environment)  # the weights are unpacked once; what follows loads them
        return [
            figure
            for threads in (1, 2)
            for peer in NAMES
            for figure in _beside(peer, TOKENS[peer], threads, environment)
        ]


def _beside(peer: str, tokens: int, threads: int, environment: dict[str, str]) -> list[Figure]:
    ours, theirs = (child(mode, tokens, threads, environment) for mode in ("trace", peer))
    name = f"`workings trace` of SmolLM2, {tokens:,} tokens, {threads} thread{'s' * (threads > 1)} / {NAMES[peer]}"
    figures = []
    for key, what, shown in (("seconds", "time after loading", _seconds), ("peak", "peak memory of the process", mega)):
        detail = f"{shown(ours[key])} and {shown(theirs[key])}, one run each"
        figures.append(Figure(f"{name}: {what}", ours[key] / theirs[key], LIMIT, AIM, detail))
    return figures


def _seconds(time: float) -> str:
    return f"{time:.1f} s"

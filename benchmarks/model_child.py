"""One run of a model in a process of its own: `python -m benchmarks.model_child MODE TOKENS THREADS`; prints JSON.

MODE is ``trace`` (ours, recorded to a folder that is then thrown away), ``plain`` (transformers with torch's attention,
which knows no weights), ``eager`` (transformers with ``output_attentions``) or ``lens`` (TransformerLens, everything
kept). The seconds are those after the model was loaded, the bytes the most that the process ever held.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

Times = tuple[float, float]


def _now() -> Times:
    return perf_counter(), process_time()


def _since(begin: Times) -> Times:
    return perf_counter() - begin[0], process_time() - begin[1]


def seconds(mode: str, tokens: int) -> Times:
    """How long the run takes once the model is loaded: by the clock, and of the processors."""
    import numpy as np
    import torch

    from tests.support.real_models import smollm2

    ids = np.random.default_rng(1).integers(10, 40_000, (1, tokens))
    if mode == "trace":
        return _traced(smollm2(), ids)
    path, given = smollm2(), torch.from_numpy(ids)
    with torch.inference_mode():
        return _kept(path, given) if mode == "lens" else _forward(path, given, weights=mode == "eager")


def _forward(path: Path, ids: Any, *, weights: bool) -> Times:
    import torch
    from transformers import AutoModel

    implementation = "eager" if weights else "sdpa"
    model = AutoModel.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation=implementation
    )
    begin = _now()
    model(input_ids=ids, use_cache=False, output_attentions=weights)
    return _since(begin)


def _kept(path: Path, ids: Any) -> Times:
    import torch
    from transformer_lens.model_bridge.sources.transformers import boot  # type: ignore[import-not-found]  # peers have an environment of their own
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    bridge = boot("SmolLM2", hf_model=model, tokenizer=tokenizer, device="cpu", dtype=torch.float32)
    begin = _now()
    _, kept = bridge.run_with_cache(ids)
    done = _since(begin)
    if "blocks.0.attn.hook_pattern" not in kept:
        raise LookupError("TransformerLens kept no weights")
    return done


def _as_traced() -> AbstractContextManager[None]:
    """Where torch is imported as `workings trace` does."""
    from workings.models.load import library

    return library()


def _traced(model: Path, ids: object) -> Times:
    from workings.models.record import Heard, Wish, record

    begin = [_now()]

    def stage(name: str, done: int, of: int) -> None:
        if (name, done) == ("load", of):
            begin[0] = _now()

    with tempfile.TemporaryDirectory() as folder:
        record(model, f"{folder}/out", Wish(inputs={"input_ids": ids}), heard=Heard(stage=stage))
        return _since(begin[0])


def _peak() -> int:
    """The most memory this process ever held, in bytes.

    Linux adds to what ``getrusage`` says what the process that began this one had held before; its own table does not.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


def main() -> None:
    """Run, and print what it took."""
    mode, tokens, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with _as_traced() if mode == "trace" else nullcontext():
        import torch
    torch.set_num_threads(threads)
    clock, processors = seconds(mode, tokens)
    print(
        json.dumps(
            {
                "seconds": clock,
                "processors": processors,
                "peak": _peak(),
            }
        )
    )


if __name__ == "__main__":
    main()

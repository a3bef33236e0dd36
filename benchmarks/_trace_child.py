"""One run of a model in a process of its own: `python -m benchmarks._trace_child MODE TOKENS THREADS`; prints JSON.

MODE is ``trace`` (ours, recorded to a folder that is then thrown away), ``plain`` (transformers with torch's attention,
which knows no weights) or ``eager`` (transformers with ``output_attentions``). The seconds are those after the model
was loaded, the bytes the most that the process ever held.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

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
    from transformers import AutoModel

    path = smollm2()
    implementation = "sdpa" if mode == "plain" else "eager"
    model = AutoModel.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation=implementation
    )
    with torch.inference_mode():
        begin = _now()
        model(input_ids=torch.from_numpy(ids), use_cache=False, output_attentions=mode == "eager")
        return _since(begin)


def _traced(model: Path, ids: object) -> Times:
    from workings.models.record import Heard, Wish, record

    begin = [_now()]

    def stage(name: str, done: int, of: int) -> None:
        if (name, done) == ("load", of):
            begin[0] = _now()

    with tempfile.TemporaryDirectory() as folder:
        record(model, f"{folder}/out", Wish(inputs={"input_ids": ids}), heard=Heard(stage=stage))
        return _since(begin[0])


def main() -> None:
    """Run, and print what it took."""
    import torch

    mode, tokens, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(threads)
    clock, processors = seconds(mode, tokens)
    print(
        json.dumps(
            {
                "seconds": clock,
                "processors": processors,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            }
        )
    )


if __name__ == "__main__":
    main()

"""Every cell of recorded heads lies within its bound of what the exact engine makes of the same operands."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.support.eager import both
from tests.support.tiny_models import build, inputs_of
from workings.exact.run import Exact
from workings.models.cells import trace_of
from workings.models.recording import Recording
from workings.steps.language import Const, Expr
from workings.terms.address import Address, Name
from workings.traces.trace import Trace

BITS = 192
# causal with shared keys; softcap; sinks and a window; bias by distance without scale; bias by key; a band
FAMILIES = {"llama": 0, "gemma2": 0, "gpt_oss": 0, "t5": 4, "bloom": 1, "modernbert": 1}


def _exact(trace: Trace) -> Exact:
    """The exact engine over the recorded numbers, which are rational."""
    given: dict[Name, dict[tuple[int, ...], Expr]] = {}
    for name, array in trace.recipe.given.items():
        cells = product(*map(range, array.shape))
        given[name] = {at: Const(Fraction(trace.value(Address(name, at)).exact or 0)) for at in cells}
    return Exact(trace.recipe, given)


@pytest.mark.parametrize("family", FAMILIES)
def test_bounds_hold(family: str, tmp_path: Path) -> None:
    _, recording = both(lambda attention: build(family, attention), inputs_of(family, 8), tmp_path / "out")
    assert isinstance(recording, Recording)
    place = list(recording.layers)[FAMILIES[family]]
    trace, _ = trace_of(recording, str(place._replace(head=1, name="weight")))
    exact = _exact(trace)
    widest, seen = 0.0, set[str]()
    for op in trace.ops():
        for at in product(*map(range, op.shape)):
            mine, true = trace.value(Address(op.name, at)), exact.value(op.name, at)
            assert mine.infinite == true.infinite, (op.name, at)
            if true.infinite:
                continue
            low, high = mine.bounds(64)
            least, most = true.bounds(BITS)
            assert low <= most, (str(op.name), at)
            assert least <= high, (str(op.name), at)
            widest = max(widest, float(high - low) / max(1.0, abs(float(low))))
        seen.add(op.name.name)
    assert {"score", "scaled", "row_max", "exp_shifted", "exp_shifted_sum", "weight", "lse", "head_output"} <= seen
    assert 0 < widest < 1e-9
    assert np.isfinite(widest)

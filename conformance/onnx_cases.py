"""The node tests that the package onnx makes in memory: operators of attention, with inputs and expected outputs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

NAMES = Path(__file__).with_name("onnx_names.txt")
# how many cases onnx 1.23.2 has of each operator that declared steps can say
COUNTS = {
    "Attention": 93,
    "RotaryEmbedding": 8,
    "RMSNormalization": 19,
    "LayerNormalization": 19,
    "Softmax": 7,
    "Gelu": 4,
    "LogSoftmax": 7,
}
# how far apart numbers may be at most, relative and absolute. The suite itself says 1e-3 and 1e-7 for every type; that
# absolute part is less than the rounding of the float32 numbers it expects, so engines with more digits are given 1e-6,
# and the types that keep 11 or 8 bits 2e-2.
USUAL, NARROW = (1e-3, 1e-6), (2e-2, 2e-2)
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One node test. Arrays stand under the names of the operator's declaration; those left out are missing."""

    name: str
    op: str
    attributes: Mapping[str, Any]
    inputs: Mapping[str, Array]
    outputs: Mapping[str, Array]

    @property
    def dtype(self) -> str:
        """The type of the expected numbers: float32, float16 or bfloat16."""
        return str(next(iter(self.outputs.values())).dtype)

    def agreed(self, expected: Array) -> npt.NDArray[np.float64]:
        """How far off an array may be at most, whatever its derived bound."""
        relative, absolute = USUAL if self.dtype == "float32" else NARROW
        sizes = np.abs(expected.astype(np.float64))
        return absolute + relative * np.where(np.isfinite(sizes), sizes, 0.0)


@cache
def cases() -> dict[str, Case]:
    """Every case of these operators, by name; the variants with the operator written out as a graph are left out."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some generators of other operators overflow on purpose
        tests: list[Any] = load_model_tests(kind="node")
    found = [_case(test) for test in tests if len(test.model.graph.node) == 1]
    return {case.name: case for case in found if case is not None}


def names() -> dict[str, list[str]]:
    """The names of all cases by operator, as they are kept beside this file: known without making the cases."""
    out: dict[str, list[str]] = {op: [] for op in COUNTS}
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        op, name = line.split()
        out[op].append(name)
    return out


def _case(test: Any) -> Case | None:
    from onnx import defs, helper

    (node,) = test.model.graph.node
    if node.op_type not in COUNTS or "_expanded" in test.name:
        return None
    ((given, expected),) = test.data_sets
    version = next(item.version for item in test.model.opset_import if item.domain in ("", "ai.onnx"))
    schema = defs.get_schema(node.op_type, version, "")
    inputs = dict(zip((item.name for item in test.model.graph.input), map(_array, given), strict=True))
    outputs = dict(zip((item.name for item in test.model.graph.output), map(_array, expected), strict=True))
    return Case(
        test.name,
        node.op_type,
        {item.name: helper.get_attribute_value(item) for item in node.attribute},
        {slot.name: inputs[name] for slot, name in zip(schema.inputs, node.input, strict=False) if name},
        {slot.name: outputs[name] for slot, name in zip(schema.outputs, node.output, strict=False) if name},
    )


def _array(tensor: Any) -> Array:
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(tensor) if isinstance(tensor, TensorProto) else np.asarray(tensor)


def version() -> str:
    """Which onnx made the cases."""
    import onnx

    return f"onnx {onnx.__version__}"

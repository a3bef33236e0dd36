"""What streamed attention refuses, and that it says so in both languages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from workings.fast.operands import number
from workings.fast.streamed import attend
from workings.render.words import LANGUAGES, Words
from workings.steps.literal import read_literal
from workings.steps.spec import AttentionSpec, Mask
from workings.terms.errors import (
    BadCount,
    IndexOutside,
    OperandDevice,
    OperandMissing,
    OperandShape,
    OperandType,
    UnknownMassKey,
    WorkingsError,
)

Q, K = torch.zeros(2, 4, 3, 8), torch.zeros(2, 2, 5, 8)
REFUSED: list[tuple[type[WorkingsError], dict[str, Any]]] = [
    (OperandShape, {"q": torch.zeros(3, 8)}),
    (OperandShape, {"k": torch.zeros(2, 2, 5, 7)}),
    (OperandShape, {"k": torch.zeros(2, 3, 5, 8), "v": torch.zeros(2, 3, 5, 8)}),
    (OperandShape, {"v": torch.zeros(2, 2, 6, 8)}),
    (OperandShape, {"v": torch.zeros(2, 5, 8)}),
    (OperandShape, {"bias": torch.zeros(4, 3, 4)}),
    (OperandShape, {"bias": torch.zeros(1, 1, 1, 3, 5)}),
    (OperandShape, {"bias_by_distance": torch.zeros(4, 8)}),
    (OperandShape, {"bias_by_distance": torch.zeros(3, 7)}),
    (OperandType, {"bias_by_distance": torch.zeros(4, 7, dtype=torch.int64)}),
    (OperandShape, {"padding": torch.zeros(5, dtype=torch.bool)}),
    (OperandShape, {"sinks": torch.zeros(3)}),
    (OperandShape, {"query_documents": torch.zeros(2, 3, dtype=torch.int64)}),  # the keys are others
    (OperandShape, {"spec": AttentionSpec(mask=Mask("matrix", allowed=[[1, 0]] * 3))}),
    (OperandType, {"q": torch.zeros(2, 4, 3, 8, dtype=torch.int64)}),
    (OperandType, {"k": K.double()}),
    (OperandType, {"allowed": torch.zeros(3, 5)}),
    (OperandType, {"bias": torch.zeros(3, 5, dtype=torch.bool)}),
    (OperandType, {"q": [[1.0]]}),
    (OperandType, {"v": None}),
    (OperandType, {"allowed": np.ones((3, 5), bool)}),  # not passed over in silence
    (OperandDevice, {"k": K.to("meta")}),
    (OperandMissing, {"spec": AttentionSpec(bias=True)}),
    (OperandMissing, {"spec": AttentionSpec(sink=True)}),
    (OperandMissing, {"spec": AttentionSpec(position="alibi")}),
    (OperandMissing, {"spec": AttentionSpec(mask=Mask("band", table=True))}),
    (OperandMissing, {"key_documents": torch.zeros(2, 5, dtype=torch.int64)}),
    (BadCount, {"top": -1}),
    (BadCount, {"near": -1}),
    (OperandShape, {"mass_at": {"told": torch.zeros(99, dtype=torch.int64)}}),
    (OperandType, {"mass_at": {"told": Q[0, :, 0, 0][:3]}}),
    (UnknownMassKey, {"mass_on": ["last"]}),
]


@pytest.mark.parametrize(("error", "changed"), REFUSED)
def test_refuses(error: type[WorkingsError], changed: dict[str, Any]) -> None:
    given = {"q": Q, "k": K, "v": K, **changed}
    with pytest.raises(error) as caught:
        attend(given.pop("q"), given.pop("k"), given.pop("v"), given.pop("spec", None), **given)
    sentences = [Words(lang).error(caught.value) for lang in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)
    assert not any("{" in sentence for sentence in sentences)


def test_an_unknown_name_is_refused() -> None:
    more: dict[str, Any] = {"alowed": torch.ones(3, 5, dtype=torch.bool)}
    with pytest.raises(TypeError, match="alowed"):
        attend(Q, K, K, **more)


@pytest.mark.parametrize("where", [(4, 0, 0, 0), (0, 3, 0, 0), (0, 0, 5, 0), (0, 0, 0, 2), (-1, 0, 0, 0)])
def test_no_such_cell(where: tuple[int, int, int, int]) -> None:
    with pytest.raises(IndexOutside):
        attend(Q, K, K).cell(*where)


@pytest.mark.parametrize(("rows", "keys"), [(range(4), range(5)), (range(0, 3, 2), range(5)), (range(3), range(-1, 5))])
def test_no_such_tile(rows: range, keys: range) -> None:
    with pytest.raises(IndexOutside):
        attend(Q, K, K).weights_tile(0, rows, keys)


@pytest.mark.parametrize(
    ("written", "value"), [("1.5", 1.5), ("sqrt(2)", 2**0.5), ("2*sqrt(3)", 2 * 3**0.5), ("ln(2)", 0.6931471805599453)]
)
def test_numbers_of_literals(written: str, value: float) -> None:
    assert number(read_literal(written).value) == pytest.approx(value, rel=1e-15)

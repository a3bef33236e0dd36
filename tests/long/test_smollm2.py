"""A real Llama from a GGUF file: all 270 heads against transformers eager, and a recording of a text; half a minute."""

from __future__ import annotations

from pathlib import Path

from conformance import transformers_eager
from tests.support.real_models import smollm2
from workings.api.recorded import Recorded
from workings.api.view import View
from workings.models.record import Wish, record

TEXT = "The cat ate because it was hungry, and the dog looked on. 小猫吃鱼。 " * 4


def test_every_head_is_that_of_eager() -> None:
    heads = transformers_eager.smollm2()
    assert len(heads) == 270
    assert [(head.name, head.problem) for head in heads if head.problem] == []


def test_a_text_is_recorded(tmp_path: Path) -> None:
    run = Recorded(record(smollm2(), tmp_path / "out", Wish(text=TEXT, layers=[0, 29])), View())
    assert "".join(run.tokens[:4]) == "Thecatatebecause"
    assert any(token["text"].startswith("<0x") for token in run.data()["tokens"][""])
    number = run.number("L29.H8.weight[40,12]")
    assert number.bound < 1e-12
    assert str(number.inputs[0].address) == "L29.H8.exp_shifted[40,12]"
    assert str(run.number("L29.H8.score[40,12]").inputs[1].address) == "L29.G2.K[12,0]"


def test_a_layer_is_reached_from_the_token_to_the_logits(tmp_path: Path) -> None:
    run = Recorded(record(smollm2(), tmp_path / "out", Wish(text=TEXT, layers=[0, 1, 29])), View())
    for address in ("L1.X[40,3]", "L0.H5.Q[40,12]", "L29.G2.K[12,7]", "L29.H8.V[3,5]", "L30.X[40,3]"):
        number = run.number(address)
        worked = float(number.data()["worked"])
        assert abs(worked - float(number)) < 1e-3 * max(1.0, abs(worked)), address
    assert run.number("embedding[3,5]").bound == 0
    assert run.number("L29.ffn_act[40,7]").bound < 1e-6
    best = run.number("logits[40,260]")
    assert best.bound < 1e-6
    assert best.inputs[0].address == "final_norm[40,0]"

"""Numbers before Q, K, V and behind the heads: where they are found, and what is said when they cannot be."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open

import workings as w
from tests.support.real_models import minilm
from tests.support.speaking import speaking
from tests.support.tiny_gguf import VOCABULARY, write_gguf
from tests.support.tiny_models import build, inputs_of, saved
from tools.file_list import ROOT
from workings.models.families import families
from workings.models.record import Wish, record
from workings.models.rotation import KINDS
from workings.models.store import Store
from workings.models.stream import Streams
from workings.render.words import LANGUAGES, Words
from workings.terms.errors import UnknownArray
from workings.terms.files import RECORDING
from workings.terms.model_errors import ModelChanged, ModelFile, ModelMoved, NotReached, NotRecorded, RecordingDamaged

FUSED = "attention.query_key_value"
TEXT = "The cat ate because it was hungry."


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of MiniLM."""
    path = tmp_path_factory.mktemp("whole") / "out"
    w.trace(minilm(), path, text=TEXT)
    return path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a small Llama."""
    return _tiny("llama", tmp_path_factory.mktemp("tiny"))[1]


def _tiny(family: str, at: Path, **wish: Any) -> tuple[Path, Path]:
    """A model of its own, and a recording of it."""
    model = Path(shutil.copytree(saved(family, at / "saved"), at / "model"))
    return model, Path(record(model, at / "out", Wish(inputs=inputs_of(family, 12), **wish)))


@pytest.mark.parametrize(
    "address", ["L0.X[5,3]", "L3.X[5,3]", "L6.X[9,383]", "L5.H3.Q[5,12]", "L5.H3.K[2,0]", "L2.H11.V[9,31]"]
)
def test_what_the_model_computed_is_near_what_is_worked(address: str, real: Path) -> None:
    """A float32 number of order 1 that a few hundred roundings made."""
    number = w.recorded(real).number(address)
    told = number.data()
    assert told["address"] == address
    assert float(told["worked"]) == pytest.approx(float(number), abs=1e-4)
    assert told["bound"] == 0
    assert number.inputs
    assert "float32" in number.to_text()


@pytest.mark.parametrize(
    "address",
    ["embedding[5,3]", "position_embedding[5,3]", "type_embedding[5,3]", "embedding_sum[5,3]", "embedding_norm[5,3]",
     "L5.concat[5,3]", "L5.output[5,3]", "L5.residual1[5,3]", "L5.norm1_mean[5]", "L5.norm1_variance[5]",
     "L5.norm1[5,3]", "L5.ffn_hidden[5,3]", "L5.ffn_act[5,3]", "L5.ffn_output[5,3]", "L5.residual2[5,3]",
     "L5.norm2[5,3]", "L5.W_1[3,7]", "L5.b_Q[3]", "embedding_table[1996,3]", "eps"],
)  # fmt: skip
def test_every_array_has_numbers(address: str, real: Path) -> None:
    number = w.recorded(real).number(address)
    assert number.address == address
    assert np.isfinite(float(number))
    assert number.bound < 1e-7
    assert number.data()["used_by"] or address == "eps"
    assert address in number.to_markdown()


def test_a_product_with_a_bias_is_a_table(real: Path) -> None:
    text = w.recorded(real).number("L5.ffn_output[5,3]").explain(lang="en").to_markdown()
    rows = [line for line in text.splitlines() if line.startswith("| `L5.ffn_act[5,")]
    assert len(rows) == 128
    assert "| `L5.b_2[3]` |" in text
    assert "1408 smaller products" in text


def test_only_sure_digits_are_printed(real: Path) -> None:
    number = w.recorded(real).number("L5.norm2[5,3]")
    digits, bound = str(number).lstrip("-").replace(".", "").lstrip("0"), number.bound
    assert len(digits) == number.data()["sure_digits"] < 12
    assert 10.0 ** -len(digits) > bound / abs(float(number)) / 10


def test_a_model_that_moved_is_said_to_have(tmp_path: Path) -> None:
    model, out = _tiny("llama", tmp_path)
    before = str(w.recorded(out).number("L1.norm2[5,3]"))
    moved = model.rename(tmp_path / "elsewhere")
    with pytest.raises(ModelMoved) as caught:
        str(w.recorded(out).number("L1.norm2[5,3]"))
    for lang in LANGUAGES:
        assert str(model) in Words(lang).error(caught.value)
    assert float(w.recorded(out).number("L1.H0.weight[5,3]")) > 0
    assert str(w.recorded(out, model=moved).number("L1.norm2[5,3]")) == before
    os.utime(moved / "model.safetensors", ns=(1, 1))
    assert str(w.recorded(out, model=moved).number("L1.norm2[5,3]")) == before


def test_a_model_that_changed_is_refused(tmp_path: Path) -> None:
    model, out = _tiny("llama", tmp_path)
    weights = model / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(bytes(data))
    with pytest.raises(ModelChanged):
        str(w.recorded(out).number("L1.norm2[5,3]"))


def test_a_model_that_changes_while_it_is_open_is_refused(tmp_path: Path) -> None:
    model, out = _tiny("llama", tmp_path)
    run = w.recorded(out)
    str(run.number("L1.norm1[5,3]"))
    weights = model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-8])
    with pytest.raises(ModelFile):
        str(run.number("L1.norm2[5,3]"))


def test_what_is_not_reached(tmp_path: Path) -> None:
    _, out = _tiny("t5", tmp_path / "t5")
    with pytest.raises(NotReached) as caught:
        w.recorded(out).number("enc.L0.norm1[0,0]")
    assert caught.value.values["lacking"] == "family"
    _, out = _tiny("llama", tmp_path / "llama", layers=[1], heads=[0, 3])
    run = w.recorded(out)
    assert run.number("L1.output[5,3]").bound < 1e-9
    assert run.number("L2.X[5,3]").inputs
    assert run.number("L1.X[5,3]").inputs == []
    with pytest.raises(NotRecorded):
        run.number("L0.norm1[0,0]")
    with pytest.raises(NotRecorded):
        run.number("L1.H1.weight[0,0]")
    with pytest.raises(UnknownArray, match=r"L1\.norm1"):
        run.number("L1.H0.nothing[0,0]")
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    (out / RECORDING).write_text(json.dumps({**told, "streams": []}), encoding="utf-8")
    with pytest.raises(NotReached) as caught:
        w.recorded(out).number("L1.norm1[0,0]")
    assert caught.value.values["lacking"] == "stream"


def test_half_a_type_is_kept_to(tmp_path: Path) -> None:
    """Weights are those that the model had: rounded to the type that it ran in."""
    _, out = _tiny("llama", tmp_path, dtype="bfloat16")
    number = w.recorded(out).number("L1.W_1[3,5]")
    assert number.exact is not None
    assert number.exact.numerator.bit_length() <= 8
    assert w.recorded(out).number("L1.norm2[5,3]").data()["in_dtype"]


BROKEN: dict[str, Any] = {
    "around": 3, "count": -1, "norm": "x", "eps": "1", "ffn": None, "qk_norm": "x", "rope": [{}], "scaled": 1,
    "parallel": None,
    "transform_act": "swiglu", "softcap": 0, "tied": None, "prefix": 1, "layer": {"W_Q": [32]}, "model": {},
    "first_place": -1, "types": [-1],
}  # fmt: skip


@pytest.mark.parametrize("field", BROKEN)
def test_an_index_that_tells_a_model_in_another_way(field: str, tiny: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(tiny, tmp_path / "out"))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    told["around"] = BROKEN[field] if field == "around" else {**told["around"], field: BROKEN[field]}
    (out / RECORDING).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(RecordingDamaged):
        w.recorded(out)


@pytest.mark.parametrize(
    ("change", "address"),
    [({"layer": {"W_1": [32, 128]}}, "L1.W_1[3,100]"),
     ({"model": {"embedding_table": [128, 32]}}, "embedding_table[90,3]"),
     ({"layer": {"W_1": [64, 64]}}, "L1.norm1[5,3]"), ({"layer": {"norm1_gain": [16]}}, "L1.norm1[5,3]")],
)  # fmt: skip
def test_shapes_that_do_not_fit(change: dict[str, Any], address: str, tiny: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(tiny, tmp_path / "out"))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    for name, shapes in change.items():
        told["around"][name] |= shapes
    (out / RECORDING).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(w.WorkingsError):
        str(w.recorded(out).number(address))


def test_damaged_streams(tiny: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(tiny, tmp_path / "out"))
    path = out / "L1.X.safetensors"
    whole = path.read_bytes()
    for data in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        path.write_bytes(data)
        with pytest.raises(RecordingDamaged):
            str(w.recorded(out).number("L1.X[5,3]"))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    wrong: list[Any] = [{}, [3], [{"layer": 1, "file": "../L1.X.safetensors"}]]
    for streams in wrong:
        (out / RECORDING).write_text(json.dumps({**told, "streams": streams}), encoding="utf-8")
        with pytest.raises(RecordingDamaged):
            str(w.recorded(out).number("L1.X[5,3]"))


def test_a_stream_may_come_in_pieces(tmp_path: Path) -> None:
    whole = np.arange(60, dtype=np.float32).reshape(12, 5)
    files: list[dict[str, bytes]] = []
    for cuts in ((12,), (5, 6, 12), (1, 12)):
        store = Store(str(tmp_path / f"{len(files)}"), {}, resume=False)
        streams, begin = Streams(store, 12), 0
        for end in cuts:
            for layer in (0, 1):
                streams.take(layer, torch.from_numpy(whole[begin:end] + layer))
            begin = end
        store.finish({"streams": streams.finish()})
        files.append({one.name: one.read_bytes() for one in Path(store.folder).iterdir()})
    assert set(files[0]) == {"L0.X.safetensors", "L1.X.safetensors", RECORDING}
    assert files[0] == files[1] == files[2]


@pytest.mark.parametrize("kind", ["folder", "gguf"])
def test_parts_of_fused_matrices(kind: str, tmp_path: Path) -> None:
    """Phi-3 has Q, K and V in one matrix, by the sizes of grouped heads, and both factors of its gate in another."""
    model = write_gguf(tmp_path / "tiny.gguf", "phi3") if kind == "gguf" else saved("phi3", tmp_path)
    theirs = build("phi3", vocab_size=VOCABULARY["phi3"]) if kind == "gguf" else build("phi3")
    run = w.recorded(record(model, tmp_path / "out", Wish(inputs=inputs_of("phi3"))))
    layer = theirs.layers[1]
    q, k, v = layer.self_attn.qkv_proj.weight.detach().split([32, 16, 16])
    gate, up = layer.mlp.gate_up_proj.weight.detach().chunk(2)
    for name, right in {"W_Q": q, "W_K": k, "W_V": v, "W_gate": gate, "W_1": up}.items():
        assert run[f"L1.{name}"].shape == tuple(reversed(right.shape))
        for at in ((0, 0), (5, 1), (31, 15)):
            assert float(run[f"L1.{name}"][at]) == float(right[at[::-1]]), (name, at)
    for address in ("L2.X[3,5]", "L1.H3.Q[7,2]", "L1.H3.K[7,2]"):
        number = run.number(address)
        worked = float(number.data()["worked"])
        assert abs(worked - float(number)) < 1e-4 * max(1.0, abs(worked)), address


@pytest.mark.parametrize("page", ["docs/recordings.md", "docs/recordings.zh.md"])
def test_the_families_that_are_told_whole_are_listed(page: str) -> None:
    told = {family.name for family in families().values() if family.block is not None}
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in sorted(told) if name not in text] == []
    assert [name for name in KINDS if f"`{name}`" not in text and name != "default"] == []


def test_parts_of_each_head(tmp_path: Path) -> None:
    """GPT-NeoX has Q, K and V of each head side by side."""
    model = speaking("gpt_neox", tmp_path)
    run = w.recorded(record(model, tmp_path / "out", Wish(inputs=inputs_of("gpt_neox"), dtype="float64")))
    with safe_open(model / "model.safetensors", "pt") as held:
        fused = {kind: held.get_tensor(f"gpt_neox.layers.1.{FUSED}.{kind}") for kind in ("weight", "bias")}
    weights, biases = fused["weight"].view(4, 3, 8, 32), fused["bias"].view(4, 3, 8)
    for place, letter in enumerate("QKV"):
        for head, row, column in ((0, 0, 0), (1, 7, 3), (3, 5, 31)):
            at = 8 * head + row
            assert float(run[f"L1.W_{letter}[{column},{at}]"]) == float(weights[head, place, row, column])
            assert float(run[f"L1.b_{letter}[{at}]"]) == float(biases[head, place, row])
    made = run.number("L1.residual1[5,3]").inputs
    assert [number.address for number in made] == [f"L1.{name}[5,3]" for name in ("X", "output", "ffn_output")]


def test_a_recording_of_an_earlier_version(tiny: Path, tmp_path: Path) -> None:
    """It says nothing of layers that do two things side by side."""
    out = Path(shutil.copytree(tiny, tmp_path / "out"))
    told = json.loads((out / RECORDING).read_text(encoding="utf-8"))
    assert told["around"].pop("parallel") is False
    (out / RECORDING).write_text(json.dumps(told), encoding="utf-8")
    for address in ("L1.norm2[5,3]", "L2.X[5,3]"):
        assert str(w.recorded(out).number(address)) == str(w.recorded(tiny).number(address))


@pytest.mark.parametrize(
    ("family", "changes", "lacking"),
    [
        ("phi3", {"rope_parameters": {"rope_theta": 10000.0, "partial_rotary_factor": 0.4}}, "rotation"),
        ("llama", {"hidden_act": "relu6"}, "activation"),
        ("opt", {}, "family"),
    ],
)
def test_why_a_layer_is_not_told(family: str, changes: dict[str, Any], lacking: str, tmp_path: Path) -> None:
    """Its numbers from Q, K and V on are there all the same."""
    build(family, **changes).save_pretrained(tmp_path / family)
    run = w.recorded(record(tmp_path / family, tmp_path / "out", Wish(inputs=inputs_of(family))))
    assert float(run.number("L1.H0.weight[5,2]")) > 0
    with pytest.raises(NotReached) as caught:
        run.number("L1.norm1[2,3]")
    assert caught.value.values["lacking"] == lacking
    assert all(Words(lang).error(caught.value).count(lacking) <= 1 for lang in LANGUAGES)

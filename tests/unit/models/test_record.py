"""A model run once and recorded: what stands in the folder, what is refused, and what a kill leaves behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.tiny_gguf import write_llama
from tests.support.tiny_models import build, inputs_of
from workings.api.recorded import looks_recorded
from workings.models.cells import rows_of, trace_of
from workings.models.load import load
from workings.models.record import Heard, Wish, record
from workings.models.recording import Recording
from workings.models.store import Store, partial_of
from workings.terms.address import Name
from workings.terms.errors import FileError, FileUnwritable, UnknownToken
from workings.terms.files import RECORDING
from workings.terms.model_errors import (
    FolderTaken,
    InputsMissing,
    LayersNotSeen,
    ModelFile,
    ModelUnreadable,
    NoRecording,
    NotRecorded,
    RecordingBusy,
    RecordingDamaged,
    RecordingVersion,
    ResumeDiffers,
    TooManyTokens,
    UnknownLayers,
)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with models of random weights."""
    folder = tmp_path_factory.mktemp("models")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for family in ("llama", "bert", "t5", "vit", "gpt_oss", "bloom"):
            build(family).save_pretrained(folder / family)
    return folder


def _wish(family: str, tokens: int = 12, **more: Any) -> Wish:
    return Wish(inputs={name: values.numpy() for name, values in inputs_of(family, tokens).items()}, **more)


def _bytes(folder: str | Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


@pytest.mark.parametrize("family", ["llama", "bert", "t5", "vit", "gpt_oss", "bloom"])
def test_every_layer_and_head_is_there(family: str, models: Path, tmp_path: Path) -> None:
    recording = Recording(record(models / family, tmp_path / "out", _wish(family)))
    assert len(recording.layers) == (6 if family == "t5" else 2)
    for layer in recording.layers.values():
        assert layer["heads"] == [0, 1, 2, 3]
        place = layer.place
        weights, bounds = rows_of(recording, str(place._replace(head=3, name="weight")), 0, layer["queries"])
        sums = weights.sum(1)
        # a sink keeps a share; without one a row is 1 as far as its cells are known, and n roundings of their sum
        slack = bounds.sum(1) + layer["keys"] * 2.0**-53
        assert (sums < 1).all() if family == "gpt_oss" else (np.abs(sums - 1) <= slack).all()


def test_what_the_index_says(models: Path, tmp_path: Path) -> None:
    recording = Recording(record(models / "llama", tmp_path / "out", _wish("llama")))
    told = recording.told
    assert told["schema"] == "workings.recording/1"
    assert told["model"]["family"] == "Llama"
    assert told["model"]["projections"] == ["q_proj", "k_proj", "v_proj"]
    assert len(told["model"]["sha256"]) == 64
    assert (told["vocabulary"], told["width"], told["dtype"]) == (64, 32, "float32")
    assert [token["id"] for token in told["tokens"][""]] == inputs_of("llama", 12)["input_ids"][0].tolist()
    layer = recording.layer(Name("weight", 1, head=2))
    assert (layer["head_count"], layer["kv_head_count"], layer["d_k"], layer["d_v"]) == (4, 2, 8, 8)
    assert layer["scale"] == 8**-0.5
    assert layer["window"] == {"left": None, "right": 0, "offset": 0}


def test_chosen_layers_and_heads(models: Path, tmp_path: Path) -> None:
    whole = Recording(record(models / "llama", tmp_path / "whole", _wish("llama")))
    some = Recording(record(models / "llama", tmp_path / "some", _wish("llama", layers=[1], heads=[0, 3])))
    assert [str(place) for place in some.layers] == ["L1."]
    for head in (0, 3):
        address = f"L1.H{head}.weight"
        assert np.array_equal(rows_of(some, address, 0, 12)[0], rows_of(whole, address, 0, 12)[0])
    for address in ("L0.H0.weight", "L1.H1.weight", "L7.H0.weight", "L1.H9.weight"):
        with pytest.raises(NotRecorded):
            trace_of(some, address)
    with pytest.raises(UnknownLayers):
        record(models / "llama", tmp_path / "none", _wish("llama", layers=[2]))
    with pytest.raises(UnknownLayers):
        record(models / "llama", tmp_path / "none", _wish("llama", heads=[4]))


def test_names_in_a_recording(models: Path, tmp_path: Path) -> None:
    recording = Recording(record(models / "llama", tmp_path / "out", _wish("llama")))
    trace, full = trace_of(recording, "L1.H3.weight[5,2]")
    cell = trace.cell(full)
    assert str(cell) == "L1.H3.weight[5,2]"
    assert [str(one) for one in trace.inputs(cell)] == ["L1.H3.exp_shifted[5,2]", "L1.H3.exp_shifted_sum[5]"]
    score = trace.cell("L1.H3.score[5,2]")
    assert str(trace.inputs(score)[1]) == "L1.G1.K[2,0]"
    key, name = trace_of(recording, "L1.G1.K[2,0]")
    exact = key.value(key.cell(name)).exact
    assert exact is not None
    assert float(exact) == recording.numbers(Name("", 1), "k", 1)[2, 0]
    words = trace.words("key")
    assert str(trace.cell(f'L1.H3.weight["{words[5]}","{words[2]}"]')) == "L1.H3.weight[5,2]"
    with pytest.raises(UnknownToken):
        trace.cell('L1.H3.weight["nothing",0]')


def test_bounds_hold_against_exact_sums(models: Path, tmp_path: Path) -> None:
    """Scores are sums of products of doubles, which fractions add up without rounding."""
    recording = Recording(record(models / "llama", tmp_path / "out", _wish("llama")))
    trace, _ = trace_of(recording, "L0.H1.score")
    for row, column in ((0, 0), (7, 3), (11, 11)):
        formula = trace.expansion.cell(trace.cell(f"L0.H1.score[{row},{column}]"))
        assert formula is not None
        exact = trace.engine.evaluate(formula).exact
        low, high = trace.value(trace.cell(f"L0.H1.score[{row},{column}]")).bounds(64)
        assert exact is not None
        assert low <= exact <= high


def test_given_and_missing_inputs(models: Path, tmp_path: Path) -> None:
    with pytest.raises(InputsMissing):
        record(models / "vit", tmp_path / "out", Wish())
    with pytest.raises(TooManyTokens):
        record(models / "bert", tmp_path / "out", _wish("bert", 600))
    with pytest.raises(ModelUnreadable):  # no tokenizer lies beside these weights
        record(models / "llama", tmp_path / "out", Wish(text="a text"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_after_the_look_is_noticed(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(looked: Any, dtype: str, **how: Any) -> Any:
        os.utime(looked.files["model.safetensors"].path, ns=(1, 1))
        return load(looked, dtype, **how)

    monkeypatch.setattr("workings.models.record.load", late)
    with pytest.raises(ModelFile):
        record(models / "llama", tmp_path / "out", _wish("llama"))


def test_missing_weights_are_not_made_up(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = build("llama")
        states = {name: t for name, t in model.state_dict().items() if "layers.1.self_attn.q_proj" not in name}
        model.save_pretrained(tmp_path / "model", state_dict=states)
    with pytest.raises(ModelUnreadable, match="q_proj"):
        record(tmp_path / "model", tmp_path / "out", _wish("llama"))


def test_weights_that_are_not_finite_are_told(tmp_path: Path) -> None:
    import torch

    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        model = build("llama")
        model.layers[1].mlp.up_proj.weight[2, 3] = float("nan")
        model.layers[1].mlp.up_proj.weight[4, 5] = float("inf")
        model.save_pretrained(tmp_path / "model")
    told = Recording(record(tmp_path / "model", tmp_path / "out", _wish("llama"))).told
    assert told["not_finite"] == [{"tensor": "layers.1.mlp.up_proj.weight", "nan": 1, "inf": 1, "first": [2, 3]}]


def test_too_few_layers_are_an_error(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.models.record.expected_layers", lambda loaded: {("", False): 3})
    with pytest.raises(LayersNotSeen):
        record(models / "llama", tmp_path / "out", _wish("llama"))
    assert list(tmp_path.iterdir()) == []


# --- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["llama", "bert", "t5", "gpt_oss", "bloom"])
def test_the_largest_tensor_grows_with_the_tokens_alone(
    family: str, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory behind every tensor that an operation of torch makes; blocks are made small enough to show."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    from workings.fast import pieces
    from workings.models.capture import Capture

    monkeypatch.setitem(pieces.STRIP, "cpu", 256)
    monkeypatch.setattr("workings.models.sizes.places_for", lambda config: None)
    largest: dict[int, int] = {}

    class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            out = func(*args, **(kwargs or {}))
            for one in out if isinstance(out, (tuple, list)) else [out]:
                if isinstance(one, torch.Tensor):
                    numbers = one.untyped_storage().nbytes() // one.element_size()
                    largest[tokens] = max(largest.get(tokens, 0), numbers)
            return out

    heard = Capture.listening

    def watched(self: Capture) -> Any:
        from contextlib import ExitStack

        stack = ExitStack()
        stack.enter_context(heard(self))
        stack.enter_context(Watch())  # type: ignore[no-untyped-call]
        return stack

    monkeypatch.setattr(Capture, "listening", watched)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a dispatch mode is of one thread
    try:
        for tokens in (128, 256, 512):
            record(models / family, tmp_path / f"{tokens}", _wish(family, tokens))
    finally:
        torch.set_num_threads(threads)
    assert largest[512] <= 2 * largest[256] <= 4 * largest[128]
    assert largest[512] < 512 * 512


# --- kills, full disks and damage ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["folder", "gguf"])
def test_how_far_it_is_is_told_and_no_other_bar_is_drawn(
    kind: str, models: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also where somebody has imported transformers before, which then draws bars of its own."""
    model = models / "llama" if kind == "folder" else write_llama(tmp_path / "tiny.gguf")
    heard: list[tuple[str, int, int]] = []
    wish = Wish(inputs={"input_ids": np.arange(3, 15)[None]})
    record(model, tmp_path / "out", wish, heard=Heard(stage=lambda *stage: heard.append(stage)))
    assert capfd.readouterr() == ("", "")
    loading = [(done, of) for name, done, of in heard if name == "load"]
    assert loading[0] == (0, 1)
    assert loading[-1] == (1, 1)
    counted = [one for one in loading if one[1] > 1]
    assert (1, counted[0][1]) == counted[0]
    assert counted[-1][0] == counted[-1][1]
    assert [name for name, _, _ in heard] == sorted((name for name, _, _ in heard), key=["load", "run", "finish"].index)


PROGRAM = """
import itertools, os, signal, sys
import numpy as np
from workings.models.record import Heard, Wish, record
from workings.models import store
model, out, at, resume = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "resume"
count = itertools.count(1)  # two threads count
real = os.replace
def replace(*where):
    if next(count) == at:
        os.kill(os.getpid(), signal.SIGKILL)
    real(*where)
os.replace = store.os.replace = replace
record(model, out, Wish(inputs={"input_ids": np.arange(3, 15)[None]}), resume=resume)
"""


def _child(*arguments: str) -> int:
    child = [sys.executable, "-W", "ignore", "-c", PROGRAM, *arguments]
    return subprocess.run(child, capture_output=True, check=False, timeout=300).returncode


def test_killed_at_any_write_it_is_there_whole_or_not_at_all(models: Path, tmp_path: Path) -> None:
    model = str(models / "llama")
    assert _child(model, str(tmp_path / "clean"), "0", "anew") == 0
    clean = _bytes(tmp_path / "clean")
    layers = {f"L{layer}{rows}.safetensors" for layer in (0, 1) for rows in ("", ".rows")}
    assert set(clean) == {*layers, *(f"L{n}.X.safetensors" for n in (0, 1, 2)), RECORDING}
    for write in range(
        1, 10
    ):  # the plan, two layers with their rows and what enters them, what leaves the last, the index
        out = tmp_path / f"killed{write}"
        assert _child(model, str(out), str(write), "anew") == -signal.SIGKILL
        assert not out.exists()
        assert Path(partial_of(str(out))).is_dir()
        assert _child(model, str(out), "0", "resume") == 0
        assert _bytes(out) == clean
        assert not Path(partial_of(str(out))).exists()


def test_a_finished_layer_is_not_written_again(models: Path, tmp_path: Path) -> None:
    """Which files are there when it is killed is not sure: two threads write. Of the first four at least three are."""
    out = tmp_path / "out"
    assert _child(str(models / "llama"), str(out), "6", "anew") == -signal.SIGKILL
    before = {path.name: path.stat().st_ino for path in Path(partial_of(str(out))).glob("*.safetensors")}
    assert len(before) >= 3
    wish = Wish(inputs={"input_ids": np.arange(3, 15)[None]})
    record(models / "llama", out, wish, resume=True)
    assert {name: (out / name).stat().st_ino for name in before} == before


def test_resuming_something_else_is_refused(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert _child(str(models / "llama"), str(out), "3", "anew") == -signal.SIGKILL
    with pytest.raises(ResumeDiffers):
        record(models / "llama", out, _wish("llama", 7), resume=True)
    record(models / "llama", out, _wish("llama", 7))
    assert looks_recorded(out)


def test_a_folder_that_is_there_is_not_written_over(models: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(FolderTaken):
        record(models / "llama", tmp_path / "out", _wish("llama"))


def test_two_writers(tmp_path: Path) -> None:
    first = Store(str(tmp_path / "out"), {}, resume=False)
    with pytest.raises(RecordingBusy):
        Store(str(tmp_path / "out"), {}, resume=False)
    first.leave(keep=False)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk(models: Path, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, before[1]))
    try:
        with pytest.raises(FileUnwritable):
            record(models / "llama", tmp_path / "out", _wish("llama"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(models: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text", encoding="utf-8")
    with pytest.raises(FileUnwritable):
        record(models / "llama", tmp_path / "file" / "out", _wish("llama"))


def test_damage_is_found_where_it_is(models: Path, tmp_path: Path) -> None:
    folder = Path(record(models / "llama", tmp_path / "out", _wish("llama")))
    path = folder / "L1.safetensors"
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[-1] ^= 1  # the last number of the last value head
    path.write_bytes(bytes(flipped))
    recording = Recording(folder)
    place = Name("", 1)
    recording.numbers(place, "v", 0)
    recording.numbers(Name("", 0), "v", 1)
    with pytest.raises(RecordingDamaged) as caught:
        recording.numbers(place, "v", 1)
    assert caught.value.values["flaw"] == "wrong-checksum"
    for data, flaw in ((whole[:-1], "wrong-size"), (b"\xff" * len(whole), None)):
        path.write_bytes(data)
        with pytest.raises(FileError) as found:
            Recording(folder).numbers(place, "v", 1)
        assert flaw is None or found.value.values["flaw"] == flaw
    path.unlink()
    with pytest.raises(RecordingDamaged, match=r"L1\.safetensors"):
        Recording(folder).numbers(place, "q", 0)


def test_an_index_that_is_none(models: Path, tmp_path: Path) -> None:
    with pytest.raises(NoRecording):
        Recording(tmp_path / "nothing")
    folder = Path(record(models / "llama", tmp_path / "out", _wish("llama")))
    told = json.loads((folder / RECORDING).read_text(encoding="utf-8"))

    def written(**changes: Any) -> None:
        (folder / RECORDING).write_text(json.dumps({**told, **changes}), encoding="utf-8")

    written(schema="workings.recording/2")
    with pytest.raises(RecordingVersion):
        Recording(folder)
    outside = {**told["layers"][0], "file": "../L0.safetensors"}
    changes: list[dict[str, Any]] = [{"schema": "other"}, {"layers": 3}, {"layers": [{}]}, {"tokens": []}]
    for bad in (*changes, {"layers": [outside]}):
        written(**bad)
        with pytest.raises(RecordingDamaged):
            Recording(folder)
    for text in ("", "[", "[]", "[" * 100_000, "\xff"):
        (folder / RECORDING).write_bytes(text.encode("latin-1"))
        with pytest.raises(RecordingDamaged):
            Recording(folder)

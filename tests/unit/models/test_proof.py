"""A row worked again in balls: every printed digit is proven, and a wrong number is noticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.tiny_models import inputs_of, saved
from tests.unit.cli.command import here
from workings.api.recorded_number import RecordedNumber
from workings.models import cells
from workings.models.record import Wish, record
from workings.terms.address import Name
from workings.terms.model_errors import NotProvable

# shared keys; softcap and a window; sinks; bias by distance; bias by key; a band
FAMILIES = {"llama": "L1", "gemma2": "L0", "gpt_oss": "L0", "t5": "dec.L1", "bloom": "L1", "modernbert": "L1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings of small models."""
    at = tmp_path_factory.mktemp("proofs")
    for family in FAMILIES:
        record(saved(family, at / "models"), at / family, Wish(inputs=inputs_of(family, 12)))
    return at


def _number(folder: Path, family: str, rest: str) -> RecordedNumber:
    return w.recorded(folder / family, lang="en").number(f"{FAMILIES[family]}.H1.{rest}")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("rest", ["weight[6,4]", "lse[0]", "head_output[8,3]"])
def test_a_row_is_proven(family: str, rest: str, folder: Path) -> None:
    proven = _number(folder, family, rest).prove()
    told = proven.data()["proof"]
    assert proven.is_proven
    assert [one["address"].rpartition(".")[2] for one in told["arrays"]] == ["score", "lse", "weight", "head_output"]
    assert all(one["numbers"] == one["proven"] for one in told["arrays"])
    assert all(one["off"] <= one["bound"] for one in told["arrays"])
    assert told["value"].startswith(str(proven)[:9])
    assert "every number of float64 is within its own derived bound" in proven.to_text()


def test_a_wrong_number_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = cells.Head.measure

    def off(self: cells.Head, name: Name, index: tuple[int, ...]) -> tuple[float, float]:
        value, bound = measure(self, name, index)
        return (value * (1 + 1e-11), bound) if name.name == "weight" else (value, bound)

    monkeypatch.setattr(cells.Head, "measure", off)
    proven = _number(folder, "llama", "weight[6,4]").prove()
    assert not proven.is_proven
    assert "report this" in proven.to_text()
    assert [one["within"] for one in proven.data()["proof"]["arrays"]] == [True, True, False, True]


def test_what_cannot_be_proven(folder: Path) -> None:
    run = w.recorded(folder / "llama")
    for address in ("L1.norm1[5,3]", "L1.H1.Q[5,3]"):
        with pytest.raises(NotProvable):
            run.number(address).prove()


def test_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(folder / "llama")
    done = here(capsys, "cell", out, "L1.H1.weight[6,4]", "--prove", "--json")
    assert (done.code, json.loads(done.out)["proof"]["holds"]) == (0, True)
    refused: list[Any] = [("kitten", "weight[2,0]"), (out, "L1.output[5,3]")]
    for source, address in refused:
        done = here(capsys, "cell", source, address, "--prove")
        assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)

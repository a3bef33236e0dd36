"""Numbers of a recorded model on its page: the command's own, from the embedding to the logits."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import workings as w
from tests.support.maps import ask
from workings.terms.address import Address

TEXT = "the cat sat on the mat because the cat was tired. the dog saw the cat."
ADDRESSES = (
    "embedding[4,3]",
    "L0.X[4,3]",
    "L0.norm1[4,3]",
    "L0.H1.q_proj[4,3]",
    "L0.H1.K[4,3]",
    "L0.H1.score[4,3]",
    "L0.H1.masked[3,4]",
    "L0.H1.weight[4,3]",
    "L0.H1.weight[3,4]",
    "L0.H1.lse[4]",
    "L0.H1.head_output[4,3]",
    "L0.ffn_act[4,3]",
    "L1.X[4,3]",
    "L1.H0.V[4,3]",
    "L2.X[4,3]",
    "final_norm[4,3]",
    "logits[4,3]",
)
LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("story") / "out"
    w.trace("story-en", path, text=TEXT)
    return path


def view(lang: str = "en", precision: str = "auto") -> dict[str, str | None]:
    return {"lang": lang, "precision": precision, "carry": None}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_number_is_what_the_command_says(address: str, lang: str, folder: Path) -> None:
    found = ask(folder, "weight", address=address, view=view(lang))
    number = w.recorded(folder, lang=lang).number(address)
    assert found["address"] == number.address
    assert found["digits"] == str(number)
    assert found["exact"] == (None if number.exact is None else str(number.exact))
    assert found["uses"] == [one.address for one in number.inputs][:256]
    assert found["used_by"] == number.used_by[:256]
    assert (found["uses_count"], found["used_by_count"]) == (len(number.inputs), len(number.used_by))
    said = re.sub(r"\s+", "", unescape(re.sub(r"<[^>]+>", "", found["html"])))
    first = next(line for line in number.to_text().splitlines() if number.address in line and set("=≈") & set(line))
    assert re.sub(r"\s+", "", first) in said
    assert eval(found["python"], {"w": w}).address == number.address  # noqa: S307 -- what a reader would paste
    assert bool(found["latex"]) == bool(number.arithmetic())
    assert found["spoken"]


def test_from_the_embedding_to_the_logits_and_back(folder: Path) -> None:
    """What a number goes into leads to the logits, and what these are made of leads back."""
    address, seen = "embedding[4,3]", set[str]()
    while not address.startswith("logits"):
        assert address not in seen
        seen.add(address)
        readers = ask(folder, "weight", address=address, view=view())["used_by"]
        assert readers, address
        address = next((one for one in readers if one.startswith(("L1.X", "L2.X"))), readers[-1])
    assert any(one.startswith("L1.") for one in seen)
    assert any(one.startswith("final_norm") for one in seen)
    while not address.startswith("embedding"):
        sources = ask(folder, "weight", address=address, view=view())["uses"]
        assert sources, address
        address = next((one for one in sources if ".W_" not in one and not one.startswith("W_")), sources[0])


def test_a_weight_knows_its_rank(folder: Path) -> None:
    run = w.recorded(folder)
    row = run.head("L1.H1").row(9)
    for rank, key in enumerate(row[:10].argsort()[::-1], start=1):
        found = ask(folder, "weight", address=f"L1.H1.weight[9,{key}]", view=view())
        assert found["rank"] == f"number {rank} of 10 in its row, the largest first"
        assert (found["head"], found["query"], found["key"]) == ("L1.H1", 9, key)
    assert ask(folder, "weight", address="L1.H1.weight[9,10]", view=view())["rank"] == ""  # masked
    assert ask(folder, "weight", address="L1.H1.score[9,3]", view=view())["rank"] == ""


@pytest.mark.parametrize("precision", ["2", "9"])
def test_digits_are_those_asked_for(precision: str, folder: Path) -> None:
    found = ask(folder, "weight", address="L1.H1.weight[9,3]", view=view(precision=precision))
    assert len(found["value"].partition(".")[2]) == int(precision)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tokens_way(lang: str, folder: Path) -> None:
    run = w.recorded(folder, lang=lang)
    stages = ask(folder, "pipeline", head="L1.H0", query=6, lang=lang)["stages"]
    addresses = [stage["address"] for stage in stages]
    order = [
        "embedding[6,0]",
        "L1.X[6,0]",
        "L1.norm1[6,0]",
        "L1.H0.Q[6,0]",
        "L1.H0.weight[6,",
        "L1.H0.head_output[6,0]",
    ]
    order += ["L1.output[6,0]", "L1.ffn_output[6,0]", "L2.X[6,0]", "final_norm[6,0]", "logits[6,"]
    places = [next(n for n, address in enumerate(addresses) if address.startswith(one)) for one in order]
    assert places == sorted(places)
    assert not any(".H1." in address for address in addresses)
    for stage in stages:
        for cell in stage["cells"]:
            shown = ask(folder, "weight", address=cell, view=view(lang))["value"]
            assert f"<code>{cell}</code>" in stage["html"]
            assert shown in unescape(stage["html"])
    words = next(stage for stage in stages if stage["address"].startswith("logits"))["cells"]
    logits = [float(run.number(one)) for one in words]
    every = sorted((float(one) for one in run["logits"][6, :]), reverse=True)
    assert logits == every[: len(logits)]


def test_a_model_without_a_way_is_told_from_its_operands(tmp_path: Path) -> None:
    from tests.support.maps import recording_of

    folder = recording_of("gpt_oss", tmp_path, 20)
    stages = ask(folder, "pipeline", head="L1.H0", query=6)["stages"]
    assert stages[0]["address"].startswith("L1.H0.score[6,")
    assert ask(folder, "pipeline", head="L1.H0", query=20, status=400)["error"]["code"] == "outside"


def test_addresses_are_addresses(folder: Path) -> None:
    found = ask(folder, "weight", address='L1.H1.weight["because","sat"]', view=view())
    assert found["address"] == str(Address(w.recorded(folder).number("L1.H1.weight[7,3]")._address.array, (7, 3)))

import json
import re
import tomllib
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import pytest
from mpmath import mp  # type: ignore[import-untyped]

import workings as w
from tests.unit.cli.command import here
from workings.examples.library import names
from workings.render.targets import TARGETS

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("to", [*TARGETS, "json"])
@pytest.mark.parametrize("name", names())
def test_every_example_in_every_target(capsys: pytest.CaptureFixture[str], name: str, to: str, lang: str) -> None:
    done = here(capsys, "explain", name, "--to", to, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\n")
    assert not done.out.endswith("\n\n")
    if to == "json":
        assert json.loads(done.out)["schema"] == "workings.trace/1"


@pytest.mark.parametrize("show", ["cell", "row", "all"])
def test_show_says_how_much(capsys: pytest.CaptureFixture[str], show: str) -> None:
    out = here(capsys, "explain", "kitten", "--show", show).out
    lines = [line for line in out.splitlines() if "÷ √2 ≈" in line]
    assert len(lines) == {"cell": 1, "row": 3, "all": 9}[show]


def test_token_precision_and_carry(capsys: pytest.CaptureFixture[str]) -> None:
    assert "吃, 小猫: " in here(capsys, "explain", "kitten", "--token", "吃", "--show", "row").out
    assert "0.402653" in here(capsys, "explain", "kitten", "--precision", "6").out
    assert "Hand mode" in here(capsys, "explain", "kitten", "--carry", "2").out
    carried = json.loads(here(capsys, "explain", "kitten", "--carry", "2", "--json").out)
    weight = next(step for step in carried["steps"] if step["name"] == "weight")
    assert weight["values"][2] == ["0.4", "0.24", "0.36"]


def test_a_cell_by_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    cell = json.loads(here(capsys, "cell", "kitten", 'weight["它","小猫"]', "--json").out)
    assert list(cell) == [
        *("schema", "address", "value", "exact", "formula", "arithmetic", "inputs", "used_by", "sure_digits"),
    ]
    assert cell["schema"] == "workings.cell/1"
    assert cell["address"] == "weight[2,0]"
    assert cell["value"] == "0.402653153134"
    assert cell["exact"] is None
    assert cell["inputs"][1] == {"address": "exp_sum[2]", "value": "4.75985872656"}
    assert cell["used_by"] == ["head_output[2,0]", "head_output[2,1]"]
    given = json.loads(here(capsys, "cell", "kitten", "Q[2,0]", "--json").out)
    assert (given["formula"], given["arithmetic"], given["exact"]) == (None, None, "9/10")


def test_strict_is_content_with_sure_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, "explain", "kitten", "--strict").code == 0
    assert here(capsys, "cell", "kitten", "weight[2,0]", "--strict").code == 0


def test_strict_names_what_is_unsure(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.api.number.is_unsettled", lambda _: True)
    monkeypatch.setattr("workings.api.trace.is_unsettled", lambda _: True)
    done = here(capsys, "cell", "kitten", "weight[2,0]", "--strict")
    assert done.code == 4
    assert "weight[2,0]" in done.err
    done = here(capsys, "explain", "kitten", "--strict", "--quiet")
    assert (done.code, done.err) == (4, "")


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    report = json.loads(here(capsys, "doctor", "--json").out)
    assert report["schema"] == "workings.doctor/1"
    assert report["complete"] is True
    base = [package["name"] for package in report["base"]]
    assert base[:6] == ["python-flint", "click", "rich", "numpy", "markdown-it-py", "xlsxwriter"]
    assert base[6:] == ["starlette", "uvicorn", "anyio"]

    def version(name: str) -> str:
        if name == "rich":
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    done = here(capsys, "doctor")
    assert done.code == 3
    assert "pip install rich" in done.out
    assert "torch 1.0" in done.out


def test_doctor_names_what_the_project_needs() -> None:
    from workings.cli.verbs.doctor import BASE, EXTRAS

    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    for needed, told in ((project["dependencies"], BASE), (project["optional-dependencies"]["models"], EXTRAS)):
        assert {re.split("[<>=]", line)[0] for line in needed} == set(told)


def weight_of_mpmath() -> str:
    """40 digits of weight[2,0], the power series of another library over the scores."""
    with mp.workdps(60):
        scores = [w.explain("kitten").number(f"score[2,{key}]").exact or Fraction(0) for key in range(3)]
        powers = [mp.exp(mp.mpf(one.numerator) / one.denominator / mp.sqrt(2)) for one in scores]
        return str(mp.nstr(powers[0] / sum(powers), 40))


@pytest.mark.parametrize(
    ("address", "precision", "said"),
    [
        ("weight[2,0]", "auto", "≈ 0.402653153134\n"),
        ("weight[2,0]", "3", "≈ 0.403\n"),
        ("weight[2,0]", "0", "≈ 0\n"),
        ("weight[2,0]", "40", f"≈ {weight_of_mpmath()}\n"),
        ("weight[2,0]", "exact", "≈ 0.402653153134\n"),
        ("Q[2,0]", "auto", "= 0.9\n"),
        ("Q[2,0]", "0", "≈ 1\n"),
        ("Q[2,0]", "40", "= 0.9\n"),
    ],
)
def test_a_number_begins_with_the_decimals_asked_for(
    address: str, precision: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = here(capsys, "cell", "kitten", address, "--precision", precision)
    assert done.code == 0
    assert said in done.out.replace("  \n", "\n")


def test_a_measured_number_begins_with_no_more_decimals_than_its_bound_settles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = w.trace("story-en", tmp_path / "out", text="the cat saw the dog")
    number = run.number("L0.H0.weight[3,1]")
    middle, reach = Fraction(float(number)), Fraction(number.bound) * 2
    for asked in (3, 6, 40):
        out = here(capsys, "cell", str(tmp_path / "out"), "L0.H0.weight[3,1]", "--precision", str(asked)).out
        said = re.search(r"≈ (0\.\d+)$", out, re.MULTILINE)
        assert said is not None, out
        places = len(said[1]) - 2
        assert places == asked or (asked == 40 and 12 < places < 17)
        half = Fraction(1, 2 * 10**places)
        assert abs(Fraction(said[1]) - middle) <= reach + half

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import workings as w
from tests.support.opening import open_trace
from workings.api.language import preferred
from workings.api.opening import open_example
from workings.terms.errors import DivideByZero, FileMissing, MissingField, UnknownExample


def _example(query: object, softmax: str = "") -> dict[str, Any]:
    inputs = {"Q": [[query], [0]], "K": [[1], [0]], "V": [[1], [2]]}
    attention = {"divide_by": 1, **({"softmax": softmax} if softmax else {})}
    return {"tokens": ["a", "b"], "inputs": inputs, "attention": attention}


def test_every_kind_of_source(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('tokens = ["a"]\n[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n', encoding="utf-8")
    for source in (str(path), path, {"tokens": ["a"], "inputs": {"Q": [[1]], "K": [[1]], "V": [[1]]}}):
        assert [str(name) for name in open_trace(source).recipe.names()][:3] == ["Q", "K", "V"]
    with pytest.raises(UnknownExample):
        open_trace("kittn")
    with pytest.raises(FileMissing):
        open_trace("kittn.toml")
    with pytest.raises(FileMissing):
        open_trace(Path("kitten"))
    with pytest.raises(MissingField):
        open_trace({})


@pytest.mark.parametrize(
    ("query", "shifted"),
    [
        ("13.8155", False),
        ("13.81551055", False),  # e^ of it is 999,999.99
        ("13.81551056", True),  # ln of a million is 13.815510557964…
        ("6*ln(10)", False),  # a million exactly
        ("14", True),
        ("-1000", False),
    ],
)
def test_a_large_exponential_is_shifted(query: str, shifted: bool) -> None:
    example, trace = open_example(_example(query))
    assert example.spec.softmax == ("shifted" if shifted else "plain")
    assert any(op.step.name == "row_max" for op in trace.ops()) == shifted


def test_what_only_looks_at_far_scores_is_worked() -> None:
    """A row of scores far below 0 has weights like any other, and one that may look at nothing is no such row."""
    far = {"tokens": ["a", "b"], "inputs": {"Q": [[1], [0]], "K": [["-100001"], ["-100002"]], "V": [[1], [2]]}}
    found = w.explain(far)
    assert [found[f"weight[0,{key}]"].digits(4) for key in (0, 1)] == ["0.7311", "0.2689"]
    masked = {**far, "attention": {"mask": [[0, 0], [1, 1]]}}
    assert open_example(masked)[0].spec.softmax == "plain"


def test_a_stated_softmax_stays() -> None:
    assert open_example(_example(100, "plain"))[0].spec.softmax == "plain"
    assert open_example(_example(1, "shifted"))[0].spec.softmax == "shifted"


def test_carry_keeps_the_softmax_that_the_exact_numbers_chose() -> None:
    trace = open_trace(_example("13.8155"), carry=0)
    assert [op.step.name for op in trace.ops()].count("exp_sum") == 1


def test_an_error_of_the_engine_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = 'tokens = ["a"]\n[inputs]\nX = [[1]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n'
    text += "[block]\nresidual = true\nnorm = 'post-layer'\neps = 0\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DivideByZero) as caught:
        w.explain(path).to_text()
    assert "mine.toml" in caught.value.where


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh"}, "zh"),
        ({"LANG": "zh-Hans"}, "zh"),
        ({"LANG": "zhx"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": "en_US"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_CN@x"}, "zh"),
        ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
        ({"WORKINGS_LANG": "zh", "LC_ALL": "en_US"}, "zh"),
    ],
    ids=str,
)
def test_the_language_of_an_environment(environment: dict[str, str], language: str) -> None:
    assert preferred(environment) == language


def _openers() -> list[Callable[[], object]]:
    return [lambda: w.explain("kitten"), lambda: w.explain("encoder-six")["L5.H1.weight"][0, 0].arithmetic()]


@pytest.mark.parametrize("opener", _openers())
def test_opening_twice_gives_the_same(opener: Callable[[], object]) -> None:
    assert repr(opener()) == repr(opener())

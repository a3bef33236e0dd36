import json
import pathlib
import subprocess
import sys

import pytest

import workings as w
from workings.api.number import Number
from workings.terms.errors import BadAddress, UnknownArray, UnknownChoice, WholeRowNotCell


def test_a_trace_holds_arrays_and_numbers_by_name() -> None:
    trace = w.explain("kitten")
    assert (
        trace.names
        == list(trace)
        == [*("Q", "K", "V", "score", "scaled", "exp", "exp_sum", "weight", "lse", "head_output", "output")]
    )
    assert len(trace) == 11
    assert "weight" in trace
    assert "wait" not in trace
    assert trace.tokens == ("小猫", "吃", "它")
    assert isinstance(trace["score[2,0]"], Number)
    assert trace['score["它","小猫"]'].exact == trace["score"][2, 0].exact
    assert [number.address for number in trace["score[2,:]"]] == ["score[2,0]", "score[2,1]", "score[2,2]"]
    assert str(w.explain("time-machine")["divide_by"]) == "1.7"


def test_names_that_are_not_there() -> None:
    trace = w.explain("kitten")
    with pytest.raises(UnknownArray):
        trace["wait"]
    with pytest.raises(BadAddress):
        trace["score[2"]
    with pytest.raises(WholeRowNotCell):
        trace.number("score")


def test_explain_changes_how_it_is_told_and_not_what() -> None:
    trace = w.explain("kitten")
    other = trace.explain(lang="zh", precision=6, token="吃", show="row")
    assert "吃，小猫：" in other.to_text()
    assert other.title == "“它”在看谁？"
    assert trace.title == "Whom does 它 look at?"
    assert str(trace["weight"][2, 0]) == str(other["weight"][2, 0])
    assert other.explain(lang="en").to_text() == trace.explain(precision=6, token="吃", show="row").to_text()
    assert trace.to_text() == w.explain("kitten", lang="en").to_text()


def test_carry_rounds_what_is_told_and_keeps_the_exact_numbers() -> None:
    trace = w.explain("kitten", carry=2)
    carried = json.loads(trace.to_json())
    weight = next(step for step in carried["steps"] if step["name"] == "weight")
    assert weight["values"][2] == ["0.4", "0.24", "0.36"]
    assert str(trace["weight"][2, 0]) == "0.402653153134"
    assert "Hand mode" in trace.to_markdown()


def test_hand_mode_shows_the_decimals_that_are_carried() -> None:
    carried = w.explain("rotary-position", carry=2).to_text()
    assert w.explain("rotary-position", carry=2, precision=6).to_text() == carried
    assert w.explain("rotary-position", carry=2, precision="exact").to_text() == carried
    assert w.explain("rotary-position", carry=3).to_text() != carried


def test_a_divisor_that_is_rounded_to_nothing_gets_the_digits_that_its_line_needs() -> None:
    told = w.explain("learn-one-step", precision=0)
    assert told.number("grad.probability[2,0]").arithmetic() == "−1 ÷ 0.3 ≈ −3"


@pytest.mark.parametrize(
    "wanted",
    [{"lang": "fr"}, {"show": "some"}, {"precision": "many"}, {"precision": -1}, {"carry": 1.5}, {"carry": 10**9}],
    ids=str,
)
def test_a_way_of_telling_that_there_is_not(wanted: dict[str, object]) -> None:
    with pytest.raises(UnknownChoice):
        w.explain("kitten", **wanted)  # type: ignore[arg-type]


def test_a_trace_in_a_notebook() -> None:
    trace = w.explain("kitten")
    assert repr(trace) == "<Trace 'Whom does 它 look at?': 3 tokens, 11 arrays>"
    bundle = trace._repr_mimebundle_()
    page = bundle.pop("text/html")
    assert bundle == {
        "text/plain": trace.to_text(),
        "text/markdown": trace.to_markdown(),
        "text/latex": trace.to_latex(),
    }
    assert page.startswith('<div class="workings"')
    assert "<!DOCTYPE" in trace.to_html()
    assert "\\documentclass" in trace.to_latex(standalone=True)
    assert json.loads(trace.to_json())["schema"] == "workings.trace/1"


def test_no_number_of_the_examples_is_unsure() -> None:
    assert w.explain("time-machine-true").unsure() == []


def test_the_module_is_light_and_says_what_it_has() -> None:
    program = (
        "import sys, workings; assert 'click' not in sys.modules and 'flint' not in sys.modules; print(dir(workings))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8")
    assert all(name in done.stdout for name in w.__all__)
    assert "len" not in w.__all__
    with pytest.raises(AttributeError, match="nothing_such"):
        w.nothing_such  # noqa: B018


def test_every_public_name_is_written_at_its_home() -> None:
    assert {*w._HOMES} == {*w.__all__} - {"__version__"}
    assert {name: getattr(w, name).__module__ for name in w._HOMES if name != "WorkingsError"} == {
        name: f"workings.{home}" for name, home in w._HOMES.items() if name != "WorkingsError"
    }


def test_an_error_speaks_the_language_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(w.WorkingsError) as caught:
        w.explain("kittn")
    assert "There is no built-in example kittn" in str(caught.value)
    monkeypatch.setenv("WORKINGS_LANG", "zh")
    assert "kittn" in str(caught.value)
    assert "There" not in str(caught.value)


def test_the_readme_says_what_python_does() -> None:
    text = (pathlib.Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    names: dict[str, object] = {}
    exec(program, names)  # noqa: S102
    assert str(names["number"]) == "0.402653153134"

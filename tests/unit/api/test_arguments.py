"""Whatever stands for an argument of a public function: what is meant, or an error of ours in both languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import workings as w
from workings.render.words import LANGUAGES, Words
from workings.terms.errors import ArgumentForm, BadCount, IndexOutside, WorkingsError

TEXT = "the kitten ate because it was hungry"
ODD: list[Any] = [
    1.5, -1, -100, 100, 10**30, "a", "", b"x", None, True, np.bool_(True), [], (), {}, object(), slice(None),
    slice(0, 0), slice("a", None), slice(None, None, 0), slice(1.5, None), range(0), range(-3, 0), range(100),
    np.array([1, 2]), np.array([]), np.array(2), torch.tensor(2), torch.tensor([1, 2]), np.array([True, False]), [1.5],
    [True], ["ate", "it"], ["zzz"], float("nan"), 1j, ..., [[1]], {1}, np.int64(3), "\ud800", "\x00", "it#0", "it#x",
    "it#" + "9" * 20, len,
]  # fmt: skip


class Public:
    """One object of each kind that a user holds."""

    def __init__(self, folder: Path) -> None:
        self.run = w.trace("story-en", folder, text=TEXT)
        self.head = self.run["L1.H0"]
        self.array, self.number = self.run["L1.H0.weight"], self.run["L1.H0.weight[3,2]"]
        self.scores, self.picture = self.run.scores, self.head.picture
        self.trace = w.explain("kitten")
        self.q, self.k = (torch.arange(n * 8.0).reshape(2, n, 4) / 50 for n in (5, 6))
        self.attention = w.attend(self.q, self.k, self.k, top=3)
        self.folder = folder

    @property
    def dump(self) -> dict[str, Any]:
        return {"Q": self.q.numpy(), "K": self.k.numpy(), "weight": np.ones((2, 5, 6))}

    def attend(self, **how: Any) -> Any:
        return w.attend(self.q, self.k, self.k, **how)

    def again(self, **how: Any) -> Any:
        return w.trace("story-en", **{"text": TEXT, **how})


def _hashable(name: Any) -> Any:
    return name if isinstance(name, (int, float, bytes, type(None))) else "Q"


CALLS: dict[str, Callable[[Public, Any], Any]] = {
    "head.top": lambda p, x: p.head.top(x), "head.top-k": lambda p, x: p.head.top(3, x),
    "head.row": lambda p, x: p.head.row(x), "head.tile": lambda p, x: p.head.tile(x),
    "head.tile-keys": lambda p, x: p.head.tile(1, x), "head.explain": lambda p, x: p.head.explain(token=x).to_text(),
    "head.lang": lambda p, x: p.head.explain(lang=x), "head.precision": lambda p, x: p.head.explain(precision=x),
    "head.draw": lambda p, x: p.head.draw(x), "head.pyramid": lambda p, x: p.head.pyramid(x),
    "picture.tile": lambda p, x: p.picture.tile(x, range(2)), "picture.logs": lambda p, x: p.picture.logs(range(2), x),
    "run": lambda p, x: p.run[x], "run.head": lambda p, x: p.run.head(x), "run.number": lambda p, x: p.run.number(x),
    "run.array": lambda p, x: p.run.array(x), "array": lambda p, x: p.array[x], "array-2": lambda p, x: p.array[1, x],
    "array.explain": lambda p, x: p.array.explain(precision=x), "array.draw": lambda p, x: p.array.draw(x),
    "number.digits": lambda p, x: p.number.digits(x), "number.explain": lambda p, x: p.number.explain(precision=x),
    "number.arithmetic": lambda p, x: p.number.arithmetic(x), "number.draw": lambda p, x: p.number.draw(x),
    "scores": lambda p, x: p.scores[x], "scores.by": lambda p, x: p.scores.by(x),
    "scores.first": lambda p, x: p.scores.first(x),
    "trace": lambda p, x: p.trace[x], "trace.array": lambda p, x: p.trace.array(x),
    "trace.number": lambda p, x: p.trace.number(x), "trace.token": lambda p, x: p.trace.explain(token=x).to_text(),
    "trace.carry": lambda p, x: p.trace.explain(carry=x), "trace-array": lambda p, x: p.trace["weight"][1, x],
    "recorded": lambda p, x: w.recorded(x), "recorded.model": lambda p, x: w.recorded(p.folder, model=x),
    "explain": lambda p, x: w.explain(x), "compare": lambda p, x: w.compare(x),
    "compare.options": lambda p, x: w.compare(p.dump, x), "compare.causal": lambda p, x: w.compare(p.dump, causal=x),
    "compare.name": lambda p, x: w.compare({_hashable(x): p.q.numpy()}),
    "compare.array": lambda p, x: w.compare({"Q": x, "K": x, "V": x, "weight": x}),
    "attention.cell": lambda p, x: p.attention.cell(0, x, 0), "attention.head": lambda p, x: p.attention.cell(x, 0, 0),
    "attention.batch": lambda p, x: p.attention.cell(0, 0, 0, x),
    "attention.row": lambda p, x: p.attention.weights_row(0, x),
    "attention.tile": lambda p, x: p.attention.weights_tile(0, x, range(2)),
    "attention.tile-keys": lambda p, x: p.attention.weights_tile(x, range(2), range(3)),
    "attend.causal": lambda p, x: p.attend(causal=x), "attend.window": lambda p, x: p.attend(window=(x, 1)),
    "attend.offset": lambda p, x: p.attend(causal=True, offset=x), "attend.scale": lambda p, x: p.attend(scale=x),
    "attend.softcap": lambda p, x: p.attend(softcap=x), "attend.mass_on": lambda p, x: p.attend(mass_on=x),
    "attend.lse_base": lambda p, x: p.attend(lse_base=x), "attend.masked": lambda p, x: p.attend(fully_masked=x),
    "attend.column_mass": lambda p, x: p.attend(column_mass=x), "attend.bias": lambda p, x: p.attend(bias=x),
    "attend.q": lambda p, x: w.attend(x, p.k, p.k),
}  # fmt: skip
AGAIN = ("text", "target", "inputs", "dtype", "layers", "heads", "chunk", "lang")


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Public:
    return Public(tmp_path_factory.mktemp("arguments") / "run")


def _tried(call: Callable[[Any], Any], odd: Any) -> int:
    """Whether it was refused; by an error of ours that both languages can say."""
    refused = None
    try:
        call(odd)
    except WorkingsError as error:
        refused = error
    assert refused is None or all("\n" not in Words(lang).error(refused) for lang in LANGUAGES)
    return int(refused is not None)


@pytest.mark.parametrize("name", CALLS)
def test_no_error_but_ours(name: str, public: Public) -> None:
    assert sum(_tried(lambda x: CALLS[name](public, x), odd) for odd in ODD) > len(ODD) / 4


@pytest.mark.parametrize("name", AGAIN)
def test_no_error_but_ours_where_a_model_is_run(name: str, public: Public) -> None:
    some: list[Any] = [1.5, -1, 10**30, "", b"x", True, [], {}, object(), slice(None), np.array([1.5]), [True], 1j, ...]
    assert sum(_tried(lambda x: public.again(**{name: x}), odd) for odd in some) > len(some) / 2
    some = ["a", [], None, [[1.5]], [["a"]], [[10**30]], object(), [[-1]], 5]
    assert all(_tried(lambda x: public.again(text=None, inputs={"input_ids": x}), odd) for odd in some)


def test_what_is_meant_is_given(public: Public) -> None:
    head, weights = public.head, public.head.tile(slice(None))
    last = len(public.run.tokens)
    near = pytest.approx
    for wanted in (range(-2, 0), [-2, -1], np.array([-2, -1]), slice(-2, None), torch.tensor([last - 2, last - 1])):
        assert head.tile(wanted) == near(weights[-2:], rel=1e-12)
    for one in (3, np.int64(3), np.array(3), torch.tensor(3), public.run.tokens[3]):
        assert head.row(one) == near(weights[3], rel=1e-12)
    assert head.tile([]).shape == (0, last)
    assert head.tile(slice(0, 0), range(0)).shape == (0, 0)
    assert head.top(3, 0) == []
    assert [one.key for one in head.top(3, 100)] == [one.key for one in head.top(3, last)]
    assert public.picture.tile(range(0), range(2)).shape == (0, 2)
    assert np.array_equal(public.picture.tile(slice(1, 3), 0), public.picture.tile(range(1, 3), range(1)))
    assert [level.shape for level in head.pyramid(40)] == [(1, 1), (1, 1)]
    assert public.attention.cell(-1, -1, -1) == public.attention.cell(1, 4, 5)
    assert torch.equal(
        public.attention.weights_tile(0, slice(0, 2), 3), public.attention.weights_tile(0, range(2), range(3, 4))
    )


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda p: p.head.row(1.5), ArgumentForm), (lambda p: p.head.row(True), ArgumentForm),
        (lambda p: p.head.row([1, 2]), ArgumentForm), (lambda p: p.head.row(99), IndexOutside),
        (lambda p: p.head.top(1, -1), BadCount), (lambda p: p.head.tile(slice(None, None, 0)), ArgumentForm),
        (lambda p: p.attention.weights_tile(0, 3, 9), IndexOutside),
        (lambda p: p.attention.weights_tile(2, range(1), range(1)), IndexOutside),
        (lambda p: p.attention.cell("a", 0, 0), ArgumentForm), (lambda p: p.scores["L9.H9"], WorkingsError),
        (lambda p: p.scores[99], IndexOutside), (lambda p: p.again(heads=[]), ArgumentForm),
        (lambda p: w.recorded(p.folder, model="/nowhere"), WorkingsError),
    ],
)  # fmt: skip
def test_what_is_said(call: Callable[[Public], Any], error: type[WorkingsError], public: Public) -> None:
    with pytest.raises(error):
        call(public)

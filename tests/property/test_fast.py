"""Streamed attention against the array form of the declared steps: every option and type, within the derived bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from tests.support.streamed import OPTIONS, Case, cases, draw, own_keys, truth
from workings.fast import kernel, pieces
from workings.fast.result import Attended
from workings.fast.streamed import attend

OURS = 1e-12  # float64 of the array form, for numbers of some dozens
MASS = ("first", "previous", "self")
NEAR = 2


@pytest.fixture(autouse=True, params=["compiled", "reference"], scope="module")
def _implementation(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "reference":
            patch.setattr(kernel, "_compiled", lambda: None)
        else:
            assert kernel._compiled() is not None
        patch.setitem(pieces.STRIP, "cpu", 2**11)  # several blocks of rows
        yield


def _within(found: Any, right: Any, bound: Any) -> None:
    found, right = np.asarray(found), np.asarray(right)
    same = (found == right) | (np.isnan(found) & np.isnan(right))
    with np.errstate(invalid="ignore"):
        off = ~same & ~(np.abs(found - right) <= np.asarray(bound) + OURS * (1 + np.abs(right)))
    assert not off.any(), (found[off], right[off], np.broadcast_to(bound, off.shape)[off])


def _attended(case: Case) -> Attended:
    return attend(
        case.q,
        case.k,
        case.v,
        case.spec,
        top=case.top,
        column_mass=True,
        mean_distance=True,
        mass_on=MASS,
        mass_at={"told": _told(case)},
        near=NEAR,
        **case.extras,
    )


def _told(case: Case) -> torch.Tensor:
    """A key for every query, or none."""
    queries, keys = case.q.shape[-2], case.k.shape[-2]
    return torch.arange(queries) * 7 % (keys + 1) - 1


@given(cases)
@settings(max_examples=150)
def test_as_the_declared_steps(case: Case) -> None:
    _as_the_declared_steps(case)


def test_a_nan_whose_weight_cannot_be_told_from_nothing() -> None:
    """With every option at once it lies where a row's biases leave nothing that float32 could tell from 0."""
    _as_the_declared_steps(draw(0, frozenset(OPTIONS), ("v", "nan")))


def _as_the_declared_steps(case: Case) -> None:
    found = _attended(case)
    bounds, every = found.bounds, case.every
    for batch in range(case.batch):
        right = truth(case, batch)
        weight, lse = right["weight"], right["lse"]
        _within(every(found.lse)[batch], lse, every(bounds.lse)[batch])
        output = every(found.output)[batch]
        _within(output, _output(case, batch, right, output), every(bounds.output)[batch][..., None])
        _statistics(case, found, batch, weight, lse)
        _largest(case, found, batch, weight)


def _output(case: Case, batch: int, right: dict[str, Any], found: Any) -> Any:
    """The true output; where it is open whether a value that is not finite counts, what was found, or one without it.

    That is where it is allowed, but its e^(s − m) cannot be told from 0 in the working type (``FLOOR``, and 1 for what
    s may be off), or a sink leaves it a weight of 0 in float64.
    """
    weight, logits, v = right["weight"], right["logits"], case.every(case.v)[batch]
    v = v.repeat(len(weight) // len(v), 0)
    bad = ~np.isfinite(v).all(-1)[:, None] & (logits > -np.inf)
    compute = torch.float64 if case.q.dtype == torch.float64 else torch.float32
    faint = (logits < logits.max(-1, keepdims=True) + kernel.FLOOR[compute] + 1) | (weight < np.finfo(float).tiny)
    open_ = (bad.any(-1) & ~(bad & ~faint).any(-1))[..., None]
    without = np.where(bad, 0, weight) @ np.nan_to_num(v, nan=0, posinf=0, neginf=0)
    return np.where(open_, np.where(np.isfinite(found), without, found), right["head_output"])


def _statistics(case: Case, found: Attended, batch: int, weight: Any, lse: Any) -> None:
    bounds, every = found.bounds, case.every
    sinks, base = case.extras.get("sinks"), float(np.log(2)) if case.spec.lse_base == "2" else 1.0
    share = np.zeros(lse.shape) if sinks is None else np.exp(sinks.double().numpy()[:, None] - lse * base)
    relative = every(bounds.weight)[batch]
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(weight == 0, 0, -weight * np.log(weight)).sum(-1)
        entropy = parts + np.where(share == 0, 0, -share * np.log(share))
    _within(every(found.entropy)[batch], entropy, every(bounds.entropy)[batch])
    _within(every(found.sink_share)[batch], share, relative * share)
    assert found.mean_distance is not None
    assert found.column_mass is not None
    assert bounds.column_mass is not None
    own, keys = own_keys(case), np.arange(weight.shape[-1])
    ill = np.isnan(weight).any(-1)  # a sum over a row of NaN is one
    distance = np.where(ill, np.nan, (weight * abs(keys - own[:, None])).sum(-1))
    _within(every(found.mean_distance)[batch], distance, relative * distance)
    if not ill.any():
        mass = weight.sum(1)
        _within(every(found.column_mass)[batch], mass, every(bounds.column_mass)[batch][:, None] * mass)
    near = np.where(ill, np.nan, (weight * (abs(keys - own[:, None]) <= NEAR)).sum(-1))
    _within(every(found.mass["near"])[batch], near, relative * near)
    for name, key in (("first", 0 * own), ("previous", own - 1), ("self", own), ("told", _told(case).numpy())):
        inside = (key >= 0) & (key < len(keys))
        there = weight[:, np.arange(len(own)), key.clip(0, len(keys) - 1)]
        at = np.where(inside & ~ill, there, 0)
        _within(np.where(ill, 0, every(found.mass[name])[batch]), at, relative * at)


def _largest(case: Case, found: Attended, batch: int, weight: Any) -> None:
    values, keys = case.every(found.top_weights)[batch], case.every(found.top_keys)[batch].astype(int)
    rest, share = case.every(found.rest)[batch], case.every(found.sink_share)[batch]
    relative = case.every(found.bounds.weight)[batch][..., None]
    sound = ~np.isnan(weight).any(-1)
    count = min(case.top, weight.shape[-1])
    right = np.pad(-np.sort(-weight, -1)[..., :count], ((0, 0), (0, 0), (0, case.top - count)))
    _within(values[sound], right[sound], (relative * right)[sound])
    named = np.where(keys < 0, 0, np.take_along_axis(weight, keys.clip(0), -1))
    _within(values[sound], named[sound], (relative * named)[sound])
    some = sound & (weight.sum(-1) + share > 0)
    _within((values.sum(-1) + rest + share)[some], np.ones(some.sum()), 0)
    assert (rest[sound] >= 0).all()


@given(cases)
@settings(max_examples=60)
def test_weights_on_request(case: Case) -> None:
    found = attend(case.q, case.k, case.v, case.spec, top=0, **case.extras)
    queries, keys = case.q.shape[-2], case.k.shape[-2]
    rows, columns = range(queries // 3, queries), range(keys // 4, keys - keys // 5)
    for batch in range(case.batch):
        weight = truth(case, batch)["weight"]
        relative = case.every(found.bounds.weight)[batch]
        for head in range(weight.shape[0]):
            bound = relative[head][:, None] * weight[head]
            tile = found.weights_tile(head, rows, columns, batch).numpy()
            part = np.s_[rows.start : rows.stop, columns.start : columns.stop]
            ill = np.isnan(weight[head]).any(-1, keepdims=True) & np.ones(keys, bool)  # masked cells of a row of NaN
            _within(np.where(ill[part], 0, tile), np.where(ill, 0, weight[head])[part], np.where(ill, 0, bound)[part])
            row = found.weights_row(head, rows.start, batch).numpy()
            np.testing.assert_allclose(row[columns.start : columns.stop], tile[0], rtol=1e-13)
            cell = found.cell(head, queries - 1, columns.start, batch)
            np.testing.assert_allclose(cell.weight, tile[-1, 0], rtol=1e-13)


@given(cases)
@settings(max_examples=25)
def test_threads_agree(case: Case) -> None:
    before = torch.get_num_threads()
    results = []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            results.append(_attended(case))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    one, three = results
    for name in ("output", "lse", "entropy"):
        bound = case.every(getattr(one.bounds, name)) + case.every(getattr(three.bounds, name))
        bound = bound[..., None] if name == "output" else bound
        values, others = (case.every(getattr(result, name)) for result in results)
        _within(values, others, np.broadcast_to(bound, values.shape))

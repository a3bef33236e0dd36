"""Finds the causes of the first wrong array of a dump: altered recipes run in numpy, a few rows first, then all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import numpy as np

from workings.arrays.rules import Floats
from workings.arrays.run import Arrays
from workings.checking.causes.cause import Cause
from workings.checking.causes.masks import convention
from workings.checking.causes.patterns import MOST_TERMS
from workings.checking.causes.registry import CAUSES
from workings.checking.dumps.bounds import error_of
from workings.checking.dumps.census import Census, Sides, Truths
from workings.checking.dumps.judge import BLOCK_CELLS, Judge, as_masked
from workings.steps.recipe import Recipe
from workings.terms.address import Name

FIRST = 64
EXPLAINS = 0.25  # what is left over must be less than this share of the difference
LARGEST_ACROSS = 2**22  # cells of an array that is read by columns
Run = tuple[int, Name, int, int]  # judge, array, first row, last row + 1


def find_in_dump(judges: list[Judge], census: Census) -> list[Cause]:
    """Every cause that gives all the wrong numbers of an array.

    Where some of them give its right numbers too, those that would have spoiled a right one are no causes; and where
    some do without another convention for rows that have no key, those that need it are none.
    """
    runs = list(_runs(judges, census))
    few = list(_few(runs))
    hits = [hit for cause in CAUSES if (hit := _fits(cause, judges, few, runs)) is not None]
    _wrong.cache_clear()
    whole = [hit for hit in hits if hit.trial is None or hit.trial.agrees(runs)]
    for tier in (whole, hits):
        plain = [hit.cause for hit in tier if hit.trial is None or hit.trial.empty is None]
        if tier:
            return plain or [hit.cause for hit in tier]
    return []


@dataclass(frozen=True)
class _Hit:
    """A cause that gives all the wrong numbers; its trial, where it is an altered recipe."""

    cause: Cause
    trial: _Trial | None = None


def _runs(judges: list[Judge], census: Census) -> Iterator[Run]:
    """Stretches of neighbouring rows with wrong numbers."""
    for (batch, head), rows in census.begins.items():
        judge = judges[batch]
        name = next(n for n in judge.item.produced if n.name == census.name and _place(n) == head)
        height = max(1, BLOCK_CELLS // max(1, judge.item.recipe.sizes.get("key", 1)))
        for _, group in groupby(enumerate(sorted(set(rows))), key=lambda pair: pair[1] - pair[0]):
            stretch = [row for _, row in group]
            for start in range(stretch[0], stretch[-1] + 1, height):
                yield batch, name, start, min(start + height, stretch[-1] + 1)


def _place(name: Name) -> int:
    return name.head if name.head is not None else name.group or 0


def _few(runs: list[Run]) -> Iterator[Run]:
    """At most 64 rows, from as many stretches as there are, up to eight rows of each at first."""
    left = FIRST
    step = max(1, len(runs) // 8)
    for batch, name, start, stop in runs[::step]:
        if left <= 0:
            return
        take = min(left, stop - start, 8 if len(runs) > 1 else FIRST)
        left -= take
        yield batch, name, start, start + take


def _fits(cause: Cause, judges: list[Judge], few: list[Run], runs: list[Run]) -> _Hit | None:
    if cause.pattern is not None:
        return _Hit(cause) if runs and _shows(cause, judges, runs) else None
    count = len(list(cause.recipes(judges[runs[0][0]].item.recipe)))
    trials = (_variant(cause, number, judges, few, runs) for number in range(count))
    found = next((trial for trial in trials if trial is not None), None)
    return None if found is None else _Hit(cause, found)


def _variant(cause: Cause, number: int, judges: list[Judge], few: list[Run], runs: list[Run]) -> _Trial | None:
    """One altered recipe; where it leaves rows without a key, whatever convention the kernel has for them."""
    recipe = judges[runs[0][0]].item.recipe
    if cause.across and recipe.sizes["query"] * recipe.sizes["key"] > LARGEST_ACROSS:
        return None
    others = () if cause.id.startswith("fully-masked-row") or not _may_be_empty(recipe) else _seen(judges, few)
    for name in (None, *others):
        trial = _Trial(cause, number, judges, name)
        if trial.gives(few[:1]) and trial.gives(few) and trial.gives(runs):
            return trial
    return None


def _seen(judges: list[Judge], few: list[Run]) -> tuple[str, ...]:
    """The convention that a kernel may have for rows without a key, from a look at its wrong numbers."""
    nan = any(
        bool(np.isnan(printed[wrong]).any())
        for printed, _, wrong in (_wrong(judges[batch], name, start, stop) for batch, name, start, stop in few)
    )
    return ("nan",) if nan else ("uniform", "zero")


def _may_be_empty(recipe: Recipe) -> bool:
    return any(op.step.name == "masked" for op in recipe.ops)


@lru_cache(maxsize=FIRST)
def _wrong(judge: Judge, name: Name, start: int, stop: int) -> tuple[Floats, Floats, Truths]:
    """Printed numbers of some rows, what follows from the kernel's own earlier arrays, and which are wrong."""
    printed = judge.item.produced[name].rows(start, stop)
    own = judge.from_own(name, printed, start, stop)
    return printed, own.value, own.bad & judge.sides([name], start, stop)[0][name].bad


class _Trial:
    """One variant of one cause, for every item of the batch that holds wrong numbers."""

    def __init__(self, cause: Cause, number: int, judges: list[Judge], empty: str | None) -> None:
        self.cause, self.number, self.judges, self.empty = cause, number, judges, empty
        self._engines: dict[tuple[int, Name], Arrays | None] = {}

    def gives(self, runs: list[Run]) -> bool:
        """Whether it gives every wrong number of some rows, and explains most of the difference."""
        left = whole = 0.0
        seen = False
        for batch, name, start, stop in runs:
            engine = self._engine(batch, name)
            if engine is None:
                return False
            printed, true, wrong = _wrong(self.judges[batch], name, start, stop)
            value, bound = engine.rows_of([name, error_of(name)], start, stop)
            sides = Sides(as_masked(name, printed, value), value, bound)
            if (sides.bad & wrong).any():
                return False
            seen = seen or bool(wrong.any())
            both = wrong & np.isfinite(printed) & np.isfinite(true) & np.isfinite(value)
            left += float(np.abs(printed - value)[both].sum())
            whole += float(np.abs(printed - true)[both].sum())
        return seen and left <= EXPLAINS * whole

    def agrees(self, runs: list[Run]) -> bool:
        """Whether it gives the right numbers too, of every array that holds wrong ones."""
        for batch, name in dict.fromkeys((batch, name) for batch, name, _, _ in runs):
            judge, engine = self.judges[batch], self._engine(batch, name)
            for start, stop in judge.blocks([name]):
                printed = judge.item.produced[name].rows(start, stop)
                if engine is None:
                    return False
                value, bound = engine.rows_of([name, error_of(name)], start, stop)
                if Sides(as_masked(name, printed, value), value, bound).bad.any():
                    return False
        return True

    def _engine(self, batch: int, name: Name) -> Arrays | None:
        key = batch, name
        if key not in self._engines:
            self._engines[key] = self._make(batch, name)
        return self._engines[key]

    def _make(self, batch: int, name: Name) -> Arrays | None:
        judge = self.judges[batch]
        recipes = list(self.cause.recipes(judge.item.recipe))
        if self.number >= len(recipes):
            return None
        altered = recipes[self.number]
        if self.empty is not None:
            other = convention(replace(altered, spec=replace(altered.spec, fully_masked="")), self.empty)
            if other is None:
                return None
            altered = other
        return judge.engine(altered, judge.before(name))


# --- causes seen in the numbers alone ------------------------------------------------------------------------------


class _Rows:
    """The rows of one array of one head, as lists."""

    def __init__(self, judge: Judge, name: Name, wrong: list[int]) -> None:
        self._judge, self._name, self.wrong = judge, name, wrong
        self.count = judge.item.produced[name].shape[0]
        self._kept: dict[int, tuple[list[float], list[float], list[float]]] = {}

    def _row(self, row: int) -> tuple[list[float], list[float], list[float]]:
        if row not in self._kept:
            printed = self._judge.item.produced[self._name].rows(row, row + 1)
            sides = self._judge.from_own(self._name, printed, row, row + 1)
            self._kept[row] = (_listed(sides.printed), _listed(sides.value), _listed(sides.bound))
        return self._kept[row]

    def printed(self, row: int) -> list[float]:
        return self._row(row)[0]

    def true(self, row: int) -> list[float]:
        return self._row(row)[1]

    def half(self, row: int) -> list[float]:
        return self._row(row)[2]

    def parts(self, row: int) -> list[list[float]]:
        if self._name.name != "head_output":
            return []
        engine, recipe = self._judge.own(self._name), self._judge.item.recipe
        op = recipe.op(self._name)
        if op is None or recipe.sizes["key"] > MOST_TERMS:
            return []
        weights = engine.rows(recipe.source(op, "weight"), row, row + 1)[0]
        values = engine.array(recipe.source(op, "V"))
        return [_listed(weight * value) for weight, value in zip(weights, values, strict=True)]


def _listed(numbers: Floats) -> list[float]:
    return [float(number) for number in np.ravel(numbers)]


def _shows(cause: Cause, judges: list[Judge], runs: list[Run]) -> bool:
    """Whether the wrong rows of every head show the pattern: a few of them first."""
    by_array: dict[tuple[int, Name], list[int]] = {}
    for batch, name, start, stop in runs:
        by_array.setdefault((batch, name), []).extend(range(start, stop))
    return cause.pattern is not None and all(
        cause.pattern(_Rows(judges[batch], name, rows)) for (batch, name), rows in by_array.items()
    )

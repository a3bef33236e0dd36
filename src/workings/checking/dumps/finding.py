"""Finds the causes of the first wrong array of a dump: altered recipes run in numpy, a few rows first, then all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from workings.arrays.rules import Floats
from workings.checking.causes.cause import Cause
from workings.checking.causes.patterns import MOST_TERMS
from workings.checking.causes.registry import CAUSES
from workings.checking.dumps.census import Census, Sides
from workings.checking.dumps.judge import Judge
from workings.checking.dumps.trials import Rows, Trial, Variants
from workings.terms.address import Name

FIRST = 64
FEW = 8  # rows of each stretch, and stretches, that settle most trials
KEPT = 8  # stretches of rows that a pattern may look at again and again
LARGEST_ACROSS = 2**22  # cells of an array that is read by columns
MOST_CELLS = 2**28  # on which what fits a few rows is confirmed


@dataclass(frozen=True)
class Found:
    """Causes, and on how many of the rows with wrong numbers they were confirmed."""

    causes: list[Cause] = field(default_factory=list)
    rows: int = 0
    of: int = 0


@dataclass(frozen=True)
class _Hit:
    """A cause that gives all the wrong numbers; its trial, where it is an altered recipe."""

    cause: Cause
    trial: Trial | None = None


def find_in_dump(judges: list[Judge], census: Census) -> Found:
    """Every cause that gives all the wrong numbers of an array.

    Where some of them give its right numbers too, those that would have spoiled a right one are no causes; where some
    leave the arrays before it alone that the dump shows, those that alter them as well are none; and where some do
    without another convention for rows that have no key, those that need it are none. Numbers that are all NaN
    tell only of the ways to lose a number, where there is one of them.
    """
    wrong = _Wrong(judges, census)
    few = list(wrong.few())
    tried = [(cause, list(_trials(cause, judges, few))) for cause in CAUSES]
    shown = {cause.id for cause in CAUSES if cause.pattern is not None and wrong.show(cause)}
    confirmed = 0
    left = [trials for _, trials in tried if trials]
    while left:  # a cause's first trial that fits the few rows mostly fits all; the others are like it
        confirmed = max(confirmed, wrong.confirm([trials[0] for trials in left]))
        left = [trials[1:] for trials in left if not (trials[0].gives and trials[0].agrees) and trials[1:]]
    hits: list[_Hit] = []
    for cause, trials in tried:
        if cause.id in shown:
            hits.append(_Hit(cause))
        given = sorted((trial for trial in trials if trial.gives), key=lambda trial: not trial.agrees)
        hits += [_Hit(cause, trial) for trial in given[:1]]
    rows = confirmed if any(hit.trial for hit in hits) else wrong.count
    hits = _those(hits, lambda trial: trial.agrees)
    hits = _those(hits, lambda trial: not trial.against_shown)
    hits = _those(hits, lambda trial: trial.empty is None)
    if all(hit.trial is not None and hit.trial.blind for hit in hits):
        hits = [hit for hit in hits if hit.cause.loses] or hits
    return Found([hit.cause for hit in hits], rows, wrong.count) if hits else Found()


def _those(hits: list[_Hit], better: Callable[[Trial], bool]) -> list[_Hit]:
    """Those that are better, and those seen in the numbers alone; all where there are none."""
    return [hit for hit in hits if hit.trial is None or better(hit.trial)] or hits


class _Wrong:
    """Where an array holds wrong numbers that follow from nothing before."""

    def __init__(self, judges: list[Judge], census: Census) -> None:
        self._judges = judges
        self._rows: dict[tuple[int, Name], list[int]] = {}
        for (batch, head), rows in census.begins.items():
            produced = judges[batch].item.produced
            name = next(name for name in produced if name.name == census.name and _place(name) == head)
            self._rows[batch, name] = sorted(set(rows))
        self.count = sum(map(len, self._rows.values()))
        self._last: tuple[tuple[int, Name], _Listed] | None = None

    def few(self) -> Iterator[Rows]:
        """At most 64 rows, from as many stretches as there are, up to eight rows of each at first."""
        stretches = list(self._stretches())
        left = FIRST
        for batch, name, start, stop in stretches[:: max(1, len(stretches) // FEW)]:
            take = min(left, stop - start, FEW if len(stretches) > 1 else FIRST)
            for first, last in ((start, min(start + FEW, start + take)), (start + FEW, start + take)):
                if first < last:  # most trials are done with after the first few
                    yield Rows(self._judges[batch], name, first, last)
            left -= take

    def _stretches(self) -> Iterator[tuple[int, Name, int, int]]:
        """Neighbouring rows with wrong numbers, no more of them than fit a block."""
        for (batch, name), rows in self._rows.items():
            edges = np.flatnonzero(np.diff(rows) > 1) + 1
            height = self._judges[batch].height
            for stretch in np.split(np.asarray(rows), edges):
                first, last = int(stretch[0]), int(stretch[-1])
                for start in range(first, last + 1, height):
                    yield batch, name, start, min(start + height, last + 1)

    def confirm(self, trials: list[Trial]) -> int:
        """Try all the rows of the arrays, or as many of them as can be; how many of the wrong ones were among them."""
        for trial in trials:
            trial.start()
        chosen, count = list(self._blocks()), 0
        for batch, name, start, stop, wrong in chosen:
            left = [trial for trial in trials if trial.fits and (wrong or trial.agrees)]
            rows = Rows(self._judges[batch], name, start, stop)
            for trial in left:
                trial.look(rows)
            count += wrong if left else 0
        return count

    def _blocks(self) -> Iterator[tuple[int, Name, int, int, int]]:
        """Blocks of rows with how many of them are wrong: all, or of those with wrong rows some from everywhere."""
        found = []
        cells = 0
        for (batch, name), rows in self._rows.items():
            judge = self._judges[batch]
            for start, stop in judge.blocks([name]):
                first, last = np.searchsorted(rows, [start, stop])
                found.append((batch, name, start, stop, int(last - first)))
                cells += (stop - start) * judge.width
        if cells <= MOST_CELLS:
            yield from found
        else:
            wrong = [block for block in found if block[-1]]
            share = max(1, -(-cells * len(wrong) // (len(found) * MOST_CELLS)))
            yield from wrong[::share]

    def _listed(self, batch: int, name: Name) -> _Listed:
        """Kept for one array at a time: most patterns are done with after the first."""
        if self._last is None or self._last[0] != (batch, name):
            self._last = (batch, name), _Listed(self._judges[batch], name, self._rows[batch, name])
        return self._last[1]

    def show(self, cause: Cause) -> bool:
        """Whether the wrong rows of every head show a pattern."""
        return cause.pattern is not None and all(cause.pattern(self._listed(*place)) for place in self._rows)


def _place(name: Name) -> int:
    return name.head if name.head is not None else name.group or 0


def _trials(cause: Cause, judges: list[Judge], few: list[Rows]) -> Iterator[Trial]:
    """The altered recipes that give the wrong numbers of a few rows.

    Where one leaves rows without a key, whatever convention the kernel has for them.
    """
    if cause.changes is None or not few:
        return
    recipe = few[0].judge.item.recipe
    if cause.across and recipe.sizes["query"] * recipe.sizes["key"] > LARGEST_ACROSS:
        return
    variants = Variants(cause)
    may_be_empty = any(op.step.name == "masked" for op in recipe.ops)
    others = () if cause.id.startswith("fully-masked-row") or not may_be_empty else _seen(few)
    for number in range(len(variants.of(few[0].judge))):
        for empty in (None, *others):
            trial = Trial(variants, number, empty)
            if all(map(trial.look, few)) and trial.gives:
                yield trial


def _seen(few: list[Rows]) -> tuple[str, ...]:
    """The convention that a kernel may have for rows without a key, from a look at its wrong numbers."""
    return ("nan",) if any(np.isnan(rows.printed[rows.wrong]).any() for rows in few) else ("uniform", "zero")


# --- causes seen in the numbers alone ------------------------------------------------------------------------------


class _Listed:
    """The rows of one array of one head, as lists; read a stretch at a time."""

    def __init__(self, judge: Judge, name: Name, wrong: list[int]) -> None:
        self._judge, self._name, self.wrong = judge, name, wrong
        self.count = judge.item.produced[name].shape[0]
        self._stretch = lru_cache(maxsize=KEPT)(self._read)
        self._row = lru_cache(maxsize=KEPT)(self._read_row)

    def _read(self, start: int) -> Sides:
        return Rows(self._judge, self._name, start, min(start + FIRST, self.count)).true

    def _read_row(self, row: int) -> list[list[float]]:
        sides, place = self._stretch(row - row % FIRST), row % FIRST
        return [_listed(side[place]) for side in (sides.printed, sides.value, sides.bound)]

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
    found: list[float] = np.ravel(numbers).tolist()
    return found

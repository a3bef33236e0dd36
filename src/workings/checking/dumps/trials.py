"""One altered recipe tried on rows with wrong numbers; what it leaves unaltered is taken from the unaltered run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from workings.arrays.bounds import error_of
from workings.arrays.rules import Floats
from workings.arrays.run import Arrays
from workings.checking.causes.cause import Cause
from workings.checking.causes.masks import convention
from workings.checking.dumps.census import Sides, Truths
from workings.checking.dumps.judge import Judge, as_masked
from workings.steps.recipe import Recipe
from workings.terms.address import Name

EXPLAINS = 0.25  # what is left over must be less than this share of the difference


@dataclass(frozen=True)
class Rows:
    """Neighbouring rows of one array, and what the kernel's own earlier arrays give for them."""

    judge: Judge
    name: Name
    start: int
    stop: int

    @property
    def place(self) -> tuple[int, Name]:
        return self.judge.item.batch, self.name

    @cached_property
    def printed(self) -> Floats:
        return self.judge.item.produced[self.name].rows(self.start, self.stop)

    @cached_property
    def made(self) -> dict[Name, Floats]:
        """The array as it should be, and all that it was made from."""
        names = [self.name, error_of(self.name)]
        return self.judge.own(self.name).made_for(names, self.start, self.stop)

    def beside(self, value: Floats, bound: Floats) -> Sides:
        """What was printed beside other numbers."""
        return Sides(as_masked(self.name, self.printed, value), value, bound)

    @cached_property
    def true(self) -> Sides:
        """What was printed beside what should be."""
        return self.beside(self.made[self.name], self.made[error_of(self.name)])

    @cached_property
    def wrong(self) -> Truths:
        """Numbers that follow neither from the inputs nor from the kernel's own earlier arrays."""
        bad = self.true.bad
        if bad.any() and self.judge.before(self.name):
            bad = bad & self.judge.sides([self.name], self.start, self.stop)[0][self.name].bad
        return bad


class Variants:
    """The altered recipes of one cause, made once for each item of the batch."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self._made: dict[int, list[Recipe]] = {}

    def of(self, judge: Judge) -> list[Recipe]:
        batch = judge.item.batch
        if batch not in self._made:
            self._made[batch] = list(self.cause.recipes(judge.item.recipe))
        return self._made[batch]


class Trial:
    """One variant of one cause, with one convention for rows without a key.

    Attributes:
        fits: whether it gave every wrong number of the rows looked at; ``agrees`` whether it gave the right ones too.
        against_shown: whether it alters an array that the dump shows and that is right as it was declared.
    """

    def __init__(self, variants: Variants, number: int, empty: str | None) -> None:
        self._variants, self._number, self.empty = variants, number, empty
        self._engine: tuple[tuple[int, Name], _Engine | None] | None = None
        self.against_shown = False
        self.start()

    def start(self) -> None:
        """Forget the rows that were looked at."""
        self.fits, self.agrees = True, True
        self._left = self._whole = 0.0
        self._seen = False

    @property
    def gives(self) -> bool:
        """Whether it gave every wrong number of the rows looked at, and most of their difference."""
        return self.fits and self._seen and self._left <= EXPLAINS * self._whole

    @property
    def blind(self) -> bool:
        """Whether none of the wrong numbers was finite: whatever has no value there gave them."""
        return self._whole == 0

    def look(self, rows: Rows) -> bool:
        """Try some rows; whether it still fits."""
        engine = self._engine_for(rows)
        if engine is None:
            self.fits = self.agrees = False
            return False
        printed, true, wrong = rows.printed, rows.true.value, rows.wrong
        sides = rows.beside(*engine.rows(rows))
        bad = sides.bad
        self.agrees = self.agrees and not bad.any()
        if (bad & wrong).any():
            self.fits = False
            return False
        if wrong.any():
            self._seen = True
            places = np.flatnonzero(wrong & np.isfinite(printed) & np.isfinite(sides.value))
            found, right = printed.take(places), true.take(places)
            self._left += float(np.abs(found - sides.value.take(places)).sum())
            # beside −∞ a number differs by all that it is: any tolerance would be small beside that difference
            self._whole += float(np.abs(np.where(np.isfinite(right), found - right, found)).sum())
        return True

    def _engine_for(self, rows: Rows) -> _Engine | None:
        """Kept for one array at a time."""
        if self._engine is None or self._engine[0] != rows.place:
            self._engine = rows.place, self._make(rows)
        return self._engine[1]

    def _make(self, rows: Rows) -> _Engine | None:
        judge, recipes = rows.judge, self._variants.of(rows.judge)
        if self._number >= len(recipes):
            return None
        altered = recipes[self._number]
        if self.empty is not None:
            other = convention(replace(altered, spec=replace(altered.spec, fully_masked="")), self.empty)
            if other is None:
                return None
            altered = other
        read = judge.before(rows.name)
        beside = zip(altered.ops, judge.item.recipe.ops, strict=True)
        self.against_shown = any(op is not declared and op.name in read for op, declared in beside)
        engine = judge.engine(altered, read, rows.name)
        found = _Engine(engine, judge.own(rows.name))
        return found if found.matters(rows.name) else None


class _Engine:
    """An altered recipe at work."""

    def __init__(self, engine: Arrays, own: Arrays) -> None:
        self._engine = engine
        self._shared = engine.made_alike(own)
        engine.take(own, self._shared)

    def matters(self, name: Name) -> bool:
        """Whether the alteration can reach an array."""
        return not {name, error_of(name)} <= self._shared

    def rows(self, rows: Rows) -> list[Floats]:
        """The rows of the array and of its error."""
        known = {name: values for name, values in rows.made.items() if name in self._shared}
        return self._engine.rows_of([rows.name, error_of(rows.name)], rows.start, rows.stop, known)

"""Compares a dump with the declared steps: a census of every array, where differences begin, and why."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workings.arrays.bounds import Arithmetic, gamma, unit
from workings.arrays.rules import Floats
from workings.checking.causes.cause import Cause
from workings.checking.dumps.census import Census, Sides, Truths
from workings.checking.dumps.files import Dump, read_dump, read_options
from workings.checking.dumps.finding import Found, find_in_dump
from workings.checking.dumps.inputs import Inputs
from workings.checking.dumps.judge import Judge
from workings.checking.dumps.options import Options
from workings.tensors.tensor import Tensor
from workings.terms.address import Name
from workings.terms.errors import NothingJudged, OptionIdle, WorkingsError
from workings.terms.numbers import FORMATS

Source = str | os.PathLike[str] | Mapping[str, Any]
PIECE = 2**20


@dataclass(frozen=True)
class NotFiniteInput:
    """An input that holds NaN or infinities: how many, and where the first stands."""

    name: str
    nan: int
    inf: int
    first: tuple[int, ...]


@dataclass
class Comparison:
    """What a dump is worth.

    Attributes:
        arrays: a census of each produced array, in order of computation.
        first_step: the first array that does not follow from those before it; None where all do.
        found: every known slip that gives all the wrong numbers of that array, and on how many rows that was confirmed.
        conventions: per array, how many rows that may look at nothing follow which convention.
        not_finite: inputs with NaN or infinities.
        read_as: our name of each tensor that has another usual one.
        unused: tensors that were not read: their names say nothing here, or nothing here needs them.
        not_judged: arrays of the kernel that no step makes under these options.
        sums: per step, how many terms its sum has, and γ, how far it may stray relative to the sum of their sizes.
    """

    path: str
    options: Options
    arithmetic: Arithmetic
    arrays: list[Census]
    first_step: str | None = None
    found: Found = field(default_factory=Found)
    conventions: dict[str, Counter[str]] = field(default_factory=dict)
    not_finite: list[NotFiniteInput] = field(default_factory=list)
    read_as: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)
    sums: dict[str, tuple[int, float | None]] = field(default_factory=dict)

    @property
    def causes(self) -> list[Cause]:
        """Every known slip that gives all the wrong numbers of the first array that differs."""
        return self.found.causes

    @property
    def holds(self) -> bool:
        """Whether no number is over tolerance."""
        return not any(census.over for census in self.arrays)

    @property
    def conclusive(self) -> bool:
        """Whether everything in the dump was read and judged, by tolerances that tell right from wrong."""
        told = all(census.tells and not census.unbounded for census in self.arrays)
        return told and not self.unused and not self.not_judged


def compare(
    source: Source, options: Mapping[str, Any] | str | os.PathLike[str] | None = None, **more: Any
) -> Comparison:
    """Judge a dump.

    Args:
        source: a path, or arrays by name.
        options: a table or the path of a JSON file; it wins over what the dump says, and ``more`` over both.

    Raises:
        FileError: what cannot be read, or holds nothing that could be judged.
        OptionIdle: one of ``more`` that changes nothing in this dump.
    """
    dump = read_dump(source)
    found = read_all_options(dump, options, more)
    written = [name for name in more if getattr(found, name, None) != getattr(Options(), name, None)]
    if written:
        inputs = Inputs(dump, found)
        for name, why in ((name, inputs.idle(name)) for name in written):
            if why:
                raise OptionIdle(option=name, why=why).at(dump.path)
    return compare_dump(dump, found)


def read_all_options(
    dump: Dump, options: Mapping[str, Any] | str | os.PathLike[str] | None, more: Mapping[str, Any]
) -> Options:
    """The options of a dump, of a file beside it, and of flags; each wins over the one before."""
    found = Options()
    for written, where in ((dump.options, dump.path), (options or {}, ""), (more, "")):
        table = written if isinstance(written, Mapping) else read_options(written)
        place = where if isinstance(written, Mapping) else os.fspath(written)
        try:
            found = found.changed(table)
        except WorkingsError as error:
            raise error.at(place) from None
    return found


def compare_dump(dump: Dump, options: Options, progress: Callable[[int, int], None] | None = None) -> Comparison:
    """Judge tensors that have been read. ``progress`` hears how many items of the batch are done, and of how many."""
    with np.errstate(all="ignore"):  # what is not finite is counted, and no matter for a warning
        return _compared(Inputs(dump, options), progress)


def _compared(inputs: Inputs, progress: Callable[[int, int], None] | None) -> Comparison:
    dump, options = inputs.dump, inputs.options
    arithmetic = _arithmetic(inputs)
    out = Comparison(dump.path, options, arithmetic, [], read_as=inputs.read_as, unused=sorted(inputs.unused))
    out.not_finite = [found for tensor in _inputs(inputs) if (found := _not_finite(tensor)) is not None]
    censuses = {name: Census(name, inputs.arranged[name].dtype) for name in inputs.produced}
    judges: list[Judge] = []
    for done, item in enumerate(inputs.items()):
        judge = Judge(item, arithmetic)
        judges.append(judge)
        for names in judge.groups():
            for start, stop in judge.blocks(names):
                _count(out, judge, censuses, names, (start, stop))
        if progress is not None:
            progress(done + 1, inputs.batch)
    order = dict.fromkeys(name.name for judge in judges[:1] for name in judge.item.produced)
    out.arrays = [censuses[name] for name in (order if judges else censuses)]
    out.not_judged = [inputs.written[name] for name in inputs.produced if judges and name not in order]
    if judges and not order:
        raise NothingJudged(names=out.not_judged).at(dump.path)
    out.sums = _sums(judges, arithmetic)
    first = next((census for census in out.arrays if census.begin), None)
    if first is not None:
        out.first_step = first.name
        out.found = find_in_dump(judges, first)
    return out


def _count(out: Comparison, judge: Judge, all_of: dict[str, Census], names: list[Name], rows: tuple[int, int]) -> None:
    """One block of rows of the arrays of one head."""
    start, stop = rows
    batch = judge.item.batch
    found, unseen = judge.sides(names, start, stop)
    for name, sides in found.items():
        census = all_of[name.name]
        head = name.head if name.head is not None else name.group or 0
        bad = sides.bad
        if unseen.any():
            _conventions(out, judge, name, (start, stop), sides.printed, unseen)
            if name.name == "lse" and out.options.fully_masked != "zero":
                bad = bad & ~unseen
        census.add((batch, head, start), sides, bad)
        begin = bad & _begins(judge, name, sides, rows) if bad.any() else bad
        if begin.any():
            census.begin += int(begin.sum())
            where = np.flatnonzero(begin.reshape(begin.shape[0], -1).any(axis=1))
            census.begins.setdefault((batch, head), []).extend((where + start).tolist())


def _begins(judge: Judge, name: Name, sides: Sides, rows: tuple[int, int]) -> Truths:
    """Which numbers do not follow from the kernel's own earlier arrays either."""
    if not judge.before(name):
        return np.ones(sides.printed.shape, bool)
    return judge.from_own(name, sides.printed, *rows).bad


def _conventions(
    out: Comparison, judge: Judge, name: Name, rows: tuple[int, int], printed: Floats, unseen: Truths
) -> None:
    """Which convention the rows that may look at nothing follow."""
    if name.name not in ("weight", "head_output", "lse"):
        return
    uniform = judge.uniform.rows(name, *rows)
    counts = out.conventions.setdefault(name.name, Counter())
    for row in np.flatnonzero(unseen):
        numbers = np.atleast_1d(printed[row])
        if np.isnan(numbers).all():
            kind = "nan"
        elif name.name == "lse":
            kind = "zero" if np.isneginf(numbers).all() else "other"
        elif not numbers.any():
            kind = "zero"
        else:
            near = np.allclose(numbers, uniform[row], rtol=2.0**-6, atol=1e-6)
            kind = ("uniform" if name.name == "weight" else "mean-of-V") if near else "other"
        counts[kind] += 1


# --- what is known beforehand ----------------------------------------------------------------------------------------


def _arithmetic(inputs: Inputs) -> Arithmetic:
    """The types that the kernel is taken to work in, from those of the dump."""
    shown = {name: inputs.arranged[name].dtype for name in inputs.produced}
    given = [tensor.dtype for name, tensor in inputs.arranged.items() if tensor.is_floating and name not in shown]
    widest_roundoff = max([*shown.values(), *given], key=lambda dtype: unit(dtype))
    all_double = all(dtype == "float64" for dtype in (*shown.values(), *given))
    compute = "float64" if all_double else "float32"
    softmax = inputs.options.softmax_dtype or compute
    return Arithmetic(compute, softmax, widest_roundoff, shown)


def _inputs(inputs: Inputs) -> list[Tensor]:
    return [t for name, t in inputs.arranged.items() if name not in inputs.produced and t.dtype in FORMATS]


def _not_finite(tensor: Tensor) -> NotFiniteInput | None:
    """Counted a piece at a time. −∞ in a bias or in scores is a mask and no flaw."""
    flat = tensor.held.reshape(-1) if tensor.held.flags.c_contiguous else tensor.held
    pieces = range(0, flat.shape[0], PIECE) if flat.ndim == 1 else range(flat.shape[0])
    step = PIECE if flat.ndim == 1 else 1
    nan = inf = 0
    first: tuple[int, ...] | None = None
    masks = tensor.name in ("bias", "score")
    for start in pieces:
        numbers = tensor.arranged(flat).numbers(slice(start, start + step))
        odd = np.isnan(numbers) | (np.isposinf(numbers) if masks else np.isinf(numbers))
        nan += int(np.isnan(numbers).sum())
        inf += int((odd & ~np.isnan(numbers)).sum())
        if first is None and odd.any():
            place = int(odd.argmax()) + (start if flat.ndim == 1 else start * numbers[0].size)
            first = tuple(int(part) for part in np.unravel_index(place, tensor.shape))
    return None if first is None else NotFiniteInput(tensor.name, nan, inf, first)


def _sums(judges: list[Judge], arithmetic: Arithmetic) -> dict[str, tuple[int, float | None]]:
    """For the report: the number of terms of each sum, and γ."""
    sizes = judges[0].item.recipe.sizes if judges else {}
    out: dict[str, tuple[int, float | None]] = {}
    for step, axis in (("score", "d_k"), ("weight", "key"), ("head_output", "key")):
        if axis in sizes:
            factor = gamma(sizes[axis], arithmetic.roundoff(step))
            out[step] = (sizes[axis], None if factor is None else float(factor))
    return out

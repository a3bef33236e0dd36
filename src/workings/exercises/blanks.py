"""Which cells of a worked example are left blank: a seed decides, and every one can be worked from what is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from workings.steps.language import Cell, Const, Div, Expr, Infinity, cells_of
from workings.steps.step import Op
from workings.terms.address import Address, Name
from workings.terms.errors import UnknownChoice
from workings.traces.trace import Trace

USUAL = 12  # blanks where nobody says how many
TAKEN = re.compile(r"[(（]\s*(\d{1,9})\s*[)）]")
Texts = Callable[[Address], str]


@dataclass(frozen=True)
class Blanks:
    """The blanks of one sheet.

    Attributes:
        trace: the worked example.
        numbers: the address of each blank with its number, in order of computation.
    """

    trace: Trace
    numbers: Mapping[Address, int]

    def at(self, address: Address) -> int | None:
        """The number of the blank that a cell is, or repeats; None for a cell that is printed."""
        return self.numbers.get(root_of(self.trace, address))

    def ops(self) -> list[Op]:
        """The steps of the sheet: up to the last one that has a blank. What comes after would only give it away."""
        ops = list(self.trace.ops())
        last = max(place for place, op in enumerate(ops) if op.name in self._arrays)
        return ops[: last + 1]

    def printed(self) -> Iterator[Address]:
        """The computed cells that stand on the sheet, in order of computation."""
        for op in self.ops():
            for address in self.trace.cells(op.name):
                if self.at(address) is None:
                    yield address

    @cached_property
    def _arrays(self) -> frozenset[Name]:
        return frozenset(address.array for address in self.numbers)


def root_of(trace: Trace, address: Address) -> Address:
    """The cell that a cell only repeats (a view, an entry that a mask lets through), or itself."""
    formula = trace.expansion.cell(address)
    while isinstance(formula, Cell):
        address = formula.address
        formula = trace.expansion.cell(address)
    return address


def choose(trace: Trace, texts: Texts, seed: int, count: int | None, steps: Sequence[str] = ()) -> Blanks:
    """The blanks of a sheet, spread over the steps.

    Args:
        texts: how a cell is printed.
        count: how many; None for the usual number, or all there are.
        steps: names of arrays to which they are kept, ``score`` or ``L0.H1.score``; empty for all.

    Raises:
        UnknownChoice: for a step without cells that can be blank, or a number of blanks that there is not.
    """
    found = _candidates(trace, texts, steps)
    most = sum(map(len, found.values()))
    wanted = min(USUAL, most) if count is None else count
    if not 1 <= wanted <= most:
        raise UnknownChoice(seen=str(wanted), choices=[f"1 … {most}"]).at("blanks")
    taken = _spread(found, seed, wanted)
    chosen = [address for op in trace.ops() for address in trace.cells(op.name) if address in taken]
    return Blanks(trace, dict(zip(chosen, _labels(trace), strict=False)))


def _spread(found: Mapping[Name, list[Address]], seed: int, wanted: int) -> set[Address]:
    """One cell of each step in turn, steps and cells in an order that the seed decides."""

    def drawn(item: Name | Address) -> bytes:
        return sha256(f"{seed} {item}".encode()).digest()  # the same everywhere, whatever Python's own generator does

    queues = [sorted(found[name], key=drawn) for name in sorted(found, key=drawn)]
    taken: list[Address] = []
    while len(taken) < wanted:
        taken += [queue.pop() for queue in queues if queue][: wanted - len(taken)]
    return set(taken)


def _candidates(trace: Trace, texts: Texts, steps: Sequence[str]) -> dict[Name, list[Address]]:
    """The cells that may be blank, by their array."""
    found: dict[Name, list[Address]] = {}
    for op in trace.ops():
        cells = [] if op.step.is_view else trace.cells(op.name)
        found[op.name] = [address for address in cells if _may_be_blank(trace, texts, address)]
    named = {name: cells for name, cells in found.items() if cells}
    if not steps:
        return named
    wanted: set[Address] = set()
    for step in steps:
        roots = {root for name in found if step in (str(name), name.name) for root in _roots(trace, name)}
        if not any(roots.intersection(cells) for cells in named.values()):
            raise UnknownChoice(seen=step, choices=list(map(str, named))).at("steps")
        wanted |= roots
    kept = {name: [address for address in cells if address in wanted] for name, cells in named.items()}
    return {name: cells for name, cells in kept.items() if cells}


def _roots(trace: Trace, name: Name) -> Iterator[Address]:
    """The cells that an array shows, its own or those that it repeats."""
    return (root_of(trace, address) for address in trace.cells(name))


def _may_be_blank(trace: Trace, texts: Texts, address: Address) -> bool:
    """Whether a cell is worked out from others, and no cell made from it shows the same digits."""
    formula = trace.expansion.cell(address)
    if formula is None or isinstance(formula, (Cell, Const, Infinity)) or _is_convention(trace, formula):
        return False
    if trace.value(address).infinite:
        return False
    return all(texts(reader) != texts(address) for reader in _readers(trace, address))


def _is_convention(trace: Trace, formula: Expr) -> bool:
    """Whether a cell is 0 ÷ 0 taken by convention."""
    if not isinstance(formula, Div) or formula.if_zero is None:
        return False
    return all(trace.value(address).exact == 0 for address in cells_of(formula.right))


def _readers(trace: Trace, address: Address) -> Iterator[Address]:
    """The cells that are worked out from a cell, those that only repeat it looked through."""
    for reader in trace.used_by(address):
        if isinstance(trace.expansion.cell(reader), Cell):
            yield from _readers(trace, reader)
        else:
            yield reader


def _labels(trace: Trace) -> Iterator[int]:
    """Numbers for blanks; one that a word of the example holds between brackets is passed over."""
    source = trace.source
    words = [word for labels in source.labels.values() for word in labels]
    words += [
        text for notes in source.notes.values() for each in notes.values() for note in each for text in note.values()
    ]
    words += source.title.values()
    taken = set(_numbers_in(words))
    number = 0
    while True:
        number += 1
        if number not in taken:
            yield number


def _numbers_in(words: Iterable[str]) -> Iterator[int]:
    for word in words:
        for found in TAKEN.finditer(word):
            yield int(found[1])

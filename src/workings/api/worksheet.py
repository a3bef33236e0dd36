"""A worksheet as a user holds it: the sheet, its answers, and a filled-in one marked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workings.api.opening import STANDARD_INPUT, Openable, open_example, placed, settled, standard_input
from workings.api.shown import Shown
from workings.api.view import View, read_precision

if TYPE_CHECKING:
    from workings.checking.paper import Paper
    from workings.examples.example import Example
    from workings.exercises.blanks import Blanks
    from workings.exercises.mark import Identity
    from workings.exercises.marking import Marked
    from workings.explaining.tree import Document
    from workings.terms.digits import Precision
    from workings.traces.trace import Trace

SEED = 1


class Answer(Shown):
    """One answer, judged."""

    def __init__(self, marked: Marked, view: View) -> None:
        self._marked = marked
        self._view = view

    @property
    def verdict(self) -> str:
        """A key of the counts of a check; ``unread`` for what is no number."""
        return self._marked.claims[0].verdict.value if self._marked.claims else "unread"

    @property
    def is_right(self) -> bool:
        """Whether it is the number, or as near to it as its digits and the printed numbers allow."""
        from workings.checking.judging import ACCEPTED

        return any(claim.verdict in ACCEPTED for claim in self._marked.claims)

    def document(self) -> Document:
        """The verdict, and which slip gives this number where one does."""
        from workings.explaining.marked import why

        return why(self._marked)

    def data(self) -> dict[str, Any]:
        """The verdict by its name."""
        return {"schema": "workings.answer/1", "right": self.is_right, "verdict": self.verdict}


class Worksheet(Shown):
    """An exercise: a worked example with blanks.

    Its seed decides which cells are blank; the same seed gives the same sheet everywhere.
    """

    def __init__(self, blanks: Blanks, identity: Identity, view: View, *, key: bool) -> None:
        self._blanks = blanks
        self._identity = identity
        self._view = view
        self._key = key

    @property
    def seed(self) -> int:
        """What the blanks were drawn with."""
        return self._identity.seed

    @property
    def answers(self) -> dict[str, str]:
        """The right answer of every blank, as it would be printed, by address."""
        from workings.explaining.worksheet import answers

        return answers(self._blanks, self._view.digits)

    @property
    def numbers(self) -> dict[int, str]:
        """The address of every blank, by its number on the sheet."""
        return {number: str(address) for address, number in self._blanks.numbers.items()}

    def document(self) -> Document:
        """The sheet, with its key where that is wanted."""
        from workings.explaining.worksheet import worksheet as sheet

        return sheet(self._blanks, self._view.digits, self._identity.marks(), key=self._key)

    def data(self) -> dict[str, Any]:
        """``workings.worksheet/1``."""
        title = self._blanks.trace.source.title
        answers = self.answers if self._key else {}
        return {
            "schema": "workings.worksheet/1",
            "title": title.get(self._view.language) or next(iter(title.values()), ""),
            "example": self._identity.name or None,
            "seed": self.seed,
            "blanks": [
                {"blank": number, "address": address, **({"answer": answers[address]} if answers else {})}
                for number, address in self.numbers.items()
            ],
        }

    def judge(self, number: int, answer: str) -> Answer:
        """An answer to one of the blanks, by its number, judged as on a filled-in sheet."""
        from workings.checking.reading import paper_from_text
        from workings.exercises.marking import mark as judge
        from workings.explaining.numbers import Numbers
        from workings.explaining.proven import print_of

        paper = paper_from_text(f"({number}) {' '.join(answer.split())}", "text")
        numbers = Numbers(self._blanks.trace, self._view.digits)
        return Answer(judge(paper, self._blanks, lambda address: print_of(numbers.shown(address))), self._view)

    def __repr__(self) -> str:
        name, count = self._identity.name or "of an example", len(self._blanks.numbers)
        return f"<Worksheet {name}: {count} blanks, seed {self.seed}>"


def worksheet(
    example: Openable,
    *,
    seed: int = SEED,
    blanks: int | None = None,
    steps: Sequence[str] = (),
    key: bool = True,
    lang: str | None = None,
    precision: str | int | None = None,
) -> Worksheet:
    """A worked example as an exercise: some results are left blank, and the answers stand on a page of their own.

    Args:
        example: as for ``explain``.
        seed: decides which cells are blank; the same seed gives the same sheet everywhere.
        blanks: how many; about a dozen where it is not said.
        steps: the arrays to which they are kept, ``score`` or ``L0.H1.score``; all where none is named.
        key: whether the sheet has its answers.
        lang, precision: how it is told, as in ``explain``.

    Raises:
        UnknownExample, FileError, ExampleError: what cannot be opened, read or worked.
        UnknownChoice: for a step, or a number of blanks, that there is not.
    """
    from workings.examples.carried import carried
    from workings.exercises.blanks import choose
    from workings.exercises.mark import Identity
    from workings.explaining.numbers import Numbers

    view = View().changed(lang=lang, precision=precision)
    name, data, read, trace = _opened(example)
    numbers = Numbers(trace, view.digits)
    with placed(read):
        chosen = choose(trace, lambda address: numbers.shown(address).text, seed, blanks, steps)
    digits = "auto" if precision is None else str(precision)
    identity = Identity.of(chosen, seed, digits, name, "" if name else carried(data))
    return Worksheet(chosen, identity, view, key=key)


def _opened(source: Openable) -> tuple[str, Mapping[str, Any], Example, Trace]:
    """A source with its built-in name, or with its data where it has none."""
    from workings.examples import library, read
    from workings.examples.carried import data_of_bytes, data_of_file

    if isinstance(source, Mapping):
        return "", source, *open_example(source)
    if source == STANDARD_INPUT:
        given = standard_input()
        opened = settled(read.read_bytes(given, STANDARD_INPUT))
        return "", data_of_bytes(given, STANDARD_INPUT), *opened
    example, trace = open_example(source)
    if isinstance(source, str) and source in library.names():
        return source, {}, example, trace
    return "", data_of_file(os.fspath(source)), example, trace


def mark(paper: Paper, *, lenient: bool) -> Marked | None:
    """A filled-in worksheet marked; None where a document is none.

    Raises ``WorksheetMark`` where its marks were changed.
    """
    from workings.exercises import mark as marks
    from workings.exercises.marking import mark as judge
    from workings.explaining.numbers import Numbers
    from workings.explaining.proven import print_of

    identity = marks.identity(paper)
    if identity is None:
        return None
    trace, digits = _again(paper.name, identity)
    blanks = identity.blanks(trace, paper.name)
    numbers = Numbers(trace, digits)
    return judge(paper, blanks, lambda address: print_of(numbers.shown(address)), lenient=lenient)


def _again(path: str, identity: Identity) -> tuple[Trace, Precision]:
    """The example that a sheet was made from, and its digits. Raises ``WorksheetMark`` where it is none."""
    from workings.examples import library, read
    from workings.terms.errors import WorkingsError, WorksheetMark

    try:
        named = library.load(identity.name) if identity.name else read.read_text(identity.data, kind="json")
        return settled(named)[1], read_precision(identity.digits)
    except WorkingsError:
        raise WorksheetMark(path=path, mark=identity.name or "example") from None

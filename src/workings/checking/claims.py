"""What the checker hands out: every printed number with its verdict, and the counts of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from workings.checking.judging import Judgement
from workings.checking.masking import Part
from workings.checking.notation import Num, Unread
from workings.checking.paper import Paper, Place
from workings.checking.verdicts import Verdict
from workings.terms.address import Address
from workings.terms.records import record
from workings.traces.trace import Trace


@record
class Claim:
    """A printed number and what it is worth.

    Attributes:
        address: the cell it is bound to; None where only its own equality was checked.
        expression: that equality's other side, as printed; empty where there is none.
        judgement: None for what is no claim.
        divisor: the divisor that the verdict rests on where the document declares one.
        free: whether the number may be changed to what the equality gives; not where a cell says that it is right.
        trace: the computation that the address belongs to: a document may work several examples.
    """

    number: Num
    place: Place
    address: Address | None
    expression: str
    verdict: Verdict
    judgement: Judgement | None = None
    divisor: str = ""
    causes: tuple[str, ...] = ()
    free: bool = True
    trace: Trace | None = field(default=None, repr=False, compare=False)

    @property
    def first(self) -> bool:
        """Whether it is the first wrong number of its chain."""
        return self.verdict is Verdict.WRONG and self.judgement is not None and not self.judgement.behind


@record
class Differing:
    """One quantity printed twice with values that do not agree."""

    address: Address
    first: Claim
    second: Claim


@dataclass(frozen=True)
class Report:
    """A document judged.

    Attributes:
        trace: the computation that the verdicts rest on; None where the document gives no inputs.
        declared: the author's own divisor, where there is one.
        operands: numbers inside expressions that stand for cells: no claims, but to be put right with them.
        masks: the mask of each part of the document that a computation was found for.
        assumed: the divisor that the verdicts rest on where the document does not say whether it scales and it matters.
    """

    paper: Paper
    trace: Trace | None
    claims: Sequence[Claim]
    unread: Sequence[Unread]
    differing: Sequence[Differing] = ()
    declared: str = ""
    operands: Sequence[tuple[Num, Address]] = ()
    counts: Counter[Verdict] = field(default_factory=Counter)
    masks: Sequence[Part] = ()
    assumed: str = ""

    @property
    def first_wrong(self) -> Claim | None:
        """The first wrong number of the first chain that has one."""
        return next((claim for claim in self.claims if claim.first), None)

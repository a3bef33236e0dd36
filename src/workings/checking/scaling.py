"""Whether a document that does not say whether it divides by √d_k does: both readings are judged and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workings.checking.claims import Claim
from workings.checking.notation import Span
from workings.checking.verdicts import Verdict

OFF = (Verdict.WRONG, Verdict.TRUNCATED, Verdict.UNSURE)
DECISIVE = (("weight",), ("output", "head_output"))  # what tells of the divisor: weights, else what is made of them


def is_doubtful(claims: Sequence[Claim]) -> bool:
    """Whether a reading calls numbers off that depend on it, so that the other one is worth a look."""
    return bool(_off(claims) & _decisive(claims))


def is_better(other: Sequence[Claim], taken: Sequence[Claim]) -> bool:
    """Whether the other reading calls off at most half of the weights that the one taken does, and no other number."""
    off, before = _off(other), _off(taken)
    decisive = _decisive(other)
    return off < before and len(other) >= len(taken) and 2 * len(off & decisive) <= len(before & decisive)


def _off(claims: Iterable[Claim]) -> set[Span]:
    return {claim.number.span for claim in claims if claim.verdict in OFF}


def _decisive(claims: Sequence[Claim]) -> set[Span]:
    """The numbers that a reading is chosen by: all where a document makes no recipe."""
    for names in DECISIVE:
        of = {c.number.span for c in claims if c.address is not None and c.address.array.name in names}
        if of:
            return of
    bound = any(claim.address is not None for claim in claims)
    return set() if bound else {claim.number.span for claim in claims}

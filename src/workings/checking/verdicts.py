"""The verdicts on a printed number, in the order in which they are tried."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What a printed number is worth. Earlier ones win."""

    EXACT = "exact"
    CORRECTLY_ROUNDED = "correctly_rounded"
    CONSISTENT = "consistent"
    FOLLOWS = "follows"
    TRUNCATED = "truncated"
    WRONG = "wrong"
    UNSURE = "unsure"
    NOT_A_CLAIM = "not_a_claim"
    UNREAD = "unread"

    @property
    def rank(self) -> int:
        """Its place in the order; a smaller one is better."""
        return RANKS[self]


RANKS = {verdict: place for place, verdict in enumerate(Verdict)}

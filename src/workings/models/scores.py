"""What a head does, in a few numbers: each the mean over its queries of something its weights say.

Let p be the weights of a query over the keys, and o its own key: the one at the query's own place.
"""

from __future__ import annotations

from typing import NamedTuple

TOP = 8  # largest weights kept of each row
NEAR = 8  # how far from its own key a query looks at what is near


class Score(NamedTuple):
    """One score of a head: the mean of ``formula`` over its queries, those left out that ``least`` says.

    Attributes:
        formula: of one query.
        alone: whether it has a meaning only where queries look at the text or picture that they stand in.
        least: the least own key of the queries that count.
        unit: what its numbers are: ``nats``, ``share`` or ``tokens``.
    """

    formula: str
    alone: bool = True
    least: int = 0
    unit: str = "share"


SCORES = {
    "entropy": Score("−Σ p[j]·ln p[j]", alone=False, unit="nats"),
    "sink": Score("p[0]", alone=False, least=1),
    "previous": Score("p[o − 1]", least=1),
    "self": Score("p[o]"),
    "near": Score(f"Σ p[j], |j − o| ≤ {NEAR}"),
    "distance": Score("Σ p[j]·|j − o|", unit="tokens"),
    "induction": Score("p[j + 1], j = max{j < o − 1 : token[j] = token[o]}"),
}
"""By name. A learned sink counts as one more thing to look at in ``entropy``. ``sink`` leaves out the query whose own
key is the first, ``previous`` the one with none before it. ``induction`` (Olsson et al. 2022) counts the queries whose
token stands once more before, not right before; a head has none where no token occurs twice."""


def bound_of(name: str, score: float, bounds: dict[str, float | None]) -> float | None:
    """How far a score may be off, from what the recording says of its rows; None where nothing is known.

    Args:
        bounds: the largest of the head's rows: ``entropy`` absolute, ``weight`` relative.
    """
    if name == "entropy":
        return bounds.get("entropy")
    relative = bounds.get("weight")
    return None if relative is None else relative * score / max(1e-9, 1 - relative)

"""What a document prints for each cell: every claim so far, its values, and prints that exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from workings.checking.claims import Claim, Differing
from workings.checking.local import LOCAL
from workings.terms.address import Address


class Prints:
    """Claims by cell, in reading order."""

    def __init__(self) -> None:
        self._by_cell: dict[Address, list[Claim]] = {}

    def add(self, address: Address, claim: Claim) -> None:
        """One more claim for a cell."""
        self._by_cell.setdefault(address, []).append(claim)

    def of(self, address: Address) -> Sequence[Claim]:
        """The claims for a cell."""
        return self._by_cell.get(address, ())

    def values(self, address: Address) -> Iterator[Fraction]:
        """The finite numbers printed for a cell."""
        return (claim.number.value for claim in self._by_cell.get(address, ()) if not claim.number.infinite)

    def confine(self, claims: Iterable[Claim]) -> None:
        """Forget all but these."""
        inside = set(map(id, claims))
        self._by_cell = {at: [one for one in found if id(one) in inside] for at, found in self._by_cell.items()}

    def differing(self) -> list[Differing]:
        """Quantities printed more than once whose prints exclude each other."""
        out = []
        for address, prints in self._by_cell.items():
            for other in prints[1:]:
                slack = prints[0].number.half + other.number.half
                if abs(prints[0].number.value - other.number.value) > slack and address.array.name != LOCAL:
                    out.append(Differing(address, prints[0], other))
        return out

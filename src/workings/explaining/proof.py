"""A row that was worked again in balls, as a display tree: which digits are proven, and how far off float64 was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workings.explaining.one import size_shown
from workings.explaining.tree import Block, Code, Heading, Inline, Number, Paragraph, Table, Text, Token
from workings.terms.digits import magnitude, nearest_decimal, ratio, write
from workings.terms.numbers import Value

if TYPE_CHECKING:
    from workings.models.proof import Proof

MORE_DIGITS = 30
BITS = 256


def proof_blocks(proof: Proof, word: str) -> list[Block]:
    """What was proven of a row.

    Args:
        word: the query's.
    """
    query: Inline = Token(word) if word else Code(str(proof.query))
    about: dict[str, Inline] = {"query": query, "keys": proof.keys}
    rows: list[tuple[Inline, ...]] = [
        (
            Code(str(one.name)),
            Number(str(one.numbers)),
            Text("models.proof.all") if one.proven == one.numbers else Number(str(one.proven)),
            size_shown(one.off),
            size_shown(one.bound),
        )
        for one in proof.arrays
    ]
    head = ("array", "numbers", "proven", "off", "bound")
    said = Text("models.proof.holds" if proof.holds else "models.proof.fails")
    value = Number(digits(proof.value).replace("-", "−"))
    return [
        Heading(3, Text("models.proof.title")),
        Paragraph((Text("models.proof.about", about),)),
        Paragraph((Text("models.proof.value", {"address": Code(str(proof.address)), "value": value}),)),
        Table(tuple(Text(f"models.proof.{name}") for name in head), tuple(rows)),
        Paragraph((said,)),
    ]


def digits(value: Value, count: int = MORE_DIGITS) -> str:
    """A number with so many decimals, or digits where it is small; an infinity by its sign."""
    if value.infinite:
        return "-∞" if value.infinite < 0 else "∞"
    low, high = value.bounds(BITS)
    places = max(count, count - 1 - (magnitude(value) or 0))
    return write(nearest_decimal((low + high) / 2, places), places)


def proof_data(proof: Proof) -> dict[str, Any]:
    """The same for programs."""
    return {
        "holds": proof.holds,
        "value": digits(proof.value).replace("∞", "inf"),
        "exact": None if proof.value.exact is None else ratio(proof.value.exact),
        "arrays": [
            {
                "address": str(one.name),
                "numbers": one.numbers,
                "proven": one.proven,
                "off": float(one.off),
                "bound": float(one.bound),
                "within": one.within,
            }
            for one in proof.arrays
        ],
    }

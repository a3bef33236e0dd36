"""Example files that claim results: what may stand there as a printed number."""

from pathlib import Path

import pytest

import workings as w
from workings.terms.errors import BadNumber, NotFinite

EXAMPLE = """tokens = ["a", "b"]
attention.mask = "causal"
inputs = { Q = [[1], [2]], K = [[1], [2]], V = [[1], [2]] }
claims.masked = [[1, FIRST], [2, 4]]
"""


@pytest.mark.parametrize("printed", ["-inf", '"-inf"', '"−∞"', '"-∞"', '"-Infinity"'])
def test_minus_infinity_is_what_a_mask_leaves(printed: str, tmp_path: Path) -> None:
    assert verdict(printed, tmp_path) == "exact"


@pytest.mark.parametrize("printed", ["inf", '"inf"', '"+inf"', '"∞"', '"+∞"', '"Infinity"'])
def test_infinity_is_a_number_that_may_be_wrong(printed: str, tmp_path: Path) -> None:
    assert verdict(printed, tmp_path) == "wrong"


@pytest.mark.parametrize("printed", ["nan", '"nan"', '"∞∞"', '"infinite"'])
def test_what_is_no_number_is_refused(printed: str, tmp_path: Path) -> None:
    with pytest.raises((NotFinite, BadNumber)):
        verdict(printed, tmp_path)


def verdict(printed: str, folder: Path) -> str:
    """The verdict on the number claimed for a masked score."""
    path = folder / "example.toml"
    path.write_text(EXAMPLE.replace("FIRST", printed), encoding="utf-8")
    claims = w.check(path).claims
    assert [claim.verdict.value for claim in claims[2:]] == ["exact", "exact"]
    return claims[1].verdict.value

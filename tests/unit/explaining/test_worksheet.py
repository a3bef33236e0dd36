"""What a sheet asks for: how many numbers, and with how many digits."""

from __future__ import annotations

from typing import Any

import pytest

import workings as w

TINY = {
    "tokens": ["a", "b"],
    "inputs": {"Q": [["1/100", 0], [1, 0]], "K": [["1/70", 0], ["1/3", 0]], "V": [[1], [2]]},
}
ASKED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "decimals": ("kitten", {}, "Give 4 decimals where a number does not end sooner."),
    "as many as chosen": ("kitten", {"precision": 2}, "Give 2 decimals where a number does not end sooner."),
    "none": ("kitten", {"precision": 0}, "Round to whole numbers."),
    "all": ("kitten", {"steps": ["score"]}, "Every number ends; give all its decimals."),
    "small ones too": (
        TINY,
        {"steps": ["scaled"], "blanks": 4},
        "Give 4 decimals where a number does not end sooner. "
        "Give 4 significant digits of a number that is below 0.001 or very large.",
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_how_many_digits_are_asked_for(case: str) -> None:
    example, options, said = ASKED[case]
    values: dict[str, Any] = {"blanks": 6, "lang": "en", **options}
    assert f" {said} Fractions" in " ".join(w.worksheet(example, **values).to_text().split())


@pytest.mark.parametrize(("lang", "said"), [("en", "the number that is left blank"), ("zh", "请算出留空的那个数")])
def test_one_number_is_asked_for_as_one(lang: str, said: str) -> None:
    assert said in w.worksheet("kitten", blanks=1, lang=lang).to_text()

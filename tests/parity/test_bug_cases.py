"""Published bugs as dumps: the faulty numbers are named for what they are, the right ones are left alone."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.support.bug_dumps import DUMPS, FOLDER, facts, given
from workings.checking.causes.registry import BY_ID
from workings.checking.dumps.compare import compare
from workings.terms.errors import TensorShape

NOT_EXPRESSED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "not_expressed.toml").read_text(encoding="utf-8"))
REFUSED = "60"
NUMBERS = sorted(path.name.partition("-")[0] for path in FOLDER.glob("*.json"))


def test_every_case_is_a_dump_or_listed_with_its_reason() -> None:
    assert len(NUMBERS) == 47
    assert sorted({*DUMPS, *NOT_EXPRESSED, REFUSED}) == NUMBERS
    assert not set(DUMPS) & set(NOT_EXPRESSED)
    assert all(entry["reason"] for entry in NOT_EXPRESSED.values())


@pytest.mark.parametrize("number", sorted(DUMPS))
def test_faulty_numbers_are_named(number: str) -> None:
    case = DUMPS[number](number)
    found = compare(case.dump(case.buggy), case.options)
    assert found.first_step == {"alibi_slopes": "alibi_slope"}.get(case.produced, case.produced)
    assert any(cause.id.startswith(case.named) for cause in found.causes), [cause.id for cause in found.causes]


@pytest.mark.parametrize("number", sorted(DUMPS))
def test_right_numbers_are_left_alone(number: str) -> None:
    case = DUMPS[number](number)
    found = compare(case.dump(case.right), case.options)
    assert (found.holds, found.first_step, found.causes) == (True, None, [])


@pytest.mark.parametrize("number", sorted(DUMPS))
def test_kind_is_the_published_one(number: str) -> None:
    case = DUMPS[number](number)
    kind = facts(number)["kind"]
    assert case.named.partition(":")[0] == {"21": "fully-masked-row"}.get(number, kind)
    assert case.named in BY_ID


def test_more_values_than_keys_are_refused() -> None:
    arrays = {"Q": given(REFUSED, "q"), "K": given(REFUSED, "K"), "V": given(REFUSED, "V"), "head_output": [[10.0]]}
    with pytest.raises(TensorShape) as caught:
        compare(arrays)
    assert (caught.value.values["name"], caught.value.values["axis"]) == ("V", "token")

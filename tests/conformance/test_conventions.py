"""The table of conventions says what the libraries do, and ours can be each of them."""

from __future__ import annotations

import pytest

from conformance.conventions import Convention, _ours, conventions


@pytest.mark.parametrize("item", conventions(), ids=lambda item: f"{item.question}, {item.library}")
def test_as_measured(item: Convention) -> None:
    if not isinstance(item.measured, str):
        assert item.measured() == item.answer


@pytest.mark.parametrize(("convention", "answer"), [("zero", "0"), ("uniform", "uniform"), ("nan", "NaN")])
def test_ours_can_be_each(convention: str, answer: str) -> None:
    assert _ours(convention) == answer

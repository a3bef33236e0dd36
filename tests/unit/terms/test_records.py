"""Records are equal by what they hold, hashable, and without room for more."""

from __future__ import annotations

import pytest

from workings.terms.records import record


@record
class Pair:
    left: int
    right: int = 0


def test_equal_by_what_they_hold() -> None:
    assert Pair(1) == Pair(1, 0)
    assert Pair(1) != Pair(0, 1)
    assert len({Pair(1), Pair(1, 0), Pair(2)}) == 2


def test_without_room_for_more() -> None:
    with pytest.raises(AttributeError):
        object.__setattr__(Pair(1), "more", 1)
